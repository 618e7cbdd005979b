"""Fault obligations: each operation of ``usize`` with the condition under which it is sound.

The operations work on ints and on Numbers. ``when`` is the condition of the path that reaches the
operation; on other paths nothing is owed. A fault ends the call, so the value of a faulted
operation is never looked at.
"""

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from prefill_spec.vocabulary import (
    USIZE_MAX,
    Formula,
    Term,
    all_of,
    any_of,
    implies,
    negate,
    quotient,
    remainder,
)


class FaultObligation(NamedTuple):
    """What has to hold for one operation not to fault."""

    operation: str
    line: int
    holds: Formula


@dataclass
class Faults:
    """Collects the obligations of one call.

    ``limit`` is the greatest value a result may take; ``None`` proves over all natural numbers,
    where nothing overflows.
    """

    limit: int | None = USIZE_MAX
    obligations: list[FaultObligation] = field(default_factory=list)

    def owe(self, operation: str, holds: Formula, when: Formula = True, line: int = 0) -> None:
        """Add an obligation."""
        obligation = implies(when, holds)
        if obligation is not True:
            self.obligations.append(FaultObligation(operation, line, obligation))

    def fits(self, value: Term) -> Formula:
        """Return whether a value that is not negative fits under the limit."""
        return True if self.limit is None else value <= self.limit

    def add(self, left: Term, right: Term, when: Formula = True) -> Term:
        """Return the sum; it owes not to overflow."""
        self.owe("+", self.fits(left + right), when)
        return left + right

    def subtract(self, left: Term, right: Term, when: Formula = True) -> Term:
        """Return the difference; it owes not to underflow."""
        self.owe("-", left >= right, when)
        return left - right

    def multiply(self, left: Term, right: Term, when: Formula = True) -> Term:
        """Return the product; it owes not to overflow."""
        self.owe("*", self.fits(left * right), when)
        return left * right

    def divide(self, left: Term, right: Term, when: Formula = True) -> Term:
        """Return the quotient; it owes a divisor that is not 0."""
        self.owe("/", right != 0, when)
        return quotient(left, right)

    def remainder(self, left: Term, right: Term, when: Formula = True) -> Term:
        """Return the remainder; it owes a divisor that is not 0."""
        self.owe("%", right != 0, when)
        return remainder(left, right)

    def faulted(self) -> Formula:
        """Return the formula that holds where any obligation is not met."""
        return any_of(*(negate(entry.holds) for entry in self.obligations))

    def sound(self) -> Formula:
        """Return the formula that holds where every obligation is met."""
        return all_of(*(entry.holds for entry in self.obligations))


Answer = Any
