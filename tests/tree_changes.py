"""Small changes to a tree at one place: rewritings that mean the same, and mistakes.

Whether a change really leaves the meaning alone is not decided here: what is not run in the same
order, or leaves a closure, may make a rewriting a mistake, and a mistake may make no difference.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.types import BOOL, BoolType, IntType
from tree_draws import NODES, PLACE

MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}


def rewritings(node: Any) -> list[Any]:
    """Return other ways to write a node."""
    match node:
        case tree.Compare(operator, left, right):
            return [
                build.compare(MIRRORED[operator], right, left),
                build.negated(build.compare(OPPOSITE[operator], left, right)),
            ]
        case tree.If(condition, then, otherwise, kind):
            return [tree.If(build.negated(condition), otherwise, then, kind)]
        case tree.Arithmetic("+" | "*", left, right):
            return [node._replace(left=right, right=left)]
        case tree.Equal(left, right):
            return [tree.Equal(right, left, BOOL)]
        case tree.Not(inner):
            return [tree.If(inner, build.FALSE, build.TRUE, BOOL)]
        case tree.Variable(_, IntType() as kind) | tree.Literal(_, IntType() as kind):
            return [
                tree.Arithmetic("-", node, build.number(0, kind), kind, PLACE, "a - 0"),
                tree.Arithmetic("/", node, build.number(1, kind), kind, PLACE, "a / 1"),
            ]
        case tree.Variable(_, BoolType()):
            return [build.negated(build.negated(node)), tree.Closure(node, BOOL)]
        case tree.IsSome(option):
            return [build.negated(tree.Equal(option, build.none(), BOOL))]
    return []


def mistakes(node: Any) -> list[Any]:
    """Return nodes of the same type that somebody might have written instead."""
    match node:
        case tree.Compare(operator):
            return [node._replace(operator=other) for other in MIRRORED if other != operator]
        case tree.If(condition, then, otherwise, kind):
            return [tree.If(condition, otherwise, then, kind)]
        case tree.Arithmetic(operator, checked=True):
            return [node._replace(operator=other) for other in "+-*/%" if other != operator]
        case tree.Literal(int(value), IntType(_, highest)):
            near = [value - 1, value + 1]
            return [node._replace(value=other) for other in near if 0 <= other <= (highest or 0)]
        case tree.Literal(bool(value)):
            return [node._replace(value=not value)]
        case tree.Not(inner):
            return [inner]
        case tree.Equal() | tree.IsSome():
            return [build.negated(node)]
        case tree.Some(_, kind):
            return [tree.Literal(None, kind)]
        case tree.Set(place=tree.Place()):
            return [build.NOTHING]
    return []


def changes(function: tree.Function, ways: Callable[[Any], list[Any]]) -> list[tree.Function]:
    """Return the function with one node of its body changed, in every way."""
    return [replace(function, body=body) for body in _changed(function.body, ways)]


def _changed(node: Any, ways: Callable[[Any], list[Any]]) -> list[Any]:
    match node:
        case tree.If(_, tree.Arithmetic(checked=False) | tree.Payload()):
            # No reader builds numbers outside their type, or the payload of what is not there.
            return []
    found = ways(node) if isinstance(node, NODES) else []
    for index, part in enumerate(node):
        if isinstance(part, NODES) or type(part) is tuple:
            for other in _changed(part, ways):
                parts = (*node[:index], other, *node[index + 1 :])
                found.append(type(node)(*parts) if isinstance(node, NODES) else parts)
    return found
