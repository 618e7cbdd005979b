"""``prefill-gate.toml``: which functions play which role, the profile, and what is waived."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from prefill_gate.errors import UsageError
from prefill_gate.selection import require_property
from prefill_proofs.language import Place
from prefill_proofs.roles import PlannerConfig, RoleConfig
from prefill_spec.calls import CALLS, further_parameters, parameters
from prefill_spec.profiles import DISPATCHED, PROFILES, Profile
from prefill_spec.run_theorems import RUN_THEOREM_IDS
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID

FILE_NAME = "prefill-gate.toml"
LEVELS = ("deny", "warn", "off")


@dataclass(frozen=True)
class Config:
    """A configuration: ``levels`` and ``reasons`` are by property id, and win over the profile."""

    path: Path | None = None
    source: Path | None = None
    planner: PlannerConfig = field(default_factory=PlannerConfig)
    profile: Profile = DISPATCHED
    levels: Mapping[str, str] = field(default_factory=dict)
    reasons: Mapping[str, str] = field(default_factory=dict)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the properties that have a row where none is asked for by name."""
        return self.profile.ids | self.levels.keys()

    def level_of(self, property_id: str) -> str:
        """Return a property's level: that of the configuration, of the profile, or its own."""
        own = next(entry.level for entry in EVERY_PROPERTY if entry.id == property_id)
        waived = "off" if property_id in self.profile.waives else own
        return self.levels.get(property_id, waived)

    def reason_of(self, property_id: str) -> str | None:
        """Return why a property is waived, where someone said so."""
        reasons = self.reasons if property_id in self.levels else self.profile.waives
        return reasons.get(property_id)


def find_config(given: str | None, planner: Path | None) -> Config:
    """Return the configuration given, or the nearest one above the planner, or an empty one.

    Raises ``UsageError`` when a file cannot be read or says something that is not understood.
    """
    if given is not None:
        return load_config(Path(given))
    start = (planner.parent if planner is not None else Path()).absolute()
    for folder in (start, *start.parents):
        candidate = folder / FILE_NAME
        if candidate.is_file():
            return load_config(candidate)
    return Config()


def load_config(path: Path) -> Config:
    """Read a configuration; raises ``UsageError`` as ``find_config`` does."""
    import tomllib  # here, for most planners have no configuration

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}: is not UTF-8; save it as UTF-8") from error
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path}: {error}; mend the TOML") from error
    return _Reader(path).config(table)


class _Reader:
    """Reads the tables of one file, and names the file and the key in every error."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def config(self, table: dict[str, Any]) -> Config:
        self.known(table, "", ("planner", "properties"))
        planner = self.table(table.get("planner", {}), "planner")
        self.known(planner, "planner", ("source", "profile", "roles", "externs"))
        source = planner.get("source")
        levels, reasons = self.properties(self.table(table.get("properties", {}), "properties"))
        return Config(
            path=self.path,
            source=self.path.parent / self.text(source, "planner.source") if source else None,
            planner=PlannerConfig(
                self.roles(self.table(planner.get("roles", {}), "planner.roles")),
                self.externs(self.table(planner.get("externs", {}), "planner.externs")),
            ),
            profile=self.profile(planner.get("profile", DISPATCHED.id)),
            levels=levels,
            reasons=reasons,
        )

    def profile(self, value: Any) -> Profile:
        name = self.text(value, "planner.profile")
        if name not in PROFILES:
            self.wrong("planner.profile", f"one of {', '.join(PROFILES)}")
        return PROFILES[name]

    def roles(self, table: dict[str, Any]) -> dict[str, RoleConfig]:
        self.known(table, "planner.roles", tuple(CALLS))
        return {role: self.role(role, value) for role, value in table.items()}

    def role(self, role: str, value: Any) -> RoleConfig:
        key = f"planner.roles.{role}"
        place = Place(str(self.path), 1, 1)
        if isinstance(value, str):
            return RoleConfig(function=value, place=place)
        table = self.table(value, key)
        names = (*parameters(role), *further_parameters(role))
        self.known(table, key, ("function", "assume", *names))
        fields = {
            name: self.text(table[name], f"{key}.{name}")
            for name in names
            if name in table and name != "stops"
        }
        function = table.get("function")
        return RoleConfig(
            function=None if function is None else self.text(function, f"{key}.function"),
            fields=fields,
            stops=self.texts(table.get("stops", []), f"{key}.stops", "a list of expressions"),
            assume=self.texts(table.get("assume", []), f"{key}.assume", "a list of conditions"),
            place=place,
        )

    def externs(self, table: dict[str, Any]) -> dict[str, Path]:
        return {
            name: self.path.parent / self.text(value, f'planner.externs."{name}"')
            for name, value in table.items()
        }

    def properties(self, table: dict[str, Any]) -> tuple[dict[str, str], dict[str, str]]:
        levels, reasons = {}, {}
        for name, value in table.items():
            if name in RUN_THEOREM_IDS:
                raise UsageError(
                    f"{self.path}: {name} follows from properties; waive those that it rests on"
                )
            try:
                require_property(name, EVERY_PROPERTY_ID)
            except UsageError as error:
                raise UsageError(f"{self.path}: {error}") from error
            entry = self.table(value, f"properties.{name}")
            self.known(entry, f"properties.{name}", ("level", "reason"))
            level = self.text(entry.get("level"), f"properties.{name}.level")
            if level not in LEVELS:
                self.wrong(f"properties.{name}.level", f"one of {', '.join(LEVELS)}")
            levels[name] = level
            if "reason" in entry:
                reasons[name] = self.text(entry["reason"], f"properties.{name}.reason")
        return levels, reasons

    def table(self, value: Any, key: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.wrong(key, "a table")
        found: dict[str, Any] = value
        return found

    def text(self, value: Any, key: str) -> str:
        if not isinstance(value, str):
            self.wrong(key, "a string")
        found: str = value
        return found

    def texts(self, value: Any, key: str, wanted: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.wrong(key, wanted)
        return tuple(self.text(entry, key) for entry in value)

    def known(self, table: dict[str, Any], key: str, names: tuple[str, ...]) -> None:
        for name in table:
            if name not in names:
                where = f"[{key}] " if key else ""
                raise UsageError(
                    f"{self.path}: {where}{name!r} is not understood; it may be {', '.join(names)}"
                )

    def wrong(self, key: str, wanted: str) -> NoReturn:
        raise UsageError(f"{self.path}: {key} must be {wanted}")
