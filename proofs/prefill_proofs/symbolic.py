"""The planner language as formulas, with the fault obligations of every path."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from prefill_proofs import deadlines
from prefill_proofs import language as tree
from prefill_proofs.algebra import Algebra
from prefill_proofs.faults import Faults
from prefill_proofs.formulas import conjunction, disjunction, equivalence, negation
from prefill_proofs.refusals import TooLargeError
from prefill_proofs.terms import choose
from prefill_proofs.types import (
    BoolType,
    IntType,
    NeverType,
    OptionType,
    TupleType,
    Type,
    default,
    lifted,
)
from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, quotient, remainder

MAX_STEPS = 100_000
"""So many nodes are evaluated for one role, every call written out; a planner takes hundreds."""


def evaluate(
    function: tree.Function,
    arguments: tuple[Any, ...],
    unknowns: Mapping[str, Any],
    algebra: Algebra,
    faults: Faults,
    path: Formula = True,
) -> Any:
    """Return what a function answers as a symbolic value, and collect its fault obligations.

    ``path`` is the condition under which the call is reached. ``unknowns`` gives the values of the
    unknown constants.
    """
    slots = {slot: value for (slot, _), value in zip(function.parameters, arguments, strict=True)}
    frame = _Evaluation(slots, unknowns, algebra, faults, path)
    value = frame.typed(frame.value(function.body), function.result)
    for left in reversed(frame.returns):
        value = frame.selected(left.condition, left.value, value, function.result)
    return value


class _Left(NamedTuple):
    """A return: the condition of the path to it, its value, and what the slots held there."""

    condition: Formula
    value: Any
    slots: dict[str, Any]


class _Evaluation:
    """One call in progress.

    ``live`` is the condition under which the next expression is reached, relative to ``path``.
    """

    def __init__(
        self,
        slots: dict[str, Any],
        unknowns: Mapping[str, Any],
        algebra: Algebra,
        faults: Faults,
        path: Formula,
    ) -> None:
        self.slots = slots
        self.unknowns = unknowns
        self.algebra = algebra
        self.faults = faults
        self.path = path
        self.live: Formula = True
        self.returns: list[_Left] = []

    def reached(self) -> Formula:
        """Return the condition of the whole path up to here."""
        return conjunction((self.path, self.live))

    def value(self, node: tree.Expression) -> Any:
        deadlines.check()
        self.algebra.steps += 1
        if self.algebra.steps > MAX_STEPS:
            raise TooLargeError
        match node:
            case tree.Variable(slot):
                return self.slots[slot]
            case tree.Literal(value, kind):
                return lifted(self.algebra, value, kind)
            case tree.Arithmetic():
                return self._arithmetic(node)
            case tree.Compare(name, left, right):
                return _compared(name, self.value(left), self.value(right))
            case tree.If():
                return self._if(node)
            case tree.Set(slot, inner):
                value = self.value(inner)
                if self.live is not False:
                    self.slots[slot] = value
                return ()
            case tree.Block(items, result, kind):
                for item in items:
                    self.value(item)
                    if self.live is False:
                        return self.nothing(kind)
                return self.value(result)
            case tree.Return(inner):
                returned = self.value(inner)
                self.returns.append(_Left(self.live, returned, dict(self.slots)))
                self.live = False
                return self.nothing(node.type)
            case tree.Closure(body, kind):
                return self._closure(body, kind)
            case tree.Equal(left, right):
                return _equal(self.value(left), self.value(right), left.type, right.type)
            case tree.Not(inner):
                return negation(self.value(inner))
            case tree.Some(inner):
                return Option(True, self.value(inner))
            case tree.IsSome(option):
                return self.value(option).present
            case tree.Payload(option):
                return self.value(option).value
            case tree.MakeTuple(items):
                return tuple(map(self.value, items))
            case tree.Item(inner, index):
                return self.value(inner)[index]
            case tree.Invoke(function, arguments):
                given = tuple(map(self.value, arguments))
                return evaluate(
                    function, given, self.unknowns, self.algebra, self.faults, self.reached()
                )
            case tree.Unknown(name):
                return self.unknowns[name]
            case tree.Panic(operation, place):
                self.faults.owe(operation, False, self.reached(), place.line)
                self.live = False
                return self.nothing(node.type)

    def _closure(self, body: tree.Expression, kind: Type) -> Any:
        outer_returns = self.returns
        self.returns = []
        value = self.value(body)
        for left in reversed(self.returns):
            value = self.selected(left.condition, left.value, value, kind)
            # What the closure has assigned before it returned stays assigned.
            self.slots = self._joined(left.condition, left.slots, self.slots)
        leaves = [left.condition for left in self.returns]
        self.returns, self.live = outer_returns, disjunction((*leaves, self.live))
        return value

    def nothing(self, kind: Type) -> Any:
        """Return a value for an expression that is not reached; nobody looks at it."""
        return lifted(self.algebra, default(kind), kind)

    def _arithmetic(self, node: tree.Arithmetic) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        match node.operator:
            case "+":
                result = left + right
            case "-":
                result = left - right
            case "*":
                result = left * right
            case "/":
                result = quotient(left, right)
            case _:
                result = remainder(left, right)
        if node.operator in "/%":
            self._owe(node, right != 0)
        assert isinstance(node.type, IntType)
        highest = node.type.highest if node.checked else None
        if highest is not None:
            if node.operator == "-":
                self._owe(node, left >= right)
            elif node.operator in "+*" and (highest != USIZE_MAX or self.faults.limit is not None):
                self._owe(node, result <= highest)
        return result

    def _owe(self, node: tree.Arithmetic, holds: Formula) -> None:
        self.faults.owe(node.text, holds, self.reached(), node.place.line)

    def _if(self, node: tree.If) -> Any:
        condition = self.value(node.condition)
        if isinstance(condition, bool):
            branch = node.then if condition else node.otherwise
            return self.typed(self.value(branch), node.type)
        before, live = self.slots, self.live
        self.live = conjunction((live, condition))
        self.slots = dict(before)
        first = self.value(node.then)
        first_slots, first_live = self.slots, self.live
        self.live = conjunction((live, negation(condition)))
        self.slots = dict(before)
        second = self.value(node.otherwise)
        second_slots, second_live = self.slots, self.live
        self.live = disjunction((first_live, second_live))
        if first_live is False:
            self.slots = second_slots
            return self.typed(second, node.type)
        if second_live is False:
            self.slots = first_slots
            return self.typed(first, node.type)
        self.slots = self._joined(condition, first_slots, second_slots)
        return self.selected(condition, first, second, node.type)

    def typed(self, value: Any, kind: Type) -> Any:
        """Return a value with something in the places that a bare ``None`` or a panic left."""
        if value is None:
            return self.nothing(kind)
        if isinstance(value, Option) and isinstance(kind, OptionType):
            return Option(value.present, self.typed(value.value, kind.inner))
        if isinstance(value, tuple) and isinstance(kind, TupleType):
            return tuple(
                self.typed(item, item_kind)
                for item, item_kind in zip(value, kind.items, strict=True)
            )
        return value

    def _joined(
        self, condition: Formula, first: dict[str, Any], second: dict[str, Any]
    ) -> dict[str, Any]:
        joined = dict(second)
        for slot, value in first.items():
            # A slot that only one side has set is not read on the other.
            other = second.get(slot, value)
            joined[slot] = value if value is other else _merged(condition, value, other)
        return joined

    def selected(self, condition: Formula, first: Any, second: Any, kind: Type) -> Any:
        """Return the first value where the condition holds, else the second."""
        return _merged(condition, self.typed(first, kind), self.typed(second, kind))


def _merged(condition: Formula, first: Any, second: Any) -> Any:
    if isinstance(condition, bool):
        return first if condition else second
    if first is None or second is None:
        return second if first is None else first
    if isinstance(first, Option):
        return Option(
            _chosen(condition, first.present, second.present),
            _merged(condition, first.value, second.value),
        )
    if isinstance(first, tuple):
        return tuple(
            _merged(condition, one, other) for one, other in zip(first, second, strict=True)
        )
    if hasattr(first, "chosen"):
        return choose(condition, first, second)
    return _chosen(condition, first, second)


def _chosen(condition: Formula, first: Formula, second: Formula) -> Formula:
    if first is second:
        return first
    return disjunction(
        (conjunction((condition, first)), conjunction((negation(condition), second)))
    )


def _compared(name: str, left: Any, right: Any) -> Formula:
    match name:
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case _:
            return left >= right


def _equal(left: Any, right: Any, left_type: Type, right_type: Type) -> Formula:
    match left_type, right_type:
        case IntType(), _:
            return left == right
        case BoolType(), _:
            return equivalence(left, right)
        case OptionType(NeverType()), _:
            return negation(right.present)
        case _, OptionType(NeverType()):
            return negation(left.present)
        case OptionType(inner), OptionType(other):
            both = conjunction((left.present, right.present))
            same = _equal(left.value, right.value, inner, other)
            neither = conjunction((negation(left.present), negation(right.present)))
            return disjunction((conjunction((both, same)), neither))
        case TupleType(items), TupleType(others):
            pairs = zip(left, right, items, others, strict=True)
            return conjunction(_equal(*pair) for pair in pairs)
    raise TypeError(f"no equality of {left_type}")
