"""What becomes of a mutant: a property catches it, it is equal to the original, or it survives.

Calls performed on ints come first, for most mutants show themselves at once there. The solver is
asked about the others: whether the mutant equals the original, and whether it breaks a property.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal, NamedTuple

from prefill_proofs import concrete, deadlines
from prefill_proofs.compiled import compiled
from prefill_proofs.deadlines import OutOfTimeError
from prefill_proofs.language import Function
from prefill_proofs.pairs import Sides
from prefill_proofs.prover import prove
from prefill_proofs.refusals import SourceError
from prefill_proofs.samples import sampled_calls
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Run, Values
from prefill_proofs.twins import DIFFERENCE, Twins, find_difference, is_different
from prefill_proofs.witnesses import Witness, is_refuted_by, shrink
from prefill_spec.properties import Property

MUTANT_SECONDS = 20.0
"""After this long a mutant is undecided."""


class MutantVerdict(NamedTuple):
    """What is known of a mutant.

    One that is caught has the id of a ``property``; one that survived a ``witness``, with what the
    original and the mutant did there; an undecided one a ``reason``.
    """

    verdict: Literal["caught", "equivalent", "survived", "undecided"]
    property: str | None = None
    witness: Witness | None = None
    reason: str = ""


class Catcher(NamedTuple):
    """A property that holds for the original, and what it holds of: not always of every call."""

    property: Property
    subject: SourceSubject


@dataclass(frozen=True)
class Trial:
    """A role of a planner, and what can catch a mutant of it, in the order of the table."""

    subject: SourceSubject
    catchers: tuple[Catcher, ...]

    @cached_property
    def calls(self) -> list[Witness]:
        """Scheduled calls, performed by the original."""
        return list(sampled_calls(self.subject))

    def decide(self, read: Function) -> MutantVerdict:
        """Return what becomes of the role when this function takes the place of its own.

        It is caught by the first property that a sampled call refutes; where none does, by the
        first that the solver refutes.
        """
        differing = list(self._differing(read))
        for entry, subject in self.catchers:
            for values, run in differing:
                if is_refuted_by(entry, run) and subject.run(values).is_assumed:
                    return MutantVerdict("caught", entry.id)
        twins = Twins(self.subject, read)
        known = [Witness(values, twins.run(values)) for values, _ in differing[:1]]
        try:
            with deadlines.within(MUTANT_SECONDS):
                found = self._proved(twins, known)
        except SourceError as error:
            return MutantVerdict("undecided", reason=error.message)
        except OutOfTimeError:
            return MutantVerdict("undecided", reason=f"not decided in {MUTANT_SECONDS:.0f} s")
        if found.witness is not None:
            return found._replace(witness=shrink(twins, DIFFERENCE, found.witness))
        return found

    def _differing(self, read: Function) -> Iterator[tuple[Values, Run]]:
        """Yield the sampled calls on which a mutant differs, each with what the mutant did."""
        subject = self.subject
        # Unknown constants are other values in each call, and so would be the compiled function.
        perform = None if subject.unknowns else compiled(read, {})
        for values, original in self.calls:
            given = subject.assembled(values)
            run = subject.performed(
                original.call,
                original.is_assumed,
                partial(perform, *given) if perform else partial(concrete.run, read, given, values),
            )
            if is_different(Sides(original, run)) is True:
                yield values, run

    def _proved(self, twins: Twins, known: list[Witness]) -> MutantVerdict:
        """Return the verdict on a mutant that no sampled call catches.

        ``known`` has a call on which it differs, if there is one.
        """
        reason = ""
        if not known:
            found = find_difference(twins)
            if found.verdict == "proved":
                return MutantVerdict("equivalent")
            known = [found.witness] if found.witness is not None else []
            reason = found.reason
        undecided = []
        for entry, subject in self.catchers:
            (verdict,) = prove(replace(subject, read=twins.changed), [entry])
            if verdict.verdict == "refuted":
                return MutantVerdict("caught", entry.id)
            if verdict.verdict == "inconclusive":
                undecided.append(entry.id)
        if undecided:
            reason = f"not known to keep or to break {', '.join(undecided)}"
        if undecided or not known:
            return MutantVerdict("undecided", reason=reason)
        return MutantVerdict("survived", witness=known[0])
