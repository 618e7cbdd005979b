"""Evaluates formulas as they are printed, as Python and without the rules they come from."""

import ast
from collections.abc import Mapping
from functools import cache
from types import CodeType
from typing import Any

from prefill_spec.vocabulary import divides, floor_to

WORDS = {"__builtins__": {}, "floor": floor_to, "divides": divides, "max": max}


def all_hold(lines: tuple[str, ...], values: Mapping[str, Any]) -> bool:
    """Return whether every line holds; one after ``if`` need hold only where that does."""
    return _holds(_parsed(lines), values)


def value_of(term: str, values: Mapping[str, Any]) -> Any:
    return eval(_compiled(term), WORDS, dict(values))


@cache
def _parsed(lines: tuple[str, ...]) -> list[ast.stmt]:
    return ast.parse("\n".join(lines)).body


@cache
def _compiled(term: str) -> CodeType:
    return compile(term, term, "eval")


@cache
def _text(node: ast.expr) -> str:
    return ast.unparse(node)


def _holds(statements: list[ast.stmt], values: Mapping[str, Any]) -> bool:
    for node in statements:
        if isinstance(node, ast.If):
            branch = node.body if value_of(_text(node.test), values) else node.orelse
            if not _holds(branch, values):
                return False
        else:
            assert isinstance(node, ast.Expr)
            found = value_of(_text(node.value), values)
            assert isinstance(found, bool)
            if not found:
                return False
    return True
