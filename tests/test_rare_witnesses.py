"""Mistakes at one block size only, or at a huge one: refuted like any other."""

import pytest

from prefill_proofs import encodings
from prefill_proofs.faults import Faults
from prefill_proofs.prover import prove
from prefill_proofs.subjects import HandEncoded, run_on_ints
from prefill_proofs.terms import choose
from prefill_proofs.witnesses import is_refuted_by
from prefill_spec.calls import CheckpointCall, ChunkCall, SplitCall
from prefill_spec.properties import properties_of
from prefill_spec.vocabulary import Formula, Option, Term, all_of


def doubles_the_block_size(call: SplitCall, faults: Faults) -> Option[Term]:
    faults.multiply(call.block_size.value, 2)
    return encodings.tail_split_point(call, faults)


def adds_the_block_size_to_any_proposed_end(call: ChunkCall, faults: Faults) -> Term:
    faults.add(call.block_size.value, call.block_size.value, when=call.proposed > 0)
    return encodings.plan_chunk_len(call, faults)


def has_no_split_for_blocks_of_7(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(all_of(split.present, call.block_size.value != 7), split.value)


def moves_the_split_of_huge_blocks(call: SplitCall, faults: Faults) -> Option[Term]:
    split = encodings.tail_split_point(call, faults)
    return Option(
        split.present, choose(call.block_size.value > 10**6, split.value - 1, split.value)
    )


def saves_nothing_at_interval_100(call: CheckpointCall, faults: Faults) -> Formula:
    return all_of(encodings.is_checkpoint_chunk_end(call, faults), call.interval != 100)


def multiplies_the_interval_by_the_block_size(call: CheckpointCall, faults: Faults) -> Formula:
    faults.multiply(call.block_size.value, call.interval)
    return encodings.is_checkpoint_chunk_end(call, faults)


@pytest.mark.parametrize(
    ("role", "encoding", "property_id"),
    [
        ("split_point", doubles_the_block_size, "no-fault"),
        ("chunk_len", adds_the_block_size_to_any_proposed_end, "no-fault"),
        ("split_point", has_no_split_for_blocks_of_7, "split-existence"),
        ("split_point", moves_the_split_of_huge_blocks, "split-aligned"),
        ("checkpoint", saves_nothing_at_interval_100, "snapshot-tail"),
        ("checkpoint", multiplies_the_interval_by_the_block_size, "no-fault"),
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_a_mistake_at_a_rare_divisor_is_refuted(role: str, encoding, property_id: str) -> None:
    subject = HandEncoded(role, encoding.__name__, encoding, run_on_ints(encoding))
    (entry,) = (entry for entry in properties_of(role) if entry.id == property_id)
    (verdict,) = prove(subject, [entry])
    assert verdict.verdict == "refuted"
    assert verdict.witness is not None
    assert is_refuted_by(entry, subject.run(verdict.witness.values))
