"""The one place that asks Z3."""

import math
import time
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import z3

from prefill_proofs import deadlines, formulas
from prefill_spec.vocabulary import Formula

TIMEOUT_SECONDS = 2.0
"""For one query; the hardest one of the shipped planner takes hundredths of it."""


class Query(NamedTuple):
    """Formulas that were asked to hold together: those of a solver, and those of one question."""

    hypotheses: tuple[Formula, ...] = ()
    parts: tuple[Formula, ...] = ()


class Decision(NamedTuple):
    """Whether some formulas can hold together: a model when they can, a reason when unknown."""

    result: Literal["sat", "unsat", "unknown"]
    seconds: float
    model: Any = None
    reason: str = ""
    query: Query = Query()


class Solver:
    """Decides formulas under shared hypotheses."""

    def __init__(self, hypotheses: Iterable[Formula]) -> None:
        self._solver = z3.SimpleSolver()
        # Hermite normal forms cost far more here than they save: up to a factor of ten.
        self._solver.set("arith.enable_hnf", False)
        # Z3 would take an interrupt for an unknown answer, and keep it to itself.
        self._solver.set("ctrl_c", False)
        self._hypotheses = (formulas.conjunction(hypotheses),)
        self._add(self._hypotheses)

    def _add(self, hypotheses: Iterable[Formula]) -> None:
        whole = formulas.conjunction(hypotheses)
        if whole is not True:
            self._solver.add(z3.BoolVal(False) if whole is False else whole)

    def decide(self, *parts: Formula, timeout: float = TIMEOUT_SECONDS) -> Decision:
        """Return whether the parts can hold together under the hypotheses."""
        query = Query(self._hypotheses, parts)
        started = time.perf_counter()
        self._solver.push()
        try:
            self._add(parts)
            self._solver.set("timeout", math.ceil(deadlines.at_most(timeout) * 1000))
            answer = self._solver.check()
            seconds = time.perf_counter() - started
            if answer == z3.unsat:
                return Decision("unsat", seconds, query=query)
            if answer == z3.sat:
                return Decision("sat", seconds, self._solver.model(), query=query)
            reason = self._solver.reason_unknown()
            return Decision("unknown", seconds, reason=reason, query=query)
        finally:
            self._solver.pop()


def solver_version() -> str:
    """Return the version of Z3."""
    return str(z3.get_version_string())


def value_of(model: Any, term: Any) -> int:
    """Return what a model gives a Z3 integer."""
    return int(model.eval(term, model_completion=True).as_long())


def truth_of(model: Any, formula: Formula) -> bool:
    """Return what a model gives a formula."""
    if isinstance(formula, bool):
        return formula
    return bool(z3.is_true(model.eval(formula, model_completion=True)))
