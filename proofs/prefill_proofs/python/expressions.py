"""Python expressions, by the kind of their syntax: names, attributes, conditions and branches."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prefill_proofs import build
from prefill_proofs.language import Expression, Literal
from prefill_proofs.python import attributes, calls, comparisons, names, operators, sequences
from prefill_proofs.python.coercions import (
    scalar,
    truth,
    truth_of,
)
from prefill_proofs.python.values import (
    Nested,
    Refused,
    Value,
    is_scalar,
    plain,
)
from prefill_proofs.types import BOOL, BoolType

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading


def read(reading: Reading, node: ast.expr) -> Value:
    """Read an expression."""
    reader = EXPRESSIONS.get(type(node))
    if reader is not None:
        value: Value = reader(reading, node)
        return value
    name, advice = REFUSED.get(type(node), (type(node).__name__, "write it another way"))
    reading.refuse(node, name, f"is outside the planner language; {advice}")


REFUSED: dict[type[ast.expr], tuple[str, str]] = {
    ast.Dict: ("dict", "use a tuple"),
    ast.Set: ("set", "use a tuple"),
    ast.SetComp: ("set comprehension", "use a list comprehension"),
    ast.DictComp: ("dict comprehension", "use a list comprehension"),
    ast.Await: ("await", "a planner is a pure function"),
    ast.Yield: ("yield", "a planner returns one value"),
    ast.YieldFrom: ("yield from", "a planner returns one value"),
    ast.Starred: ("*", "name the items"),
}


def _constant(reading: Reading, node: ast.Constant) -> Value:
    value = node.value
    if value is None:
        return build.none()
    if isinstance(value, bool):
        return Literal(value, BOOL)
    if isinstance(value, int):
        return operators.number_of(reading, value, node)
    if isinstance(value, float):
        return Refused(f"float {value}", "rounds above 2**53; the planner language has integers")
    return Refused("text", "is outside the planner language, which has integers and bools")


def _text(reading: Reading, node: ast.JoinedStr) -> Value:
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            reading.held(reading.read(part.value))  # it may fault
            if part.format_spec is not None:
                reading.read(part.format_spec)
    return Refused("text", "is outside the planner language, which has integers and bools")


def _name(reading: Reading, node: ast.Name) -> Value:
    return names.find(reading, node)


def _attribute(reading: Reading, node: ast.Attribute) -> Value:
    outside = attributes.outside_attribute(reading, node)
    if outside is not None:
        return outside
    return attributes.attribute(reading, reading.read(node.value), node.attr, node)


def read_condition(reading: Reading, node: ast.expr) -> Expression:
    """Read an expression of which only matters whether it counts as true."""
    match node:
        case ast.BoolOp(operator, values):
            return _conditions(reading, isinstance(operator, ast.And), values)
        case ast.UnaryOp(ast.Not(), operand):
            inner = reading.condition(operand)
            if isinstance(inner, Literal):
                return Literal(not inner.value, BOOL)
            return build.negated(inner)
    return truth(reading, reading.read(node), node)


def _conditions(reading: Reading, is_and: bool, values: list[ast.expr]) -> Expression:
    first = reading.condition(values[0])
    if len(values) == 1:
        return first

    def rest() -> Value:
        return _conditions(reading, is_and, values[1:])

    if is_and:
        joined = reading.branch(first, rest, lambda: build.FALSE)
    else:
        joined = reading.branch(first, lambda: build.TRUE, rest)
    return truth_of(reading, scalar(reading, joined, values[0]))


def _boolean(reading: Reading, node: ast.BoolOp) -> Value:
    """Read ``and`` or ``or`` whose value is used: that of the operand that decides."""
    return _operands(reading, isinstance(node.op, ast.And), node.values)


def _operands(reading: Reading, is_and: bool, values: list[ast.expr]) -> Value:
    first = reading.held(reading.read(values[0]))
    if len(values) == 1:
        return first
    decides = truth(reading, first, values[0])

    def rest() -> Value:
        return _operands(reading, is_and, values[1:])

    def itself() -> Value:
        if is_scalar(first) and isinstance(first.type, BoolType):  # type: ignore[union-attr]
            return build.FALSE if is_and else build.TRUE
        return first

    if is_and:
        return reading.branch(decides, rest, itself)
    return reading.branch(decides, itself, rest)


def _choice(reading: Reading, node: ast.IfExp) -> Value:
    return reading.branch(
        reading.condition(node.test),
        lambda: reading.read(node.body),
        lambda: reading.read(node.orelse),
    )


def _walrus(reading: Reading, node: ast.NamedExpr) -> Value:
    value = reading.held(reading.read(node.value))
    reading.frame.names[node.target.id] = value
    return value


def _tuple(reading: Reading, node: ast.Tuple) -> Value:
    return plain(*(reading.held(reading.read(item)) for item in node.elts))


def _list(reading: Reading, node: ast.List) -> Value:
    return sequences.make_list(reading, _tuple(reading, ast.Tuple(node.elts)))


def _lambda(reading: Reading, node: ast.Lambda) -> Value:
    calls.refuse_defaults(reading, node)
    return Nested(node, reading.frame)


def _generator(_reading: Reading, _node: ast.GeneratorExp) -> Value:
    message = "is read where it is used up: in min, max, sum, any, all, next, list or tuple"
    return Refused("generator", f"{message}; write a list")


EXPRESSIONS: dict[type[ast.expr], Callable[[Reading, Any], Value]] = {
    ast.Constant: _constant,
    ast.JoinedStr: _text,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: operators.read_binary,
    ast.UnaryOp: operators.read_unary,
    ast.BoolOp: _boolean,
    ast.Compare: comparisons.read_compare,
    ast.IfExp: _choice,
    ast.NamedExpr: _walrus,
    ast.Tuple: _tuple,
    ast.List: _list,
    ast.ListComp: sequences.read_comprehension,
    ast.GeneratorExp: _generator,
    ast.Subscript: sequences.read_item,
    ast.Lambda: _lambda,
    ast.Call: calls.read_call,
}
