"""Planner policies: the three functions that a run asks, under one name.

All counts are tokens.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from prefill_reference import planner
from prefill_spec.vocabulary import WY4


class ChunkLen(Protocol):
    """Returns the length of the chunk at ``offset``, given the proposed length."""

    def __call__(
        self,
        offset: int,
        total: int,
        proposed: int,
        block_size: int | None,
        split: int | None,
        first_pass: bool,
    ) -> int:
        """Return a length in tokens; ``first_pass`` tells whether the run has only begun."""


@dataclass(frozen=True)
class Policy:
    """What a run needs of a planner; a function that faults raises an ``ArithmeticError``.

    ``split_point`` takes the total and the block size, ``checkpoint`` the end, the total, the block
    size and the interval (in blocks). In these two a block size of 0 means that there is none.
    """

    name: str
    chunk_len: ChunkLen
    split_point: Callable[[int, int], int | None] = planner.tail_split_point
    checkpoint: Callable[[int, int, int, int], bool] = planner.is_checkpoint_chunk_end


def _current(
    offset: int,
    total: int,
    proposed: int,
    block_size: int | None,
    split: int | None,
    first_pass: bool,  # noqa: ARG001 (the current rule is the same for every pass)
) -> int:
    return planner.plan_chunk_len(offset, total, proposed, block_size, split)


def _before(
    offset: int,
    total: int,
    proposed: int,
    block_size: int | None,  # noqa: ARG001 (this rule knew no block boundaries)
    split: int | None,  # noqa: ARG001 (and left the split point to the dispatcher)
    first_pass: bool,
) -> int:
    is_last = offset + proposed >= total
    if first_pass or is_last or proposed < WY4:
        return proposed
    return proposed // WY4 * WY4


CURRENT = Policy("current", _current)
"""The shipped planner."""

BEFORE = Policy("before-2026-09-27", _before)
"""The rule until 2026-09-27: the first chunk as proposed, later ones only a multiple of 4."""


def _nowhere(total: int, block_size: int) -> None:  # noqa: ARG001 (whatever the prompt is)
    return None


NO_SPLIT = Policy("no-split", _current, _nowhere)
"""The shipped planner for an engine that never splits a prompt: what a split point is worth."""

POLICIES: dict[str, Policy] = {policy.name: policy for policy in (BEFORE, CURRENT, NO_SPLIT)}
"""The policies that have a name: those of the planner, the oldest first, and one to compare."""
