"""Hypothesis strategies for the calls, biased to where planners break.

They draw block boundaries and one token to either side, the split point and its neighbours, short
lengths, awkward block sizes, absent options and the far edge of ``usize``.
"""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from prefill_spec.calls import (
    Call,
    CheckpointCall,
    ChunkCall,
    DepthCall,
    SplitCall,
    TailEndCall,
)
from prefill_spec.vocabulary import USIZE_MAX, Option, last_block_boundary, option_of

BLOCK_SIZES = (0, 1, 3, 4, 5, 16, 528, 1600)
"""Tokens: degenerate, odd, a multiple of 4, and those of engines in the field."""


def usizes(lowest: int = 0, highest: int = USIZE_MAX) -> SearchStrategy[int]:
    """Return numbers in ``lowest..=highest``: small, next to either bound, anywhere."""
    width = highest - lowest
    near = min(width, 5)
    bounds = (
        (lowest, lowest + near),
        (lowest, lowest + min(width, 200)),
        (highest - near, highest),
        (lowest, highest),
    )
    # Each once: Hypothesis joins choices that are one object, and whether two are depends on what
    # it has in its cache.
    return st.one_of(*(st.integers(*both) for both in dict.fromkeys(bounds)))


def block_sizes() -> SearchStrategy[int]:
    """Return block sizes in tokens, 0 included."""
    return st.one_of(st.sampled_from(BLOCK_SIZES), st.integers(0, 64), usizes())


def optional_block_sizes() -> SearchStrategy[Option[int]]:
    """Return block sizes that may be absent."""
    return st.one_of(st.just(option_of(None)), block_sizes().map(option_of))


@st.composite
def near_boundaries(draw: DrawFn, block_size: int, highest: int) -> int:
    """Draw a token in ``0..=highest``, often on a block boundary or one to either side."""
    if block_size == 0 or draw(st.integers(0, 3)) == 0:
        return draw(usizes(0, highest))
    blocks = draw(usizes(0, highest // block_size))
    return min(max(blocks * block_size + draw(st.integers(-1, 1)), 0), highest)


@st.composite
def totals(draw: DrawFn, block_size: int) -> int:
    """Draw a prompt length in tokens, often next to a small whole number of blocks."""
    if block_size and draw(st.booleans()):
        blocks = draw(st.integers(0, min(8, USIZE_MAX // block_size)))
        return min(max(blocks * block_size + draw(st.integers(-1, 1)), 0), USIZE_MAX)
    return draw(st.one_of(near_boundaries(block_size, USIZE_MAX), st.integers(0, 200)))


@st.composite
def chunk_calls(draw: DrawFn) -> ChunkCall:
    """Draw a scheduled call of ``chunk_len``."""
    block_size = draw(optional_block_sizes())
    size = block_size.value
    total = draw(totals(size))
    natural_split = max(last_block_boundary(total, size) - size, 0)
    split = draw(
        st.one_of(
            st.none(),
            st.integers(-1, 1).map(lambda step: min(max(natural_split + step, 0), USIZE_MAX)),
            near_boundaries(size, USIZE_MAX),
            near_boundaries(size, total),
        )
    )
    offset = draw(near_boundaries(size, total))
    if split is not None and draw(st.booleans()):
        offset = min(max(split - draw(st.integers(-1, 5)), 0), total)
    remaining = total - offset
    proposed_end = draw(near_boundaries(size, total).map(lambda end: max(end, offset)))
    proposed = draw(
        st.one_of(st.just(proposed_end - offset), usizes(0, remaining), st.integers(0, 5))
    )
    return ChunkCall(offset, total, min(proposed, remaining), block_size, option_of(split))


@st.composite
def depth_calls(draw: DrawFn) -> DepthCall:
    """Draw a call of ``snapshot_depth``."""
    block_size = draw(optional_block_sizes())
    total = draw(totals(block_size.value))
    prefix = draw(near_boundaries(block_size.value, total))
    end = max(draw(st.just(total) | near_boundaries(block_size.value, total)), prefix)
    return DepthCall(prefix, end - prefix, total, block_size)


@st.composite
def split_calls(draw: DrawFn) -> SplitCall:
    """Draw a call of ``split_point``."""
    block_size = draw(optional_block_sizes())
    return SplitCall(draw(totals(block_size.value)), block_size)


@st.composite
def ends(draw: DrawFn, total: int, block_size: int) -> int:
    """Draw an end, often at or next to the prompt's tail; it may lie past the total."""
    boundary = last_block_boundary(total, block_size)
    blocks_below = draw(st.integers(0, 2))
    beside = max(boundary - blocks_below * block_size, 0) + draw(st.integers(-1, 1))
    return draw(
        st.one_of(
            st.just(min(max(beside, 0), USIZE_MAX)),
            near_boundaries(block_size, USIZE_MAX),
            st.integers(0, 200),
        )
    )


@st.composite
def tail_end_calls(draw: DrawFn) -> TailEndCall:
    """Draw a call of ``tail_end``."""
    block_size = draw(optional_block_sizes())
    total = draw(totals(block_size.value))
    return TailEndCall(draw(ends(total, block_size.value)), total, block_size)


@st.composite
def checkpoint_calls(draw: DrawFn) -> CheckpointCall:
    """Draw a call of ``checkpoint``."""
    call = draw(tail_end_calls())
    interval = draw(st.one_of(st.integers(0, 5), usizes()))
    return CheckpointCall(call.end_token, call.total, call.block_size, interval)


def calls_of(role: str) -> SearchStrategy[Call]:
    """Return the strategy for a role's calls; ``role`` is a key of ``calls.CALLS``."""
    strategies: dict[str, SearchStrategy[Call]] = {
        "chunk_len": chunk_calls(),
        "split_point": split_calls(),
        "tail_end": tail_end_calls(),
        "checkpoint": checkpoint_calls(),
        "snapshot_depth": depth_calls(),
    }
    return strategies[role]
