"""Python files as syntax trees, with places and refusals. What is read is never run."""

from __future__ import annotations

import ast
import re
import warnings
from pathlib import Path
from typing import NoReturn

from prefill_proofs.language import Place
from prefill_proofs.refusals import SourceError
from prefill_proofs.source_files import check_text


class PythonFile:
    """One parsed file; ``name`` is what messages call it.

    A file of an expression of the configuration has a ``fixed_place``: all its places are that.
    """

    def __init__(self, name: str, content: bytes, path: Path | None = None) -> None:
        check_text(content, name)
        self.name = name
        self.path = path
        self.fixed_place: Place | None = None
        text = content.decode("utf-8-sig")
        self.source_lines = re.split(r"\r\n|\r|\n", text)
        self.tree = ast.Module([], [])
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # what the compiler thinks of "\d" is not ours
                self.tree = ast.parse(text)
        except SyntaxError as error:
            place = Place(name, error.lineno or 1, error.offset or 1)
            message = f"{error.msg}; mend the file first"
            raise SourceError(place, "syntax error", message, self.line(place)) from error
        except (RecursionError, MemoryError) as error:
            place = Place(name, 1, 1)
            raise SourceError(place, "deep nesting", "something is nested too deeply") from error

    def line(self, place: Place) -> str:
        """Return the source line of a place, empty where there is none."""
        if place is self.fixed_place or not 0 < place.line <= len(self.source_lines):
            return ""
        return self.source_lines[place.line - 1]

    def place(self, node: ast.AST) -> Place:
        """Return where a node starts."""
        if self.fixed_place is not None:
            return self.fixed_place
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        before = self.source_lines[line - 1].encode()[:column].decode("utf-8", errors="replace")
        return Place(self.name, line, len(before) + 1)

    def text(self, node: ast.AST) -> str:
        """Return the source of a node, on one line."""
        return ast.unparse(node)

    def refuse(self, node: ast.AST, construct: str, message: str) -> NoReturn:
        """Raise the error for a construct outside the planner language."""
        place = self.place(node)
        raise SourceError(place, construct, message, self.line(place))


def parse_expression(text: str, where: Place) -> tuple[PythonFile, ast.expr]:
    """Parse an expression of the configuration that stands at a place."""
    if not text.strip():
        raise SourceError(where, "expression", "is empty; write one over the function's inputs")
    try:
        source = PythonFile(where.file, f"({text}\n)".encode(), None)
        (statement,) = source.tree.body
    except (SourceError, ValueError) as error:
        message = "does not parse as a Python expression"
        raise SourceError(where, f"expression {text!r}", message) from error
    if not isinstance(statement, ast.Expr):
        raise SourceError(where, f"expression {text!r}", "is no expression")
    source.fixed_place = where
    return source, statement.value
