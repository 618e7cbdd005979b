"""Masks as exact arithmetic: a sum over the runs of ones in a constant.

The bits from ``low`` up to ``high`` of ``x`` are ``x % 2**high - x % 2**low``, for negative numbers
too.
"""

from collections.abc import Iterator

from prefill_proofs import build
from prefill_proofs.language import Expression, Place
from prefill_proofs.types import IntType


def masked(value: Expression, mask: int, kind: IntType, place: Place) -> Expression:
    """Return ``value & mask`` for a mask that is not negative."""
    result: Expression = build.number(0, kind)
    for low, high in _runs(mask):
        part = build.unchecked("%", value, build.number(2**high, kind), place)
        if low:
            below = build.unchecked("%", value, build.number(2**low, kind), place)
            part = build.unchecked("-", part, below, place)
        result = build.unchecked("+", result, part, place)
    return result


def _runs(mask: int) -> Iterator[tuple[int, int]]:
    """Yield each run of ones in a mask as its lowest bit and the bit past its highest."""
    position = 0
    while mask >> position:
        if not mask >> position & 1:
            position += 1
            continue
        low = position
        while mask >> position & 1:
            position += 1
        yield low, position
