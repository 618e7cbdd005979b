"""The list of properties: ids, roles, levels and words are a contract with outsiders."""

import pytest

from prefill_spec.calls import CALLS
from prefill_spec.profiles import DISPATCHED, PROFILES, Profile
from prefill_spec.properties import (
    CONTRACT,
    NO_FAULT,
    PROPERTIES,
    PROPERTY_IDS,
    Property,
    properties_of,
)
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID, every_property_of
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

FURTHER = {
    "chunk_len": ["chunk-stop", "chunk-rest", "chunk-progress", "chunk-aligned"],
    "split_point": ["split-tail"],
    "snapshot_depth": [
        "no-fault",
        "depth-past-prefix",
        "depth-computed",
        "depth-grid",
        "depth-reachable",
        "depth-existence",
    ],
}
"""The properties beyond the eighteen."""


def test_there_are_eighteen_properties() -> None:
    assert len(PROPERTY_IDS) == len(set(PROPERTY_IDS)) == 18


def test_the_roles_have_their_properties_in_the_order_of_the_contract() -> None:
    assert list(CALLS) == [*ROLES, "snapshot_depth"]
    assert {role: [entry.id for entry in properties_of(role)] for role in ROLES} == ROLES
    assert [(entry.role, entry.id) for entry in PROPERTIES] == [
        (role, property_id) for role, ids in ROLES.items() for property_id in ids
    ]


def test_the_further_properties_follow_the_eighteen_of_their_role() -> None:
    for role in CALLS:
        ids = [entry.id for entry in every_property_of(role)]
        assert ids == ROLES.get(role, []) + FURTHER.get(role, [])
    assert [entry.role for entry in EVERY_PROPERTY] == sorted(
        (entry.role for entry in EVERY_PROPERTY), key=list(CALLS).index
    )


def test_only_the_boundary_and_the_existence_of_snapshots_are_warnings() -> None:
    warnings = [entry.id for entry in EVERY_PROPERTY if entry.level == "warn"]
    assert warnings == ["snapshot-boundary", "depth-existence"]
    assert {entry.level for entry in EVERY_PROPERTY} == {"deny", "warn"}


def test_every_property_is_there_since_a_version_of_the_contract() -> None:
    assert {entry.since for entry in EVERY_PROPERTY} <= set(range(1, CONTRACT + 1))


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_speaks_of_known_properties_and_cites_its_planners(profile: Profile) -> None:
    assert profile.waives.keys() <= set(PROPERTY_IDS)
    assert set(profile.adds) <= {*EVERY_PROPERTY_ID} - set(PROPERTY_IDS)
    assert all(reason for reason in profile.waives.values())
    assert all(source.startswith("https://github.com/") for source in profile.sources)
    assert profile.sources


def test_the_default_profile_asks_for_the_eighteen_and_for_the_depths_of_snapshots() -> None:
    assert next(iter(PROFILES.values())) is DISPATCHED
    assert {*PROPERTY_IDS, *FURTHER["snapshot_depth"]} == DISPATCHED.ids
    assert not DISPATCHED.waives


@pytest.mark.parametrize("entry", EVERY_PROPERTY, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_a_property_says_what_it_states_and_why(entry: Property) -> None:
    assert entry.statement
    assert not entry.statement.endswith(".")
    assert entry.why.endswith(".")


def test_every_property_but_no_fault_has_a_sentence_for_its_violation() -> None:
    assert {*_SENTENCES} == {*EVERY_PROPERTY_ID} - {NO_FAULT}
