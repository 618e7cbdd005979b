"""The planner language: a small typed syntax tree for pure functions.

Readers turn source into this tree; ``symbolic`` gives it a meaning as formulas and ``concrete``
one on ints. Names are resolved by the reader: every binding has a slot of its own, so shadowing is
gone, and a slot is only read where it has been set. There are no options of options: ``None`` is
absent. A ``place`` says where a node stands in the source; nodes that only help have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from prefill_proofs.types import Type


class Place(NamedTuple):
    """Where something stands in a source file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


class Literal(NamedTuple):
    """A constant value; ``None`` is the absent option."""

    value: Any
    type: Type


class Variable(NamedTuple):
    """What a slot holds."""

    slot: str
    type: Type


class Set(NamedTuple):
    """Puts a value into a slot: a binding, or an assignment to one."""

    slot: str
    value: Expression
    type: Type
    place: Place | None = None


class Block(NamedTuple):
    """Expressions in order; the value is that of the last one."""

    items: tuple[Expression, ...]
    result: Expression
    type: Type


class If(NamedTuple):
    """One of two expressions. ``&&`` and ``||`` are this, too: what is not reached is not run."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


class Return(NamedTuple):
    """Leaves the function with a value."""

    value: Expression
    type: Type
    place: Place | None = None


class Closure(NamedTuple):
    """The body of a closure where it is called: ``Return`` leaves the body, not the function."""

    body: Expression
    type: Type


class Panic(NamedTuple):
    """Faults wherever it is reached."""

    operation: str
    place: Place
    type: Type


class Arithmetic(NamedTuple):
    """``+ - * / %`` of two integers; leaving the range of ``type``, or dividing by 0, faults.

    Where it is not ``checked``, or the type has no highest value, the range is not looked at.
    """

    operator: str
    left: Expression
    right: Expression
    type: Type
    place: Place
    text: str
    checked: bool = True


class Compare(NamedTuple):
    """``< <= > >=`` of two integers."""

    operator: str
    left: Expression
    right: Expression
    type: Type
    place: Place | None = None


class Equal(NamedTuple):
    """Whether two values of one type are the same."""

    left: Expression
    right: Expression
    type: Type
    place: Place | None = None


class Not(NamedTuple):
    """The opposite of a bool."""

    value: Expression
    type: Type


class Some(NamedTuple):
    """An option that is there."""

    value: Expression
    type: Type


class IsSome(NamedTuple):
    """Whether an option is there."""

    option: Expression
    type: Type
    place: Place | None = None


class Payload(NamedTuple):
    """The value of an option that is known to be there."""

    option: Expression
    type: Type


class MakeTuple(NamedTuple):
    """A tuple, or a struct."""

    items: tuple[Expression, ...]
    type: Type


class Item(NamedTuple):
    """One item of a tuple, or one field of a struct."""

    whole: Expression
    position: int
    type: Type


class Invoke(NamedTuple):
    """A call of another function."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type


class Unknown(NamedTuple):
    """An unknown constant: one arbitrary value, the same wherever its name occurs."""

    name: str
    type: Type


Expression: TypeAlias = (
    Literal
    | Variable
    | Set
    | Block
    | If
    | Return
    | Closure
    | Panic
    | Arithmetic
    | Compare
    | Equal
    | Not
    | Some
    | IsSome
    | Payload
    | MakeTuple
    | Item
    | Invoke
    | Unknown
)


@dataclass(eq=False)
class Function:
    """A function: parameters are slots; ``unknowns`` are the constants that it depends on.

    ``names`` are the parameters as the source calls them.
    """

    name: str
    names: tuple[str, ...]
    parameters: tuple[tuple[str, Type], ...]
    result: Type
    body: Expression
    place: Place
    unknowns: dict[str, Type] = field(default_factory=dict)
