"""Symbolic integers: linear forms over named atoms, split by cases.

A ``Number`` is a list of cases, each a condition and a linear form; the conditions exclude each
other and cover every input. Keeping the cases apart means that a division always meets a plain
linear divisor, and that ``(a / b + 1) * b`` is seen to be ``a / b * b + b``. What no linear form
can say (a quotient, a product) becomes an atom, and ``Algebra`` remembers what the atom stands for.

Numbers are mathematical integers; that a result fits in 64 bits is an obligation (``faults``).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import gcd
from typing import Any, NamedTuple

import z3

from prefill_proofs import formulas
from prefill_spec.vocabulary import Formula

MAX_CASES = 16
"""Above this many cases a number gets a name of its own, so that cases do not multiply."""


class Linear(NamedTuple):
    """A sum of atoms with integer coefficients, and a constant."""

    coefficients: tuple[tuple[int, int], ...]
    constant: int

    @property
    def is_constant(self) -> bool:
        """Whether there is no atom in it."""
        return not self.coefficients

    def plus(self, other: Linear, factor: int = 1) -> Linear:
        """Return ``self + factor * other``."""
        if not other.coefficients:
            return Linear(self.coefficients, self.constant + factor * other.constant)
        table = dict(self.coefficients)
        for atom, coefficient in other.coefficients:
            table[atom] = table.get(atom, 0) + factor * coefficient
        kept = tuple(sorted(item for item in table.items() if item[1]))
        return Linear(kept, self.constant + factor * other.constant)

    @property
    def content(self) -> int:
        """The greatest number that divides every coefficient and the constant; 1 for 0."""
        return gcd(self.constant, *(coefficient for _, coefficient in self.coefficients)) or 1

    def over(self, factor: int) -> Linear:
        """Return the form divided by a constant that divides its content."""
        parts = tuple((atom, coefficient // factor) for atom, coefficient in self.coefficients)
        return Linear(parts, self.constant // factor)

    def times(self, factor: int) -> Linear:
        """Return the form multiplied by a constant."""
        return ZERO.plus(self, factor)


ZERO = Linear((), 0)
ONE = Linear((), 1)


def constant(value: int) -> Linear:
    """Return the form of a constant."""
    return Linear((), value)


class Division(NamedTuple):
    """A dividend and a divisor with their quotient, and the quotient times the divisor's unit.

    The ``unit`` of a divisor is what is left without its constant factor: that of ``2 * b`` is
    ``b``. So ``a / (2 * b) * b`` is known, and ``a / (2 * b) * (2 * b)`` as well.
    """

    dividend: Linear
    divisor: Linear
    quotient: Linear
    unit: Linear
    unit_multiple: Linear

    @property
    def is_atomic(self) -> bool:
        """Whether the quotient is an atom of its own."""
        return self.quotient.constant == 0 and [c for _, c in self.quotient.coefficients] == [1]

    @property
    def multiple(self) -> Linear:
        """The quotient times the divisor."""
        return self.unit_multiple.times(self.divisor.content)

    @property
    def remainder(self) -> Linear:
        """What the division leaves."""
        return self.dividend.plus(self.multiple, -1)


class Product(NamedTuple):
    """Two atoms and the atom that stands for their product."""

    left: Linear
    right: Linear
    result: Linear


class Algebra:
    """Hands out atoms and remembers what each stands for.

    ``definitions`` are facts that hold by construction. What is known of ``divisions`` and
    ``products`` is said in ``multiples``.
    """

    def __init__(self) -> None:
        self.atoms: list[Any] = []
        self.inputs: dict[int, str] = {}
        self.absent_zeros: dict[int, Linear] = {}
        """The inputs that are 0 wherever a truth value fails, by the number of that truth value."""
        self.definitions: list[Formula] = []
        self.divisions: dict[tuple[Linear, Linear], Division] = {}
        self.products: dict[tuple[int, int], Product] = {}
        self.steps = 0
        """How much has been evaluated into this algebra."""
        self._terms: dict[Linear, Any] = {}

    def input(self, name: str) -> Number:
        """Return a new number that stands for an input."""
        self.inputs[len(self.atoms)] = name
        return self._number(self._atom(name))

    def truth(self, name: str) -> Formula:
        """Return a new truth value that stands for an input."""
        return z3.Bool(name)

    def input_forms(self) -> list[Linear]:
        """Return the form of every input that is not fixed."""
        return [Linear(((atom, 1),), 0) for atom in self.inputs]

    def constant(self, value: int) -> Number:
        """Return the number of an int."""
        return self._number(constant(value))

    def _atom(self, name: str) -> Linear:
        """Return a new atom. Names of our own hold a mark that no input's name can hold."""
        self.atoms.append(z3.Int(name))
        return Linear(((len(self.atoms) - 1, 1),), 0)

    def _number(self, form: Linear) -> Number:
        return Number(self, ((True, form),))

    def term(self, form: Linear) -> Any:
        """Return a linear form as a Z3 integer."""
        found = self._terms.get(form)
        if found is None:
            parts = [
                formulas.scaled(coefficient, self.atoms[atom])
                for atom, coefficient in form.coefficients
            ]
            if form.constant or not parts:
                parts.append(formulas.integer(form.constant))
            found = self._terms[form] = formulas.linear_sum(parts)
        return found

    def at_most(self, left: Linear, right: Linear) -> Formula:
        """Return ``left <= right``."""
        difference = right.plus(left, -1)
        if difference.is_constant:
            return difference.constant >= 0
        return formulas.at_most(self.term(left), self.term(right))

    def named(self, number: Number) -> Linear:
        """Return one form for a number of several cases, by giving it a name."""
        if len(number.cases) == 1:
            return number.cases[0][1]
        name = self._atom(f"v!{len(self.atoms)}")
        self.definitions.append(formulas.equal(self.term(name), number.term()))
        return name

    def divide(self, dividend: Linear, divisor: Linear) -> Division:
        """Return the division of two forms; it means something for a positive divisor only."""
        key = (dividend, divisor)
        found = self.divisions.get(key)
        if found is None:
            found = self.divisions[key] = (
                self._divide_by_constant(dividend, divisor)
                if divisor.is_constant
                else self._divide_by_symbol(dividend, divisor)
            )
        return found

    def _divide_by_constant(self, dividend: Linear, divisor: Linear) -> Division:
        size = divisor.constant
        if size <= 0:
            return Division(dividend, divisor, ZERO, ONE, ZERO)
        if all(coefficient % size == 0 for _, coefficient in dividend.coefficients):
            whole = tuple((atom, c // size) for atom, c in dividend.coefficients)
            quotient = Linear(whole, dividend.constant // size)
        else:
            quotient = self._atom(f"q!{len(self.atoms)}")
            rest = dividend.plus(quotient, -size)
            self.definitions += [
                self.at_most(ZERO, rest),
                self.at_most(rest, constant(size - 1)),
            ]
        return Division(dividend, divisor, quotient, ONE, quotient)

    def _divide_by_symbol(self, dividend: Linear, divisor: Linear) -> Division:
        unit = divisor.over(divisor.content)
        whole, rest = self.known_part(dividend, divisor)
        if whole != ZERO or rest == ZERO:
            # (a + b * w) / b is a / b + w.
            left = ZERO if rest == ZERO else self.divide(rest, divisor).quotient
            times = ZERO if rest == ZERO else self.divide(rest, divisor).unit_multiple
            known = dividend.plus(rest, -1).over(divisor.content)
            return Division(dividend, divisor, left.plus(whole), unit, times.plus(known))
        number = len(self.atoms)
        quotient, multiple = self._atom(f"q!{number}"), self._atom(f"m!{number}")
        return Division(dividend, divisor, quotient, unit, multiple)

    def known_part(self, dividend: Linear, divisor: Linear) -> tuple[Linear, Linear]:
        """Split a dividend into a known multiple of a symbolic divisor, and the rest.

        Returns what the divisor is multiplied by, and the rest: ``a / b * b + 2 * b + c`` is
        ``b * (a / b + 2)`` and ``c``.
        """
        unit, factor = divisor.over(divisor.content), divisor.content
        quotients = {
            division.unit_multiple.coefficients[0][0]: division.quotient
            for division in self.divisions.values()
            if division.unit == unit and division.is_atomic
        }
        for entry in self.products.values():
            for one, other in ((entry.left, entry.right), (entry.right, entry.left)):
                if one == unit:
                    quotients[entry.result.coefficients[0][0]] = other
        whole, rest = ZERO, dividend
        for atom, coefficient in dividend.coefficients:
            if atom in quotients and coefficient % factor == 0:
                whole = whole.plus(quotients[atom], coefficient // factor)
                rest = rest.plus(Linear(((atom, 1),), 0), -coefficient)
        lead, size = divisor.coefficients[0]
        times = dict(rest.coefficients).get(lead, 0) // size
        is_atom = len(divisor.coefficients) == 1 and divisor.constant == 0
        if is_atom or rest == divisor.times(times):
            whole = whole.plus(constant(times))
            rest = rest.plus(divisor, -times)
        return whole, rest

    def multiply(self, left: Linear, right: Linear) -> Linear:
        """Return the product of two forms, naming what is not linear."""
        if left.is_constant:
            return right.times(left.constant)
        if right.is_constant:
            return left.times(right.constant)
        for factor, divisor in ((left, right), (right, left)):
            multiple = self._multiple(factor, divisor)
            if multiple is not None:
                return multiple
        result = right.times(left.constant).plus(left.times(right.constant))
        result = result.plus(constant(left.constant * right.constant), -1)
        for first, first_coefficient in left.coefficients:
            for second, second_coefficient in right.coefficients:
                product = self._product_of_atoms(first, second)
                result = result.plus(product, first_coefficient * second_coefficient)
        return result

    def _multiple(self, factor: Linear, divisor: Linear) -> Linear | None:
        """Return factor times divisor where every atom of the factor is a quotient by it."""
        unit, size = divisor.over(divisor.content), divisor.content
        multiples = {
            division.quotient.coefficients[0][0]: division.unit_multiple.times(size)
            for division in self.divisions.values()
            if division.unit == unit and division.is_atomic
        }
        result = divisor.times(factor.constant)
        for atom, coefficient in factor.coefficients:
            if atom not in multiples:
                return None
            result = result.plus(multiples[atom], coefficient)
        return result

    def _product_of_atoms(self, first: int, second: int) -> Linear:
        for factor, other in ((first, second), (second, first)):
            multiple = self._multiple(Linear(((factor, 1),), 0), Linear(((other, 1),), 0))
            if multiple is not None:
                return multiple
        key = (min(first, second), max(first, second))
        if key not in self.products:
            left, right = (Linear(((atom, 1),), 0) for atom in key)
            self.products[key] = Product(left, right, self._atom(f"p!{len(self.atoms)}"))
        return self.products[key].result


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
    number = first if isinstance(first, Number) else second
    if isinstance(first, int) and isinstance(second, int):
        raise TypeError("choose needs a Number where its condition is symbolic")
    one, other = number._lift(first), number._lift(second)
    absent_zero = number.algebra.absent_zeros.get(condition.get_id())
    if absent_zero is not None and one.form() == absent_zero and other.constant() == 0:
        return one
    otherwise = formulas.negation(condition)
    result = merged(
        number.algebra,
        [(formulas.conjunction((condition, guard)), form) for guard, form in one.cases]
        + [(formulas.conjunction((otherwise, guard)), form) for guard, form in other.cases],
    )
    if len(result.cases) > MAX_CASES:
        return number.algebra._number(number.algebra.named(result))
    return result
