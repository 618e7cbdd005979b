"""Calls: every function that a planner calls is written out where it is called."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from prefill_proofs.python import attributes, bodies, library, names, sequences
from prefill_proofs.python.frames import Frame
from prefill_proofs.python.modules import CACHES, HARMLESS, Definition
from prefill_proofs.python.scopes import all_arguments, stored_names
from prefill_proofs.python.values import (
    Callee,
    Chain,
    ListOf,
    Nested,
    Refused,
    Value,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from prefill_proofs.python.reading import Reading


def read_call(reading: Reading, node: ast.Call) -> Value:
    """Read a call."""
    function = node.func
    if isinstance(function, ast.Name) and not _is_defined(reading, function.id):
        return library.read_builtin(reading, node, function.id)
    if isinstance(function, ast.Attribute):
        refused = library.refused_call(reading, function)
        if refused is not None:
            reading.refuse(node, *refused)
        if not _is_outside(reading, function):
            whole = reading.read(function.value)
            if isinstance(whole, ListOf):
                return sequences.list_method(reading, node, whole, function.attr)
            called = attributes.attribute(reading, whole, function.attr, function)
            return _call(reading, node, called)
    return _call(reading, node, reading.read(function))


def _is_defined(reading: Reading, name: str) -> bool:
    module = reading.frame.module
    owner = reading.frame.owner
    is_own = owner is not None and name in owner.bindings
    return is_own or names.is_local(reading, name) or name in module.bindings


def _is_outside(reading: Reading, function: ast.Attribute) -> bool:
    """Return whether a call is of a function of a class or of an imported module."""
    root: ast.expr = function
    while isinstance(root, ast.Attribute):
        root = root.value
    return isinstance(root, ast.Name) and not names.is_local(reading, root.id)


def _call(reading: Reading, node: ast.Call, called: Value) -> Value:
    if isinstance(called, Refused):
        reading.unusable(node, called)
    if not isinstance(called, Callee | Nested):
        name = reading.text(node.func)
        reading.refuse(
            node,
            f"call of {name}",
            "is not defined in this file; compute it before and pass the result",
        )
    positional = [reading.held(reading.read(entry)) for entry in node.args]
    named: dict[str, Value] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            reading.refuse(node, "**", "name the arguments")
        named[keyword.arg] = reading.held(reading.read(keyword.value))
    if isinstance(called, Nested):
        return _call_nested(reading, node, called, positional, named)
    return call(reading, called.definition, called.receiver, positional, named, node)


def method_value(reading: Reading, definition: Definition, whole: Chain, node: ast.AST) -> Value:
    """Return a method of an object, or the value of a property."""
    decorators = definition.decorators
    if {"property", "cached_property"} & {*decorators}:
        if whole.is_class:
            reading.refuse(node, f"property {definition.qualified_name}", "needs an object")
        return call(reading, definition, whole, [], {}, node)
    if "staticmethod" in decorators:
        return Callee(definition)
    if "classmethod" in decorators and whole.owner is not None:
        return Callee(definition, Chain(whole.owner.name, whole.owner, is_class=True))
    return Callee(definition) if whole.is_class else Callee(definition, whole)


def call(
    reading: Reading,
    definition: Definition,
    receiver: Value | None,
    positional: list[Value],
    named: Mapping[str, Value],
    node: ast.AST,
) -> Value:
    """Return what a function of the file gives for arguments that have been read."""
    name = definition.qualified_name
    if any(frame.definition is definition for frame in reading.frames):
        reading.refuse(node, "recursion", f"{name} calls itself; write it without recursion")
    refuse_decorators(definition)
    if (
        definition.owner is not None
        and definition.node.name in definition.module.changed_attributes
    ):
        reading.refuse(node, f"method {name}", "is assigned anew in this file; leave it alone")
    given = positional if receiver is None else [receiver, *positional]
    frame = Frame(
        definition.module,
        definition.file,
        local_names=definition.local_names,
        definition=definition,
    )
    bound = _bound(reading, definition.node.args, given, named, node, name)
    for argument in all_arguments(definition.node.args):
        if argument.arg in bound:
            frame.names[argument.arg] = bound[argument.arg]
            continue
        default_value = _default(definition.node.args, argument.arg)
        if default_value is None:
            reading.refuse(node, f"call of {name}", f"gives no {argument.arg}")
        frame.names[argument.arg] = names.constant(
            reading,
            definition.module,
            f"{name}.{argument.arg}",
            default_value,
            definition.owner,
        )
    return bodies.run(reading, frame, definition.node.body, node)


def refuse_decorators(definition: Definition) -> None:
    """Refuse a generator, and a function that a decorator may turn into something else."""
    module = definition.module
    for decorator in definition.decorators:
        is_own = decorator in module.bindings and decorator not in module.imports
        if decorator in CACHES:
            message = "gives an earlier answer again, whatever has changed since; compute it anew"
            definition.file.refuse(definition.node, f"decorator {decorator}", message)
        if is_own or decorator not in HARMLESS:
            message = f"may change what {definition.qualified_name} does; check the plain function"
            definition.file.refuse(definition.node, f"decorator {decorator}", message)
    if definition.first_yield is not None:
        definition.file.refuse(definition.first_yield, "yield", "a planner returns one value")


def refuse_defaults(reading: Reading, node: ast.FunctionDef | ast.Lambda) -> None:
    """Refuse an inner function whose definition runs something."""
    if reading.frame.overlay:
        reading.refuse(node, "function in a comprehension", "write what it does where it is called")
    arguments = all_arguments(node.args)
    defaults = [*node.args.defaults, *(entry for entry in node.args.kw_defaults if entry)]
    if any(not isinstance(entry, ast.Constant) for entry in defaults):
        reading.refuse(node, "default of an inner function", "pass the argument")
    if any(isinstance(entry.annotation, ast.BinOp | ast.Call) for entry in arguments):
        reading.refuse(node, "annotation of an inner function", "leave it out")


def _call_nested(
    reading: Reading,
    node: ast.Call,
    called: Nested,
    positional: list[Value],
    named: Mapping[str, Value],
) -> Value:
    enclosing = reading.frame
    if called.frame is not enclosing:
        reading.refuse(node, "inner function", "is called outside the function that makes it")
    syntax = called.node
    arguments = [entry.arg for entry in all_arguments(syntax.args)]
    body = syntax.body if isinstance(syntax.body, list) else [_returning(syntax.body)]
    frame = Frame(
        enclosing.module,
        enclosing.file,
        local_names=frozenset([*arguments, *stored_names(body)]),
        enclosing=enclosing,
    )
    bound = _bound(reading, syntax.args, positional, named, node, "the inner function")
    if set(bound) != set(arguments):
        reading.refuse(node, "inner function", "is called with some arguments left out")
    frame.names = dict(bound)
    return bodies.run(reading, frame, body, node)


def _returning(value: ast.expr) -> ast.stmt:
    return ast.copy_location(ast.Return(value), value)


def _bound(
    reading: Reading,
    arguments: ast.arguments,
    positional: list[Value],
    named: Mapping[str, Value],
    node: ast.AST,
    name: str,
) -> dict[str, Value]:
    """Return the arguments of a call by the name of the parameter."""
    if arguments.vararg is not None or arguments.kwarg is not None:
        reading.refuse(node, f"call of {name}", "takes any number of arguments; name them")
    by_position = [entry.arg for entry in (*arguments.posonlyargs, *arguments.args)]
    by_name = {entry.arg for entry in (*arguments.args, *arguments.kwonlyargs)}
    bound = dict(zip(by_position, positional, strict=False))
    unknown = [key for key in named if key not in by_name or key in bound]
    if len(positional) > len(by_position) or unknown:
        what = unknown[0] if unknown else f"{len(positional)} arguments"
        reading.refuse(node, f"call of {name}", f"does not take {what}")
    return bound | dict(named)


def _default(arguments: ast.arguments, name: str) -> ast.expr | None:
    plain_ones = [*arguments.posonlyargs, *arguments.args]
    first = len(plain_ones) - len(arguments.defaults)
    for entry, value in zip(plain_ones[first:], arguments.defaults, strict=True):
        if entry.arg == name:
            return value
    for entry, optional in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if entry.arg == name:
            return optional
    return None


def defaults_of(arguments: ast.arguments) -> dict[str, ast.expr]:
    """Return the default of each parameter that has one."""
    found = {entry.arg: _default(arguments, entry.arg) for entry in all_arguments(arguments)}
    return {name: value for name, value in found.items() if value is not None}
