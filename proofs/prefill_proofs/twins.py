"""A planner's role beside a changed one that is given the same inputs, and where they differ."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prefill_proofs.algebra import Algebra
from prefill_proofs.equality import same_answer
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function
from prefill_proofs.pairs import Sides
from prefill_proofs.prover import Finding, find, solver_of
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Encoded, Run, Values, formulate, is_scheduled
from prefill_proofs.types import Input
from prefill_proofs.witnesses import Goal, Witness
from prefill_spec.properties import Outcome
from prefill_spec.vocabulary import Formula, all_of, any_of, iff, negate


@dataclass(frozen=True)
class Twins:
    """A role and the same one with its function ``changed``: a subject of its own."""

    original: SourceSubject
    changed: Function

    @property
    def mutant(self) -> SourceSubject:
        """The role with its function changed."""
        return replace(self.original, read=self.changed)

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
        """The name of the input that is the block size, when one is."""
        return self.original.block_size_input

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The names of the inputs that are arguments of the role themselves."""
        return self.original.bound_inputs

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs; each side owes its own obligations."""
        owed, owed_by_mutant = Faults(faults.limit), Faults(faults.limit)
        one = self.original.encode(values, owed, algebra)
        other = self.mutant.encode(values, owed_by_mutant, algebra)
        sides = Sides(
            Outcome(owed.faulted(), one.answer), Outcome(owed_by_mutant.faulted(), other.answer)
        )
        return Encoded(one.call, sides, one.assumption)

    def run(self, values: Values) -> Run:
        """Perform the call on both with concrete inputs; the answer has both runs."""
        run = self.original.run(values)
        return run._replace(answer=Sides(run, self.mutant.run(values)), fault=None)


def is_different(sides: Sides) -> Formula:
    """Return whether one side faults and the other does not, or neither does and they disagree.

    An original that faults somewhere is equal to a mutant that faults there, too.
    """
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
"""Met where the two sides differ."""


def find_difference(twins: Twins) -> Finding:
    """Decide whether the two can differ on a scheduled call; ``proved`` says that they cannot."""
    problem = formulate(twins)
    query = DIFFERENCE.formulas(problem)
    return find(twins, DIFFERENCE, problem, query, solver_of(twins, problem))
