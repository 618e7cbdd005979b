"""Deciding the properties of one subject."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from prefill_proofs import multiples
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import Subject, formulate
from prefill_proofs.witnesses import Witness, counterexample, find_witness
from prefill_spec.properties import Property
from prefill_spec.vocabulary import USIZE_MAX

VerdictKind = Literal["proved", "refuted", "inconclusive"]


@dataclass(frozen=True)
class Verdict:
    """What is known of one property of one subject.

    ``seconds`` is solver time. A refuted property has a witness; an inconclusive one a reason.
    """

    property: Property
    verdict: VerdictKind
    seconds: float
    witness: Witness | None = None
    reason: str = ""


class ContradictionError(Exception):
    """The assumptions leave no call at all: nothing can be proved from them."""


def prove(
    subject: Subject, properties: Sequence[Property], limit: int | None = USIZE_MAX
) -> list[Verdict]:
    """Decide properties of a subject, for every input.

    With ``limit`` ``None`` the inputs are all natural numbers and nothing overflows; a property
    that fails there is refuted only if a witness within ``usize`` is found.

    Raises ``ContradictionError`` when the subject's own assumptions exclude every call.
    """
    problem = formulate(subject, limit=limit)
    failures = [counterexample(entry, problem) for entry in properties]
    known = multiples.facts(problem.algebra)
    hypotheses = [*problem.hypotheses, *problem.algebra.definitions, *known]
    solver = Solver(hypotheses)
    if problem.is_restricted and solver.decide().result == "unsat":
        raise ContradictionError(subject.function)
    verdicts = []
    for entry, failure in zip(properties, failures, strict=True):
        decision = solver.decide(*failure)
        if decision.result == "unsat":
            verdicts.append(Verdict(entry, "proved", decision.seconds))
            continue
        witness = find_witness(subject, entry, problem, solver, decision)
        if witness is not None:
            verdicts.append(Verdict(entry, "refuted", decision.seconds, witness))
            continue
        reason = decision.reason or "no counterexample of the linear facts holds on ints"
        verdicts.append(Verdict(entry, "inconclusive", decision.seconds, reason=reason))
    return verdicts
