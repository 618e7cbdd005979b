"""Written formulas in fewer words: without what is known already, and a line for each part."""

import ast
from collections.abc import Callable, Iterable
from typing import Any

from prefill_spec.written import opposite, text

TRUE, FALSE = ast.Constant(True), ast.Constant(False)


def conjuncts(node: ast.expr) -> list[ast.expr]:
    """Return the parts that all have to hold; there are none of what is true anyway."""
    match node:
        case ast.BoolOp(ast.And(), parts):
            return [inner for part in parts for inner in conjuncts(part)]
        case ast.Constant(True):
            return []
    return [node]


def _disjuncts(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BoolOp(ast.Or(), parts):
            return [inner for part in parts for inner in _disjuncts(part)]
        case ast.Constant(False):
            return []
    return [node]


def facts(nodes: Iterable[ast.expr]) -> frozenset[str]:
    """Return what formulas say, each part as its text."""
    return frozenset(text(part) for node in nodes for part in conjuncts(node))


def simplified(node: ast.expr, known: frozenset[str] = frozenset()) -> ast.expr:
    """Return a formula that means the same wherever what is ``known`` holds."""
    if text(node) in known:
        return TRUE
    if text(opposite(node)) in known:
        return FALSE
    match node:
        case ast.BoolOp(ast.And()):
            parts = _each_after_the_last(conjuncts(node), known, conjuncts, lambda part: part)
            return _joined(ast.And(), parts, TRUE)
        case ast.BoolOp(ast.Or()):
            parts = _each_after_the_last(_disjuncts(node), known, _disjuncts, opposite)
            return _joined(ast.Or(), parts, FALSE)
        case ast.UnaryOp(ast.Not(), inner):
            return opposite(simplified(inner, known))
        case ast.IfExp(test, body, orelse):
            test = simplified(test, known)
            body = simplified(body, known | facts([test]))
            orelse = simplified(orelse, known | facts([opposite(test)]))
            return ast.IfExp(test, body, orelse)
        case ast.Compare(left, [ast.Eq()], [right]):
            return ast.Compare(simplified(left, known), [ast.Eq()], [simplified(right, known)])
    return node


def _each_after_the_last(
    parts: list[ast.expr],
    known: frozenset[str],
    flattened: Callable[[ast.expr], list[ast.expr]],
    passed: Callable[[ast.expr], ast.expr],
) -> list[ast.expr]:
    """Simplify each part by what is known once those before it are ``passed``.

    In a conjunction they hold where it is passed, in a disjunction they fail.
    """
    found: list[ast.expr] = []
    for part in parts:
        shorter = flattened(simplified(part, known))
        found += shorter
        known |= facts(map(passed, shorter))
    return found


def _joined(operator: ast.boolop, parts: list[ast.expr], neutral: ast.Constant) -> ast.expr:
    decisive = [part for part in parts if isinstance(part, ast.Constant)]
    if decisive:
        return decisive[0]
    return ast.BoolOp(operator, parts) if len(parts) > 1 else [*parts, neutral][0]


class _Naming(ast.NodeTransformer):
    """Writes a name in place of a term, and counts how often."""

    def __init__(self, name: str, term: str) -> None:
        self.name, self.term, self.count = name, term, 0

    def visit(self, node: ast.AST) -> Any:
        """Return what stands for a node."""
        if isinstance(node, ast.expr) and ast.unparse(node) == self.term:
            self.count += 1
            return ast.Name(self.name)
        return self.generic_visit(node)


def with_name(nodes: list[ast.expr], name: str, term: str) -> tuple[list[ast.expr], int]:
    """Return formulas with a name in place of a term, and how often it stands there."""
    naming = _Naming(name, term)
    copies = [ast.parse(ast.unparse(node), mode="eval").body for node in nodes]
    return [naming.visit(copy) for copy in copies], naming.count


def lines(node: ast.expr) -> list[str]:
    """Return a formula as lines that all have to hold, ``if`` and ``else`` as Python has them."""
    match node:
        case ast.BoolOp(ast.And()):
            return [line for part in conjuncts(node) for line in lines(part)]
        case ast.IfExp(test, body, ast.IfExp() as orelse):
            first, *others = lines(orelse)
            return [f"if {text(test)}:", *_inside(body), f"el{first}", *others]
        case ast.IfExp(test, body, orelse):
            return [f"if {text(test)}:", *_inside(body), "else:", *_inside(orelse)]
        case ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), test), body]):
            return [f"if {text(test)}:", *_inside(body)]
        case ast.Constant(True):
            return []
    return [text(node)]


def _inside(node: ast.expr) -> list[str]:
    return [f"    {line}" for line in lines(node)]
