"""A role of a planner as a run calls it: a function of the run's own arguments."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.language import Function, Literal, Variable
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BOOL, USIZE, BoolType, Input, OptionType, TupleType, Type

FIRST_PASS = "first_pass"
"""A parameter of ``chunk_len`` that a run binds: whether it has only begun."""

_WORD_OR_NONE = OptionType(USIZE)

ENTRIES: dict[str, dict[str, Type]] = {
    "chunk_len": {
        "offset": USIZE,
        "total": USIZE,
        "proposed": USIZE,
        "block_size": _WORD_OR_NONE,
        "split": _WORD_OR_NONE,
        FIRST_PASS: BOOL,
    },
    "split_point": {"total": USIZE, "block_size": USIZE},
    "checkpoint": {"end_token": USIZE, "total": USIZE, "block_size": USIZE, "interval": USIZE},
}
"""The arguments of the roles that a run calls, in order."""

UNASSUMED = "the configuration assumes that no such call is made"


def is_first_pass(entry: Input) -> bool:
    """Return whether an input is the one that tells whether the run has only begun."""
    return entry.name.lstrip("_") == FIRST_PASS and isinstance(entry.type, BoolType)


def bound_by_run(subject: SourceSubject) -> dict[str, Input | Function]:
    """Return what the arguments that a run gives are bound to; further ones are settings."""
    return {name: bound for name, bound in subject.fields.items() if name in ENTRIES[subject.role]}


class Entry(NamedTuple):
    """The function that a run calls for a role, and the values of its unknown constants."""

    function: Function
    unknowns: Mapping[str, Any]


def entry_of(subject: SourceSubject, settings: Mapping[str, Any]) -> Entry:
    """Return what a run calls for a role; it faults where the role does.

    It faults, too, on a call that the configuration assumes away. ``settings`` are the values of
    the inputs that the run does not bind; what it binds are inputs, no expressions.
    """
    parameters = ENTRIES[subject.role]
    given: dict[str, tree.Expression] = {
        entry.name: Literal(settings[entry.name], entry.type)
        for entry in subject.inputs
        if entry.name in settings
    }
    for name, bound in bound_by_run(subject).items():
        assert isinstance(bound, Input)
        given[bound.name] = _argument(name, parameters[name], bound.type)
    for entry in subject.inputs:
        if is_first_pass(entry):
            is_known = FIRST_PASS in parameters
            given[entry.name] = Variable(FIRST_PASS, BOOL) if is_known else build.FALSE
    arguments = tuple(
        _assembled(name, kind, given)
        for name, (_, kind) in zip(subject.read.names, subject.read.parameters, strict=True)
    )
    call = tree.Invoke(subject.read, arguments, subject.read.result)
    place = subject.read.place
    assumed = [
        build.requires(tree.Invoke(condition, arguments, BOOL), UNASSUMED, place)
        for condition in subject.assume
    ]
    function = Function(
        subject.role,
        tuple(parameters),
        tuple(parameters.items()),
        subject.read.result,
        build.block(assumed, call),
        place,
        dict(subject.unknowns),
    )
    return Entry(function, {name: settings[name] for name in subject.unknowns})


def _argument(name: str, kind: Type, wanted: Type) -> tree.Expression:
    """Return an argument of the run as an input takes it: 0 for none, where it needs a number."""
    variable = Variable(name, kind)
    if not isinstance(kind, OptionType) or isinstance(wanted, OptionType):
        return variable
    zero = build.number(0, kind.inner)
    return tree.If(build.is_some(variable), build.payload(variable), zero, kind.inner)


def _assembled(name: str, kind: Type, given: Mapping[str, tree.Expression]) -> tree.Expression:
    if isinstance(kind, TupleType) and kind.names:
        items = zip(kind.names, kind.items, strict=True)
        return tree.MakeTuple(
            tuple(_assembled(f"{name}.{field}", item, given) for field, item in items), kind
        )
    return given[name]
