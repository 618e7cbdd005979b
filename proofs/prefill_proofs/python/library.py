"""Python's own functions: ``min``, ``max``, ``abs``, ``any``, ``sum`` and the like."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, NoReturn

from prefill_proofs import build
from prefill_proofs.language import Expression, If, Literal
from prefill_proofs.python import attributes, operators, sequences
from prefill_proofs.python.coercions import ZERO, number, scalar, truth
from prefill_proofs.python.names import is_local
from prefill_proofs.python.values import INT, Chain, Element, Items, Value, plain
from prefill_proofs.types import BoolType

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

FLOATS = ("math.", "np.", "numpy.", "torch.")
"""Modules whose functions give floats, or arrays."""


def refused_call(reading: Reading, function: ast.Attribute) -> tuple[str, str] | None:
    """Return why a call such as ``math.ceil`` is refused, ``None`` where it is not."""
    text = reading.text(function)
    if text.startswith("super()"):
        return "super()", "is outside the planner language; name the function"
    if not text.startswith(FLOATS) or is_local(reading, text.split(".")[0]):
        return None
    if text in ("math.ceil", "math.floor"):
        way = "-(-a // b)" if text == "math.ceil" else "a // b"
        return f"{text}(a / b)", f"goes through a float, which rounds above 2**53; write {way}"
    return f"call of {text}", "is outside the planner language, which has integers and bools"


def read_builtin(reading: Reading, node: ast.Call, name: str) -> Value:
    """Read a call of one of Python's own functions."""
    reader = BUILTINS.get(name)
    if reader is None:
        reading.refuse(
            node,
            f"call of {name}",
            f'is not defined in this file; name its file: [planner.externs] "{name}" = "FILE.py"',
        )
    if reading.frame.module.star_import:
        reading.refuse(
            node, f"call of {name}", "could come from an import *; name what is imported"
        )
    if any(isinstance(entry, ast.Starred) for entry in node.args):
        reading.refuse(node, f"* in a call of {name}", "name the arguments")
    return reader(reading, node)


def _arguments(reading: Reading, node: ast.Call, *counts: int) -> list[Value]:
    if node.keywords or len(node.args) not in counts:
        _refuse_arguments(reading, node)
    return [reading.held(reading.read(entry)) for entry in node.args]


def _refuse_arguments(reading: Reading, node: ast.Call) -> NoReturn:
    reading.refuse(node, reading.text(node), "is called with arguments that are not read")


def _extreme(order: str) -> Callable[[Reading, ast.Call], Value]:
    """Return the reader of ``min`` or ``max``."""

    def read(reading: Reading, node: ast.Call) -> Value:
        otherwise: ast.expr | None = None
        for keyword in node.keywords:
            if keyword.arg != "default":
                reading.refuse(node, f"{keyword.arg} in {reading.text(node.func)}", "leave it out")
            otherwise = keyword.value
        if len(node.args) > 1 and otherwise is None:
            items = plain(*_numbers(reading, node))
            elements = items.elements
        elif len(node.args) == 1:
            elements = sequences.given_items(reading, node.args[0])
        else:
            _refuse_arguments(reading, node)
        default = None
        if otherwise is not None:
            default = reading.held(reading.read(otherwise))
        return _best(reading, order, elements, (default, otherwise), node)

    return read


def _numbers(reading: Reading, node: ast.Call) -> list[Expression]:
    return [reading.hold(number(reading, reading.read(entry), entry)) for entry in node.args]


def _best(
    reading: Reading,
    order: str,
    elements: tuple[Element, ...],
    default: tuple[Value | None, ast.expr | None],
    node: ast.Call,
) -> Value:
    """Return the least or greatest of the items that are there."""
    is_any: Expression = build.FALSE
    best: Expression = ZERO
    if len(elements) == 1 and elements[0].present == build.TRUE:
        return elements[0].value  # whatever it is: there is nothing to compare it with
    for element in elements:

        def value(element: Element = element) -> Value:
            return number(reading, element.value, node)

        mine = reading.branch(element.present, value, lambda: ZERO)
        held = reading.hold(scalar(reading, mine, node))
        is_better: Expression = build.compare(order, held, best, reading.place(node))
        if is_any != build.TRUE:
            is_better = build.either(build.negated(is_any), is_better)
        if is_any == build.FALSE:
            is_better = build.TRUE
        wins = build.both(element.present, is_better)
        best = held if wins == build.TRUE else reading.hold(If(wins, held, best, INT))
        if build.TRUE in (is_any, element.present):
            is_any = build.TRUE
        else:
            is_any = reading.hold(build.either(is_any, element.present))
    fallback, fallback_node = default
    if is_any == build.TRUE:
        return best
    if fallback is not None:
        return reading.branch(is_any, lambda: best, lambda: fallback)
    del fallback_node
    text = f"{reading.text(node)} of nothing"
    reading.emit(build.requires(is_any, text, reading.place(node)))
    return best


def _sum(reading: Reading, node: ast.Call) -> Value:
    if node.keywords or len(node.args) not in (1, 2):
        _refuse_arguments(reading, node)
    elements = sequences.given_items(reading, node.args[0])
    total: Expression = ZERO
    if len(node.args) == 2:
        total = number(reading, reading.read(node.args[1]), node.args[1])
    for element in elements:

        def added(element: Element = element) -> Value:
            return number(reading, element.value, node)

        mine = scalar(reading, reading.branch(element.present, added, lambda: ZERO), node)
        total = reading.hold(operators.arithmetic(reading, "+", total, mine, node))
    return total


def _quantified(is_any: bool) -> Callable[[Reading, ast.Call], Value]:
    """Return the reader of ``any`` or ``all``, which stop at the first item that decides."""

    def read(reading: Reading, node: ast.Call) -> Value:
        if node.keywords or len(node.args) != 1:
            _refuse_arguments(reading, node)
        (argument,) = node.args
        if isinstance(argument, ast.GeneratorExp):
            return _decided_by_generator(reading, argument, is_any)
        value = reading.read(argument)
        elements = sequences.elements_of(reading, value, argument)
        result: Expression = build.FALSE if is_any else build.TRUE
        for element in reversed(elements):
            holds = truth(reading, element.value, argument)
            if is_any:
                result = build.either(build.both(element.present, holds), result)
            else:
                holds = build.either(build.negated(element.present), holds)
                result = build.both(holds, result)
        return result

    return read


def _decided_by_generator(reading: Reading, node: ast.GeneratorExp, is_any: bool) -> Value:
    _refuse_nested(reading, node)

    def test() -> Expression:
        return reading.condition(node.elt)

    goes: Expression = build.TRUE
    for present, visit in sequences.visits(reading, node):
        decided: list[Expression] = []

        def use(decided: list[Expression] = decided) -> Value:
            holds = test()
            decided.append(reading.hold(holds if is_any else build.negated(holds)))
            return build.none()

        here = reading.hold(build.both(goes, present))
        kept = sequences.visit_item(reading, here, visit, use)
        # What cannot be kept has not been looked at.
        stops = build.both(kept, decided[0]) if decided else build.FALSE
        goes = reading.hold(build.both(goes, build.negated(stops)))
    return build.negated(goes) if is_any else goes


def _refuse_nested(reading: Reading, node: ast.GeneratorExp) -> None:
    """Refuse a generator of a generator where neither is gone through to its end."""
    if isinstance(node.generators[0].iter, ast.GeneratorExp):
        reading.refuse(node, "generator of a generator", "write the inner one as a list")


def _next(reading: Reading, node: ast.Call) -> Value:
    """Read ``next(generator, default)``: the first item."""
    if node.keywords or len(node.args) not in (1, 2):
        _refuse_arguments(reading, node)
    generator = node.args[0]
    if not isinstance(generator, ast.GeneratorExp):
        reading.refuse(node, "next", "of a generator expression is read, and nothing else")
    _refuse_nested(reading, generator)
    goes: Expression = build.TRUE
    found: list[tuple[Expression, Value]] = []
    for present, visit in sequences.visits(reading, generator):
        here = reading.hold(build.both(goes, present))
        taken: list[Value] = []

        def use(taken: list[Value] = taken) -> Value:
            taken.append(reading.held(reading.read(generator.elt)))
            return build.none()

        kept = sequences.visit_item(reading, here, visit, use)
        if taken:
            found.append((kept, taken[0]))
        goes = reading.hold(build.both(goes, build.negated(kept)))
    value: Value
    if len(node.args) == 2:
        value = reading.held(reading.read(node.args[1]))
    else:
        text = f"{reading.text(node)} of nothing"
        reading.emit(build.requires(build.negated(goes), text, reading.place(node)))
        value = ZERO
    for kept, item in reversed(found):
        value = reading.branch(kept, lambda item=item: item, lambda value=value: value)  # type: ignore[misc]
    return value


def _abs(reading: Reading, node: ast.Call) -> Value:
    (value,) = _arguments(reading, node, 1)
    held = reading.hold(number(reading, value, node))
    negative = operators.arithmetic(reading, "-", ZERO, held, node)
    is_negative = build.compare("<", held, ZERO, reading.place(node))
    return If(is_negative, negative, held, INT)


def _divmod(reading: Reading, node: ast.Call) -> Value:
    if len(node.args) != 2 or node.keywords:
        _refuse_arguments(reading, node)
    left, right = _numbers(reading, node)
    parts = [operators.arithmetic(reading, operator, left, right, node) for operator in "/%"]
    return plain(*(reading.hold(part) for part in parts))


def _int(reading: Reading, node: ast.Call) -> Value:
    match node.args:
        case [ast.BinOp(op=ast.Div())]:
            message = "goes through a float, which rounds above 2**53; write a // b"
            reading.refuse(node, "int(a / b)", message)
    (value,) = _arguments(reading, node, 1)
    return number(reading, value, node.args[0])


def _bool(reading: Reading, node: ast.Call) -> Value:
    (value,) = _arguments(reading, node, 1)
    return truth(reading, value, node.args[0])


def _len(reading: Reading, node: ast.Call) -> Value:
    (value,) = _arguments(reading, node, 1)
    if isinstance(value, Chain):
        # The length of an input is an input.
        reading.inputs.objects.add(value.path)
        name = f"len({value.path})"
        reading.inputs.find(name).is_number = True
        return Chain(name)
    elements = sequences.elements_of(reading, value, node.args[0])
    return sequences.length(reading, elements, node)


def _range(reading: Reading, node: ast.Call) -> Value:
    bounds = [operators.constant_of(entry) for entry in _numbers(reading, node)]
    if any(bound is not None and abs(bound) > sequences.MAX_ITEMS for bound in bounds):
        reading.refuse(node, "range", f"has a bound past {sequences.MAX_ITEMS}")
    known = [bound for bound in bounds if bound is not None]
    if node.keywords or not 1 <= len(known) == len(bounds) <= 3 or known[2:] == [0]:
        reading.refuse(node, "range", "with bounds that are no constants; write it as arithmetic")
    numbers = range(*known)
    if len(numbers) > sequences.MAX_ITEMS:
        reading.refuse(node, "range", f"has more than {sequences.MAX_ITEMS} items")
    items = plain(*(build.number(value, INT) for value in numbers))
    return Items(items.elements, is_range=True)


def _copied(is_list: bool) -> Callable[[Reading, ast.Call], Value]:
    def read(reading: Reading, node: ast.Call) -> Value:
        if not node.args and not node.keywords:
            items = plain()
        elif node.keywords or len(node.args) != 1:
            _refuse_arguments(reading, node)
        else:
            items = Items(sequences.given_items(reading, node.args[0]))
        return sequences.make_list(reading, items) if is_list else items

    return read


def _getattr(reading: Reading, node: ast.Call) -> Value:
    match node.args:
        case [whole_node, ast.Constant(str(name)), *others] if len(others) < 2:
            whole = reading.read(whole_node)
            value = attributes.attribute(reading, whole, name, node)
            if others and isinstance(value, Chain):
                default = scalar(reading, reading.read(others[0]), others[0])
                if not isinstance(default, Literal) or (default.value or 0) < 0:
                    message = "with a default that no input takes; write it as an argument"
                    reading.refuse(node, "getattr", message)
                entry = reading.inputs.find(value.path)
                entry.may_be_none |= default.value is None
                entry.is_condition |= isinstance(default.type, BoolType)
            return value
    reading.refuse(node, "getattr", "with a name that is no literal text")


BUILTINS: dict[str, Callable[[Reading, ast.Call], Value]] = {
    "min": _extreme("<"),
    "max": _extreme(">"),
    "sum": _sum,
    "any": _quantified(is_any=True),
    "all": _quantified(is_any=False),
    "next": _next,
    "abs": _abs,
    "divmod": _divmod,
    "int": _int,
    "bool": _bool,
    "len": _len,
    "range": _range,
    "tuple": _copied(is_list=False),
    "list": _copied(is_list=True),
    "getattr": _getattr,
}
"""The functions that are read."""
