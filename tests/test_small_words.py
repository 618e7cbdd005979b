"""The prover against every input of small words, and against doubles that make mistakes.

With ``--many`` on 20,000 statements, whose numbers are printed (``-s`` shows them).
"""

import operator
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any

import pytest

from draws import drawn
from laws import COMPARING, DIVIDING, MOVING, OPTIONAL, OVERFLOWING, SATURATING, Law
from prefill_proofs import build, concrete, multiples, symbolic
from prefill_proofs import language as tree
from prefill_proofs.linear import ONE
from prefill_proofs.prover import prove
from prefill_proofs.solver import Solver
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate
from prefill_proofs.types import BOOL, UNIT, IntType
from prefill_spec.properties import no_fault_of
from small_statements import Statement, judge, statements_of, subject_of
from small_words import WORLDS, drafts
from tree_draws import NODES, PLACE, nodes_of


def statements(batch: int) -> Iterator[Statement]:
    """Yield statements for ever, those about so many new drafts at a time."""
    while True:
        for draft in drawn(drafts(), batch):
            yield from statements_of(draft)


def test_no_verdict_is_wrong(request: pytest.FixtureRequest) -> None:
    wanted = 20_000 if request.config.getoption("--many") else 300
    started = time.process_time()
    tally = judge(islice(statements(batch=min(wanted // 4, 1_000)), wanted))
    spent = time.process_time() - started
    print(f"{tally.total} statements: {dict(tally.verdicts)}, {spent:.0f} s")
    assert tally.total == wanted
    assert tally.wrong == []
    assert tally.verdicts["proved"] > tally.total / 5
    assert tally.verdicts["refuted"] > tally.total / 5
    assert tally.verdicts["inconclusive"] < tally.total / 10


def test_the_statements_are_about_every_kind_of_node() -> None:
    found = drawn(drafts(), 150, is_always_the_same=True)
    functions = [function for draft in found for function in (draft.one, draft.other)]
    assert {type(node) for function in functions for node in nodes_of(function)} == set(NODES)


def test_a_witness_has_inputs_of_their_types() -> None:
    # The search likes the block size 16, which faults here, too, and is no word of 4 bits.
    word, maybe = WORLDS[2].kinds.word, WORLDS[2].kinds.maybe
    block_size, size = tree.Variable("block_size", maybe), tree.Variable("size", word)
    end, zero = tree.Variable("end_token", word), build.number(0, word)
    unwrapped = tree.If(build.is_some(block_size), build.payload(block_size), zero, word)
    is_far = build.compare(">", size, build.number(12, word))
    is_under = tree.Equal(tree.Arithmetic("/", end, size, word, PLACE, "a / b"), zero, BOOL)
    faults = tree.If(build.both(is_far, is_under), build.panic("far", PLACE), end, word)
    body = build.block([tree.Set("size", unwrapped, UNIT)], faults)
    (verdict,) = prove(small_planner(body), [no_fault_of("tail_end")])
    assert verdict.verdict == "refuted"
    assert verdict.witness is not None
    assert 12 < verdict.witness.values["block_size"] < 16


def test_a_value_outside_the_type_of_its_input_leaves_no_call() -> None:
    subject = small_planner(tree.Variable("total", WORLDS[2].kinds.word))
    for total, result in ((15, "sat"), (16, "unsat")):
        problem = formulate(subject, {"total": total})
        assert Solver(problem.hypotheses).decide().result == result


def small_planner(body: tree.Expression) -> SourceSubject:
    world = WORLDS[2]
    slots = tuple(world.slots().items())
    function = tree.Function("f", tuple(world.slots()), slots, body.type, body, PLACE)
    return subject_of(world, function)


# Doubles: each is wrong in one thing


def compare_loosely(patch: pytest.MonkeyPatch) -> None:
    compared = symbolic._compared
    patch.setattr(
        symbolic,
        "_compared",
        lambda name, left, right: compared("<=" if name == "<" else name, left, right),
    )


def owe_nothing(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(symbolic._Evaluation, "_owe", lambda _self, _node, _holds: None)


def owe_on_every_path(patch: pytest.MonkeyPatch) -> None:
    def owe(self: Any, node: tree.Arithmetic, holds: Any) -> None:
        self.faults.owe(node.text, holds, True, node.place.line)

    patch.setattr(symbolic._Evaluation, "_owe", owe)


def never_saturate(patch: pytest.MonkeyPatch) -> None:
    evaluate_if = symbolic._Evaluation._if

    def take_the_difference(self: Any, node: tree.If) -> Any:
        match node.then:
            case tree.Arithmetic("-"):
                return self.value(node.then)
        return evaluate_if(self, node)

    patch.setattr(symbolic._Evaluation, "_if", take_the_difference)


def round_up(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(symbolic, "quotient", lambda left, right: (left + right - 1) // right)


def take_the_other_branch(patch: pytest.MonkeyPatch) -> None:
    merged = symbolic._merged
    patch.setattr(
        symbolic,
        "_merged",
        lambda condition, first, second: merged(condition, second, first),
    )


def lose_assignments(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(
        symbolic._Evaluation, "_joined", lambda _self, _condition, first, second: first | second
    )


def find_options_full(patch: pytest.MonkeyPatch) -> None:
    evaluate = symbolic._Evaluation.value

    def value(self: Any, node: tree.Expression) -> Any:
        found = evaluate(self, node)
        return True if isinstance(node, tree.IsSome) else found

    patch.setattr(symbolic._Evaluation, "value", value)


def believe_in_small_quotients(patch: pytest.MonkeyPatch) -> None:
    facts = multiples.facts

    def too_many(algebra: Any, is_extended: bool = False) -> list[Any]:
        divisions = [entry for entry in algebra.divisions.values() if not entry.divisor.is_constant]
        small = [algebra.at_most(entry.quotient, ONE) for entry in divisions]
        return [*facts(algebra, is_extended), *small]

    patch.setattr(multiples, "facts", too_many)


def compare_loosely_on_ints(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(concrete._COMPARISONS, "<", operator.le)


def subtract_the_other_way_on_ints(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(concrete._OPERATORS, "-", lambda left, right: abs(left - right))


def round_up_on_ints(patch: pytest.MonkeyPatch) -> None:
    patch.setitem(concrete._OPERATORS, "/", lambda left, right: -(-left // right))


def never_overflow_on_ints(patch: pytest.MonkeyPatch) -> None:
    calculate = concrete._Evaluation._arithmetic
    patch.setattr(
        concrete._Evaluation,
        "_arithmetic",
        lambda self, node: calculate(self, node._replace(type=IntType("any", None))),
    )


def overflow_early_on_ints(patch: pytest.MonkeyPatch) -> None:
    calculate = concrete._Evaluation._arithmetic

    def in_less(self: Any, node: tree.Arithmetic) -> int:
        assert isinstance(node.type, IntType)
        highest = None if node.type.highest is None else node.type.highest - 1
        return calculate(self, node._replace(type=IntType("less", highest)))

    patch.setattr(concrete._Evaluation, "_arithmetic", in_less)


DOUBLES: list[tuple[Callable[[pytest.MonkeyPatch], None], tuple[Law, ...]]] = [
    (compare_loosely, COMPARING),
    (owe_nothing, SATURATING),
    (owe_on_every_path, SATURATING),
    (never_saturate, SATURATING),
    (round_up, DIVIDING),
    (take_the_other_branch, MOVING),
    (lose_assignments, MOVING),
    (find_options_full, OPTIONAL),
    (believe_in_small_quotients, DIVIDING),
    (compare_loosely_on_ints, COMPARING),
    (subtract_the_other_way_on_ints, SATURATING),
    (round_up_on_ints, DIVIDING),
    (never_overflow_on_ints, OVERFLOWING),
    (overflow_early_on_ints, OVERFLOWING),
]
"""Each with laws about what it breaks."""


@cache
def known_statements(laws: tuple[Law, ...]) -> list[Statement]:
    found = drawn(drafts(laws), 80, is_always_the_same=True)
    return [statement for draft in found for statement in statements_of(draft)]


@pytest.mark.parametrize(
    ("break_it", "laws"), DOUBLES, ids=[break_it.__name__ for break_it, _ in DOUBLES]
)
def test_an_evaluator_that_is_wrong_in_one_thing_is_noticed(
    break_it: Callable[[pytest.MonkeyPatch], None],
    laws: tuple[Law, ...],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = known_statements(laws)
    break_it(monkeypatch)
    assert judge(known, stops_early=True).wrong != []


def test_a_prover_that_does_not_run_its_witnesses_is_noticed() -> None:
    trusting = [
        statement._replace(goal=statement.goal._replace(is_met_by=lambda _witness: True))
        for statement in known_statements(COMPARING)
    ]
    assert judge(trusting, stops_early=True).wrong != []
