"""The inputs of a planner function: what they are called, and of which type.

Python says little about types. An input's is what the configuration declares, or the annotation
says; else how the input is used decides: an integer, unless it is only ever asked whether it holds;
and one that may be ``None`` if it is compared with ``None``. So a function is read again until its
types no longer change; what was seen is only ever added to, so that this ends.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass

from prefill_proofs.language import Unknown, Variable
from prefill_proofs.python.values import INT
from prefill_proofs.types import BOOL, USIZE, BoolType, IntType, OptionType, Type


@dataclass
class Input:
    """One input, with what was seen of its use."""

    name: str
    declared: Type | None = None
    is_number: bool = False
    """Whether it was used as a number."""
    is_condition: bool = False
    """Whether it was asked whether it holds."""
    may_be_none: bool = False
    """Whether it was compared with ``None``."""
    is_object: bool = False
    """Whether an attribute of it was read: then only whether it is there matters."""
    is_constant: bool = False
    """Whether it is no input of the function but an unknown constant of its file."""

    @property
    def is_asked_for(self) -> bool:
        """Whether the planner asks if it is there, or if it holds."""
        return self.may_be_none or self.is_condition

    @property
    def type(self) -> Type:
        """Return the type that is known so far."""
        if self.is_object:
            return BOOL
        if self.declared is not None:
            return self.declared
        inner = BOOL if self.is_condition and not self.is_number else USIZE
        return OptionType(inner) if self.may_be_none else inner


def as_read(kind: Type) -> Type:
    """Return the type in which an input is computed with: Python's integers have no end."""
    if isinstance(kind, OptionType):
        return OptionType(as_read(kind.inner))
    return INT if isinstance(kind, IntType) else kind


_CONSTANT = "constant "
"""Before the name of an unknown constant: no input is called so."""


class Inputs:
    """The inputs of one role, and of its configuration's expressions."""

    def __init__(self, declared: Mapping[str, Type] | None = None) -> None:
        self._declared = declared or {}
        self.table: dict[str, Input] = {}
        self.used: set[str] = set()
        """The inputs that were read since this was emptied."""
        self.objects: set[str] = set()
        """The chains that are objects: something is read from them."""
        self._seen: dict[str, tuple[Type, bool]] = {}

    def find(self, name: str) -> Input:
        """Return an input, a new one where the name is new."""
        entry = self.table.get(name)
        if entry is None:
            entry = self.table[name] = Input(name, self._declared.get(name))
        entry.is_object = name in self.objects
        return entry

    def variable(self, name: str) -> Variable:
        """Return an input as an expression."""
        self.used.add(name)
        return Variable(name, as_read(self.find(name).type))

    def constant(self, name: str) -> Unknown:
        """Return an unknown constant as an expression; an input may have the same name."""
        entry = self.table.setdefault(_CONSTANT + name, Input(name, is_constant=True))
        return Unknown(name, as_read(entry.type))

    def of(self, expression: object) -> Input | None:
        """Return the input or unknown constant that an expression is, if it is one."""
        match expression:
            case Variable(name):
                return self.table.get(name)
            case Unknown(name):
                return self.table.get(_CONSTANT + name)
        return None

    def entries(self, are_constants: bool) -> list[Input]:
        """Return the inputs, or else the unknown constants, that there are values for.

        An object is one only where the planner asks whether it is there.
        """
        return [
            entry
            for entry in self._found()
            if entry.is_constant == are_constants
            and (entry.is_asked_for or not entry.is_object)
            and (entry.may_be_none or f"len({entry.name})" not in self.table)
        ]

    def _found(self) -> list[Input]:
        for name in self.table:
            self.table[name].is_object = name in self.objects
        return list(self.table.values())

    def is_settled(self) -> bool:
        """Return whether the types are those of the last time that this was asked."""
        self._found()
        seen = {name: (entry.type, entry.is_object) for name, entry in self.table.items()}
        is_same = seen == self._seen
        self._seen = seen
        return is_same


_SCALARS: dict[str, Type] = {"int": USIZE, "bool": BOOL}


def type_of_annotation(annotation: ast.expr | None) -> Type | None:
    """Return the type of an ``int`` or ``bool``, or of one that may be ``None``, else ``None``."""
    match annotation:
        case ast.Constant(str(text)):
            try:
                return type_of_annotation(ast.parse(text, mode="eval").body)
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                return None
        case ast.Name(name):
            return _SCALARS.get(name)
        case ast.Subscript(ast.Name("Optional") | ast.Attribute(attr="Optional"), inner):
            return _optional(type_of_annotation(inner))
        case ast.Subscript(
            ast.Name("Final" | "ClassVar" | "Annotated" | "Required")
            | ast.Attribute(attr="Final" | "ClassVar" | "Annotated"),
            inner,
        ):
            first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
            return type_of_annotation(first)
        case ast.Subscript(
            ast.Name("Union") | ast.Attribute(attr="Union"), ast.Tuple([first, second])
        ):
            return _union(first, second)
        case ast.BinOp(left, ast.BitOr(), right):
            return _union(left, right)
    return None


def _union(left: ast.expr, right: ast.expr) -> Type | None:
    if _is_none(right):
        return _optional(type_of_annotation(left))
    return _optional(type_of_annotation(right)) if _is_none(left) else None


def _is_none(annotation: ast.expr) -> bool:
    return isinstance(annotation, ast.Constant) and annotation.value is None


def _optional(kind: Type | None) -> Type | None:
    return OptionType(kind) if isinstance(kind, IntType | BoolType) else None
