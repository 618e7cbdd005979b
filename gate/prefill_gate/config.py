"""The configuration: which functions of which files play which role, and what is waived.

It is a ``prefill-gate.toml``, or the table ``[tool.prefill-gate]`` of a ``pyproject.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from prefill_gate.errors import ConfigError
from prefill_proofs.language import Place
from prefill_proofs.refusals import SourceError, suggestion
from prefill_proofs.role_config import INPUT_TYPES, PlannerConfig, RoleConfig
from prefill_proofs.source_files import SOURCE_SUFFIXES, read_source
from prefill_spec.calls import CALLS, UNANNOUNCED_ROLES, further_parameters, parameters
from prefill_spec.profiles import DISPATCHED, PROFILES, Profile
from prefill_spec.properties import CONTRACT, Property
from prefill_spec.run_theorems import RUN_THEOREM_IDS
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID

if TYPE_CHECKING:
    from prefill_gate.toml_lines import Keys, TomlLines

FILE_NAME = "prefill-gate.toml"
PROJECT_NAME = "pyproject.toml"
PROJECT_TABLE = ("tool", "prefill-gate")
LEVELS = ("deny", "warn", "off")


class Setting(NamedTuple):
    """The level that a configuration gives a property, or where it is excepted, and why.

    Without a ``level`` it is that of the property. ``regions`` are, by role, the conditions on the
    inputs under which the property need not hold.
    """

    level: str | None
    reason: str | None
    regions: Mapping[str, str]
    place: Place


@dataclass(frozen=True)
class Config:
    """What a configuration says of one planner; ``settings`` are by property id.

    ``path`` is absent where there is no configuration. ``contract`` is the version of the table of
    properties that it is written for.
    """

    path: Path | None = None
    place: Place = field(default_factory=lambda: Place(FILE_NAME, 1, 1))
    name: str | None = None
    source: Path | None = None
    planner: PlannerConfig = field(default_factory=PlannerConfig)
    contract: int = CONTRACT
    profile: Profile = DISPATCHED
    settings: Mapping[str, Setting] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """What messages call the planner."""
        return self.name or str(self.source)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the properties that have a row where none is asked for by name."""
        return self.profile.ids | self.settings.keys()

    def level_of(self, property_id: str) -> str:
        """Return a property's level: that of the configuration, of the profile, or its own.

        One that the configuration cannot know of, for it is newer, is no more than a warning.
        """
        said = self.settings[property_id].level if property_id in self.settings else None
        if said is not None:
            return said
        if property_id in self.profile.waives:
            return "off"
        entry = property_of(property_id)
        return "warn" if entry.since > self.contract else entry.level

    def reason_of(self, property_id: str) -> str | None:
        """Return why a property has another level than its own, ``None`` where it has not."""
        entry = property_of(property_id)
        if property_id in self.settings:
            return self.settings[property_id].reason
        if property_id in self.profile.waives:
            return self.profile.waives[property_id]
        if entry.since > self.contract and entry.level != "warn":
            return f"since contract {entry.since}, and the configuration says {self.contract}"
        return None


def property_of(property_id: str) -> Property:
    """Return the property of an id; ``no-fault`` is the same for each role."""
    return next(entry for entry in EVERY_PROPERTY if entry.id == property_id)


def find_configs(given: str | None, planner: Path | None) -> list[Config]:
    """Return the planners of the configuration given, or of the nearest one above the planner.

    Without a configuration there is one planner, of which nothing is said. Raises ``UsageError``
    when a file cannot be read or says something that is not understood.
    """
    if given is not None:
        found = load_configs(Path(given))
        if found is None:
            table = ".".join(PROJECT_TABLE)
            message = f"there is no such table; add [{table}], or give another file"
            raise ConfigError(Place(given, 1, 1), table, message)
        return found
    for candidate in candidates(planner):
        found = load_configs(candidate) if candidate.is_file() else None
        if found is not None:
            return found
    return [Config()]


def candidates(planner: Path | None) -> Iterator[Path]:
    """Yield where the configuration of a planner, or of this folder, may be, the nearest first."""
    start = (planner.parent if planner is not None else Path()).absolute()
    for folder in (start, *start.parents):
        yield folder / FILE_NAME
        yield folder / PROJECT_NAME


def find_config(given: str | None, planner: Path) -> Config:
    """Return what the configuration says of a planner file; raises as ``find_configs`` does."""
    first, *others = matching(find_configs(given, planner), planner)
    if others:
        names = " and ".join(entry.title for entry in (first, *others))
        message = f"{planner} is the source of {names}; give a configuration with one of them"
        raise ConfigError(others[0].place, "planner.source", message)
    return first


def matching(entries: Sequence[Config], planner: Path) -> list[Config]:
    """Return the planners whose source is this file; one that is alone is that of any file.

    Raises ``UsageError`` when there are several and this is the source of none.
    """
    if len(entries) == 1:
        return list(entries)
    sources = [entry.source for entry in entries if entry.source is not None]
    wanted = planner.resolve()
    found = [
        entry for entry, source in zip(entries, sources, strict=True) if source.resolve() == wanted
    ]
    if not found:
        message = f"{planner} is the source of none; they are {', '.join(map(str, sources))}"
        raise ConfigError(entries[0].place, "planner.source", message)
    return found


def load_configs(path: Path) -> list[Config] | None:
    """Read the planners of a configuration, ``None`` for a project file that has none.

    Raises ``UsageError`` as ``find_configs`` does.
    """
    try:
        content = read_source(path, str(path)).decode()
    except SourceError as error:
        raise ConfigError(error.place, error.construct, error.message) from error
    except UnicodeDecodeError as error:
        message = "is not UTF-8; save it as UTF-8"
        raise ConfigError(Place(str(path), 1, 1), "file", message) from error
    keys = PROJECT_TABLE if path.name == PROJECT_NAME else ()
    if keys and keys[-1] not in content:
        return None
    # Imported here: most planners have no configuration.
    import tomllib

    from prefill_gate.toml_lines import TomlLines

    try:
        table: Any = tomllib.loads(content)
    except (ValueError, RecursionError) as error:
        # Not its own error only: also a number of too many digits, and too deep a nesting.
        said = re.search(r"line (\d+), column (\d+)", str(error))
        line, column = map(int, said.groups()) if said else (content.count("\n") + 1, 1)
        place = Place(str(path), line, column)
        raise ConfigError(place, "TOML", f"{error}; mend it") from error
    for key in keys:
        if not isinstance(table, dict) or key not in table:
            return None
        table = table[key]
    return _Reader(path, TomlLines(content), keys).configs(table)


def with_regions(
    roles: Mapping[str, RoleConfig], settings: Mapping[str, Setting]
) -> dict[str, RoleConfig]:
    """Return the roles with the regions in which their properties are excepted.

    A role that is looked at only where it is configured stays without, unless it is.
    """
    found = dict(roles)
    for entry in EVERY_PROPERTY:
        setting = settings.get(entry.id)
        if setting is None or entry.role not in setting.regions:
            continue
        if entry.role in UNANNOUNCED_ROLES and entry.role not in roles:
            continue
        said = found.get(entry.role, RoleConfig(place=setting.place))
        found[entry.role] = replace(
            said,
            regions={**said.regions, entry.id: setting.regions[entry.role]},
            places={**said.places, setting.regions[entry.role]: setting.place},
        )
    return found


class _Reader:
    """Reads the tables of one file; every error names the line and the key."""

    def __init__(self, path: Path, lines: TomlLines, root: Keys) -> None:
        self.path = path
        self.lines = lines
        self.root = root

    def configs(self, value: Any) -> list[Config]:
        table = self.table(value, ())
        contract = self.contract(table.get("contract", CONTRACT))
        self.known(table, (), ("contract", "planner", "properties"))
        settings = self.properties(table.get("properties", {}), ("properties",))
        planner = table.get("planner", {})
        if not isinstance(planner, list):
            return [self.planner(planner, ("planner",), contract, settings)]
        if not planner:
            self.wrong(("planner",), "must be one table or several")
        entries = [
            self.planner(entry, ("planner", index), contract, settings)
            for index, entry in enumerate(planner)
        ]
        for index, entry in enumerate(entries):
            if entry.source is None and len(entries) > 1:
                self.wrong(
                    ("planner", index), 'needs a source, for there are several: source = ".."'
                )
            if entry.title in [other.title for other in entries[:index]]:
                self.wrong(("planner", index), f"is the second {entry.title}; give it its own name")
        return entries

    def contract(self, value: Any) -> int:
        if type(value) is not int or value < 1:
            self.wrong(("contract",), "must be a number from 1 on")
        if value > CONTRACT:
            message = f"{value} is not known here, where the newest is {CONTRACT}"
            self.wrong(("contract",), f"{message}; install a newer prefill-gate")
        return value

    def planner(
        self, value: Any, keys: Keys, contract: int, shared: Mapping[str, Setting]
    ) -> Config:
        table = self.table(value, keys)
        self.known(table, keys, ("name", "source", "profile", "roles", "externs", "properties"))
        texts = {
            key: self.text(table[key], (*keys, key)) for key in ("name", "source") if key in table
        }
        own = self.properties(table.get("properties", {}), (*keys, "properties"))
        settings = {**shared, **own}
        return Config(
            path=self.path,
            place=self.place(keys),
            name=texts.get("name"),
            source=self.path.parent / texts["source"] if "source" in texts else None,
            planner=PlannerConfig(
                with_regions(self.roles(table.get("roles", {}), (*keys, "roles")), settings),
                self.externs(table.get("externs", {}), (*keys, "externs")),
            ),
            contract=contract,
            profile=self.profile(table.get("profile", DISPATCHED.id), (*keys, "profile")),
            settings=settings,
        )

    def profile(self, value: Any, keys: Keys) -> Profile:
        name = self.text(value, keys)
        if name not in PROFILES:
            self.unknown(keys, name, tuple(PROFILES))
        return PROFILES[name]

    def roles(self, value: Any, keys: Keys) -> dict[str, RoleConfig]:
        table = self.table(value, keys)
        self.known(table, keys, tuple(CALLS))
        return {role: self.role(role, entry, (*keys, role)) for role, entry in table.items()}

    def role(self, role: str, value: Any, keys: Keys) -> RoleConfig:
        if isinstance(value, str):
            return RoleConfig(function=value, place=self.place(keys))
        table = self.table(value, keys)
        names = (*parameters(role), *further_parameters(role))
        self.known(table, keys, ("function", "assume", "inputs", *names))
        texts = {
            name: self.text(table[name], (*keys, name))
            for name in ("function", *names)
            if name in table and name != "stops"
        }
        stops = self.texts(table.get("stops", []), (*keys, "stops"), "expressions")
        conditions = self.texts(table.get("assume", []), (*keys, "assume"), "conditions")
        inputs = self.inputs(table.get("inputs", {}), (*keys, "inputs"))
        places = {text: self.place((*keys, name)) for name, text in texts.items()}
        places |= {text: self.place((*keys, "stops"), text) for text in stops}
        places |= {text: self.place((*keys, "assume"), text) for text in conditions}
        places |= {name: self.place((*keys, "inputs", name)) for name in inputs}
        return RoleConfig(
            function=texts.pop("function", None),
            fields=texts,
            stops=stops,
            assume=conditions,
            inputs=inputs,
            place=self.place(keys),
            places=places,
        )

    def inputs(self, value: Any, keys: Keys) -> dict[str, str]:
        table = self.table(value, keys)
        for name, kind in table.items():
            if self.text(kind, (*keys, name)) not in INPUT_TYPES:
                self.unknown((*keys, name), kind, tuple(INPUT_TYPES))
        return table

    def externs(self, value: Any, keys: Keys) -> dict[str, Path]:
        return {
            name: self.extern(self.text(entry, (*keys, name)), (*keys, name))
            for name, entry in self.table(value, keys).items()
        }

    def extern(self, text: str, keys: Keys) -> Path:
        path = self.path.parent / text
        if path.suffix not in SOURCE_SUFFIXES:
            self.wrong(keys, f"{text} is no source file; its name has to end in .rs or .py")
        if not path.is_file():
            self.wrong(keys, f"there is no file {path}")
        return path

    def properties(self, value: Any, keys: Keys) -> dict[str, Setting]:
        return {
            name: self.setting(name, entry, (*keys, name))
            for name, entry in self.table(value, keys).items()
        }

    def setting(self, name: str, value: Any, keys: Keys) -> Setting:
        if name in RUN_THEOREM_IDS:
            self.wrong(keys, "follows from properties; waive those that it rests on")
        if name not in EVERY_PROPERTY_ID:
            self.unknown(keys, name, EVERY_PROPERTY_ID)
        table = self.table(value, keys)
        self.known(table, keys, ("level", "except", "reason"))
        level, reason = (
            self.text(table[key], (*keys, key)) if key in table else None
            for key in ("level", "reason")
        )
        regions = self.regions(name, table.get("except", {}), (*keys, "except"))
        if level is None and not regions:
            self.wrong(keys, 'says nothing; give a level, or except = ".." with a condition')
        if level is not None and level not in LEVELS:
            self.unknown((*keys, "level"), level, LEVELS)
        if level == "off" and regions:
            self.wrong(keys, "is off everywhere; leave out the level, or the except")
        if not (reason or "").strip() and (regions or level != property_of(name).level):
            said = 'except = ".."' if regions else f'level = "{level}"'
            example = f'{name} = {{ {said}, reason = "why that is right here" }}'
            what = "except" if regions else f"level {level}"
            self.wrong(keys, f"{what} needs a reason, as in {example}")
        return Setting(level, reason or None, regions, self.place(keys))

    def regions(self, name: str, value: Any, keys: Keys) -> dict[str, str]:
        """Return the conditions under which a property is excepted, by role: one for all, too."""
        roles = [entry.role for entry in EVERY_PROPERTY if entry.id == name]
        if isinstance(value, str):
            return dict.fromkeys(roles, value)
        table = self.table(value, keys)
        self.known(table, keys, roles)
        return {role: self.text(entry, (*keys, role)) for role, entry in table.items()}

    def table(self, value: Any, keys: Keys) -> dict[str, Any]:
        if not isinstance(value, dict):
            self.wrong(keys, "must be a table")
        found: dict[str, Any] = value
        return found

    def text(self, value: Any, keys: Keys) -> str:
        if not isinstance(value, str):
            self.wrong(keys, "must be a string")
        if "\0" in value:
            self.wrong(keys, "holds a null character; no name or path does")
        found: str = value
        return found

    def texts(self, value: Any, keys: Keys, wanted: str) -> tuple[str, ...]:
        if not isinstance(value, list):
            self.wrong(keys, f"must be a list of {wanted}")
        return tuple(self.text(entry, keys) for entry in value)

    def known(self, table: Iterable[str], keys: Keys, names: Sequence[str]) -> None:
        for name in table:
            if name not in names:
                self.unknown((*keys, name), name, names)

    def unknown(self, keys: Keys, word: str, names: Sequence[str]) -> NoReturn:
        hint = suggestion(word, names)
        allowed = f"it may be {', '.join(names)}"
        self.wrong(keys, f"{word!r} is not understood; {hint}{' ' if hint else ''}{allowed}")

    def place(self, keys: Keys, text: str = "") -> Place:
        return Place(str(self.path), self.lines.line_of((*self.root, *keys), text), 1)

    def wrong(self, keys: Keys, message: str) -> NoReturn:
        names = [str(key) for key in (*self.root, *keys) if isinstance(key, str)]
        raise ConfigError(self.place(keys), ".".join(names), message)
