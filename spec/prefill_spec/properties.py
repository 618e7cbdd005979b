"""The eighteen properties of one planner call, each stated once.

A property's rule takes a call and what the planner answered, and returns a claim: the assumption
and the conclusion, both as formulas. The rules run on ints and on symbolic terms.

Sources: the planner's own documentation ("rule" below), the public issues linked in ``why``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from prefill_spec.calls import CALLS, Call, CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.vocabulary import (
    WY4,
    Formula,
    Option,
    Term,
    all_of,
    any_of,
    divides,
    floor_to,
    iff,
    implies,
    is_tail_end,
    last_block_boundary,
    negate,
    quotient,
    remainder,
)

CONTRACT = 1
"""The version of the table of properties; each says since which it is there."""

Level = Literal["deny", "warn"]


class Claim(NamedTuple):
    """What a property says of one call: ``then`` holds whenever ``when`` does."""

    when: Formula
    then: Formula

    def formula(self) -> Formula:
        """Return the claim as one formula."""
        return implies(self.when, self.then)


class Outcome(NamedTuple):
    """What came of a call: whether it faulted, and the answer (meaningless after a fault)."""

    faulted: Formula
    answer: Any


@dataclass(frozen=True)
class Property:
    """One statement about one call of one role; ``no-fault`` has a property for each role.

    One that is ``is_blockless`` speaks neither of the block size nor of the split point; one that
    ``is_implied`` says nothing beyond the other properties of its role, and is there because
    reviewers ask for it; ``since`` is the first version of the contract that has it.
    """

    id: str
    role: str
    level: Level
    statement: str
    why: str
    rule: Callable[[Any, Any], Claim]
    is_blockless: bool = False
    is_implied: bool = False
    further: str = ""
    since: int = 1

    def claim(self, call: Call, outcome: Outcome) -> Claim:
        """Return what the property says of a call and its outcome.

        Only ``no-fault`` speaks of calls that fault; every other property assumes that none does.
        """
        if self.id == NO_FAULT:
            return self.rule(call, outcome)
        if outcome.faulted is True:
            return Claim(False, True)
        claim = self.rule(call, outcome.answer)
        return Claim(all_of(negate(outcome.faulted), claim.when), claim.then)


NO_FAULT = "no-fault"

EACH_STOP = "what it says of the split point, it says of each of the `stops`"


def _no_fault(_call: Call, outcome: Outcome) -> Claim:
    return Claim(True, negate(outcome.faulted))


def is_last(call: ChunkCall) -> Formula:
    """Return whether a chunk taken as proposed reaches the end of the prompt."""
    return call.proposed_end >= call.total


def last_boundary_in_reach(call: ChunkCall) -> Term:
    """Return the last block boundary at or below the proposed end."""
    return floor_to(call.proposed_end, call.block_size.value)


def reaches_boundary(call: ChunkCall) -> Formula:
    """Return whether a block boundary lies past the offset and within the proposal."""
    return all_of(call.block_size.value > 0, last_boundary_in_reach(call) > call.offset)


def _chunk_empty(call: ChunkCall, length: Term) -> Claim:
    return Claim(call.proposed == 0, length == 0)


def _chunk_length(call: ChunkCall, length: Term) -> Claim:
    return Claim(
        call.proposed > 0,
        all_of(length >= 1, length <= call.proposed),
    )


def _chunk_last(call: ChunkCall, length: Term) -> Claim:
    return Claim(is_last(call), length == call.proposed)


def is_ahead(call: ChunkCall, stop: Option[Term]) -> Formula:
    """Return whether the chunk starts before a stop, if there is one."""
    return all_of(stop.present, call.offset < stop.value)


def keeps_to_stops(call: ChunkCall, length: Term) -> Claim:
    """Claim that a chunk does not end past a mandatory stop that it starts before."""
    stops = call.mandatory_stops
    return Claim(
        any_of(*(is_ahead(call, stop) for stop in stops)),
        all_of(
            *(implies(is_ahead(call, stop), call.offset + length <= stop.value) for stop in stops)
        ),
    )


def _chunk_split_stop(call: ChunkCall, length: Term) -> Claim:
    claim = keeps_to_stops(call, length)
    return Claim(all_of(negate(is_last(call)), claim.when), claim.then)


def _chunk_grid(call: ChunkCall, length: Term) -> Claim:
    return Claim(
        all_of(negate(is_last(call)), reaches_boundary(call)),
        call.offset + length <= last_boundary_in_reach(call),
    )


def _chunk_block_end(call: ChunkCall, length: Term) -> Claim:
    block_size = call.block_size.value
    return Claim(
        all_of(
            negate(is_last(call)),
            reaches_boundary(call),
            divides(WY4, block_size),
            divides(WY4, call.offset),
            *(
                any_of(negate(stop.present), divides(block_size, stop.value))
                for stop in call.mandatory_stops
            ),
        ),
        divides(block_size, call.offset + length),
    )


def _chunk_wy4(call: ChunkCall, length: Term) -> Claim:
    return Claim(
        negate(is_last(call)),
        any_of(length < WY4, divides(WY4, length)),
    )


def _chunk_maximal(call: ChunkCall, length: Term) -> Claim:
    def fills(stop: Term) -> Formula:
        room = stop - call.offset
        return any_of(
            length >= room,
            all_of(room >= WY4, length >= floor_to(room, WY4)),
        )

    def fills_up_to(end: Term) -> Formula:
        inside = [
            (all_of(is_ahead(call, stop), stop.value < end), stop.value)
            for stop in call.mandatory_stops
        ]
        is_cut = any_of(*(is_inside for is_inside, _ in inside))
        # Whatever fills up to a later stop fills up to the first one: one of those inside will do.
        return all_of(
            implies(is_cut, any_of(*(all_of(is_in, fills(stop)) for is_in, stop in inside))),
            implies(negate(is_cut), fills(end)),
        )

    return Claim(
        all_of(negate(is_last(call)), call.proposed > 0),
        all_of(
            implies(reaches_boundary(call), fills_up_to(last_boundary_in_reach(call))),
            implies(negate(reaches_boundary(call)), fills_up_to(call.proposed_end)),
        ),
    )


def _split_existence(call: SplitCall, split: Option[Term]) -> Claim:
    block_size = call.block_size.value
    return Claim(
        True,
        iff(
            split.present,
            all_of(
                block_size > 0,
                call.total > 2 * block_size,
                call.total >= block_size + call.min_tail,
            ),
        ),
    )


def _split_aligned(call: SplitCall, split: Option[Term]) -> Claim:
    return Claim(
        split.present,
        all_of(split.value > 0, divides(call.block_size.value, split.value)),
    )


def _split_restorable(call: SplitCall, split: Option[Term]) -> Claim:
    block_size = call.block_size.value
    boundary = last_block_boundary(call.total, block_size)
    # At most one block below the last boundary is at or below both landing places; where there
    # is no boundary a block up, nothing is.
    return Claim(
        all_of(block_size > 0, split.present),
        all_of(boundary >= block_size, split.value + block_size <= boundary),
    )


def _split_replay(call: SplitCall, split: Option[Term]) -> Claim:
    block_size, tail = call.block_size.value, call.total - split.value
    return Claim(
        split.present,
        all_of(
            tail >= 0,
            any_of(tail <= 2 * block_size, tail < block_size + call.min_tail),
        ),
    )


def _tail_end(call: TailEndCall, answer: Formula) -> Claim:
    return Claim(True, iff(answer, is_tail_end(call.end_token, call.total, call.block_size.value)))


def is_past_block_0(call: CheckpointCall) -> Formula:
    """Return whether the end lies at or past the first block boundary above token 0."""
    return all_of(call.block_size.value > 0, call.end_token >= call.block_size.value)


def _snapshot_never(call: CheckpointCall, saves: Formula) -> Claim:
    return Claim(negate(is_past_block_0(call)), negate(saves))


def _snapshot_tail(call: CheckpointCall, saves: Formula) -> Claim:
    return Claim(
        all_of(
            is_past_block_0(call),
            is_tail_end(call.end_token, call.total, call.block_size.value),
        ),
        saves,
    )


def _snapshot_interval(call: CheckpointCall, saves: Formula) -> Claim:
    block_index = quotient(call.end_token, call.block_size.value)
    return Claim(
        all_of(
            is_past_block_0(call),
            negate(is_tail_end(call.end_token, call.total, call.block_size.value)),
        ),
        iff(
            saves,
            all_of(call.interval > 0, remainder(block_index, call.interval) == 0),
        ),
    )


def _snapshot_boundary(call: CheckpointCall, saves: Formula) -> Claim:
    return Claim(
        all_of(is_past_block_0(call), saves),
        divides(call.block_size.value, call.end_token),
    )


def no_fault_of(role: str) -> Property:
    """Return ``no-fault`` for a role."""
    return Property(
        NO_FAULT,
        role,
        "deny",
        "no overflow, underflow, division by zero or unwrap of nothing",
        "A fault stops the server in a debug build and wraps to a huge length in a release build.",
        _no_fault,
    )


PROPERTIES: tuple[Property, ...] = (
    no_fault_of("chunk_len"),
    Property(
        "chunk-empty",
        "chunk_len",
        "deny",
        "an empty proposal gives an empty chunk",
        "A chunk nobody offered would run past the budget of the scheduler's tick.",
        _chunk_empty,
        is_blockless=True,
    ),
    Property(
        "chunk-length",
        "chunk_len",
        "deny",
        "a non-empty proposal gives a length in 1..=proposed",
        "Length 0 repeats for ever and the request stalls "
        "(https://github.com/vllm-project/vllm/pull/40757); a longer one overruns the budget.",
        _chunk_length,
        is_blockless=True,
    ),
    Property(
        "chunk-last",
        "chunk_len",
        "deny",
        "a last chunk is returned unchanged",
        "The dispatcher divides the last chunk itself; a shortened one costs an extra pass and "
        "leaves a tail that no snapshot was meant for.",
        _chunk_last,
        is_blockless=True,
    ),
    Property(
        "chunk-split-stop",
        "chunk_len",
        "deny",
        "a non-last chunk that starts before the split point does not end past it",
        "A chunk that runs over the split point takes its snapshot away: the warm request restored "
        "at 24577 of 32772 tokens and took 12.5 s instead of 0.2 s.",
        _chunk_split_stop,
        further=EACH_STOP,
    ),
    Property(
        "chunk-grid",
        "chunk_len",
        "deny",
        "a non-last chunk that reaches a block boundary does not end past the last one it reaches",
        "An end just past a boundary is deeper than the floored match, so its snapshot cannot be "
        "restored (https://github.com/vllm-project/vllm/pull/51113).",
        _chunk_grid,
    ),
    Property(
        "chunk-block-end",
        "chunk_len",
        "deny",
        "with 4 dividing block size and offset, and a split point that is aligned or absent, a "
        "non-last chunk that reaches a block boundary ends on one",
        "Off the grid once, every later end of the prompt is off it too, and no snapshot is "
        "storable (https://github.com/vllm-project/vllm/pull/30877). It follows from "
        "chunk-split-stop, chunk-grid and chunk-maximal, and is kept because it is what reviewers "
        "ask for.",
        _chunk_block_end,
        is_implied=True,
        further=EACH_STOP,
    ),
    Property(
        "chunk-wy4",
        "chunk_len",
        "deny",
        "a non-last chunk's length is a multiple of 4 or below 4",
        "The recurrent kernel takes intermediate chunks four tokens at a time.",
        _chunk_wy4,
        is_blockless=True,
    ),
    Property(
        "chunk-maximal",
        "chunk_len",
        "deny",
        "a non-last chunk of a non-empty proposal is as long as the other rules allow",
        "Shorter chunks are correct but cost passes: the prompt's first token comes later. This "
        "also refuses planners that are no bugs, such as one that takes a short extra pass to "
        "return to the grid: waive it for them, with the reason.",
        _chunk_maximal,
        further=EACH_STOP,
    ),
    no_fault_of("split_point"),
    Property(
        "split-existence",
        "split_point",
        "deny",
        "there is a split point exactly when block_size > 0 and total > 2 * block_size",
        "A prompt without a split point saves no snapshot near its end, and all of it is computed "
        "again on the next turn.",
        _split_existence,
        further="with a `min_tail`, total >= block_size + min_tail as well",
    ),
    Property(
        "split-aligned",
        "split_point",
        "deny",
        "the split point is a positive multiple of the block size",
        "A match is floored to whole blocks; a snapshot between two boundaries is wasted depth.",
        _split_aligned,
    ),
    Property(
        "split-restorable",
        "split_point",
        "deny",
        "the split point is at or below both places a warm match can land: the last block boundary "
        "under total, and one block below it",
        "A snapshot deeper than the match is never restored: a prompt that is a whole number of "
        "blocks reuses nothing (https://github.com/vllm-project/vllm/pull/50409, "
        "https://github.com/sgl-project/sglang/pull/30882).",
        _split_restorable,
    ),
    Property(
        "split-replay",
        "split_point",
        "deny",
        "split <= total and total - split <= 2 * block_size",
        "Every token past the split point is computed again by the warm request.",
        _split_replay,
        further="with a `min_tail`, total - split < block_size + min_tail will do",
    ),
    no_fault_of("tail_end"),
    Property(
        "tail-end",
        "tail_end",
        "deny",
        "exactly: the end is the last block boundary under total, or one block below it",
        "A tail end that is not recognised saves no snapshot; one too many evicts a useful one.",
        _tail_end,
    ),
    no_fault_of("checkpoint"),
    Property(
        "snapshot-never",
        "checkpoint",
        "deny",
        "block size 0 and block 0 never save",
        "A snapshot of nothing takes a slot from one that helps.",
        _snapshot_never,
    ),
    Property(
        "snapshot-tail",
        "checkpoint",
        "deny",
        "a prompt-tail end outside block 0 saves, whatever the interval",
        "The tail snapshot is the one that the next turn of the conversation restores.",
        _snapshot_tail,
    ),
    Property(
        "snapshot-interval",
        "checkpoint",
        "deny",
        "any other end saves exactly when interval > 0 and its block index is a multiple of it",
        "Interval snapshots serve requests that share only a part of the prompt; more of them than "
        "configured evict each other (https://github.com/sgl-project/sglang/pull/31230).",
        _snapshot_interval,
    ),
    Property(
        "snapshot-boundary",
        "checkpoint",
        "warn",
        "an end outside block 0 that saves, with a positive block size, is on a block boundary",
        "The planner's documentation says so; its code floors the end to a block first, so an end "
        "of 33 with block size 16 and interval 2 saves a snapshot that no match at 32 restores. It "
        "is refuted for the reference itself, and so it only warns.",
        _snapshot_boundary,
    ),
)
"""The eighteen, in the order of reports: by role, then as the contract lists them."""

PROPERTY_IDS: tuple[str, ...] = tuple(dict.fromkeys(entry.id for entry in PROPERTIES))
"""The ids, each once."""


def properties_of(role: str) -> tuple[Property, ...]:
    """Return the properties of a role, in order; ``role`` is a key of ``CALLS``."""
    assert role in CALLS
    return tuple(entry for entry in PROPERTIES if entry.role == role)
