"""Every small way to break a planner, on its syntax tree: the same ways in every language.

Each mutant is a well-typed tree with one change. Early returns, assertions and guards are dropped
where their conditions are forced.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.guarded import guarded, is_unwrap
from prefill_proofs.language import Expression, Function, Literal, Place
from prefill_proofs.mutators import (
    BOTH,
    forced_in,
    is_condition,
    is_settled,
    lone_assignments,
    mutations_of,
    sets_of,
    shows_constants,
)
from prefill_proofs.nodes import nodes_of, parts_of, with_part, with_parts
from prefill_proofs.tree_text import change_text, text_of
from prefill_proofs.types import UNIT, NeverType, default


class Mutant(NamedTuple):
    """A role's function with one small change: in which function, where, and in words."""

    function: str
    place: Place
    change: str
    read: Function


def mutants_of(root: Function) -> Iterator[Mutant]:
    """Yield every mutant of a function and of those that it calls, each tree once.

    A change in a function that is called twice is made for both calls.
    """
    root = guarded(root)
    seen = {repr(root)}
    for function in _reached(root, {}).values():
        for found in _Mutating(function).mutants():
            read = _with(root, function, replace(function, body=found.body), {})
            if repr(read) not in seen:
                seen.add(repr(read))
                yield Mutant(function.name, found.place, found.change, read)


def _reached(function: Function, found: dict[int, Function]) -> dict[int, Function]:
    """Return a function and all that it calls, by identity."""
    if id(function) not in found:
        found[id(function)] = function
        for node in nodes_of(function.body):
            if isinstance(node, tree.Invoke):
                _reached(node.function, found)
    return found


def _with(function: Function, old: Function, new: Function, done: dict[int, Function]) -> Function:
    """Return a function in which another one takes the place of one that it calls, or is."""

    def changed(node: Expression) -> Expression:
        node = with_parts(node, changed)
        if isinstance(node, tree.Invoke):
            return node._replace(function=_with(node.function, old, new, done))
        return node

    if function is old:
        return new
    if id(function) not in done:
        done[id(function)] = replace(function, body=changed(function.body))
    return done[id(function)]


class _Context(NamedTuple):
    """Where a node stands: what is around it, what it may be forced to, and the nearest place."""

    around: Expression | None
    forced: frozenset[bool]
    near: Place


class _Found(NamedTuple):
    """A change: where, in words, and the node, or the whole body, with it."""

    place: Place
    change: str
    body: Expression


class _Mutating:
    """Makes the mutations of the body of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        nodes = list(nodes_of(function.body))
        self.reads = Counter(node.slot for node in nodes if isinstance(node, tree.Variable))
        self.sets: dict[str, list[tree.Set]] = {}
        for node in nodes:
            if isinstance(node, tree.Set):
                self.sets.setdefault(node.slot, []).append(node)
        self.values = dict(self._values(nodes))

    def _values(self, nodes: list[Expression]) -> Iterator[tuple[str, Expression]]:
        """Yield what each slot holds, where that is one expression."""
        for node in nodes:
            match node:
                case tree.Set(slot, value) if len(self.sets[slot]) == 1:
                    yield slot, value
                case tree.If(condition, then, otherwise):
                    others = {entry.slot: entry.value for entry in sets_of(otherwise)}
                    for entry in sets_of(then):
                        if entry.slot in others and len(self.sets[entry.slot]) == 2:
                            kind, other = entry.value.type, others[entry.slot]
                            yield entry.slot, tree.If(condition, entry.value, other, kind)

    def mutants(self) -> list[_Found]:
        """Return each mutation with the whole body, in the order of the source."""
        context = _Context(None, BOTH, self.function.place)
        found = list(self._walk(self.function.body, context))
        found += [
            self._dropped(entry)
            for entries in self.sets.values()
            for entry in entries
            if self._is_assignment(entry)
        ]
        return sorted(found, key=lambda entry: entry.place)

    def _walk(self, node: Expression, context: _Context) -> Iterator[_Found]:
        """Yield the mutations of a node and of what stands in it, with the node as a whole."""
        if is_unwrap(node) or self._is_idle(node):
            return
        near = self._place(node) or context.near
        forced = context.forced if self._is_forced_here(node) else frozenset()
        for mutated, before, after in (
            *mutations_of(node, context.around, forced),
            *lone_assignments(node, frozenset(self.reads)),
        ):
            yield _Found(near, change_text(before, after, self.values), mutated)
        for spot, part in parts_of(node) if not is_settled(node) else ():
            if isinstance(part, Literal) and shows_constants(node):
                continue
            inner = _Context(node, forced_in(node, spot, context.forced), near)
            for place, change, mutated in self._walk(part, inner):
                yield _Found(place, change, spot.filled(node, mutated))

    def _is_idle(self, node: Expression) -> bool:
        """Return whether a node only keeps a value that nobody reads."""
        return (
            isinstance(node, tree.Set)
            and not self.reads[node.slot]
            and isinstance(node.value, Literal | tree.Variable)
        )

    def _is_forced_here(self, node: Expression) -> bool:
        """Return whether a node is a condition; a slot read once is forced where it is set."""
        if isinstance(node, tree.Variable):
            is_set_once = len(self.sets.get(node.slot, ())) == 1
            if is_set_once and self.reads[node.slot] == 1:
                return False
        return is_condition(node)

    def _is_assignment(self, node: tree.Set) -> bool:
        """Return whether a node is an assignment of the source whose value is read."""
        is_value = not isinstance(node.value.type, NeverType)
        return is_value and node.place is not None and self.reads[node.slot] > 0

    def _dropped(self, entry: tree.Set) -> _Found:
        """Return the body without an assignment: its slot holds what it held before.

        Where that is nothing it holds 0, false or absent, which is set at the very start.
        """
        kind = entry.value.type
        empty = tree.Set(entry.slot, Literal(default(kind), kind), UNIT)
        body = build.block([empty], with_part(self.function.body, entry, build.NOTHING))
        change = f"the assignment of `{text_of(entry.value, self.values)}` is dropped"
        assert entry.place is not None
        return _Found(entry.place, change, body)

    def _place(self, node: Expression) -> Place | None:
        """Return where a node stands, or the first thing in it that has a place."""
        place: Place | None = getattr(node, "place", None)
        if place is not None or isinstance(node, tree.Block):
            return place
        if isinstance(node, tree.Variable):
            is_temporary = node.slot.startswith("#") and node.slot in self.values
            return self._place(self.values[node.slot]) if is_temporary else None
        return next(filter(None, (self._place(part) for _, part in parts_of(node))), None)
