"""Attributes: of inputs that are objects, of classes and of imported modules."""

from __future__ import annotations

import ast
import sys
from typing import TYPE_CHECKING

from prefill_proofs import build
from prefill_proofs.python import calls, names
from prefill_proofs.python.modules import RECORDS, ClassDefinition
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
    if name.startswith("__"):
        reading.refuse(node, f"attribute {name}", "has a name that the class changes; rename it")
    if not whole.is_class:
        require_object(reading, whole, node, f"{path} of None")
    if path in reading.attributes:
        return reading.attributes[path]
    if whole.owner is None:
        return Chain(path)
    module = whole.owner.module
    owner = binder(reading, whole.owner, name, node)
    if owner is not None and name in owner.methods:
        return calls.method_value(reading, owner.methods[name][0], whole, node)
    value = owner.constant(name) if owner is not None and not owner.is_enum else None
    if owner is not None and value is not None and name not in module.changed_attributes:
        return names.constant(reading, module, f"{owner.name}.{name}", value, owner)
    if whole.is_class:
        return names.unknown(reading, path)
    found = [entry.annotations.get(name) for entry in module.family(whole.owner)]
    annotation = next((entry for entry in found if entry is not None), None)
    return names.annotated(Chain(path, None, annotation), module)


REWRITING = frozenset({"__getattribute__", "__getattr__", "__setattr__", "__init_subclass__"})
"""Methods that make attributes mean something else."""


def binder(
    reading: Reading, owner: ClassDefinition, name: str, node: ast.AST
) -> ClassDefinition | None:
    """Return the class that says what an attribute means: the class itself, or a base."""
    module = owner.module
    family = module.family(owner)
    for entry in family:
        decorators = {*entry.decorators} - RECORDS - {"final", "total_ordering"}
        if (
            entry.node.keywords
            or REWRITING & entry.methods.keys()
            or (decorators and name in entry.bindings)
        ):
            message = f"of {entry.name}, which changes what its attributes are"
            reading.refuse(node, f"attribute {name}", message)
    binding = [entry for entry in family if name in entry.bindings]
    if not binding:
        return None
    setters = sum("setter" in entry.decorators for entry in binding[0].definitions_of(name))
    is_twice = binding[0].bindings[name] - setters > 1
    if is_twice or (len(binding) > 1 and not module.is_line(owner)):
        where = " and ".join(entry.name for entry in binding)
        reading.refuse(node, f"attribute {name}", f"is defined more than once in {where}")
    if module.is_opaque:
        reading.refuse(node, f"attribute {name}", "could be changed by globals(), exec or eval")
    return binding[0]


def require_settable(reading: Reading, whole: Chain, name: str, node: ast.AST) -> None:
    """Refuse to assign an attribute that is more than a value; owe that its object is there."""
    if name.startswith("__"):
        reading.refuse(node, f"attribute {name}", "has a name that the class changes; rename it")
    if whole.is_class:
        reading.refuse(node, f"attribute {name}", "is one of the class; assign one of the object")
    require_object(reading, whole, node, f"{whole.path}.{name} of None")
    if whole.owner is not None:
        if whole.owner.is_frozen:
            reading.refuse(node, f"attribute {name}", f"of {whole.owner.name}, which is frozen")
        owner = binder(reading, whole.owner, name, node)
        if owner is not None and name in owner.methods:
            reading.refuse(node, f"attribute {name}", f"is a method of {owner.name}")


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
    if classes:
        names.require_one_meaning(reading, module, node, root.id)
        whole_class = Chain(classes[0].name, classes[0], is_class=True)
        return attribute(reading, whole_class, path[-1], node)
    if root.id not in module.imports:
        return None
    whole = ".".join([module.imports[root.id], *path])
    if whole == "sys.maxsize":
        return build.number(sys.maxsize, INT)
    if whole.startswith("math."):
        return Refused(whole, "is a float; the planner language has integers")
    reading.note(f"{'.'.join([root.id, *path])} is a number or a truth value that does not change")
    return names.unknown(reading, ".".join([root.id, *path]))
