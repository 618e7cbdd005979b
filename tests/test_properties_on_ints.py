"""The specification, run on ints against the Python reference."""

from collections.abc import Iterator
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.subjects import is_scheduled, run_reference
from prefill_spec.calls import Call, CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.properties import properties_of
from prefill_spec.strategies import calls_of
from prefill_spec.vocabulary import Option, option_of

ONLY_IN_PROSE = "snapshot-boundary"

LARGEST_TOTAL = 12
BLOCK_SIZES = [option_of(size) for size in (None, *range(6))]


def broken_by_reference(call: Call) -> list[str]:
    run = run_reference(call)
    return [
        entry.id
        for entry in properties_of(call.role)
        if entry.id != ONLY_IN_PROSE and entry.claim(call, run.outcome).formula() is not True
    ]


def small_calls(role: str) -> Iterator[Call]:
    totals = range(LARGEST_TOTAL + 1)
    ends = range(LARGEST_TOTAL + 3)
    match role:
        case "chunk_len":
            splits: list[Option[int]] = [option_of(at) for at in (None, *range(LARGEST_TOTAL))]
            for total, block_size, split in product(totals, BLOCK_SIZES, splits):
                for offset in range(total + 1):
                    for proposed in range(total - offset + 1):
                        yield ChunkCall(offset, total, proposed, block_size, split)
        case "split_point":
            yield from (SplitCall(*part) for part in product(totals, BLOCK_SIZES))
        case "tail_end":
            yield from (TailEndCall(*part) for part in product(ends, totals, BLOCK_SIZES))
        case "checkpoint":
            parts = product(ends, totals, BLOCK_SIZES, range(4))
            yield from (CheckpointCall(*part) for part in parts)


@pytest.mark.parametrize("role", ENCODINGS)
@given(data=st.data())
@settings(max_examples=300)
def test_the_reference_keeps_every_property_at_full_width(role: str, data: st.DataObject) -> None:
    call = data.draw(calls_of(role))
    assert is_scheduled(call) is True
    assert broken_by_reference(call) == []


@pytest.mark.parametrize("role", ENCODINGS)
def test_the_reference_keeps_every_property_on_every_small_call(role: str) -> None:
    for call in small_calls(role):
        assert broken_by_reference(call) == [], call


def test_an_end_off_the_grid_saves_although_the_prose_says_otherwise() -> None:
    (entry,) = (entry for entry in properties_of("checkpoint") if entry.id == ONLY_IN_PROSE)
    call = CheckpointCall(33, 1000, option_of(16), 2)
    assert entry.claim(call, run_reference(call).outcome).formula() is False
