"""What a Python name can stand for while a function is read.

| value | is |
|---|---|
| an expression | an int, a bool, ``None``, or an int or bool that may be ``None`` |
| ``Chain`` | a parameter, or attributes of one, as they are when the call starts |
| ``Items`` | a tuple: each item with the condition under which it is there |
| ``ListOf`` | a list, by its number; the state holds its items, for lists change |
| ``Callee`` | a function of the file, with what it is bound to |
| ``Nested`` | a lambda or inner function |
| ``MaybeSet`` | what a name stands for that not every path has set |
| ``Refused`` | something outside the planner language, which matters only where it is used |
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from prefill_proofs import build
from prefill_proofs.language import Expression
from prefill_proofs.types import BoolType, IntType, NeverType, OptionType, Type

if TYPE_CHECKING:
    from prefill_proofs.python.frames import Frame
    from prefill_proofs.python.modules import ClassDefinition, Definition

INT = IntType("int", None)
"""Python's integers: any size, and negative ones too."""


class Chain(NamedTuple):
    """A parameter, or a chain of attributes on one, at the start of the call."""

    path: str
    owner: ClassDefinition | None = None
    """Its class, where the file says so."""
    annotation: ast.expr | None = None
    """Its type, where the file says so."""
    is_class: bool = False
    """Whether it is a class itself, of which constants and functions are read."""


class Element(NamedTuple):
    """One item of a tuple or list, and whether it is there."""

    present: Expression
    value: Value


@dataclass(frozen=True)
class Items:
    """A tuple."""

    elements: tuple[Element, ...]
    is_range: bool = False
    """Whether it is a range, which is gone through like a tuple and nothing else."""


@dataclass(frozen=True)
class ListOf:
    """A list; ``number`` says which."""

    number: int


@dataclass(frozen=True)
class Callee:
    """A function of a file, and the object that a method is called on."""

    definition: Definition
    receiver: Value | None = None


@dataclass(frozen=True, eq=False)
class Nested:
    """A lambda or inner function, called only in the function that makes it."""

    node: ast.Lambda | ast.FunctionDef
    frame: Frame


@dataclass(frozen=True)
class Refused:
    """Something that may not be used, with the reason."""

    construct: str
    message: str
    is_unset: bool = False
    """Whether it is a name that some path has not set: even reading it is a fault."""


@dataclass(frozen=True)
class MaybeSet:
    """What a name stands for that not every path has set; to read it where it is not faults."""

    is_set: Expression
    value: Expression


Value: TypeAlias = "Expression | Chain | Items | ListOf | Callee | Nested | Refused | MaybeSet"

Objects = Chain | Items | ListOf | Callee | Nested | Refused | MaybeSet


def is_alike(first: object, second: object) -> bool:
    """Return whether two values are the same: nodes of two kinds may be equal as tuples.

    They are taken as any objects, for a type checker would compare each kind with each other one.
    """
    return first is second or (type(first) is type(second) and first == second)


def is_scalar(value: Value) -> bool:
    """Return whether a value is an expression of the planner language."""
    return not isinstance(value, Objects)


def plain(*values: Value) -> Items:
    """Return a tuple all of whose items are there."""
    return Items(tuple(Element(build.TRUE, value) for value in values))


def joint_type(left: Type, right: Type) -> Type | None:
    """Return the type that holds the values of both, or ``None``.

    A bool is an integer in Python; ``None`` beside a value makes it one that may be absent.
    """
    if isinstance(left, OptionType) or isinstance(right, OptionType):
        inner_left = left.inner if isinstance(left, OptionType) else left
        inner_right = right.inner if isinstance(right, OptionType) else right
        inner = joint_type(inner_left, inner_right)
        return None if inner is None else OptionType(inner)
    if isinstance(left, NeverType):
        return right
    if isinstance(right, NeverType) or left == right:
        return left
    integers = isinstance(left, IntType | BoolType) and isinstance(right, IntType | BoolType)
    return INT if integers else None
