"""Small tuples and lists: their items, what is appended to them, and comprehensions over them.

How many items there can be is known; whether one is there may depend on the inputs.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prefill_proofs import build
from prefill_proofs.language import Expression, Literal
from prefill_proofs.python import attributes
from prefill_proofs.python.coercions import ZERO, converted, number
from prefill_proofs.python.values import (
    INT,
    Chain,
    Element,
    Items,
    ListOf,
    Refused,
    Value,
    is_scalar,
    plain,
)

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

MAX_ITEMS = 64
"""A planner's list is a handful of stops; what has more is refused."""


def elements_of(reading: Reading, value: Value, node: ast.AST) -> tuple[Element, ...]:
    """Return the items of a tuple or list."""
    match value:
        case Items(elements):
            return elements
        case ListOf(index):
            return reading.lists[index]
        case Refused():
            reading.unusable(node, value)
    reading.refuse(
        node, reading.text(node), "is no tuple or list whose items are written here; list them"
    )


def fixed_items(reading: Reading, value: Value, count: int, node: ast.AST) -> list[Value]:
    """Return the items of a tuple or list of a known length."""
    elements = elements_of(reading, value, node)
    if len(elements) != count or any(entry.present != build.TRUE for entry in elements):
        reading.refuse(node, "tuple", f"does not always have {count} items; write it out")
    return [entry.value for entry in elements]


def make_list(reading: Reading, items: Value) -> ListOf:
    """Return a new list of some items."""
    assert isinstance(items, Items)
    return ListOf(reading.new_list(items.elements))


def joined(reading: Reading, left: Value, right: Value, node: ast.AST) -> Value:
    """Return ``left + right`` of two tuples, or of two lists."""
    if isinstance(left, ListOf) != isinstance(right, ListOf):
        reading.refuse(node, "+", "of a list and a tuple; make them one kind")
    elements = (*elements_of(reading, left, node), *elements_of(reading, right, node))
    _refuse_length(reading, elements, node)
    if any(isinstance(value, Items) and value.is_range for value in (left, right)):
        reading.refuse(node, "+", "of a range; write a tuple")
    return make_list(reading, Items(elements)) if isinstance(left, ListOf) else Items(elements)


def extend(reading: Reading, whole: ListOf, added: tuple[Element, ...], node: ast.AST) -> None:
    """Put items at the end of a list."""
    if whole.number in reading.aliased:
        reading.refuse(node, "list", "may be one of two lists here; make a new one of both")
    elements = (*reading.lists[whole.number], *added)
    _refuse_length(reading, elements, node)
    reading.lists[whole.number] = elements


def _refuse_length(reading: Reading, elements: tuple[Element, ...], node: ast.AST) -> None:
    if len(elements) > MAX_ITEMS:
        reading.refuse(node, "list", f"may have more than {MAX_ITEMS} items")


def list_method(reading: Reading, node: ast.Call, whole: ListOf, name: str) -> Value:
    """Read ``append`` or ``extend``, which change a list."""
    if len(node.args) != 1 or node.keywords or name not in ("append", "extend"):
        reading.refuse(node, f"method {name} of a list", "use append, extend or +")
    value = reading.held(reading.read(node.args[0]))
    items = plain(value) if name == "append" else value
    added = elements_of(reading, items, node.args[0])
    extend(reading, whole, added, node)
    return build.none()


def read_item(reading: Reading, node: ast.Subscript) -> Value:
    """Read ``values[0]``: an item of a tuple or list, or of an input that is one."""
    whole = reading.read(node.value)
    if isinstance(node.slice, ast.Slice):
        reading.refuse(node, "slice", "write the items out")
    index = number(reading, reading.read(node.slice), node.slice)
    if not isinstance(index, Literal):
        reading.refuse(node, "item at a computed place", "name the item by a constant")
    if isinstance(whole, Chain):
        path = f"{whole.path}[{index.value}]"
        if path in reading.attributes:
            return reading.attributes[path]
        attributes.require_object(reading, whole, node, f"{path} of None")
        reading.note(f"{path} is there")
        return Chain(path)
    elements = elements_of(reading, whole, node.value)
    place = int(index.value)
    if not -len(elements) <= place < len(elements):
        reading.refuse(node, reading.text(node), "is past the end")
    if any(entry.present != build.TRUE for entry in elements):
        reading.refuse(node, reading.text(node), "of a list whose length is not fixed; use next()")
    return elements[place].value


def read_comprehension(reading: Reading, node: ast.ListComp | ast.GeneratorExp) -> Value:
    """Read a comprehension over a small tuple or list as the list that it makes."""
    found: list[Element] = []
    for present, visit in visits(reading, node):
        taken: list[Value] = []

        def use(taken: list[Value] = taken) -> Value:
            taken.append(reading.held(reading.read(node.elt)))
            return build.none()

        kept = visit_item(reading, present, visit, use)
        # Where the item is left out, its slots are not set; its condition says so first.
        found += [Element(kept, value) for value in taken]
    return make_list(reading, Items(tuple(found)))


def visit_item(
    reading: Reading,
    present: Expression,
    visit: Callable[[], Expression],
    use: Callable[[], Value],
) -> Expression:
    """Read what is done with an item where it is there; return whether it was kept."""

    def look() -> Value:
        return reading.branch(visit(), used, lambda: build.FALSE)

    def used() -> Value:
        use()
        return build.TRUE

    kept = reading.branch(present, look, lambda: build.FALSE)
    assert is_scalar(kept)
    return reading.hold(kept)  # type: ignore[arg-type]


def visits(
    reading: Reading, node: ast.ListComp | ast.GeneratorExp
) -> Iterator[tuple[Expression, Callable[[], Expression]]]:
    """Yield each item of a comprehension: whether it is there, and what binds and tests it.

    What is done with an item is read in a scope of its own.
    """
    if len(node.generators) != 1:
        reading.refuse(node, "comprehension", "over two things at once; write one")
    (generator,) = node.generators
    if generator.is_async:
        reading.refuse(node, "async comprehension", "a planner is a pure function")
    inner = generator.iter
    if isinstance(inner, ast.GeneratorExp):
        reading.refuse(inner, "generator of a generator", "write the inner one as a list")
    source = reading.read(inner)
    elements = elements_of(reading, source, inner)
    frame = reading.frame
    around = frame.overlay
    frame.overlay = dict(around)
    for element in elements:

        def visit(value: Value = element.value) -> Expression:
            _bind(reading, generator.target, value)
            if len(generator.ifs) < 2:
                return reading.condition(generator.ifs[0]) if generator.ifs else build.TRUE
            return reading.condition(ast.BoolOp(ast.And(), generator.ifs))

        yield element.present, visit
        require_unchanged(reading, source, elements, inner)
    frame.overlay = around


def _bind(reading: Reading, target: ast.expr, value: Value) -> None:
    """Let the names of a comprehension stand for an item."""
    match target:
        case ast.Name(name):
            reading.frame.overlay[name] = value
        case ast.Tuple(targets) | ast.List(targets):
            for inner, item in zip(
                targets, fixed_items(reading, value, len(targets), target), strict=True
            ):
                _bind(reading, inner, item)
        case _:
            reading.refuse(target, "target of a comprehension", "bind a name")


def require_unchanged(
    reading: Reading, source: Value, elements: tuple[Element, ...], node: ast.AST
) -> None:
    """Refuse a list that is changed while it is gone through."""
    if isinstance(source, ListOf) and reading.lists[source.number] != elements:
        reading.refuse(node, "list", "is changed while it is gone through; make a new one")


def given_items(reading: Reading, node: ast.expr) -> tuple[Element, ...]:
    """Return the items of an argument that is used up: of a tuple, a list or a generator."""
    if isinstance(node, ast.GeneratorExp):
        return elements_of(reading, read_comprehension(reading, node), node)
    return elements_of(reading, reading.read(node), node)


def length(reading: Reading, elements: tuple[Element, ...], node: ast.AST) -> Expression:
    """Return how many items are there."""
    total: Expression = ZERO
    for element in elements:
        one = converted(element.present, INT)
        total = build.unchecked("+", total, one, reading.place(node))
    return total if elements else ZERO
