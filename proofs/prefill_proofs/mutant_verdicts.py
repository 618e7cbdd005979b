"""What becomes of a mutant: a property catches it, it is equal to the original, or it survives.

Calls performed on ints come first, for most mutants show themselves at once there. The solver is
asked for the others: whether the mutant equals the original, and whether a property is refuted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Literal, NamedTuple

from prefill_proofs import concrete
from prefill_proofs.algebra import Algebra
from prefill_proofs.compiled import compiled
from prefill_proofs.equality import same_answer
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function
from prefill_proofs.mutations import Mutant
from prefill_proofs.pairs import Sides
from prefill_proofs.prover import Finding, find, prove, solver_of
from prefill_proofs.refusals import SourceError
from prefill_proofs.samples import sampled_calls
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Encoded, Run, Values, formulate, is_scheduled
from prefill_proofs.types import Input
from prefill_proofs.witnesses import Goal, Witness, is_refuted_by, shrink
from prefill_spec.properties import Outcome, Property
from prefill_spec.vocabulary import Formula, all_of, any_of, iff, negate

MutantVerdictKind = Literal["caught", "equivalent", "survived", "undecided"]


class MutantVerdict(NamedTuple):
    """What is known of a mutant.

    One that is caught has a ``property``; one that survived a ``witness``, whose answer is that of
    the original and that of the mutant; an undecided one a ``reason``.
    """

    verdict: MutantVerdictKind
    property: str | None = None
    witness: Witness | None = None
    reason: str = ""


@dataclass(frozen=True)
class Twins:
    """A planner's role and a mutant of it, given the same inputs: a subject of its own."""

    original: SourceSubject
    mutant: SourceSubject

    @property
    def role(self) -> str:
        """The role that both play."""
        return self.original.role

    @property
    def function(self) -> str:
        """The function's name in its source."""
        return self.original.function

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs of either."""
        return self.original.inputs

    @property
    def block_size_input(self) -> str | None:
        """The name of the input that is the block size, when it is one."""
        return self.original.block_size_input

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The names of the inputs that are arguments of the role themselves."""
        return self.original.bound_inputs

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs; each side owes its own obligations."""
        outcomes = []
        for side in (self.original, self.mutant):
            owed = Faults(faults.limit)
            encoded = side.encode(values, owed, algebra)
            outcomes.append(Outcome(owed.faulted(), encoded.answer))
        return Encoded(encoded.call, Sides(*outcomes), encoded.assumption)

    def run(self, values: Values) -> Run:
        """Perform the call on both with concrete inputs; the answer has both runs."""
        original = self.original.run(values)
        return original._replace(answer=Sides(original, self.mutant.run(values)), fault=None)


def is_different(sides: Sides) -> Formula:
    """Return whether two outcomes differ: one of them faults, or neither does and the answers do."""
    one, other = (side.outcome if isinstance(side, Run) else side for side in sides)
    if one.faulted is True or other.faulted is True:
        return negate(iff(one.faulted, other.faulted))
    neither = all_of(negate(one.faulted), negate(other.faulted))
    return any_of(
        negate(iff(one.faulted, other.faulted)),
        all_of(neither, negate(same_answer(one.answer, other.answer))),
    )


def _is_met_by(witness: Witness) -> bool:
    run = witness.run
    is_call = run.is_assumed and is_scheduled(run.call) is True
    return is_call and is_different(run.answer) is True


DIFFERENCE = Goal(lambda problem: [is_different(problem.answer)], _is_met_by)
"""Met where a mutant differs from the original."""


@dataclass(frozen=True)
class Trial:
    """A role of a planner, and the properties that hold for it: those that can catch a mutant."""

    subject: SourceSubject
    properties: Sequence[Property]

    @cached_property
    def calls(self) -> list[Witness]:
        """Scheduled calls, performed by the original."""
        return list(sampled_calls(self.subject))

    def decide(self, mutant: Mutant) -> MutantVerdict:
        """Return what becomes of a mutant of the role's function.

        It is caught by the first property, in the order of the table, that a sampled call
        refutes, and without any by the first one that the solver refutes.
        """
        twins = Twins(self.subject, replace(self.subject, read=mutant.read))
        differing = list(self._differing(mutant.read))
        for entry in self.properties:
            if any(is_refuted_by(entry, run) for _, run in differing):
                return MutantVerdict("caught", entry.id)
        difference = Witness(values := differing[0][0], twins.run(values)) if differing else None
        try:
            return self._proved(twins, difference)
        except SourceError as error:
            return MutantVerdict("undecided", reason=error.message)

    def _differing(self, read: Function) -> Iterator[tuple[Values, Run]]:
        """Yield the sampled calls that a mutant answers differently, with what it does there."""
        subject = self.subject
        perform = None if subject.unknowns else compiled(read, {})
        for values, original in self.calls:
            arguments = subject.assembled(values)
            run = subject.performed(
                original.call,
                original.is_assumed,
                partial(perform, *arguments)
                if perform
                else partial(concrete.run, read, arguments, values),
            )
            if is_different(Sides(original, run)) is True:
                yield values, run

    def _proved(self, twins: Twins, difference: Witness | None) -> MutantVerdict:
        """Return the verdict on a mutant that no sampled call catches."""
        reason = ""
        if difference is None:
            found = find_difference(twins)
            if found.verdict == "proved":
                return MutantVerdict("equivalent")
            difference, reason = found.witness, found.reason
        verdicts = prove(twins.mutant, self.properties)
        refuted = [entry.property.id for entry in verdicts if entry.verdict == "refuted"]
        if refuted:
            return MutantVerdict("caught", refuted[0])
        open_ones = [entry.property.id for entry in verdicts if entry.verdict != "proved"]
        if open_ones:
            reason = f"not known to keep or to break {', '.join(open_ones)}"
        if open_ones or difference is None:
            return MutantVerdict("undecided", reason=reason)
        return MutantVerdict("survived", witness=shrink(twins, DIFFERENCE, difference))


def find_difference(twins: Twins) -> Finding:
    """Decide whether a mutant can differ from the original; ``proved`` means that it cannot."""
    problem = formulate(twins)
    query = DIFFERENCE.formulas(problem)
    return find(twins, DIFFERENCE, problem, query, solver_of(twins, problem))
