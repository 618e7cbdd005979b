"""Profiles and further arguments in ``prefill-gate.toml``, end to end."""

from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell
from prefill_spec.calls import CALLS
from prefill_spec.further_properties import FURTHER_PROPERTIES
from prefill_spec.profiles import PROFILES, SELF_SPLITTING, WAITING
from prefill_spec.properties import PROPERTIES

DIVIDES_ITS_OWN = """\
pub fn plan_chunk_len(
    offset: usize, total: usize, proposed: usize, block_size: usize, split: Option<usize>,
    promotion: Option<usize>, budget: usize,
) -> usize {
    let mut end = offset + proposed;
    if block_size > 0 && end < total {
        let floored = end / block_size * block_size;
        if floored > offset || block_size <= budget {
            end = floored.max(offset);
        }
    }
    if let Some(at) = split {
        if offset < at && at < end {
            end = at;
        }
    }
    if let Some(at) = promotion {
        if offset < at && at < end {
            end = at;
        }
    }
    end - offset
}
"""

MINIMUM_TAIL = """\
pub fn tail_split_point(total: usize, block_size: usize, rows: usize) -> Option<usize> {
    if block_size == 0 || total <= block_size || total < rows {
        return None;
    }
    let below = (total - 1) / block_size * block_size - block_size;
    let at = below.min((total - rows) / block_size * block_size);
    if at > 0 { Some(at) } else { None }
}
"""

DEPTH = """\
pub fn snapshot_depth(prefix: usize, length: usize, total: usize, block_size: usize)
    -> Option<usize>
{
    if block_size == 0 { return None; }
    let depth = (prefix + length) / block_size * block_size;
    if depth > prefix { Some(depth) } else { None }
}
"""

WITH_PROMOTION = """\
[planner]
profile = "waiting"
[planner.roles.chunk_len]
stops = ["promotion"]
limit = "budget"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def check(shell: Shell, folder: Path, source: str, config: str = "", *arguments: str) -> Result:
    (folder / "planner.rs").write_text(source)
    (folder / "prefill-gate.toml").write_text(config)
    return shell.run("check", "planner.rs", "--format", "json", *arguments)


def rows_of(result: Result) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in result.json()["properties"] if row["role"] in CALLS}


def verdicts_of(result: Result) -> dict[str, str]:
    return {property_id: row["verdict"] for property_id, row in rows_of(result).items()}


def test_a_profile_waives_with_its_reasons_and_adds(shell: Shell, folder: Path) -> None:
    result = check(shell, folder, DIVIDES_ITS_OWN, WITH_PROMOTION)
    rows = rows_of(result)
    waived = {entry: row["reason"] for entry, row in rows.items() if row["verdict"] == "waived"}
    assert waived == WAITING.waives
    chunk = {entry: row["verdict"] for entry, row in rows.items() if row["role"] == "chunk_len"}
    assert set(WAITING.adds) < chunk.keys()
    assert {verdict for entry, verdict in chunk.items() if entry not in waived} == {"proved"}
    assert result.code == 0


def test_without_a_profile_no_row_speaks_of_one(shell: Shell, folder: Path) -> None:
    rows = rows_of(check(shell, folder, DIVIDES_ITS_OWN))
    assert list(rows) == list(dict.fromkeys(entry.id for entry in PROPERTIES))
    assert rows["chunk-length"]["verdict"] == "refuted"


def test_the_default_profile_may_be_named(shell: Shell, folder: Path) -> None:
    named = check(shell, folder, DIVIDES_ITS_OWN, '[planner]\nprofile = "dispatched"\n')
    assert verdicts_of(named) == verdicts_of(check(shell, folder, DIVIDES_ITS_OWN))


def test_the_configuration_wins_over_its_profile(shell: Shell, folder: Path) -> None:
    config = WITH_PROMOTION + (
        '[properties.chunk-length]\nlevel = "warn"\nreason = "rare"\n'
        '[properties.chunk-last]\nlevel = "off"\nreason = "our own"\n'
        '[properties.chunk-rest]\nlevel = "off"\nreason = "not yet"\n'
    )
    rows = rows_of(check(shell, folder, DIVIDES_ITS_OWN, config))
    assert (rows["chunk-length"]["verdict"], rows["chunk-length"]["level"]) == ("refuted", "warn")
    assert rows["chunk-last"]["reason"] == "our own"
    assert rows["chunk-rest"]["verdict"] == "waived"
    assert rows["chunk-rest"]["reason"] == "not yet"


def test_a_level_asks_for_a_property_that_no_profile_adds(shell: Shell, folder: Path) -> None:
    config = '[properties.chunk-aligned]\nlevel = "warn"\nreason = "rare"\n'
    rows = rows_of(check(shell, folder, DIVIDES_ITS_OWN, config))
    assert rows["chunk-aligned"]["verdict"] == "refuted"
    assert rows["chunk-aligned"]["level"] == "warn"
    assert "chunk-stop" not in rows


@pytest.mark.parametrize("entry", FURTHER_PROPERTIES, ids=lambda entry: entry.id)
def test_a_property_asked_for_by_name_is_run_without_a_profile(
    shell: Shell, folder: Path, entry
) -> None:
    source = DIVIDES_ITS_OWN + MINIMUM_TAIL
    result = check(shell, folder, source, "", "--property", entry.id)
    assert list(rows_of(result)) == [entry.id]


def test_an_unknown_profile_is_bad_usage_and_those_there_are_are_named(
    shell: Shell, folder: Path
) -> None:
    result = check(shell, folder, DIVIDES_ITS_OWN, '[planner]\nprofile = "own"\n')
    assert result.code == 2
    assert all(profile in result.err for profile in PROFILES)


# Stops, limit, minimum tail


def test_a_planner_that_runs_over_a_further_stop_is_refuted_with_it(
    shell: Shell, folder: Path
) -> None:
    config = WITH_PROMOTION.replace('limit = "budget"\n', "")
    over = DIVIDES_ITS_OWN.replace("if let Some(at) = promotion", "if let Some(at) = split")
    row = rows_of(check(shell, folder, over, config))["chunk-split-stop"]
    assert row["verdict"] == "refuted"
    (stop,) = row["witness"]["stops"]
    assert row["message"] == f"the chunk ends at {row['observed']}, past the mandatory stop {stop}"
    assert "limit" not in row["witness"]


def test_further_arguments_are_not_missed_where_none_is_given(shell: Shell, folder: Path) -> None:
    report = check(shell, folder, DIVIDES_ITS_OWN + MINIMUM_TAIL).json()
    assert not [text for text in report["assumptions"] if "stop" in text or "limit" in text]
    assert all(
        row["witness"].keys().isdisjoint({"stops", "limit", "min_tail"})
        for row in report["properties"]
        if "witness" in row
    )


def test_stops_may_be_expressions_and_fixed_numbers(shell: Shell, folder: Path) -> None:
    config = WITH_PROMOTION.replace('"promotion"', '"promotion", "total", "split"')
    report = check(shell, folder, DIVIDES_ITS_OWN, config).json()
    assert report["verdict"] == "holds"
    config = WITH_PROMOTION.replace('"promotion"', '"offset / 2 + 7"')
    report = check(shell, folder, DIVIDES_ITS_OWN, config).json()
    assert report["verdict"] == "refuted"
    assert any("a stop is offset / 2 + 7" in text for text in report["assumptions"])


def test_a_block_above_the_limit_may_not_wait(shell: Shell, folder: Path) -> None:
    waits = DIVIDES_ITS_OWN.replace("floored > offset || block_size <= budget", "true")
    found = verdicts_of(check(shell, folder, waits, WITH_PROMOTION))
    assert found["chunk-progress"] == "refuted"
    without = WITH_PROMOTION.replace('limit = "budget"\n', "")
    assert verdicts_of(check(shell, folder, waits, without))["chunk-progress"] == "proved"


def test_a_minimum_tail_is_proved_with_its_profile(shell: Shell, folder: Path) -> None:
    config = '[planner]\nprofile = "minimum-tail"\n[planner.roles.split_point]\nmin_tail = "rows"\n'
    rows = rows_of(check(shell, folder, MINIMUM_TAIL, config))
    found = {entry: row["verdict"] for entry, row in rows.items() if row["role"] == "split_point"}
    assert found.pop("split-tail") == "proved"
    assert set(found.values()) == {"proved"}
    assert verdicts_of(check(shell, folder, MINIMUM_TAIL))["split-existence"] == "refuted"


def test_a_planner_with_further_arguments_is_not_held_to_the_reference(
    shell: Shell, folder: Path
) -> None:
    config = '[planner.roles.split_point]\nmin_tail = "rows"\n'
    reference = MINIMUM_TAIL.replace("total < rows", "false").replace(
        "below.min((total - rows) / block_size * block_size)", "below"
    )
    result = check(shell, folder, reference, config, "--playback")
    assert rows_of(result)["split-existence"]["verdict"] == "refuted"
    assert "assert_ne!" in result.err
    assert "assert_eq!" not in result.err


# Snapshot depths


def test_the_depth_of_a_snapshot_is_checked_where_a_file_plans_it(
    shell: Shell, folder: Path
) -> None:
    result = check(shell, folder, DEPTH)
    rows = {entry: row for entry, row in rows_of(result).items() if row["verdict"] != "skipped"}
    assert {row["role"] for row in rows.values()} == {"snapshot_depth"}
    refuted = {entry for entry, row in rows.items() if row["verdict"] == "refuted"}
    assert refuted == {"depth-reachable"}
    witness = rows["depth-reachable"]["witness"]
    assert rows["depth-reachable"]["observed"] == witness["total"]
    assert shell.run("check", "planner.rs", "--playback").code == 1


def test_a_depth_that_nobody_plans_is_skipped_only_where_the_configuration_names_it(
    shell: Shell, folder: Path
) -> None:
    assert "depth-grid" not in rows_of(check(shell, folder, MINIMUM_TAIL))
    config = '[planner.roles.snapshot_depth]\nassume = ["prefix == 0"]\n'
    assert verdicts_of(check(shell, folder, MINIMUM_TAIL, config))["depth-grid"] == "skipped"


def test_the_theorems_that_rest_on_what_a_profile_waives_are_lost(
    shell: Shell, folder: Path
) -> None:
    config = '[planner]\nprofile = "self-splitting"\n'
    report = check(shell, folder, DIVIDES_ITS_OWN, config).json()
    lost = {row["id"]: row["because"] for row in report["properties"] if row["verdict"] == "lost"}
    assert set(lost["run-split-visited"]) & SELF_SPLITTING.waives.keys() == {"chunk-last"}
