"""Planners with one mistake each, and exactly the properties that catch it."""

from collections.abc import Iterator
from dataclasses import dataclass

from prefill_proofs import encodings
from prefill_proofs.encodings import Encoding
from prefill_proofs.faults import Faults
from prefill_proofs.subjects import HandEncoded, run_on_ints
from prefill_proofs.terms import choose
from prefill_spec.calls import CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.properties import is_last, last_boundary_in_reach, reaches_boundary
from prefill_spec.vocabulary import (
    WY4,
    Formula,
    Option,
    Term,
    all_of,
    any_of,
    divides,
    floor_to,
    is_tail_end,
    last_block_boundary,
    negate,
    quotient,
    remainder,
)


@dataclass(frozen=True)
class Broken:
    """A planner role with a mistake: the properties that it breaks, and no others."""

    subject: HandEncoded
    breaks: frozenset[str]


BROKEN: list[Broken] = []

ALWAYS = {"checkpoint": frozenset({"snapshot-boundary"})}
"""What the planner breaks as it is, unless the mistake happens to mend it."""


def breaks(role: str, *ids: str, mends: str = ""):
    """Register an encoding with the properties that it breaks."""

    def register(encoding: Encoding) -> Encoding:
        subject = HandEncoded(role, encoding.__name__, encoding, run_on_ints(encoding))
        broken = (frozenset(ids) | ALWAYS.get(role, frozenset())) - {mends}
        BROKEN.append(Broken(subject, broken))
        return encoding

    return register


def _chunk(
    call: ChunkCall, reaches: Formula, heeds_split: bool = True, rounds: bool = True
) -> Term:
    """Return a chunk's length as the reference has it, with one rule left out or restricted."""
    end = choose(reaches, last_boundary_in_reach(call), call.proposed_end)
    splits = all_of(call.split.present, call.offset < call.split.value, call.split.value < end)
    end = choose(all_of(splits, heeds_split), call.split.value, end)
    length = end - call.offset
    rounded = choose(all_of(length >= WY4, rounds), floor_to(length, WY4), length)
    return choose(any_of(call.proposed == 0, is_last(call)), call.proposed, rounded)


@breaks("chunk_len", "no-fault")
def looks_one_block_ahead_without_a_check(call: ChunkCall, faults: Faults) -> Term:
    is_planned = all_of(call.proposed > 0, negate(is_last(call)))
    faults.add(call.proposed_end, call.block_size.value, when=is_planned)
    return encodings.plan_chunk_len(call, faults)


@breaks("chunk_len", "no-fault")
def divides_by_a_block_size_of_zero(call: ChunkCall, faults: Faults) -> Term:
    faults.divide(call.offset, call.block_size.value, when=call.block_size.present)
    return encodings.plan_chunk_len(call, faults)


@breaks("chunk_len", "no-fault")
def looks_at_the_token_before_the_offset(call: ChunkCall, faults: Faults) -> Term:
    faults.subtract(call.offset, 1)
    return encodings.plan_chunk_len(call, faults)


@breaks("chunk_len", "chunk-empty")
def makes_progress_without_a_proposal(call: ChunkCall, faults: Faults) -> Term:
    stalls = all_of(call.proposed == 0, call.offset < call.total)
    return choose(stalls, 1, encodings.plan_chunk_len(call, faults))


@breaks("chunk_len", "chunk-length")
def rounds_up_where_there_are_no_blocks(call: ChunkCall, faults: Faults) -> Term:
    is_plain = all_of(call.block_size.value == 0, negate(call.split.present))
    is_rounded = all_of(is_plain, call.proposed > 0, negate(is_last(call)))
    rounded_up = floor_to(call.proposed + (WY4 - 1), WY4)
    return choose(is_rounded, rounded_up, encodings.plan_chunk_len(call, faults))


@breaks("chunk_len", "chunk-length", "chunk-maximal")
def rounds_a_short_chunk_down_to_nothing(call: ChunkCall, faults: Faults) -> Term:
    length = encodings.plan_chunk_len(call, faults)
    return choose(is_last(call), length, floor_to(length, WY4))


@breaks("chunk_len", "chunk-last")
def rounds_the_last_chunk_too(call: ChunkCall, faults: Faults) -> Term:
    length = encodings.plan_chunk_len(call, faults)
    return choose(length >= WY4, floor_to(length, WY4), length)


@breaks("chunk_len", "chunk-split-stop")
def runs_over_the_split_point(call: ChunkCall, _faults: Faults) -> Term:
    return _chunk(call, reaches_boundary(call), heeds_split=False)


@breaks("chunk_len", "chunk-grid")
def keeps_to_the_grid_only_for_blocks_of_fours(call: ChunkCall, _faults: Faults) -> Term:
    return _chunk(call, all_of(reaches_boundary(call), divides(WY4, call.block_size.value)))


@breaks("chunk_len", "chunk-grid", "chunk-block-end")
def ignores_the_grid(call: ChunkCall, _faults: Faults) -> Term:
    return _chunk(call, reaches=False)


@breaks("chunk_len", "chunk-block-end", "chunk-maximal")
def stops_four_short_of_the_grid(call: ChunkCall, faults: Faults) -> Term:
    length = encodings.plan_chunk_len(call, faults)
    shortens = all_of(negate(is_last(call)), length > WY4)
    return choose(shortens, length - WY4, length)


@breaks("chunk_len", "chunk-wy4")
def leaves_chunks_unrounded(call: ChunkCall, _faults: Faults) -> Term:
    return _chunk(call, reaches_boundary(call), rounds=False)


@breaks("chunk_len", "chunk-maximal")
def takes_four_tokens_at_a_time_between_boundaries(call: ChunkCall, faults: Faults) -> Term:
    length = encodings.plan_chunk_len(call, faults)
    is_between = all_of(negate(is_last(call)), negate(reaches_boundary(call)))
    return choose(all_of(is_between, length > WY4), WY4, length)


@breaks("chunk_len", "chunk-maximal")
def is_slow_to_leave_the_split_point(call: ChunkCall, faults: Faults) -> Term:
    length = encodings.plan_chunk_len(call, faults)
    is_between = all_of(negate(is_last(call)), negate(reaches_boundary(call)))
    leaves = all_of(is_between, call.split.present, call.offset == call.split.value)
    return choose(all_of(leaves, length > WY4), WY4, length)


@breaks("split_point", "no-fault")
def subtracts_before_it_looks(call: SplitCall, faults: Faults) -> Option[Term]:
    faults.subtract(call.total, call.block_size.value)
    return encodings.tail_split_point(call, faults)


@breaks("split_point", "split-existence")
def splits_only_prompts_of_three_blocks(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(all_of(split.present, call.total > 3 * call.block_size.value), split.value)


@breaks("split_point", "split-aligned")
def splits_two_blocks_before_the_end(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, call.total - 2 * call.block_size.value)


@breaks("split_point", "split-restorable")
def splits_at_the_last_boundary(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, last_block_boundary(call.total, call.block_size.value))


@breaks("split_point", "split-replay")
def splits_after_the_first_block(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, call.block_size.value)


@breaks("split_point", "split-replay")
def splits_one_block_too_early(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    block_size = call.block_size.value
    is_lowered = split.value > block_size
    return Option(split.present, choose(is_lowered, split.value - block_size, split.value))


@breaks("split_point", "split-aligned", "split-replay")
def splits_at_token_0(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, split.value - split.value)


@breaks("split_point", "split-restorable", "split-replay")
def splits_past_the_end(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, split.value + 3 * call.block_size.value)


@breaks("tail_end", "no-fault")
def takes_one_from_an_empty_prompt(call: TailEndCall, faults: Faults) -> Formula:
    faults.subtract(call.total, 1, when=call.block_size.value > 0)
    return encodings.is_prompt_tail_end(call, faults)


@breaks("tail_end", "tail-end")
def knows_only_the_last_boundary(call: TailEndCall, _faults: Faults) -> Formula:
    block_size = call.block_size.value
    return all_of(block_size > 0, call.end_token == last_block_boundary(call.total, block_size))


def _block_index(call: CheckpointCall) -> Term:
    return quotient(call.end_token, call.block_size.value)


def _is_tail_end(call: CheckpointCall) -> Formula:
    return is_tail_end(call.end_token, call.total, call.block_size.value)


def _is_on_interval(call: CheckpointCall) -> Formula:
    return all_of(call.interval > 0, remainder(_block_index(call), call.interval) == 0)


@breaks("checkpoint", "no-fault")
def divides_by_an_interval_of_zero(call: CheckpointCall, faults: Faults) -> Formula:
    faults.remainder(_block_index(call), call.interval, when=call.block_size.value > 0)
    return encodings.is_checkpoint_chunk_end(call, faults)


@breaks("checkpoint", "snapshot-never")
def saves_in_block_0(call: CheckpointCall, _faults: Faults) -> Formula:
    return all_of(call.block_size.value > 0, any_of(_is_tail_end(call), _is_on_interval(call)))


@breaks("checkpoint", "snapshot-tail")
def saves_no_tail_when_the_interval_is_off(call: CheckpointCall, faults: Faults) -> Formula:
    return all_of(encodings.is_checkpoint_chunk_end(call, faults), call.interval > 0)


@breaks("checkpoint", "snapshot-interval")
def saves_every_block_when_the_interval_is_off(call: CheckpointCall, _faults: Faults) -> Formula:
    is_saved = any_of(_is_tail_end(call), _is_on_interval(call), call.interval == 0)
    return all_of(call.block_size.value > 0, _block_index(call) > 0, is_saved)


@breaks("checkpoint", "snapshot-interval", mends="snapshot-boundary")
def saves_only_tails(call: CheckpointCall, _faults: Faults) -> Formula:
    return all_of(call.block_size.value > 0, _block_index(call) > 0, _is_tail_end(call))


@breaks("checkpoint", "snapshot-boundary")
def floors_the_end_to_its_block(call: CheckpointCall, _faults: Faults) -> Formula:
    is_saved = any_of(_is_tail_end(call), _is_on_interval(call))
    return all_of(call.block_size.value > 0, _block_index(call) > 0, is_saved)


def broken_of(role: str) -> Iterator[Broken]:
    """Yield the broken planners of a role."""
    return (entry for entry in BROKEN if entry.subject.role == role)
