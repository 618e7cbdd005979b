"""Two planners in one role, called alike.

A pair is a subject of its own: its inputs are the role's arguments, which both sides are given, and
whatever else either side depends on. What both call by one name and is of one type is one input;
any other is the input of its side alone. Each is proved for all its values.

A *call of both* is one that each side can be given. A block size that is absent is 0 to a side that
takes a plain number. A side without a block size or a split point is called the same way whatever
they are. A side that takes a plain number for the split point is called with one, and a side that
takes a narrow type is called with what fits. An argument that the configuration gives as an
expression has the value of the shared one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from prefill_proofs.algebra import Algebra
from prefill_proofs.equality import same_answer
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function
from prefill_proofs.source_subjects import SourceSubject, type_of
from prefill_proofs.subjects import (
    Encoded,
    Run,
    Values,
    concrete_call,
    is_scheduled,
    role_inputs,
    symbolic_call,
)
from prefill_proofs.terms import Number
from prefill_proofs.types import USIZE, Input, IntType, OptionType, TupleType, Type, in_range
from prefill_proofs.witnesses import Goal
from prefill_spec.calls import OPTIONAL_FIELDS, Call, parameters
from prefill_spec.properties import Outcome
from prefill_spec.vocabulary import Formula, Option, all_of, any_of, iff, negate


class Sides(NamedTuple):
    """What came of one call on either side: an ``Outcome`` as formulas, a ``Run`` on ints."""

    base: Any
    head: Any


@dataclass(frozen=True)
class Pair:
    """One role of two planners."""

    base: SourceSubject
    head: SourceSubject

    @property
    def role(self) -> str:
        """The role that both play."""
        return self.base.role

    @property
    def function(self) -> str:
        """The functions' names in their sources."""
        return " and ".join(dict.fromkeys((self.base.function, self.head.function)))

    @property
    def block_size_input(self) -> str:
        """The role's own parameter."""
        return "block_size"

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The role's own parameters."""
        return frozenset(parameters(self.role))

    @cached_property
    def inputs(self) -> tuple[Input, ...]:
        """The arguments of the role, and the further inputs of either side."""
        return (*self._arguments, *self.further)

    @cached_property
    def _arguments(self) -> tuple[Input, ...]:
        """The role's arguments; a block size is only absent where a side can tell."""
        kinds = [type_of(side.fields["block_size"]) for side in self._sides if _has_blocks(side)]
        is_number = kinds and not any(isinstance(kind, OptionType) for kind in kinds)
        return tuple(
            Input(entry.name, USIZE) if is_number and entry.name == "block_size" else entry
            for entry in role_inputs(self.role)
        )

    @property
    def further(self) -> tuple[Input, ...]:
        """The inputs beyond the role's arguments."""
        named = {
            names[entry.name]: Input(names[entry.name], entry.type)
            for side, names in zip(self._sides, self._names, strict=True)
            for entry in further_inputs(side)
        }
        return tuple(named.values())

    @property
    def _sides(self) -> tuple[SourceSubject, SourceSubject]:
        return self.base, self.head

    @cached_property
    def _names(self) -> tuple[dict[str, str], dict[str, str]]:
        """What the pair calls the further inputs of its base, and those of its head."""
        base, head = (
            {entry.name: entry.type for entry in further_inputs(side)} for side in self._sides
        )
        taken = parameters(self.role)

        def names(mine: dict[str, Type], others: dict[str, Type], side: str) -> dict[str, str]:
            return {
                name: f"{name} ({side})"
                if name in taken or others.get(name, kind) != kind
                else name
                for name, kind in mine.items()
            }

        return names(base, head, "base"), names(head, base, "head")

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call of both with symbolic inputs; each side owes its own obligations."""
        shared = symbolic_call(self.role, {**values, "block_size": _option(values["block_size"])})
        conditions: list[Formula] = []
        outcomes = []
        for side, names in zip(self._sides, self._names, strict=True):
            given = _given(side, names, values)
            owed = Faults(faults.limit)
            encoded = side.encode(given, owed, algebra)
            conditions += [
                in_range(given[entry.name], entry.type, faults.limit)
                for entry in side.inputs
                if entry.name in _bound_inputs(side)
            ]
            conditions += [encoded.assumption, *_agreements(side, encoded.call, shared)]
            outcomes.append(Outcome(owed.faulted(), encoded.answer))
        return Encoded(shared, Sides(*outcomes), all_of(*conditions))

    def run(self, values: Values) -> Run:
        """Perform the call on both sides with concrete inputs; the answer has both runs.

        A call that is not scheduled is not performed.
        """
        shared = concrete_call(self.role, values)
        if is_scheduled(shared) is not True:
            nothing = Run(shared, None, is_assumed=False)
            return Run(shared, Sides(nothing, nothing), is_assumed=False)
        runs = []
        is_assumed = True
        for side, names in zip(self._sides, self._names, strict=True):
            given = _given(side, names, values)
            run = side.run(given)
            is_assumed = (
                is_assumed
                and run.is_assumed
                and all(_fits(given[entry.name], entry.type) for entry in side.inputs)
                and all_of(*_agreements(side, run.call, shared)) is True
            )
            runs.append(run)
        return Run(shared, Sides(*runs), is_assumed=is_assumed)

    def side_values(self, values: Values) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return what either side is given, by the names of its own inputs."""
        base, head = (
            _given(side, names, values)
            for side, names in zip(self._sides, self._names, strict=True)
        )
        return base, head


def further_inputs(side: SourceSubject) -> list[Input]:
    """Return the inputs of a planner that are no arguments of its role."""
    return [entry for entry in side.inputs if entry.name not in _bound_inputs(side)]


def _fields(side: SourceSubject) -> dict[str, Input | Function]:
    """Return what a side's own arguments of the role are bound to.

    What only its configuration speaks of, a further stop or a limit, is no argument of the call.
    """
    return {name: side.fields[name] for name in parameters(side.role) if name in side.fields}


def _bound_inputs(side: SourceSubject) -> set[str]:
    return {value.name for value in _fields(side).values() if isinstance(value, Input)}


def _has_blocks(side: SourceSubject) -> bool:
    return "block_size" in side.fields


def _given(side: SourceSubject, names: dict[str, str], values: Values) -> dict[str, Any]:
    """Return the inputs of a side from those of the pair."""
    given = {own: values[name] for own, name in names.items()}
    for parameter, value in _fields(side).items():
        if isinstance(value, Input) and value.name not in given:
            given[value.name] = _converted(values[parameter], value.type)
    return given


def _converted(argument: Any, kind: Type) -> Any:
    """Return an argument as a side takes it: an option, or a plain number."""
    if isinstance(kind, IntType):
        if isinstance(argument, Option):
            return argument.value
        return 0 if argument is None else argument
    return _option(argument) if isinstance(argument, Number) else argument


def _option(argument: Any) -> Any:
    return Option(True, argument) if isinstance(argument, Number) else argument


def _agreements(side: SourceSubject, call: Call, shared: Call) -> Iterator[Formula]:
    """Yield what makes the call of a side the shared one, an argument at a time."""
    for name, value in _fields(side).items():
        mine, theirs = getattr(call, name), getattr(shared, name)
        if name not in OPTIONAL_FIELDS:
            yield mine == theirs
            continue
        yield mine.value == theirs.value
        if name != "block_size" or isinstance(type_of(value), OptionType):
            yield iff(mine.present, theirs.present)


def _fits(value: Any, kind: Type) -> bool:
    """Return whether a concrete value is one of its type."""
    match kind:
        case IntType(_, highest):
            return highest is None or value <= highest
        case OptionType(inner):
            return value is None or _fits(value, inner)
        case TupleType(items):
            return all(_fits(part, item) for part, item in zip(value, items, strict=True))
    return True


def is_changed(sides: Sides) -> Formula:
    """Return whether the two sides differ on a call: a fault on either, or two answers.

    Two planners are equal where neither faults and both answer alike.
    """
    base, head = (side.outcome if isinstance(side, Run) else side for side in sides)
    if base.faulted is True or head.faulted is True:
        return True
    return any_of(base.faulted, head.faulted, negate(same_answer(base.answer, head.answer)))


def is_call_of_both(run: Run) -> bool:
    """Return whether a concrete run of a pair is of a scheduled call that both can be given."""
    return run.is_assumed


CHANGE = Goal(
    lambda problem: [is_changed(problem.answer)],
    lambda witness: is_call_of_both(witness.run) and is_changed(witness.run.answer) is True,
)
"""Met where the two sides differ."""
