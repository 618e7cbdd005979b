"""Every property catches a planner that breaks it, and leaves alone the planners that do not."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from broken_encodings import BROKEN, Broken
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.prover import prove
from prefill_proofs.witnesses import is_refuted_by
from prefill_spec.properties import NO_FAULT, PROPERTY_IDS, properties_of
from prefill_spec.strategies import calls_of
from prefill_spec.violations import violation

each_broken = pytest.mark.parametrize("broken", BROKEN, ids=lambda entry: entry.subject.function)


@each_broken
def test_a_mistake_is_refuted_by_exactly_the_properties_that_it_breaks(broken: Broken) -> None:
    verdicts = prove(broken.subject, properties_of(broken.subject.role))
    expected = {
        verdict.property.id: "refuted" if verdict.property.id in broken.breaks else "proved"
        for verdict in verdicts
    }
    assert {verdict.property.id: verdict.verdict for verdict in verdicts} == expected


@each_broken
def test_the_witness_of_a_mistake_reproduces_on_ints(broken: Broken) -> None:
    entries = [entry for entry in properties_of(broken.subject.role) if entry.id in broken.breaks]
    for verdict in prove(broken.subject, entries):
        assert verdict.witness is not None
        run = broken.subject.run(verdict.witness.values)
        assert run == verdict.witness.run
        assert is_refuted_by(verdict.property, run)
        assert (run.fault is not None) == (verdict.property.id == NO_FAULT)
        if verdict.property.id != NO_FAULT:
            assert violation(verdict.property.id, run.call, run.answer)


def test_every_property_has_a_mistake_that_it_catches() -> None:
    caught = {property_id for broken in BROKEN for property_id in broken.breaks}
    assert caught == set(PROPERTY_IDS)
    assert {broken.subject.role for broken in BROKEN if NO_FAULT in broken.breaks} == set(ENCODINGS)


@each_broken
@given(data=st.data())
@settings(max_examples=25)
def test_a_property_that_was_proved_of_a_mistake_holds_on_ints(
    broken: Broken, data: st.DataObject
) -> None:
    run = broken.subject.perform(data.draw(calls_of(broken.subject.role)))
    for entry in properties_of(broken.subject.role):
        if entry.id not in broken.breaks:
            assert entry.claim(run.call, run.outcome).formula() is True, entry.id


def test_a_witness_leaves_out_what_does_not_matter() -> None:
    (broken,) = (
        entry
        for entry in BROKEN
        if entry.subject.function == "looks_one_block_ahead_without_a_check"
    )
    (verdict,) = prove(broken.subject, [properties_of("chunk_len")[0]])
    assert verdict.witness is not None
    assert verdict.witness.values["split"] is None
