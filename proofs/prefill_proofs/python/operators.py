"""Python's arithmetic and bit operators, exactly: integers have no end, and division floors."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefill_proofs import build, concrete
from prefill_proofs.language import Arithmetic, Expression, If
from prefill_proofs.masks import masked
from prefill_proofs.python import sequences
from prefill_proofs.python.coercions import as_value, number, scalar
from prefill_proofs.python.values import INT, Items, ListOf, Value
from prefill_proofs.types import BOOL, BoolType

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

NAMES: dict[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "/",
    ast.Mod: "%",
}
"""The operators of the planner language."""

BITS: dict[type[ast.operator], str] = {ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^"}

MAX_EXPONENT = 8
"""A power is written out as products; no planner needs a high one."""

MAX_SHIFT = 512
"""So many bits a shift may have; past this nothing is a token count."""


def read_binary(reading: Reading, node: ast.BinOp) -> Value:
    """Read an operator between two operands."""
    left = reading.held(reading.read(node.left))
    return _combined(reading, node, node.op, (left, node.left), node.right)


def augmented(reading: Reading, node: ast.AugAssign, before: Value, value: Value) -> Value:
    """Return what ``+=`` and its like assign; a list is extended where it is."""
    if isinstance(before, ListOf) and isinstance(node.op, ast.Add):
        added = sequences.elements_of(reading, value, node.value)
        sequences.extend(reading, before, added, node)
        return before
    return _of_values(reading, node, node.op, (before, node.target), (value, node.value))


def _combined(
    reading: Reading,
    node: ast.BinOp,
    operator: ast.operator,
    left: tuple[Value, ast.expr],
    right: ast.expr,
) -> Value:
    return _of_values(reading, node, operator, left, (reading.read(right), right))


def _of_values(
    reading: Reading,
    node: ast.BinOp | ast.AugAssign,
    operator: ast.operator,
    left: tuple[Value, ast.expr],
    right: tuple[Value, ast.expr],
) -> Value:
    if isinstance(left[0], Items | ListOf) and isinstance(operator, ast.Add):
        return sequences.joined(reading, left[0], right[0], node)
    bits = BITS.get(type(operator))
    if bits is not None:
        one, other = (as_value(reading, scalar(reading, *side)) for side in (left, right))
        if isinstance(one.type, BoolType) and isinstance(other.type, BoolType):
            return _of_bools(reading, bits, one, other)
        return _masked(reading, node, bits, number(reading, *left), number(reading, *right))
    if isinstance(operator, ast.Div):
        reading.refuse(
            node,
            "/",
            "gives a float, which rounds above 2**53; write a // b, or -(-a // b) to round up",
        )
    one, other = number(reading, *left), number(reading, *right)
    if isinstance(operator, ast.LShift | ast.RShift):
        return _shifted(reading, node, isinstance(operator, ast.LShift), one, other)
    if isinstance(operator, ast.Pow):
        return _power(reading, node, one, other)
    name = NAMES.get(type(operator))
    if name is None:
        reading.refuse(node, type(operator).__name__, "is outside the planner language")
    return arithmetic(reading, name, one, other, node)


def arithmetic(
    reading: Reading, operator: str, left: Expression, right: Expression, node: ast.AST
) -> Expression:
    """Return arithmetic of two integers; of two constants, what it comes to."""
    text = reading.text(node)
    result = Arithmetic(operator, left, right, INT, reading.place(node), text)
    value = constant_of(result)
    return result if value is None else number_of(reading, value, node)


MAX_BITS = 1024
"""Integers longer than this are refused; nothing counts so many tokens."""


def number_of(reading: Reading, value: int, node: ast.AST) -> Expression:
    """Return an integer constant, or refuse one that is far too great."""
    if value.bit_length() > MAX_BITS:
        reading.refuse(node, "number", f"has more than {MAX_BITS} bits")
    return build.number(value, INT)


def constant_of(value: Expression) -> int | None:
    """Return what an integer comes to that reads no input, else ``None``."""
    try:
        return int(concrete.value_of(value))
    except (KeyError, concrete.FaultError):
        return None


def read_unary(reading: Reading, node: ast.UnaryOp) -> Value:
    """Read ``-x``, ``+x``, ``~x`` or ``not x``."""
    if isinstance(node.op, ast.Not):
        return reading.condition(node)
    value = number(reading, reading.read(node.operand), node.operand)
    zero = build.number(0, INT)
    if isinstance(node.op, ast.UAdd):
        return value
    negative = arithmetic(reading, "-", zero, value, node)
    if isinstance(node.op, ast.USub):
        return negative
    return arithmetic(reading, "-", negative, build.number(1, INT), node)


def _of_bools(reading: Reading, operator: str, one: Expression, other: Expression) -> Expression:
    # Both sides are run, unlike with ``and`` and ``or``.
    first, second = reading.hold(one), reading.hold(other)
    if operator == "&":
        return build.both(first, second)
    if operator == "|":
        return build.either(first, second)
    return If(first, build.negated(second), second, BOOL)


def _masked(
    reading: Reading, node: ast.AST, operator: str, left: Expression, right: Expression
) -> Expression:
    """Return a bit operator with a constant as exact arithmetic, for negative numbers too."""
    if constant_of(left) is not None:
        left, right = right, left
    mask, other = constant_of(right), constant_of(left)
    if mask is None:
        reading.refuse(node, f"{operator} of two variables", "use a constant mask, or % and //")
    if other is not None:
        folded = {"&": other & mask, "|": other | mask, "^": other ^ mask}
        return build.number(folded[operator], INT)
    value = reading.hold(left)
    place = reading.place(node)
    if mask >= 0:
        common = masked(value, mask, INT, place)
    else:
        # All bits but some: x & ~m is x - (x & m).
        common = build.unchecked("-", value, masked(value, ~mask, INT, place), place)
    if operator == "&":
        return common
    total = build.unchecked("+", value, build.number(mask, INT), place)
    if operator == "^":
        common = build.unchecked("*", reading.hold(common), build.number(2, INT), place)
    return build.unchecked("-", total, common, place)


def _shifted(
    reading: Reading, node: ast.AST, is_left: bool, value: Expression, amount: Expression
) -> Expression:
    operator = "<<" if is_left else ">>"
    bits = constant_of(amount)
    if bits is None:
        reading.refuse(node, f"{operator} by a variable", "shift by a constant, or multiply")
    if not 0 <= bits <= MAX_SHIFT:
        reading.refuse(node, f"{operator} by {bits}", f"shift by 0 to {MAX_SHIFT}")
    return arithmetic(reading, "*" if is_left else "/", value, build.number(2**bits, INT), node)


def _power(reading: Reading, node: ast.AST, value: Expression, exponent: Expression) -> Expression:
    times, base = constant_of(exponent), constant_of(value)
    if times is not None and base is not None and times >= 0:
        if times * base.bit_length() > 2 * MAX_BITS:
            reading.refuse(node, "number", f"has more than {MAX_BITS} bits")
        return number_of(reading, base**times, node)
    if times is None or not 0 <= times <= MAX_EXPONENT:
        message = f"is read with a constant exponent up to {MAX_EXPONENT}"
        reading.refuse(node, "**", message)
    held = reading.hold(value)
    result: Expression = build.number(1, INT)
    for _ in range(times):
        result = arithmetic(reading, "*", result, held, node)
    return result
