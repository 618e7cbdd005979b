"""The planner language: a small typed syntax tree for pure functions.

Readers turn source into this tree; ``symbolic`` gives it a meaning as formulas and ``concrete``
one on ints. Names are resolved by the reader: every binding has a slot of its own, so shadowing is
gone, and a slot is only read where it has been set. There are no options of options: ``None`` is
absent. A ``place`` says where a node stands in the source; nodes that only help have none.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, TypeAlias

from prefill_proofs.types import Type


@dataclass(frozen=True, slots=True)
class Place:
    """Where something stands in a source file; line and column count from 1."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Literal:
    """A constant value; ``None`` is the absent option."""

    value: Any
    type: Type


@dataclass(frozen=True, slots=True)
class Variable:
    """What a slot holds."""

    slot: str
    type: Type


@dataclass(frozen=True, slots=True)
class Set:
    """Puts a value into a slot: a binding, or an assignment to one."""

    slot: str
    value: Expression
    type: Type
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """Expressions in order; the value is that of the last one."""

    items: tuple[Expression, ...]
    result: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class If:
    """One of two expressions. ``&&`` and ``||`` are this, too: what is not reached is not run."""

    condition: Expression
    then: Expression
    otherwise: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Return:
    """Leaves the function with a value."""

    value: Expression
    type: Type
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """The body of a closure where it is called: ``Return`` leaves the body, not the function."""

    body: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Panic:
    """Faults wherever it is reached."""

    operation: str
    place: Place
    type: Type


@dataclass(frozen=True, slots=True)
class Arithmetic:
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


@dataclass(frozen=True, slots=True)
class Compare:
    """``< <= > >=`` of two integers."""

    operator: str
    left: Expression
    right: Expression
    type: Type
    place: Place | None = None


@dataclass(frozen=True, slots=True)
class Equal:
    """Whether two values of one type are the same."""

    left: Expression
    right: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Not:
    """The opposite of a bool."""

    value: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Some:
    """An option that is there."""

    value: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class IsSome:
    """Whether an option is there."""

    option: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class Payload:
    """The value of an option that is known to be there."""

    option: Expression
    type: Type


@dataclass(frozen=True, slots=True)
class MakeTuple:
    """A tuple, or a struct."""

    items: tuple[Expression, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Item:
    """One item of a tuple, or one field of a struct."""

    tuple: Expression
    index: int
    type: Type


@dataclass(frozen=True, slots=True)
class Invoke:
    """A call of another function."""

    function: Function
    arguments: tuple[Expression, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class Unknown:
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
