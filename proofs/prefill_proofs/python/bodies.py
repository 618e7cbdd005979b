"""The body of a function that is called, and the one value that all its returns give."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

from prefill_proofs import build
from prefill_proofs.language import Closure, Expression, Item, Literal, MakeTuple, Set
from prefill_proofs.python import sequences, statements
from prefill_proofs.python.coercions import as_value, converted, scalar
from prefill_proofs.python.frames import Frame, Returned, State
from prefill_proofs.python.values import Items, ListOf, Value, is_scalar, joint_type, plain
from prefill_proofs.types import UNIT, TupleType, Type, default

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading


def run(reading: Reading, frame: Frame, body: list[ast.stmt], node: ast.AST) -> Value:
    """Read a body in a frame of its own, and again where its returns are of several types."""
    before = reading.state()
    outer, count = reading.items, len(reading.frames)
    start = dict(frame.names)
    try:
        _read_body(reading, frame, body)
        kind = _type_of(reading, frame, node)
        if kind is not None and frame.result is None and _differs(frame, kind):
            reading.frames.pop()
            reading.restore(before)
            frame.names, frame.returned, frame.result = dict(start), [], kind
            _read_body(reading, frame, body)
    finally:
        items, reading.items = reading.items, outer
        del reading.frames[count:]
    # The variables of the caller are what they were; lists and attributes may have changed.
    reading.frame.names = before.names
    reading.alive = bool(frame.returned)
    if frame.returned:
        reading.attributes = dict(frame.returned[-1].state.attributes)
        reading.lists = dict(frame.returned[-1].state.lists)
    return _result(reading, frame, items, kind, before.attributes, before.lists, node)


def _read_body(reading: Reading, frame: Frame, body: list[ast.stmt]) -> None:
    reading.frames.append(frame)
    reading.items, reading.alive = [], True
    reading.read_block(body)
    if reading.alive:
        statements.leave(reading, build.none(), body[-1])


def _type_of(reading: Reading, frame: Frame, node: ast.AST) -> Type | None:
    """Return the one type of all returns; ``None`` where they need none."""
    values = [entry.value for entry in frame.returned]
    is_same = all(value == values[0] for value in values[1:])
    if not values or (is_same and not is_scalar(values[0])):
        return None
    kind: Type | None = None
    for entry in frame.returned:
        found = _shape(reading, entry.value, entry.node)
        kind = found if kind is None else _joint(kind, found)
        if kind is None:
            reading.refuse(node, "results", "of different kinds; return one kind of value")
    return kind


def _joint(left: Type, right: Type) -> Type | None:
    if isinstance(left, TupleType) and isinstance(right, TupleType):
        pairs = [_joint(*pair) for pair in zip(left.items, right.items, strict=False)]
        kept = tuple(item for item in pairs if item is not None)
        is_same = len(left.items) == len(right.items) == len(kept)
        return TupleType(kept) if is_same else None
    if isinstance(left, TupleType) or isinstance(right, TupleType):
        return None
    return joint_type(left, right)


def _shape(reading: Reading, value: Value, node: ast.AST) -> Type:
    if isinstance(value, Items):
        items = sequences.fixed_items(reading, value, len(value.elements), node)
        return TupleType(tuple(_shape(reading, item, node) for item in items))
    return as_value(reading, scalar(reading, value, node)).type


def _differs(frame: Frame, kind: Type) -> bool:
    return any(
        not is_scalar(entry.value) or entry.value.type != kind  # type: ignore[union-attr]
        for entry in frame.returned
    )


def packed(reading: Reading, value: Value, kind: Type, node: ast.AST) -> Expression:
    """Return a returned value as one of a type: a tuple as a tuple of the tree."""
    if isinstance(kind, TupleType):
        items = sequences.fixed_items(reading, value, len(kind.items), node)
        pairs = zip(items, kind.items, strict=True)
        return MakeTuple(tuple(packed(reading, item, inner, node) for item, inner in pairs), kind)
    found = as_value(reading, scalar(reading, value, node))
    return converted(reading.hold(found), kind)


def _unpacked(value: Expression, kind: Type) -> Value:
    if isinstance(kind, TupleType):
        return plain(
            *(
                _unpacked(Item(value, position, inner), inner)
                for position, inner in enumerate(kind.items)
            )
        )
    return value


def _result(
    reading: Reading,
    frame: Frame,
    items: list[Expression],
    kind: Type | None,
    attributes: dict[str, Value],
    lists: Mapping[int, object],
    node: ast.AST,
) -> Value:
    """Return the value of a call, having put its code where the call stands."""
    returned = frame.returned
    early = [entry for entry in returned if not entry.is_last]
    if not early:
        reading.items += items
        return returned[-1].value if returned else build.none()
    _refuse_changes(reading, returned, attributes, lists, node)
    last = returned[-1] if returned[-1].is_last else None
    if kind is None:
        # All returns give the same thing: what is left is what may fault on the way.
        reading.emit(Closure(build.block(items, build.NOTHING), UNIT))
        return returned[0].value
    if last is not None:
        result = packed_into(reading, items, last, kind)
    else:
        result = Literal(default(kind), kind)
    slot = reading.slots.fresh("", kind)
    reading.emit(Set(slot.slot, Closure(build.block(items, result), kind), UNIT))
    return _unpacked(slot, kind)


def packed_into(
    reading: Reading, items: list[Expression], last: Returned, kind: Type
) -> Expression:
    """Return the value of the last return, with what it takes put after ``items``."""
    outer, reading.items = reading.items, items
    try:
        return packed(reading, last.value, kind, last.node)
    finally:
        reading.items = outer


def _refuse_changes(
    reading: Reading,
    returned: list[Returned],
    attributes: dict[str, Value],
    lists: Mapping[int, object],
    node: ast.AST,
) -> None:
    """Refuse a function that leaves early and changes what its caller sees."""
    given = {number for entry in returned for number in _lists_in(entry.value, entry.state)}
    first = returned[0].state.lists
    for entry in returned:
        changed = entry.state.attributes != attributes
        changed |= any(entry.state.lists[number] != old for number, old in lists.items())
        if changed or any(entry.state.lists.get(number) != first.get(number) for number in given):
            reading.refuse(
                node,
                "early return",
                "of a function that changes an attribute or list; return the value instead",
            )


def _lists_in(value: Value, state: State) -> set[int]:
    """Return the lists that a value is, or has in it."""
    match value:
        case Items(elements):
            inner = elements
        case ListOf(number):
            inner = state.lists[number]
        case _:
            return set()
    found = {number for entry in inner for number in _lists_in(entry.value, state)}
    return found | ({value.number} if isinstance(value, ListOf) else set())
