"""The list of properties: ids, roles, levels and words are a contract with outsiders."""

import pytest

from prefill_spec.calls import CALLS
from prefill_spec.properties import NO_FAULT, PROPERTIES, PROPERTY_IDS, Property, properties_of
from prefill_spec.violations import _SENTENCES

ROLES = {
    "chunk_len": [
        "no-fault",
        "chunk-empty",
        "chunk-length",
        "chunk-last",
        "chunk-split-stop",
        "chunk-grid",
        "chunk-block-end",
        "chunk-wy4",
        "chunk-maximal",
    ],
    "split_point": [
        "no-fault",
        "split-existence",
        "split-aligned",
        "split-restorable",
        "split-replay",
    ],
    "tail_end": ["no-fault", "tail-end"],
    "checkpoint": [
        "no-fault",
        "snapshot-never",
        "snapshot-tail",
        "snapshot-interval",
        "snapshot-boundary",
    ],
}


def test_there_are_eighteen_properties() -> None:
    assert len(PROPERTY_IDS) == len(set(PROPERTY_IDS)) == 18


def test_the_roles_have_their_properties_in_the_order_of_the_contract() -> None:
    assert list(CALLS) == list(ROLES)
    assert {role: [entry.id for entry in properties_of(role)] for role in CALLS} == ROLES
    assert [(entry.role, entry.id) for entry in PROPERTIES] == [
        (role, property_id) for role, ids in ROLES.items() for property_id in ids
    ]


def test_only_the_boundary_of_snapshots_is_a_warning() -> None:
    assert [entry.id for entry in PROPERTIES if entry.level == "warn"] == ["snapshot-boundary"]
    assert {entry.level for entry in PROPERTIES} == {"deny", "warn"}


@pytest.mark.parametrize("entry", PROPERTIES, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_a_property_says_what_it_states_and_why(entry: Property) -> None:
    assert entry.statement
    assert not entry.statement.endswith(".")
    assert entry.why.endswith(".")


def test_every_property_but_no_fault_has_a_sentence_for_its_violation() -> None:
    assert {*_SENTENCES} == {*PROPERTY_IDS} - {NO_FAULT}
