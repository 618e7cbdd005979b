"""Python statements, by the kind of their syntax."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from prefill_proofs import build
from prefill_proofs.language import Expression, Return
from prefill_proofs.python import attributes, calls, operators, sequences
from prefill_proofs.python.frames import Returned
from prefill_proofs.python.modules import imported_names
from prefill_proofs.python.values import Chain, Element, Items, Nested, Refused, Value, is_scalar
from prefill_proofs.types import NEVER

if TYPE_CHECKING:
    from prefill_proofs.python.reading import Reading

NONE = build.none()
"""What a function without ``return`` gives."""

LOGGING = frozenset(
    {"debug", "info", "warning", "warning_once", "info_once", "debug_once", "error"}
)
"""Methods of a logger; what they are given is not looked at."""


def read(reading: Reading, statement: ast.stmt) -> None:
    """Read a statement."""
    reader = STATEMENTS.get(type(statement))
    if reader is not None:
        reader(reading, statement)
        return
    name, advice = REFUSED.get(
        type(statement),
        (type(statement).__name__.lower(), "write it with arithmetic, if and small lists"),
    )
    reading.refuse(statement, name, f"is outside the planner language; {advice}")


REFUSED: dict[type[ast.stmt], tuple[str, str]] = {
    ast.While: ("while loop", "write the bound as arithmetic"),
    ast.AsyncFor: ("async for", "a planner is a pure function"),
    ast.With: ("with statement", "move it out of the planner"),
    ast.AsyncWith: ("async with", "a planner is a pure function"),
    ast.Try: ("try statement", "test for what would be raised"),
    ast.Delete: ("del", "leave the name alone"),
    ast.Global: ("global", "a planner is a pure function"),
    ast.Nonlocal: ("nonlocal", "return the value instead"),
    ast.Match: ("match statement", "write it with if"),
    ast.ClassDef: ("class in a function", "move it out of the function"),
    ast.AsyncFunctionDef: ("async function", "a planner is a pure function"),
    ast.Break: ("break", "write the condition into a comprehension"),
    ast.Continue: ("continue", "write the condition as if"),
}


def _assign(reading: Reading, node: ast.Assign) -> None:
    value = reading.read(node.value)
    for target in node.targets:
        value = assign(reading, target, value, node)


def _annotated(reading: Reading, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(reading, node.target, reading.read(node.value), node)


def _augmented(reading: Reading, node: ast.AugAssign) -> None:
    target: Any = node.target
    if isinstance(target, ast.Subscript):
        reading.refuse(target, "item assignment", "assign to a name")
    before = reading.read(_as_loaded(target))
    after = operators.augmented(reading, node, before, reading.read(node.value))
    assign(reading, target, after, node)


def _as_loaded(target: ast.expr) -> ast.expr:
    """Return a target as an expression that reads it."""
    if isinstance(target, ast.Attribute):
        new: ast.expr = ast.Attribute(target.value, target.attr, ast.Load())
    else:
        assert isinstance(target, ast.Name)
        new = ast.Name(target.id, ast.Load())
    return ast.copy_location(new, target)


def assign(reading: Reading, target: ast.expr, value: Value, node: ast.AST) -> Value:
    """Give a target a value; return it in a form that can be read again."""
    place = reading.place(node)
    match target:
        case ast.Name(name):
            kept = reading.hold(value, place) if is_scalar(value) else value  # type: ignore[arg-type]
            reading.frame.names[name] = kept
            return kept
        case ast.Tuple(targets) | ast.List(targets):
            items = sequences.fixed_items(reading, value, len(targets), node)
            # All of the right side is read before any name changes.
            held = [reading.held(item) for item in items]
            for inner, item in zip(targets, held, strict=True):
                assign(reading, inner, item, node)
            return Items(tuple(Element(build.TRUE, item) for item in held))
        case ast.Attribute(owner, name):
            whole = reading.read(owner)
            if not isinstance(whole, Chain):
                reading.refuse(target, f"attribute {name}", "of a value that is no object")
            attributes.require_settable(reading, whole, name, target)
            reading.note("objects of different names are different objects")
            kept = reading.hold(value, place) if is_scalar(value) else value  # type: ignore[arg-type]
            reading.attributes[f"{whole.path}.{name}"] = kept
            return kept
    reading.refuse(target, "assignment target", "assign to a name, an attribute or a tuple of them")


def _if(reading: Reading, node: ast.If) -> None:
    reading.branch(
        reading.condition(node.test),
        lambda: reading.read_block(node.body),
        lambda: reading.read_block(node.orelse),
    )


def _return(reading: Reading, node: ast.Return) -> None:
    value = reading.read(node.value) if node.value is not None else NONE
    leave(reading, value, node)


def leave(reading: Reading, value: Value, node: ast.AST) -> None:
    """Leave the function that is read, with a value."""
    frame = reading.frame
    is_last = frame.branches == 0
    frame.returned.append(Returned(value, reading.state(), is_last, node))
    reading.alive = False
    if is_last:
        return
    result: Expression = build.NOTHING
    if frame.result is not None:
        result = calls.packed(reading, value, frame.result, node)
    elif is_scalar(value):
        result = value  # type: ignore[assignment]
    reading.emit(Return(result, NEVER, reading.place(node)))


def _assert(reading: Reading, node: ast.Assert) -> None:
    holds = reading.condition(node.test)
    text = f"assert {reading.text(node.test)}"
    reading.emit(build.requires(holds, text, reading.place(node)))


def _raise(reading: Reading, node: ast.Raise) -> None:
    raised = f"raise {reading.text(node.exc)}" if node.exc is not None else "raise"
    reading.emit(build.panic(raised, reading.place(node)))
    reading.alive = False


def _expression(reading: Reading, node: ast.Expr) -> None:
    match node.value:
        case ast.Constant():
            return
        case ast.Call(ast.Attribute(ast.Name(name), method)) if (
            method in LOGGING
            and name in ("logger", "logging", "log", "_logger", "LOG")
            and name not in reading.frame.local_names
        ):
            reading.note(f"{name}.{method} changes nothing")
            for argument in (*node.value.args, *(entry.value for entry in node.value.keywords)):
                if not reading.attempt(argument):
                    called = f"{name}.{method}"
                    reading.note(f"what {called} is given neither fails nor changes anything")
            return
    value = reading.read(node.value)
    if isinstance(value, Refused):
        reading.unusable(node, value)
    if is_scalar(value):
        reading.hold(value, reading.place(node))  # type: ignore[arg-type]


def _pass(_reading: Reading, _node: ast.stmt) -> None:
    return


def _function(reading: Reading, node: ast.FunctionDef) -> None:
    if node.decorator_list:
        reading.refuse(node, "decorated inner function", "call it without the decorator")
    calls.refuse_defaults(reading, node)
    reading.frame.names[node.name] = Nested(node, reading.frame)


def _import(reading: Reading, node: ast.Import | ast.ImportFrom) -> None:
    for name in imported_names(node):
        reading.frame.names[name] = Refused(f"name {name}", "is imported in the function; move it")


def _for(reading: Reading, node: ast.For) -> None:
    if node.orelse:
        reading.refuse(node, "for with else", "write it without else")
    source = reading.read(node.iter)
    elements = sequences.elements_of(reading, source, node.iter)
    for element in elements:

        def body(value: Value = element.value) -> Value:
            assign(reading, node.target, value, node)
            return reading.read_block(node.body)

        if not reading.alive:
            return
        reading.branch(element.present, body, lambda: NONE)
        sequences.require_unchanged(reading, source, elements, node.iter)


STATEMENTS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.If: _if,
    ast.Return: _return,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.Expr: _expression,
    ast.Pass: _pass,
    ast.FunctionDef: _function,
    ast.Import: _import,
    ast.ImportFrom: _import,
    ast.For: _for,
}
