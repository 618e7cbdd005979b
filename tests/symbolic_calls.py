"""Both meanings of a function: run on ints, and evaluated once with symbolic inputs."""

from collections.abc import Mapping
from typing import Any

from meanings import Meaning
from prefill_proofs import concrete
from prefill_proofs import language as tree
from prefill_proofs.algebra import Algebra
from prefill_proofs.faults import Faults
from prefill_proofs.symbolic import evaluate
from prefill_proofs.types import (
    BoolType,
    IntType,
    OptionType,
    TupleType,
    Type,
    default,
    symbol,
)

FAULT = "fault"
"""What a call that faults answers."""


class SymbolicCall:
    """A call evaluated once with symbolic inputs; ``answer`` gives its value at concrete ones.

    ``unknowns`` are the types of the unknown constants.
    """

    def __init__(self, function: tree.Function, unknowns: Mapping[str, Type]) -> None:
        self.function = function
        self.algebra = Algebra()
        self.faults = Faults()
        self.kinds = {
            name: kind for name, (_, kind) in zip(function.names, function.parameters, strict=True)
        } | dict(unknowns)
        self.values = {name: symbol(self.algebra, name, kind) for name, kind in self.kinds.items()}
        arguments = tuple(self.values[name] for name in function.names)
        self.result = evaluate(function, arguments, self.values, self.algebra, self.faults)

    def answer(self, given: Mapping[str, Any]) -> Any:
        numbers: dict[str, int] = {}
        truths: dict[Any, bool] = {}
        for name, kind in self.kinds.items():
            _assign(self.values[name], given[name], kind, numbers, truths, self.algebra)
        meaning = Meaning(self.algebra, numbers, truths)
        if meaning.truth(self.faults.faulted()):
            return FAULT
        return _value_of(meaning, self.result, self.function.result)


def concrete_answer(function: tree.Function, given: Mapping[str, Any]) -> Any:
    """Return what a function answers on ints, or ``FAULT``."""
    try:
        return concrete.run(function, tuple(given[name] for name in function.names), given)
    except concrete.FaultError:
        return FAULT


def _assign(
    held: Any,
    value: Any,
    kind: Type,
    numbers: dict[str, int],
    truths: dict[Any, bool],
    algebra: Algebra,
) -> None:
    """Give every atom of a symbolic input its value; what is absent is 0, or false."""
    match kind:
        case IntType():
            ((atom, _),) = held.form().coefficients
            numbers[algebra.inputs[atom]] = value
        case BoolType():
            truths[held] = value
        case OptionType(inner):
            truths[held.present] = value is not None
            inside = default(inner) if value is None else value
            _assign(held.value, inside, inner, numbers, truths, algebra)
        case TupleType(items):
            for part, item, part_kind in zip(held, value, items, strict=True):
                _assign(part, item, part_kind, numbers, truths, algebra)


def _value_of(meaning: Meaning, found: Any, kind: Type) -> Any:
    match kind:
        case OptionType(inner):
            is_there = meaning.truth(found.present)
            return _value_of(meaning, found.value, inner) if is_there else None
        case TupleType(items):
            return tuple(
                _value_of(meaning, part, item) for part, item in zip(found, items, strict=True)
            )
    return meaning.value(found)
