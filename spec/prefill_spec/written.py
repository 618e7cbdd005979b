"""Terms and formulas as text: a third meaning of the rules, beside ints and symbolic terms.

A ``Written`` value has the operators of a term and of a formula, and each of them builds a Python
expression. So a rule writes itself down, and nobody types its formula twice. Beside Python's own
words there are ``floor(x, n)``, the last multiple of ``n`` at or below ``x``, and the vocabulary's
``divides(n, x)``; an option that is absent is ``None``.
"""

from __future__ import annotations

import ast

from prefill_spec.vocabulary import Option

_OPPOSITES: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}


class Written:
    """A term or a formula as an expression."""

    __slots__ = ("node",)
    __hash__ = None  # type: ignore[assignment] # equality is a formula

    def __init__(self, node: ast.expr) -> None:
        self.node = node

    def __add__(self, other: int | Written) -> Written:
        return self._combined(ast.Add(), other)

    def __sub__(self, other: int | Written) -> Written:
        taken = node_of(other)
        match self.node, taken:
            case ast.BinOp(first, ast.Add(), second), _ if text(first) == text(taken):
                return Written(second)
            case whole, ast.BinOp(value, ast.Mod(), step) if text(whole) == text(value):
                return Written(_function("floor", value, step))
        return self._combined(ast.Sub(), other)

    def __rmul__(self, other: int) -> Written:
        return Written(ast.BinOp(node_of(other), ast.Mult(), self.node))

    def __floordiv__(self, other: int | Written) -> Written:
        return self._combined(ast.FloorDiv(), other)

    def __mod__(self, other: int | Written) -> Written:
        return self._combined(ast.Mod(), other)

    def at_least(self, bound: int) -> Written:
        """Return the greater of this and a bound."""
        return Written(_function("max", self.node, node_of(bound)))

    def _combined(self, operator: ast.operator, other: int | Written) -> Written:
        return Written(ast.BinOp(self.node, operator, node_of(other)))

    def __lt__(self, other: int | Written) -> Written:
        return self._compared(ast.Lt(), other)

    def __le__(self, other: int | Written) -> Written:
        return self._compared(ast.LtE(), other)

    def __gt__(self, other: int | Written) -> Written:
        return self._compared(ast.Gt(), other)

    def __ge__(self, other: int | Written) -> Written:
        return self._compared(ast.GtE(), other)

    def __eq__(self, other: int | Written) -> Written:  # type: ignore[override]
        return self._compared(ast.Eq(), other)

    def _compared(self, operator: ast.cmpop, other: int | Written) -> Written:
        return Written(ast.Compare(self.node, [operator], [node_of(other)]))

    def __invert__(self) -> Written:
        return Written(opposite(self.node))

    def __and__(self, other: Written) -> Written:
        both = ast.BoolOp(ast.And(), [self.node, other.node])
        return Written(_as_choice(self.node, other.node) or both)

    def __or__(self, other: Written) -> Written:
        either = ast.BoolOp(ast.Or(), [self.node, other.node])
        return Written(_as_divides(self.node, other.node) or either)


def named(name: str) -> Written:
    """Return a term or formula that is written as a name."""
    return Written(ast.Name(name))


def optional(name: str) -> Option[Written]:
    """Return an option that is written as a name, which is ``None`` where it is absent."""
    is_there = ast.Compare(ast.Name(name), [ast.IsNot()], [ast.Constant(None)])
    return Option(Written(is_there), named(name))


def node_of(value: int | Written) -> ast.expr:
    """Return the expression of a term or formula; ints and bools stand for themselves."""
    return value.node if isinstance(value, Written) else ast.Constant(value)


def opposite(node: ast.expr) -> ast.expr:
    """Return the opposite of a formula, without ``not`` where a comparison has an opposite."""
    match node:
        case ast.UnaryOp(ast.Not(), inner):
            return inner
        case ast.Compare(left, [operator], [right]):
            return ast.Compare(left, [_OPPOSITES[type(operator)]()], [right])
        case ast.Constant(bool(value)):
            return ast.Constant(not value)
    return ast.UnaryOp(ast.Not(), node)


def text(node: ast.expr) -> str:
    """Return a formula or a term as Python has it.

    ``ast.unparse`` does so for terms; it puts formulas in parentheses where nobody would.
    """
    match node:
        case ast.BoolOp(operator, parts):
            word = " and " if isinstance(operator, ast.And) else " or "
            return word.join(_inner(part, ast.BoolOp) for part in parts)
        case ast.UnaryOp(ast.Not(), part):
            return f"not {_inner(part, ast.BoolOp, ast.Compare)}"
        case ast.Compare(left, [ast.Eq()], [right]):
            sides = (_inner(side, ast.BoolOp, ast.Compare) for side in (left, right))
            return " == ".join(sides)
    return ast.unparse(node)


def _inner(node: ast.expr, *enclosed: type[ast.expr]) -> str:
    return f"({text(node)})" if isinstance(node, enclosed) else text(node)


def _function(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.Call(ast.Name(name), list(arguments), [])


def _as_choice(first: ast.expr, second: ast.expr) -> ast.expr | None:
    """Return two implications as one formula, if they are an equivalence or a choice."""
    match first, second:
        case ast.BoolOp(ast.Or(), [one, two]), ast.BoolOp(ast.Or(), [three, four]):
            if text(four) == text(opposite(one)) and text(three) == text(opposite(two)):
                return ast.Compare(four, [ast.Eq()], [two])
            if text(three) == text(opposite(one)):
                return ast.IfExp(three, two, four)
    return None


def _as_divides(first: ast.expr, second: ast.expr) -> ast.expr | None:
    """Return two cases as ``divides``, if they are what it comes down to."""
    match second:
        case ast.BoolOp(ast.And(), [_, ast.Compare(ast.BinOp(value, ast.Mod(), divisor))]):
            number, step = Written(value), Written(divisor)
            of_zero, of_others = (step == 0) & (number == 0), (step > 0) & (number % step == 0)
            if (text(first), text(second)) == (text(of_zero.node), text(of_others.node)):
                return _function("divides", divisor, value)
    return None
