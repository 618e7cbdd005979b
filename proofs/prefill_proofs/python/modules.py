"""What a Python file defines: functions, classes, constants and imports."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from prefill_proofs.python.scopes import (
    all_arguments,
    imported_names,
    last_name,
    parameter_names,
    stored_names,
    top_level,
)
from prefill_proofs.python.syntax import PythonFile
from prefill_proofs.source_files import SourceFile

HARMLESS = frozenset(
    {"staticmethod", "classmethod", "property", "override", "final", "no_type_check"}
)
"""Decorators that do not change what a function answers."""

CACHES = frozenset({"cached_property", "cache", "lru_cache"})
"""Decorators that keep an answer."""

RECORDS = frozenset({"dataclass", "NamedTuple", "BaseModel", "TypedDict", "Struct", "define"})
"""What makes the annotated names of a class its fields, and their values defaults."""

ENUMS = frozenset({"Enum", "StrEnum", "Flag"})
"""Bases whose class constants are no integers."""


REWRITTEN = frozenset({"__code__", "__defaults__", "__kwdefaults__", "__class__", "__bases__"})
"""Attributes that turn a function or class into another."""


@dataclass(eq=False)
class Definition:
    """A function or method."""

    node: ast.FunctionDef
    module: Module
    owner: ClassDefinition | None = None

    @property
    def file(self) -> PythonFile:
        """The file that it stands in."""
        return self.module.file

    @property
    def qualified_name(self) -> str:
        """The function's name, after that of its class."""
        return f"{self.owner.name}.{self.node.name}" if self.owner else self.node.name

    @property
    def decorators(self) -> list[str]:
        """The last words of the names of its decorators."""
        return [last_name(entry) for entry in self.node.decorator_list]

    @property
    def first_yield(self) -> ast.AST | None:
        """A ``yield`` of its own: then calling it only makes a generator."""
        pending: list[ast.AST] = list(self.node.body)
        while pending:
            node = pending.pop(0)
            if isinstance(node, ast.Yield | ast.YieldFrom):
                return node
            if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
                pending += ast.iter_child_nodes(node)
        return None

    @cached_property
    def local_names(self) -> frozenset[str]:
        """The names that are local: parameters, and whatever the body assigns."""
        return frozenset(parameter_names(self.node.args)) | frozenset(stored_names(self.node.body))


@dataclass(eq=False)
class ClassDefinition:
    """A class of the file."""

    name: str
    node: ast.ClassDef
    module: Module
    methods: dict[str, list[Definition]] = field(default_factory=dict)

    @property
    def decorators(self) -> list[str]:
        """The last words of the names of its decorators."""
        return [last_name(entry) for entry in self.node.decorator_list]

    def definitions_of(self, name: str) -> list[Definition]:
        """Return the functions of a name in the class body, setters of a property included."""
        return [
            Definition(statement, self.module, self)
            for statement in self.node.body
            if isinstance(statement, ast.FunctionDef) and statement.name == name
        ]

    @property
    def bases(self) -> list[str]:
        """The last words of the names of its bases."""
        return [last_name(base) for base in self.node.bases]

    @property
    def is_record(self) -> bool:
        """Whether its annotated names are fields of each object."""
        return bool(RECORDS & {*self.decorators, *self.bases})

    @cached_property
    def annotations(self) -> dict[str, ast.expr]:
        """The types that the class gives its attributes, or that ``__init__`` does."""
        found: dict[str, ast.expr] = {}
        for statement in self.node.body:
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                kind = statement.annotation
                if isinstance(statement.value, ast.Constant) and statement.value.value is None:
                    kind = ast.BinOp(kind, ast.BitOr(), statement.value)
                found[statement.target.id] = kind
        for method in self.methods.get("__init__", []):
            given = {entry.arg: entry.annotation for entry in all_arguments(method.node.args)}
            for inner in ast.walk(method.node):
                match inner:
                    case ast.AnnAssign(ast.Attribute(ast.Name("self"), name), annotation):
                        found.setdefault(name, annotation)
                    case ast.Assign([ast.Attribute(ast.Name("self"), name)], ast.Name(source)):
                        annotated = given.get(source)
                        if annotated is not None:
                            found.setdefault(name, annotated)
        return found

    @cached_property
    def bindings(self) -> Counter[str]:
        """How often the class body binds each name."""
        return Counter(stored_names(self.node.body))

    @property
    def is_frozen(self) -> bool:
        """Whether attributes of its objects cannot be assigned, or not all of them."""
        words = [ast.unparse(entry) for entry in self.node.decorator_list]
        return "__slots__" in self.bindings or any("frozen" in text for text in words)

    @property
    def is_enum(self) -> bool:
        """Whether its constants are no integers."""
        return bool(ENUMS & {*self.bases})

    def constant(self, name: str) -> ast.expr | None:
        """Return what the class body assigns to a name for all objects, when it does so once."""
        for statement in self.node.body:
            match statement:
                case ast.Assign([ast.Name(target)], value) if target == name:
                    return value
                case ast.AnnAssign(ast.Name(target), _, ast.expr() as value) if target == name:
                    return None if self.is_record else value
        return None


class Module:
    """One file: what each name at its top level means. ``open_file`` gives the ``externs``."""

    def __init__(
        self,
        file: PythonFile,
        externs: Mapping[str, Path],
        open_file: Callable[[Path], SourceFile],
    ) -> None:
        self.file = file
        self.externs = externs
        self._open_file = open_file
        self.functions: dict[str, list[Definition]] = {}
        self.classes: dict[str, list[ClassDefinition]] = {}
        self.values: dict[str, ast.expr] = {}
        self.imports: dict[str, str] = {}
        self.import_lines: list[tuple[str, int]] = []
        for statement in top_level(file.tree.body):
            self._add(statement)

    def _add(self, statement: ast.stmt) -> None:
        match statement:
            case ast.FunctionDef(name):
                self._add_function(self.functions, Definition(statement, self))
            case ast.ClassDef(name):
                self.classes.setdefault(name, []).append(self._class(name, statement))
            case ast.Import() | ast.ImportFrom():
                self.imports |= imported_names(statement)
                self.import_lines += [(entry.name, statement.lineno) for entry in statement.names]
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(
                ast.Name(name), _, ast.expr() as value
            ):
                self.values[name] = value

    def _class(self, name: str, node: ast.ClassDef) -> ClassDefinition:
        result = ClassDefinition(name, node, self)
        for statement in top_level(node.body):
            if isinstance(statement, ast.FunctionDef):
                self._add_function(result.methods, Definition(statement, self, result))
            elif isinstance(statement, ast.ClassDef):
                inner = self._class(f"{name}.{statement.name}", statement)
                self.classes.setdefault(inner.name, []).append(inner)
        return result

    def _add_function(self, table: dict[str, list[Definition]], entry: Definition) -> None:
        if not {"overload", "setter", "deleter"} & {*entry.decorators}:
            table.setdefault(entry.node.name, []).append(entry)

    def functions_named(self, name: str) -> list[Definition]:
        """Return the functions and methods of a name, or of a ``Class.name``."""
        *_, last = name.split(".")
        entries = list(self.functions.get(last, []))
        for classes in self.classes.values():
            for owner in classes:
                entries += owner.methods.get(last, [])
        return [entry for entry in entries if f".{entry.qualified_name}".endswith(f".{name}")]

    def function_names(self) -> list[str]:
        """Return the names of all functions, each with its class."""
        owners = [owner for classes in self.classes.values() for owner in classes]
        tables = [self.functions, *(owner.methods for owner in owners)]
        return [
            entry.qualified_name
            for table in tables
            for entries in table.values()
            for entry in entries
        ]

    def family(self, owner: ClassDefinition) -> list[ClassDefinition]:
        """Return a class and its bases, as far as the file defines them, the nearest first."""
        found: list[ClassDefinition] = []
        pending = [owner]
        while pending:
            entry = pending.pop(0)
            if entry not in found:
                found.append(entry)
                pending += [inner for base in entry.bases for inner in self.classes.get(base, [])]
        return found

    def is_line(self, owner: ClassDefinition) -> bool:
        """Return whether a class and its bases each have one base at most in the file."""
        return all(
            sum(len(self.classes.get(base, [])) for base in entry.bases) <= 1
            for entry in self.family(owner)
        )

    def class_of(self, annotation: ast.expr | None) -> ClassDefinition | None:
        """Return the class that an annotation names, when the file defines it once."""
        match annotation:
            case ast.Constant(str(text)):
                name = text.strip()
            case ast.Name(name):
                pass
            case _:
                return None
        found = self.classes.get(name, [])
        return found[0] if len(found) == 1 else None

    @cached_property
    def bindings(self) -> Counter[str]:
        """How often the file binds each name at its top level."""
        return Counter(stored_names(self.file.tree.body))

    @cached_property
    def certain(self) -> frozenset[str]:
        """The names that the file binds in any case: not under ``if``, ``try`` and the like."""
        plain = (ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign, ast.Import)
        kinds = (*plain, ast.ImportFrom)
        return frozenset(
            stored_names([entry for entry in self.file.tree.body if isinstance(entry, kinds)])
        )

    @cached_property
    def is_opaque(self) -> bool:
        """Whether the file changes names in ways that cannot be read."""
        for node in ast.walk(self.file.tree):
            match node:
                case ast.Name("globals" | "exec" | "eval"):
                    return True
                case ast.Call(ast.Name("setattr" | "delattr"), [ast.Name(name), *_]):
                    if name in self.bindings:
                        return True
        return bool(self.changed_attributes & REWRITTEN)

    @property
    def star_import(self) -> int:
        """The line of the last ``from x import *``, 0 where there is none."""
        return max((line for name, line in self.import_lines if name == "*"), default=0)

    @cached_property
    def changed_globals(self) -> frozenset[str]:
        """The names that some function declares ``global``."""
        return frozenset(
            name
            for node in ast.walk(self.file.tree)
            if isinstance(node, ast.Global)
            for name in node.names
        )

    @cached_property
    def changed_attributes(self) -> frozenset[str]:
        """The names of the attributes that the file assigns, of whatever object."""
        return frozenset(
            node.attr
            for node in ast.walk(self.file.tree)
            if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)
        )

    def extern(self, name: str, path: str) -> Module | None:
        """Return the file that the configuration names for an import, if it does."""
        for key in (name, path):
            if key in self.externs:
                file = PythonFile(*self._open_file(self.externs[key]))
                return Module(file, self.externs, self._open_file)
        return None
