"""Linear forms: sums of atoms with integer coefficients."""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd
from typing import NamedTuple


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
        return total(((self, 1), (other, factor)))

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


def total(parts: Iterable[tuple[Linear, int]]) -> Linear:
    """Return the sum of forms, each multiplied by its factor."""
    table: dict[int, int] = {}
    constant = 0
    for form, factor in parts:
        constant += factor * form.constant
        for atom, coefficient in form.coefficients:
            table[atom] = table.get(atom, 0) + factor * coefficient
    return Linear(tuple(sorted(item for item in table.items() if item[1])), constant)


ZERO = Linear((), 0)
ONE = Linear((), 1)


def constant(value: int) -> Linear:
    """Return the form of a constant."""
    return Linear((), value)
