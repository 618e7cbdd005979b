"""Whether two planners are equal in a role, and where they differ when they are not."""

from typing import Literal, NamedTuple

from prefill_proofs.change_map import ChangeMap, change_map, unknown_map
from prefill_proofs.deadlines import OutOfTimeError, within
from prefill_proofs.pairs import CHANGE, Pair, Sides, is_call_of_both
from prefill_proofs.prover import Finding, find, solver_of
from prefill_proofs.source_subjects import SourceSubject, type_of
from prefill_proofs.subjects import Run, formulate
from prefill_proofs.types import Type
from prefill_proofs.witnesses import Goal, Witness, shrink
from prefill_spec.vocabulary import Formula, all_of, negate


class Comparison(NamedTuple):
    """What is known of a pair; one that differs has a small witness and a map."""

    pair: Pair
    verdict: Literal["equal", "differs", "inconclusive"]
    witness: Witness | None = None
    map: ChangeMap | None = None
    reason: str = ""


def compare(base: SourceSubject, head: SourceSubject, timeout: float | None = None) -> Comparison:
    """Compare two planners in the role that both play, for every input.

    A proof that takes more than ``timeout`` seconds is inconclusive; where drawing the map takes
    longer, the map is one region of which nothing is known but its witness.

    Raises ``ContradictionError`` when no call can be given to both.
    """
    pair = Pair(base, head)
    try:
        with within(timeout):
            problem = formulate(pair)
            query = CHANGE.formulas(problem)
            found = find(pair, CHANGE, problem, query, solver_of(pair, problem))
    except OutOfTimeError:
        reason = f"not decided in {timeout:g} s; it may take more"
        return Comparison(pair, "inconclusive", reason=reason)
    if found.verdict == "proved":
        return Comparison(pair, "equal")
    if found.witness is None:
        return Comparison(pair, "inconclusive", reason=found.reason)
    try:
        with within(timeout):
            witness = shrink(pair, CHANGE, found.witness)
            return Comparison(pair, "differs", witness, change_map(pair, witness))
    except OutOfTimeError:
        return Comparison(pair, "differs", witness, unknown_map(witness))


def _faults_newly(sides: Sides) -> Formula:
    base, head = (side.outcome if isinstance(side, Run) else side for side in sides)
    return all_of(head.faulted, negate(base.faulted))


NEW_FAULT = Goal(
    lambda problem: [_faults_newly(problem.answer)],
    lambda witness: is_call_of_both(witness.run) and _faults_newly(witness.run.answer) is True,
)
"""Met where the head faults and the base does not."""


def find_new_fault(base: SourceSubject, head: SourceSubject, timeout: float) -> Finding:
    """Decide whether the head faults on a call on which the base does not; ``proved`` that nowhere.

    The witness is one of the head. What only one side can be called with is not looked at: sides
    that are called with other things are inconclusive.
    """
    if base.limits != head.limits or _given_types(base) != _given_types(head):
        return Finding("inconclusive", 0.0, reason="the two sides are not called with the same")
    pair = Pair(base, head)
    try:
        with within(timeout):
            problem = formulate(pair)
            query = NEW_FAULT.formulas(problem)
            found = find(pair, NEW_FAULT, problem, query, solver_of(pair, problem))
            if found.witness is None:
                return found
            values = pair.side_values(shrink(pair, NEW_FAULT, found.witness).values)[1]
    except OutOfTimeError:
        return Finding("inconclusive", timeout, reason=f"not decided in {timeout:g} s")
    return found._replace(witness=Witness(values, head.run(values)))


def _given_types(side: SourceSubject) -> dict[str, Type]:
    return {name: type_of(value) for name, value in side.fields.items()}
