"""Where two paths meet: one value for what either has left behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from prefill_proofs import build
from prefill_proofs.build import both
from prefill_proofs.language import Expression, If, Literal, Set
from prefill_proofs.python.coercions import as_value, converted, scalar_of
from prefill_proofs.python.frames import State
from prefill_proofs.python.values import (
    Chain,
    Element,
    Items,
    ListOf,
    MaybeSet,
    Refused,
    Value,
    is_alike,
    is_scalar,
    joint_type,
)
from prefill_proofs.types import BOOL, UNIT, Type, default

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Path, Reading


class Joiner:
    """Joins two paths, by writing at the end of each what is read after both."""

    def __init__(self, reading: Reading, before: State, first: Path, second: Path) -> None:
        self.reading = reading
        self.before = before
        self.first = first.items
        self.second = second.items
        self.states = first.state, second.state

    def join(self) -> None:
        """Let the reading go on with what either path has left behind."""
        first, second = self.states
        lists = self.reading.lists = {**first.lists, **second.lists}
        for number in first.lists.keys() & second.lists.keys():
            lists[number] = self._elements(first.lists[number], second.lists[number])
        names = self._tables(first.names, second.names)
        attributes = self._attributes(first.attributes, second.attributes)
        self.reading.restore(State(names, attributes, self.reading.lists))

    def _tables(self, first: dict[str, Value], second: dict[str, Value]) -> dict[str, Value]:
        return {
            name: self._variable(name, first.get(name), second.get(name))
            for name in {**first, **second}
        }

    def _variable(self, name: str, first: Value | None, second: Value | None) -> Value:
        """Return what a name stands for; ``None`` is a path that has not set it."""
        if first is not None and is_alike(first, second):
            return first
        is_certain = not isinstance(first, MaybeSet) and not isinstance(second, MaybeSet)
        if first is not None and second is not None and is_certain:
            return self.values(first, second)
        one, other = self._maybe(first, second), self._maybe(second, first)
        if one is None or other is None:
            message = "is not set on every path to here; set it before"
            return Refused(f"name {name}", message, is_unset=True)
        value = self.values(one.value, other.value)
        if isinstance(value, Refused):
            return value
        is_set = self.reading.slots.fresh("", BOOL)
        self.first.append(Set(is_set.slot, one.is_set, UNIT))
        self.second.append(Set(is_set.slot, other.is_set, UNIT))
        return MaybeSet(is_set, cast(Expression, value))

    def _maybe(self, value: Value | None, other: Value | None) -> MaybeSet | None:
        """Return a value as one that may not be set; ``None`` for a tuple, a list and the like."""
        if isinstance(value, MaybeSet):
            return value
        if value is None:
            there = self._maybe(other, None) if other is not None else None
            if there is None:
                return None
            kind = there.value.type
            return MaybeSet(build.FALSE, Literal(default(kind), kind))
        scalar = self._scalar(value)
        return None if scalar is None else MaybeSet(build.TRUE, scalar)

    def _attributes(self, first: dict[str, Value], second: dict[str, Value]) -> dict[str, Value]:
        result = {}
        for path in {**first, **second}:
            # Where a path has not assigned it, the attribute is what it was.
            one, other = first.get(path, Chain(path)), second.get(path, Chain(path))
            result[path] = self.values(one, other)
        return result

    def values(self, first: Value, second: Value) -> Value:
        """Return the value that is there after both paths."""
        if is_alike(first, second):
            return first
        for value in (first, second):
            if isinstance(value, Refused):
                return value
        if isinstance(first, Items) and isinstance(second, Items):
            return Items(self._elements(first.elements, second.elements))
        if isinstance(first, ListOf) and isinstance(second, ListOf):
            mine, theirs = (state.lists for state in self.states)
            joined = self._elements(mine[first.number], theirs[second.number])
            number = self.reading.new_list(joined)
            if not (self._is_fresh(first, 0) and self._is_fresh(second, 1)):
                self.reading.aliased |= {first.number, second.number, number}
            return ListOf(number)
        one, other = self._scalar(first), self._scalar(second)
        if one is None or other is None:
            return Refused("value", "is not of one kind on every path to here; make it one")
        kind = joint_type(one.type, other.type)
        if kind is None:
            return _mixed(one.type, other.type)
        slot = self.reading.slots.fresh("", kind)
        for value in (one, other):
            as_value(self.reading, value)
        self.first.append(Set(slot.slot, converted(one, kind), UNIT))
        self.second.append(Set(slot.slot, converted(other, kind), UNIT))
        return slot

    def _is_fresh(self, value: ListOf, path: int) -> bool:
        """Return whether a path has made a list, and nothing but the value itself is that list."""
        state = self.states[path]
        overlay = self.reading.frame.overlay
        named = [*state.names.values(), *state.attributes.values(), *overlay.values()]
        inner = [entry.value for elements in state.lists.values() for entry in elements]
        uses = sum(uses_of(value.number, other) for other in (*named, *inner))
        return value.number not in self.before.lists and uses <= 1

    def _scalar(self, value: Value) -> Expression | None:
        if isinstance(value, Chain):
            found = scalar_of(self.reading, value)
            entry = self.reading.inputs.find(value.path)
            return None if entry.is_object else found
        return cast(Expression, value) if is_scalar(value) else None

    def _elements(
        self, first: tuple[Element, ...], second: tuple[Element, ...]
    ) -> tuple[Element, ...]:
        if len(first) == len(second) and all(
            one.present == other.present == build.TRUE
            for one, other in zip(first, second, strict=True)
        ):
            pairs = zip(first, second, strict=True)
            return tuple(
                Element(build.TRUE, self.values(one.value, other.value)) for one, other in pairs
            )
        shared = 0
        while shared < min(len(first), len(second)) and first[shared] == second[shared]:
            shared += 1
        mine = (self._only(entry, self.first, self.second) for entry in first[shared:])
        theirs = (self._only(entry, self.second, self.first) for entry in second[shared:])
        return (*first[:shared], *mine, *theirs)

    def _only(self, element: Element, here: list[Expression], there: list[Expression]) -> Element:
        """Return an element that one path has and the other has not."""
        present = self._set(element.present, build.FALSE, BOOL, here, there)
        return Element(present, self._shared(element.value, element.present, here, there))

    def _shared(
        self,
        value: Value,
        present: Expression,
        here: list[Expression],
        there: list[Expression],
    ) -> Value:
        """Return a value that can be read after both paths, and means something after one."""
        if isinstance(value, Items):
            inner = (
                Element(
                    item.present
                    if item.present == build.TRUE
                    else self._set(both(present, item.present), build.FALSE, BOOL, here, there),
                    self._shared(item.value, both(present, item.present), here, there),
                )
                for item in value.elements
            )
            return Items(tuple(inner))
        scalar = self._scalar(value)
        if scalar is None:
            return value
        as_value(self.reading, scalar)
        nothing = Literal(default(scalar.type), scalar.type)
        # What is not there has not been set either.
        there_or_not = (
            scalar if is_alike(present, build.TRUE) else If(present, scalar, nothing, scalar.type)
        )
        return self._set(there_or_not, nothing, scalar.type, here, there)

    def _set(
        self,
        value: Expression,
        other: Expression,
        kind: Type,
        here: list[Expression],
        there: list[Expression],
    ) -> Expression:
        slot = self.reading.slots.fresh("", kind)
        here.append(Set(slot.slot, value, UNIT))
        there.append(Set(slot.slot, other, UNIT))
        return slot


def _mixed(one: Type, other: Type) -> Refused:
    return Refused("value", f"is of type {one} on one path and {other} on another")


def uses_of(number: int, value: Value) -> int:
    """Return how often a value, or an item of a tuple, is a list."""
    if isinstance(value, Items):
        return sum(uses_of(number, entry.value) for entry in value.elements)
    return int(isinstance(value, ListOf) and value.number == number)
