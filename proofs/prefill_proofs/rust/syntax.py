"""Rust files as syntax trees, with places and refusals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import tree_sitter_rust
from tree_sitter import Language, Node, Parser

from prefill_proofs.language import Place
from prefill_proofs.refusals import SourceError
from prefill_proofs.source_files import check_text

_PARSER = Parser(Language(tree_sitter_rust.language()))


class RustFile:
    """One parsed file; ``name`` is what messages call it."""

    def __init__(self, name: str, content: bytes, path: Path | None = None) -> None:
        self.name = name
        self.path = path
        self.content = content
        self.source_lines = content.decode("utf-8", errors="replace").split("\n")
        self.fixed_place: Place | None = None
        self.root = _PARSER.parse(content).root_node
        if self.root.has_error:
            self._refuse_error()

    def _refuse_error(self) -> NoReturn:
        found = (node for node in _walk(self.root) if node.is_error or node.is_missing)
        node = next(found, self.root)
        what = f"a missing {node.type!r}" if node.is_missing else "this text"
        self.refuse(node, "syntax error", f"{what} does not parse as Rust; mend the file first")

    def place(self, node: Node) -> Place:
        """Return where a node starts."""
        if self.fixed_place is not None:
            return self.fixed_place
        row, column = node.start_point
        before = self.source_lines[row].encode()[:column].decode("utf-8", errors="replace")
        return Place(self.name, row + 1, len(before) + 1)

    def text(self, node: Node) -> str:
        """Return the source of a node, on one line."""
        raw = self.content[node.start_byte : node.end_byte].decode("utf-8", errors="replace")
        return " ".join(raw.split())

    def refuse(self, node: Node, construct: str, message: str) -> NoReturn:
        """Raise the error for a construct outside the planner language."""
        place = self.place(node)
        raise SourceError(place, construct, message, self.source_lines[place.line - 1])

    def parse_part(self, node: Node, start: int, end: int, frame: tuple[bytes, bytes]) -> RustFile:
        """Parse a part of a node as if it stood between the two texts of ``frame``.

        For what a macro is given: its tokens have no syntax tree. All places are that of the node.
        """
        before, after = frame
        part = RustFile(self.name, before + self.content[start:end] + after, self.path)
        part.fixed_place = self.place(node)
        part.source_lines = self.source_lines
        return part


def parse_rust(content: bytes, name: str, path: Path | None = None) -> RustFile:
    """Parse the content of a file.

    Raises ``SourceError`` when it is binary, not UTF-8, empty, or does not parse.
    """
    check_text(content, name)
    return RustFile(name, content, path)


def parse_expression(text: str, where: Place) -> tuple[RustFile, Node]:
    """Parse an expression of the configuration; return it as the body of a function."""
    try:
        source = RustFile(where.file, b"fn f(){" + text.encode() + b"}")
        body = field(parts(source.root)[0], "body")
    except SourceError as error:
        raise SourceError(where, f"expression {text!r}", "does not parse as Rust") from error
    source.fixed_place, source.source_lines = where, [""] * where.line
    return source, body


def _walk(node: Node) -> Iterator[Node]:
    """Yield the nodes that hold an error, outermost last."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending += reversed([child for child in current.children if child.has_error])


def parts(node: Node) -> list[Node]:
    """Return the named children of a node, comments left out."""
    return [
        child
        for child in node.named_children
        if child.type not in ("line_comment", "block_comment")
    ]


def field(node: Node, name: str) -> Node:
    """Return a child that the grammar promises."""
    found = node.child_by_field_name(name)
    assert found is not None, f"{node.type} has no {name}"
    return found
