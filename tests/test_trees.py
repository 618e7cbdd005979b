"""One tree, two meanings: the symbolic evaluator and the one on ints, on drawn trees and inputs."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from draws import drawn
from prefill_proofs import language as tree
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
