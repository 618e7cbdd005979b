"""Going through a syntax tree, and making it anew with something changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, TypeVar, get_args

from prefill_proofs import language as tree
from prefill_proofs.language import Expression, Literal

KINDS = get_args(Expression)
"""Every kind of expression."""

Node = TypeVar("Node", bound=Expression)


class Spot(NamedTuple):
    """A place in a node: a field, and the position in it where it has several."""

    field: str
    position: int | None = None

    def filled(self, node: Node, part: Expression) -> Node:
        """Return the node with another part in this place."""
        filling: Any = part
        if self.position is not None:
            parts = list(getattr(node, self.field))
            parts[self.position] = part
            filling = tuple(parts)
        changed: dict[str, Any] = {self.field: filling}
        whole: Any = node._replace(**changed)
        found: Node = whole
        return found


def parts_of(node: Expression) -> Iterator[tuple[Spot, Expression]]:
    """Yield the expressions that stand directly in a node."""
    if isinstance(node, Literal):
        return  # its value is no expression, though it may be a tuple
    for name, part in node._asdict().items():
        if isinstance(part, KINDS):
            yield Spot(name), part
        elif type(part) is tuple:
            for position, item in enumerate(part):
                yield Spot(name, position), item


def with_parts(node: Node, change: Callable[[Expression], Expression]) -> Node:
    """Return a node with a change made to each expression that stands directly in it."""
    for spot, part in parts_of(node):
        changed = change(part)
        if changed is not part:
            node = spot.filled(node, changed)
    return node


def with_part(node: Expression, old: Expression, new: Expression) -> Expression:
    """Return an expression with another one, given itself, wherever a part of it stood."""
    return new if node is old else with_parts(node, lambda part: with_part(part, old, new))


def nodes_of(node: Expression) -> Iterator[Expression]:
    """Yield an expression and all that stands in it, in order; not the functions it calls."""
    yield node
    for _, part in parts_of(node):
        yield from nodes_of(part)


def binds(node: Expression) -> bool:
    """Return whether an expression sets a slot: a pattern that binds a name does."""
    return any(isinstance(part, tree.Set) for part in nodes_of(node))
