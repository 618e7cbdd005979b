"""Symbolic integers: linear forms over named atoms, split by cases.

A ``Number`` is a list of cases, each a condition and a linear form; the conditions exclude each
other and cover every input. Keeping the cases apart means that a division always meets a plain
linear divisor, and that ``(a / b + 1) * b`` is seen to be ``a / b * b + b``.

Numbers are mathematical integers; that a result fits in 64 bits is an obligation (``faults``).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import TYPE_CHECKING, Any

from prefill_proofs import formulas
from prefill_proofs.linear import ZERO, Linear
from prefill_spec.vocabulary import Formula

if TYPE_CHECKING:
    from prefill_proofs.algebra import Algebra, Division

MAX_CASES = 16
"""Above this many cases a number gets a name of its own, so that cases do not multiply."""

Case = tuple[Formula, Linear]


class Number:
    """A symbolic integer with the operators of an int; comparisons give formulas."""

    __slots__ = ("_term", "algebra", "cases")
    __hash__ = None  # type: ignore[assignment] # equality is a formula

    def __init__(self, algebra: Algebra, cases: tuple[Case, ...]) -> None:
        self.algebra = algebra
        self.cases = cases
        self._term: Any = None

    def term(self) -> Any:
        """Return the number as a Z3 integer."""
        if self._term is None:
            *earlier, (_, form) = self.cases
            term = self.algebra.term(form)
            for condition, form in reversed(earlier):
                term = formulas.selection(condition, self.algebra.term(form), term)
            self._term = term
        return self._term

    def constant(self) -> int | None:
        """Return the value of a number that does not depend on the inputs, else ``None``."""
        form = self.form()
        return form.constant if form is not None and form.is_constant else None

    def form(self) -> Linear | None:
        """Return the form of a number of one case, else ``None``."""
        return self.cases[0][1] if len(self.cases) == 1 else None

    def _lift(self, other: int | Number) -> Number:
        return other if isinstance(other, Number) else self.algebra.constant(other)

    def _combine(
        self, other: int | Number, operation: Callable[[Linear, Linear], Linear]
    ) -> Number:
        left, right = self, self._lift(other)
        pairs = left._pairs(right)
        if len(pairs) > MAX_CASES:
            left, right = (
                self.algebra._number(self.algebra.named(number)) for number in (left, right)
            )
            pairs = left._pairs(right)
        return merged(
            self.algebra,
            [
                (formulas.conjunction((first, second)), operation(one, two))
                for (first, one), (second, two) in pairs
            ],
        )

    def _pairs(self, other: Number) -> list[tuple[Case, Case]]:
        """Return the cases of two numbers that can meet.

        The cases of one number exclude each other: one that both have meets none but itself.
        """
        pairs = list(product(self.cases, other.cases))
        if len(self.cases) == 1 or len(other.cases) == 1:
            return pairs
        mine, theirs = ({guard.get_id() for guard, _ in both.cases} for both in (self, other))
        kept = []
        for one, another in pairs:
            first, second = one[0].get_id(), another[0].get_id()
            is_shared = first in theirs or second in mine
            if first == second or not (
                is_shared or formulas.exclude_each_other(one[0], another[0])
            ):
                kept.append((one, another))
        return kept

    def __add__(self, other: int | Number) -> Number:
        return self._combine(other, Linear.plus)

    __radd__ = __add__

    def __sub__(self, other: int | Number) -> Number:
        return self._combine(other, lambda left, right: left.plus(right, -1))

    def __rsub__(self, other: int | Number) -> Number:
        return self._lift(other) - self

    def __mul__(self, other: int | Number) -> Number:
        return self._combine(other, self.algebra.multiply)

    __rmul__ = __mul__

    def _divide(self, other: int | Number, part: Callable[[Division], Linear]) -> Number:
        cases: list[Case] = []
        for condition, divisor in self._lift(other).cases:
            for guard, dividend in self._dividends(divisor):
                both = formulas.conjunction((condition, guard))
                cases.append((both, part(self.algebra.divide(dividend, divisor))))
        return merged(self.algebra, cases)

    def _dividends(self, divisor: Linear) -> list[Case]:
        """Return the cases that are known multiples of a divisor, and one for all others."""
        algebra = self.algebra
        if divisor.is_constant or len(self.cases) == 1:
            return [(True, algebra.named(self))]
        whole: list[Case] = []
        others: list[Case] = []
        for case in self.cases:
            is_whole = algebra.known_part(case[1], divisor)[1] == ZERO
            (whole if is_whole else others).append(case)
        if not others:
            return whole
        # Where none of the others holds, what is named does not matter.
        named = algebra.named(Number(algebra, tuple(others)))
        return [*whole, (formulas.disjunction(guard for guard, _ in others), named)]

    def __floordiv__(self, other: int | Number) -> Number:
        return self._divide(other, lambda division: division.quotient)

    def __rfloordiv__(self, other: int | Number) -> Number:
        return self._lift(other) // self

    def __mod__(self, other: int | Number) -> Number:
        return self._divide(other, lambda division: division.remainder)

    def __rmod__(self, other: int | Number) -> Number:
        return self._lift(other) % self

    def __le__(self, other: int | Number) -> Formula:
        left, right = self, self._lift(other)
        if len(left.cases) == 1 and len(right.cases) == 1:
            return self.algebra.at_most(left.cases[0][1], right.cases[0][1])
        return formulas.at_most(left.term(), right.term())

    def __ge__(self, other: int | Number) -> Formula:
        return self._lift(other) <= self

    def __lt__(self, other: int | Number) -> Formula:
        return formulas.negation(self._lift(other) <= self)

    def __gt__(self, other: int | Number) -> Formula:
        return formulas.negation(self <= other)

    def __eq__(self, other: object) -> Formula:
        assert isinstance(other, int | Number)
        left, right = self, self._lift(other)
        if len(left.cases) == 1 and len(right.cases) == 1:
            difference = left.cases[0][1].plus(right.cases[0][1], -1)
            if difference.is_constant:
                return difference.constant == 0
        return formulas.equal(left.term(), right.term())

    def __ne__(self, other: object) -> Formula:
        return formulas.negation(self == other)

    def at_least(self, bound: int | Number) -> Number:
        """Return the greater of the two."""
        greater: Number = choose(self >= bound, self, self._lift(bound))
        return greater

    def chosen(self, condition: Formula, first: int | Number, second: int | Number) -> Number:
        """Return the first number where a symbolic condition holds, else the second."""
        one, other = self._lift(first), self._lift(second)
        absent_zero = self.algebra.absent_zeros.get(condition.get_id())
        if absent_zero is not None and one.form() == absent_zero and other.constant() == 0:
            return one
        otherwise = formulas.negation(condition)
        result = merged(
            self.algebra,
            [(formulas.conjunction((condition, guard)), form) for guard, form in one.cases]
            + [(formulas.conjunction((otherwise, guard)), form) for guard, form in other.cases],
        )
        if len(result.cases) > MAX_CASES:
            return self.algebra._number(self.algebra.named(result))
        return result


def merged(algebra: Algebra, cases: list[Case]) -> Number:
    """Return the number of some cases, those of one form joined."""
    table: dict[Linear, list[Formula]] = {}
    for condition, form in cases:
        if condition is not False:
            table.setdefault(form, []).append(condition)
    if len(table) == 1:
        return Number(algebra, ((True, next(iter(table))),))
    return Number(
        algebra,
        tuple((formulas.disjunction(conditions), form) for form, conditions in table.items()),
    )


def choose(condition: Formula, first: Any, second: Any) -> Any:
    """Return the first number where the condition holds, else the second; ints or Numbers."""
    if isinstance(condition, bool):
        return first if condition else second
    if isinstance(first, int) and isinstance(second, int):
        raise TypeError("choose needs a Number where its condition is symbolic")
    return (second if isinstance(first, int) else first).chosen(condition, first, second)
