"""Deciding the properties of one subject."""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal, NamedTuple

from prefill_proofs import deadlines, multiples
from prefill_proofs.deadlines import OutOfTimeError
from prefill_proofs.equality import differ
from prefill_proofs.evidence import Step
from prefill_proofs.solver import TIMEOUT_SECONDS, Solver
from prefill_proofs.subjects import REFERENCE, Problem, Subject, formulate, has_reference
from prefill_proofs.witnesses import (
    SEARCH_SECONDS,
    Goal,
    Search,
    Witness,
    breach_of,
    counterexample,
    shrink,
)
from prefill_spec.properties import NO_FAULT, Property
from prefill_spec.vocabulary import USIZE_MAX, Formula

VerdictKind = Literal["proved", "refuted", "inconclusive"]


class Verdict(NamedTuple):
    """What is known of one property of one subject.

    ``seconds`` is solver time. A proved property has its evidence, a refuted one a witness, an
    inconclusive one a reason.
    """

    property: Property
    verdict: VerdictKind
    seconds: float
    witness: Witness | None = None
    reason: str = ""
    evidence: tuple[Step, ...] = ()


class Finding(NamedTuple):
    """Whether anything meets a goal: ``proved`` that nothing does, or ``refuted`` by a witness.

    ``seconds`` is solver time; the ``evidence`` is that of a proof.
    """

    verdict: VerdictKind
    seconds: float
    witness: Witness | None = None
    reason: str = ""
    evidence: tuple[Step, ...] = ()


class ContradictionError(Exception):
    """The assumptions leave no call at all: nothing can be proved from them."""


def prove(
    subject: Subject,
    properties: Sequence[Property],
    limit: int | None = USIZE_MAX,
    timeout: float | None = None,
) -> list[Verdict]:
    """Decide properties of a subject, for every input.

    With ``limit`` ``None`` the inputs are all natural numbers and nothing overflows; a property
    that fails there is refuted only if a witness within ``usize`` is found. A property that takes
    more than ``timeout`` seconds is inconclusive; so are all where the formulas alone take longer.

    Raises ``ContradictionError`` when the subject's assumptions exclude every call.
    """
    started = time.perf_counter()
    try:
        with deadlines.within(timeout):
            problem = formulate(subject, limit=limit)
            goals = [breach_of(entry) for entry in properties]
            queries = [goal.formulas(problem) for goal in goals]
            solver = solver_of(subject, problem)
    except OutOfTimeError:
        return [Verdict(entry, *_undecided_after(started)) for entry in properties]
    verdicts = []
    for entry, goal, query in zip(properties, goals, queries, strict=True):
        started = time.perf_counter()
        follows = partial(_follows_from_reference, entry, problem)
        try:
            with deadlines.within(timeout):
                found = find(subject, goal, problem, query, solver, follows)
                if found.witness is not None:
                    found = found._replace(witness=shrink(subject, goal, found.witness))
        except OutOfTimeError:
            found = _undecided_after(started)
        verdicts.append(Verdict(entry, *found))
    return verdicts


def _undecided_after(started: float) -> Finding:
    spent = time.perf_counter() - started
    return Finding("inconclusive", spent, reason=f"not decided in {spent:.1f} s; it may take more")


def solver_of(subject: Subject, problem: Problem) -> Solver:
    """Return a solver that knows a problem, once every formula of its queries has been built.

    Raises ``ContradictionError`` when the subject's assumptions exclude every call.
    """
    solver = Solver(_hypotheses(problem, multiples.facts(problem.algebra)))
    if solver.decide().result == "unsat":
        raise ContradictionError(subject.function)
    return solver


def find(
    subject: Subject,
    goal: Goal,
    problem: Problem,
    query: list[Formula],
    solver: Solver,
    follows: Callable[[], tuple[Step, ...]] = tuple,
    patience: float = 1.0,
) -> Finding:
    """Decide whether any input meets a goal, whose formulas for the problem are the ``query``.

    ``follows`` is asked late, for the steps of another proof that nothing does. ``patience`` is the
    share of the usual time after which a query or a search gives up.
    """
    timeout = TIMEOUT_SECONDS * patience
    decision = solver.decide(*query, timeout=timeout)
    spent = decision.seconds
    algebra = problem.algebra
    if decision.result == "unsat":
        return Finding("proved", spent, evidence=(Step("goal", decision, algebra),))
    search = Search(subject, goal, problem, query, solver, decision, SEARCH_SECONDS * patience)
    witness = search.quickly()
    if witness is not None:
        return Finding("refuted", spent, witness)
    formulations: tuple[tuple[bool, Callable[[], list[Formula]]], ...] = (
        (True, lambda: multiples.facts(algebra, is_extended=True)),
        (False, lambda: multiples.facts(algebra) + multiples.exact(algebra)),
    )
    for is_extended, formulation in formulations:
        again = Solver(_hypotheses(problem, formulation())).decide(*query, timeout=timeout)
        spent += again.seconds
        if again.result == "unsat":
            step = Step("goal", again, algebra, is_extended)
            return Finding("proved", spent, evidence=(step,))
    steps = follows()
    if steps:
        return Finding("proved", spent, evidence=steps)
    witness = search.thoroughly()
    if witness is not None:
        return Finding("refuted", spent, witness)
    reason = "the solver neither proves it nor finds an input on which it fails"
    if decision.result == "unknown":
        reason += f" ({decision.reason})"
    return Finding("inconclusive", spent, reason=reason)


def _follows_from_reference(entry: Property, problem: Problem) -> tuple[Step, ...]:
    """Return how a property follows for a role that equals the reference, or nothing."""
    if entry.id == NO_FAULT or not has_reference(problem.call):
        return ()
    difference = differ(problem)
    if difference.result != "unsat":
        return ()
    (reference,) = (other for other in REFERENCE if other.role == entry.role)
    again = formulate(reference, limit=problem.faults.limit)
    failure = counterexample(entry, again)
    solver = Solver(_hypotheses(again, multiples.facts(again.algebra)))
    decision = solver.decide(*failure)
    if decision.result != "unsat":
        return ()
    return Step("equality", difference, problem.algebra), Step("reference", decision, again.algebra)


def _hypotheses(problem: Problem, known: list[Formula]) -> list[Formula]:
    return [*problem.hypotheses, *problem.algebra.definitions, *known]
