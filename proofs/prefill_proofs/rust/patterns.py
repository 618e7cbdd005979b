"""Rust patterns: a condition on a value that also binds names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import Equal, Expression, Item, Literal, Set, Variable
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import BOOL, UNIT, OptionType, TupleType, Type

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

Bound = dict[str, Variable]
"""The names of one pattern; alternatives bind the same names to the same slots."""


def declare(body: Body, pattern: Node, kind: Type, scope: Scope) -> Variable:
    """Bind a plain name, possibly ``mut``, to a new slot."""
    name = body.text(pattern).removeprefix("mut ").strip()
    slot = body.slots.fresh(name, kind)
    scope.bind(name, slot)
    return slot


def read_match_pattern(body: Body, node: Node, value: Expression, scope: Scope) -> Expression:
    """Read the pattern of a match arm with its guard, which each alternative is tried with."""
    guard_node = node.child_by_field_name("condition")
    (pattern,) = [
        child
        for child in node.children
        if child != guard_node and child.type not in ("if", "line_comment", "block_comment")
    ]
    if guard_node is None:
        return read_pattern(body, pattern, value, scope, {})
    bound: Bound = {}
    alternatives = _alternatives(pattern) if pattern.type == "or_pattern" else [pattern]
    for alternative in alternatives:
        _refuse_inner_alternatives(body, alternative)
    tests = [read_pattern(body, child, value, scope, bound) for child in alternatives]
    guard = body.condition(guard_node, scope)
    result = build.both(tests[-1], guard)
    for test in reversed(tests[:-1]):
        result = build.either(build.both(test, guard), result)
    return result


def _alternatives(node: Node) -> list[Node]:
    """Return the alternatives of an ``|`` pattern, however they are nested at its top."""
    found = []
    for child in node.children:
        if child.type == "or_pattern":
            found += _alternatives(child)
        elif child.is_named or child.type == "_":
            found.append(child)
    return found


def _refuse_inner_alternatives(body: Body, node: Node) -> None:
    """Refuse a guard that would have to be tried with alternatives inside a pattern."""
    if node.type == "or_pattern" and _binds(node):
        body.refuse(node, "alternatives that bind", "under a guard: write an arm for each")
    for child in node.named_children:
        _refuse_inner_alternatives(body, child)


def _binds(node: Node) -> bool:
    is_name = node.type == "identifier" and node.text is not None and node.text[:1].islower()
    return is_name or any(_binds(child) for child in node.named_children)


def read_pattern(
    body: Body, node: Node, value: Expression, scope: Scope, bound: Bound
) -> Expression:
    """Return the condition that a value matches; where it does, the names of the pattern are set.

    ``value`` can be read more than once.
    """
    match node.type:
        case "_" | "remaining_field_pattern":
            return build.TRUE
        case "identifier":
            return _name(body, node, value, scope, bound)
        case "ref_pattern" if parts(node)[-1].type == "mut_pattern":
            body.refuse(node, "ref mut", "a planner is a pure function; match again instead")
        case "mut_pattern" | "ref_pattern" | "reference_pattern":
            return read_pattern(body, parts(node)[-1], value, scope, bound)
        case "captured_pattern":
            name, inner = parts(node)[0], node.children[-1]
            test = read_pattern(body, inner, value, scope, bound)
            return build.both(test, _bind(body, body.text(name), value, scope, bound))
        case "or_pattern":
            alternatives = _alternatives(node)
            tests = [read_pattern(body, child, value, scope, bound) for child in alternatives]
            result = tests[-1]
            for test in reversed(tests[:-1]):
                result = build.either(test, result)
            return result
        case "tuple_struct_pattern":
            return _some(body, node, value, scope, bound)
        case "tuple_pattern":
            return _tuple(body, node, value, scope, bound)
        case "struct_pattern":
            return _struct(body, node, value, scope, bound)
        case "range_pattern":
            return _range(body, node, value)
        case "integer_literal" | "boolean_literal" | "scoped_identifier":
            return _constant(body, node, value)
        case "negative_literal":
            body.refuse(node, "negative literal", "the planner language has unsigned integers only")
    body.refuse(
        node,
        f"pattern {body.text(node)}",
        "the planner language matches options, integers, bools, tuples, structs and ranges",
    )


def _name(body: Body, node: Node, value: Expression, scope: Scope, bound: Bound) -> Expression:
    name = body.text(node)
    if name == "None" and isinstance(value.type, OptionType):
        return build.negated(build.is_some(value, body.place(node)))
    entries = body.definition.module.definitions.get(name, [])
    is_constant = any(entry.node.type in ("const_item", "static_item") for entry in entries)
    if is_constant or name[0].isupper():
        return _constant(body, node, value)
    return _bind(body, name, value, scope, bound)


def _bind(body: Body, name: str, value: Expression, scope: Scope, bound: Bound) -> Expression:
    slot = bound.get(name)
    if slot is None:
        slot = bound[name] = body.slots.fresh(name, value.type)
    scope.bind(name, slot)
    return build.block([Set(slot.slot, value, UNIT)], build.TRUE)


def _constant(body: Body, node: Node, value: Expression) -> Expression:
    if body.text(node).endswith("::None"):
        return build.negated(build.is_some(value, body.place(node)))
    wanted = body.of_type(node, Scope(), value.type)
    if value.type == BOOL and isinstance(wanted, Literal):
        return value if wanted.value else build.negated(value)
    return Equal(value, wanted, BOOL, body.place(node))


def _some(body: Body, node: Node, value: Expression, scope: Scope, bound: Bound) -> Expression:
    name = body.text(field(node, "type")).split("::")[-1]
    inner = [child for child in node.children[1:] if child.is_named or child.type == "_"]
    inner = [child for child in inner if "comment" not in child.type]
    if isinstance(value.type, TupleType) and value.type.struct == name:
        return _items(body, node, inner, value, scope, bound)
    if name != "Some" or not isinstance(value.type, OptionType) or len(inner) != 1:
        body.refuse(node, f"pattern {name}(..)", f"does not match {value.type}")
    # Read once the option is known to be there.
    items: list[Expression] = []
    held = body.slots.hold(build.payload(value), items)
    test = read_pattern(body, inner[0], held, scope, bound)
    return build.both(build.is_some(value, body.place(node)), build.block(items, test))


def _tuple(body: Body, node: Node, value: Expression, scope: Scope, bound: Bound) -> Expression:
    inner = [child for child in node.children if child.is_named or child.type == "_"]
    inner = [child for child in inner if "comment" not in child.type]
    if len(inner) == 1 and all(child.type != "," for child in node.children):
        return read_pattern(body, inner[0], value, scope, bound)  # only parentheses
    if not isinstance(value.type, TupleType):
        body.refuse(node, f"pattern {body.text(node)}", f"does not match {value.type}")
    return _items(body, node, inner, value, scope, bound)


def _items(
    body: Body, node: Node, inner: list[Node], value: Expression, scope: Scope, bound: Bound
) -> Expression:
    assert isinstance(value.type, TupleType)
    types = value.type.items
    rest = [index for index, child in enumerate(inner) if child.type == "remaining_field_pattern"]
    if rest:
        missing = len(types) - len(inner) + 1
        positions = [*range(rest[0]), *range(rest[0] + missing, len(types))]
        inner = [child for child in inner if child.type != "remaining_field_pattern"]
    else:
        positions = list(range(len(types)))
    if len(positions) != len(inner):
        body.refuse(node, f"pattern {body.text(node)}", f"does not match {value.type}")
    result: Expression = build.TRUE
    for child, position in zip(inner, positions, strict=True):
        items: list[Expression] = []
        held = body.slots.hold(Item(value, position, types[position]), items)
        test = build.block(items, read_pattern(body, child, held, scope, bound))
        result = build.both(result, test)
    return result


def _struct(body: Body, node: Node, value: Expression, scope: Scope, bound: Bound) -> Expression:
    result: Expression = build.TRUE
    for child in parts(node)[1:]:
        if child.type == "remaining_field_pattern":
            continue
        name = body.text(field(child, "name"))
        pattern = child.child_by_field_name("pattern")
        item = body.item(value, name, child)
        if pattern is None:
            test = _bind(body, name, item, scope, bound)
        else:
            items: list[Expression] = []
            held = body.slots.hold(item, items)
            test = build.block(items, read_pattern(body, pattern, held, scope, bound))
        result = build.both(result, test)
    return result


def _range(body: Body, node: Node, value: Expression) -> Expression:
    operator = next(child.type for child in node.children if child.type in ("..", "..=", "..."))
    bounds = parts(node)
    starts = bool(bounds) and bounds[0].start_byte == node.start_byte
    body.require_integer(value, node)
    read = [body.of_type(bound, Scope(), value.type) for bound in bounds]
    result: Expression = build.TRUE
    if starts:
        result = build.compare("<=", read[0], value)
    if len(read) == 2 or not starts:
        upper = build.compare("<" if operator == ".." else "<=", value, read[-1])
        result = build.both(result, upper)
    return result
