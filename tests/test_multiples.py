"""The facts about quotients: true, each of them, and harmless to the assumptions they join."""

from collections.abc import Callable
from itertools import product

import pytest
import z3

from meanings import Meaning
from prefill_proofs.formulas import conjunction
from prefill_proofs.multiples import division_facts, exact, facts
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import REFERENCE, HandEncoded, formulate
from prefill_proofs.terms import Algebra

SMALL = {"a": range(-2, 9), "c": range(-2, 9), "b": range(-2, 6), "x": range(-2, 9)}


def one_quotient() -> Algebra:
    algebra = Algebra()
    algebra.input("a") // algebra.input("b")
    return algebra


def two_quotients() -> Algebra:
    algebra = Algebra()
    a, c, b = (algebra.input(name) for name in "acb")
    _ = (a // b, c // b)
    return algebra


def quotient_and_fours() -> Algebra:
    algebra = Algebra()
    a, b, x = (algebra.input(name) for name in "abx")
    _ = (a // b, x // 4)
    return algebra


def product_of_atoms() -> Algebra:
    algebra = Algebra()
    algebra.input("a") * algebra.input("b")
    return algebra


def quotient_of_quotient() -> Algebra:
    algebra = Algebra()
    a, b, c = (algebra.input(name) for name in "abc")
    _ = a // b // c
    return algebra


each_algebra = pytest.mark.parametrize(
    "build",
    [one_quotient, two_quotients, quotient_and_fours, product_of_atoms, quotient_of_quotient],
)
each_role = pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)


@each_algebra
def test_every_fact_holds_of_every_small_number(build: Callable[[], Algebra]) -> None:
    algebra = build()
    known = conjunction([*facts(algebra), *algebra.definitions])
    names = list(algebra.inputs.values())
    for values in product(*(SMALL[name] for name in names)):
        inputs = dict(zip(names, values, strict=True))
        assert Meaning(algebra, inputs, meaningless=-1).truth(known), inputs


def meant_quotients(algebra: Algebra) -> list[z3.BoolRef]:
    """Return the meaning of each quotient, where it has one."""
    found = []
    for division in algebra.divisions.values():
        if not division.divisor.is_constant:
            a, b = algebra.term(division.dividend), algebra.term(division.divisor)
            q = algebra.term(division.quotient)
            found.append(z3.Implies(z3.And(b > 0, a >= 0), z3.And(b * q <= a, a < b * q + b)))
    return found


def multiples_by_parts(algebra: Algebra) -> list[z3.BoolRef]:
    """Return what the multiples of a divisor are when a constant divides it.

    For a divisor ``b``, from ``b == f * t`` follows ``m == f * (t * q)``, with a name for
    ``t * q``: the one step in which the solver needs help.
    """
    divisions = [*algebra.divisions.values()]
    steps = []
    for one, other in product(divisions, divisions):
        if other.divisor.is_constant and other.dividend == one.divisor:
            b, q, m = (algebra.term(form) for form in (one.divisor, one.quotient, one.multiple))
            factor, t = other.divisor.constant, algebra.term(other.quotient)
            part = z3.Int(f"{t} * {q}")
            step = z3.Implies(b == factor * t, m == factor * part)
            meant = Solver([m == b * q, part == t * q])
            assert meant.decide(z3.Not(step)).result == "unsat"
            steps.append(step)
    return steps


@each_algebra
def test_every_fact_is_a_lemma_of_unbounded_integers(build: Callable[[], Algebra]) -> None:
    algebra = build()
    known = facts(algebra)
    by_meaning = Solver([*exact(algebra), *meant_quotients(algebra), *algebra.definitions])
    by_parts = Solver([*multiples_by_parts(algebra), *algebra.definitions])
    for fact in known:
        results = (solver.decide(z3.Not(fact)).result for solver in (by_parts, by_meaning))
        assert "unsat" in results, fact


@each_role
@pytest.mark.parametrize("total", [None, 0, 1, 2**64 - 1])
def test_the_facts_leave_room_for_calls(subject: HandEncoded, total: int | None) -> None:
    problem = formulate(subject)
    known = facts(problem.algebra)
    solver = Solver([*problem.hypotheses, *problem.algebra.definitions, *known])
    pinned = True if total is None else problem.values["total"] == total
    assert solver.decide(pinned, problem.faults.sound()).result == "sat"


def test_without_its_guard_a_fact_would_contradict_an_empty_prompt() -> None:
    algebra = Algebra()
    total, block_size = algebra.input("total"), algebra.input("block_size")
    _ = (total - 1) // block_size
    (division,) = algebra.divisions.values()
    solver = Solver([block_size > 0, total == 0])
    assert solver.decide(*facts(algebra)).result == "sat"
    assert solver.decide(*division_facts(algebra, division, [])).result == "unsat"
