"""Properties that a configuration leaves nothing to say: their proofs would be empty."""

from collections.abc import Sequence
from dataclasses import replace

from prefill_proofs import multiples
from prefill_proofs.deadlines import OutOfTimeError, within
from prefill_proofs.solver import Solver
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate
from prefill_spec.properties import Outcome, Property
from prefill_spec.vocabulary import Formula


def silenced(
    subject: SourceSubject, properties: Sequence[Property], timeout: float | None = None
) -> list[Property]:
    """Return the properties that no scheduled call is left for by what the configuration says.

    One that has no call without it either, for an argument that is absent say, is not among them.
    What the solver does not know, or not within ``timeout`` seconds, is taken as a call. The linear
    facts that stand for multiples hold on ints: without a call that meets them there is none at
    all.
    """
    if not subject.is_narrowed:
        return []
    try:
        with within(timeout):
            silent = _silent(subject, properties)
            always_silent = _silent(subject.widened(), silent) if silent else []
    except OutOfTimeError:
        return []
    return [entry for entry in silent if entry not in always_silent]


def silencer(subject: SourceSubject, entry: Property) -> str:
    """Return the text of the configuration that leaves a silenced property nothing to say.

    Where it takes several conditions it is the first one, and nothing for several expressions.
    """
    left_out = subject.left_out
    if left_out is not None and not _silent(replace(subject, left_out=None), [entry]):
        return left_out.name
    if _silent(replace(subject, assume=(), assume_texts=()), [entry]):
        alone = (
            value.name
            for name, value in subject.fields.items()
            if _silent(subject.widened(kept=name), [entry])
        )
        return next(alone, "")
    for condition, text in zip(subject.assume, subject.assume_texts, strict=True):
        if _silent(replace(subject, assume=(condition,), assume_texts=(text,)), [entry]):
            return text
    return next(iter(subject.assume_texts), "")


def _silent(subject: SourceSubject, properties: Sequence[Property]) -> list[Property]:
    """Return the properties whose assumption no scheduled call meets."""
    problem = formulate(subject)
    outcome = Outcome(problem.faults.faulted(), problem.answer)
    assumptions: list[Formula] = [entry.claim(problem.call, outcome).when for entry in properties]
    known = multiples.facts(problem.algebra)
    solver = Solver([*problem.hypotheses, *problem.algebra.definitions, *known])
    return [
        entry
        for entry, assumption in zip(properties, assumptions, strict=True)
        if solver.decide(assumption).result == "unsat"
    ]
