"""``prefill-gate explain``, end to end."""

import pytest

from command_line import Shell
from prefill_gate.explanations import KNOWN_IDS
from prefill_spec.inductions import RunTheorem
from prefill_spec.profiles import PROFILES, Profile
from prefill_spec.properties import Property
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.table import EVERY_PROPERTY


def unwrapped(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("entry", EVERY_PROPERTY, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_a_property_is_explained_in_full(shell: Shell, entry: Property) -> None:
    result = shell.run("explain", entry.id)
    said = unwrapped(result.out)
    assert result.code == 0
    assert result.err == ""
    for part in (entry.id, entry.level, entry.role, entry.statement[1:], entry.why, entry.further):
        assert unwrapped(part) in said


def test_an_explanation_says_how_to_waive_the_property(shell: Shell) -> None:
    out = shell.run("explain", "chunk-maximal").out
    assert "[properties]" in out
    assert 'chunk-maximal = { level = "off", reason = ' in out


def test_without_an_id_everything_is_listed_once(shell: Shell) -> None:
    result = shell.run("explain")
    first_words = [line.split()[0] for line in result.out.splitlines() if line[:1].isalpha()]
    listed = [word for word in first_words if word in KNOWN_IDS]
    assert result.code == 0
    assert listed == list(KNOWN_IDS)


def test_the_list_has_one_column_for_each_kind_of_word(shell: Shell) -> None:
    header, rule, *rows = shell.run("explain").out.splitlines()
    columns = [header.index(word) for word in ("level", "what it says")]
    for row in [rule, *rows[:-2]]:
        assert [row[column - 1 : column] for column in columns] == [" ", " "]
    assert max(map(len, rows)) <= 110


@pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)
def test_a_run_theorem_is_explained_in_full(shell: Shell, theorem: RunTheorem) -> None:
    result = shell.run("explain", theorem.id)
    said = unwrapped(result.out)
    assert result.code == 0
    for part in (theorem.id, theorem.statement[1:], theorem.why, *theorem.uses):
        assert unwrapped(part) in said


def test_as_json_an_explanation_has_its_sections(shell: Shell) -> None:
    result = shell.run("explain", "chunk-grid", "--format", "json")
    (entry,) = result.json()["entries"]
    assert result.code == 0
    assert [entry[name] for name in ("id", "kind", "level", "roles")] == [
        "chunk-grid",
        "property",
        "deny",
        ["chunk_len"],
    ]
    assert "then  offset + length <= floor(" in entry["sections"]["Formula"]


def test_as_json_everything_is_listed_in_full(shell: Shell) -> None:
    entries = shell.run("explain", "--format", "json").json()["entries"]
    assert [entry["id"] for entry in entries] == list(KNOWN_IDS)
    assert all(entry["sections"] for entry in entries)


def test_an_error_is_json_too(shell: Shell) -> None:
    result = shell.run("explain", "chunk-maximum", "--format", "json")
    assert result.code == 2
    assert result.json()["command"] == "explain"


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_is_explained_with_its_reasons_and_its_sources(
    shell: Shell, profile: Profile
) -> None:
    result = shell.run("explain", profile.id)
    said = unwrapped(result.out)
    assert result.code == 0
    for part in (profile.id, profile.statement[1:], *profile.sources, f'profile = "{profile.id}"'):
        assert unwrapped(part) in said
    for waived, reason in profile.waives.items():
        assert f"{waived}: {reason}" in said
    for added in profile.adds:
        assert f"{added}: " in said


def test_a_property_that_profiles_add_says_which_and_other_properties_do_not(shell: Shell) -> None:
    said = unwrapped(shell.run("explain", "chunk-rest").out)
    assert "the profile self-splitting or waiting" in said
    assert "asked for by" not in shell.run("explain", "chunk-length").out
    assert "profile" not in shell.run("explain", "depth-grid").out


def test_explaining_the_maximal_chunk_admits_that_it_refuses_planners_that_are_no_bugs(
    shell: Shell,
) -> None:
    assert "refuses planners that are no bugs" in unwrapped(
        shell.run("explain", "chunk-maximal").out
    )


def test_an_unknown_property_is_bad_usage_and_the_nearest_one_is_offered(shell: Shell) -> None:
    result = shell.run("explain", "chunk-maximum")
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert "'chunk-maximum'" in result.err
    assert "chunk-maximal" in result.err
