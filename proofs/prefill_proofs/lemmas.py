"""Why what is taken to be known of multiples is true: few lemmas, and how each fact follows.

A lemma is a statement about integers and their products, small enough for a solver of nonlinear
arithmetic. The facts of a query (``multiples``) follow from instances of the lemmas, linearly. So
two kinds of questions remain, and both are asked: whether each lemma is true, and whether the facts
of that very query follow.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from typing import Any

import z3

from prefill_proofs.algebra import Algebra, Division, Product
from prefill_proofs.formulas import conjunction, negation
from prefill_proofs.linear import Linear, constant
from prefill_proofs.multiples import (
    LADDER,
    MAX_RESTS,
    STEPS,
    Multiple,
    as_multiple,
    divided_by_constants,
    facts,
)
from prefill_proofs.solver import Query
from prefill_spec.vocabulary import USIZE_MAX, Formula


@dataclass(frozen=True)
class Lemma:
    """A statement about integers: the ``claim`` holds where the symbols mean what is ``meant``."""

    id: str
    statement: str
    symbols: Sequence[Any]
    meant: Sequence[Any]
    claim: Any

    def query(self) -> Query:
        """Return what no integers meet if the lemma is true."""
        return Query(tuple(self.meant), (negation(self.claim),))

    def at(self, *terms: Any) -> Formula:
        """Return the claim with terms in the place of its symbols, which mean what is meant."""
        return z3.substitute(self.claim, *zip(self.symbols, terms, strict=True))


_A, _B, _C, _D, _F, _K, _M, _N, _O, _P, _Q, _R, _S, _T, _U, _X, _Y = z3.Ints(
    "a b c d f k m n o p q r s t u x y"
)

SIGN = Lemma(
    "sign",
    "a multiple of a positive number has the sign of what it is multiplied by, and is more than a "
    "step below 0 where that is negative",
    (_B, _D, _P),
    [_P == _B * _D],
    z3.Implies(
        _B >= 1,
        z3.And((_D >= 0) == (_P >= 0), (_D >= 0) == (_P + _B >= 1), z3.Implies(_B == 1, _P == _D)),
    ),
)

DIFFERENCE = Lemma(
    "difference",
    "a multiple of a difference is the difference of the multiples",
    (_B, _Q, _M, _R, _N, _U, _O, _K, _P),
    [_M == _B * _Q, _N == _B * _R, _O == _B * _U, _P == _B * (_Q - _R - _U - _K)],
    _P == _M - _N - _O - _K * _B,
)

NATURAL = Lemma(
    "natural-quotient",
    "the quotient of a natural number is natural, no more than its multiple, and the divisor less "
    "one fits into what a whole block adds",
    (_A, _B, _Q, _M),
    [_M == _B * _Q],
    z3.Implies(
        z3.And(_B >= 1, _A >= 0, _M <= _A, _A < _M + _B),
        z3.And(_Q >= 0, _Q <= _M, z3.Implies(_Q >= 1, _Q + _B <= _M + 1)),
    ),
)

UNIQUE = Lemma(
    "unique-quotient",
    "there is one quotient of two numbers",
    (_A, _B, _Q, _M, _R, _N),
    [_M == _B * _Q, _N == _B * _R],
    z3.Implies(
        z3.And(_B >= 1, _M <= _A, _A < _M + _B, _N <= _A, _A < _N + _B), z3.And(_Q == _R, _M == _N)
    ),
)

FACTOR = Lemma(
    "factor",
    "what divides a number divides its multiples",
    (_B, _F, _T, _Q, _M, _S),
    [_M == _B * _Q, _S == _T * _Q],
    z3.Implies(_B == _F * _T, _M == _F * _S),
)

COMPOSITE = Lemma(
    "composite-divisor",
    "a multiple of b is one of b * c, and b times what dividing the quotient by c leaves",
    (_B, _C, _P, _Q, _M, _R, _N, _S, _T),
    [_P == _B * _C, _M == _B * _Q, _N == _C * _R, _S == _B * (_Q - _N), _T == _P * _R],
    _M == _S + _T,
)

PRODUCT = Lemma(
    "product",
    "the product of two natural numbers is natural, no less than either unless one is 0, and no "
    "more than a bound of one times the other",
    (_X, _Y, _P),
    [_P == _X * _Y],
    z3.Implies(
        z3.And(_X >= 0, _Y >= 0),
        z3.And(
            _P >= 0,
            z3.Implies(_X == 0, _P == 0),
            z3.Implies(_X == 1, _P == _Y),
            z3.Or(_X == 0, _Y <= _P),
            z3.Implies(_X <= USIZE_MAX, _P <= USIZE_MAX * _Y),
        ),
    ),
)

LEMMAS = (SIGN, DIFFERENCE, NATURAL, UNIQUE, FACTOR, COMPOSITE, PRODUCT)
"""Every lemma."""


def follow(algebra: Algebra, is_extended: bool = False) -> Query:
    """Return what no integers meet if the facts of an algebra follow from the lemmas.

    Those are all facts that ``multiples.facts`` has for it.
    """
    known = facts(algebra, is_extended)
    instances = _Instances(algebra).of_all(is_extended)
    return Query((*algebra.definitions, *instances), (negation(conjunction(known)),))


class _Instances:
    """The instances of the lemmas for an algebra whose facts have been built.

    Products that only an instance speaks of have names of their own. What is divided by a number
    that is not positive has 0 for its quotient here: no fact speaks of it.
    """

    def __init__(self, algebra: Algebra) -> None:
        self._algebra = algebra
        self._term = algebra.term
        self._names = 0

    def of_all(self, is_extended: bool) -> Iterator[Formula]:
        """Yield an instance for everything that a fact speaks of."""
        symbolic = [
            division
            for division in self._algebra.divisions.values()
            if not division.divisor.is_constant and division.is_atomic
        ]
        for division in symbolic:
            yield from self._of_quotient(division)
            yield from self._of_factors(division.divisor, as_multiple(division))
            yield from self._of_composite(division)
        for first, second in combinations(symbolic, 2):
            if first.divisor == second.divisor:
                yield from self._of_difference(as_multiple(first), [as_multiple(second)], STEPS)
            else:
                yield self._of_equals(first, second)
        for division in symbolic:
            for other in divided_by_constants(self._algebra, division.dividend):
                yield self._of_equals(division, other)
        if is_extended:
            for first, *others in permutations(symbolic, 3):
                if all(other.divisor == first.divisor for other in others):
                    less = [as_multiple(other) for other in others]
                    yield from self._of_difference(as_multiple(first), less, STEPS)
        yield from self._of_products(symbolic)

    def _of_quotient(self, division: Division) -> Iterator[Formula]:
        """Yield what a quotient is, its signs, and how it compares with small numbers."""
        a, b, q, m = map(
            self._term,
            (division.dividend, division.divisor, division.quotient, division.multiple),
        )
        yield z3.Implies(b >= 1, z3.And(m <= a, a < m + b))
        yield NATURAL.at(a, b, q, m)
        yield from self._of_difference(as_multiple(division), [], range(len(LADDER) + 1))

    def _of_difference(
        self, whole: Multiple, less: Sequence[Multiple], steps: Iterable[int]
    ) -> Iterator[Formula]:
        """Yield the sign of a multiple less others and less each number of steps.

        What it is, is what the lemma ``DIFFERENCE`` says.
        """
        b = self._term(whole.factor)
        for step in steps:
            times = whole.times.plus(constant(-step))
            result = whole.result.plus(whole.factor, -step)
            for other in less:
                times, result = times.plus(other.times, -1), result.plus(other.result, -1)
            yield SIGN.at(b, self._term(times), self._term(result))

    def _of_factors(self, factor: Linear, multiple: Multiple) -> Iterator[Formula]:
        """Yield that what divides a factor of a multiple divides the multiple."""
        other = multiple.times if factor == multiple.factor else multiple.factor
        for division in self._algebra.divisions.values():
            if division.divisor.is_constant and division.dividend == factor:
                yield FACTOR.at(
                    self._term(factor),
                    self._term(division.divisor),
                    self._term(division.quotient),
                    self._term(other),
                    self._term(multiple.result),
                    self._named(),
                )

    def _of_equals(self, first: Division, second: Division) -> Formula:
        """Return that equal numbers divided by equal numbers have one quotient."""
        a, b = self._term(first.dividend), self._term(first.divisor)
        c, d = self._term(second.dividend), self._term(second.divisor)
        parts = (first.quotient, first.multiple, second.quotient, second.multiple)
        return z3.Implies(z3.And(a == c, b == d), UNIQUE.at(a, b, *map(self._term, parts)))

    def _of_composite(self, whole: Division) -> Iterator[Formula]:
        """Yield how a quotient by ``b * c`` comes from one by ``b`` and a second one by ``c``."""
        term = self._term
        for outer, inner in self._splits(whole.divisor, whole.unit):
            first = self._algebra.divide(whole.dividend, outer)
            second = self._algebra.divide(first.quotient, inner)
            b, c, p = term(outer), term(inner), term(whole.divisor)
            q, m, r, n = map(
                term, (first.quotient, first.multiple, second.quotient, second.multiple)
            )
            t = self._named()
            left = first.quotient.plus(second.multiple, -1)
            s = term(left.times(outer.constant)) if outer.is_constant else self._named()
            yield COMPOSITE.at(b, c, p, q, m, r, n, s, t)
            yield UNIQUE.at(
                term(whole.dividend), p, term(whole.quotient), term(whole.multiple), r, t
            )
            rests = range(min(inner.constant, MAX_RESTS) + 1) if inner.is_constant else range(2)
            for rest in rests:
                yield SIGN.at(b, term(left) - rest, s - rest * b)
            # b * (c - 1), and that less the multiple of what is left: both are natural.
            yield SIGN.at(b, c - 1, p - b)
            yield SIGN.at(b, c - 1 - term(left), p - b - s)

    def _splits(self, divisor: Linear, unit: Linear) -> list[tuple[Linear, Linear]]:
        """Return each known way in which a divisor is a product, both ways round."""
        found = []
        if divisor.content > 1:
            found.append((unit, constant(divisor.content)))
        found += (
            (product.left, product.right)
            for product in self._algebra.products.values()
            if product.result == divisor
        )
        return [pair for one, other in found for pair in ((one, other), (other, one))]

    def _of_products(self, symbolic: Sequence[Division]) -> Iterator[Formula]:
        products = list(self._algebra.products.values())
        for number, product in enumerate(products):
            for mine in _both_ways(product):
                x, y, p = map(self._term, mine)
                yield PRODUCT.at(x, y, p)
                yield from self._of_factors(mine.times, mine)
                others = [as_multiple(division) for division in symbolic]
                others += (way for other in products[number + 1 :] for way in _both_ways(other))
                for other in others:
                    if other.factor == mine.factor:
                        yield from self._of_difference(mine, [other], STEPS)

    def _named(self) -> Any:
        self._names += 1
        return z3.Int(f"s!{self._names}")


def _both_ways(product: Product) -> tuple[Multiple, Multiple]:
    """Return a product as a multiple of either factor."""
    return (
        Multiple(product.left, product.right, product.result),
        Multiple(product.right, product.left, product.result),
    )
