"""The policy that a command line means: a name, or a planner file."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from prefill_gate.config import find_config
from prefill_gate.errors import UsageError
from prefill_gate.numbers import parse_usize
from prefill_gate.sources import open_planner, path_of, roles_of
from prefill_proofs.refusals import SourceError, suggestion
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BoolType, Input, OptionType
from prefill_reference.policies import POLICIES, Policy
from prefill_spec.vocabulary import Option

FIRST_PASS = "first_pass"
"""A parameter of ``chunk_len`` that a run binds: whether it has only begun."""


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
    values = {}
    for entry in settings:
        key, equals, value = entry.partition("=")
        if not equals:
            raise UsageError(f"--set needs NAME=VALUE, not {entry!r}")
        values[key] = value
    unused = set(values)
    policies = []
    for name in names:
        if isinstance(name, Path) or is_planner_file(name):
            policies.append(_load(str(name), values, unused))
        else:
            policies.append(policy_named(name))
    if unused:
        raise UsageError(f"--set {min(unused)}: no planner has an input of this name")
    return policies


def _load(given: str, values: Mapping[str, str], unused: set[str]) -> Policy:
    """Return the policy of a planner file, with the values of ``settings``."""
    config = find_config(None, path_of(given))
    try:
        planner = open_planner(given)
        roles = roles_of(planner, config.planner)
        for error in roles.errors:
            raise error
    except SourceError as error:
        raise UsageError(error.shown()) from error

    def setting(entry: Input) -> Any:
        if entry.name not in values:
            raise UsageError(f"{given}: give {entry.name} a value: --set {entry.name}=VALUE")
        unused.discard(entry.name)
        return _setting(entry, values[entry.name])

    return bind(given, roles.subjects, setting)


def bind(given: str, subjects: Sequence[SourceSubject], setting: Callable[[Input], Any]) -> Policy:
    """Return the roles of a planner file as a policy; a role that it lacks is that of ``current``.

    ``setting`` gives the value of an input that a run does not bind. Raises ``UsageError`` for a
    role that a run cannot call, and what ``setting`` raises.
    """
    current = POLICIES["current"]
    bound = {
        subject.role: _Bound(given, subject, _settings_of(subject, setting, given))
        for subject in subjects
    }

    def role(name: str, default: Callable[..., Any]) -> Callable[..., Any]:
        return bound[name].call if name in bound else default

    lacking = [name for name in _ORDER if name not in bound]
    note = f" ({', '.join(lacking)} of {current.name})" if lacking else ""
    return Policy(
        f"{Path(given).name}{note}",
        role("chunk_len", current.chunk_len),
        role("split_point", current.split_point),
        role("checkpoint", current.checkpoint),
    )


def _settings_of(
    subject: SourceSubject, setting: Callable[[Input], Any], given: str
) -> dict[str, Any]:
    """Return the values of the inputs that a run does not bind."""
    for name, field in subject.fields.items():
        if not isinstance(field, Input):
            message = f"{name} is the expression {field.name}; only inputs can be set in a run"
            raise UsageError(f"{given}: {subject.function}: {message}")
    bound = {field.name for field in subject.fields.values() if isinstance(field, Input)}
    return {
        entry.name: setting(entry)
        for entry in subject.inputs
        if entry.name not in bound and not _is_first_pass(entry)
    }


def _is_first_pass(entry: Input) -> bool:
    return entry.name.lstrip("_") == FIRST_PASS and isinstance(entry.type, BoolType)


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


class _Bound:
    """One role of a planner file, to be called as a run calls it."""

    def __init__(self, given: str, subject: SourceSubject, settings: dict[str, Any]) -> None:
        self.given = given
        self.subject = subject
        self.settings = settings

    def call(self, *arguments: Any) -> Any:
        """Return what the planner answers; raises ``ArithmeticError`` where it faults."""
        names = _ORDER[self.subject.role]
        given = dict(zip(names, arguments, strict=True))
        values = dict(self.settings)
        for name, field in self.subject.fields.items():
            assert isinstance(field, Input)
            is_optional = isinstance(field.type, OptionType)
            value = given[name]
            values[field.name] = value if is_optional or value is not None else 0
        for entry in self.subject.inputs:
            if _is_first_pass(entry):
                values[entry.name] = given.get(FIRST_PASS, False)
        run = self.subject.run(values)
        if not run.is_assumed:
            raise ArithmeticError("the configuration assumes that no such call is made")
        if run.fault is not None:
            raise ArithmeticError(f"{run.fault.operation} at {self.given}:{run.fault.line}")
        if isinstance(run.answer, Option):
            return run.answer.value if run.answer.present else None
        return run.answer


_ORDER = {
    "chunk_len": ("offset", "total", "proposed", "block_size", "split", FIRST_PASS),
    "split_point": ("total", "block_size"),
    "checkpoint": ("end_token", "total", "block_size", "interval"),
}
"""The arguments of a policy's functions, in order."""
