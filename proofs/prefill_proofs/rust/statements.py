"""Rust blocks and ``let``: what they bind, and the value that a block has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import (
    Expression,
    If,
    Set,
    Variable,
)
from prefill_proofs.rust import bits, operators, patterns
from prefill_proofs.rust.modules import Definition, Module, collect_items
from prefill_proofs.rust.scopes import LocalClosure, LocalImport, LocalNumber, Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import (
    NEVER,
    UNIT,
    IntType,
    NeverType,
    Type,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

_LOCAL_ITEMS = ("use_declaration", "function_item", "const_item", "attribute_item")


def read_block(body: Body, node: Node, scope: Scope, expected: Type | None = None) -> Expression:
    """Read a block: its statements, and its value."""
    inner = scope.inner()
    items: list[Expression] = []
    children = parts(node)
    _local_items(body, children, inner)
    for position, child in enumerate(children):
        is_final = position == len(children) - 1
        if child.type == "attribute_item":
            continue  # a cfg has been refused with the whole function
        if child.type in ("use_declaration", "function_item", "const_item", "empty_statement"):
            continue  # read before the statements, for they are seen from all of the block
        if child.type == "let_declaration":
            _let(body, child, inner, items)
        elif child.type == "expression_statement":
            expression = parts(child)[0]
            has_semicolon = child.children[-1].type == ";"
            value = body.expression(
                expression, inner, expected if is_final and not has_semicolon else None
            )
            if is_final and not has_semicolon:
                return build.block(items, value)
            items.append(value)
        elif child.type.endswith("_item"):
            body.refuse(child, child.type.replace("_", " "), "move it out of the function")
        elif is_final:
            return build.block(items, body.expression(child, inner, expected))
        else:
            items.append(body.expression(child, inner))
    ends = bool(items) and isinstance(items[-1].type, NeverType)
    return build.block(items[:-1], items[-1]) if ends else build.block(items, build.NOTHING)


def _local_items(body: Body, children: list[Node], scope: Scope) -> None:
    module = Module(body.file, body.definition.module.path, body.definition.module.parent)
    collect_items([child for child in children if child.type in _LOCAL_ITEMS], module)
    for name, path in module.imports.items():
        scope.bind(name, LocalImport("::".join(path)))
    local = {*module.imports, *module.definitions}
    for name, definitions in module.definitions.items():
        entry, *others = definitions
        used = _names_in(body, field(entry.node, "body" if _is_function(entry) else "value"))
        if others or used & local:
            message = "uses other items of this block, or is there twice; move them out"
            body.refuse(entry.node, f"local item {name}", message)
        if _is_function(entry):
            scope.bind(name, Definition(entry.node, body.file, body.definition.module))
        else:
            _local_constant(body, entry.node, scope)


def _let(body: Body, node: Node, scope: Scope, items: list[Expression]) -> None:
    pattern = field(node, "pattern")
    type_node = node.child_by_field_name("type")
    value_node = node.child_by_field_name("value")
    kind = body.type(type_node) if type_node is not None else None
    if value_node is None:
        if pattern.type not in ("identifier", "mut_pattern"):
            body.refuse(node, "let without a value", "bind one name")
        # Without a type it is known once something is assigned.
        patterns.declare(body, pattern, kind or NEVER, scope)
        return
    if value_node.type == "closure_expression":
        _let_closure(body, pattern, value_node, scope, items)
        return
    value = body.expression(value_node, scope, kind)
    if kind is not None:
        value = body.coerce(value, kind, value_node)
    alternative = node.child_by_field_name("alternative")
    constant = bits.constant_of(value)
    if pattern.type == "identifier" and constant is not None and isinstance(value.type, IntType):
        untyped = kind is None and operators.is_untyped(body, value_node, scope)
        scope.bind(body.text(pattern), LocalNumber(constant, value.type, untyped))
        return
    if pattern.type in ("identifier", "mut_pattern") and alternative is None:
        slot = patterns.declare(body, pattern, value.type, scope)
        items.append(Set(slot.slot, value, UNIT, body.place(node)))
        return
    held = body.slots.hold(value, items)
    if alternative is not None:
        otherwise = read_block(body, alternative, scope)
        test = body.pattern(pattern, held, scope)
        items.append(If(test, build.NOTHING, otherwise, UNIT))
        return
    test = body.pattern(pattern, held, scope)
    if test != build.TRUE:
        # What cannot fail to match needs no alternative; should it fail, that is a fault.
        items.append(build.requires(test, f"let {body.text(pattern)}", body.place(node)))


def _let_closure(
    body: Body, pattern: Node, value: Node, scope: Scope, items: list[Expression]
) -> None:
    if pattern.type not in ("identifier", "mut_pattern"):
        body.refuse(value, "closure", "bind it to a plain name")
    seen = scope.snapshot()
    if any(child.type == "move" for child in value.children):
        copy_variables(body, value, seen, items)
    name = body.text(pattern).removeprefix("mut ").strip()
    scope.bind(name, LocalClosure(value, seen))


def copy_variables(body: Body, closure: Node, scope: Scope, items: list[Expression]) -> None:
    """Give a ``move`` closure variables of its own, with the values of now."""
    for name in sorted(_names_in(body, closure)):
        found = scope.find(name)
        if isinstance(found, Variable):
            kept = body.slots.fresh(name, found.type)
            items.append(Set(kept.slot, found, UNIT))
            scope.bind(name, kept)


def _names_in(body: Body, node: Node) -> set[str]:
    """Return the identifiers that occur in a node."""
    if node.type == "identifier":
        return {body.text(node)}
    return {name for child in node.named_children for name in _names_in(body, child)}


def _is_function(entry: Definition) -> bool:
    return entry.node.type == "function_item"


def _local_constant(body: Body, node: Node, scope: Scope) -> None:
    """Bind a ``const`` of a block, which is seen from all of it."""
    kind = body.type(field(node, "type"))
    value = body.coerce(body.expression(field(node, "value"), Scope(), kind), kind, node)
    number = bits.constant_of(value)
    if number is None or not isinstance(kind, IntType):
        body.refuse(node, "local constant", "is no plain number; move it out of the function")
    scope.bind(body.text(field(node, "name")), LocalNumber(number, kind, is_untyped=False))
