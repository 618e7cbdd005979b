"""The prefix cache: what a request finds of earlier prompts. All counts are tokens.

Key/value blocks are found by the longest common prefix, floored to whole blocks. Recurrent state
is found only where a snapshot was saved, at or below that match.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prefill_spec.vocabulary import floor_to


class Restore(NamedTuple):
    """Where a request restores: its match, the depth of the snapshot, what is computed again.

    ``restored`` is 0 when there is no snapshot; ``replayed`` is the prompt length less it.
    """

    match: int
    restored: int
    replayed: int


def block_match(common: int, total: int, block_size: int) -> int:
    """Return the match of a ``total``-token request that shares ``common`` tokens.

    Its last token is always computed, so a whole prompt matches one token less; without blocks
    there is no match.
    """
    match: int = floor_to(min(common, max(total - 1, 0)), block_size)
    return match


def restore(match: int, total: int, snapshots: Iterable[int]) -> Restore:
    """Return where a request restores, given the depths of the snapshots of its own prefix."""
    restored = max((depth for depth in snapshots if depth <= match), default=0)
    return Restore(match, restored, total - restored)


def common_prefix(first: Sequence[Hashable], second: Sequence[Hashable]) -> int:
    """Return how many tokens two prompts share from the start."""
    length = min(len(first), len(second))
    return next((index for index in range(length) if first[index] != second[index]), length)


@dataclass
class PrefixCache:
    """The prompts seen so far, and the snapshots that their runs saved."""

    block_size: int
    prompts: list[tuple[Hashable, ...]] = field(default_factory=list)
    snapshots: set[tuple[Hashable, ...]] = field(default_factory=set)

    def insert(self, prompt: Sequence[Hashable], depths: Iterable[int]) -> None:
        """Remember a prompt, and the snapshots that its run saved at these depths."""
        self.prompts.append(tuple(prompt))
        self.snapshots.update(tuple(prompt[:depth]) for depth in depths)

    def common(self, request: Sequence[Hashable]) -> int:
        """Return how many tokens a request shares with the earlier prompt most like it."""
        return max((common_prefix(request, prompt) for prompt in self.prompts), default=0)

    def matched_blocks(self, request: Sequence[Hashable]) -> int:
        """Return how many whole blocks of a request are cached, its last token's included."""
        return self.common(request) // self.block_size if self.block_size else 0

    def lookup(self, request: Sequence[Hashable]) -> Restore:
        """Return where a request restores."""
        match = block_match(self.common(request), len(request), self.block_size)
        depths = (
            len(prefix) for prefix in self.snapshots if tuple(request[: len(prefix)]) == prefix
        )
        return restore(match, len(request), depths)
