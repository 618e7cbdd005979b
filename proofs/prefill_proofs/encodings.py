"""The reference planner as formulas, written by hand.

Each function mirrors the one of its name in ``prefill_reference.planner`` line for line, so that
the two can be read side by side: ``choose`` stands for ``if``, and each operation that may leave
``usize`` owes an obligation on the path that reaches it. Arguments and results may be Numbers or
ints. ``block_size`` is 0 where the reference takes ``None``.
"""

from collections.abc import Callable
from typing import Any

from prefill_proofs.faults import Faults
from prefill_proofs.terms import choose
from prefill_spec.calls import CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.vocabulary import WY4, Formula, Option, Term, all_of, any_of, negate

Encoding = Callable[[Any, Faults], Any]
"""Takes the call of a role, collects fault obligations and returns the answer."""


def ssm_tail_boundary(total: Term, block_size: Term, faults: Faults) -> Option[Term]:
    """Encode the last block boundary strictly under ``total``."""
    present = negate(any_of(block_size == 0, total <= block_size))
    before_end = faults.subtract(total, 1, when=present)
    blocks = faults.divide(before_end, block_size, when=present)
    return Option(present, faults.multiply(blocks, block_size, when=present))


def tail_split_point(call: SplitCall, faults: Faults) -> Option[Term]:
    """Encode the split point."""
    block_size = call.block_size.value
    boundary = ssm_tail_boundary(call.total, block_size, faults)
    split = faults.subtract(boundary.value, block_size, when=boundary.present)
    return Option(all_of(boundary.present, split > 0), split)


def plan_chunk_len(call: ChunkCall, faults: Faults) -> Term:
    """Encode the length of a chunk."""
    block_size, split = call.block_size.value, call.split
    proposes = call.proposed != 0
    proposed_end = faults.add(call.offset, call.proposed, when=proposes)
    is_planned = all_of(proposes, negate(proposed_end >= call.total))
    on_blocks = all_of(is_planned, block_size != 0)
    blocks = faults.divide(proposed_end, block_size, when=on_blocks)
    boundary = faults.multiply(blocks, block_size, when=on_blocks)
    end = choose(all_of(on_blocks, boundary > call.offset), boundary, proposed_end)
    is_split = all_of(split.present, call.offset < split.value, split.value < end)
    end = choose(is_split, split.value, end)
    length = faults.subtract(end, call.offset, when=is_planned)
    length = choose(length >= WY4, length // WY4 * WY4, length)
    return choose(is_planned, length, call.proposed)


def is_checkpoint_chunk_end(call: CheckpointCall, faults: Faults) -> Formula:
    """Encode whether an end saves a snapshot."""
    block_size = call.block_size.value
    has_blocks = block_size != 0
    block_index = faults.divide(call.end_token, block_size, when=has_blocks)
    has_interval = all_of(has_blocks, call.interval > 0)
    off_interval = faults.remainder(block_index, call.interval, when=has_interval)
    is_on_interval = all_of(has_interval, off_interval == 0)
    tail_end = TailEndCall(call.end_token, call.total, call.block_size)
    return all_of(
        has_blocks,
        block_index != 0,
        any_of(is_prompt_tail_end(tail_end, faults), is_on_interval),
    )


def is_prompt_tail_end(call: TailEndCall, faults: Faults) -> Formula:
    """Encode whether an end is a prompt-tail end."""
    block_size = call.block_size.value
    has_blocks = block_size != 0
    before_end = choose(call.total >= 1, call.total - 1, call.total)
    blocks = faults.divide(before_end, block_size, when=has_blocks)
    boundary = faults.multiply(blocks, block_size, when=has_blocks)
    has_below = all_of(has_blocks, boundary >= block_size)
    below = faults.subtract(boundary, block_size, when=has_below)
    return all_of(
        has_blocks,
        any_of(
            call.end_token == boundary,
            all_of(has_below, call.end_token == below),
        ),
    )


ENCODINGS: dict[str, Encoding] = {
    "chunk_len": plan_chunk_len,
    "split_point": tail_split_point,
    "tail_end": is_prompt_tail_end,
    "checkpoint": is_checkpoint_chunk_end,
}
"""The encoding of each role of the reference, in the order of reports."""
