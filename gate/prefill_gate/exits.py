"""Exit codes, the same for every command."""

from collections.abc import Iterable

HOLDS = 0
REFUTED = 1
UNUSABLE = 2
"""Bad usage, unreadable source, nothing to prove, or assumptions that leave nothing to say."""
INCONCLUSIVE = 3
INTERNAL = 70
"""A fault of our own."""
INTERRUPTED = 130

WORST_FIRST = (INTERNAL, REFUTED, UNUSABLE, INCONCLUSIVE, HOLDS)


def worst(codes: Iterable[int]) -> int:
    """Return the code that a command ends with; 0 when there are none."""
    return min(codes, key=WORST_FIRST.index, default=HOLDS)
