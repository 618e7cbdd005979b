"""How time grows with size: the exponent of a power law, fitted where the growth shows."""

import math
from collections.abc import Sequence
from typing import NamedTuple

LEAST_RISE = 1.25
"""Times that rise by less than this factor from the smallest size to the largest show no growth."""


class Point(NamedTuple):
    """A size, and the processor seconds that it takes."""

    size: float
    seconds: float


class Fit(NamedTuple):
    """Seconds are about ``start + factor * size ** exponent``; ``None`` where nothing grows."""

    start: float
    factor: float
    exponent: float

    def seconds(self, size: float) -> float:
        """Return the seconds that the fit gives for a size."""
        return self.start + self.factor * math.pow(size, self.exponent)


def fit(points: Sequence[Point]) -> Fit | None:
    """Return the power law of the larger half of the points, ``None`` where time does not grow.

    The start is the time of the smallest size: it is taken off before the fit. Sizes rise.
    """
    first, *others = points
    larger = [point for point in others[len(others) // 2 :] if point.seconds > first.seconds]
    if len(larger) < 2 or points[-1].seconds < LEAST_RISE * first.seconds:
        return None
    sizes = [math.log(point.size) for point in larger]
    times = [math.log(point.seconds - first.seconds) for point in larger]
    middle_size, middle_time = sum(sizes) / len(sizes), sum(times) / len(times)
    slope = sum(
        (size - middle_size) * (time - middle_time) for size, time in zip(sizes, times, strict=True)
    ) / sum((size - middle_size) ** 2 for size in sizes)
    return Fit(first.seconds, math.exp(middle_time - slope * middle_size), slope)
