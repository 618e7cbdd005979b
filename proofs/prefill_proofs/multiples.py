"""What is known of multiples: linear facts about quotients by a symbolic divisor.

Division by a symbolic block size is the only hard part of planner arithmetic. Every quotient
``q = a / b`` therefore comes with an integer ``m`` that stands for ``b * q``, and the facts below
speak of ``a``, ``b``, ``q`` and ``m`` without a product in them. Each fact is a true statement
where ``m = b * q``, so leaving the product out only allows more models: what is proved stays
proved, and a refutation has to be confirmed on ints.

Each fact is guarded by ``b > 0``, and those on signs by ``a >= 0`` as well: without that guard,
``total - 1`` at ``total = 0`` would make the facts contradict each other, and prove everything.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations, permutations
from typing import NamedTuple

from prefill_proofs import formulas
from prefill_proofs.algebra import Algebra, Division, Product
from prefill_proofs.linear import ONE, ZERO, Linear, constant
from prefill_spec.vocabulary import USIZE_MAX, Formula

LADDER = range(5)
"""``q >= k`` exactly when ``m >= k * b``, for these k: enough to compare with a few blocks."""

MAX_RESTS = 16
"""A divisor ``k * b`` is related to ``b`` case by case for k up to this."""

STEPS = range(-3, 5)
"""``q1 >= q2 + k`` exactly when ``m1 >= m2 + k * b``, for these k: 2 is not enough for one spelling
of the split point."""


def facts(algebra: Algebra, is_extended: bool = False) -> list[Formula]:
    """Return what is known of every division and product named so far.

    Call it after every formula of a query has been built: a division named later has no facts.
    Extended facts also compare a quotient with the sum of two; they are many, and seldom needed.
    """
    found = list(nested_facts(algebra))
    symbolic = [
        entry
        for entry in algebra.divisions.values()
        if not entry.divisor.is_constant and entry.is_atomic
    ]
    factors = asked_factors(algebra, [division.divisor for division in symbolic])
    for division in symbolic:
        found += guarded(algebra, division.divisor, division_facts(algebra, division, factors))
    for first, second in combinations(symbolic, 2):
        if first.divisor == second.divisor:
            pair = pair_facts(algebra, as_multiple(first), as_multiple(second))
            found += guarded(algebra, first.divisor, pair)
        else:
            found += guarded(algebra, first.divisor, alike_facts(algebra, first, second))
    for division in symbolic:
        for other in divided_by_constants(algebra, division.dividend):
            found += guarded(algebra, division.divisor, alike_facts(algebra, division, other))
    if is_extended:
        for first, second, third in permutations(symbolic, 3):
            if first.divisor == second.divisor == third.divisor:
                both = Multiple(
                    second.quotient.plus(third.quotient),
                    first.divisor,
                    second.multiple.plus(third.multiple),
                )
                sums = pair_facts(algebra, as_multiple(first), both)
                found += guarded(algebra, first.divisor, sums)
    for product in algebra.products.values():
        found += product_facts(algebra, product, factors)
        found += shared_factor_facts(algebra, product, symbolic)
    return found


def divided_by_constants(algebra: Algebra, dividend: Linear) -> Iterator[Division]:
    """Yield the divisions of a number by positive constants.

    A branch for one block size divides by it as a constant, and others by the block size.
    """
    for division in algebra.divisions.values():
        is_by_constant = division.divisor.is_constant and division.divisor.constant > 0
        if is_by_constant and division.dividend == dividend:
            yield division


def asked_factors(algebra: Algebra, divisors: list[Linear]) -> list[int]:
    """Return the constants that may divide one of some divisors, or a product's factor.

    They are those by which it is divided, or that are part of it. Other constants, such as the
    block sizes that a planner has a branch for, are no factors of it.
    """
    bases = {*divisors}
    for product in algebra.products.values():
        bases |= {product.left, product.right}
    contents = [base.content for base in bases if base.content > 1]
    by_constants = [
        (dividend, divisor.constant)
        for dividend, divisor in algebra.divisions
        if divisor.is_constant and divisor.constant > 1
    ]
    return sorted(
        {
            size
            for dividend, size in by_constants
            if dividend in bases or any(content % size == 0 for content in contents)
        }
    )


def guarded(algebra: Algebra, divisor: Linear, found: Iterable[Formula]) -> list[Formula]:
    """Return facts that hold for a positive divisor."""
    is_positive = algebra.at_most(ONE, divisor)
    return [formulas.implication(is_positive, formulas.conjunction(found))]


def nested_facts(algebra: Algebra) -> Iterator[Formula]:
    """Yield what relates a division by a composite divisor to those by its factors.

    ``a / (c * d)`` is ``a / c / d``, and ``a`` is a multiple of ``c * d`` exactly when it is one of
    ``c`` and the quotient one of ``d``. This names the divisions by the factors, and the one by
    ``2 * d`` for ``a / 2 / d``.
    """
    products = {product.result: product for product in algebra.products.values()}
    halves = {
        division.quotient: division
        for division in algebra.divisions.values()
        if division.divisor.is_constant and division.is_atomic
    }
    for division in list(algebra.divisions.values()):
        if division.divisor.is_constant or not division.is_atomic:
            continue
        chains = [
            (algebra.divide(division.dividend, outer), inner, division)
            for outer, inner in factors_of(division, products)
        ]
        inner_first = halves.get(division.dividend)
        if inner_first is not None:
            composite = division.divisor.times(inner_first.divisor.constant)
            whole = algebra.divide(inner_first.dividend, composite)
            chains.append((inner_first, division.divisor, whole))
        for first, inner, whole in chains:
            second = algebra.divide(first.quotient, inner)
            guard = formulas.conjunction(
                (algebra.at_most(ONE, first.divisor), algebra.at_most(ONE, inner))
            )
            yield formulas.implication(
                guard, formulas.conjunction(composite_facts(algebra, whole, first, second))
            )


def factors_of(
    division: Division, products: Mapping[Linear, Product]
) -> list[tuple[Linear, Linear]]:
    """Return each known way in which a divisor is the product of two."""
    pairs = []
    if division.divisor.content > 1:
        pairs.append((division.unit, constant(division.divisor.content)))
    if division.divisor in products:
        product = products[division.divisor]
        pairs += [(product.left, product.right), (product.right, product.left)]
    return pairs


def composite_facts(
    algebra: Algebra, whole: Division, first: Division, second: Division
) -> Iterator[Formula]:
    """Yield how a division by ``c * d`` follows from one by ``c`` and one of its quotient by ``d``.

    ``a = c * q1 + r1`` and ``q1 = d * q2 + r2`` give ``a = (c * d) * q2 + (c * r2 + r1)``.
    """
    yield from both_ways(algebra, whole.quotient, second.quotient)
    nothing_left = formulas.conjunction(
        (algebra.at_most(first.remainder, ZERO), algebra.at_most(second.remainder, ZERO))
    )
    yield formulas.equivalence(algebra.at_most(whole.remainder, ZERO), nothing_left)
    yield algebra.at_most(first.remainder, whole.remainder)
    yield formulas.equivalence(
        algebra.at_most(whole.remainder.plus(ONE), first.divisor),
        algebra.at_most(second.remainder, ZERO),
    )
    if first.divisor.is_constant:
        left = second.remainder.times(first.divisor.constant).plus(first.remainder)
        yield from both_ways(algebra, whole.remainder, left)
    if second.divisor.is_constant:
        # c * r2 is linear where d is a constant: r2 is one of 0 .. d - 1.
        for rest in range(min(second.divisor.constant, MAX_RESTS)):
            is_rest = formulas.conjunction(both_ways(algebra, second.remainder, constant(rest)))
            left = first.divisor.times(rest).plus(first.remainder)
            same = formulas.conjunction(both_ways(algebra, whole.remainder, left))
            yield formulas.implication(is_rest, same)


def division_facts(algebra: Algebra, division: Division, factors: list[int]) -> Iterator[Formula]:
    """Yield the facts of one quotient, for constant ``factors`` that may divide the divisor."""
    b, q, m = division.divisor, division.quotient, division.multiple
    yield algebra.at_most(ZERO, division.remainder)
    yield algebra.at_most(division.remainder.plus(ONE), b)
    yield formulas.implication(
        algebra.at_most(ZERO, division.dividend),
        formulas.conjunction(sign_facts(algebra, division)),
    )
    for k in LADDER:
        yield formulas.equivalence(algebra.at_most(constant(k), q), algebra.at_most(b.times(k), m))
        yield formulas.equivalence(
            algebra.at_most(constant(k + 1), q),
            algebra.at_most(b.times(k).plus(ONE), m),
        )
    # Division by 1, which a divisor may be without looking so.
    yield formulas.implication(
        algebra.at_most(b, ONE),
        formulas.conjunction(both_ways(algebra, q, division.dividend)),
    )
    for factor in factors:
        yield formulas.implication(
            _is_multiple(algebra, b, factor), _is_multiple(algebra, m, factor)
        )


def sign_facts(algebra: Algebra, division: Division) -> Iterator[Formula]:
    """Yield the facts of the quotient of a dividend that is not negative."""
    yield algebra.at_most(ZERO, division.quotient)
    yield algebra.at_most(division.quotient, division.multiple)
    # (q - 1) * (b - 1) is not negative where there is a whole block.
    yield formulas.implication(
        algebra.at_most(ONE, division.quotient),
        algebra.at_most(division.quotient.plus(division.divisor), division.multiple.plus(ONE)),
    )


class Multiple(NamedTuple):
    """A number ``times`` and the ``result`` of it times a ``factor``."""

    times: Linear
    factor: Linear
    result: Linear


def as_multiple(division: Division) -> Multiple:
    """Return the quotient of a division and what it makes with the divisor."""
    return Multiple(division.quotient, division.divisor, division.multiple)


def pair_facts(algebra: Algebra, first: Multiple, second: Multiple) -> Iterator[Formula]:
    """Yield the facts of two multiples of the same positive number."""
    b = first.factor
    for k in STEPS:
        further = algebra.at_most(second.times.plus(constant(k)), first.times)
        reach = second.result.plus(b, k)
        # The next number of blocks is also the next whole step of b: there is nothing between.
        yield formulas.equivalence(further, algebra.at_most(reach, first.result))
        yield formulas.equivalence(
            further,
            algebra.at_most(second.result.plus(b, k - 1).plus(ONE), first.result),
        )


def alike_facts(algebra: Algebra, first: Division, second: Division) -> Iterator[Formula]:
    """Yield that two divisions of the same numbers are the same, however these are written."""
    same = formulas.conjunction(
        (
            *both_ways(algebra, first.dividend, second.dividend),
            *both_ways(algebra, first.divisor, second.divisor),
        )
    )
    alike = formulas.conjunction(
        (
            *both_ways(algebra, first.quotient, second.quotient),
            *both_ways(algebra, first.multiple, second.multiple),
        )
    )
    yield formulas.implication(same, alike)


def both_ways(algebra: Algebra, left: Linear, right: Linear) -> tuple[Formula, Formula]:
    """Return ``left <= right`` and ``right <= left``."""
    return algebra.at_most(left, right), algebra.at_most(right, left)


def shared_factor_facts(
    algebra: Algebra, product: Product, symbolic: list[Division]
) -> Iterator[Formula]:
    """Yield how a product compares with the other multiples of either factor."""
    others = list(algebra.products.values())
    for times, factor in ((product.left, product.right), (product.right, product.left)):
        mine = Multiple(times, factor, product.result)
        for division in symbolic:
            if division.divisor == factor:
                yield from guarded(
                    algebra, factor, pair_facts(algebra, mine, as_multiple(division))
                )
        for other in others[others.index(product) + 1 :]:
            for left, right in ((other.left, other.right), (other.right, other.left)):
                if right == factor:
                    theirs = Multiple(left, right, other.result)
                    yield from guarded(algebra, factor, pair_facts(algebra, mine, theirs))


def product_facts(algebra: Algebra, product: Product, factors: list[int]) -> Iterator[Formula]:
    """Yield the facts of a product of two atoms that are not negative."""
    x, y, p = product.left, product.right, product.result
    guard = formulas.conjunction((algebra.at_most(ZERO, x), algebra.at_most(ZERO, y)))
    for one, other in ((x, y), (y, x)):
        is_zero = algebra.at_most(one, ZERO)
        is_one = formulas.conjunction((algebra.at_most(one, ONE), algebra.at_most(ONE, one)))
        same = formulas.conjunction((algebra.at_most(p, other), algebra.at_most(other, p)))
        yield formulas.implication(
            guard,
            formulas.conjunction(
                (
                    formulas.implication(is_zero, algebra.at_most(p, ZERO)),
                    formulas.implication(is_one, same),
                    formulas.disjunction((is_zero, algebra.at_most(other, p))),
                )
            ),
        )
        is_word = algebra.at_most(one, constant(USIZE_MAX))
        yield formulas.implication(
            formulas.conjunction((guard, is_word)), algebra.at_most(p, other.times(USIZE_MAX))
        )
        for factor in factors:
            yield formulas.implication(
                _is_multiple(algebra, one, factor), _is_multiple(algebra, p, factor)
            )
    yield formulas.implication(guard, algebra.at_most(ZERO, p))


def exact(algebra: Algebra) -> list[Formula]:
    """Return the products themselves, nonlinear: for a search of models, not for proofs."""
    found = [
        algebra.term(division.unit_multiple)
        == algebra.term(division.unit) * algebra.term(division.quotient)
        for division in algebra.divisions.values()
        if not division.divisor.is_constant
    ]
    found += (
        algebra.term(product.result) == algebra.term(product.left) * algebra.term(product.right)
        for product in algebra.products.values()
    )
    return found


def _is_multiple(algebra: Algebra, form: Linear, factor: int) -> Formula:
    return algebra.at_most(algebra.divide(form, constant(factor)).remainder, ZERO)
