"""Rust expressions, by the kind of their syntax: names, branches, tuples, structs and calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import (
    Expression,
    If,
    MakeTuple,
    Return,
    Variable,
)
from prefill_proofs.rust import calls, macros, operators, patterns, statements
from prefill_proofs.rust.rust_types import ARRAY, UNSIGNED
from prefill_proofs.rust.scopes import LocalClosure, LocalNumber, Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import (
    NEVER,
    UNIT,
    IntType,
    NeverType,
    OptionType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body


def read_name(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read a local name, a constant or ``None``."""
    found = scope.find(body.text(node))
    if isinstance(found, Variable):
        return found
    if isinstance(found, LocalNumber):
        if not found.is_untyped or not isinstance(expected, IntType):
            return build.number(found.value, found.type)
        if expected.highest is not None and found.value > expected.highest:
            body.refuse(node, f"number {found.value}", f"does not fit in {expected}")
        return build.number(found.value, expected)
    if isinstance(found, LocalClosure):
        body.refuse(node, "closure as a value", "call it, or pass it to a method of an option")
    return read_path(body, node, scope, expected)


def read_path(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read a constant by its path, ``None`` or ``usize::MAX``."""
    text = calls.imported(body.text(node).replace(" ", ""), scope)
    if text.split("::")[-1] == "None" and text in calls.NONE_PATHS:
        inner = expected.inner if isinstance(expected, OptionType) else NEVER
        return build.none(inner)
    head, _, last = text.rpartition("::")
    integer = UNSIGNED.get(head.split("::")[-1])
    if integer is not None and integer.highest is not None:
        special = {"MAX": integer.highest, "MIN": 0, "BITS": integer.highest.bit_length()}
        if last in special:
            return build.number(special[last], UNSIGNED["u32"] if last == "BITS" else integer)
    definition = calls.find(body, text, node, ("const_item", "static_item"))
    if definition is None:
        body.refuse(node, f"name {text}", "is not defined in this file; see [planner.externs]")
    return body.reader.constant(definition, node)


def read_parenthesized(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read what parentheses hold."""
    return body.expression(parts(node)[0], scope, expected)


def read_reference(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read ``&x`` as ``x``."""
    if any(child.type == "mutable_specifier" for child in node.children):
        body.refuse(node, "&mut", "a planner is a pure function; return the value instead")
    return body.expression(field(node, "value"), scope, expected)


def read_if(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read ``if``, with ``let`` and ``else`` where they are there."""
    inner = scope.inner()
    condition = body.condition(field(node, "condition"), inner)
    then = statements.read_block(body, field(node, "consequence"), inner, expected)
    clause = node.child_by_field_name("alternative")
    if clause is None:
        return If(condition, then, build.NOTHING, UNIT)
    expected = expected or (None if isinstance(then.type, NeverType) else then.type)
    otherwise = body.expression(parts(clause)[0], scope, expected)
    return body.join(condition, then, otherwise, node)


def read_match(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read ``match``: the first arm that matches."""
    items: list[Expression] = []
    subject = body.slots.hold(body.expression(field(node, "value"), scope), items)
    arms = [child for child in parts(field(node, "body")) if child.type == "match_arm"]
    # The compiler sees to it that an arm matches; should none, that is a fault.
    result = build.panic("match without a matching arm", body.place(node))
    read: list[tuple[Expression, Expression]] = []
    for arm in arms:
        inner = scope.inner()
        pattern = field(arm, "pattern")
        test = patterns.read_match_pattern(body, pattern, subject, inner)
        value = body.expression(field(arm, "value"), inner, expected)
        if expected is None and not isinstance(value.type, NeverType):
            expected = value.type
        read.append((test, value))
    for test, value in reversed(read):
        result = body.join(test, value, result, node)
    return build.block(items, result)


def read_return(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``return``."""
    children = parts(node)
    value = body.expression(children[0], scope, body.result) if children else build.NOTHING
    return _leave(body, value, node)


def _leave(body: Body, value: Expression, node: Node) -> Expression:
    if body.result is not None:
        value = body.coerce(value, body.result, node)
    body.returned.append(value.type)
    return Return(value, NEVER, body.place(node))


def read_try(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read ``?`` on an option."""
    items: list[Expression] = []
    option = body.slots.hold(body.expression(parts(node)[0], scope), items)
    if not isinstance(option.type, OptionType) or not isinstance(
        body.result, OptionType | type(None)
    ):
        body.refuse(node, "?", "is read on options, in functions that return an option")
    leave = _leave(body, build.none(), node)
    value = If(build.is_some(option), build.payload(option), leave, option.type.inner)
    return build.block(items, value)


def read_tuple(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read a tuple."""
    hints = expected.items if isinstance(expected, TupleType) else ()
    children = parts(node)
    items = tuple(
        body.expression(child, scope, hints[index] if index < len(hints) else None)
        for index, child in enumerate(children)
    )
    return MakeTuple(items, TupleType(tuple(item.type for item in items)))


def read_array(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read an array of listed items."""
    children = parts(node)
    if not children or any(child.type == ";" for child in node.children):
        body.refuse(node, "array", "list its items")
    first = body.expression(children[0], scope)
    items = [first, *(body.of_type(child, scope, first.type) for child in children[1:])]
    names = tuple(map(str, range(len(items))))
    return MakeTuple(tuple(items), TupleType((first.type,) * len(items), names, ARRAY))


def read_struct(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read a struct with all its fields."""
    kind = body.type(field(node, "name"))
    if not isinstance(kind, TupleType):
        body.refuse(node, f"struct {body.text(field(node, 'name'))}", "is no struct here")
    given: dict[str, Expression] = {}
    items: list[Expression] = []
    for child in parts(field(node, "body")):
        if child.type == "shorthand_field_initializer":
            name, value_node = body.text(child), parts(child)[0]
        elif child.type == "field_initializer":
            name, value_node = body.text(field(child, "field")), field(child, "value")
        else:
            body.refuse(child, "..base", "name every field")
        if name not in kind.names:
            body.refuse(child, f"field {name}", "has a type outside the planner language")
        value = body.of_type(value_node, scope, kind.items[kind.names.index(name)])
        given[name] = body.slots.hold(value, items)
    missing = [name for name in kind.names if name not in given]
    if missing:
        body.refuse(node, f"struct {kind}", f"gives no {missing[0]}")
    return build.block(items, MakeTuple(tuple(given[name] for name in kind.names), kind))


def read_field(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read a field of a struct or an item of a tuple."""
    value = body.expression(field(node, "value"), scope)
    name = body.text(field(node, "field"))
    return body.item(value, name, node)


def read_call(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read a call of a function or method."""
    return calls.read_call(body, node, scope, expected)


def read_macro(body: Body, node: Node, scope: Scope, _expected: Type | None) -> Expression:
    """Read a macro that asserts."""
    return macros.read_macro(body, node, scope)


def read_closure(body: Body, node: Node, _scope: Scope, _expected: Type | None) -> Expression:
    """Refuse a closure where no one calls it."""
    body.refuse(node, "closure", "pass it to a method of an option, or bind it to a name")


Reader = Callable[["Body", Node, Scope, Type | None], Expression]

EXPRESSIONS: dict[str, Reader] = {
    "integer_literal": operators.read_integer,
    "boolean_literal": operators.read_boolean,
    "identifier": read_name,
    "self": read_name,
    "scoped_identifier": read_path,
    "parenthesized_expression": read_parenthesized,
    "reference_expression": read_reference,
    "unary_expression": operators.read_unary,
    "binary_expression": operators.read_binary,
    "assignment_expression": operators.read_assignment,
    "compound_assignment_expr": operators.read_compound,
    "if_expression": read_if,
    "match_expression": read_match,
    "block": statements.read_block,
    "return_expression": read_return,
    "try_expression": read_try,
    "tuple_expression": read_tuple,
    "unit_expression": lambda _body, _node, _scope, _expected: build.NOTHING,
    "struct_expression": read_struct,
    "field_expression": read_field,
    "type_cast_expression": operators.read_cast,
    "range_expression": operators.read_range,
    "call_expression": read_call,
    "macro_invocation": read_macro,
    "closure_expression": read_closure,
    "array_expression": read_array,
}
