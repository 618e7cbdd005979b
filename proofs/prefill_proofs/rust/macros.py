"""Macros that assert: their arguments have no syntax tree of their own and are parsed again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import Equal, Expression
from prefill_proofs.rust import patterns
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import BOOL, Type

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

_PANICS = ("panic", "unreachable", "todo", "unimplemented")


def read_macro(body: Body, node: Node, scope: Scope) -> Expression:
    """Read an assertion, a panic or ``matches!``; refuse every other macro."""
    name = body.text(field(node, "macro")).split("::")[-1]
    place, text = body.place(node), body.text(node)
    if name in body.definition.module.root().macros:
        body.refuse(node, f"{name}!", "is defined in this file; write out what it does")
    if name in _PANICS:
        return build.panic(text, place)
    plain = name.removeprefix("debug_")
    if plain == "assert":
        (condition,) = _arguments(body, node, 1)
        return build.requires(_read(body, node, condition, scope, BOOL), text, place)
    if plain in ("assert_eq", "assert_ne"):
        left, right = _arguments(body, node, 2)
        first = _read(body, node, left, scope)
        same: Expression = Equal(first, _read(body, node, right, scope, first.type), BOOL)
        return build.requires(same if plain == "assert_eq" else build.negated(same), text, place)
    if name == "matches":
        return _matches(body, node, scope)
    body.refuse(node, f"{name}!", "the planner language reads assert!, panic! and matches!")


def _arguments(body: Body, node: Node, wanted: int) -> list[tuple[int, int]]:
    """Return where the first arguments of a macro start and end, at the outermost commas."""
    tokens = next(child for child in node.children if child.type == "token_tree")
    inner = tokens.children[1:-1]
    arguments: list[tuple[int, int]] = []
    start: int | None = None
    end = 0
    for token in inner:
        if token.type == ",":
            if start is not None:
                arguments.append((start, end))
            start = None
        else:
            start = token.start_byte if start is None else start
            end = token.end_byte
    if start is not None:
        arguments.append((start, end))
    if len(arguments) < wanted:
        body.refuse(node, body.text(node), f"needs {wanted} arguments")
    return arguments[:wanted]


def _parsed(
    body: Body, macro: Node, span: tuple[int, int], before: bytes = b"", after: bytes = b""
) -> tuple[Body, Node]:
    """Parse a part of a macro inside a function, and return a body that reads it."""
    frame = (b"fn f(){" + before, after + b"}")
    part = body.file.parse_part(macro, *span, frame)
    node = parts(field(parts(part.root)[0], "body"))[0]
    return body.within(part), parts(node)[0] if node.type == "expression_statement" else node


def _read(
    body: Body, macro: Node, span: tuple[int, int], scope: Scope, kind: Type | None = None
) -> Expression:
    inner, node = _parsed(body, macro, span)
    value = inner.expression(node, scope, kind)
    return value if kind is None else inner.coerce(value, kind, node)


def _matches(body: Body, node: Node, scope: Scope) -> Expression:
    value_span, pattern_span = _arguments(body, node, 2)
    items: list[Expression] = []
    value = body.slots.hold(_read(body, node, value_span, scope), items)
    reader, matched = _parsed(body, node, pattern_span, b"match x{", b" =>1}")
    arm = parts(field(matched, "body"))[0]
    inner = scope.inner()
    pattern = field(arm, "pattern")
    test = patterns.read_match_pattern(reader, pattern, value, inner)
    return build.block(items, test)
