"""Division of negative numbers and by them floors, as Python's does."""

from itertools import product

import pytest

from prefill_proofs.algebra import Algebra
from prefill_proofs.formulas import integer
from prefill_proofs.multiples import exact, facts
from prefill_proofs.solver import Solver
from prefill_proofs.terms import Number


def decide_at(algebra: Algebra, result: Number, wrong: int, **inputs: int) -> str:
    """Decide whether a result can be anything but the right number, with the inputs fixed."""
    fixed = [
        algebra.term(form) == integer(inputs[name])
        for form, name in zip(algebra.input_forms(), algebra.inputs.values(), strict=True)
    ]
    solver = Solver([*algebra.definitions, *facts(algebra), *exact(algebra), *fixed])
    return solver.decide(result != wrong).result


@pytest.mark.parametrize("part", ["quotient", "remainder"])
@pytest.mark.parametrize("divisor", [-7, -4, -1, 1, 4])
def test_by_a_constant(part: str, divisor: int) -> None:
    for value in range(12):
        algebra = Algebra()
        x = algebra.input("x")
        dividend = 5 - x
        result = dividend // divisor if part == "quotient" else dividend % divisor
        right = (5 - value) // divisor if part == "quotient" else (5 - value) % divisor
        assert decide_at(algebra, result, right, x=value) == "unsat"
        assert decide_at(algebra, result, right + 1, x=value) == "sat"


@pytest.mark.parametrize("part", ["quotient", "remainder"])
def test_of_what_is_not_positive_by_a_block_size(part: str) -> None:
    for value, block_size in product(range(9), range(1, 6)):
        algebra = Algebra()
        x, b = algebra.input("x"), algebra.input("b")
        result = (0 - x) // b if part == "quotient" else (0 - x) % b
        right = -value // block_size if part == "quotient" else -value % block_size
        assert decide_at(algebra, result, right, x=value, b=block_size) == "unsat"
        assert decide_at(algebra, result, right + 1, x=value, b=block_size) == "sat"


def test_rounding_up_is_one_quotient() -> None:
    algebra = Algebra()
    x, b = algebra.input("x"), algebra.input("b")
    up, also_up = 0 - (0 - x) // b, (x + b - 1) // b
    assert (up == also_up) is True
    assert (up == also_up + 1) is False
