"""Properties beyond the eighteen, which a planner is asked for by its profile.

They are for planners that divide their own last chunk, that may wait for a larger proposal, or that
leave a minimum tail after the split point.
"""

from prefill_spec.calls import ChunkCall, SplitCall
from prefill_spec.properties import (
    Claim,
    Property,
    is_ahead,
    is_last,
    keeps_to_stops,
    last_boundary_in_reach,
)
from prefill_spec.vocabulary import Formula, Option, Term, all_of, any_of, divides, negate


def _has_boundary_inside(call: ChunkCall) -> Formula:
    """Return whether a block boundary lies strictly inside the proposal."""
    boundary, block_size = last_boundary_in_reach(call), call.block_size.value
    return all_of(
        block_size > 0,
        any_of(
            all_of(boundary < call.proposed_end, boundary > call.offset),
            boundary - block_size > call.offset,
        ),
    )


def _has_stop_inside(call: ChunkCall) -> Formula:
    """Return whether a mandatory stop lies strictly inside the proposal."""
    return any_of(
        *(
            all_of(is_ahead(call, stop), stop.value < call.proposed_end)
            for stop in call.mandatory_stops
        )
    )


def _exceeds_limit(call: ChunkCall) -> Formula:
    """Return whether no proposal can hold a whole block."""
    return all_of(call.limit.present, call.block_size.value > call.limit.value)


def _chunk_rest(call: ChunkCall, length: Term) -> Claim:
    return Claim(
        all_of(
            is_last(call),
            negate(_has_boundary_inside(call)),
            negate(_has_stop_inside(call)),
        ),
        length == call.proposed,
    )


def must_progress(call: ChunkCall) -> Formula:
    """Return whether a planner that waits for larger proposals has nothing to wait for."""
    return all_of(
        call.proposed >= 1,
        any_of(
            is_last(call),
            call.block_size.value <= 0,
            call.proposed >= call.block_size.value,
            _exceeds_limit(call),
        ),
    )


def _chunk_progress(call: ChunkCall, length: Term) -> Claim:
    return Claim(
        True,
        all_of(
            length >= 0,
            length <= call.proposed,
            any_of(negate(must_progress(call)), length >= 1),
        ),
    )


def _chunk_aligned(call: ChunkCall, length: Term) -> Claim:
    end = call.offset + length
    return Claim(
        all_of(
            negate(is_last(call)),
            length >= 1,
            call.block_size.value > 0,
            negate(_exceeds_limit(call)),
        ),
        any_of(
            divides(call.block_size.value, end),
            *(all_of(stop.present, end == stop.value) for stop in call.mandatory_stops),
        ),
    )


def _split_tail(call: SplitCall, split: Option[Term]) -> Claim:
    return Claim(split.present, split.value + call.min_tail <= call.total)


FURTHER_PROPERTIES: tuple[Property, ...] = (
    Property(
        "chunk-stop",
        "chunk_len",
        "deny",
        "a chunk, last or not, that starts before a mandatory stop does not end past it",
        "Where nobody divides the last chunk afterwards, one that runs over the last restorable "
        "token leaves no snapshot that a repeated prompt can use: 32 tokens in blocks of 16 reused "
        "nothing, and 16 once the chunk stopped there "
        "(https://github.com/vllm-project/vllm/pull/50409).",
        keeps_to_stops,
        further="the `stops` are mandatory, as the split point is",
    ),
    Property(
        "chunk-rest",
        "chunk_len",
        "deny",
        "a last chunk with neither a block boundary nor a mandatory stop strictly inside it is "
        "returned unchanged",
        "There is nothing to divide such a rest for: cutting it costs a pass, and keeping it back "
        "stalls a request that is almost done "
        "(https://github.com/lightseekorg/tokenspeed/pull/1173 keeps it whole).",
        _chunk_rest,
        further="the `stops` are mandatory, as the split point is",
    ),
    Property(
        "chunk-progress",
        "chunk_len",
        "deny",
        "0 <= length <= proposed, and a non-empty proposal makes progress if it is last, there is "
        "no positive block size, it holds a whole block, or none ever can",
        "A planner may wait for a proposal that reaches the next boundary, but not for one that "
        "never comes: blocks of 3584 tokens under a limit of 2048 waited for ever "
        "(https://github.com/vllm-project/vllm/pull/50000).",
        _chunk_progress,
        further="none ever can where the block size is above the `limit`",
    ),
    Property(
        "chunk-aligned",
        "chunk_len",
        "deny",
        "with a positive block size that a proposal can hold, a non-last chunk of at least one "
        "token ends on a block boundary or at a mandatory stop",
        "State kept at 364 tokens was later looked up as if it stood at 1600 "
        "(https://github.com/vllm-project/vllm/pull/51113).",
        _chunk_aligned,
        further="the `stops` are mandatory, and no proposal holds a block above the `limit`",
    ),
    Property(
        "split-tail",
        "split_point",
        "deny",
        "at least the minimum tail is left after the split point",
        "A last pass of 27 rows gave a wrong answer where one of 267 did not "
        "(https://github.com/Metrale/metrale-inference/blob/main/crates/model-engine/src/"
        "prefill_plan.rs).",
        _split_tail,
        further="the minimum tail is `min_tail`, and 0 where none is given",
    ),
)
"""The properties that profiles add, in the order of reports."""
