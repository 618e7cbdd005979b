"""The same questions put to Z3 as anyone would: integers, its own ``/``, ``%`` and ``If``.

No linear form, no facts about multiples and no search: the planner's tree and the property's rule
are evaluated on Z3's integers, and a default solver is asked whether the property can fail.
"""

from __future__ import annotations

from typing import Any

import z3

from bench.questions import Planner
from prefill_proofs.faults import Faults
from prefill_proofs.subjects import Values, is_scheduled
from prefill_proofs.types import BoolType, IntType, OptionType, TupleType, Type, in_range, symbol
from prefill_spec.properties import Outcome, Property
from prefill_spec.vocabulary import USIZE_MAX, Formula, all_of


class Plain:
    """A Z3 integer with the operators that planners and rules use."""

    __hash__ = None  # type: ignore[assignment] # equality is a formula

    def __init__(self, term: Any) -> None:
        self.term = term

    def __add__(self, other: int | Plain) -> Plain:
        return Plain(self.term + _term(other))

    def __sub__(self, other: int | Plain) -> Plain:
        return Plain(self.term - _term(other))

    def __rsub__(self, other: int) -> Plain:
        return Plain(other - self.term)

    def __mul__(self, other: int | Plain) -> Plain:
        return Plain(self.term * _term(other))

    def __floordiv__(self, other: int | Plain) -> Plain:
        return Plain(self.term / _term(other))

    def __mod__(self, other: int | Plain) -> Plain:
        return Plain(self.term % _term(other))

    __radd__ = __add__
    __rmul__ = __mul__

    def __le__(self, other: int | Plain) -> Formula:
        return self.term <= _term(other)

    def __lt__(self, other: int | Plain) -> Formula:
        return self.term < _term(other)

    def __ge__(self, other: int | Plain) -> Formula:
        return self.term >= _term(other)

    def __gt__(self, other: int | Plain) -> Formula:
        return self.term > _term(other)

    def __eq__(self, other: object) -> Formula:
        return self.term == _term(other)

    def __ne__(self, other: object) -> Formula:
        return self.term != _term(other)

    def at_least(self, bound: int | Plain) -> Plain:
        """Return the greater of the two."""
        return self.chosen(self >= bound, self, bound)

    def chosen(self, condition: Formula, first: int | Plain, second: int | Plain) -> Plain:
        """Return the first number where the condition holds, else the second."""
        return Plain(z3.If(condition, _term(first), _term(second)))

    def form(self) -> None:
        """Return nothing: no linear form is kept."""


def _term(value: Any) -> Any:
    return value.term if isinstance(value, Plain) else z3.IntVal(value)


class PlainIntegers:
    """Hands out Z3's integers and truth values, and remembers nothing."""

    def __init__(self) -> None:
        self.steps = 0

    def input(self, name: str) -> Plain:
        """Return an integer by name."""
        return Plain(z3.Int(name))

    def truth(self, name: str) -> Formula:
        """Return a truth value by name."""
        return z3.Bool(name)

    def constant(self, value: int) -> Plain:
        """Return the integer of an int."""
        return Plain(z3.IntVal(value))


def ask(planner: Planner, entry: Property, seconds: float) -> tuple[str, Values | None]:
    """Return ``unsat``, ``sat`` or ``unknown``, and the inputs that a model gives.

    ``sat`` says that the property can fail.
    """
    subject, integers, faults = planner.subject, PlainIntegers(), Faults()
    values = {e.name: symbol(integers, e.name, e.type) for e in subject.inputs}  # type: ignore[arg-type]
    ranges = [in_range(values[e.name], e.type, USIZE_MAX) for e in subject.inputs]
    encoded = subject.encode(values, faults, integers)  # type: ignore[arg-type]
    outcome = Outcome(faults.faulted(), encoded.answer)
    domain = all_of(*ranges, encoded.assumption, is_scheduled(encoded.call))
    solver = z3.Solver()
    solver.set("timeout", int(seconds * 1000))
    solver.add(domain, z3.Not(entry.claim(encoded.call, outcome).formula()))
    answer = str(solver.check())
    if answer != "sat":
        return answer, None
    model = solver.model()
    return answer, {e.name: _value(model, values[e.name], e.type) for e in subject.inputs}


def _value(model: Any, value: Any, kind: Type) -> Any:
    match kind:
        case IntType():
            return model.eval(value.term, model_completion=True).as_long()
        case BoolType():
            return z3.is_true(model.eval(value, model_completion=True))
        case OptionType(inner):
            present = _value(model, value.present, BoolType())
            return _value(model, value.value, inner) if present else None
        case TupleType(items):
            pairs = zip(value, items, strict=True)
            return tuple(_value(model, part, item) for part, item in pairs)
    raise TypeError(f"no value of {kind}")
