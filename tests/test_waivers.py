"""Waivers that except a region: the property has to hold everywhere else."""

import json
from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell

RUST = """
fn short_of() -> usize {
    std::env::var("SHORT_OF").ok().and_then(|value| value.parse().ok()).unwrap_or(0)
}

pub fn tail_split_point(total: usize, block_size: usize, min_rows: usize) -> Option<usize> {
    if block_size == 0 || total / 2 < block_size || total <= 2 * block_size { return None; }
    if min_rows > block_size && total - block_size < min_rows { return None; }
    if short_of() > 7 { return None; }
    Some((total - 1) / block_size * block_size - block_size)
}
"""

PYTHON = """
def tail_split_point(total, block_size, min_rows):
    if block_size == 0 or total <= 2 * block_size:
        return None
    if min_rows > block_size and total - block_size < min_rows:
        return None
    return (total - 1) // block_size * block_size - block_size
"""

EXISTENCE = ("--property", "split-existence")
WHERE = "min_rows > block_size || short_of > 7"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "planner.rs").write_text(RUST)
    (tmp_path / "planner.py").write_text(PYTHON)
    return tmp_path


def waive(folder: Path, region: str, name: str = "split-existence") -> None:
    """Except a property in a region."""
    waiver = f'{name} = {{ except = {json.dumps(region)}, reason = "short tails are cheap" }}'
    (folder / "prefill-gate.toml").write_text(f"[properties]\n{waiver}\n")


def check(shell: Shell, *arguments: str) -> Result:
    return shell.run("check", *arguments, "--format", "json")


def only_row(result: Result) -> dict[str, Any]:
    (row,) = result.json()["properties"]
    return row


@pytest.mark.usefixtures("folder")
def test_without_a_waiver_the_planner_is_refuted(shell: Shell) -> None:
    for name in ("planner.rs", "planner.py"):
        assert check(shell, name, *EXISTENCE).code == 1


@pytest.mark.parametrize("call", ["short_of", "short_of()"])
def test_a_region_is_left_out_and_shown(shell: Shell, folder: Path, call: str) -> None:
    region = WHERE.replace("short_of", call)
    waive(folder, region)
    result = check(shell, "planner.rs", *EXISTENCE)
    row = only_row(result)
    assert result.code == 0
    assert row["verdict"] == "proved"
    assert row["scope"] == f"usize, except where {region}"
    assert row["except"] == region
    assert row["reason"] == "short tails are cheap"
    shown = shell.run("check", "planner.rs", *EXISTENCE).out
    assert f"split-existence: excepted where {region}: short tails are cheap" in shown


def test_a_region_is_left_out_of_a_python_planner(shell: Shell, folder: Path) -> None:
    waive(folder, "min_rows > block_size")
    assert check(shell, "planner.py", *EXISTENCE).code == 0


def test_a_property_still_has_to_hold_outside_its_region(shell: Shell, folder: Path) -> None:
    waive(folder, "min_rows > block_size + 2 || short_of > 7")
    result = check(shell, "planner.rs", *EXISTENCE)
    row = only_row(result)
    assert result.code == 1
    assert row["verdict"] == "refuted"
    assert row["witness"]["min_rows"] == row["witness"]["block_size"] + 2


def test_where_the_region_faults_the_property_has_to_hold(shell: Shell, folder: Path) -> None:
    # min_rows - block_size underflows below block_size, where the property holds; above it, too.
    waive(folder, "short_of > 7 || min_rows - block_size < min_rows")
    assert check(shell, "planner.rs", *EXISTENCE).code == 0
    # block_size - min_rows underflows exactly where the property fails: nothing is excepted there.
    waive(folder, "short_of > 7 || block_size - min_rows >= 0")
    row = only_row(check(shell, "planner.rs", *EXISTENCE))
    assert row["verdict"] == "refuted"
    assert row["witness"]["min_rows"] > row["witness"]["block_size"]


def test_other_properties_keep_their_whole_domain(shell: Shell, folder: Path) -> None:
    waive(folder, WHERE)
    rows = check(shell, "planner.rs", "--property", "split-aligned").json()["properties"]
    assert [row["scope"] for row in rows] == ["usize"]


def test_a_waiver_that_waives_nothing_is_a_warning(shell: Shell, folder: Path) -> None:
    waive(folder, WHERE, "split-aligned")
    result = check(shell, "planner.rs", "--property", "split-aligned")
    assert result.code == 0
    assert only_row(result)["scope"] == "usize"
    assert result.json()["warnings"] == [
        f"tail_split_point: split-aligned holds where {WHERE}, too; its except waives nothing, "
        "remove it"
    ]
    shown = shell.run("check", "planner.rs", "--property", "split-aligned").out
    assert "warning: tail_split_point: split-aligned holds where" in " ".join(shown.split())


def test_a_waiver_that_is_needed_warns_of_nothing(shell: Shell, folder: Path) -> None:
    waive(folder, WHERE)
    assert "warnings" not in check(shell, "planner.rs", *EXISTENCE).json()


def test_theorems_that_rest_on_an_excepted_property_are_lost(shell: Shell, folder: Path) -> None:
    waive(folder, WHERE)
    rows = {row["id"]: row for row in check(shell, "planner.rs").json()["properties"]}
    assert rows["run-replay"]["verdict"] == "lost"
    assert "split-existence" in rows["run-replay"]["because"]
    assert f"split-existence is excepted where {WHERE}" in rows["run-replay"]["reason"]
    assert rows["run-snapshot-saved"]["verdict"] == "skipped"


@pytest.mark.parametrize("region", ["total >= 0", "min_rows >= 0 && block_size > 0", "true"])
def test_a_region_that_leaves_nothing_to_say_is_refused(
    shell: Shell, folder: Path, region: str
) -> None:
    waive(folder, region)
    # No split point for 3 tokens in blocks of 1: split-replay speaks of those there are only.
    (folder / "planner.rs").write_text(RUST.replace("- block_size)\n", "- block_size + 1)\n"))
    waive(folder, region, "split-aligned")
    result = check(shell, "planner.rs", "--property", "split-aligned")
    (error,) = result.json()["errors"]
    assert result.code == 2
    assert "leave split-aligned nothing to say" in error["message"]
    assert error["line"] == 2


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('{ except = "min_rows > 1" }', "except needs a reason"),
        ('{ except = "min_rows > 1", reason = " " }', "except needs a reason"),
        ('{ reason = "why" }', "says nothing"),
        ('{ level = "off", except = "min_rows > 1", reason = "why" }', "is off everywhere"),
        ('{ except = 3, reason = "why" }', "must be a table"),
        ('{ except = "min_rows + 1", reason = "why" }', "is no condition"),
        ('{ except = "min_row > 1", reason = "why" }', "did you mean min_rows?"),
        ('{ except = { split = "true" }, reason = "why" }', "did you mean split_point?"),
    ],
)
def test_a_waiver_that_is_not_understood_is_refused_at_its_line(
    shell: Shell, folder: Path, setting: str, said: str
) -> None:
    (folder / "prefill-gate.toml").write_text(f"[properties]\nsplit-existence = {setting}\n")
    result = check(shell, "planner.rs")
    (error,) = result.json()["errors"]
    assert result.code == 2
    assert said in error["message"]
    assert error["line"] == 2


def test_a_region_may_be_that_of_one_role(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(
        RUST.replace("total / 2 < block_size || ", "")
        + "pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {\n"
        "    end_token == total - 1\n}\n"
    )
    (folder / "prefill-gate.toml").write_text(
        "[properties.no-fault]\n"
        'except = { split_point = "block_size > total / 2" }\n'
        'reason = "blocks are small"\n'
    )
    result = check(shell, "planner.rs", "--property", "no-fault")
    rows = {row["role"]: row for row in result.json()["properties"]}
    assert rows["split_point"]["verdict"] == "proved"
    assert rows["split_point"]["except"] == "block_size > total / 2"
    assert rows["tail_end"]["verdict"] == "refuted"
