"""A planner inherits a run theorem only where nothing that it rests on is cut short."""

from pathlib import Path

import pytest

from command_line import Shell

REFERENCE = (Path(__file__).parent.parent / "reference" / "rust" / "prefill_plan.rs").read_text(
    encoding="utf-8"
)
RUNS_OVER = """
pub fn plan_chunk_len(offset: usize, total: usize, proposed: usize) -> usize {
    if offset + proposed >= total || proposed < 4 { proposed } else { proposed / 4 * 4 }
}
"""


def theorems(shell: Shell, folder: Path, source: str, config: str = "") -> dict[str, str]:
    (folder / "planner.rs").write_text(source)
    (folder / "prefill-gate.toml").write_text(config)
    result = shell.run("check", str(folder / "planner.rs"), "--format", "json")
    return {
        row["id"]: row["verdict"] for row in result.json()["properties"] if row["role"] == "run"
    }


def test_whoever_keeps_the_contract_has_every_theorem(shell: Shell, tmp_path: Path) -> None:
    assert set(theorems(shell, tmp_path, REFERENCE).values()) == {"proved"}


@pytest.mark.parametrize(
    "config",
    [
        '[planner.roles.chunk_len]\nassume = ["proposed < 99"]\n',
        '[planner.roles.chunk_len]\nsplit = "proposed"\n',
        '[planner.roles.chunk_len]\ntotal = "total + 0 / block_size.unwrap_or(1)"\n',
    ],
    ids=["an assumption", "an expression for an argument", "an expression that may fault"],
)
def test_a_configuration_that_leaves_calls_out_costs_the_theorems(
    shell: Shell, tmp_path: Path, config: str
) -> None:
    found = theorems(shell, tmp_path, REFERENCE, config)
    assert found["run-tiles"] == found["run-split-visited"] == "lost"
    assert found["run-snapshot-saved"] == "proved"


def test_contradictory_assumptions_leave_no_theorem(shell: Shell, tmp_path: Path) -> None:
    config = '[planner.roles.chunk_len]\nassume = ["total > 5", "total < 3"]\n'
    assert theorems(shell, tmp_path, REFERENCE, config) == {}


def test_a_planner_without_a_split_argument_loses_what_rests_on_it(
    shell: Shell, tmp_path: Path
) -> None:
    assert theorems(shell, tmp_path, RUNS_OVER)["run-split-visited"] == "lost"


@pytest.mark.parametrize("role", ["tail_split_point", "is_checkpoint_chunk_end"])
def test_a_fault_of_any_function_that_a_run_calls_costs_every_theorem(
    shell: Shell, tmp_path: Path, role: str
) -> None:
    head, body = REFERENCE.split(f"pub fn {role}(", 1)
    opened = body.index("{") + 1
    source = f"{head}pub fn {role}({body[:opened]}\n    assert!(total != 7);{body[opened:]}"
    assert set(theorems(shell, tmp_path, source).values()) == {"lost"}


def test_a_narrow_argument_is_said_and_costs_the_theorems(shell: Shell, tmp_path: Path) -> None:
    source = RUNS_OVER.replace("usize", "u32")
    assert theorems(shell, tmp_path, source)["run-tiles"] == "lost"


def test_a_theorem_whose_roles_are_not_there_is_nothing_to_prove(
    shell: Shell, tmp_path: Path
) -> None:
    (tmp_path / "planner.rs").write_text(RUNS_OVER)
    result = shell.run("check", str(tmp_path / "planner.rs"), "--property", "run-snapshot-saved")
    assert result.code == 2
    assert "nothing to prove" in result.err
