"""What a name means where it stands: a variable, a constant of the file, or something imported."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, NoReturn, cast

from prefill_proofs import build, concrete
from prefill_proofs.language import Expression, Literal
from prefill_proofs.python.frames import Frame
from prefill_proofs.python.inputs import type_of_annotation
from prefill_proofs.python.modules import ClassDefinition, Module
from prefill_proofs.python.values import (
    INT,
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
from prefill_proofs.refusals import SourceError, suggestion

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

TEXTS = frozenset({"str", "bytes", "float", "complex"})
"""Types outside the planner language."""


def find(reading: Reading, node: ast.Name) -> Value:
    """Return what a name stands for."""
    name = node.id
    frame = reading.frame
    if name in frame.overlay:
        return frame.overlay[name]
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
            reading.emit(build.panic(f"name {name} that is not set", reading.place(node)))
            return build.number(0, INT)
        if frame.owner is not None and name in frame.owner.bindings:
            return _of_class_body(reading, frame.owner, node)
        if frame.enclosing is None:
            return _of_module(reading, frame.module, node)
        frame = frame.enclosing


def _of_class_body(reading: Reading, owner: ClassDefinition, node: ast.Name) -> Value:
    """Return what a name means in the body of a class: its own constants come first."""
    value = owner.constant(node.id)
    is_later = value is not None and value.lineno >= node.lineno
    if value is None or is_later or owner.bindings[node.id] > 1:
        reading.refuse(node, f"name {node.id}", f"is no plain constant of {owner.name}")
    return constant(reading, owner.module, f"{owner.name}.{node.id}", value, owner)


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
        return _imported(reading, module, node, module.imports[name])
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
    elif name not in module.certain and name not in module.imports:
        message = "is defined on some paths only; define it in any case"
    elif name in module.changed_globals and name not in module.values:
        message = "is assigned by a function; leave it alone"
    elif module.is_opaque:
        message = "could be changed by globals(), exec or eval in its file; move it to its own"
    elif name in module.functions and module.star_import > module.functions[name][0].node.lineno:
        message = "could come from the import * below it; name what is imported"
    if message:
        place = reading.place(node)
        raise AmbiguousError(place, f"name {name}", message, reading.frame.file.line(place))


def _undefined(reading: Reading, module: Module, node: ast.Name) -> NoReturn:
    known = [*reading.frame.names, *module.functions, *module.values, *module.imports]
    said = suggestion(node.id, known)
    hint = f"; {said}" if said else ""
    reading.refuse(node, f"name {node.id}", f"is not defined here{hint}")


def _imported(reading: Reading, module: Module, node: ast.Name, path: str) -> Value:
    name = node.id
    outside = module.extern(name, path)
    last = path.rpartition(".")[2]
    if outside is not None and last in outside.bindings:
        return _of_module(reading, outside, ast.copy_location(ast.Name(last), node))
    if last[:1].isupper() and last.upper() == last:
        return unknown(reading, name)
    message = f'is imported; name its file: [planner.externs] "{name}" = "FILE.py"'
    return Refused(f"name {name}", message)


def unknown(reading: Reading, name: str) -> Value:
    """Return an unknown constant: any value, the same at every call, and reported."""
    return reading.inputs.constant(name)


def is_local(reading: Reading, name: str) -> bool:
    """Return whether a name is a variable of the function, or of one around it."""
    frame = reading.frame
    if name in frame.overlay:
        return True
    while True:
        if name in frame.names or name in frame.local_names:
            return True
        if frame.enclosing is None:
            return False
        frame = frame.enclosing


def constant(
    reading: Reading,
    module: Module,
    name: str,
    node: ast.expr,
    owner: ClassDefinition | None = None,
) -> Value:
    """Return the value of a constant, or an unknown one where it cannot be read.

    ``owner`` is the class whose body it stands in.
    """
    if name in reading.constants_read:
        reading.refuse(node, f"constant {name}", "is made of itself")
    scoped = (ast.ListComp, ast.GeneratorExp, ast.Lambda)
    if owner is not None and any(isinstance(inner, scoped) for inner in ast.walk(node)):
        # What they read is not what the class body would.
        place, message = module.file.place(node), "has a scope of its own in a class; write it out"
        raise AmbiguousError(place, f"constant {name}", message, module.file.line(place))
    items, frames, alive = reading.items, len(reading.frames), reading.alive
    reading.constants_read.append(name)
    reading.frames.append(Frame(module, module.file, owner=owner))
    reading.items, reading.alive = [], True
    constants = {key for key, entry in reading.inputs.table.items() if entry.is_constant}
    try:
        value: Value = _fixed(reading, reading.read(node))
        if isinstance(value, ListOf):
            place, message = reading.place(node), "is a list, which can change; make it a tuple"
            raise AmbiguousError(place, f"constant {name}", message, module.file.line(place))
    except AmbiguousError:
        raise
    except (SourceError, KeyError, concrete.FaultError):
        value = None  # type: ignore[assignment]
    finally:
        del reading.frames[frames:]
        reading.items, reading.alive = items, alive
        reading.constants_read.pop()
    if value is not None:
        return value
    # What it is made of is part of it: one unknown constant, not several.
    for key in [key for key, entry in reading.inputs.table.items() if entry.is_constant]:
        if key not in constants:
            del reading.inputs.table[key]
    return unknown(reading, name)


def _fixed(reading: Reading, value: Value) -> Value:
    """Return a constant's value as a literal, or raise ``KeyError``."""
    if isinstance(value, Items):
        there = (entry for entry in value.elements if _evaluated(reading, entry.present))
        fixed = [Element(build.TRUE, _fixed(reading, entry.value)) for entry in there]
        lists = (entry.value for entry in fixed if isinstance(entry.value, ListOf))
        return next(lists, Items(tuple(fixed), value.is_range))
    if is_scalar(value):
        scalar = cast(Expression, value)
        return Literal(_evaluated(reading, scalar), scalar.type)
    if isinstance(value, Refused | ListOf):
        return value
    raise KeyError(value)


def _evaluated(reading: Reading, value: Expression) -> Any:
    return concrete.value_of(build.block(reading.items, value))


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
