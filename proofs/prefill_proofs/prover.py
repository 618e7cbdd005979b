"""Deciding the properties of one subject."""

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from prefill_proofs import multiples
from prefill_proofs.equality import differ
from prefill_proofs.solver import Decision, Solver
from prefill_proofs.subjects import REFERENCE, Problem, Subject, formulate, has_reference
from prefill_proofs.witnesses import Search, Witness, counterexample
from prefill_spec.properties import NO_FAULT, Property
from prefill_spec.vocabulary import USIZE_MAX, Formula

VerdictKind = Literal["proved", "refuted", "inconclusive"]


class Verdict(NamedTuple):
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

    Raises ``ContradictionError`` when the subject's assumptions exclude every call.
    """
    problem = formulate(subject, limit=limit)
    failures = [counterexample(entry, problem) for entry in properties]
    solver = Solver(_hypotheses(problem, multiples.facts(problem.algebra)))
    if solver.decide().result == "unsat":
        raise ContradictionError(subject.function)
    verdicts = []
    for entry, failure in zip(properties, failures, strict=True):
        decision = solver.decide(*failure)
        if decision.result == "unsat":
            verdicts.append(Verdict(entry, "proved", decision.seconds))
        else:
            search = Search(subject, entry, problem, solver, decision)
            verdicts.append(_decide_otherwise(search, decision, failure))
    return verdicts


def _decide_otherwise(search: Search, decision: Decision, failure: list[Formula]) -> Verdict:
    """Decide a property that the first query did not prove: a witness, or another formulation."""
    entry = search.entry
    witness = search.quickly()
    if witness is not None:
        return Verdict(entry, "refuted", decision.seconds, witness)
    algebra = search.problem.algebra
    spent = decision.seconds
    formulations: tuple[Callable[[], list[Formula]], ...] = (
        lambda: multiples.facts(algebra, is_extended=True),
        lambda: multiples.facts(algebra) + multiples.exact(algebra),
    )
    for formulation in formulations:
        again = Solver(_hypotheses(search.problem, formulation())).decide(*failure)
        spent += again.seconds
        if again.result == "unsat":
            return Verdict(entry, "proved", spent)
    if _follows_from_reference(search):
        return Verdict(entry, "proved", spent)
    witness = search.thoroughly()
    if witness is not None:
        return Verdict(entry, "refuted", spent, witness)
    reason = "the solver neither proves it nor finds an input on which it fails"
    if decision.result == "unknown":
        reason += f" ({decision.reason})"
    return Verdict(entry, "inconclusive", spent, reason=reason)


def _follows_from_reference(search: Search) -> bool:
    """Return whether the role equals the reference, of which the property is proved."""
    entry, limit = search.entry, search.problem.faults.limit
    if entry.id == NO_FAULT or not has_reference(search.problem.call):
        return False
    if differ(search.problem).result != "unsat":
        return False
    (reference,) = (other for other in REFERENCE if other.role == entry.role)
    problem = formulate(reference, limit=limit)
    failure = counterexample(entry, problem)
    solver = Solver(_hypotheses(problem, multiples.facts(problem.algebra)))
    return solver.decide(*failure).result == "unsat"


def _hypotheses(problem: Problem, known: list[Formula]) -> list[Formula]:
    return [*problem.hypotheses, *problem.algebra.definitions, *known]
