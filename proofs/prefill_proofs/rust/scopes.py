"""What a name means where it stands: a slot, or a closure."""

from __future__ import annotations

from dataclasses import dataclass

from tree_sitter import Node

from prefill_proofs.language import Variable


@dataclass(frozen=True)
class LocalClosure:
    """A closure bound to a name: its syntax, and the scope that it sees."""

    node: Node
    scope: Scope


class Scope:
    """Names of one block; those of the blocks around it are seen through it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self._names: dict[str, Variable | LocalClosure] = {}
        self._outer = outer

    def inner(self) -> Scope:
        """Return the scope of a block inside this one."""
        return Scope(self)

    def bind(self, name: str, meaning: Variable | LocalClosure) -> None:
        """Give a name a meaning; an earlier one of this name is shadowed."""
        self._names[name] = meaning

    def find(self, name: str) -> Variable | LocalClosure | None:
        """Return what a name means, or ``None``."""
        if name in self._names:
            return self._names[name]
        return self._outer.find(name) if self._outer else None

    def snapshot(self) -> Scope:
        """Return a scope that keeps what every name means now, whatever is bound later."""
        copy = Scope(self._outer.snapshot() if self._outer else None)
        copy._names = dict(self._names)
        return copy
