"""The facts about quotients: true, each of them, and harmless to the assumptions they join."""

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product

import pytest
import z3

from meanings import Meaning
from prefill_proofs.algebra import Algebra, Division
from prefill_proofs.formulas import conjunction
from prefill_proofs.linear import Linear, constant
from prefill_proofs.multiples import division_facts, exact, facts, sign_facts
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
        quotient_of_half,
        quotient_of_multiple,
        products_with_a_shared_factor,
    ],
)
each_role = pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)


@each_algebra
def test_every_fact_holds_of_every_small_number(build: Callable[[], Algebra]) -> None:
    algebra = build()
    known = conjunction([*facts(algebra, is_extended=True), *algebra.definitions])
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
            found.append(z3.Implies(b > 0, z3.And(b * q <= a, a < b * q + b)))
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
    for entry, other in product(algebra.products.values(), divisions):
        for one, another in ((entry.left, entry.right), (entry.right, entry.left)):
            if other.divisor.is_constant and other.dividend == one:
                x, y, p = (algebra.term(form) for form in (one, another, entry.result))
                factor, t = other.divisor.constant, algebra.term(other.quotient)
                part = z3.Int(f"{t} * {y}")
                step = z3.Implies(x == factor * t, p == factor * part)
                meant = Solver([p == x * y, part == t * y])
                assert meant.decide(z3.Not(step)).result == "unsat"
                steps.append(step)
    return steps


def quotients_are_unique(algebra: Algebra) -> list[z3.BoolRef]:
    """Return that equal numbers divided by equal numbers give equal quotients and multiples.

    Proved once for one divisor, and then said of each two divisions.
    """
    a, b, q, k, m, n = z3.Ints("a b q k m n")
    lemma = z3.Implies(z3.And(b > 0, m <= a, a < m + b, n <= a, a < n + b), z3.And(q == k, m == n))
    assert Solver([m == b * q, n == b * k]).decide(z3.Not(lemma)).result == "unsat"
    symbolic = [entry for entry in algebra.divisions.values() if not entry.divisor.is_constant]
    return [
        z3.Implies(
            z3.And(
                algebra.term(first.divisor) == algebra.term(second.divisor),
                algebra.term(first.dividend) == algebra.term(second.dividend),
                *(
                    z3.And(
                        algebra.term(entry.divisor) > 0,
                        algebra.term(entry.remainder) >= 0,
                        algebra.term(entry.remainder) < algebra.term(entry.divisor),
                    )
                    for entry in (first, second)
                ),
            ),
            z3.And(
                algebra.term(first.quotient) == algebra.term(second.quotient),
                algebra.term(first.multiple) == algebra.term(second.multiple),
            ),
        )
        for first, second in combinations(symbolic, 2)
    ]


def test_what_is_divided_again_is_known_without_a_new_quotient() -> None:
    algebra = Algebra()
    a, b = algebra.input("a"), algebra.input("b")
    multiple = a // b * b
    assert ((multiple + b) // b == a // b + 1) is True
    assert (multiple % b == 0) is True
    assert ((multiple * 2) // (b * 2) == a // b) is True


def composites(algebra: Algebra) -> list[tuple[Division, Linear, Linear]]:
    """Return the divisions by a composite divisor, each with every split of it in two."""
    found = []
    for whole in [*algebra.divisions.values()]:
        if whole.divisor.is_constant or not whole.is_atomic:
            continue
        if whole.divisor.content > 1:
            factor = constant(whole.divisor.content)
            found += [(whole, whole.unit, factor), (whole, factor, whole.unit)]
        for entry in algebra.products.values():
            if whole.divisor == entry.result:
                found += [(whole, entry.left, entry.right), (whole, entry.right, entry.left)]
    return found


def composites_by_parts(algebra: Algebra) -> list[z3.BoolRef]:
    """Return how a quotient by ``b * c`` follows from one by ``b`` and a second one by ``c``.

    With names for ``b * r2`` and ``b * c * q2``, each step is a lemma that the solver can do.
    """
    steps = []
    for whole, outer, inner in composites(algebra):
        first = algebra.divide(whole.dividend, outer)
        second = algebra.divide(first.quotient, inner)
        a, b, c, p = map(algebra.term, (whole.dividend, outer, inner, whole.divisor))
        q1, q2, q = (algebra.term(part.quotient) for part in (first, second, whole))
        m1, m2, m = (algebra.term(part.multiple) for part in (first, second, whole))
        s, t = z3.Ints(f"s.{q}.{b} t.{q}.{b}")
        meant = [p == b * c, m1 == b * q1, m2 == c * q2, m == p * q]
        named = [s == b * (q1 - m2), t == p * q2]
        is_guarded = z3.And(b >= 1, c >= 1)
        inside = z3.And(m2 <= q1, q1 < m2 + c)
        chain = [
            m1 == t + s,
            z3.Implies(z3.And(is_guarded, inside), z3.And(s >= 0, s <= p - b, p >= 1)),
            z3.Implies(z3.And(is_guarded, inside), (s == 0) == (q1 == m2)),
            z3.Implies(z3.And(is_guarded, q1 >= m2 + 1), s >= b),
            z3.Implies(
                z3.And(p >= 1, m <= a, a < m + p, t <= a, a < t + p), z3.And(q == q2, m == t)
            ),
            *(z3.Implies(q1 == m2 + rest, s == rest * b) for rest in range(4)),
        ]
        if outer.is_constant:
            chain.append(s == b * (q1 - m2))
        for step in chain:
            assert Solver([*meant, *named]).decide(z3.Not(step)).result == "unsat", step
        steps += chain
    return steps


def signs_and_remainders(algebra: Algebra) -> list[z3.BoolRef]:
    """Return the first facts of each quotient, proved on their own: its sign and its remainder."""
    return [
        z3.Implies(algebra.term(division.divisor) > 0, fact)
        for division in algebra.divisions.values()
        if not division.divisor.is_constant and division.is_atomic
        for fact in islice(division_facts(algebra, division, []), 3)
    ]


def conjuncts(fact: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """Yield the parts of a conjunction, each under the guard that all of them stand under."""
    if z3.is_and(fact):
        for part in fact.children():
            yield from conjuncts(part)
    elif z3.is_or(fact) and z3.is_and(fact.children()[-1]):
        *guard, together = fact.children()
        for part in together.children():
            yield from (z3.Or(*guard, inner) for inner in conjuncts(part))
    else:
        yield fact


@each_algebra
def test_every_fact_is_a_lemma_of_unbounded_integers(build: Callable[[], Algebra]) -> None:
    algebra = build()
    known = facts(algebra, is_extended=True)
    by_meaning = [*exact(algebra), *meant_quotients(algebra), *algebra.definitions]
    by_parts = [*multiples_by_parts(algebra), *composites_by_parts(algebra)]
    by_parts += [*quotients_are_unique(algebra), *signs_and_remainders(algebra)]
    by_parts += algebra.definitions
    for fact in (part for whole in known for part in conjuncts(whole)):
        # A solver of its own each time: what it learned from another fact may lead it astray.
        results = (
            Solver(given).decide(z3.Not(fact), timeout=20).result
            for given in (by_parts, by_meaning)
        )
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
    unguarded = sign_facts(algebra, division)
    assert solver.decide(*facts(algebra), *unguarded).result == "unsat"
