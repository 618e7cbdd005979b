"""Which names statements bind, and what stands at the top of a file or class."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def top_level(statements: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a module or class, those under ``if`` and ``try`` included."""
    for statement in statements:
        yield statement
        match statement:
            case ast.If(_, body, orelse):
                yield from top_level([*body, *orelse])
            case ast.Try(body, handlers, orelse, finalbody):
                inner = [entry for handler in handlers for entry in handler.body]
                yield from top_level([*body, *inner, *orelse, *finalbody])
            case ast.With(_, body):
                yield from top_level(body)


def imported_names(statement: ast.Import | ast.ImportFrom) -> dict[str, str]:
    """Return what each name that an import binds stands for."""
    if isinstance(statement, ast.Import):
        return {
            entry.asname or entry.name.split(".")[0]: entry.name
            if entry.asname
            else entry.name.split(".")[0]
            for entry in statement.names
        }
    source = statement.module or ""
    return {entry.asname or entry.name: f"{source}.{entry.name}" for entry in statement.names}


def all_arguments(arguments: ast.arguments) -> list[ast.arg]:
    """Return the parameters that can be given by position or name, in order."""
    return [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]


def parameter_names(arguments: ast.arguments) -> list[str]:
    """Return the names of all parameters, ``*args`` and ``**kwargs`` included."""
    further = [entry for entry in (arguments.vararg, arguments.kwarg) if entry is not None]
    return [entry.arg for entry in (*all_arguments(arguments), *further)]


def stored_names(statements: list[ast.stmt]) -> list[str]:
    """Return the names that statements assign in their own scope, each as often as it is."""
    found: list[str] = []
    pending: list[ast.AST] = list(statements)
    while pending:
        node = pending.pop()
        match node:
            case ast.Name(name, ast.Store() | ast.Del()):
                found.append(name)
            case ast.FunctionDef(name) | ast.ClassDef(name) | ast.AsyncFunctionDef(name):
                found.append(name)
                continue
            case ast.Lambda():
                continue
            case ast.Import() | ast.ImportFrom():
                found += imported_names(node)
            case ast.comprehension(_, iterable, conditions):
                pending += [iterable, *conditions]
                continue
        pending += ast.iter_child_nodes(node)
    return found


def last_name(node: ast.expr) -> str:
    """Return the last word of a dotted name, or of what is called or subscripted by it."""
    match node:
        case ast.Call(function):
            return last_name(function)
        case ast.Attribute(_, name) | ast.Name(name):
            return name
        case ast.Subscript(value):
            return last_name(value)
    return ""
