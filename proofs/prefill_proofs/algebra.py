"""The atoms of a query, and what each stands for.

What no linear form can say, a quotient or a product, becomes an atom of its own; ``Algebra``
remembers what it stands for. Nothing nonlinear is left: ``multiples`` says what is known instead.
"""

from typing import Any, NamedTuple

import z3

from prefill_proofs import deadlines, formulas
from prefill_proofs.linear import ONE, ZERO, Linear, constant, total
from prefill_proofs.terms import Number
from prefill_spec.vocabulary import Formula


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
        deadlines.check()
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
        if size == 0:
            return Division(dividend, divisor, ZERO, ONE, ZERO)
        if size < 0:
            # Python's floor: a // -4 is -a // 4.
            quotient = self.divide(dividend.times(-1), constant(-size)).quotient
            return Division(dividend, divisor, quotient, ONE, quotient.times(-1))
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
        if self._is_natural(divisor) and dividend != ZERO and self._is_natural(dividend.times(-1)):
            # Rounding up, as in -(-a // b): -a // b is -((a + b - 1) // b).
            above = dividend.times(-1).plus(divisor).plus(ONE, -1)
            up = self.divide(above, divisor)
            return Division(
                dividend, divisor, up.quotient.times(-1), unit, up.unit_multiple.times(-1)
            )
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

    def _is_natural(self, form: Linear) -> bool:
        """Return whether a form is seen to be no less than 0: inputs are not negative."""
        return form.constant >= 0 and all(
            atom in self.inputs and coefficient > 0 for atom, coefficient in form.coefficients
        )

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
        parts = [(right, left.constant), (left, right.constant)]
        parts.append((ONE, -left.constant * right.constant))
        for first, first_coefficient in left.coefficients:
            deadlines.check()
            for second, second_coefficient in right.coefficients:
                product = self._product_of_atoms(first, second)
                parts.append((product, first_coefficient * second_coefficient))
        return total(parts)

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
