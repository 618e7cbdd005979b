"""Functions of a Rust file as functions of the planner language.

``RustReader`` reads what a role reaches and nothing else: a construct outside the language matters
only there. One that takes no arguments and cannot be read is an unknown constant.
"""

from typing import NamedTuple, NoReturn

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import Expression, Function, Place, Set, Unknown, Variable
from prefill_proofs.refusals import SourceError
from prefill_proofs.rust import statements
from prefill_proofs.rust.body import Body
from prefill_proofs.rust.modules import Crate, Definition
from prefill_proofs.rust.rust_types import read_struct, read_type
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.rust.syntax import field, parse_expression, parts
from prefill_proofs.types import UNIT, BoolType, IntType, OptionType, Type, unified


class Signature(NamedTuple):
    """A function's parameters, with the names and types that its source gives them."""

    names: tuple[str, ...]
    types: tuple[Type, ...]


class RustReader:
    """Reads the functions of one planner file and of the files that it reaches."""

    def __init__(self, crate: Crate) -> None:
        self.crate = crate
        self._functions: dict[tuple[str, int], Function | Unknown] = {}
        self._reading: list[Definition] = []
        self.expressions_read = 0

    def function(self, definition: Definition, caller: Node | None = None) -> Function | Unknown:
        """Return a function read, or the unknown constant that stands for it."""
        definition.require_one_build()
        key = (definition.file.name, definition.node.start_byte)
        if key not in self._functions:
            if any(entry.node == definition.node for entry in self._reading):
                definition.file.refuse(
                    caller or definition.node,
                    "recursion",
                    f"{definition.qualified_name} calls itself; write it without recursion",
                )
            self._reading.append(definition)
            try:
                self._functions[key] = self._read(definition)
            except SourceError:
                constant = self._unknown(definition)
                if constant is None:
                    raise
                self._functions[key] = constant
            finally:
                self._reading.pop()
        return self._functions[key]

    def signature(self, definition: Definition) -> Signature:
        """Return the parameters of a function."""
        names, types = [], []
        for node in self._parameters(definition):
            names.append(self._parameter_name(definition, node))
            types.append(self._parameter_type(definition, node))
        return Signature(tuple(names), tuple(types))

    def _parameters(self, definition: Definition) -> list[Node]:
        return [
            node
            for node in parts(field(definition.node, "parameters"))
            if node.type in ("parameter", "self_parameter")
        ]

    def _parameter_name(self, definition: Definition, node: Node) -> str:
        if node.type == "self_parameter":
            return "self"
        return definition.file.text(field(node, "pattern")).removeprefix("mut ").strip()

    def _parameter_type(self, definition: Definition, node: Node) -> Type:
        file = definition.file
        if node.type == "self_parameter":
            kinds = [child.type for child in node.children]
            if "&" in kinds and "mutable_specifier" in kinds:
                file.refuse(node, "&mut self", "a planner is a pure function; take &self")
            owner = definition.owner or ""
            kind: Type | None = read_struct(owner, file, definition.module, self.crate, node)
            named = f"self of type {owner}"
        else:
            type_node = field(node, "type")
            kind = read_type(type_node, file, definition.module, self.crate, definition.owner)
            named = f"parameter of type {file.text(type_node)}"
        if kind is None:
            self.refuse_type(definition, node, named)
        return kind

    def refuse_type(self, definition: Definition, node: Node, named: str) -> NoReturn:
        """Refuse a type that the planner language does not have."""
        definition.file.refuse(
            node,
            named,
            "the planner language has unsigned integers, bool, Option, tuples and structs of them",
        )

    def result_type(self, definition: Definition) -> Type:
        """Return what a function answers with."""
        node = definition.node.child_by_field_name("return_type")
        if node is None:
            return UNIT
        kind = read_type(node, definition.file, definition.module, self.crate, definition.owner)
        if kind is None:
            self.refuse_type(definition, node, f"result of type {definition.file.text(node)}")
        return kind

    def _unknown(self, definition: Definition) -> Unknown | None:
        if self._parameters(definition):
            return None
        try:
            kind = self.result_type(definition)
        except SourceError:
            return None
        if not isinstance(kind, IntType | BoolType | OptionType):
            return None
        name = definition.qualified_name
        if definition.file is not self.crate.root.file:
            name = f"{definition.file.name}: {name}"
        return Unknown(name, kind)

    def _read(self, definition: Definition) -> Function:
        file, node = definition.file, definition.node
        definition.require_no_cfg_inside()
        for child in node.children:
            if child.type == "function_modifiers" and file.text(child) != "const":
                file.refuse(child, f"{file.text(child)} fn", "write it as a plain fn")
            if child.type == "type_parameters" and any(
                entry.type != "lifetime_parameter" for entry in parts(child)
            ):
                file.refuse(child, "generic function", "write it for usize")
        signature = self.signature(definition)
        result = self.result_type(definition)
        scope = Scope()
        body = Body(self, definition, result)
        parameters: list[tuple[str, Type]] = []
        prelude: list[Expression] = []
        for child, name, kind in zip(
            self._parameters(definition), signature.names, signature.types, strict=True
        ):
            slot = body.slots.fresh(name, kind)
            parameters.append((slot.slot, kind))
            self._bind(body, child, slot, scope, prelude)
        read = statements.read_block(body, field(node, "body"), scope, result)
        if unified(read.type, result) is None:
            file.refuse(node, f"fn {definition.qualified_name}", f"gives {read.type}, not {result}")
        return Function(
            definition.qualified_name,
            signature.names,
            tuple(parameters),
            result,
            build.block(prelude, read),
            file.place(node),
            body.unknowns,
        )

    def _bind(
        self, body: Body, node: Node, slot: Variable, scope: Scope, prelude: list[Expression]
    ) -> None:
        if node.type == "self_parameter":
            scope.bind("self", slot)
            return
        pattern = field(node, "pattern")
        if pattern.type == "self":
            scope.bind("self", slot)
            return
        test = body.pattern(pattern, slot, scope)
        if test != build.TRUE:
            prelude.append(test)

    def expression(self, definition: Definition, text: str, where: Place) -> Function:
        """Return an expression over a function's parameters, as a function of them.

        ``text`` comes from the configuration at ``where``.
        """
        function = self.function(definition)
        if isinstance(function, Unknown):
            raise SourceError(where, function.name, "takes no arguments; it can play no role")
        source, node = parse_expression(text, where)
        body = Body(self, definition, UNIT).within(source)
        scope = Scope()
        constants: list[Expression] = []
        # An unknown constant goes by its name, as in a witness; its call means the same.
        for name, kind in function.unknowns.items():
            slot = body.slots.fresh(name, kind)
            constants.append(Set(slot.slot, Unknown(name, kind), UNIT))
            scope.bind(name, slot)
        body.unknowns |= function.unknowns
        for name, (parameter, kind) in zip(function.names, function.parameters, strict=True):
            scope.bind(name, Variable(parameter, kind))
        value = build.block(constants, statements.read_block(body, node, scope))
        return Function(
            text, function.names, function.parameters, value.type, value, where, body.unknowns
        )

    def constant(self, definition: Definition, caller: Node) -> Expression:
        """Return the value of a ``const`` or ``static``."""
        definition.require_one_build()
        definition.require_no_cfg_inside()
        file, node = definition.file, definition.node
        if any(entry.node == node for entry in self._reading):
            file.refuse(caller, "recursion", f"{definition.qualified_name} is defined by itself")
        kind = read_type(field(node, "type"), file, definition.module, self.crate, definition.owner)
        if kind is None:
            self.refuse_type(definition, node, f"constant of type {file.text(field(node, 'type'))}")
        value = node.child_by_field_name("value")
        if value is None:
            file.refuse(node, "constant without a value", "give it one")
        self._reading.append(definition)
        try:
            return Body(self, definition, kind).expression(value, Scope(), kind)
        finally:
            self._reading.pop()
