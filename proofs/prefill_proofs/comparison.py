"""Whether two planners are equal in a role, and where they differ when they are not."""

from typing import Literal, NamedTuple

from prefill_proofs.change_map import ChangeMap, change_map, unknown_map
from prefill_proofs.deadlines import OutOfTimeError, within
from prefill_proofs.pairs import CHANGE, Pair
from prefill_proofs.prover import find, solver_of
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate
from prefill_proofs.witnesses import Witness, shrink


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
