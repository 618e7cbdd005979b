"""The methods of unsigned integers, each with the exact meaning that Rust gives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prefill_proofs import build
from prefill_proofs.language import (
    Arithmetic,
    Equal,
    Expression,
    If,
    MakeTuple,
    Place,
)
from prefill_proofs.types import BOOL, IntType, TupleType


@dataclass(frozen=True)
class Site:
    """Where a method is called: the receiver's type, the place and the source text."""

    kind: IntType
    place: Place
    text: str

    @property
    def highest(self) -> int:
        """The greatest value of the receiver's type."""
        assert self.kind.highest is not None
        return self.kind.highest

    def number(self, value: int) -> Expression:
        """Return a constant of the receiver's type."""
        return build.number(value, self.kind)

    def exact(self, operator: str, left: Expression, right: Expression) -> Expression:
        """Return arithmetic whose range is known to be, or is looked at, elsewhere."""
        return build.unchecked(operator, left, right, self.place)

    def checked(self, operator: str, left: Expression, right: Expression) -> Expression:
        """Return arithmetic that faults when it leaves the type, or divides by 0."""
        return Arithmetic(operator, left, right, self.kind, self.place, self.text)

    def choose(self, condition: Expression, then: Expression, other: Expression) -> Expression:
        """Return one of two values."""
        return If(condition, then, other, then.type)

    def fits(self, value: Expression) -> Expression:
        """Return whether an exact result is a value of the type."""
        return build.compare("<=", value, self.number(self.highest))


def _minimum(site: Site, x: Expression, y: Expression) -> Expression:
    return site.choose(build.compare("<=", x, y), x, y)


def _maximum(site: Site, x: Expression, y: Expression) -> Expression:
    return site.choose(build.compare(">=", x, y), x, y)


def _clamp(site: Site, x: Expression, low: Expression, high: Expression) -> Expression:
    ordered = build.requires(build.compare("<=", low, high), site.text, site.place)
    above = site.choose(build.compare(">", x, high), high, x)
    return build.block([ordered], site.choose(build.compare("<", x, low), low, above))


def _abs_diff(site: Site, x: Expression, y: Expression) -> Expression:
    return site.choose(build.compare(">=", x, y), site.exact("-", x, y), site.exact("-", y, x))


def _saturating_sub(site: Site, x: Expression, y: Expression) -> Expression:
    return site.choose(build.compare(">=", x, y), site.exact("-", x, y), site.number(0))


def _saturating(operator: str) -> Callable[[Site, Expression, Expression], Expression]:
    def method(site: Site, x: Expression, y: Expression) -> Expression:
        result = site.exact(operator, x, y)
        return site.choose(site.fits(result), result, site.number(site.highest))

    return method


def _checked(operator: str) -> Callable[[Site, Expression, Expression], Expression]:
    def method(site: Site, x: Expression, y: Expression) -> Expression:
        result = site.exact(operator, x, y)
        if operator in "/%":
            condition = build.negated(Equal(y, site.number(0), BOOL))
        elif operator == "-":
            condition = build.compare(">=", x, y)
        else:
            condition = site.fits(result)
        return site.choose(condition, build.some(result), build.none(site.kind))

    return method


def wrapped(site: Site, result: Expression) -> Expression:
    """Return what is left of an exact sum or product in the bits of the type."""
    # Where it fits nothing is lost; said apart, for that is the case that matters.
    cut = site.exact("%", result, site.number(site.highest + 1))
    return site.choose(site.fits(result), result, cut)


def _wrapping(operator: str) -> Callable[[Site, Expression, Expression], Expression]:
    def method(site: Site, x: Expression, y: Expression) -> Expression:
        result = site.exact(operator, x, y)
        if operator != "-":
            return wrapped(site, result)
        around = site.exact("+", result, site.number(site.highest + 1))
        return site.choose(build.compare(">=", x, y), result, around)

    return method


def _overflowing(operator: str) -> Callable[[Site, Expression, Expression], Expression]:
    def method(site: Site, x: Expression, y: Expression) -> Expression:
        wrapped = _wrapping(operator)(site, x, y)
        same = Equal(wrapped, site.exact(operator, x, y), BOOL)
        return MakeTuple((wrapped, build.negated(same)), TupleType((site.kind, BOOL)))

    return method


def _divided(operator: str) -> Callable[[Site, Expression, Expression], Expression]:
    return lambda site, x, y: site.checked(operator, x, y)


def _div_ceil(site: Site, x: Expression, y: Expression) -> Expression:
    down = site.checked("/", x, y)
    is_whole = Equal(site.exact("%", x, y), site.number(0), BOOL)
    # The quotient is run first: it faults where the divisor is 0.
    up = site.exact("+", site.exact("/", x, y), site.number(1))
    return build.block([down], site.choose(is_whole, site.exact("/", x, y), up))


def _next_multiple(site: Site, x: Expression, y: Expression) -> Expression:
    rest = site.exact("%", x, y)
    up = site.checked("+", x, site.exact("-", y, rest))
    is_whole = Equal(rest, site.number(0), BOOL)
    return build.block([site.checked("%", x, y)], site.choose(is_whole, x, up))


def _checked_next_multiple(site: Site, x: Expression, y: Expression) -> Expression:
    rest = site.exact("%", x, y)
    up = site.exact("+", x, site.exact("-", y, rest))
    result = site.choose(Equal(rest, site.number(0), BOOL), x, up)
    is_some = build.both(build.negated(Equal(y, site.number(0), BOOL)), site.fits(result))
    return site.choose(is_some, build.some(result), build.none(site.kind))


def _is_multiple(site: Site, x: Expression, y: Expression) -> Expression:
    by_zero = Equal(y, site.number(0), BOOL)
    is_zero = Equal(x, site.number(0), BOOL)
    return site.choose(by_zero, is_zero, Equal(site.exact("%", x, y), site.number(0), BOOL))


def _is_power_of_two(site: Site, x: Expression) -> Expression:
    result: Expression = build.FALSE
    for exponent in range(site.highest.bit_length()):
        result = build.either(Equal(x, site.number(2**exponent), BOOL), result)
    return result


def _itself(_site: Site, x: Expression) -> Expression:
    return x


METHODS: dict[str, tuple[int, Callable[..., Expression]]] = {
    "min": (1, _minimum),
    "max": (1, _maximum),
    "clamp": (2, _clamp),
    "abs_diff": (1, _abs_diff),
    "saturating_add": (1, _saturating("+")),
    "saturating_sub": (1, _saturating_sub),
    "saturating_mul": (1, _saturating("*")),
    "saturating_div": (1, _divided("/")),
    "checked_add": (1, _checked("+")),
    "checked_sub": (1, _checked("-")),
    "checked_mul": (1, _checked("*")),
    "checked_div": (1, _checked("/")),
    "checked_rem": (1, _checked("%")),
    "wrapping_add": (1, _wrapping("+")),
    "wrapping_sub": (1, _wrapping("-")),
    "wrapping_mul": (1, _wrapping("*")),
    "wrapping_div": (1, _divided("/")),
    "wrapping_rem": (1, _divided("%")),
    "overflowing_add": (1, _overflowing("+")),
    "overflowing_sub": (1, _overflowing("-")),
    "overflowing_mul": (1, _overflowing("*")),
    "div_euclid": (1, _divided("/")),
    "rem_euclid": (1, _divided("%")),
    "div_ceil": (1, _div_ceil),
    "next_multiple_of": (1, _next_multiple),
    "checked_next_multiple_of": (1, _checked_next_multiple),
    "is_multiple_of": (1, _is_multiple),
    "is_power_of_two": (0, _is_power_of_two),
    "clone": (0, _itself),
    "get": (0, _itself),
}
"""How many further arguments each method takes, and what it means. ``get`` is that of a non-zero
integer, which is read as a plain one."""
