"""The replay of a request trace under a policy: what it computes again, and in how many passes.

Requests run one at a time, in order, through a cache that forgets nothing. A prompt is known by its
length and by the ids of its *hash blocks* of ``hash_block`` tokens, the last one partial; an id
stands for the whole prefix up to the end of its block. All counts are tokens.
"""

from bisect import bisect_right, insort
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import TypeAlias

from prefill_reference.policies import Policy
from prefill_reference.runs import MAX_ANSWERS

HASH_BLOCK = 512
"""The tokens of a hash block in the public traces."""


@dataclass(frozen=True)
class Settings:
    """What the engine around the planner is set to; ``interval`` is in blocks."""

    first: int
    following: int
    block_size: int | None
    interval: int
    hash_block: int = HASH_BLOCK


Request: TypeAlias = tuple[int, int, Sequence[Hashable] | None]
"""A request of a trace: the line that it stands in, its length and its hash blocks.

Without blocks it shares nothing, and comes a second time. Like a plan it is a plain tuple.
"""

Plan: TypeAlias = tuple[int, list[int], str | None]
"""A run in short: how many passes, the snapshots that it saves, and why it stopped short.

A plain tuple: one is made for every request of a trace, and anything else costs time.
"""

Planned: TypeAlias = Callable[[int, int], Plan]
"""From the length of a prompt and the depth that it restores at to its plan."""


def planned(policy: Policy, settings: Settings) -> Planned:
    """Return the plans of a policy under a scheduler of fixed budgets.

    A snapshot is saved at a pass end before the prompt's end that the policy's ``checkpoint``
    accepts, and at the split point.
    """
    chunk_len, split_point, checkpoint = policy.chunk_len, policy.split_point, policy.checkpoint
    block_size, interval = settings.block_size, settings.interval
    first, following = settings.first, settings.following
    block_tokens = block_size or 0

    def plan(total: int, start: int) -> Plan:
        depths: list[int] = []
        passes, offset, proposed = 0, start, first
        try:
            split = split_point(total, block_tokens)
            while offset < total:
                if passes == MAX_ANSWERS:
                    return (
                        passes,
                        depths,
                        f"{passes} passes end at token {offset}, short of the end",
                    )
                remaining = total - offset
                if proposed > remaining:
                    proposed = remaining
                length = chunk_len(offset, total, proposed, block_size, split, offset == start)
                if not 1 <= length <= proposed:
                    asked = f"the planner answers {length} to a proposal of {proposed}"
                    return passes, depths, f"{asked} at token {offset}"
                end = offset + length
                if end < total:
                    if end == split or checkpoint(end, total, block_tokens, interval):
                        depths.append(end)
                elif split is not None and offset < split < end:
                    depths.append(split)
                    passes += 1
                passes += 1
                offset, proposed = end, following
        except ArithmeticError as fault:
            return passes, depths, f"the planner faults at token {offset}: {fault}"
        return passes, depths, None

    return plan


Outcome: TypeAlias = tuple[int, Plan]
"""What a request costs: its excess, which is tokens computed though they match, and its plan."""

Replayed: TypeAlias = Callable[[Sequence[Hashable], int, Sequence[Hashable], int], Outcome]
"""From the blocks of a prompt, its length, the leading blocks that it shares, and its match."""


@dataclass
class Prefixes:
    """The hash blocks seen so far, which are the same under every policy.

    ``strays`` counts the requests with a block that was seen, behind one that was not: as an id
    stands for its whole prefix, there are none in a sound trace.
    """

    seen: set[Hashable] = field(default_factory=set)
    strays: int = 0

    def add(self, blocks: Sequence[Hashable]) -> list[Hashable]:
        """Remember the blocks of a prompt; return the leading ones that were seen before."""
        seen = self.seen
        shared = list(takewhile(seen.__contains__, blocks))
        expected = len(seen) + len(blocks) - len(shared)
        seen.update(blocks)
        if len(seen) != expected:
            self.strays += 1
        return shared


def matched(total: int, shared: int, settings: Settings) -> int:
    """Return the match of a request that shares its leading hash blocks."""
    block_size = settings.block_size
    if not block_size or not total:
        return 0
    # The prompt's last token is always computed.
    common = min(shared * settings.hash_block, total - 1)
    return common // block_size * block_size


def replayed(plan: Planned, hash_block: int) -> Replayed:
    """Return how requests run one after the other, each on the snapshots of those before it.

    A snapshot belongs to the hash block that its depth is in: whoever shares the block can restore
    it, if it is not deeper than the match.
    """
    saved: dict[Hashable, list[int]] = {}  # the depths in each block, in order

    def replay(
        blocks: Sequence[Hashable], total: int, shared: Sequence[Hashable], match: int
    ) -> Outcome:
        restored = 0
        if match:
            for block in filter(saved.__contains__, shared):
                depths = saved[block]
                depth = depths[-1]
                if depth > match:
                    below = bisect_right(depths, match)
                    depth = depths[below - 1] if below else 0
                if depth > restored:
                    restored = depth
        made = plan(total, restored)
        for depth in made[1]:
            block = blocks[(depth - 1) // hash_block]
            if block not in saved:
                saved[block] = [depth]
            elif depth not in saved[block]:
                insort(saved[block], depth)
        return match - restored, made

    return replay


def replay_again(total: int, match: int, plan: Planned) -> tuple[Outcome, Outcome]:
    """Run a prompt that shares nothing, and then the same prompt again."""
    cold = plan(total, 0)
    restored = max((depth for depth in cold[1] if depth <= match), default=0)
    return (0, cold), (match - restored, plan(total, restored))
