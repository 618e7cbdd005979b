"""What symbolic terms mean on ints: every atom of an algebra with its value for given inputs."""

from typing import Any

import z3

from prefill_proofs.algebra import Algebra
from prefill_proofs.linear import Linear
from prefill_proofs.subjects import Problem
from prefill_proofs.terms import Number
from prefill_spec.vocabulary import Formula, Option


class Meaning:
    """The values of all atoms for the inputs given.

    A quotient by a divisor that is not positive means nothing: its atoms get the value
    ``meaningless``, whatever that is.
    """

    def __init__(
        self,
        algebra: Algebra,
        inputs: dict[str, int],
        truths: dict[Any, bool] | None = None,
        meaningless: int = 0,
    ) -> None:
        self.algebra = algebra
        self.meaningless = meaningless
        self.truths = [(atom, z3.BoolVal(value)) for atom, value in (truths or {}).items()]
        self.atoms = {atom: inputs[name] for atom, name in algebra.inputs.items()}
        self._pairs: list[Any] = []
        while len(self.atoms) < len(algebra.atoms):
            known = len(self.atoms)
            self._find_quotients()
            self._find_products()
            self._find_names()
            assert len(self.atoms) > known, "an atom stands for nothing"
        self._pairs = self._substitution()

    def _set(self, form: Linear, value: int) -> None:
        if form.coefficients:
            self.atoms.setdefault(form.coefficients[0][0], value)

    def _is_known(self, form: Linear) -> bool:
        return all(atom in self.atoms for atom, _ in form.coefficients)

    def linear(self, form: Linear) -> int:
        return form.constant + sum(factor * self.atoms[atom] for atom, factor in form.coefficients)

    def _find_quotients(self) -> None:
        for division in self.algebra.divisions.values():
            if self._is_known(division.dividend) and self._is_known(division.divisor):
                dividend, divisor = self.linear(division.dividend), self.linear(division.divisor)
                is_meant = divisor > 0
                quotient = dividend // divisor if is_meant else self.meaningless
                unit = self.linear(division.unit)
                if division.is_atomic:
                    self._set(division.quotient, quotient)
                    multiple = unit * quotient if is_meant else self.meaningless
                    self._set(division.unit_multiple, multiple)

    def _find_products(self) -> None:
        for entry in self.algebra.products.values():
            if self._is_known(entry.left) and self._is_known(entry.right):
                self._set(entry.result, self.linear(entry.left) * self.linear(entry.right))

    def _find_names(self) -> None:
        self._pairs = self._substitution()
        places = {atom.get_id(): index for index, atom in enumerate(self.algebra.atoms)}
        for definition in self.algebra.definitions:
            if z3.is_eq(definition) and definition.arg(0).get_id() in places:
                value = self._reduced(definition.arg(1))
                if z3.is_int_value(value):
                    self.atoms.setdefault(places[definition.arg(0).get_id()], value.as_long())

    def _substitution(self) -> list[Any]:
        numbers = ((self.algebra.atoms[atom], value) for atom, value in self.atoms.items())
        return [(atom, z3.IntVal(value)) for atom, value in numbers] + self.truths

    def _reduced(self, term: Any) -> Any:
        return z3.simplify(z3.substitute(term, *self._pairs))

    def truth(self, formula: Formula) -> bool:
        """Return whether a formula holds."""
        if isinstance(formula, bool):
            return formula
        value = self._reduced(formula)
        assert z3.is_true(value) or z3.is_false(value), value
        return z3.is_true(value)

    def value(self, symbolic: Any) -> Any:
        """Return what a number, a formula or an option of a number comes to; absent is ``None``."""
        match symbolic:
            case Option(present, value):
                return self.value(value) if self.truth(present) else None
            case Number():
                return self._reduced(symbolic.term()).as_long()
            case int() if not isinstance(symbolic, bool):
                return symbolic
        return self.truth(symbolic)


def meaning_of(problem: Problem, arguments: dict[str, int | None], meaningless: int = 0) -> Meaning:
    """Return the meaning of a problem's atoms for concrete arguments, ``None`` being absent."""
    symbols = problem.values
    truths = {
        symbols[name].present: value is not None
        for name, value in arguments.items()
        if isinstance(symbols[name], Option) and z3.is_bool(symbols[name].present)
    }
    numbers = {name: 0 if value is None else value for name, value in arguments.items()}
    return Meaning(problem.algebra, numbers, truths, meaningless)
