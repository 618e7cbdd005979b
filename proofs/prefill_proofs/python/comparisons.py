"""Python's comparisons: chains of them, ``is``, ``in``, and equality of unlike types."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefill_proofs import build
from prefill_proofs.language import Equal, Expression, Literal
from prefill_proofs.python import sequences
from prefill_proofs.python.coercions import converted, is_none, number, scalar
from prefill_proofs.python.inputs import Input
from prefill_proofs.python.values import Items, Value, joint_type
from prefill_proofs.types import BOOL, OptionType

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading


def read_compare(reading: Reading, node: ast.Compare) -> Value:
    """Read a comparison, or a chain of them."""
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
        if entry is not None and theirs in (build.TRUE, build.FALSE):
            _see_bool(reading, entry)
        elif entry is not None:
            entry.is_number = True
    kind = joint_type(one.type, another.type)
    if kind is None:
        reading.refuse(left[1], "comparison", f"of {one.type} with {another.type}")
    place = reading.place(left[1])
    return Equal(converted(one, kind), converted(another, kind), BOOL, place)


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
                _see_bool(reading, entry)
            kind = joint_type(found.type, BOOL)
            if kind not in (BOOL, OptionType(BOOL)) and entry is None:
                # An int that came of a bool on some path may be the object True.
                reading.refuse(node, f"is {other[1].value}", "of a number; use ==")
            if kind not in (BOOL, OptionType(BOOL)):
                return build.FALSE  # an int is never the object True
            wanted = Literal(other[1].value, BOOL)
            return Equal(converted(found, kind), converted(wanted, kind), BOOL)
    reading.refuse(node, "is", "compare with None, True or False; for numbers use ==")


def _see_bool(reading: Reading, entry: Input) -> None:
    """Note that an input is compared with True or False: then it is taken for one of them."""
    entry.is_condition = True
    if entry.declared is None:
        reading.note(f"{entry.name} is true or false")
