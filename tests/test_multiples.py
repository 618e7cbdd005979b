"""The facts about quotients: true, each of them, and harmless to the assumptions they join."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest
import z3

from meanings import Meaning
from prefill_proofs import lemmas
from prefill_proofs.algebra import Algebra, Division
from prefill_proofs.formulas import conjunction
from prefill_proofs.lemmas import LEMMAS, PRODUCT, SIGN, UNIQUE, Lemma, follow
from prefill_proofs.linear import constant
from prefill_proofs.multiples import facts, sign_facts
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import REFERENCE, HandEncoded, formulate

SMALL = {"a": range(-2, 8), "c": range(-1, 7), "b": range(-1, 5), "x": range(-1, 3)}


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


def quotient_and_one_by_a_constant() -> Algebra:
    algebra = Algebra()
    a, b = (algebra.input(name) for name in "ab")
    _ = (a // b, a // 3, a // (b * 2))
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


def quotients_by_multiples() -> Algebra:
    algebra = Algebra()
    a, b, c = (algebra.input(name) for name in "abc")
    _ = (a // (b * 2), c // b, a // (b * 3))
    return algebra


def three_quotients() -> Algebra:
    algebra = Algebra()
    a, b, c, x = (algebra.input(name) for name in "abcx")
    _ = (a // b, c // b, x // b)
    return algebra


def quotient_of_half() -> Algebra:
    algebra = Algebra()
    a, b = (algebra.input(name) for name in "ab")
    _ = a // 2 // b
    return algebra


def quotient_by_product() -> Algebra:
    algebra = Algebra()
    a, b, c = (algebra.input(name) for name in "abc")
    _ = a // (b * c)
    return algebra


def products_with_a_shared_factor() -> Algebra:
    algebra = Algebra()
    a, b, c, x = (algebra.input(name) for name in "abcx")
    _ = (a // b, c * b, x * b, x // 4)
    return algebra


def quotient_of_multiple() -> Algebra:
    algebra = Algebra()
    a, b = (algebra.input(name) for name in "ab")
    _ = (a // b * b + b) // (b * 2)
    return algebra


def quotient_with_a_branch_for_one_block_size() -> Algebra:
    algebra = Algebra()
    a, b = (algebra.input(name) for name in "ab")
    _ = (a // b, a // 3)
    return algebra


each_algebra = pytest.mark.parametrize(
    "build",
    [
        one_quotient,
        two_quotients,
        quotient_and_fours,
        product_of_atoms,
        quotient_of_quotient,
        quotients_by_multiples,
        quotient_by_product,
        three_quotients,
        quotient_and_one_by_a_constant,
        quotient_of_half,
        quotient_of_multiple,
        products_with_a_shared_factor,
        quotient_with_a_branch_for_one_block_size,
    ],
)
each_lemma = pytest.mark.parametrize("lemma", LEMMAS, ids=lambda lemma: lemma.id)
each_role = pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)


@each_algebra
def test_every_fact_holds_of_every_small_number(build: Callable[[], Algebra]) -> None:
    algebra = build()
    known = conjunction([*facts(algebra, is_extended=True), *algebra.definitions])
    names = list(algebra.inputs.values())
    for values in product(*(SMALL[name] for name in names)):
        inputs = dict(zip(names, values, strict=True))
        assert Meaning(algebra, inputs, meaningless=-1).truth(known), inputs


def test_what_is_divided_again_is_known_without_a_new_quotient() -> None:
    algebra = Algebra()
    a, b = algebra.input("a"), algebra.input("b")
    multiple = a // b * b
    assert ((multiple + b) // b == a // b + 1) is True
    assert (multiple % b == 0) is True
    assert ((multiple * 2) // (b * 2) == a // b) is True


@each_lemma
def test_every_lemma_is_true_of_unbounded_integers(lemma: Lemma) -> None:
    query = lemma.query()
    assert Solver(query.hypotheses).decide(*query.parts).result == "unsat"


@each_lemma
def test_a_lemma_is_not_true_for_want_of_integers_that_it_speaks_of(lemma: Lemma) -> None:
    premises = [lemma.claim.arg(0)] if z3.is_implies(lemma.claim) else []
    assert Solver(lemma.meant).decide(*premises, lemma.symbols[0] > 1).result == "sat"


@pytest.mark.parametrize(
    ("lemma", "wrong"),
    [
        (SIGN, lambda claim: z3.substitute(claim, (SIGN.symbols[0] >= 1, SIGN.symbols[0] >= 0))),
        (UNIQUE, lambda claim: z3.And(claim, UNIQUE.symbols[2] == 1)),
        (PRODUCT, lambda claim: claim.children()[1]),
    ],
    ids=["unguarded", "more-than-is-so", "without-its-premise"],
)
def test_a_false_lemma_is_not_proved(lemma: Lemma, wrong: Callable[[Any], Any]) -> None:
    query = replace(lemma, claim=wrong(lemma.claim)).query()
    assert Solver(query.hypotheses).decide(*query.parts).result == "sat"


@each_algebra
def test_every_fact_follows_from_the_lemmas(build: Callable[[], Algebra]) -> None:
    algebra = build()
    query = follow(algebra, is_extended=True)
    assert Solver(query.hypotheses).decide(*query.parts).result == "unsat"
    # The lemmas do not contradict each other: from a contradiction anything follows.
    assert Solver(query.hypotheses).decide().result == "sat"


@each_algebra
def test_the_instances_of_the_lemmas_hold_of_small_numbers(build: Callable[[], Algebra]) -> None:
    # What an instance alone has a name for may be anything: no fact speaks of it.
    algebra = build()
    query = follow(algebra, is_extended=True)
    names = list(algebra.inputs.values())
    drawn = Random(0)
    for _ in range(12):
        inputs = {name: drawn.choice(SMALL[name]) for name in names}
        atoms = Meaning(algebra, inputs).atoms
        values = [algebra.atoms[atom] == value for atom, value in atoms.items()]
        assert Solver([*query.hypotheses, *values]).decide().result == "sat", inputs


@pytest.mark.parametrize(
    "claim",
    [
        lambda algebra, one, _: algebra.at_most(one.divisor, one.multiple),
        lambda algebra, one, other: algebra.at_most(one.quotient, other.quotient),
        lambda algebra, one, _: algebra.at_most(one.remainder.plus(constant(2)), one.divisor),
    ],
    ids=["never-empty", "in-order", "never-one-short"],
)
def test_a_fact_that_is_no_fact_does_not_follow(
    monkeypatch: pytest.MonkeyPatch, claim: Callable[[Algebra, Division, Division], Any]
) -> None:
    def and_a_false_one(algebra: Algebra, is_extended: bool = False) -> list[Any]:
        return [*facts(algebra, is_extended), claim(algebra, *algebra.divisions.values())]

    monkeypatch.setattr(lemmas, "facts", and_a_false_one)
    query = follow(two_quotients())
    assert Solver(query.hypotheses).decide(*query.parts).result == "sat"


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
    unguarded = sign_facts(algebra, division)
    assert solver.decide(*facts(algebra), *unguarded).result == "unsat"
