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
    Item,
    Literal,
    MakeTuple,
    Set,
    Variable,
)
from prefill_proofs.rust import bits
from prefill_proofs.rust.rust_types import RANGES, UNSIGNED
from prefill_proofs.rust.scopes import LocalNumber, Scope
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
    """Read two operands of one type; an untyped number takes the type of the other side."""
    plain = ("integer_literal", "identifier")  # a longer sum would be gone through at every +
    if left.type in plain and is_untyped(body, left, scope) and not is_untyped(body, right, scope):
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
        same = Equal(first, second, BOOL, body.place(node))
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
    if isinstance(kind, TupleType) and kind.is_partial:
        body.refuse(
            node, f"== of {kind}", "has fields outside the planner language; compare others"
        )
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
    target = _target(field(node, "left"))
    current = None if target.type == "tuple_expression" else _current(body, target, scope)
    hint = current.type if current is not None else None
    items: list[Expression] = []
    value = body.expression(field(node, "right"), scope, hint)
    _assign(body, target, body.slots.hold(value, items), scope, items)
    return build.block(items, build.NOTHING)


def read_compound(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``x += y`` and its like."""
    target = _target(field(node, "left"))
    current = _current(body, target, scope)
    operator = field(node, "operator").type.removesuffix("=")
    items: list[Expression] = []
    if operator in ("<<", ">>"):
        amount = body.expression(field(node, "right"), scope)
        value = bits.shift(body, operator, current, amount, node)
    else:
        # The right side is run first, as Rust does for plain integers.
        right = body.slots.hold(body.of_type(field(node, "right"), scope, current.type), items)
        value = operation(body, operator, current, right, node)
    _assign(body, target, value, scope, items)
    return build.block(items, build.NOTHING)


def _target(node: Node) -> Node:
    """Return what is assigned to, without parentheses and ``*``."""
    while node.type in ("parenthesized_expression", "unary_expression"):
        node = parts(node)[0]
    return node


def _current(body: Body, target: Node, scope: Scope) -> Expression:
    """Return what is assigned to as it is now: a local variable, or a field of one."""
    if target.type == "field_expression":
        whole = _current(body, _target(field(target, "value")), scope)
        return body.item(whole, body.text(field(target, "field")), target)
    found = scope.find(body.text(target)) if target.type == "identifier" else None
    if not isinstance(found, Variable):
        body.refuse(target, "assignment", "assign to a local variable, or to a field of one")
    return found


def _assign(
    body: Body, target: Node, value: Expression, scope: Scope, items: list[Expression]
) -> None:
    """Add what puts a value into a variable, a field of one, or each item of a tuple of them."""
    if target.type == "tuple_expression":
        kind, targets = value.type, parts(target)
        if not isinstance(kind, TupleType) or len(kind.items) != len(targets):
            body.refuse(target, "assignment", f"does not match {kind}")
        held = body.slots.hold(value, items)
        for index, (part, item) in enumerate(zip(targets, kind.items, strict=True)):
            _assign(body, _target(part), Item(held, index, item), scope, items)
        return
    current = _current(body, target, scope)
    value = body.coerce(value, current.type, target)
    if target.type == "field_expression":
        owner = _target(field(target, "value"))
        whole = _current(body, owner, scope)
        assert isinstance(current, Item)
        assert isinstance(whole.type, TupleType)
        changed = tuple(
            value if index == current.position else Item(whole, index, item)
            for index, item in enumerate(whole.type.items)
        )
        _assign(body, owner, MakeTuple(changed, whole.type), scope, items)
        return
    assert isinstance(current, Variable)
    if isinstance(current.type, NeverType):
        # Declared without a type, which is known from now on.
        current = Variable(current.slot, value.type)
        scope.settle(body.text(target), current)
    items.append(Set(current.slot, value, UNIT, body.place(target)))


def read_cast(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``x as T``."""
    target = body.type(field(node, "type"))
    value = body.expression(field(node, "value"), scope, None)
    constant = bits.constant_of(value)
    if (
        constant is not None
        and constant > I32_MAX
        and is_untyped(body, field(node, "value"), scope)
    ):
        body.refuse(node, f"as {target}", "of numbers that nothing types, which are i32")
    return cast(body, value, target, node)


def is_untyped(body: Body, node: Node, scope: Scope) -> bool:
    """Return whether an expression has nothing in it but numbers that nothing gives a type."""
    if node.type == "integer_literal":
        return not body.text(node).endswith(tuple(UNSIGNED))
    if node.type == "identifier":
        found = scope.find(body.text(node))
        return isinstance(found, LocalNumber) and found.is_untyped
    if node.type not in ("parenthesized_expression", "unary_expression", "binary_expression"):
        return False
    return all(is_untyped(body, child, scope) for child in parts(node))


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
