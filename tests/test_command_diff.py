"""``prefill-gate diff``, end to end."""

import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell
from compared import REFERENCE
from prefill_gate.diff_report import PROPERTY_LISTS
from prefill_proofs import change_map, prover
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.prover import Finding
from prefill_proofs.solver import Decision, Solver
from repositories import git

ROLES = list(ENCODINGS)
"""The roles that the shipped planner has."""

FILE = Path(__file__).parents[1] / "reference" / "rust" / "prefill_plan.rs"

PAST_SPLIT = REFERENCE.replace(
    "Some(at) if offset < at && at < on_grid => at", "Some(_) => on_grid"
)
EMPTY_AT_SPLIT = REFERENCE.replace("offset < at", "offset <= at")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.rs").write_text(REFERENCE)
    return tmp_path


def diff(shell: Shell, *arguments: str) -> Result:
    return shell.run("diff", *arguments, "--format", "json")


def roles_of(result: Result) -> dict[str, dict[str, Any]]:
    return {row["role"]: row for row in result.json()["roles"]}


def test_a_planner_is_equal_to_itself(shell: Shell) -> None:
    result = diff(shell, str(FILE), str(FILE), "--exit-code")
    report = result.json()
    assert (result.code, result.err) == (0, "")
    assert (report["version"], report["command"], report["verdict"]) == (1, "diff", "equal")
    assert report["base"] == report["head"] == str(FILE)
    assert [row["role"] for row in report["roles"]] == ROLES
    assert {row["verdict"] for row in report["roles"]} == {"equal"}
    assert list(report["properties"]) == list(PROPERTY_LISTS)
    assert [row["id"] for row in report["properties"]["broken_on_both"]] == ["snapshot-boundary"]
    assert report["properties"]["lost"] == report["properties"]["gained"] == []


def test_a_difference_has_a_map_and_names_what_is_lost(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(EMPTY_AT_SPLIT)
    result = diff(shell, "base.rs", "head.rs")
    assert result.code == 0
    assert result.json()["verdict"] == "differs"
    rows = roles_of(result)
    assert [role for role, row in rows.items() if row["verdict"] == "differs"] == ["chunk_len"]
    row = rows["chunk_len"]
    assert row["witness"]["split"] == row["witness"]["offset"]
    assert row["head"] == 0
    assert row["base"] > 0
    assert row["nothing_changes_where"] == []
    changed = [cell for cell in row["cells"] if cell["verdict"] == "changed"]
    assert [cell["extent"] for cell in changed] == ["everywhere"]
    assert changed[0]["conditions"] == ["a chunk that is not last", "a split point at the offset"]
    assert changed[0]["message"].startswith("the chunk is empty, was ")
    assert {cell["verdict"] for cell in row["cells"]} == {"changed", "unchanged"}
    lost = {(entry["id"], entry["role"]) for entry in result.json()["properties"]["lost"]}
    assert {("chunk-length", "chunk_len"), ("run-terminates", "run")} <= lost


def test_what_the_head_mends_is_gained(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(PAST_SPLIT)
    gained = diff(shell, "head.rs", "base.rs").json()["properties"]["gained"]
    assert {"chunk-split-stop", "run-split-visited"} <= {entry["id"] for entry in gained}
    lost = diff(shell, "base.rs", "head.rs").json()["properties"]["lost"]
    assert [entry["id"] for entry in lost] == [entry["id"] for entry in gained]


def test_a_difference_changes_the_exit_code_when_asked(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(EMPTY_AT_SPLIT)
    assert shell.run("diff", "base.rs", "head.rs", "--exit-code").code == 1
    assert shell.run("diff", "base.rs", "head.rs").code == 0


def test_text_says_what_json_says(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(EMPTY_AT_SPLIT)
    printed = shell.run("diff", "base.rs", "head.rs").out
    assert "chunk_len: differs\n" in printed
    assert "split_point: equal, for every input" in printed
    assert "changed    always     a chunk that is not last, a split point at the offset" in printed
    assert "the chunk is empty, was " in printed
    assert "HEAD loses    chunk-length (chunk_len): " in printed
    assert printed.endswith("base.rs -> head.rs: differs. Roles: 3 equal, 1 differs\n")


def test_a_role_of_one_side_only_is_listed(shell: Shell, folder: Path) -> None:
    start = REFERENCE.index("/// Whether a non-last chunk")
    (folder / "head.rs").write_text(REFERENCE[:start])
    report = diff(shell, "base.rs", "head.rs").json()
    assert (report["only_base"], report["only_head"]) == (["tail_end", "checkpoint"], [])
    report = diff(shell, "head.rs", "base.rs").json()
    assert (report["only_base"], report["only_head"]) == ([], ["tail_end", "checkpoint"])
    assert (
        "Only in BASE, not compared: tail_end, checkpoint"
        in shell.run("diff", "base.rs", "head.rs").out
    )


def test_a_fault_is_an_answer_of_its_own(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(REFERENCE.replace("if block_size == 0 || ", "if "))
    row = roles_of(diff(shell, "base.rs", "head.rs"))["split_point"]
    assert row["base"] is None
    assert row["head"] == {"fault": {"operation": "(total - 1) / block_size", "line": 14}}
    assert row["message"] == ("the call faults ((total - 1) / block_size, line 14), was none")


def test_what_cannot_be_decided_is_inconclusive(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    only = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {{ {} }}\n"
    (folder / "base.rs").write_text(only.format("Some(total / block_size)"))
    (folder / "head.rs").write_text(only.format("None"))
    monkeypatch.setattr(
        Solver, "decide", lambda *_, **__: Decision("unknown", 0.0, reason="timeout")
    )
    monkeypatch.setattr(prover, "SEARCH_SECONDS", 0.01)
    result = diff(shell, "base.rs", "head.rs")
    assert (result.code, result.json()["verdict"]) == (3, "inconclusive")
    assert all("timeout" in row["reason"] for row in roles_of(result).values())
    assert shell.run("diff", "base.rs", "head.rs", "--exit-code").code == 3
    assert "split_point: inconclusive" in shell.run("diff", "base.rs", "head.rs").out


def test_a_cell_that_cannot_be_decided_is_said_to_be_so(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "head.rs").write_text(EMPTY_AT_SPLIT)
    monkeypatch.setattr(change_map, "find", lambda *_, **__: Finding("inconclusive", 0.0))
    result = diff(shell, "base.rs", "head.rs")
    assert (result.code, result.json()["verdict"]) == (3, "differs")
    cells = roles_of(result)["chunk_len"]["cells"]
    assert {cell["verdict"] for cell in cells} == {"inconclusive"}
    assert any("witness" in cell for cell in cells)
    shown = "1 cell" if len(cells) == 1 else f"{len(cells)} cells"
    printed = shell.run("diff", "base.rs", "head.rs").out
    assert "  undecided  " in printed
    assert printed.endswith(f"1 differs. Inconclusive: {shown} of their maps\n")
    assert shell.run("diff", "base.rs", "head.rs", "--exit-code").code == 1


# Errors


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("names", [("base.rs", "gone.rs"), ("gone.rs", "base.rs")])
def test_a_file_that_cannot_be_read_is_an_error(shell: Shell, names: tuple[str, str]) -> None:
    result = diff(shell, *names)
    report = result.json()
    assert (result.code, report["verdict"], report["roles"]) == (2, "error", [])
    assert report["errors"][0]["file"] == "gone.rs"
    assert "gone.rs" in result.err


def test_planners_without_a_common_role_are_an_error(shell: Shell, folder: Path) -> None:
    start, middle = REFERENCE.index("/// The length of the"), REFERENCE.index("/// Whether a non")
    (folder / "one.rs").write_text(REFERENCE[:start])
    (folder / "two.rs").write_text("const WY4: usize = 4;\n" + REFERENCE[start:middle])
    result = diff(shell, "one.rs", "two.rs")
    assert result.code == 2
    assert result.json()["errors"][0]["construct"] == "nothing to compare"


@pytest.mark.usefixtures("folder")
def test_one_file_alone_is_bad_usage(shell: Shell) -> None:
    result = shell.run("diff", "base.rs")
    assert result.code == 2
    assert "Name a second planner" in result.err


@pytest.mark.usefixtures("folder")
def test_a_revision_alone_needs_a_configured_source(shell: Shell) -> None:
    result = shell.run("diff", "HEAD")
    assert result.code == 2
    assert "prefill-gate.toml" in result.err


# Revisions


@pytest.mark.parametrize("inside", [".", "deeper"])
def test_a_revision_is_compared_with_the_working_tree(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    (folder / "deeper").mkdir()
    (folder / "prefill-gate.toml").write_text('[planner]\nsource = "base.rs"\n')
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "a planner")
    monkeypatch.chdir(folder / inside)
    assert diff(shell, "HEAD").json()["verdict"] == "equal"
    (folder / "base.rs").write_text(EMPTY_AT_SPLIT)
    report = diff(shell, "HEAD").json()
    assert report["verdict"] == "differs"
    assert report["base"] == {".": "HEAD:./base.rs", "deeper": "HEAD:../base.rs"}[inside]
    assert diff(shell, "HEAD:base.rs", str(folder / "base.rs")).json()["verdict"] == "differs"


# Public planners


@pytest.mark.parametrize(
    ("base", "head", "verdicts"),
    [
        ("seeds/prefill_plan.rs", "refactored", {"equal"}),
        ("cases/planners/refactored.rs", "masks", {"equal"}),
        ("seeds/prefill_plan.rs", "minimum_tail", {"differs"}),
        ("seeds/prefill_plan.rs", "empty_at_split", {"differs"}),
    ],
)
def test_public_planners_compare_as_expected(
    shell: Shell, shared: Path, base: str, head: str, verdicts: set[str]
) -> None:
    result = diff(shell, str(shared / base), str(shared / "cases" / "planners" / f"{head}.rs"))
    assert {row["verdict"] for row in roles_of(result).values()} == verdicts


def test_the_minimum_tail_is_explained(shell: Shell, shared: Path) -> None:
    head = shared / "cases" / "planners" / "minimum_tail.rs"
    result = diff(shell, str(shared / "seeds" / "prefill_plan.rs"), str(head))
    for row in roles_of(result).values():
        (first, *_) = row["nothing_changes_where"]
        assert first["condition"] == "min_rows <= block_size + 1"
        assert first["just_beyond"]["message"]
    assert result.json()["unknown_constants"] == ["min_rows"]
    lost = {entry["id"] for entry in result.json()["properties"]["lost"]}
    assert {"split-replay", "run-replay"} <= lost


def test_a_whole_process_is_quick(folder: Path) -> None:
    (folder / "head.rs").write_text(EMPTY_AT_SPLIT)
    program = "from prefill_gate.main import run; run()"
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-c", program, "diff", "base.rs", "head.rs"],
        check=True,
        capture_output=True,
    )
    assert time.perf_counter() - started < 5.0
