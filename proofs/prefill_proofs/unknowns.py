"""For which values of the further inputs of a pair nothing changes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from prefill_proofs import language as tree
from prefill_proofs.pairs import CHANGE, Pair, is_call_of_both, is_changed
from prefill_proofs.prover import find
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import Problem, Values
from prefill_proofs.types import BoolType, Input, IntType, OptionType
from prefill_proofs.witnesses import Goal, Witness, shrink
from prefill_spec.calls import OPTIONAL_FIELDS, Call, parameters
from prefill_spec.vocabulary import Formula, Option, negate, option_of


class Condition(NamedTuple):
    """A condition on one further input, in words and as a formula over a call and the input.

    ``beyond`` holds of the first values on the other side of its bound, where it has one.
    """

    input: Input
    name: str
    opposite: str
    holds: Callable[[Call, Any], Formula]
    beyond: Callable[[Call, Any], Formula] | None = None

    def formula(self, call: Call, values: Values) -> Formula:
        """Return whether the condition holds, of symbolic or concrete values."""
        return self.holds(call, self._value(values))

    def just_beyond(self, call: Call, values: Values) -> Formula:
        """Return whether the input is the first value on the other side of the bound."""
        return self.beyond is not None and self.beyond(call, self._value(values))

    def _value(self, values: Values) -> Any:
        value = values[self.input.name]
        is_concrete = isinstance(self.input.type, OptionType) and not isinstance(value, Option)
        return option_of(value) if is_concrete else value


class Unaffected(NamedTuple):
    """A condition under which nothing changes, and a change just beyond it, where there is one."""

    condition: Condition
    beyond: Witness | None


def nothing_changes_where(
    pair: Pair, problem: Problem, solver: Solver, known: Sequence[Witness]
) -> list[Unaffected]:
    """Return the weakest conditions on each further input under which both sides are equal.

    ``known`` are calls of both: those that change rule out most conditions.
    """
    changed = [witness for witness in known if is_changed(witness.run.answer) is True]
    found: list[Unaffected] = []
    for entry in pair.further:
        proved: list[Condition] = []
        for condition in candidates(pair, entry):
            formula = condition.formula(problem.call, problem.values)
            if (
                any(condition.formula(seen.run.call, seen.values) is True for seen in changed)
                or any(_implies(solver, formula, other, problem) for other in proved)
                or solver.decide(formula).result != "sat"
                or solver.decide(formula, *CHANGE.formulas(problem)).result != "unsat"
            ):
                continue
            proved = [
                other
                for other in proved
                if not _implies(
                    solver, other.formula(problem.call, problem.values), condition, problem
                )
            ]
            proved.append(condition)
        found += [
            Unaffected(condition, _just_beyond(pair, condition, problem, solver))
            for condition in proved
        ]
    return found


def _implies(solver: Solver, formula: Formula, other: Condition, problem: Problem) -> bool:
    conclusion = other.formula(problem.call, problem.values)
    return solver.decide(formula, negate(conclusion)).result == "unsat"


def _just_beyond(
    pair: Pair, condition: Condition, problem: Problem, solver: Solver
) -> Witness | None:
    """Return the smallest change found at the first value that the condition leaves out."""

    def formulas(asked: Problem) -> list[Formula]:
        return [condition.just_beyond(asked.call, asked.values), *CHANGE.formulas(asked)]

    def is_met_by(witness: Witness) -> bool:
        return (
            is_call_of_both(witness.run)
            and condition.just_beyond(witness.run.call, witness.values) is True
            and is_changed(witness.run.answer) is True
        )

    if condition.beyond is None:
        return None
    goal = Goal(formulas, is_met_by)
    witness = find(pair, goal, problem, formulas(problem), solver).witness
    return None if witness is None else shrink(pair, goal, witness)


def candidates(pair: Pair, entry: Input) -> Iterator[Condition]:
    """Yield the conditions on an input that are tried, the simple ones first."""
    name = entry.name
    match entry.type:
        case BoolType():
            yield Condition(entry, name, f"not {name}", lambda _call, value: value)
            yield Condition(entry, f"not {name}", name, lambda _call, value: negate(value))
        case OptionType(_):
            absent, present = f"no {name}", f"some {name}"
            yield Condition(entry, absent, present, lambda _call, value: negate(value.present))
            yield Condition(entry, present, absent, lambda _call, value: value.present)
        case IntType():
            for text, bound in _bounds(pair):
                yield from _compared(entry, text, bound)
            for constant in sorted(constants_of(pair)):
                yield from _compared(entry, str(constant), _fixed(constant))


def _bounds(pair: Pair) -> Iterator[tuple[str, Callable[[Call], Any]]]:
    """Yield what a number may be compared with: the role's own arguments, and a few blocks."""
    for count in (1, 2):
        blocks = "block_size" if count == 1 else f"{count} * block_size"
        for more in (0, 1):
            yield blocks + " + 1" * more, _blocks(count, more)
    for parameter in parameters(pair.role):
        if parameter not in OPTIONAL_FIELDS:
            yield parameter, _argument(parameter)


def _blocks(count: int, more: int) -> Callable[[Call], Any]:
    return lambda call: count * call.block_size.value + more


def _argument(parameter: str) -> Callable[[Call], Any]:
    return lambda call: getattr(call, parameter)


def _fixed(constant: int) -> Callable[[Call], Any]:
    return lambda _call: constant


def _compared(entry: Input, text: str, bound: Callable[[Call], Any]) -> Iterator[Condition]:
    name = entry.name
    yield Condition(
        entry,
        f"{name} <= {text}",
        f"{name} > {text}",
        lambda call, value: value <= bound(call),
        lambda call, value: value == bound(call) + 1,
    )
    yield Condition(
        entry,
        f"{name} >= {text}",
        f"{name} < {text}",
        lambda call, value: value >= bound(call),
        lambda call, value: value + 1 == bound(call),
    )
    yield Condition(
        entry,
        f"{name} = {text}",
        f"{name} other than {text}",
        lambda call, value: value == bound(call),
    )


def constants_of(pair: Pair) -> set[int]:
    """Return the numbers that stand in the two sources, and 0 and 1."""
    found = {0, 1}
    seen: set[int] = set()
    waiting: list[Any] = [pair.base.read, pair.head.read]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tree.Function):
            if id(node) not in seen:
                seen.add(id(node))
                waiting.append(node.body)
        elif isinstance(node, tree.Literal):
            if type(node.value) is int:
                found.add(node.value)
        elif isinstance(node, tuple) and not isinstance(node, tree.Place):
            waiting += node
    return found
