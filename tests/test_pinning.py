"""The properties pin the planner, and each is needed for it but those said to be implied."""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from command_line import Shell
from prefill_gate import pinning_rows
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.pinning import (
    denied_properties,
    find_breach,
    find_disagreement,
    pinning_properties,
)
from prefill_proofs.subjects import concrete_call, is_scheduled, run_reference
from prefill_spec.calls import OPTIONAL_ANSWERS, Call, parameters
from prefill_spec.properties import PROPERTIES, Outcome, Property
from prefill_spec.vocabulary import option_of

ROLES = tuple(ENCODINGS)
PINNING = [entry for role in ROLES for entry in pinning_properties(role)]

SMALL: dict[str, tuple[int | None, ...]] = {
    "offset": tuple(range(7)),
    "total": tuple(range(8)),
    "proposed": tuple(range(8)),
    "block_size": (None, 1, 2, 4),
    "split": (None, 1, 2, 4),
    "end_token": tuple(range(8)),
    "interval": (0, 1, 2),
}

each_role = pytest.mark.parametrize("role", ROLES)


def named(entry: Property) -> str:
    return f"{entry.role}-{entry.id}"


def keeps_on_ints(properties: list[Property], call: Call, outcome: Outcome) -> bool:
    return all(entry.claim(call, outcome).formula() is True for entry in properties)


def small_calls(role: str) -> Iterator[Call]:
    names = parameters(role)
    for values in product(*(SMALL[name] for name in names)):
        call = concrete_call(role, dict(zip(names, values, strict=True)))
        if is_scheduled(call) is True:
            yield call


def small_answers(role: str) -> list[Any]:
    if role == "chunk_len":
        return list(range(9))
    return (
        [option_of(value) for value in (None, *range(9))]
        if role in OPTIONAL_ANSWERS
        else [False, True]
    )


@each_role
def test_two_outcomes_that_keep_the_properties_are_the_same(role: str) -> None:
    assert find_disagreement(role, pinning_properties(role)).verdict == "proved"


@each_role
def test_of_every_small_call_the_reference_alone_keeps_the_properties(role: str) -> None:
    properties = list(denied_properties(role))
    outcomes = [Outcome(False, answer) for answer in small_answers(role)]
    calls = 0
    for call in small_calls(role):
        kept = [entry.answer for entry in outcomes if keeps_on_ints(properties, call, entry)]
        assert kept == [run_reference(call).answer], call
        calls += 1
    assert calls > 30


@pytest.mark.parametrize("left_out", PINNING, ids=named)
def test_without_one_of_its_properties_a_role_is_not_pinned(left_out: Property) -> None:
    others = [entry for entry in denied_properties(left_out.role) if entry is not left_out]
    found = find_disagreement(left_out.role, others)
    assert found.verdict == "refuted"
    assert found.witness is not None
    call, (one, other) = found.witness.run.call, found.witness.run.answer
    assert is_scheduled(call) is True
    assert keeps_on_ints(others, call, one)
    assert keeps_on_ints(others, call, other)
    assert (one.faulted, other.faulted) != (True, True)
    assert one.faulted != other.faulted or one.answer != other.answer


@pytest.mark.parametrize("entry", PROPERTIES, ids=named)
def test_a_property_is_implied_exactly_where_the_table_says_so(entry: Property) -> None:
    others = [other for other in denied_properties(entry.role) if other is not entry]
    found = find_breach(entry, others)
    assert found.verdict == ("proved" if entry.is_implied else "refuted")
    if found.witness is not None:
        call, (outcome,) = found.witness.run.call, found.witness.run.answer
        assert is_scheduled(call) is True
        assert keeps_on_ints(others, call, outcome)
        assert not keeps_on_ints([entry], call, outcome)


def test_the_table_calls_one_property_implied() -> None:
    assert [entry.id for entry in PROPERTIES if entry.is_implied] == ["chunk-block-end"]


# The command line


def test_prove_says_that_the_properties_pin_the_planner(shell: Shell) -> None:
    rows = shell.run("prove", "--format", "json").json()["pinning"]
    assert [(row["id"], row["role"], row["verdict"]) for row in rows] == [
        ("pinned", role, "proved") for role in ROLES
    ]
    assert [name for row in rows for name in row["uses"]] == [entry.id for entry in PINNING]
    assert "Pinned: any two planners" in shell.run("prove").out


def test_prove_shows_what_each_property_alone_forbids(shell: Shell) -> None:
    result = shell.run("prove", "--pinning", "--format", "json")
    rows = [row for row in result.json()["pinning"] if row["id"] != "pinned"]
    assert result.code == 0
    assert [(row["id"], row["role"]) for row in rows] == [
        (entry.id, entry.role) for entry in PROPERTIES
    ]
    for row in rows:
        if row["id"] == "chunk-block-end":
            assert row["verdict"] == "implied"
            assert "witness" not in row
        else:
            assert row["verdict"] == "independent"
            assert row["message"]
            assert [*row["witness"]] == list(parameters(row["role"]))


def test_the_text_shows_what_a_property_alone_forbids(shell: Shell) -> None:
    out = " ".join(shell.run("prove", "--pinning", "--property", "chunk-grid").out.split())
    assert "chunk-grid chunk_len offset = " in out
    assert "independent" in out
    assert "Pinned" not in out
    implied = shell.run("prove", "--pinning", "--property", "chunk-block-end").out
    assert "nothing: the other properties imply it" in implied


def test_a_specification_that_pins_too_little_is_refuted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_grid(role: str) -> list[Property]:
        return [entry for entry in pinning_properties(role) if entry.id != "chunk-grid"]

    monkeypatch.setattr(pinning_rows, "pinning_properties", without_grid)
    result = shell.run("prove")
    assert result.code == 1
    assert "not pinned: chunk_len: given offset = " in " ".join(result.out.split())
    assert "reference: refuted." in result.out


def test_an_explanation_calls_an_implied_property_a_convenience(shell: Shell) -> None:
    assert "convenience" in shell.run("explain", "chunk-block-end").out
    assert "convenience" not in shell.run("explain", "chunk-grid").out
