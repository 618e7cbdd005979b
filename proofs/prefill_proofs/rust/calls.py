"""Calls: of functions, closures, constructors, and of methods of structs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import Closure, Expression, MakeTuple
from prefill_proofs.rust import methods, operators, statements
from prefill_proofs.rust.modules import Definition, path_of
from prefill_proofs.rust.rust_types import ARRAY, RANGES, UNSIGNED, read_struct
from prefill_proofs.rust.scopes import LocalClosure, LocalImport, Scope
from prefill_proofs.rust.syntax import field, parts
from prefill_proofs.types import OptionType, TupleType, Type, unified

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

_OPTION_PATHS = ("", "Option::", "std::option::Option::", "core::option::Option::")
SOME_PATHS = tuple(f"{path}Some" for path in _OPTION_PATHS)
NONE_PATHS = tuple(f"{path}None" for path in _OPTION_PATHS)

_MIN_MAX = tuple(
    f"{path}::{name}" for path in ("cmp", "std::cmp", "core::cmp", "Ord") for name in ("min", "max")
)

_BUILT_IN_STRUCTS = {ARRAY, *(name for name, _ in RANGES.values())}


def find(body: Body, text: str, node: Node, kinds: tuple[str, ...]) -> Definition | None:
    """Return the one definition that a path means, ``None`` when there is none.

    Two definitions of one name (under different ``cfg``) are refused: the gate reads one build.
    """
    definition = body.definition
    path = tuple(path_of(text))
    if path[0] == "Self" and definition.owner:
        path = (definition.owner, *path[1:])
    entries = body.reader.crate.resolve(path, definition.module, body.file, node)
    found = [entry for entry in entries if entry.node.type in kinds]
    if len(found) > 1:
        lines = " and ".join(str(entry.file.place(entry.node)) for entry in found)
        body.refuse(node, f"name {text}", f"is defined more than once: {lines}; keep one")
    return found[0] if found else None


def imported(text: str, scope: Scope) -> str:
    """Return a path with what a ``use`` of the block put for its first step."""
    first, separator, rest = text.partition("::")
    found = scope.find(first)
    return f"{found.path}{separator}{rest}" if isinstance(found, LocalImport) else text


def read_call(body: Body, node: Node, scope: Scope, expected: Type | None) -> Expression:
    """Read a call."""
    function = field(node, "function")
    arguments = parts(field(node, "arguments"))
    if function.type == "field_expression":
        return _method(body, node, function, arguments, scope, expected)
    if function.type == "parenthesized_expression":
        inner = parts(function)[0]
        if inner.type == "closure_expression":
            values = [body.expression(argument, scope) for argument in arguments]
            return call_closure(body, LocalClosure(inner, scope, True), values, node)
    if function.type not in ("identifier", "scoped_identifier"):
        body.refuse(node, f"call of {body.text(function)}", "call a function by its name")
    text = imported(body.text(function).replace(" ", ""), scope)
    local = scope.find(text) if function.type == "identifier" else None
    if isinstance(local, LocalClosure):
        values = [body.expression(argument, scope) for argument in arguments]
        return call_closure(body, local, values, node)
    if isinstance(local, Definition):
        return _function(body, node, local, arguments, scope)
    module = body.definition.module
    if text in SOME_PATHS and text not in module.definitions and text not in module.imports:
        inner_type = expected.inner if isinstance(expected, OptionType) else None
        value = body.expression(arguments[0], scope, inner_type)
        if isinstance(value.type, OptionType):
            body.refuse(node, "option of an option", "flatten it")
        return build.some(value)
    definition = find(body, text, node, ("function_item",))
    if definition is not None:
        return _function(body, node, definition, arguments, scope)
    known = _known_path(body, node, text, arguments, scope, expected)
    if known is not None:
        return known
    kind = _constructed(body, text, node)
    if kind is not None and len(kind.items) == len(arguments):
        values = [
            body.of_type(argument, scope, item)
            for argument, item in zip(arguments, kind.items, strict=True)
        ]
        return MakeTuple(tuple(values), kind)
    body.refuse(
        node,
        f"call of {text}",
        f'is not defined in this file; name its file: [planner.externs] "{text}" = "FILE.rs"',
    )


def _function(
    body: Body, node: Node, definition: Definition, arguments: list[Node], scope: Scope
) -> Expression:
    if not parts(field(definition.node, "parameters")):
        return body.invoke(definition, [], [], node)
    types = body.reader.signature(definition).types
    values = [
        body.expression(argument, scope, types[index] if index < len(types) else None)
        for index, argument in enumerate(arguments)
    ]
    return body.invoke(definition, values, arguments, node)


def _constructed(body: Body, text: str, node: Node) -> TupleType | None:
    name = (body.definition.owner or text) if text == "Self" else text
    kind = read_struct(name, body.file, body.definition.module, body.reader.crate, node)
    is_tuple_struct = kind is not None and kind.names == tuple(map(str, range(len(kind.items))))
    return kind if is_tuple_struct else None


def _known_path(
    body: Body, node: Node, text: str, arguments: list[Node], scope: Scope, expected: Type | None
) -> Expression | None:
    """Read calls of the standard library by path: ``cmp::min(a, b)``, ``usize::from(x)``."""
    head, _, name = text.rpartition("::")
    imports = body.definition.module.imports
    imported = imports.get(text)
    if imported is not None and "::".join(imported) in _MIN_MAX:
        head, name = "std::cmp", imported[-1]
    elif not head and ("std", "cmp") in (imports[key] for key in imports if key.startswith("*")):
        head = "std::cmp"
    if f"{head}::{name}" in _MIN_MAX and len(arguments) == 2:
        left, right = operators.pair(body, arguments[0], arguments[1], scope, expected)
        return methods.call_method(body, node, left, name, [right], [arguments[1]], scope)
    if head.split("::")[-1] == "NonZeroUsize" and name == "new" and len(arguments) == 1:
        return methods.non_zero(body, body.of_type(arguments[0], scope, UNSIGNED["usize"]))
    target = UNSIGNED.get(head.split("::")[-1])
    if target is not None and name == "from" and len(arguments) == 1:
        return operators.cast(body, body.expression(arguments[0], scope), target, node)
    if (target is not None or head == "Option" or head == "bool") and arguments:
        receiver = body.expression(arguments[0], scope, target)
        return methods.read_method(body, node, receiver, name, arguments[1:], scope, expected)
    return None


def _method(
    body: Body,
    node: Node,
    function: Node,
    arguments: list[Node],
    scope: Scope,
    expected: Type | None,
) -> Expression:
    receiver_node, name = field(function, "value"), body.text(field(function, "field"))
    hint = expected if name in methods.SAME_TYPE else None
    receiver = body.expression(receiver_node, scope, hint)
    if isinstance(receiver.type, TupleType) and receiver.type.struct not in _BUILT_IN_STRUCTS:
        owner = receiver.type.struct
        found = body.reader.crate.methods(owner, name, body.definition.module)
        if name == "clone" and not arguments and not found:
            return receiver
        if len(found) != 1:
            count = "more than one" if found else "no such"
            body.refuse(node, f"method {name}", f"{owner or receiver.type} has {count} method here")
        types = body.reader.signature(found[0]).types
        values = [
            body.expression(argument, scope, kind)
            for argument, kind in zip(arguments, types[1:], strict=False)
        ]
        return body.invoke(found[0], [receiver, *values], [receiver_node, *arguments], node)
    return methods.read_method(body, node, receiver, name, arguments, scope, expected)


def call_closure(
    body: Body, closure: LocalClosure, arguments: list[Expression], node: Node
) -> Expression:
    """Return the body of a closure with its parameters set to the arguments."""
    syntax = closure.node
    parameters = parts(field(syntax, "parameters"))
    raw = [
        child
        for child in field(syntax, "parameters").children
        if child in parameters or child.type == "_"
    ]
    if len(raw) != len(arguments):
        body.refuse(node, "closure", f"takes {len(raw)} arguments, not {len(arguments)}")
    scope = closure.scope.inner()
    reader = body.closure()
    items: list[Expression] = []
    if closure.copies and any(child.type == "move" for child in syntax.children):
        statements.copy_variables(body, syntax, scope, items)
    for parameter, argument in zip(raw, arguments, strict=True):
        pattern = parameter
        value = argument
        if parameter.type == "parameter":
            pattern = field(parameter, "pattern")
            value = body.coerce(argument, body.type(field(parameter, "type")), parameter)
        held = body.slots.hold(value, items)
        test = reader.pattern(pattern, held, scope)
        if test != build.TRUE:
            items.append(test)
    read = reader.expression(field(syntax, "body"), scope)
    kind: Type | None = read.type
    for returned in reader.returned:
        kind = unified(kind, returned) if kind is not None else None
    if kind is None:
        body.refuse(syntax, "closure", "returns values of different types; make them one")
    return build.block(items, Closure(read, kind) if reader.returned else read)


Callback = Callable[[list[Expression]], Expression]


def callback(body: Body, node: Node, scope: Scope) -> Callback:
    """Return what a method does with a function that it is given: a closure, or a name."""
    if node.type == "closure_expression":
        return lambda values: call_closure(body, LocalClosure(node, scope, True), values, node)
    text = imported(body.text(node).replace(" ", ""), scope)
    local = scope.find(text)
    if isinstance(local, Definition):
        return lambda values: body.invoke(local, values, [node] * len(values), node)
    if isinstance(local, LocalClosure):
        return lambda values: call_closure(body, local, values, node)
    if text in SOME_PATHS:
        return lambda values: build.some(values[0])
    if node.type in ("identifier", "scoped_identifier"):
        definition = find(body, text, node, ("function_item",))
        if definition is not None:
            return lambda values: body.invoke(definition, values, [node] * len(values), node)
        kind = _constructed(body, text, node)
        if kind is not None:
            return lambda values: MakeTuple(
                tuple(body.coerce(*pair, node) for pair in zip(values, kind.items, strict=True)),
                kind,
            )
        head, _, name = text.rpartition("::")
        target = UNSIGNED.get(head.split("::")[-1])
        if (head.split("::")[-1], name) == ("NonZeroUsize", "new"):
            return lambda values: methods.non_zero(body, values[0])
        if target is not None and name == "from":
            return lambda values: operators.cast(body, values[0], target, node)
        if target is not None or head in ("Option", "bool"):
            return lambda values: methods.call_method(
                body, node, values[0], name, values[1:], [node] * (len(values) - 1), scope
            )
    body.refuse(node, body.text(node), "pass a closure or the name of a function")
