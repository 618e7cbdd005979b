"""One function being read, and what the paths through it change."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import NamedTuple

from prefill_proofs.python.modules import ClassDefinition, Definition, Module
from prefill_proofs.python.syntax import PythonFile
from prefill_proofs.python.values import Element, Value
from prefill_proofs.types import Type


@dataclass
class Frame:
    """One function being read: ``names`` are its variables."""

    module: Module
    file: PythonFile
    names: dict[str, Value] = field(default_factory=dict)
    local_names: frozenset[str] = frozenset()
    definition: Definition | None = None
    enclosing: Frame | None = None
    overlay: dict[str, Value] = field(default_factory=dict)
    """What the comprehensions that are being read bind; inner functions do not see it."""
    owner: ClassDefinition | None = None
    """The class whose body is read, whose names come before those of the file."""
    result: Type | None = None
    """The type that every ``return`` has to give, where it is known."""
    returned: list[Returned] = field(default_factory=list)
    branches: int = 0
    """How many branches of this function the reading is inside of."""


class State(NamedTuple):
    """What a path changes: variables, attributes by their path, and the items of lists."""

    names: dict[str, Value]
    attributes: dict[str, Value]
    lists: dict[int, tuple[Element, ...]]


class Returned(NamedTuple):
    """A ``return``: its value, and what the path to it has changed."""

    value: Value
    state: State
    is_last: bool
    node: ast.AST
