"""Planners of many spellings: the gate's verdicts, and the int evaluator against the compiler."""

import shutil
import tomllib
from pathlib import Path

import pytest

from command_line import Shell
from compiled_roles import FAULT, Draws, compile_roles, described
from prefill_gate.config import find_config
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs.source_subjects import SourceSubject
from prefill_spec.calls import CALLS
from prefill_spec.properties import properties_of

PLANNERS = Path(__file__).parent / "planners"

EXPECTED: dict[str, dict[str, set[str]]] = {
    "assertions": {"chunk_len": {"no-fault"}, "split_point": set()},
    "before_2026_09_27": {
        "chunk_len": {"chunk-split-stop", "chunk-grid", "chunk-block-end", "chunk-wy4"},
        "split_point": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "checked": {
        "chunk_len": set(),
        "split_point": {"split-existence", "split-restorable"},
        "tail_end": set(),
    },
    "closures": {"chunk_len": set(), "split_point": set(), "tail_end": set()},
    "early_returns": {
        "chunk_len": set(),
        "split_point": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "masks_and_shifts": {
        "chunk_len": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "matching": {
        "chunk_len": set(),
        "split_point": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "methods_on_self": {
        "chunk_len": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "minimum_tail": {
        "chunk_len": set(),
        "split_point": {"split-existence", "split-replay"},
        "tail_end": {"tail-end"},
        "checkpoint": {"snapshot-interval", "snapshot-boundary"},
    },
    "modules": {"chunk_len": set(), "split_point": set()},
    "options": {
        "chunk_len": set(),
        "split_point": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "ranges": {"chunk_len": {"chunk-split-stop"}, "split_point": set()},
    "rounding": {"chunk_len": set(), "split_point": set(), "tail_end": set()},
    "shadowing": {
        "chunk_len": set(),
        "split_point": set(),
        "checkpoint": {"snapshot-interval", "snapshot-boundary"},
    },
    "tuples": {"chunk_len": set(), "tail_end": set()},
    "widths": {"chunk_len": set(), "split_point": {"no-fault"}},
}
"""The roles of each planner, and what does not hold of each; all else is proved."""


def test_every_planner_is_in_the_table() -> None:
    assert sorted(path.stem for path in PLANNERS.glob("*.rs")) == sorted(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_verdicts_are_those_of_the_table(shell: Shell, name: str) -> None:
    result = shell.run("check", str(PLANNERS / f"{name}.rs"), "--format", "json")
    rows = [row for row in result.json()["properties"] if row["role"] != "run"]
    found = {(row["role"], row["id"]): row["verdict"] for row in rows}
    wanted = {
        (role, entry.id): "skipped"
        if role not in EXPECTED[name]
        else "refuted"
        if entry.id in EXPECTED[name][role]
        else "proved"
        for role in CALLS
        for entry in properties_of(role)
    }
    assert found == wanted
    broken = {entry for refuted in EXPECTED[name].values() for entry in refuted}
    assert result.code == (1 if broken - {"snapshot-boundary"} else 0)


def subjects_of(source: Path) -> list[SourceSubject]:
    config = find_config(None, source)
    return roles_of(open_planner(str(source)), config.planner).subjects


def require_agreement(source: Path, folder: Path, count: int) -> dict[str, set[bool]]:
    """Compare the int evaluator with the compiled planner; return which roles faulted or not."""
    subjects = [entry for entry in subjects_of(source) if not entry.unknowns]
    if not subjects:
        pytest.skip("no role of it can be compiled by itself")
    compiled = compile_roles(source, subjects, folder)
    calls = [
        (subject, values)
        for subject in subjects
        for draws in [Draws(subject, seed=1)]
        for values in (draws.inputs() for _ in range(-(-count // len(subjects))))
    ]
    faulted: dict[str, set[bool]] = {subject.role: set() for subject in subjects}
    for (subject, values), answer in zip(calls, compiled.perform(calls), strict=True):
        run = subject.run(values)
        expected = FAULT if run.fault else run.answer
        if run.fault is None and subject.role == "split_point":
            expected = run.answer.value if run.answer.present else None
        assert answer == expected, f"{source.name} {subject.function}: {described(values)}"
        faulted[subject.role].add(run.fault is not None)
    return faulted


@pytest.fixture
def call_count(request: pytest.FixtureRequest) -> int:
    return 100_000 if request.config.getoption("--many") else 2_000


@pytest.fixture
def compiler() -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")


@pytest.mark.usefixtures("compiler")
@pytest.mark.parametrize("name", EXPECTED)
def test_the_evaluator_does_as_the_compiled_planner(
    name: str, tmp_path: Path, call_count: int
) -> None:
    faulted = require_agreement(PLANNERS / f"{name}.rs", tmp_path, call_count)
    subjects = subjects_of(PLANNERS / f"{name}.rs")
    assert {subject.role for subject in subjects} == set(EXPECTED[name])
    assert set(faulted) == {subject.role for subject in subjects if not subject.unknowns}
    assert all(False in seen for seen in faulted.values())
    if name != "checked":
        # The others' chunks overflow where no scheduler calls: the panics agree as well.
        assert True in faulted["chunk_len"]


@pytest.mark.usefixtures("compiler")
def test_the_evaluator_does_as_the_compiled_planners_handed_out(
    shared: Path, tmp_path: Path, call_count: int
) -> None:
    table = shared / "cases" / "cases.toml"
    if not table.is_file():
        pytest.skip(f"no {table}")
    compared = 0
    for case in tomllib.loads(table.read_text())["case"]:
        source = table.parent / case["planner"]
        if source.suffix != ".rs" or not any(not entry.unknowns for entry in subjects_of(source)):
            continue
        require_agreement(source, tmp_path, call_count)
        compared += 1
    assert compared > 5
