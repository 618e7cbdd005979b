"""The dispatcher: how the chunk that the planner answered is run.

A last chunk that strictly spans the split point is divided there, or run whole with the state
captured on the way. Any other chunk is one pass. All counts are tokens.
"""

from typing import Literal, NamedTuple, get_args

Dispatch = Literal["two-pass", "in-pass", "none"]
"""Two passes; one pass and a capture; or one pass and nothing, as a batched path does."""

DISPATCHES: tuple[Dispatch, ...] = get_args(Dispatch)


class Dispatched(NamedTuple):
    """The ends of the passes that a chunk is run in, and where the state is captured inside one."""

    ends: tuple[int, ...]
    capture: int | None


def dispatch_chunk(
    offset: int, end: int, total: int, split: int | None, dispatch: Dispatch
) -> Dispatched:
    """Return how the chunk from ``offset`` to ``end`` of a ``total``-token prompt is run."""
    is_last = end == total
    if split is None or not is_last or not offset < split < end or dispatch == "none":
        return Dispatched((end,), None)
    if dispatch == "in-pass":
        return Dispatched((end,), split)
    return Dispatched((split, end), None)
