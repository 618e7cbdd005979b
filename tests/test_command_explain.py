"""``prefill-gate explain``, end to end."""

import pytest

from command_line import Shell
from prefill_spec.properties import PROPERTIES, PROPERTY_IDS, Property


def unwrapped(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("entry", PROPERTIES, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_a_property_is_explained_in_full(shell: Shell, entry: Property) -> None:
    result = shell.run("explain", entry.id)
    said = unwrapped(result.out)
    assert result.code == 0
    assert result.err == ""
    for part in (entry.id, entry.level, entry.role, entry.statement, entry.why):
        assert unwrapped(part) in said


def test_an_explanation_says_how_to_waive_the_property(shell: Shell) -> None:
    out = shell.run("explain", "chunk-maximal").out
    assert "[properties]" in out
    assert 'chunk-maximal = { level = "off", reason = ' in out


def test_without_an_id_every_property_is_listed_once(shell: Shell) -> None:
    result = shell.run("explain")
    first_words = [line.split()[0] for line in result.out.splitlines() if line[:1].isalpha()]
    listed = [word for word in first_words if word in PROPERTY_IDS]
    assert result.code == 0
    assert listed == list(PROPERTY_IDS)


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
