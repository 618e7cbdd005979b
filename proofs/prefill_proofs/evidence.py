"""What a proof rests on: the queries whose answers are the proof."""

from typing import Literal, NamedTuple

from prefill_proofs.algebra import Algebra
from prefill_proofs.solver import Decision

StepKind = Literal["goal", "equality", "reference", "base", "step", "end"]
"""What a query asks for: an input on which what is proved fails, a call on which a role answers
otherwise than the reference, one on which the reference itself breaks the property, or a run in
which that part of an induction does not follow."""


class Step(NamedTuple):
    """One query of a proof, answered ``unsat``.

    ``algebra`` says what the query's numbers stand for, ``is_extended`` which facts of multiples
    it took to be known.
    """

    kind: StepKind
    decision: Decision
    algebra: Algebra
    is_extended: bool = False
