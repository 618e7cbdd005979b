"""The types of planner values, and what stands for a value of each.

| type | concrete | symbolic |
|---|---|---|
| ``IntType`` | int | ``Number`` |
| ``BoolType`` | bool | formula |
| ``OptionType`` | value or ``None`` | ``Option`` of a formula and a value |
| ``TupleType`` | tuple | tuple |

A struct is a tuple whose items have names. ``NeverType`` is the type of what does not come back
(``return``, a panic), and of the absent value in a bare ``None``; it agrees with every type.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, all_of, any_of, negate

if TYPE_CHECKING:  # what only names types is no reason to load the solver
    from prefill_proofs.algebra import Algebra


@dataclass(frozen=True)
class IntType:
    """Integers in ``0..=highest``; without a highest, every integer (Python's)."""

    name: str
    highest: int | None

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class BoolType:
    """True or false."""

    def __str__(self) -> str:
        return "bool"


@dataclass(frozen=True)
class OptionType:
    """A value of the inner type, or nothing."""

    inner: Type

    def __str__(self) -> str:
        return f"Option<{self.inner}>"


@dataclass(frozen=True)
class TupleType:
    """A value of each item's type; the empty tuple is the type of statements.

    A struct that ``is_partial`` has further fields, of types outside the planner language.
    """

    items: tuple[Type, ...]
    names: tuple[str, ...] = ()
    struct: str = ""
    is_partial: bool = False

    def __str__(self) -> str:
        return self.struct or f"({', '.join(map(str, self.items))})"


@dataclass(frozen=True)
class NeverType:
    """No value at all."""

    def __str__(self) -> str:
        return "!"


Type: TypeAlias = IntType | BoolType | OptionType | TupleType | NeverType

USIZE = IntType("usize", USIZE_MAX)
BOOL = BoolType()
UNIT = TupleType(())
NEVER = NeverType()


def unified(left: Type, right: Type) -> Type | None:
    """Return the type that both sides agree on, or ``None`` where they differ."""
    match left, right:
        case (NeverType(), other) | (other, NeverType()):
            return other
        case OptionType(one), OptionType(another):
            inner = unified(one, another)
            return None if inner is None else OptionType(inner)
        case TupleType(), TupleType() if len(left.items) == len(right.items):
            if left.struct != right.struct:
                return None
            items = [unified(*pair) for pair in zip(left.items, right.items, strict=True)]
            kept = tuple(item for item in items if item is not None)
            if len(kept) < len(items):
                return None
            return TupleType(kept, left.names, left.struct, left.is_partial)
    return left if left == right else None


@dataclass(frozen=True)
class Input:
    """One input of a planner role: a name and a type."""

    name: str
    type: Type


def symbol(algebra: Algebra, name: str, kind: Type) -> Any:
    """Return a new symbolic value that stands for any value of a type."""
    match kind:
        case NeverType():
            raise TypeError(f"no value stands for {name}")
        case IntType():
            return algebra.input(name)
        case BoolType():
            return algebra.truth(name)
        case OptionType(inner):
            option = Option(algebra.truth(f"{name}?"), symbol(algebra, name, inner))
            form = option.value.form() if isinstance(inner, IntType) else None
            if form is not None:
                # Said by in_range: where nothing is there, the number is 0.
                algebra.absent_zeros[option.present.get_id()] = form
            return option
        case TupleType(items):
            labels = kind.names or tuple(map(str, range(len(items))))
            return tuple(
                symbol(algebra, f"{name}.{label}", item)
                for label, item in zip(labels, items, strict=True)
            )


def lifted(algebra: Algebra, value: Any, kind: Type) -> Any:
    """Return a concrete value as a symbolic one."""
    match kind:
        case NeverType():
            return None
        case IntType():
            return algebra.constant(value)
        case BoolType():
            return value
        case OptionType(inner):
            present = value is not None
            return Option(present, lifted(algebra, value if present else default(inner), inner))
        case TupleType(items):
            return tuple(
                lifted(algebra, item, item_type)
                for item, item_type in zip(value, items, strict=True)
            )


def default(kind: Type) -> Any:
    """Return the concrete value that an absent option carries."""
    match kind:
        case IntType():
            return 0
        case BoolType():
            return False
        case OptionType() | NeverType():
            return None
        case TupleType(items):
            return tuple(map(default, items))


def in_range(value: Any, kind: Type, limit: int | None) -> Formula:
    """Return whether a symbolic input is a value of its type, 0 or false where it is absent.

    ``limit`` is the greatest value of a word, or ``None`` to let words be any natural number.
    """
    match kind:
        case IntType(_, highest):
            bound = highest if limit is not None or highest != USIZE_MAX else None
            return all_of(value >= 0, True if bound is None else value <= bound)
        case BoolType() | NeverType():
            return True
        case OptionType(inner):
            return all_of(
                in_range(value.value, inner, limit),
                any_of(value.present, is_default(value.value, inner)),
            )
        case TupleType(items):
            return all_of(
                *(in_range(item, kind, limit) for item, kind in zip(value, items, strict=True))
            )


def is_default(value: Any, kind: Type) -> Formula:
    """Return whether a symbolic value is the one that an absent option carries."""
    match kind:
        case NeverType():
            return True
        case IntType():
            return value == 0
        case BoolType():
            return negate(value)
        case OptionType(inner):
            return all_of(is_default(value.present, BOOL), is_default(value.value, inner))
        case TupleType(items):
            return all_of(
                *(is_default(item, kind) for item, kind in zip(value, items, strict=True))
            )
