"""The properties that only some planners are asked for: what they catch, and what keeps them."""

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefill_proofs import encodings
from prefill_proofs.encodings import Encoding
from prefill_proofs.faults import Faults
from prefill_proofs.multiples import exact, facts
from prefill_proofs.prover import prove
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import HandEncoded, formulate, is_scheduled, run_on_ints
from prefill_proofs.terms import choose
from prefill_proofs.witnesses import is_refuted_by, read_inputs
from prefill_spec.calls import ChunkCall, DepthCall, SplitCall
from prefill_spec.depth_properties import DEPTH_PROPERTIES
from prefill_spec.further_properties import FURTHER_PROPERTIES, must_progress
from prefill_spec.properties import (
    NO_FAULT,
    Outcome,
    Property,
    is_last,
    last_boundary_in_reach,
    properties_of,
    reaches_boundary,
)
from prefill_spec.strategies import calls_of
from prefill_spec.violations import violation
from prefill_spec.vocabulary import (
    Option,
    Term,
    all_of,
    any_of,
    floor_to,
    last_block_boundary,
    negate,
    option_of,
)

ENTRIES = {
    role: [entry for entry in (*FURTHER_PROPERTIES, *DEPTH_PROPERTIES) if entry.role == role]
    for role in ("chunk_len", "split_point", "snapshot_depth")
}


class Planner(NamedTuple):
    """A role with the properties that it breaks, of those beyond the eighteen."""

    subject: HandEncoded
    breaks: frozenset[str]


PLANNERS: list[Planner] = []


def breaks(role: str, *ids: str) -> Callable[[Encoding], Encoding]:
    def register(encoding: Encoding) -> Encoding:
        subject = HandEncoded(role, encoding.__name__, encoding, run_on_ints(encoding))
        PLANNERS.append(Planner(subject, frozenset(ids)))
        return encoding

    return register


@breaks("chunk_len")
def waits_for_a_block_and_divides_the_last_chunk(call: ChunkCall, _faults: Faults) -> Term:
    """End on the last boundary in reach, or at a split point before it; wait where there is none.

    A last chunk ends at the split point, or runs to its end.
    """
    reached = choose(
        any_of(is_last(call), call.block_size.value == 0),
        call.proposed_end,
        choose(reaches_boundary(call), last_boundary_in_reach(call), call.offset),
    )
    cut = all_of(call.split.present, call.offset < call.split.value)
    return choose(all_of(cut, call.split.value < reached), call.split.value, reached) - call.offset


@breaks("chunk_len", "chunk-stop")
def runs_over_the_split_point_at_the_end(call: ChunkCall, faults: Faults) -> Term:
    length = waits_for_a_block_and_divides_the_last_chunk(call, faults)
    return choose(is_last(call), call.proposed, length)


@breaks("chunk_len", "chunk-rest")
def takes_the_end_token_by_token(call: ChunkCall, faults: Faults) -> Term:
    length = waits_for_a_block_and_divides_the_last_chunk(call, faults)
    return choose(all_of(is_last(call), length > 1), 1, length)


@breaks("chunk_len", "chunk-rest", "chunk-progress")
def floors_the_last_chunk_too(call: ChunkCall, faults: Faults) -> Term:
    length = waits_for_a_block_and_divides_the_last_chunk(call, faults)
    stays = negate(reaches_boundary(call))
    return choose(all_of(is_last(call), call.block_size.value > 0, stays), 0, length)


@breaks("chunk_len", "chunk-progress")
def waits_for_two_blocks(call: ChunkCall, faults: Faults) -> Term:
    length = waits_for_a_block_and_divides_the_last_chunk(call, faults)
    small = call.proposed < 2 * call.block_size.value
    return choose(all_of(negate(is_last(call)), small), 0, length)


@breaks("chunk_len", "chunk-aligned")
def takes_what_is_proposed_before_the_last_chunk(call: ChunkCall, _faults: Faults) -> Term:
    cut = all_of(call.split.present, call.offset < call.split.value)
    end = choose(
        all_of(cut, call.split.value < call.proposed_end), call.split.value, call.proposed_end
    )
    return end - call.offset


@breaks("split_point")
def splits_as_the_reference(call: SplitCall, faults: Faults) -> Option[Term]:
    return encodings.tail_split_point(call, faults)


@breaks("split_point", "split-tail")
def splits_past_the_end(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(split.present, split.value + 3 * call.block_size.value)


def _deepest(call: DepthCall) -> Option[Term]:
    """Return the last boundary that is computed and strictly under the total."""
    block_size = call.block_size.value
    computed = floor_to(call.prefix + call.length, block_size)
    depth = choose(computed >= call.total, last_block_boundary(call.total, block_size), computed)
    return Option(all_of(block_size > 0, depth > call.prefix), depth)


@breaks("snapshot_depth")
def keeps_the_deepest_boundary(call: DepthCall, _faults: Faults) -> Option[Term]:
    return _deepest(call)


@breaks("snapshot_depth", "no-fault")
def looks_a_block_ahead(call: DepthCall, faults: Faults) -> Option[Term]:
    faults.add(call.prefix, call.block_size.value)
    return _deepest(call)


@breaks("snapshot_depth", "depth-past-prefix")
def keeps_the_prefix_again(call: DepthCall, _faults: Faults) -> Option[Term]:
    depth, block_size = _deepest(call), call.block_size.value
    again = all_of(block_size > 0, call.prefix > 0, call.prefix < call.total)
    aligned = all_of(again, floor_to(call.prefix, block_size) == call.prefix)
    repeats = all_of(negate(depth.present), aligned)
    return Option(any_of(depth.present, repeats), choose(repeats, call.prefix, depth.value))


@breaks("snapshot_depth", "depth-computed")
def keeps_what_is_not_computed_yet(call: DepthCall, _faults: Faults) -> Option[Term]:
    depth = last_block_boundary(call.total, call.block_size.value)
    return Option(all_of(call.block_size.value > 0, depth > call.prefix), depth)


@breaks("snapshot_depth", "depth-grid")
def keeps_the_last_token_but_one(call: DepthCall, _faults: Faults) -> Option[Term]:
    depth = choose(
        call.prefix + call.length >= call.total, call.total - 1, call.prefix + call.length
    )
    return Option(depth > call.prefix, depth)


@breaks("snapshot_depth", "depth-reachable")
def keeps_the_end_of_the_prompt(call: DepthCall, _faults: Faults) -> Option[Term]:
    depth = floor_to(call.prefix + call.length, call.block_size.value)
    return Option(all_of(call.block_size.value > 0, depth > call.prefix), depth)


@breaks("snapshot_depth", "depth-existence")
def keeps_nothing_after_a_short_pass(call: DepthCall, _faults: Faults) -> Option[Term]:
    depth = _deepest(call)
    return Option(all_of(depth.present, call.length > call.block_size.value), depth.value)


each_planner = pytest.mark.parametrize(
    "planner", PLANNERS, ids=lambda entry: entry.subject.function
)


@each_planner
def test_a_mistake_is_refuted_by_exactly_the_properties_that_it_breaks(planner: Planner) -> None:
    verdicts = prove(planner.subject, ENTRIES[planner.subject.role])
    found = {verdict.property.id: verdict.verdict for verdict in verdicts}
    assert found == {
        property_id: "refuted" if property_id in planner.breaks else "proved"
        for property_id in found
    }
    for verdict in verdicts:
        if verdict.witness is not None:
            run = planner.subject.run(verdict.witness.values)
            assert is_refuted_by(verdict.property, run)
            if run.fault is None:
                assert violation(verdict.property.id, run.call, run.answer)


def test_every_further_property_has_a_mistake_that_it_catches() -> None:
    caught = {property_id for planner in PLANNERS for property_id in planner.breaks}
    assert caught == {entry.id for entries in ENTRIES.values() for entry in entries}


@each_planner
@given(data=st.data())
def test_a_property_that_was_proved_holds_on_ints(planner: Planner, data: st.DataObject) -> None:
    run = planner.subject.perform(data.draw(calls_of(planner.subject.role)))
    for entry in ENTRIES[planner.subject.role]:
        if entry.id not in planner.breaks:
            assert entry.claim(run.call, run.outcome).formula() is True, entry.id


@pytest.mark.parametrize(
    "entry",
    [entry for entries in ENTRIES.values() for entry in entries],
    ids=lambda entry: f"{entry.role}-{entry.id}",
)
def test_no_property_holds_for_want_of_a_call_that_it_speaks_of(entry: Property) -> None:
    subject = next(
        planner.subject
        for planner in PLANNERS
        if planner.subject.role == entry.role and not planner.breaks
    )
    pins = {"block_size": 16}
    problem = formulate(subject, pins)
    claim = entry.claim(problem.call, Outcome(False, problem.answer))
    known = [*facts(problem.algebra), *exact(problem.algebra), *problem.algebra.definitions]
    decision = Solver([*problem.hypotheses, *known]).decide(problem.faults.sound(), claim.when)
    assert decision.result == "sat"

    run = subject.run(read_inputs(subject, problem, decision.model) | pins)
    assert is_scheduled(run.call) is True
    assert entry.claim(run.call, run.outcome).when is True


# What the rules say, told again on small numbers by listing every token


BLOCK_SIZES = [option_of(size) for size in (None, 0, 1, 3, 4)]
STOPS = [
    (),
    (option_of(5),),
    (option_of(None),),
    (option_of(2), option_of(8)),
    (option_of(-1), option_of(6)),
]


def chunk_calls() -> Iterator[ChunkCall]:
    for total, block_size, stops in product(range(10), BLOCK_SIZES, STOPS):
        for offset, split, limit in product(range(total + 1), (None, 4, 6), (None, 2, 4)):
            for proposed in range(total - offset + 1):
                yield ChunkCall(
                    *(offset, total, proposed, block_size, option_of(split)),
                    stops,
                    option_of(limit),
                )


def points_of(call: ChunkCall) -> tuple[set[int], set[int]]:
    """Return the block boundaries past the offset, and the mandatory stops."""
    size = call.block_size.value
    tokens = range(call.offset + 1, call.proposed_end + 1)
    boundaries = {token for token in tokens if size and token % size == 0}
    return boundaries, {stop.value for stop in (call.split, *call.stops) if stop.present}


def stop(call: ChunkCall, length: int) -> bool:
    _, stops = points_of(call)
    return not any(call.offset < token < call.offset + length for token in stops)


def split_stop(call: ChunkCall, length: int) -> bool:
    return call.offset + call.proposed >= call.total or stop(call, length)


def rest(call: ChunkCall, length: int) -> bool:
    boundaries, stops = points_of(call)
    inside = range(call.offset + 1, call.proposed_end)
    is_whole = call.proposed_end == call.total and not (boundaries | stops) & set(inside)
    return length == call.proposed if is_whole else True


def progress(call: ChunkCall, length: int) -> bool:
    size = call.block_size.value
    never = call.limit.present and size > call.limit.value
    last = call.proposed_end == call.total
    owed = call.proposed > 0 and (last or size == 0 or call.proposed >= size or never)
    return length in range(1 if owed else 0, call.proposed + 1)


def aligned(call: ChunkCall, length: int) -> bool:
    size, end = call.block_size.value, call.offset + length
    is_free = size == 0 or (call.limit.present and size > call.limit.value)
    if call.proposed_end == call.total or length < 1 or is_free:
        return True
    return end % size == 0 or end in points_of(call)[1]


def maximal(call: ChunkCall, length: int) -> bool:
    if call.proposed_end == call.total or call.proposed == 0:
        return True
    boundaries, stops = points_of(call)
    end = max(boundaries, default=call.proposed_end)
    room = min((token for token in stops if call.offset < token < end), default=end) - call.offset
    return length >= (room if room < 4 else room - room % 4)


def block_end(call: ChunkCall, length: int) -> bool:
    size = call.block_size.value
    boundaries, stops = points_of(call)
    is_middle = call.proposed_end < call.total and bool(boundaries)
    on_fours = size % 4 == 0 and call.offset % 4 == 0
    if is_middle and on_fours and all(token % size == 0 for token in stops):
        return (call.offset + length) % size == 0
    return True


TOLD_AGAIN = {
    "chunk-stop": stop,
    "chunk-split-stop": split_stop,
    "chunk-rest": rest,
    "chunk-progress": progress,
    "chunk-aligned": aligned,
    "chunk-maximal": maximal,
    "chunk-block-end": block_end,
}


@pytest.mark.parametrize("property_id", TOLD_AGAIN)
def test_a_rule_with_stops_and_a_limit_is_what_every_token_says(property_id: str) -> None:
    entries = [*ENTRIES["chunk_len"], *properties_of("chunk_len")]
    (entry,) = (entry for entry in entries if entry.id == property_id)
    seen = set()
    for call in chunk_calls():
        for length in range(call.proposed + 2):
            said = entry.claim(call, Outcome(False, length)).formula()
            assert said is TOLD_AGAIN[property_id](call, length), (call, length)
            seen.add(said)
    assert seen == {True, False}


def test_a_minimum_tail_moves_the_split_point_and_the_replay() -> None:
    """One answer is right: the lower of the two boundaries, or none where it is not above 0."""
    for total, size, min_tail in product(range(30), range(1, 6), range(14)):
        call = SplitCall(total, option_of(size), min_tail)
        lower = min((total - 1) // size * size - size, (total - min_tail) // size * size)
        right = option_of(lower if lower > 0 else None)
        rules = [*properties_of("split_point"), *ENTRIES["split_point"]]
        entries = [entry for entry in rules if entry.id != NO_FAULT]
        answers = [option_of(split) for split in (None, *range(total + 2))]
        kept = [
            answer
            for answer in answers
            if all(entry.claim(call, Outcome(False, answer)).formula() for entry in entries)
        ]
        assert kept == [right], call


def test_whoever_waits_owes_nothing_before_a_whole_block() -> None:
    call = ChunkCall(0, 100, 10, option_of(16), option_of(None))
    assert must_progress(call) is False
    assert must_progress(ChunkCall(0, 100, 16, option_of(16), option_of(None))) is True
