"""Whether a planner's role answers as the reference does, on every call."""

from typing import Any

from prefill_proofs import multiples
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.faults import Faults
from prefill_proofs.solver import Decision, Solver
from prefill_proofs.subjects import Problem
from prefill_spec.vocabulary import Formula, Option, all_of, any_of, iff, negate


def differ(problem: Problem) -> Decision:
    """Decide whether a role and the reference can answer differently where neither faults.

    ``unsat`` means that they are equal: what is proved of the reference then holds of the role.
    """
    faults = Faults(problem.faults.limit)
    expected = ENCODINGS[problem.call.role](problem.call, faults)
    difference = negate(same_answer(problem.answer, expected))
    known = multiples.facts(problem.algebra)
    solver = Solver([*problem.hypotheses, *problem.algebra.definitions, *known])
    return solver.decide(problem.faults.sound(), faults.sound(), difference)


def same_answer(one: Any, other: Any) -> Formula:
    """Return whether two answers of a role are the same: numbers, options or formulas."""
    if isinstance(one, Option):
        same_value = any_of(negate(one.present), one.value == other.value)
        return all_of(iff(one.present, other.present), same_value)
    if hasattr(one, "cases") or type(one) is int:
        return one == other
    return iff(one, other)
