"""Attributes: of inputs that are objects, of classes and of imported modules."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from prefill_proofs import build
from prefill_proofs.python import calls, names
from prefill_proofs.python.values import INT, Chain, Refused, Value

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading


def attribute(reading: Reading, whole: Value, name: str, node: ast.AST) -> Value:
    """Return an attribute of an object: an input, a constant of its class, or a property."""
    if isinstance(whole, Refused):
        reading.unusable(node, whole)
    if not isinstance(whole, Chain):
        reading.refuse(node, f"attribute {name}", "of a value that is not the same object always")
    path = f"{whole.path}.{name}"
    if path in reading.attributes:
        return reading.attributes[path]
    require_object(reading, whole, node, f"{path} of None")
    annotation = None
    if whole.owner is not None:
        module = whole.owner.module
        methods = module.methods(whole.owner, name)
        if methods:
            return calls.method_value(reading, methods, whole, node)
        for owner in module.family(whole.owner):
            constant = owner.constant(name)
            if constant is not None:
                return names.constant(reading, owner.module, f"{owner.name}.{name}", constant)
            annotation = annotation or owner.annotations.get(name)
        return names.annotated(Chain(path, None, annotation), module)
    return Chain(path)


def require_object(reading: Reading, whole: Chain, node: ast.AST, text: str) -> None:
    """Owe that an object is there, where the planner itself asks whether it is."""
    reading.inputs.objects.add(whole.path)
    entry = reading.inputs.table.get(whole.path)
    if entry is not None and entry.is_asked_for:
        there = reading.inputs.variable(whole.path)
        reading.emit(build.requires(there, text, reading.place(node)))


def outside_attribute(reading: Reading, node: ast.Attribute) -> Value | None:
    """Return ``Class.NAME`` or ``module.NAME``; ``None`` for attributes of values."""
    root: ast.expr = node
    path: list[str] = []
    while isinstance(root, ast.Attribute):
        path.insert(0, root.attr)
        root = root.value
    if not isinstance(root, ast.Name) or names.is_local(reading, root.id):
        return None
    module = reading.frame.module
    classes = module.classes.get(".".join([root.id, *path[:-1]]), [])
    if len(classes) == 1:
        return attribute(reading, Chain(classes[0].name, classes[0]), path[-1], node)
    if root.id not in module.imports:
        return None
    whole = ".".join([module.imports[root.id], *path])
    if whole == "sys.maxsize":
        return build.number(sys.maxsize, INT)
    if whole.startswith("math."):
        return Refused(whole, "is a float; the planner language has integers")
    reading.note(f"{'.'.join([root.id, *path])} is a number or a truth value that does not change")
    return names.unknown(reading, ".".join([root.id, *path]))
