"""``prefill-gate explain``, end to end."""

import pytest

from command_line import Shell
from prefill_spec.profiles import PROFILES, Profile
from prefill_spec.properties import Property
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID


def unwrapped(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("entry", EVERY_PROPERTY, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_a_property_is_explained_in_full(shell: Shell, entry: Property) -> None:
    result = shell.run("explain", entry.id)
    said = unwrapped(result.out)
    assert result.code == 0
    assert result.err == ""
    for part in (entry.id, entry.level, entry.role, entry.statement, entry.why, entry.further):
        assert unwrapped(part) in said


def test_an_explanation_says_how_to_waive_the_property(shell: Shell) -> None:
    out = shell.run("explain", "chunk-maximal").out
    assert "[properties]" in out
    assert 'chunk-maximal = { level = "off", reason = ' in out


def test_without_an_id_every_property_is_listed_once(shell: Shell) -> None:
    result = shell.run("explain")
    first_words = [line.split()[0] for line in result.out.splitlines() if line[:1].isalpha()]
    listed = [word for word in first_words if word in EVERY_PROPERTY_ID]
    assert result.code == 0
    assert listed == list(EVERY_PROPERTY_ID)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_a_profile_is_explained_with_its_reasons_and_its_sources(
    shell: Shell, profile: Profile
) -> None:
    result = shell.run("explain", profile.id)
    said = unwrapped(result.out)
    assert result.code == 0
    for part in (profile.id, profile.statement, *profile.sources, f'profile = "{profile.id}"'):
        assert unwrapped(part) in said
    for waived, reason in profile.waives.items():
        assert f"{waived}: {reason}" in said
    for added in profile.adds:
        assert f"{added}: " in said


def test_a_property_that_profiles_add_says_which_and_other_properties_do_not(shell: Shell) -> None:
    said = unwrapped(shell.run("explain", "chunk-rest").out)
    assert "the profile self-splitting or waiting" in said
    assert "profile" not in shell.run("explain", "chunk-length").out
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
