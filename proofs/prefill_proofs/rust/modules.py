"""Items of a Rust file and the names that reach them.

A module holds functions, constants, structs, imports and inner modules; the methods of a type stand
under the type's name. Test modules are left out. ``Crate`` also opens the files that a file leaves
to: those of its own ``mod`` lines, those that the configuration names, and the built-in definition
of the one helper that the planner's own crate imports.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from tree_sitter import Node

from prefill_proofs.rust import syntax
from prefill_proofs.rust.syntax import RustFile, parse_rust, parts
from prefill_proofs.source_files import SourceFile

BUILT_IN = """
pub fn ssm_tail_boundary(total: usize, block_size: usize) -> Option<usize> {
    if block_size == 0 || total <= block_size {
        return None;
    }
    Some((total - 1) / block_size * block_size)
}
"""
"""What the planner's crate imports: the last block boundary strictly under ``total``."""

BUILT_IN_FILE = "<built-in>"


@dataclass(frozen=True)
class Definition:
    """One item: its syntax, its file, and the module and type that it stands in."""

    node: Node
    file: RustFile
    module: Module
    owner: str | None = None
    condition: Node | None = None
    """The ``cfg`` attribute that the item stands under, when it does."""

    @property
    def qualified_name(self) -> str:
        """The name as one would write it from the root of the file."""
        name = syntax.field(self.node, "name")
        path = [*self.module.path, *([self.owner] if self.owner else []), self.file.text(name)]
        return "::".join(path)

    def require_one_build(self) -> None:
        """Refuse an item that another build may not have."""
        if self.condition is not None:
            refuse_conditional(self.file, self.condition, self.qualified_name)

    def require_no_cfg_inside(self) -> None:
        """Refuse an item of which another build may have other parts."""
        pending = [self.node]
        while pending:
            node = pending.pop()
            if node.type in ("attribute_item", "inner_attribute_item"):
                is_found = is_conditional(self.file.text(node))
            else:
                is_found = (
                    node.type == "macro_invocation"
                    and self.file.text(syntax.field(node, "macro")) == "cfg"
                )
                pending += node.named_children
            if is_found:
                refuse_conditional(self.file, node, self.qualified_name)


@dataclass(eq=False)
class Module:
    """One module with what it defines; a name may be defined more than once under ``cfg``."""

    file: RustFile
    path: tuple[str, ...] = ()
    parent: Module | None = None
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    modules: dict[str, Module] = field(default_factory=dict)
    outside: dict[str, Node] = field(default_factory=dict)
    imports: dict[str, tuple[str, ...]] = field(default_factory=dict)
    conditional: dict[str, Node] = field(default_factory=dict)
    elsewhere: set[str] = field(default_factory=set)
    """Modules whose file an attribute names."""
    macros: set[str] = field(default_factory=set)
    """Modules and imports that stand under a ``cfg``, or under more than one."""

    def require_one_build(self, name: str) -> None:
        """Refuse a module or an import that another build may not have."""
        if name in self.conditional:
            refuse_conditional(self.file, self.conditional[name], name)

    def everything(self) -> list[Definition]:
        """Return all definitions here and in inner modules."""
        here = [entry for entries in self.definitions.values() for entry in entries]
        return here + [entry for inner in self.modules.values() for entry in inner.everything()]

    def root(self) -> Module:
        """Return the outermost module of the file."""
        return self if self.parent is None else self.parent.root()


def refuse_conditional(file: RustFile, attribute: Node, name: str) -> NoReturn:
    """Refuse what stands under a ``cfg``: the gate reads one build, and cannot know which."""
    message = "is there in some builds only; the gate reads one: keep one of them"
    file.refuse(attribute, f"cfg of {name}", message)


class Crate:
    """The planner's file with the files that it can reach, which ``open_file`` gives."""

    def __init__(
        self,
        file: RustFile,
        externs: Mapping[str, Path],
        open_file: Callable[[Path], SourceFile],
    ) -> None:
        self.root = collect(file)
        self._externs = externs
        self._open_file = open_file
        self._opened: dict[Path, Module] = {}
        self.uses_built_in = False

    def functions_named(self, name: str) -> list[Definition]:
        """Return the functions of the planner's file of this name, or of this ``a::b`` path."""
        return [
            entry
            for entry in self.root.everything()
            if entry.node.type == "function_item"
            and (entry.qualified_name == name or entry.qualified_name.endswith(f"::{name}"))
        ]

    def function_names(self) -> list[str]:
        """Return the names of the functions of the planner's file."""
        return [
            entry.qualified_name
            for entry in self.root.everything()
            if entry.node.type == "function_item"
        ]

    def methods(self, owner: str, name: str, module: Module) -> list[Definition]:
        """Return the methods of a type, wherever the planner's file or ``module`` has them."""
        places = {id(entry): entry for entry in (self.root, module.root())}.values()
        return [
            entry
            for place in places
            for entry in place.everything()
            if entry.owner == owner and entry.qualified_name.split("::")[-1] == name
        ]

    def resolve(
        self, path: tuple[str, ...], module: Module, file: RustFile, node: Node
    ) -> list[Definition]:
        """Return the definitions that a path means where it stands; none when it is unknown."""
        return self._resolve(path, module, frozenset(), file, node)

    def _resolve(
        self,
        path: tuple[str, ...],
        module: Module,
        followed: frozenset[tuple[Module, str]],
        file: RustFile,
        node: Node,
    ) -> list[Definition]:
        """Resolve a path; each import is ``followed`` once, for an alias may bear its own name."""
        extern = self._extern(path, file, node)
        if extern:
            return extern
        first, *rest = path
        if not rest and first in module.definitions:
            return module.definitions[first]
        if rest:
            joined = "::".join(path)
            if joined in module.definitions:
                return module.definitions[joined]
            inner = self._module(first, module, file, node)
            if inner is not None:
                return self._resolve(tuple(rest), inner, followed, file, node)
        if first in module.imports and (module, first) not in followed:
            module.require_one_build(first)
            target = (*module.imports[first], *rest)
            found = self._resolve(target, module, followed | {(module, first)}, file, node)
            if found:
                return found
        if rest and first in ("crate", "super", "self"):
            return self._sibling(path, module, followed, file, node)
        if path[-1] == "ssm_tail_boundary":
            self.uses_built_in = True
            return collect(parse_rust(BUILT_IN.encode(), BUILT_IN_FILE)).definitions[path[-1]]
        for alias, target in module.imports.items():
            if alias.startswith("*") and (module, alias) not in followed:
                used = followed | {(module, alias)}
                found = self._resolve((*target, *path), module, used, file, node)
                if found:
                    return found
        return []

    def _extern(self, path: tuple[str, ...], file: RustFile, node: Node) -> list[Definition]:
        target = self._externs.get("::".join(path))
        if target is None:
            return []
        found = self._module_of(target).definitions.get(path[-1], [])
        if not found:
            file.refuse(node, f"call of {'::'.join(path)}", f"{target} defines no {path[-1]}")
        return found

    def _module_of(self, path: Path) -> Module:
        """Return the items of another file, read once."""
        if path not in self._opened:
            name, content, place = self._open_file(path)
            self._opened[path] = collect(parse_rust(content, name, place))
        return self._opened[path]

    def _module(self, name: str, module: Module, file: RustFile, node: Node) -> Module | None:
        if name == "crate":
            return module.root()
        if name == "self":
            return module
        if name == "super":
            return module.parent
        if name in module.modules or name in module.outside:
            module.require_one_build(name)
        if name in module.modules:
            return module.modules[name]
        if name in module.outside:
            return self._open(name, module, file, node)
        return None

    def _open(self, name: str, module: Module, file: RustFile, node: Node) -> Module | None:
        """Read the file of a ``mod name;`` line."""
        if module.file.path is None:
            return None
        here = module.file.path
        inside = here.parent.joinpath(here.stem, *module.path)
        folders = [inside] if here.stem not in ("mod", "lib", "main") else []
        # A file of another name may be the root of a crate, too.
        folders.append(here.parent.joinpath(*module.path))
        choices = [
            path for folder in folders for path in (folder / f"{name}.rs", folder / name / "mod.rs")
        ]
        there = [choice for choice in choices if choice.is_file()]
        if len(there) != 1 or name in module.elsewhere:
            message = "is not plainly beside this one; name what it defines under [planner.externs]"
            file.refuse(node, f"file of mod {name}", message)
        (found,) = there
        return self._module_of(found)

    def _sibling(
        self,
        path: tuple[str, ...],
        module: Module,
        followed: frozenset[tuple[Module, str]],
        file: RustFile,
        node: Node,
    ) -> list[Definition]:
        """Resolve ``super::name::item``, or ``crate::name::item``, where ``name.rs`` is beside."""
        lead, *steps = path
        here = module.file.path
        if here is None or len(steps) < 2 or module.parent is not None or here.stem == "mod":
            return []
        if steps[0] in ("crate", "super", "self") or lead == "self":
            return []
        is_root = any((here.parent / f"{name}.rs").is_file() for name in ("lib", "main"))
        if lead == "crate" and not is_root:
            return []  # the crate's root may be another folder
        beside = here.parent / f"{steps[0]}.rs"
        if not beside.is_file() or beside == here:
            return []
        return self._resolve(tuple(steps[1:]), self._module_of(beside), followed, file, node)


def collect(file: RustFile) -> Module:
    """Return the items of a file."""
    root = Module(file)
    collect_items(parts(file.root), root)
    return root


def collect_items(
    nodes: list[Node],
    module: Module,
    owner: str | None = None,
    around: Node | None = None,
) -> None:
    """Put items into a module, those for tests left out.

    ``owner`` is the type that they belong to, ``around`` the ``cfg`` that they all stand under.
    """
    is_test, condition = False, around
    path_given = False
    for node in nodes:
        if node.type == "attribute_item":
            attribute = module.file.text(node)
            path_given = path_given or attribute.replace(" ", "").startswith("#[path=")
            is_test = is_test or _is_test(attribute)
            condition = node if is_conditional(attribute) else condition
            continue
        if not is_test:
            _collect_item(node, module, owner, condition)
            if path_given and node.type == "mod_item":
                module.elsewhere.add(module.file.text(syntax.field(node, "name")))
        is_test, condition, path_given = False, around, False


def is_conditional(attribute: str) -> bool:
    """Return whether an attribute makes a build leave something out, or change it."""
    squeezed = attribute.replace(" ", "").replace("#![", "#[")
    return squeezed.startswith(("#[cfg(", "#[cfg_attr(")) and squeezed != "#[cfg(not(test))]"


def _is_test(attribute: str) -> bool:
    squeezed = attribute.replace(" ", "")
    return squeezed == "#[test]" or squeezed.startswith(("#[cfg(test", "#[cfg(all(test"))


def _collect_item(node: Node, module: Module, owner: str | None, condition: Node | None) -> None:
    text = module.file.text
    match node.type:
        case "function_item" | "const_item" | "static_item" | "struct_item" | "type_item":
            name = text(syntax.field(node, "name"))
            key = f"{owner}::{name}" if owner else name
            entry = Definition(node, module.file, module, owner, condition)
            module.definitions.setdefault(key, []).append(entry)
        case "impl_item" | "trait_item":
            name_field = "type" if node.type == "impl_item" else "name"
            of = text(syntax.field(node, name_field)).split("<")[0].strip()
            body = node.child_by_field_name("body")
            if body is not None:
                collect_items(parts(body), module, of, condition)
        case "mod_item":
            name = text(syntax.field(node, "name"))
            body = node.child_by_field_name("body")
            if condition is not None or name in module.modules or name in module.outside:
                module.conditional[name] = condition or node
            if body is None:
                module.outside[name] = node
            else:
                inner = Module(module.file, (*module.path, name), module)
                module.modules[name] = inner
                collect_items(parts(body), inner, None, condition)
        case "macro_definition":
            module.root().macros.add(text(syntax.field(node, "name")))
        case "use_declaration":
            before = set(module.imports)
            _collect_use(syntax.field(node, "argument"), (), module)
            if condition is not None:
                module.conditional |= dict.fromkeys(set(module.imports) - before, condition)


def _collect_use(node: Node, prefix: tuple[str, ...], module: Module) -> None:
    text = module.file.text
    match node.type:
        case "scoped_use_list":
            path = node.child_by_field_name("path")
            inner = prefix + (tuple(path_of(text(path))) if path is not None else ())
            for child in parts(syntax.field(node, "list")):
                _collect_use(child, inner, module)
        case "use_list":
            for child in parts(node):
                _collect_use(child, prefix, module)
        case "use_as_clause":
            target = prefix + tuple(path_of(text(syntax.field(node, "path"))))
            module.imports[text(syntax.field(node, "alias"))] = target
        case "use_wildcard":
            target = prefix + tuple(path_of(text(node).removesuffix("*")))
            module.imports[f"*{len(module.imports)}"] = target
        case _:
            target = prefix + tuple(path_of(text(node)))
            if target[-1] == "self":
                target = target[:-1]
            if target:
                module.imports[target[-1]] = target


def path_of(text: str) -> list[str]:
    """Return the steps of a path such as ``a::b``."""
    return [step.strip() for step in text.split("::") if step.strip()]
