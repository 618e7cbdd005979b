"""Reading one function's body: what every kind of syntax is read with."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING, NoReturn

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import (
    Expression,
    If,
    Invoke,
    Item,
    Literal,
    Place,
    Unknown,
)
from prefill_proofs.rust import expressions, patterns
from prefill_proofs.rust.modules import Definition
from prefill_proofs.rust.rust_types import read_type
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.rust.syntax import RustFile, field, parts
from prefill_proofs.types import (
    BOOL,
    IntType,
    TupleType,
    Type,
    unified,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.reader import RustReader

MAX_DEPTH = 400
"""Expressions nested deeper than this are refused; people do not write them."""

MAX_EXPRESSIONS = 100_000
"""So many expressions are read of one file; a planner has hundreds."""

_LOOPS = {
    "while_expression": "while loop",
    "for_expression": "for loop",
    "loop_expression": "loop",
}


class Body:
    """Reads one function's body.

    ``result`` is the type that ``return`` gives. Every method takes a syntax node and the scope
    that it stands in, and refuses what the planner language does not have.
    """

    def __init__(self, reader: RustReader, definition: Definition, result: Type) -> None:
        self.reader = reader
        self.definition = definition
        self.file: RustFile = definition.file
        self.result: Type | None = result
        self.returned: list[Type] = []
        self.slots = build.Slots()
        self.unknowns: dict[str, Type] = {}
        self._depth = 0

    def within(self, file: RustFile) -> Body:
        """Return this body reading a part of the file that was parsed again."""
        inner = copy(self)
        inner.file = file
        return inner

    def closure(self) -> Body:
        """Return this body reading a closure: what it returns decides its type."""
        inner = copy(self)
        inner.result, inner.returned = None, []
        return inner

    def refuse(self, node: Node, construct: str, message: str) -> NoReturn:
        """Raise the error for a construct outside the planner language."""
        self.file.refuse(node, construct, message)

    def place(self, node: Node) -> Place:
        """Return where a node stands."""
        return self.file.place(node)

    def text(self, node: Node) -> str:
        """Return a node's source."""
        return self.file.text(node)

    def type(self, node: Node) -> Type:
        """Return the type that a node names."""
        definition = self.definition
        kind = read_type(node, self.file, definition.module, self.reader.crate, definition.owner)
        if kind is None:
            self.reader.refuse_type(definition, node, f"type {self.text(node)}")
        return kind

    def expression(self, node: Node, scope: Scope, expected: Type | None = None) -> Expression:
        """Read an expression; ``expected`` is the type that the place asks for, when known."""
        self._depth += 1
        self.reader.expressions_read += 1
        if self._depth > MAX_DEPTH:
            self.refuse(node, "deep nesting", "split the expression into functions")
        if self.reader.expressions_read > MAX_EXPRESSIONS:
            self.refuse(node, "too much code", "closures in closures come to too much; use fn")
        try:
            return self._expression(node, scope, expected)
        finally:
            self._depth -= 1

    def _expression(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        reader = expressions.EXPRESSIONS.get(node.type)
        if reader is not None:
            return reader(self, node, scope, expected)
        if node.type in _LOOPS:
            self.refuse(
                node,
                _LOOPS[node.type],
                "the planner language has no loops; write the bound as arithmetic",
            )
        self.refuse(
            node,
            node.type.replace("_", " "),
            "it is outside the planner language; write it with arithmetic, if, match and options",
        )

    def coerce(self, value: Expression, kind: Type, node: Node) -> Expression:
        """Return a value as one of a type, or refuse where it is of another."""
        joint = unified(value.type, kind)
        if joint is None:
            self.refuse(node, f"{self.text(node)}", f"is of type {value.type}, not {kind}")
        if isinstance(value, Literal) and value.type != joint:
            return Literal(value.value, joint)
        return value

    def of_type(self, node: Node, scope: Scope, kind: Type) -> Expression:
        """Read an expression of a known type."""
        return self.coerce(self.expression(node, scope, kind), kind, node)

    def boolean(self, node: Node, scope: Scope) -> Expression:
        """Read a condition."""
        return self.of_type(node, scope, BOOL)

    def pattern(self, node: Node, value: Expression, scope: Scope) -> Expression:
        """Read a pattern: a condition that also binds its names in ``scope``."""
        return patterns.read_pattern(self, node, value, scope, {})

    def condition(self, node: Node, scope: Scope) -> Expression:
        """Read the condition of an ``if``, whose patterns bind names in ``scope``."""
        if node.type == "let_condition":
            items: list[Expression] = []
            held = self.slots.hold(self.expression(field(node, "value"), scope), items)
            return build.block(items, self.pattern(field(node, "pattern"), held, scope))
        if node.type == "let_chain":
            result: Expression = build.TRUE
            for child in parts(node):
                result = build.both(result, self.condition(child, scope))
            return result
        return self.boolean(node, scope)

    def require_integer(self, value: Expression, node: Node) -> IntType:
        """Return the type of an integer, or refuse any other value."""
        if not isinstance(value.type, IntType):
            self.refuse(node, f"{self.text(node)}", f"needs an integer, not {value.type}")
        return value.type

    def join(
        self, condition: Expression, then: Expression, otherwise: Expression, node: Node
    ) -> Expression:
        """Return one of two values of one type."""
        kind = unified(then.type, otherwise.type)
        if kind is None:
            self.refuse(node, "branches", f"give {then.type} and {otherwise.type}; make them one")
        return If(condition, then, otherwise, kind)

    def item(self, value: Expression, name: str, node: Node) -> Expression:
        """Return a field of a struct or an item of a tuple."""
        if isinstance(value.type, TupleType):
            names = value.type.names or tuple(map(str, range(len(value.type.items))))
            if name in names:
                index = names.index(name)
                return Item(value, index, value.type.items[index])
        self.refuse(
            node,
            f"field {name}",
            f"is not one of {value.type} that the planner language has; make it an argument",
        )

    def invoke(
        self, definition: Definition, arguments: list[Expression], nodes: list[Node], node: Node
    ) -> Expression:
        """Return a call of a function of the file."""
        function = self.reader.function(definition, node)
        if isinstance(function, Unknown):
            self.unknowns[function.name] = function.type
            return function
        self.unknowns |= function.unknowns
        if len(arguments) != len(function.parameters):
            wanted = len(function.parameters)
            self.refuse(node, f"call of {function.name}", f"takes {wanted} arguments")
        given = tuple(
            self.coerce(argument, kind, source)
            for argument, (_, kind), source in zip(
                arguments, function.parameters, nodes, strict=True
            )
        )
        return Invoke(function, given, function.result)
