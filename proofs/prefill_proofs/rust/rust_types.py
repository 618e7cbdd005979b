"""Rust types as types of the planner language."""

from tree_sitter import Node

from prefill_proofs.rust.modules import Crate, Definition, Module
from prefill_proofs.rust.syntax import RustFile, field, parts
from prefill_proofs.types import BOOL, UNIT, USIZE, IntType, OptionType, TupleType, Type

UNSIGNED = {
    "usize": USIZE,
    "u64": IntType("u64", 2**64 - 1),
    "u32": IntType("u32", 2**32 - 1),
    "u16": IntType("u16", 2**16 - 1),
    "u8": IntType("u8", 2**8 - 1),
    "u128": IntType("u128", 2**128 - 1),
}
"""The integer types that the planner language has; ``usize`` has 64 bits."""

ARRAY = "array"
"""An array of known items is a struct of this name; its fields are numbered."""

RANGES = {
    "..": ("Range", ("start", "end")),
    "..=": ("RangeInclusive", ("start", "end")),
    "x..": ("RangeFrom", ("start",)),
    "..x": ("RangeTo", ("end",)),
    "..=x": ("RangeToInclusive", ("end",)),
}
"""The range types by their spelling: the struct's name and its fields."""


def read_type(
    node: Node, file: RustFile, module: Module, crate: Crate, owner: str | None
) -> Type | None:
    """Return the type that a node names, or ``None`` when the planner language has no such type."""
    text = file.text(node)
    match node.type:
        case "primitive_type" | "type_identifier" if text in UNSIGNED:
            return UNSIGNED[text]
        case "primitive_type" if text == "bool":
            return BOOL
        case "unit_type":
            return UNIT
        case "reference_type":
            if any(child.type == "mutable_specifier" for child in node.children):
                return None  # what is written through it is seen outside
            return read_type(field(node, "type"), file, module, crate, owner)
        case "tuple_type":
            items = [read_type(child, file, module, crate, owner) for child in parts(node)]
            kept = tuple(item for item in items if item is not None)
            return TupleType(kept) if len(kept) == len(items) else None
        case "generic_type" if file.text(field(node, "type")).split("::")[-1] == "Option":
            (argument,) = parts(field(node, "type_arguments"))
            inner = read_type(argument, file, module, crate, owner)
            if inner is None or isinstance(inner, OptionType):
                return None
            return OptionType(inner)
        case "generic_type":
            return read_type(field(node, "type"), file, module, crate, owner)
        case "type_identifier" | "scoped_type_identifier":
            name = owner if text == "Self" and owner else text
            path = tuple(name.split("::"))
            for entry in crate.resolve(path, module, file, node):
                if entry.node.type == "type_item":
                    aliased = field(entry.node, "type")
                    return read_type(aliased, entry.file, entry.module, crate, owner)
            return read_struct(name, file, module, crate, node)
    return None


def read_struct(
    name: str, file: RustFile, module: Module, crate: Crate, node: Node
) -> TupleType | None:
    """Return the type of a struct: those of its fields that the planner language has."""
    found = [
        entry
        for entry in crate.resolve(tuple(name.split("::")), module, file, node)
        if entry.node.type == "struct_item"
    ]
    if len(found) != 1:
        return None
    definition = found[0]
    definition.require_one_build()
    definition.require_no_cfg_inside()
    body = definition.node.child_by_field_name("body")
    if body is None:
        return None
    if body.type == "ordered_field_declaration_list":
        return _read_ordered(name, [*body.children_by_field_name("type")], definition, crate)
    names, types, is_partial = [], [], False
    for child in parts(body):
        if child.type != "field_declaration":
            continue
        kind_node = field(child, "type")
        if definition.file.text(kind_node).replace("&", "").strip() == name:
            is_partial = True
            continue
        kind = read_type(kind_node, definition.file, definition.module, crate, name)
        if kind is None:
            is_partial = True
        else:
            names.append(definition.file.text(field(child, "name")))
            types.append(kind)
    return TupleType(tuple(types), tuple(names), name.split("::")[-1], is_partial)


def _read_ordered(
    name: str, nodes: list[Node], definition: Definition, crate: Crate
) -> TupleType | None:
    types = [read_type(node, definition.file, definition.module, crate, name) for node in nodes]
    kept = tuple(kind for kind in types if kind is not None)
    names = tuple(str(index) for index in range(len(kept)))
    return TupleType(kept, names, name.split("::")[-1]) if len(kept) == len(types) else None
