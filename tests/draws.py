"""Many drawn values at once, for programs that answer a whole batch."""

from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")


def drawn(
    strategy: SearchStrategy[Value], count: int, is_always_the_same: bool = False
) -> list[Value]:
    """Return at most ``count`` values of a strategy, no two draws alike."""
    values: list[Value] = []

    @given(strategy)
    @settings(
        max_examples=count, phases=[Phase.generate], derandomize=is_always_the_same, database=None
    )
    def draw(value: Value) -> None:
        values.append(value)

    draw()
    return values
