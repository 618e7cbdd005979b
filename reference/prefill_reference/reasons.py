"""Why a pass ends where it ends. All counts are tokens."""

from typing import Literal

from prefill_reference.runs import Pass, Prompt
from prefill_spec.vocabulary import WY4, floor_to

Reason = Literal[
    "proposal",
    "block boundary",
    "split point",
    "multiple of 4",
    "prompt end",
    "planner",
]
"""What stopped a pass; ``planner`` where no rule of the reference would have."""


def reason_of(entry: Pass, prompt: Prompt, split: int | None) -> Reason:
    """Return what stopped a pass: the last rule that kept it from going further.

    A chunk taken as proposed is stopped by its proposal, wherever that happens to end.
    """
    chunk = entry.chunk
    if entry.end == prompt.total:
        return "prompt end"
    if entry.end != chunk.end:
        return "split point"
    if chunk.length == chunk.proposed:
        return "proposal"
    if entry.end == split:
        return "split point"
    if prompt.block_size and entry.end % prompt.block_size == 0:
        return "block boundary"
    proposed_end = chunk.offset + chunk.proposed
    stops = (proposed_end, floor_to(proposed_end, prompt.block_tokens), split)
    is_rounded = any(stop is not None and 0 < stop - entry.end < WY4 for stop in stops)
    return "multiple of 4" if is_rounded and chunk.length % WY4 == 0 else "planner"
