"""What a name means where it stands: a variable, a constant of the file, or something imported."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NoReturn

from prefill_proofs import build, concrete
from prefill_proofs.language import Literal
from prefill_proofs.python.frames import Frame
from prefill_proofs.python.inputs import type_of_annotation
from prefill_proofs.python.modules import Module
from prefill_proofs.python.values import (
    Callee,
    Chain,
    Element,
    Items,
    ListOf,
    MaybeSet,
    Refused,
    Value,
    is_scalar,
    plain,
)
from prefill_proofs.refusals import SourceError

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

TEXTS = frozenset({"str", "bytes", "float", "complex"})
"""Types outside the planner language."""


def find(reading: Reading, node: ast.Name) -> Value:
    """Return what a name stands for."""
    name = node.id
    frame = reading.frame
    while True:
        if name in frame.names:
            value = frame.names[name]
            if isinstance(value, Refused) and value.is_unset:
                reading.unusable(node, value)
            if isinstance(value, MaybeSet):
                text = f"name {name} that is not set"
                reading.emit(build.requires(value.is_set, text, reading.place(node)))
                return value.value
            return value
        if name in frame.local_names:
            reading.refuse(node, f"name {name}", "is read before it is set")
        if frame.enclosing is None:
            return _of_module(reading, frame.module, node)
        frame = frame.enclosing


class AmbiguousError(SourceError):
    """A name that could mean several things."""


def _of_module(reading: Reading, module: Module, node: ast.Name) -> Value:
    name = node.id
    value = module.values.get(name)
    if name not in module.bindings:
        _undefined(reading, module, node)
    require_one_meaning(reading, module, node, name)
    if name in module.functions:
        return Callee(module.functions[name][0])
    if name in module.imports:
        return _imported(reading, module, name, module.imports[name])
    if name in module.classes:
        return Refused(f"class {name}", "is no value of the planner language")
    if value is None or name in module.changed_globals:
        return unknown(reading, name)
    return constant(reading, module, name, value)


def require_one_meaning(reading: Reading, module: Module, node: ast.AST, name: str) -> None:
    """Refuse a name of a file that the file binds more than once, or changes behind our back."""
    message = ""
    if module.bindings[name] > 1:
        message = "is defined more than once; keep one"
    elif module.is_opaque:
        message = "could be changed by globals(), exec or eval in this file; move it to its own"
    elif name in module.functions and module.star_import > module.functions[name][0].node.lineno:
        message = "could come from the import * below it; name what is imported"
    if message:
        place = reading.place(node)
        raise AmbiguousError(place, f"name {name}", message, reading.frame.file.line(place))


def _undefined(reading: Reading, module: Module, node: ast.Name) -> NoReturn:
    import difflib  # here, for it is slow to load and seldom asked for

    known = [*reading.frame.names, *module.functions, *module.values, *module.imports]
    close = difflib.get_close_matches(node.id, known, 1)
    hint = f"; did you mean {close[0]}?" if close else ""
    reading.refuse(node, f"name {node.id}", f"is not defined here{hint}")


def _imported(reading: Reading, module: Module, name: str, path: str) -> Value:
    outside = module.extern(name, path)
    last = path.rpartition(".")[2]
    if outside is not None:
        if last in outside.functions:
            return Callee(outside.functions[last][0])
        if last in outside.values and outside.bindings[last] == 1:
            return constant(reading, outside, last, outside.values[last])
    if last[:1].isupper() and last.upper() == last:
        return unknown(reading, name)
    message = f'is imported; name its file: [planner.externs] "{name}" = "FILE.py"'
    return Refused(f"name {name}", message)


def unknown(reading: Reading, name: str) -> Value:
    """Return an unknown constant: any value, the same at every call, and reported."""
    reading.inputs.find(name).is_constant = True
    return reading.inputs.variable(name)


def is_local(reading: Reading, name: str) -> bool:
    """Return whether a name is a variable of the function, or of one around it."""
    frame = reading.frame
    while True:
        if name in frame.names or name in frame.local_names:
            return True
        if frame.enclosing is None:
            return False
        frame = frame.enclosing


def constant(reading: Reading, module: Module, name: str, node: ast.expr) -> Value:
    """Return the value of a constant, or an unknown one where it cannot be read."""
    if name in reading.constants_read:
        reading.refuse(node, f"constant {name}", "is made of itself")
    items, frames = reading.items, len(reading.frames)
    reading.constants_read.append(name)
    reading.frames.append(Frame(module, module.file))
    reading.items = []
    try:
        value = _fixed(reading, reading.read(node))
        is_known = not reading.items
    except AmbiguousError:
        raise
    except (SourceError, KeyError, concrete.FaultError):
        is_known, value = False, build.NOTHING
    finally:
        del reading.frames[frames:]
        reading.items = items
        reading.constants_read.pop()
    return value if is_known else unknown(reading, name)


def _fixed(reading: Reading, value: Value) -> Value:
    """Return a constant's value as a literal, or raise ``KeyError``."""
    if isinstance(value, Items | ListOf):
        elements = value.elements if isinstance(value, Items) else reading.lists[value.number]
        fixed = [Element(entry.present, _fixed(reading, entry.value)) for entry in elements]
        return Items(tuple(fixed))
    if is_scalar(value):
        return Literal(concrete.value_of(value), value.type)  # type: ignore[arg-type, union-attr]
    if isinstance(value, Refused):
        return value
    raise KeyError(value)


def annotated(chain: Chain, module: Module) -> Value:
    """Return a chain with what its annotation says: its class, a tuple, or no number at all."""
    annotation = chain.annotation
    if annotation is None or type_of_annotation(annotation) is not None:
        return chain
    match annotation:
        case ast.Name(name) if name in TEXTS:
            return Refused(chain.path, f"is of type {name}, which the planner language lacks")
        case ast.Subscript(ast.Name("tuple" | "Tuple"), ast.Tuple(items)) if all(
            type_of_annotation(item) is not None for item in items
        ):
            return plain(
                *(Chain(f"{chain.path}[{index}]", None, item) for index, item in enumerate(items))
            )
    return chain._replace(owner=module.class_of(_without_none(annotation)))


def _without_none(annotation: ast.expr) -> ast.expr:
    match annotation:
        case ast.BinOp(left, ast.BitOr(), ast.Constant(None)):
            return left
        case ast.Subscript(ast.Name("Optional"), inner):
            return inner
    return annotation
