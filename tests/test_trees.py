"""One tree, two meanings: the symbolic evaluator and the one on ints, on drawn trees and inputs."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from draws import drawn
from meanings import Meaning
from prefill_proofs import concrete
from prefill_proofs import language as tree
from prefill_proofs.faults import Faults
from prefill_proofs.symbolic import evaluate
from prefill_proofs.terms import Algebra
from prefill_proofs.types import (
    BoolType,
    IntType,
    OptionType,
    TupleType,
    Type,
    default,
    symbol,
)
from tree_draws import INPUTS, NODES, UNKNOWNS, functions, inputs, nodes_of

FAULT = "fault"


class SymbolicCall:
    """A call evaluated once with symbolic inputs; ``answer`` gives its value at concrete ones."""

    def __init__(self, function: tree.Function) -> None:
        self.function = function
        self.algebra = Algebra()
        self.faults = Faults()
        self.kinds = INPUTS | UNKNOWNS
        self.values = {name: symbol(self.algebra, name, kind) for name, kind in self.kinds.items()}
        arguments = tuple(self.values[name] for name in INPUTS)
        self.result = evaluate(function, arguments, self.values, self.algebra, self.faults)

    def answer(self, given: dict[str, Any]) -> Any:
        numbers: dict[str, int] = {}
        truths: dict[Any, bool] = {}
        for name, kind in self.kinds.items():
            assign(self.values[name], given[name], kind, numbers, truths, self.algebra)
        meaning = Meaning(self.algebra, numbers, truths)
        if meaning.truth(self.faults.faulted()):
            return FAULT
        return value_of(meaning, self.result, self.function.result)


def assign(
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
            assign(held.value, inside, inner, numbers, truths, algebra)
        case TupleType(items):
            for part, item, part_kind in zip(held, value, items, strict=True):
                assign(part, item, part_kind, numbers, truths, algebra)


def value_of(meaning: Meaning, found: Any, kind: Type) -> Any:
    match kind:
        case OptionType(inner):
            is_there = meaning.truth(found.present)
            return value_of(meaning, found.value, inner) if is_there else None
        case TupleType(items):
            return tuple(
                value_of(meaning, part, item) for part, item in zip(found, items, strict=True)
            )
    return meaning.value(found)


def run(function: tree.Function, given: dict[str, Any]) -> Any:
    try:
        return concrete.run(function, tuple(given[name] for name in INPUTS), given)
    except concrete.FaultError:
        return FAULT


@given(functions(), st.lists(inputs(), min_size=3, max_size=3))
@settings(max_examples=120)
def test_formulas_mean_what_the_run_on_ints_answers(
    function: tree.Function, calls: list[dict[str, Any]]
) -> None:
    call = SymbolicCall(function)
    for given_inputs in calls:
        assert call.answer(given_inputs) == run(function, given_inputs)


def test_the_drawn_trees_have_every_kind_of_node() -> None:
    trees = drawn(functions(), count=80)
    kinds = {type(node) for function in trees for node in nodes_of(function)}
    assert kinds == set(NODES)
