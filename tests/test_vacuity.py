"""A configuration that leaves a property nothing to say proves nothing of it."""

from pathlib import Path

import pytest

from command_line import Result, Shell
from prefill_proofs import vacuity
from prefill_proofs.deadlines import OutOfTimeError
from prefill_proofs.solver import Decision

REFERENCE = Path(__file__).parent.parent / "reference" / "rust" / "prefill_plan.rs"
HEAD = "[planner.roles.chunk_len]\n"


@pytest.fixture
def planner(tmp_path: Path) -> Path:
    source = tmp_path / "planner.rs"
    source.write_text(REFERENCE.read_text())
    return source


def check(shell: Shell, planner: Path, config: str, *properties: str) -> Result:
    (planner.parent / "prefill-gate.toml").write_text(config)
    chosen = [word for name in properties for word in ("--property", name)]
    return shell.run("check", str(planner), *chosen, "--format", "json")


@pytest.mark.parametrize(
    ("config", "property_id", "line"),
    [
        ('assume = ["split.is_none()"]\n', "chunk-split-stop", 2),
        ('assume = [\n  "total < 99",\n  "proposed > 0",\n]\n', "chunk-empty", 4),
        ('assume = ["total > 9", "offset > 9 || proposed > 0", "offset < 9"]', "chunk-empty", 2),
        ('assume = ["block_size.unwrap_or(0) == 0"]\n', "chunk-grid", 2),
        ('offset = "offset"\nsplit = "total - total"\n', "chunk-split-stop", 3),
        ('split = "offset"\n', "chunk-split-stop", 2),
        ('offset = "0"\nsplit = "0 * total"\nassume = ["total > 1"]\n', "chunk-split-stop", 3),
        ('proposed = "proposed + 1"\n', "chunk-empty", 2),
    ],
)
def test_a_property_without_a_call_is_an_error_at_the_line_that_leaves_none(
    shell: Shell, planner: Path, config: str, property_id: str, line: int
) -> None:
    result = check(shell, planner, HEAD + config, property_id)
    (error,) = result.json()["errors"]
    assert result.code == 2
    assert result.json()["properties"] == []
    assert (Path(error["file"]).name, error["line"]) == ("prefill-gate.toml", line)
    assert error["construct"] == "assumptions of chunk_len"
    assert error["message"] == (
        f"leave {property_id} nothing to say; mend them, or waive it: "
        f'{property_id} = {{ level = "off", reason = "why" }}'
    )


def test_what_is_left_is_proved(shell: Shell, planner: Path) -> None:
    config = f'{HEAD}assume = ["proposed > 0"]\n'
    result = check(shell, planner, config, "chunk-empty", "chunk-length")
    assert result.code == 2
    assert [row["id"] for row in result.json()["properties"]] == ["chunk-length"]


def test_a_property_without_a_call_can_be_waived(shell: Shell, planner: Path) -> None:
    waiver = '[properties]\nchunk-empty = { level = "off", reason = "never called so" }\n'
    result = check(shell, planner, f'{HEAD}assume = ["proposed > 0"]\n{waiver}')
    assert result.code == 0


@pytest.mark.parametrize(
    "config",
    [
        'assume = ["total < 1000", "proposed < 64"]\n',
        'assume = ["block_size == Some(16)", "total % 16 == 1"]\n',
        'split = "split.unwrap_or(0)"\n',
    ],
)
def test_an_assumption_that_leaves_each_property_a_call_is_fine(
    shell: Shell, planner: Path, config: str
) -> None:
    result = check(shell, planner, HEAD + config)
    assert result.code == 0
    assert "errors" not in result.json()


def test_an_absent_argument_leaves_a_property_nothing_to_say_by_rule(
    shell: Shell, planner: Path
) -> None:
    planner.write_text(
        "pub fn plan_chunk_len(offset: usize, total: usize, proposed: usize) -> usize {\n"
        "    if offset + proposed >= total || proposed < 4 { proposed } else { proposed / 4 * 4 }\n"
        "}\n"
    )
    result = check(shell, planner, f'{HEAD}assume = ["total < 1000"]\n', "chunk-split-stop")
    assert result.code == 0
    assert "plan_chunk_len: split is absent" in result.json()["assumptions"]


def test_a_planner_that_never_answers_is_its_own_affair(shell: Shell, planner: Path) -> None:
    planner.write_text("pub fn tail_split_point(total: usize) -> Option<usize> { None }")
    config = '[planner.roles.split_point]\nassume = ["total > 3"]\n'
    assert check(shell, planner, config, "split-aligned").code == 0


def test_what_the_solver_does_not_know_is_inconclusive(
    shell: Shell, planner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Tired(vacuity.Solver):
        def decide(self, *_: object, **__: object) -> Decision:
            return Decision("unknown", 0.0, reason="timeout")

    monkeypatch.setattr(vacuity, "Solver", Tired)
    config = f'{HEAD}assume = ["proposed > 0"]\n'
    result = check(shell, planner, config, "chunk-empty")
    (row,) = result.json()["properties"]
    assert (result.code, row["verdict"]) == (3, "inconclusive")
    assert "not known whether what the configuration assumes leaves it a call" in row["reason"]


def test_what_is_not_known_in_time_is_inconclusive(
    shell: Shell, planner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def formulate(*_: object) -> None:
        raise OutOfTimeError

    monkeypatch.setattr(vacuity, "formulate", formulate)
    config = f'{HEAD}assume = ["proposed > 0"]\n'
    assert check(shell, planner, config, "chunk-empty").code == 3


def test_a_planner_without_a_configuration_is_not_asked_about(
    shell: Shell, planner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vacuity, "formulate", None)
    assert check(shell, planner, "").code == 0
