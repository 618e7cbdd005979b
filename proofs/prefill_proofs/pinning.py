"""Whether the properties of a role leave its planner a choice, and which of them say something new.

Nothing here knows a planner: what came of a call are arbitrary outcomes, each a fault or a value of
the role's type. The properties *pin* the role where any two outcomes of a scheduled call that keep
them are the same. A property is *implied* where whatever keeps the others keeps it, too: it is a
convenience. Where it is not, a call and an outcome show what it alone forbids.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from prefill_proofs.algebra import Algebra
from prefill_proofs.equality import same_answer
from prefill_proofs.faults import Faults
from prefill_proofs.prover import Finding, find, solver_of
from prefill_proofs.roles import RESULTS
from prefill_proofs.subjects import (
    Encoded,
    Run,
    Values,
    concrete_call,
    formulate,
    is_scheduled,
    role_inputs,
    symbolic_call,
)
from prefill_proofs.types import BOOL, Input
from prefill_proofs.witnesses import Goal, shrink
from prefill_spec.calls import OPTIONAL_ANSWERS, Call, parameters
from prefill_spec.properties import Outcome, Property, properties_of
from prefill_spec.vocabulary import Formula, all_of, any_of, negate, option_of

Outcomes: TypeAlias = tuple[Outcome, ...]


@dataclass(frozen=True)
class AnyOutcomes:
    """A call of a role with ``count`` arbitrary outcomes: they are the subject's answer."""

    role: str
    count: int

    @property
    def function(self) -> str:
        """What stands for the name of a function."""
        return f"any {self.role}"

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The role's own parameters, and the outcomes."""
        answer = RESULTS.get(self.role, BOOL)
        return role_inputs(self.role) + tuple(
            entry
            for number in range(self.count)
            for entry in (Input(_faulted(number), BOOL), Input(_answer(number), answer))
        )

    @property
    def block_size_input(self) -> str:
        """The role's own parameter."""
        return "block_size"

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The role's own parameters."""
        return frozenset(parameters(self.role))

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs."""
        del faults, algebra  # no planner runs; the values bring their algebra along
        return Encoded(symbolic_call(self.role, values), self._outcomes(values))

    def run(self, values: Values) -> Run:
        """Return the call with concrete inputs."""
        return Run(concrete_call(self.role, values), self._outcomes(values))

    def _outcomes(self, values: Values) -> Outcomes:
        return tuple(
            Outcome(values[_faulted(number)], self._carried(values[_answer(number)]))
            for number in range(self.count)
        )

    def _carried(self, answer: Any) -> Any:
        is_plain = answer is None or isinstance(answer, int)
        return option_of(answer) if is_plain and self.role in OPTIONAL_ANSWERS else answer


def _faulted(number: int) -> str:
    return f"outcome_{number}.faulted"


def _answer(number: int) -> str:
    return f"outcome_{number}.answer"


def pinning_properties(role: str) -> tuple[Property, ...]:
    """Return what pins a role: its properties of level ``deny``, without those that are implied."""
    return tuple(entry for entry in denied_properties(role) if not entry.is_implied)


def denied_properties(role: str) -> tuple[Property, ...]:
    """Return the properties of a role whose level is ``deny``."""
    return tuple(entry for entry in properties_of(role) if entry.level == "deny")


def keeps(properties: Sequence[Property], call: Call, outcome: Outcome) -> Formula:
    """Return whether the outcome of a call has all of the properties."""
    return all_of(*(entry.claim(call, outcome).formula() for entry in properties))


def is_same(one: Outcome, other: Outcome) -> Formula:
    """Return whether two outcomes are the same: two faults, or two answers that are alike."""
    return any_of(
        all_of(one.faulted, other.faulted),
        all_of(negate(one.faulted), negate(other.faulted), same_answer(one.answer, other.answer)),
    )


def find_disagreement(role: str, properties: Sequence[Property]) -> Finding:
    """Decide whether two outcomes of a call can keep the properties and differ.

    ``proved`` means that none can: the properties pin the role.
    """

    def disagree(call: Call, outcomes: Outcomes) -> Formula:
        one, other = outcomes
        both_keep = (keeps(properties, call, outcome) for outcome in outcomes)
        return all_of(*both_keep, negate(is_same(one, other)))

    return _find(AnyOutcomes(role, 2), disagree)


def find_breach(entry: Property, others: Sequence[Property]) -> Finding:
    """Decide whether an outcome can keep the other properties and break this one.

    ``proved`` means that none can: the others imply the property.
    """

    def breaks(call: Call, outcomes: Outcomes) -> Formula:
        (outcome,) = outcomes
        return all_of(keeps(others, call, outcome), negate(keeps([entry], call, outcome)))

    return _find(AnyOutcomes(entry.role, 1), breaks)


def _find(subject: AnyOutcomes, statement: Callable[[Call, Outcomes], Formula]) -> Finding:
    """Decide whether a statement holds of any scheduled call and outcomes."""
    goal = Goal(
        lambda problem: [statement(problem.call, problem.answer)],
        lambda witness: (
            is_scheduled(witness.run.call) is True
            and statement(witness.run.call, witness.run.answer) is True
        ),
    )
    problem = formulate(subject)
    query = goal.formulas(problem)
    found = find(subject, goal, problem, query, solver_of(subject, problem))
    if found.witness is None:
        return found
    return found._replace(witness=shrink(subject, goal, found.witness))
