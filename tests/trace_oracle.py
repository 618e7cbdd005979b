"""The replay of a trace as its definition reads, without a thought for time: sums for a policy."""

from collections.abc import Sequence
from typing import NamedTuple

from prefill_reference.policies import Policy
from prefill_reference.replay import Settings


class Sums(NamedTuple):
    """What a trace comes to under a policy."""

    prompt_tokens: int
    computed: int
    ideal: int
    excesses: list[int]
    passes: int
    snapshots: int


def naive_sums(
    policy: Policy, settings: Settings, requests: Sequence[tuple[int, list[int]]]
) -> Sums:
    """Return the sums over requests of a length and hash ids."""
    seen: list[int] = []
    saved: list[tuple[int, int]] = []  # the hash id and the depth of each snapshot
    sums = Sums(0, 0, 0, [], 0, 0)
    size = settings.block_size or 0
    for total, blocks in requests:
        shared = 0
        while shared < len(blocks) and blocks[shared] in seen:
            shared += 1
        seen += blocks
        tokens = min(shared * settings.hash_block, total)
        match = min(tokens, total - 1) // size * size if size else 0
        below = [depth for block, depth in saved if block in blocks[:shared] and depth <= match]
        restored = max(below, default=0)

        split = policy.split_point(total, size)
        ends: list[int] = []
        offset = restored
        while offset < total:
            budget = settings.first if offset == restored else settings.following
            proposed = min(budget, total - offset)
            length = policy.chunk_len(
                offset, total, proposed, settings.block_size, split, offset == restored
            )
            if offset + length == total and split is not None and offset < split < total:
                ends.append(split)
            offset += length
            ends.append(offset)
        depths = [
            end
            for end in ends
            if end < total
            and (end == split or policy.checkpoint(end, total, size, settings.interval))
        ]
        saved += [(blocks[(depth - 1) // settings.hash_block], depth) for depth in depths]
        sums = Sums(
            sums.prompt_tokens + total,
            sums.computed + total - restored,
            sums.ideal + total - match,
            [*sums.excesses, match - restored],
            sums.passes + len(ends),
            sums.snapshots + len(depths),
        )
    return sums
