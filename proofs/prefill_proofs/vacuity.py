"""Properties that a configuration leaves nothing to say: their proofs would be empty."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from prefill_proofs import multiples
from prefill_proofs.deadlines import OutOfTimeError, within
from prefill_proofs.solver import Solver
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate
from prefill_spec.properties import Outcome, Property
from prefill_spec.vocabulary import Formula


class Silence(NamedTuple):
    """Of which properties a configuration leaves no call, and of which that is not known."""

    silent: Sequence[Property] = ()
    unknown: Sequence[Property] = ()


def silenced(
    subject: SourceSubject, properties: Sequence[Property], timeout: float | None = None
) -> Silence:
    """Return the properties that no scheduled call is left for by what the configuration says.

    One that has no call without it either, for an argument that is absent say, is not among them.
    The formulas may take ``timeout`` seconds, and so may each property. The linear facts that stand
    for multiples hold on ints: without a call that meets them there is none at all.
    """
    if not subject.is_narrowed or not properties:
        return Silence()
    try:
        with within(None if timeout is None else timeout * (1 + len(properties))):
            found = _silence(subject, properties)
            always = _silence(subject.widened(), found.silent) if found.silent else Silence()
    except OutOfTimeError:
        return Silence(unknown=properties)
    silent = [entry for entry in found.silent if entry not in (*always.silent, *always.unknown)]
    return Silence(silent, [*found.unknown, *always.unknown])


def silencer(subject: SourceSubject, entry: Property) -> str:
    """Return the text of the configuration that leaves a silenced property nothing to say.

    Where it takes several conditions it is the first one, and nothing for several expressions.
    """
    left_out = subject.left_out
    if left_out is not None and not _is_silent(replace(subject, left_out=None), entry):
        return left_out.name
    if _is_silent(replace(subject, assume=(), assume_texts=()), entry):
        alone = (
            value.name
            for name, value in subject.fields.items()
            if _is_silent(subject.widened(kept=name), entry)
        )
        return next(alone, "")
    for condition, text in zip(subject.assume, subject.assume_texts, strict=True):
        if _is_silent(replace(subject, assume=(condition,), assume_texts=(text,)), entry):
            return text
    return next(iter(subject.assume_texts), "")


def _is_silent(subject: SourceSubject, entry: Property) -> bool:
    return entry in _silence(subject, [entry]).silent


def _silence(subject: SourceSubject, properties: Sequence[Property]) -> Silence:
    """Return the properties whose assumption no scheduled call meets."""
    problem = formulate(subject)
    outcome = Outcome(problem.faults.faulted(), problem.answer)
    assumptions: list[Formula] = [entry.claim(problem.call, outcome).when for entry in properties]
    known = multiples.facts(problem.algebra)
    solver = Solver([*problem.hypotheses, *problem.algebra.definitions, *known])
    results = [solver.decide(assumption).result for assumption in assumptions]
    found = list(zip(properties, results, strict=True))
    return Silence(
        [entry for entry, result in found if result == "unsat"],
        [entry for entry, result in found if result == "unknown"],
    )
