"""What both drawings of a plan share: the stretch of the prompt they magnify, and its marks.

All counts are tokens.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prefill_gate.plan_layout import Layout
from prefill_reference.runs import Pass

MAX_BLOCKS = 4
"""How many blocks at the end of the prompt are magnified."""

SHORT_TAIL = 64
"""How many tokens are magnified where there are no blocks."""

MAX_LISTED = 24
"""How many passes are listed one by one."""

FIRST_LISTED = 8
"""How many of them at the start, when there are more."""


@dataclass(frozen=True)
class Scale:
    """Maps the tokens from ``low`` to ``high`` to the places from 0 to ``width``."""

    low: int
    high: int
    width: int

    def place(self, token: int) -> int:
        """Return where a token is, the nearest end for one outside; exact for any token."""
        inside = min(max(token, self.low), self.high)
        return (inside - self.low) * self.width // max(self.high - self.low, 1)

    def shows(self, token: int) -> bool:
        """Return whether a token is inside."""
        return self.low <= token <= self.high


def tail_start(layout: Layout) -> int:
    """Return where the magnified tail of a prompt starts; 0 when it is the whole prompt."""
    prompt = layout.prompt
    size = prompt.block_tokens
    return max(prompt.total - (MAX_BLOCKS * size or SHORT_TAIL), 0)


class Listed(NamedTuple):
    """The passes to list, with their numbers from 1; ``None`` stands for those left out."""

    number: int
    entry: Pass | None


def listed(passes: Sequence[Pass]) -> list[Listed]:
    """Return the passes to list: all of a few, else the first and the last ones."""
    numbered = [Listed(number, entry) for number, entry in enumerate(passes, start=1)]
    if len(numbered) <= MAX_LISTED:
        return numbered
    last = MAX_LISTED - FIRST_LISTED - 1
    return [*numbered[:FIRST_LISTED], Listed(0, None), *numbered[-last:]]


def left_out(passes: Sequence[Pass]) -> int:
    """Return how many passes ``listed`` leaves out."""
    return max(len(passes) - (MAX_LISTED - 1), 0) if len(passes) > MAX_LISTED else 0


def heading(layout: Layout) -> str:
    """Return what is laid out, in one line."""
    request, prompt = layout.request, layout.prompt
    start = f" from {prompt.start}" if prompt.start else ""
    blocks = "no blocks"
    if prompt.block_tokens:
        every = f"every {prompt.interval} blocks" if prompt.interval else "at the tail only"
        blocks = f"blocks of {prompt.block_size}, a snapshot {every}"
    return (
        f"{prompt.total} tokens{start}, {blocks}, proposals of {request.first} and then "
        f"{request.following}, dispatch {request.dispatch}"
    )


def summary(layout: Layout) -> str:
    """Return what becomes of the warm request, in one line."""
    match, restored, replayed = layout.warm
    return f"a warm request matches {match}, restores at {restored} and replays {replayed} tokens"


def split_note(layout: Layout) -> str:
    """Return what becomes of the split point, in one line."""
    split, prompt = layout.run.split, layout.prompt
    if split is None:
        return "no split point"
    if split in layout.run.captures:
        return f"split point {split}: captured inside a pass, snapshot saved"
    if split in layout.snapshots:
        return f"split point {split}: snapshot saved"
    if split <= prompt.start:
        return f"split point {split}: at or before the start of the run"
    spanning = next((entry for entry in layout.run.passes if entry.start < split < entry.end), None)
    if spanning is None:
        return f"split point {split}: no snapshot saved"
    return (
        f"split point {split}: inside the pass from {spanning.start} to {spanning.end}, "
        "no snapshot saved"
    )


def comparison(layouts: Sequence[Layout]) -> str:
    """Return how the replays of two layouts compare, in one line."""
    first, second = layouts
    gap = second.warm.replayed - first.warm.replayed
    if gap == 0:
        return f"{first.policy} and {second.policy} replay the same {first.warm.replayed} tokens"
    better, worse = (first, second) if gap > 0 else (second, first)
    return (
        f"{better.policy} replays {better.warm.replayed} tokens, {worse.policy} "
        f"{worse.warm.replayed}: {abs(gap)} more"
    )
