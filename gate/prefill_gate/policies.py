"""The policy that a command line means: a name, or a planner file."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prefill_gate.config import find_config
from prefill_gate.errors import UsageError
from prefill_gate.numbers import parse_usize
from prefill_gate.paths import path_of
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs.compiled import compiled
from prefill_proofs.entries import ENTRIES, Entry, bound_by_run, entry_of, is_first_pass
from prefill_proofs.refusals import SourceError, suggestion
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BoolType, Input, OptionType
from prefill_reference.policies import POLICIES, Policy


@dataclass(frozen=True)
class PlannerPolicy(Policy):
    """The policy of a planner file: its roles as trees, and compiled, also where it is sent to."""

    entries: Mapping[str, Entry] = field(default_factory=dict)

    def __reduce__(self) -> tuple[Callable[..., Policy], tuple[Any, ...]]:
        return compiled_policy, (self.name, self.entries)


def compiled_policy(name: str, entries: Mapping[str, Entry]) -> PlannerPolicy:
    """Return the policy of compiled roles; a role that is not there is that of ``current``."""
    current = POLICIES["current"]

    def role(name: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return compiled(*entries[name]) if name in entries else default

    return PlannerPolicy(
        name,
        role("chunk_len", current.chunk_len),
        role("split_point", current.split_point),
        role("checkpoint", current.checkpoint),
        entries,
    )


def policy_named(name: str) -> Policy:
    """Return a policy by name, or raise ``UsageError`` when there is none."""
    if name not in POLICIES:
        hint = suggestion(name, POLICIES) or f"there are {', '.join(POLICIES)}"
        raise UsageError(f"there is no policy {name!r}; {hint}")
    return POLICIES[name]


def is_planner_file(text: str) -> bool:
    """Return whether a word means a planner file, not a policy: it has a suffix or a folder."""
    return "/" in text or text.endswith((".rs", ".py"))


def load_policies(names: Sequence[str | Path], settings: Sequence[str]) -> list[Policy]:
    """Return the policies that names and planner files mean; a ``Path`` is always a file.

    ``settings`` are ``NAME=VALUE`` for further parameters and unknown constants of the planners.
    Raises ``UsageError`` for what cannot be read, an input without a value, and a value that no
    planner has an input for.
    """
    values = GivenValues(settings)
    policies = [
        _load(str(name), values)
        if isinstance(name, Path) or is_planner_file(name)
        else policy_named(name)
        for name in names
    ]
    values.require_used()
    return policies


def _load(given: str, values: "GivenValues") -> Policy:
    """Return the policy of a planner file, with the values of ``--set``."""
    config = find_config(None, path_of(given))
    try:
        planner = open_planner(given)
        roles = roles_of(planner, config.planner)
        for error in roles.errors:
            raise error
    except SourceError as error:
        raise UsageError(error.shown()) from error
    return values.bind(given, roles.subjects)


class GivenValues:
    """The values that ``--set NAME=VALUE`` gives further parameters and unknown constants."""

    def __init__(self, settings: Sequence[str]) -> None:
        self._values: dict[str, str] = {}
        for entry in settings:
            key, equals, value = entry.partition("=")
            if not equals:
                raise UsageError(f"--set needs NAME=VALUE, not {entry!r}")
            self._values[key] = value
        self._unused = set(self._values)

    def bind(self, given: str, subjects: Sequence[SourceSubject]) -> Policy:
        """Return the roles of a planner file as a policy, or raise ``UsageError``."""

        def setting(entry: Input) -> Any:
            if entry.name not in self._values:
                raise UsageError(f"{given}: give {entry.name} a value: --set {entry.name}=VALUE")
            self._unused.discard(entry.name)
            return _setting(entry, self._values[entry.name])

        return bind(given, subjects, setting)

    def require_used(self) -> None:
        """Raise ``UsageError`` for a value that no planner so far has an input for."""
        if self._unused:
            raise UsageError(f"--set {min(self._unused)}: no planner has an input of this name")


def bind(given: str, subjects: Sequence[SourceSubject], setting: Callable[[Input], Any]) -> Policy:
    """Return the roles of a planner file as a policy; a role that it lacks is that of ``current``.

    ``setting`` gives the value of an input that a run does not bind. Raises ``UsageError`` for a
    role that a run cannot call, and what ``setting`` raises.
    """
    entries = {
        subject.role: entry_of(subject, _settings_of(subject, setting, given))
        for subject in subjects
        if subject.role in ENTRIES
    }
    lacking = [name for name in ENTRIES if name not in entries]
    note = f" ({', '.join(lacking)} of current)" if lacking else ""
    return compiled_policy(f"{Path(given).name}{note}", entries)


def _settings_of(
    subject: SourceSubject, setting: Callable[[Input], Any], given: str
) -> dict[str, Any]:
    """Return the values of the inputs that a run does not bind."""
    fields = bound_by_run(subject)
    for name, value in fields.items():
        if not isinstance(value, Input):
            message = f"{name} is the expression {value.name}; only inputs can be set in a run"
            raise UsageError(f"{given}: {subject.function}: {message}")
    bound = {value.name for value in fields.values()}
    return {
        entry.name: setting(entry)
        for entry in subject.inputs
        if entry.name not in bound and not is_first_pass(entry)
    }


def _setting(entry: Input, value: str) -> Any:
    words: dict[str, Any] = (
        {"true": True, "false": False} if isinstance(entry.type, BoolType) else {}
    )
    if isinstance(entry.type, OptionType):
        words = {"none": None}
    if value in words:
        return words[value]
    if isinstance(entry.type, BoolType):
        raise UsageError(f"--set {entry.name} needs true or false, not {value!r}")
    try:
        return parse_usize(value)
    except ValueError as error:
        raise UsageError(f"--set {entry.name} {error}") from error
