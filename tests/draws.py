"""Many drawn values at once, for programs that answer a whole batch."""

from typing import TypeVar

from hypothesis import Phase, given, settings
from hypothesis.strategies import SearchStrategy

Value = TypeVar("Value")


def drawn(strategy: SearchStrategy[Value], count: int) -> list[Value]:
    """Return at most ``count`` values of a strategy, no two draws alike."""
    values: list[Value] = []

    @given(strategy)
    @settings(max_examples=count, phases=[Phase.generate])
    def draw(value: Value) -> None:
        values.append(value)

    draw()
    return values
