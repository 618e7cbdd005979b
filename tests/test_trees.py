"""One tree, two meanings: the symbolic evaluator and the one on ints, on drawn trees and inputs."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from draws import drawn
from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.types import BOOL, NEVER, UNIT, USIZE
from symbolic_calls import SymbolicCall, concrete_answer
from tree_draws import NODES, UNKNOWNS, functions, inputs, nodes_of


@given(functions(), st.lists(inputs(), min_size=3, max_size=3))
@settings(max_examples=120)
def test_formulas_mean_what_the_run_on_ints_answers(
    function: tree.Function, calls: list[dict[str, Any]]
) -> None:
    symbolic = SymbolicCall(function, UNKNOWNS)
    for arguments in calls:
        assert symbolic.answer(arguments) == concrete_answer(function, arguments)


def test_the_drawn_trees_have_every_kind_of_node() -> None:
    trees = drawn(functions(), count=250, is_always_the_same=True)
    kinds = {type(node) for function in trees for node in nodes_of(function)}
    assert kinds == set(NODES)


def test_what_a_closure_assigns_before_it_returns_stays_assigned() -> None:
    place = tree.Place("tree.rs", 1, 1)
    flag, number = tree.Variable("flag", BOOL), tree.Variable("a", USIZE)
    changed = tree.Set("a", tree.Literal(7, USIZE), UNIT)
    early = tree.Return(tree.Literal(1, USIZE), NEVER, place)
    leaves = tree.Block((changed,), early, NEVER)
    body = tree.Block((tree.If(flag, leaves, build.NOTHING, UNIT),), tree.Literal(2, USIZE), USIZE)
    total = build.unchecked("+", tree.Closure(body, USIZE), number, place)
    function = tree.Function(
        "f", ("flag", "a"), (("flag", BOOL), ("a", USIZE)), USIZE, total, place
    )
    symbolic = SymbolicCall(function, {})
    for values, expected in (({"flag": True, "a": 3}, 8), ({"flag": False, "a": 3}, 5)):
        assert concrete_answer(function, values) == expected
        assert symbolic.answer(values) == expected
