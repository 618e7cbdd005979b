"""What a name means where it stands: a slot, a closure, or a function or import of the block."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from tree_sitter import Node

from prefill_proofs.language import Variable
from prefill_proofs.rust.modules import Definition
from prefill_proofs.types import IntType


class LocalClosure(NamedTuple):
    """A closure: its syntax, and the scope that it sees.

    One that ``copies`` takes the values of its variables where it is called: it is called where it
    is made.
    """

    node: Node
    scope: Scope
    copies: bool = False


class LocalImport(NamedTuple):
    """A name that a ``use`` inside a function brings in: the path that it stands for."""

    path: str


class LocalNumber(NamedTuple):
    """A number bound once and for all; one that ``is_untyped`` takes the type it is used with."""

    value: int
    type: IntType
    is_untyped: bool


Meaning: TypeAlias = Variable | LocalClosure | LocalImport | LocalNumber | Definition


class Scope:
    """Names of one block; those of the blocks around it are seen through it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self._names: dict[str, Meaning] = {}
        self._outer = outer

    def inner(self) -> Scope:
        """Return the scope of a block inside this one."""
        return Scope(self)

    def bind(self, name: str, meaning: Meaning) -> None:
        """Give a name a meaning; an earlier one of this name is shadowed."""
        self._names[name] = meaning

    def find(self, name: str) -> Meaning | None:
        """Return what a name means, or ``None``."""
        if name in self._names:
            return self._names[name]
        return self._outer.find(name) if self._outer else None

    def settle(self, name: str, meaning: Variable) -> None:
        """Give a name that was declared without a type its meaning, where it was declared."""
        if name in self._names or self._outer is None:
            self._names[name] = meaning
        else:
            self._outer.settle(name, meaning)

    def snapshot(self) -> Scope:
        """Return a scope that keeps what every name means now, whatever is bound later."""
        copy = Scope(self._outer.snapshot() if self._outer else None)
        copy._names = dict(self._names)
        return copy
