"""A value as a number, as a condition, or as what may be ``None``."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, cast

from prefill_proofs import build
from prefill_proofs.language import Equal, Expression, If, Literal, Place
from prefill_proofs.python.inputs import type_of_annotation
from prefill_proofs.python.values import (
    INT,
    Chain,
    Items,
    ListOf,
    Refused,
    Value,
    is_scalar,
)
from prefill_proofs.types import BOOL, BoolType, IntType, NeverType, OptionType, Type

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

ZERO = build.number(0, INT)
ONE = build.number(1, INT)


def scalar_of(reading: Reading, chain: Chain) -> Expression:
    """Return the input that a chain is, or what was assigned to it since."""
    entry = reading.inputs.find(chain.path)
    if entry.declared is None and chain.annotation is not None:
        entry.declared = type_of_annotation(chain.annotation)
    return reading.inputs.variable(chain.path)


def scalar(reading: Reading, value: Value, node: ast.AST) -> Expression:
    """Return a value as an expression, or refuse what is none."""
    if isinstance(value, Chain):
        found = scalar_of(reading, value)
        if reading.inputs.find(value.path).is_object:
            message = "is an object; ask whether it is there, or read an attribute of it"
            reading.refuse(node, value.path, message)
        return found
    if isinstance(value, Refused):
        reading.unusable(node, value)
    if not is_scalar(value):
        kind = {Items: "tuple", ListOf: "list"}.get(type(value), "function")
        reading.refuse(node, f"a {kind} as a value", "an int, a bool or None is needed here")
    return cast(Expression, value)


def as_value(reading: Reading, value: Expression) -> Expression:
    """Return a value that is used as it is: an input that is so used is more than a truth value."""
    entry = reading.inputs.of(value)
    if entry is not None:
        entry.is_number = True
    return value


def number(reading: Reading, value: Value, node: ast.AST) -> Expression:
    """Return a value as an integer; ``None`` faults where it is reached."""
    found = scalar(reading, value, node)
    entry = reading.inputs.of(found)
    if entry is not None:
        entry.is_number = True
    match found.type:
        case IntType():
            return found
        case BoolType():
            return converted(found, INT)
        case OptionType(inner):
            text = f"{reading.text(node)} that is None"
            fault = build.panic(text, reading.place(node))
            if isinstance(inner, NeverType):
                reading.emit(fault)
                return ZERO
            held = reading.hold(found)
            present = build.payload(held)
            return If(build.is_some(held), converted(present, INT), fault, INT)
    reading.refuse(node, reading.text(node), "is no integer")


def truth(reading: Reading, value: Value, node: ast.AST) -> Expression:
    """Return whether a value counts as true: not 0, not ``None``, not empty."""
    if isinstance(value, Items | ListOf):
        result: Expression = build.FALSE
        elements = value.elements if isinstance(value, Items) else reading.lists[value.number]
        for element in reversed(elements):
            result = (
                build.TRUE
                if element.present == build.TRUE
                else (build.either(element.present, result))
            )
        return result
    if isinstance(value, Chain) and f"len({value.path})" in reading.inputs.table:
        has_items = truth_of(reading, reading.inputs.variable(f"len({value.path})"))
        is_optional = reading.inputs.find(value.path).may_be_none
        there = reading.inputs.variable(value.path) if is_optional else build.TRUE
        return build.both(there, has_items)
    # An object counts as true where it is there.
    found = scalar_of(reading, value) if isinstance(value, Chain) else scalar(reading, value, node)
    entry = reading.inputs.of(found)
    if entry is not None:
        entry.is_condition = True
    return truth_of(reading, found, reading.place(node))


def truth_of(reading: Reading, found: Expression, place: Place | None = None) -> Expression:
    """Return whether an int, a bool or what may be ``None`` counts as true."""
    match found.type:
        case BoolType():
            return found
        case OptionType(NeverType()):
            return build.FALSE
        case OptionType():
            held = reading.hold(found)
            holds = truth_of(reading, build.payload(held), place)
            return build.both(build.is_some(held, place), holds)
    if isinstance(found, Literal):
        return Literal(bool(found.value), BOOL)
    return build.negated(Equal(found, ZERO, BOOL, place))


def is_none(reading: Reading, value: Value, node: ast.AST) -> Expression:
    """Return whether a value is ``None``."""
    if not isinstance(value, Chain | Refused) and not is_scalar(value):
        return build.FALSE
    chain = value if isinstance(value, Chain) else None
    found = scalar_of(reading, chain) if chain else reading.hold(scalar(reading, value, node))
    entry = reading.inputs.of(found)
    if entry is not None:
        entry.may_be_none = True
        if entry.is_object:
            return build.negated(found)
    if not isinstance(found.type, OptionType):
        return build.FALSE
    if isinstance(found.type.inner, NeverType):
        return build.TRUE
    return build.negated(build.is_some(found, reading.place(node)))


def converted(value: Expression, kind: Type) -> Expression:
    """Return a value as one of a wider type: a bool as an integer, a value as one that is there."""
    if value.type == kind:
        return value
    if isinstance(kind, OptionType):
        if isinstance(value, Literal) and value.value is None:
            return Literal(None, kind)
        if isinstance(value.type, OptionType):
            if isinstance(value.type.inner, NeverType):
                return Literal(None, kind)
            some = build.some(converted(build.payload(value), kind.inner))
            return If(build.is_some(value), some, build.none(kind.inner), kind)
        return build.some(converted(value, kind.inner))
    if isinstance(value, Literal):
        return Literal(int(value.value), INT)
    if isinstance(value.type, BoolType) and kind == INT:
        return If(value, ONE, ZERO, INT)
    return value
