"""Laws of planner arithmetic at the edges of a word: each construct beside what it comes to.

A law is two expressions over three words ``a``, ``b`` and ``c`` that answer alike and fault alike,
if they do, for all their values; ``highest`` is the greatest word.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.types import BOOL, NEVER, UNIT, IntType, OptionType, TupleType, Type
from tree_draws import PLACE

Expression: TypeAlias = tree.Expression
Sides: TypeAlias = tuple[Expression, Expression]


class Words(NamedTuple):
    """The operands of a law, and the type of words."""

    a: Expression
    b: Expression
    c: Expression
    kind: IntType

    def number(self, value: int) -> Expression:
        return build.number(value, self.kind)

    @property
    def highest(self) -> Expression:
        assert self.kind.highest is not None
        return self.number(self.kind.highest)

    def checked(self, operator: str, left: Expression, right: Expression) -> Expression:
        return tree.Arithmetic(operator, left, right, self.kind, PLACE, f"a {operator} b")

    def choice(self, condition: Expression, then: Expression, other: Expression) -> Expression:
        return tree.If(condition, then, other, then.type)

    def smaller(self) -> Expression:
        return self.choice(build.compare("<=", self.a, self.b), self.a, self.b)

    def greater(self) -> Expression:
        return self.choice(build.compare("<", self.a, self.b), self.b, self.a)

    def difference(self) -> Expression:
        """``a.saturating_sub(b)``."""
        rest = self.checked("-", self.a, self.b)
        return self.choice(build.compare(">=", self.a, self.b), rest, self.number(0))

    def is_zero(self, value: Expression) -> Expression:
        return tree.Equal(value, self.number(0), BOOL)

    def divided(self, operator: str, left: Expression, right: Expression) -> Expression:
        """A quotient or remainder, 0 for the divisor 0."""
        zero = self.number(0)
        return self.choice(self.is_zero(right), zero, self.checked(operator, left, right))

    def room(self) -> Expression:
        """How much may be added to ``b``."""
        return self.checked("-", self.highest, self.b)


def _saturating_subtraction(w: Words) -> Sides:
    return w.checked("+", w.difference(), w.smaller()), w.a


def _greater(w: Words) -> Sides:
    return w.checked("+", w.difference(), w.b), w.greater()


def _division(w: Words) -> Sides:
    whole = w.checked("*", w.divided("/", w.a, w.b), w.b)
    rest = w.divided("%", w.a, w.b)
    return w.choice(w.is_zero(w.b), w.a, w.checked("+", whole, rest)), w.a


def _flooring(w: Words) -> Sides:
    floored = w.checked("-", w.a, w.divided("%", w.a, w.b))
    whole = w.checked("*", w.divided("/", w.a, w.b), w.b)
    return w.choice(w.is_zero(w.b), w.a, floored), w.choice(w.is_zero(w.b), w.a, whole)


def _remainder(w: Words) -> Sides:
    is_below = build.compare("<", w.divided("%", w.a, w.b), w.b)
    return build.either(w.is_zero(w.b), is_below), build.TRUE


def _constant_divisor(w: Words) -> Sides:
    step = w.number(4)
    floored = w.checked("*", w.checked("/", w.a, step), step)
    return w.checked("-", w.a, floored), w.checked("%", w.a, step)


def _rounding_up(w: Words) -> Sides:
    quotient = w.divided("/", w.a, w.b)
    more = w.choice(w.is_zero(w.divided("%", w.a, w.b)), w.number(0), w.number(1))
    before = build.unchecked("+", w.a, w.checked("-", w.b, w.number(1)), PLACE)
    above = build.unchecked("/", before, w.b, PLACE)
    return w.checked("+", quotient, more), w.choice(w.is_zero(w.b), w.number(0), above)


def _nested_division(w: Words) -> Sides:
    twice = w.divided("/", w.divided("/", w.a, w.number(2)), w.b)
    double = build.unchecked("*", w.number(2), w.b, PLACE)
    return twice, w.divided("/", w.a, double)


def _comparison(w: Words) -> Sides:
    return build.compare("<", w.a, w.b), build.negated(build.compare("<=", w.b, w.a))


def _equality(w: Words) -> Sides:
    both = build.both(build.compare("<=", w.a, w.b), build.compare(">=", w.a, w.b))
    return both, tree.Equal(w.a, w.b, BOOL)


def _order(w: Words) -> Sides:
    same = w.choice(tree.Equal(w.a, w.b, BOOL), w.number(1), w.number(2))
    below = w.choice(build.compare("<", w.a, w.b), w.number(0), same)
    above = w.choice(build.compare(">", w.a, w.b), w.number(2), w.number(1))
    return below, w.choice(build.compare(">=", w.a, w.b), above, w.number(0))


def _inside(w: Words) -> Sides:
    inside = build.both(build.compare("<", w.a, w.b), build.compare("<", w.b, w.c))
    out = build.either(build.compare(">=", w.a, w.b), build.compare(">=", w.b, w.c))
    held = tree.Variable("held", w.kind)
    cut = tree.If(inside, tree.Set("held", w.b, UNIT, PLACE), build.NOTHING, UNIT)
    return build.block([tree.Set("held", w.c, UNIT), cut], held), w.choice(out, w.c, w.b)


def _wrapping_addition(w: Words) -> Sides:
    total = build.unchecked("+", w.a, w.b, PLACE)
    size = build.unchecked("+", w.highest, w.number(1), PLACE)
    past = w.checked("-", w.a, build.unchecked("+", w.room(), w.number(1), PLACE))
    fits = build.compare("<=", w.a, w.room())
    return build.unchecked("%", total, size, PLACE), w.choice(fits, w.checked("+", w.a, w.b), past)


def _checked_addition(w: Words) -> Sides:
    total = build.unchecked("+", w.a, w.b, PLACE)
    fits = build.compare("<=", total, w.highest)
    found = w.choice(fits, build.some(total), tree.Literal(None, OptionType(w.kind)))
    return build.is_some(found), build.compare("<=", w.a, w.room())


def _saturating_multiplication(w: Words) -> Sides:
    product = build.unchecked("*", w.a, w.b, PLACE)
    capped = w.choice(build.compare("<=", product, w.highest), product, w.highest)
    fits = build.compare("<=", w.a, w.divided("/", w.highest, w.b))
    inner = w.choice(fits, w.checked("*", w.a, w.b), w.highest)
    return capped, w.choice(w.is_zero(w.b), w.number(0), inner)


def _option(w: Words) -> Sides:
    nothing = tree.Literal(None, OptionType(w.kind))
    slot = tree.Variable("held", OptionType(w.kind))
    found = w.choice(build.compare("<", w.a, w.b), build.some(w.a), nothing)
    taken = w.choice(build.is_some(slot), build.payload(slot), w.b)
    return build.block([tree.Set("held", found, UNIT)], taken), w.smaller()


def _unwrap(w: Words) -> Sides:
    nothing = tree.Literal(None, OptionType(w.kind))
    slot = tree.Variable("held", OptionType(w.kind))
    found = w.choice(build.compare("<=", w.a, w.a), build.some(w.a), nothing)
    panic = build.panic("unwrap of nothing", PLACE)
    unwrapped = w.choice(build.is_some(slot), build.payload(slot), panic)
    return build.block([tree.Set("held", found, UNIT)], unwrapped), w.a


def _options_are_equal(w: Words) -> Sides:
    one, other = (
        w.choice(build.compare("<", side, w.c), build.some(side), tree.Literal(None, kind))
        for side, kind in ((w.a, OptionType(w.kind)), (w.b, OptionType(w.kind)))
    )
    both_past = build.both(build.compare(">=", w.a, w.c), build.compare(">=", w.b, w.c))
    return tree.Equal(one, other, BOOL), build.either(both_past, tree.Equal(w.a, w.b, BOOL))


def _tuple(w: Words) -> Sides:
    pair = TupleType((w.kind, w.kind))
    is_ordered = build.compare("<=", w.a, w.b)
    ordered = tree.If(
        is_ordered, tree.MakeTuple((w.a, w.b), pair), tree.MakeTuple((w.b, w.a), pair), pair
    )
    return tree.Item(ordered, 1, w.kind), w.greater()


def _assignment(w: Words) -> Sides:
    held = tree.Variable("held", w.kind)
    lower = tree.Set("held", w.b, UNIT, PLACE)
    branch = tree.If(build.compare("<", w.b, held), lower, build.NOTHING, UNIT)
    return build.block([tree.Set("held", w.a, UNIT), branch], held), w.smaller()


def _early_return(w: Words) -> Sides:
    leave = tree.If(
        build.compare("<", w.a, w.b), tree.Return(w.a, NEVER, PLACE), build.NOTHING, UNIT
    )
    return build.block([leave], w.b), w.smaller()


def _closure(w: Words) -> Sides:
    leave = tree.If(
        build.compare("<", w.a, w.b), tree.Return(w.a, NEVER, PLACE), build.NOTHING, UNIT
    )
    inner = tree.Closure(build.block([leave], w.b), w.kind)
    least = w.choice(build.compare("<=", w.smaller(), w.c), w.smaller(), w.c)
    held = tree.Variable("held", w.kind)
    smallest = w.choice(build.compare("<", held, w.c), held, w.c)
    return build.block([tree.Set("held", inner, UNIT)], smallest), least


def _helper(w: Words) -> Sides:
    x, y = tree.Variable("x", w.kind), tree.Variable("y", w.kind)
    inside = Words(x, y, y, w.kind)
    slots: tuple[tuple[str, Type], ...] = (("x", w.kind), ("y", w.kind))
    helper = tree.Function("helper", ("x", "y"), slots, w.kind, inside.difference(), PLACE)
    twice = tree.Invoke(helper, (tree.Invoke(helper, (w.a, w.b), w.kind), w.c), w.kind)
    both = build.unchecked("+", w.b, w.c, PLACE)
    rest = w.checked("-", w.a, both)
    return twice, w.choice(build.compare(">=", w.a, both), rest, w.number(0))


def _last_boundary(w: Words) -> Sides:
    before = w.choice(w.is_zero(w.a), w.a, w.checked("-", w.a, w.number(1)))
    boundary = w.checked("*", w.divided("/", before, w.b), w.b)
    is_under = build.either(w.is_zero(w.a), build.compare("<", boundary, w.a))
    return is_under, build.TRUE


def _next_boundary(w: Words) -> Sides:
    boundary = build.unchecked("*", w.divided("/", w.a, w.b), w.b, PLACE)
    further = build.unchecked("+", boundary, w.b, PLACE)
    return build.either(w.is_zero(w.b), build.compare(">", further, w.a)), build.TRUE


Law: TypeAlias = Callable[[Words], Sides]

SATURATING: tuple[Law, ...] = (_saturating_subtraction, _greater, _helper)

DIVIDING: tuple[Law, ...] = (
    _division,
    _flooring,
    _remainder,
    _constant_divisor,
    _rounding_up,
    _nested_division,
    _last_boundary,
    _next_boundary,
)

COMPARING: tuple[Law, ...] = (_comparison, _equality, _order, _inside)

OVERFLOWING: tuple[Law, ...] = (_wrapping_addition, _checked_addition, _saturating_multiplication)

OPTIONAL: tuple[Law, ...] = (_option, _unwrap, _options_are_equal)

MOVING: tuple[Law, ...] = (_tuple, _assignment, _early_return, _closure, _inside)

LAWS: tuple[Law, ...] = tuple(
    dict.fromkeys((*SATURATING, *DIVIDING, *COMPARING, *OVERFLOWING, *OPTIONAL, *MOVING))
)
