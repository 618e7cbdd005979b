"""The planner language on ints, as Rust runs it with overflow checks on."""

import operator
from collections.abc import Callable, Mapping
from typing import Any

from prefill_proofs import language as tree
from prefill_proofs.types import IntType

_OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.floordiv,
    "%": operator.mod,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class FaultError(ArithmeticError):
    """A fault: the operation, and where it stands in the source."""

    def __init__(self, operation: str, place: tree.Place) -> None:
        super().__init__(f"{operation} at {place}")
        self.operation = operation
        self.place = place


class _Return(Exception):  # noqa: N818 - control flow, not an error
    def __init__(self, value: Any) -> None:
        super().__init__()
        self.value = value


def run(
    function: tree.Function,
    arguments: tuple[Any, ...],
    unknowns: Mapping[str, Any],
    visited: list[tree.Place] | None = None,
) -> Any:
    """Return what a function answers; an absent option is ``None``.

    ``unknowns`` gives the values of the unknown constants; the places that the run comes through
    are added to ``visited``, in order. Raises ``FaultError`` where the function faults.
    """
    slots = {slot: value for (slot, _), value in zip(function.parameters, arguments, strict=True)}
    try:
        return _Evaluation(slots, unknowns, visited).value(function.body)
    except _Return as left:
        return left.value


def value_of(expression: tree.Expression) -> Any:
    """Return the value of an expression that reads nothing from outside itself.

    Raises ``KeyError`` for one that does, and ``FaultError`` where it faults.
    """
    return _Evaluation({}, {}, None).value(expression)


class _Evaluation:
    """One call in progress."""

    def __init__(
        self,
        slots: dict[str, Any],
        unknowns: Mapping[str, Any],
        visited: list[tree.Place] | None,
    ) -> None:
        self.slots = slots
        self.unknowns = unknowns
        self.visited = visited

    def value(self, node: tree.Expression) -> Any:
        if self.visited is not None:
            place = getattr(node, "place", None)
            if place is not None:
                self.visited.append(place)
        match node:
            case tree.Variable(slot):
                return self.slots[slot]
            case tree.Literal(value):
                return value
            case tree.Arithmetic():
                return self._arithmetic(node)
            case tree.Compare(name, left, right):
                return _COMPARISONS[name](self.value(left), self.value(right))
            case tree.If(condition, then, otherwise):
                return self.value(then if self.value(condition) else otherwise)
            case tree.Set(slot, inner):
                self.slots[slot] = self.value(inner)
                return ()
            case tree.Block(items, result):
                for item in items:
                    self.value(item)
                return self.value(result)
            case tree.Return(inner):
                raise _Return(self.value(inner))
            case tree.Closure(body):
                try:
                    return self.value(body)
                except _Return as left_closure:
                    return left_closure.value
            case tree.Equal(left, right):
                return self.value(left) == self.value(right)
            case tree.Not(inner):
                return not self.value(inner)
            case tree.Some(inner):
                return self.value(inner)
            case tree.IsSome(option):
                return self.value(option) is not None
            case tree.Payload(option):
                return self.value(option)
            case tree.MakeTuple(items):
                return tuple(map(self.value, items))
            case tree.Item(inner, index):
                return self.value(inner)[index]
            case tree.Invoke(function, arguments):
                given = tuple(map(self.value, arguments))
                return run(function, given, self.unknowns, self.visited)
            case tree.Unknown(name):
                return self.unknowns[name]
            case tree.Panic(operation, place):
                raise FaultError(operation, place)

    def _arithmetic(self, node: tree.Arithmetic) -> int:
        left, right = self.value(node.left), self.value(node.right)
        if node.operator in "/%" and right == 0:
            raise FaultError(node.text, node.place)
        result = _OPERATORS[node.operator](left, right)
        assert isinstance(node.type, IntType)
        highest = node.type.highest if node.checked else None
        if highest is not None and not 0 <= result <= highest:
            raise FaultError(node.text, node.place)
        return result
