"""Python expressions, by the kind of their syntax: names, attributes, conditions and branches."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prefill_proofs import build
from prefill_proofs.language import Equal, Expression, Literal
from prefill_proofs.python import attributes, calls, names, operators, sequences
from prefill_proofs.python.coercions import (
    converted,
    is_none,
    number,
    scalar,
    truth,
    truth_of,
)
from prefill_proofs.python.values import (
    INT,
    Items,
    Nested,
    Refused,
    Value,
    is_scalar,
    joint_type,
    plain,
)
from prefill_proofs.types import BOOL, BoolType, OptionType

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
    for part in ast.walk(node):
        if isinstance(part, ast.FormattedValue):
            reading.held(reading.read(part.value))  # it may fault
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


def _compare(reading: Reading, node: ast.Compare) -> Value:
    left = reading.read(node.left)
    return _comparisons(reading, node, left, node.left, 0)


def _comparisons(
    reading: Reading, node: ast.Compare, left: Value, left_node: ast.expr, index: int
) -> Expression:
    """Read ``a < b < c`` from one operand on: what comes later is not run if one fails."""
    is_last = index + 1 == len(node.ops)
    right_node = node.comparators[index]
    right = reading.read(right_node)
    if not is_last:
        right = reading.held(right)
    result = _comparison(reading, node, node.ops[index], (left, left_node), (right, right_node))
    if is_last:
        return result

    def rest() -> Value:
        return _comparisons(reading, node, right, right_node, index + 1)

    joined = reading.branch(result, rest, lambda: build.FALSE)
    return scalar(reading, joined, node)


ORDERS: dict[type[ast.cmpop], str] = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}


def _comparison(
    reading: Reading,
    node: ast.Compare,
    operator: ast.cmpop,
    left: tuple[Value, ast.expr],
    right: tuple[Value, ast.expr],
) -> Expression:
    order = ORDERS.get(type(operator))
    if order is not None:
        one, other = number(reading, *left), number(reading, *right)
        return build.compare(order, one, other, reading.place(node))
    match operator:
        case ast.Eq():
            return _equal(reading, left, right)
        case ast.NotEq():
            return build.negated(_equal(reading, left, right))
        case ast.Is():
            return _is(reading, node, left, right)
        case ast.IsNot():
            return build.negated(_is(reading, node, left, right))
    elements = sequences.elements_of(reading, right[0], right[1])
    held = reading.held(left[0])
    found: Expression = build.FALSE
    for element in reversed(elements):
        same = _equal(reading, (held, left[1]), (element.value, right[1]))
        found = build.either(build.both(element.present, same), found)
    return found if isinstance(operator, ast.In) else build.negated(found)


def _equal(
    reading: Reading, left: tuple[Value, ast.expr], right: tuple[Value, ast.expr]
) -> Expression:
    if isinstance(left[0], Items) and isinstance(right[0], Items):
        result: Expression = build.TRUE
        firsts, seconds = (
            sequences.fixed_items(reading, value, len(value.elements), node)
            for value, node in ((left[0], left[1]), (right[0], right[1]))
        )
        if left[0].is_range or right[0].is_range:
            reading.refuse(left[1], "==", "of a range; write a tuple")
        if len(firsts) != len(seconds):
            return build.FALSE
        for first, second in zip(firsts, seconds, strict=True):
            result = build.both(result, _equal(reading, (first, left[1]), (second, right[1])))
        return result
    for (value, node), (other, _) in ((left, right), (right, left)):
        if isinstance(other, Literal) and other.value is None:
            return is_none(reading, value, node)
    one, another = scalar(reading, *left), scalar(reading, *right)
    for mine, theirs in ((one, another), (another, one)):
        entry = reading.inputs.of(mine)
        if entry is not None and not isinstance(mine.type, BoolType):
            if isinstance(theirs, Literal) and isinstance(theirs.type, BoolType):
                entry.is_condition = True
            elif theirs.type == INT and reading.inputs.of(theirs) is None:
                entry.is_number = True
    kind = joint_type(one.type, another.type)
    if kind is None:
        reading.refuse(left[1], "comparison", f"of {one.type} with {another.type}")
    return Equal(converted(one, kind), converted(another, kind), BOOL)


def _is(
    reading: Reading,
    node: ast.Compare,
    left: tuple[Value, ast.expr],
    right: tuple[Value, ast.expr],
) -> Expression:
    for value, other in ((left, right), (right, left)):
        if isinstance(other[1], ast.Constant) and other[1].value is None:
            return is_none(reading, value[0], value[1])
        if isinstance(other[1], ast.Constant) and isinstance(other[1].value, bool):
            found = reading.hold(scalar(reading, *value))
            entry = reading.inputs.of(found)
            if entry is not None:
                entry.is_condition = True
            kind = joint_type(found.type, BOOL)
            if kind not in (BOOL, OptionType(BOOL)) and entry is None:
                # An int that came of a bool on some path may be the object True.
                reading.refuse(node, f"is {other[1].value}", "of a number; use ==")
            if kind not in (BOOL, OptionType(BOOL)):
                return build.FALSE  # an int is never the object True
            wanted = Literal(other[1].value, BOOL)
            return Equal(converted(found, kind), converted(wanted, kind), BOOL)
    reading.refuse(node, "is", "compare with None, True or False; for numbers use ==")


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
    ast.Compare: _compare,
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
