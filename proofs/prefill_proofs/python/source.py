"""A Python file as a source of planner functions."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from pathlib import Path

from prefill_proofs import build
from prefill_proofs.language import Expression, Function, Literal, Place, Unknown
from prefill_proofs.python import bodies, calls, coercions, names
from prefill_proofs.python.frames import Frame
from prefill_proofs.python.inputs import Inputs, type_of_annotation
from prefill_proofs.python.modules import Definition, Module
from prefill_proofs.python.reading import Reading
from prefill_proofs.python.scopes import all_arguments
from prefill_proofs.python.syntax import PythonFile, parse_expression
from prefill_proofs.python.values import INT, Chain, Value, is_scalar
from prefill_proofs.refusals import SourceError, suggestion
from prefill_proofs.role_config import INPUT_TYPES
from prefill_proofs.roles import Asked, Read
from prefill_proofs.source_files import SourceFile, open_source
from prefill_proofs.types import BOOL, BoolType, IntType, OptionType, Type

MAX_READINGS = 8
"""So often a function is read until the types of its inputs are settled."""


class PythonSource:
    """The functions of one Python file.

    Raises ``SourceError`` when the content is no Python; ``externs`` says where imported names are
    defined, and ``open_file`` gives those files.
    """

    def __init__(
        self,
        content: bytes,
        name: str,
        path: Path | None,
        externs: Mapping[str, Path],
        open_file: Callable[[Path], SourceFile] = open_source,
    ) -> None:
        self._module = Module(PythonFile(name, content, path), externs, open_file)
        self._notes: dict[str, None] = {}

    @property
    def assumptions(self) -> list[str]:
        """What was taken for granted in reading."""
        return list(self._notes)

    def find(self, name: str) -> list[Definition]:
        """Return the functions of a name or of a ``Class.name``."""
        return self._module.functions_named(name)

    def names(self) -> list[str]:
        """Return the names of the file's functions, each with its class."""
        return self._module.function_names()

    def place(self, candidate: Definition) -> Place:
        """Return where a function stands."""
        return candidate.file.place(candidate.node)

    def read(self, candidate: Definition, asked: Asked) -> Read:
        """Return a function in the planner language, with the expressions that are asked for.

        Raises ``SourceError`` for what is outside the language. The function is read again until
        the types of its inputs are known.
        """
        inputs = Inputs({name: INPUT_TYPES[kind] for name, (kind, _) in asked.inputs.items()})
        for _ in range(MAX_READINGS):
            try:
                read = _RoleReader(self._module, candidate, inputs, self._notes).read(asked)
            except SourceError:
                if inputs.is_settled():
                    raise
            else:
                if inputs.is_settled():
                    _require_inputs(read.function, asked)
                    return read
        place = self.place(candidate)
        raise SourceError(place, "inputs", "have types that do not settle; declare them")


def _require_inputs(function: Function | Unknown, asked: Asked) -> None:
    """Refuse a type that is declared for an input that the function does not have."""
    assert isinstance(function, Function)
    for name, (_, where) in asked.inputs.items():
        if name not in function.names:
            hint = suggestion(name, list(function.names))
            raise SourceError(where, f"input {name}", f"is none of the function's; {hint}")


class _RoleReader:
    """Reads a function once, with what is known of its inputs so far."""

    def __init__(
        self, module: Module, definition: Definition, inputs: Inputs, notes: dict[str, None]
    ) -> None:
        self.module = module
        self.definition = definition
        self.inputs = inputs
        self.notes = notes
        self.parameters = self._parameters()

    def _parameters(self) -> dict[str, Value]:
        """Return what each parameter stands for at the start of the call."""
        arguments = self.definition.node.args
        entries = all_arguments(arguments)
        defaults = calls.defaults_of(arguments)
        owner = self.definition.owner
        found: dict[str, Value] = {}
        for position, entry in enumerate(entries):
            chain = Chain(entry.arg, None, entry.annotation)
            if position == 0 and owner and "staticmethod" not in self.definition.decorators:
                found[entry.arg] = Chain(entry.arg, owner)
                self.inputs.objects.add(entry.arg)
                continue
            found[entry.arg] = names.annotated(chain, self.module)
            if type_of_annotation(entry.annotation) is not None or entry.arg in defaults:
                self._note_default(chain, defaults.get(entry.arg))
        return found

    def _note_default(self, chain: Chain, value: ast.expr | None) -> None:
        """Learn an input's type from its annotation and its default."""
        entry = self.inputs.find(chain.path)
        if entry.declared is None:
            entry.declared = type_of_annotation(chain.annotation)
        match value:
            case ast.Constant(bool()):
                entry.is_condition = True
            case ast.Constant(int()):
                entry.is_number = True
            case ast.UnaryOp(ast.USub()):
                entry.is_number = True
                self.notes[f"{chain.path} is not negative, though its default is"] = None
            case ast.Constant(None):
                entry.may_be_none = True
                if isinstance(entry.declared, IntType | BoolType):
                    entry.declared = OptionType(entry.declared)

    def read(self, asked: Asked) -> Read:
        """Return the function and the expressions, all over the same inputs."""
        for name in asked.numbers:
            if name in self.parameters:
                self.inputs.find(name).is_number = True
        for name, value in self.parameters.items():
            is_plain = isinstance(value, Chain) and value.owner is None
            if is_plain and value.annotation is None:  # type: ignore[union-attr]
                self.inputs.find(name)
        self.inputs.used = set()
        body = self._function(asked.result)
        own = {*self.inputs.used, *self.parameters}
        expressions = [
            (text, self._expression(text, where, None), where) for text, where in asked.expressions
        ]
        conditions = [
            (text, self._expression(text, where, BOOL), where) for text, where in asked.conditions
        ]
        for name in sorted(self.inputs.used - own):
            hint = suggestion(name, sorted(own))
            self.notes[f"{name} is read by the configuration alone{'; ' if hint else ''}{hint}"] = (
                None
            )
        entries = self.inputs.entries(are_constants=False)
        parameters = tuple((entry.name, entry.type) for entry in entries)
        constants = self.inputs.entries(are_constants=True)
        for entry in constants:
            if isinstance(entry.type, IntType):
                self.notes[f"{entry.name} is not negative"] = None
        unknowns = {entry.name: entry.type for entry in constants}

        def finished(name: str, tree: Expression, where: Place) -> Function:
            labels = tuple(entry.name for entry in entries)
            return Function(name, labels, parameters, tree.type, tree, where, unknowns)

        place = self.definition.file.place(self.definition.node)
        return Read(
            finished(self.definition.qualified_name, body, place),
            {entry[0]: finished(*entry) for entry in expressions},
            {entry[0]: finished(*entry) for entry in conditions},
        )

    def _reading(self) -> Reading:
        return Reading(self.module, self.inputs, self.notes)

    def _function(self, wanted: Type) -> Expression:
        reading = self._reading()
        definition = self.definition
        calls.refuse_decorators(definition)
        value = bodies.run(reading, self._frame(), definition.node.body, definition.node)
        result = _as_result(reading, value, wanted, definition.node)
        return build.block(reading.items, result)

    def _frame(self) -> Frame:
        definition = self.definition
        return Frame(
            self.module,
            definition.file,
            dict(self.parameters),
            definition.local_names,
            definition,
        )

    def _expression(self, text: str, where: Place, wanted: Type | None) -> Expression:
        file, node = parse_expression(text, where)
        reading = self._reading()
        frame = Frame(self.module, file, dict(self.parameters))
        reading.frames = [frame]
        if wanted == BOOL:
            result = reading.condition(node)
        else:
            result = coercions.scalar(reading, reading.read(node), node)
            entry = self.inputs.of(result)
            if entry is not None:
                entry.is_number = True
        return build.block(reading.items, result)


def _as_result(reading: Reading, value: Value, wanted: Type, node: ast.FunctionDef) -> Expression:
    """Return what the function gives as what its role gives."""
    if not reading.alive:
        if isinstance(wanted, OptionType):
            return build.none(INT)
        return Literal(False, BOOL) if wanted == BOOL else build.number(0, INT)
    if wanted == BOOL:
        return coercions.truth(reading, value, node)
    if isinstance(wanted, OptionType):
        found = coercions.scalar(reading, value, node)
        entry = reading.inputs.of(found)
        if entry is not None:
            entry.is_number = True
        return coercions.converted(reading.hold(found), OptionType(INT))
    if not is_scalar(value) and not isinstance(value, Chain):
        reading.refuse(node, f"def {node.name}", "does not give an integer; its role does")
    found = coercions.scalar(reading, value, node)
    if isinstance(found.type, OptionType):
        held = reading.hold(found)
        reading.emit(
            build.requires(build.is_some(held), f"{node.name} gives None", reading.place(node))
        )
        return coercions.converted(build.payload(held), INT)
    return coercions.number(reading, found, node)
