"""Rust literals, operators, assignments, casts and ranges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import (
    Arithmetic,
    Equal,
    Expression,
    If,
    Literal,
    MakeTuple,
    Set,
    Variable,
)
from prefill_proofs.rust import bits
from prefill_proofs.rust.rust_types import RANGES, UNSIGNED
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import (
    BOOL,
    UNIT,
    USIZE,
    BoolType,
    IntType,
    NeverType,
    OptionType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

I32_MAX = 2**31 - 1
"""Literals that nothing gives a type are of type i32."""


def read_integer(body: Body, node: Node, _scope: Scope, expected: Type | None) -> Expression:
    """Read an integer literal."""
    text = body.text(node).replace("_", "")
    suffix = next((name for name in UNSIGNED if text.endswith(name)), None)
    digits = text.removesuffix(suffix) if suffix else text
    kind: Type = UNSIGNED[suffix] if suffix else USIZE
    if suffix is None and isinstance(expected, IntType):
        kind = expected
    try:
        value = int(digits, 0) if not digits.isdigit() else int(digits)
    except ValueError:
        body.refuse(node, f"literal {body.text(node)}", "write an unsigned integer")
    assert isinstance(kind, IntType)
    if kind.highest is not None and value > kind.highest:
        body.refuse(node, f"literal {body.text(node)}", f"does not fit in {kind}")
    return build.number(value, kind)


def read_boolean(body: Body, node: Node, _scope: Scope, _expected: Type | None) -> Expression:
    """Read ``true`` or ``false``."""
    return build.TRUE if body.text(node) == "true" else build.FALSE


def read_unary(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read ``!x`` or ``*x``."""
    operator = node.children[0].type
    operand = parts(node)[0]
    if operator == "*":
        return body.expression(operand, scope, expected)
    if operator == "-":
        body.refuse(node, "negation", "the planner language has unsigned integers only")
    value = body.expression(operand, scope, expected)
    if isinstance(value.type, BoolType):
        return build.negated(value)
    return bits.complement(body, value, node)


def pair(
    body: Body, left: Node, right: Node, scope: Scope, expected: Type | None
) -> tuple[Expression, Expression]:
    """Read two operands of one type; a literal takes the type of the other side."""
    if left.type == "integer_literal" and right.type != "integer_literal":
        second = body.expression(right, scope, expected)
        return body.of_type(left, scope, second.type), second
    first = body.expression(left, scope, expected)
    return first, body.of_type(right, scope, first.type)


def read_binary(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read an operator between two operands."""
    operator = field(node, "operator").type
    left, right = field(node, "left"), field(node, "right")
    if operator == "&&":
        return build.both(body.boolean(left, scope), body.boolean(right, scope))
    if operator == "||":
        return build.either(body.boolean(left, scope), body.boolean(right, scope))
    if operator in ("<<", ">>"):
        value = body.expression(left, scope, expected)
        return bits.shift(body, operator, value, body.expression(right, scope), node)
    if operator in ("==", "!="):
        first, second = pair(body, left, right, scope, None)
        _require_plain_equality(body, first.type, node)
        same = Equal(first, second, BOOL)
        return same if operator == "==" else build.negated(same)
    if operator in ("<", "<=", ">", ">="):
        first, second = pair(body, left, right, scope, None)
        body.require_integer(first, node)
        body.require_integer(second, node)
        return build.compare(operator, first, second, body.place(node))
    first, second = pair(body, left, right, scope, expected)
    return operation(body, operator, first, second, node)


def _require_plain_equality(body: Body, kind: Type, node: Node) -> None:
    """Refuse ``==`` of a struct that says itself what equal means."""
    inner = kind.items if isinstance(kind, TupleType) else ()
    if isinstance(kind, OptionType):
        inner = (kind.inner,)
    for item in inner:
        _require_plain_equality(body, item, node)
    if isinstance(kind, TupleType) and kind.struct:
        for name in ("eq", "ne"):
            if body.reader.crate.methods(kind.struct, name, body.definition.module):
                body.refuse(node, f"== of {kind}", "has an equality of its own; derive it")


def operation(
    body: Body, operator: str, left: Expression, right: Expression, node: Node
) -> Expression:
    """Return one of ``+ - * / %`` or of the bit operators, on two values of one type."""
    if operator in ("&", "|", "^"):
        return bits.combine(body, operator, left, right, node)
    body.require_integer(left, node)
    body.require_integer(right, node)
    return Arithmetic(operator, left, right, left.type, body.place(node), body.text(node))


def read_assignment(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``x = y``."""
    if body.text(field(node, "left")) == "..":
        # The grammar takes `..= y` in parentheses for an assignment to `..`.
        upper = body.expression(field(node, "right"), scope)
        name, names = RANGES["..=x"]
        return MakeTuple((upper,), TupleType((upper.type,), names, name))
    slot = _assigned(body, node, scope)
    value = body.of_type(field(node, "right"), scope, slot.type)
    if isinstance(slot.type, NeverType):
        slot = Variable(slot.slot, value.type)
        scope.settle(body.text(field(node, "left")), slot)
    return Set(slot.slot, value, UNIT, body.place(node))


def read_compound(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``x += y`` and its like."""
    slot = _assigned(body, node, scope)
    operator = field(node, "operator").type.removesuffix("=")
    if operator in ("<<", ">>"):
        amount = body.expression(field(node, "right"), scope)
        shifted = bits.shift(body, operator, slot, amount, node)
        return Set(slot.slot, shifted, UNIT, body.place(node))
    # The right side is run first, as Rust does for plain integers.
    items: list[Expression] = []
    right = body.of_type(field(node, "right"), scope, slot.type)
    value = operation(body, operator, slot, body.slots.hold(right, items), node)
    return build.block([*items, Set(slot.slot, value, UNIT)], build.NOTHING)


def _assigned(body: Body, node: Node, scope: Scope) -> Variable:
    left = field(node, "left")
    while left.type in ("parenthesized_expression", "unary_expression"):
        left = parts(left)[0]
    found = scope.find(body.text(left)) if left.type == "identifier" else None
    if not isinstance(found, Variable):
        body.refuse(node, "assignment", "assign to a local variable")
    return found


def read_cast(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``x as T``."""
    target = body.type(field(node, "type"))
    value = body.expression(field(node, "value"), scope, None)
    constant = bits.constant_of(value)
    if constant is not None and constant > I32_MAX and _is_untyped(body, field(node, "value")):
        body.refuse(node, f"as {target}", "of numbers that nothing types, which are i32")
    return cast(body, value, target, node)


def _is_untyped(body: Body, node: Node) -> bool:
    """Return whether an expression has nothing in it but literals without a suffix."""
    if node.type == "integer_literal":
        return not body.text(node).endswith(tuple(UNSIGNED))
    children = parts(node)
    return bool(children) and all(_is_untyped(body, child) for child in children)


def cast(body: Body, value: Expression, target: Type, node: Node) -> Expression:
    """Return a value as another integer type that surely holds it, or refuse."""
    if (
        isinstance(value, Literal)
        and isinstance(value.type, IntType)
        and isinstance(target, IntType)
    ):
        if target.highest is None or value.value <= target.highest:
            return Literal(value.value, target)
        body.refuse(node, f"as {target}", f"changes the value {value.value}")
    if isinstance(target, IntType) and isinstance(value.type, BoolType):
        return If(value, build.number(1, target), build.number(0, target), target)
    if not (
        isinstance(target, IntType)
        and isinstance(value.type, IntType)
        and target.highest is not None
        and value.type.highest is not None
        and value.type.highest <= target.highest
    ):
        body.refuse(node, f"as {target}", f"may change a value of type {value.type}")
    return build.retyped(value, target, body.place(node))


def read_range(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read a range."""
    operator = next(child.type for child in node.children if child.type in ("..", "..="))
    bounds = parts(node)
    starts = bool(bounds) and bounds[0].start_byte == node.start_byte
    if len(bounds) == 2:
        values = pair(body, bounds[0], bounds[1], scope, None)
        name, names = RANGES[operator]
    elif len(bounds) == 1:
        values = (body.expression(bounds[0], scope),)  # type: ignore[assignment]
        name, names = RANGES[f"x{operator}" if starts else f"{operator}x"]
    else:
        body.refuse(node, "range", "give it a bound")
    for value in values:
        body.require_integer(value, node)
    types = tuple(value.type for value in values)
    return MakeTuple(tuple(values), TupleType(types, names, name))
