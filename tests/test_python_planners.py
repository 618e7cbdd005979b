"""Planners in Python: the reader against Python itself, and the gate's verdicts."""

import tomllib
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from command_line import Shell
from compiled_roles import Draws, described
from prefill_gate.config import find_config
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs.equality import differ
from prefill_proofs.roles import RESULTS
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate, is_scheduled
from prefill_proofs.types import BOOL, BoolType, OptionType
from prefill_spec.calls import CALLS
from prefill_spec.properties import PROPERTIES, Outcome, properties_of
from prefill_spec.vocabulary import option_of
from python_calls import PythonModule
from symbolic_calls import FAULT, concrete_answer

PLANNERS = Path(__file__).parent / "planners"
RUST = Path(__file__).parent.parent / "reference" / "rust" / "prefill_plan.rs"

EXPECTED: dict[str, dict[str, set[str]]] = {
    "reference": {
        "chunk_len": set(),
        "split_point": set(),
        "tail_end": set(),
        "checkpoint": {"snapshot-boundary"},
    },
    "broken_reference": {
        "chunk_len": {"chunk-maximal"},
        "split_point": {"split-restorable"},
        "tail_end": {"tail-end"},
        "checkpoint": {"snapshot-boundary", "snapshot-interval", "snapshot-tail"},
    },
    "engine_scheduler": {
        "chunk_len": {
            "chunk-block-end",
            "chunk-grid",
            "chunk-last",
            "chunk-length",
            "chunk-split-stop",
        },
    },
    "stop_list": {"chunk_len": set(), "split_point": set()},
    "prompt_plan": {"chunk_len": set(), "tail_end": set()},
    "minimum_tail": {
        "split_point": {"split-existence", "split-replay"},
        "tail_end": {"tail-end"},
    },
}
"""The roles of each planner, and what does not hold of each; all else is proved."""

WAIVED = {"engine_scheduler": {"chunk-wy4", "chunk-maximal"}}
"""What a planner's configuration turns off."""


def config_of(source: Path) -> str | None:
    path = source.with_suffix(".toml")
    return str(path) if path.is_file() else None


def subjects_of(source: Path, given: str | None = None) -> list[SourceSubject]:
    config = find_config(given or config_of(source), source)
    roles = roles_of(open_planner(str(source)), config.planner)
    assert roles.errors == []
    return roles.subjects


def subject_of(name: str, role: str) -> SourceSubject:
    source = RUST if name == RUST.name else PLANNERS / f"{name}.py"
    (subject,) = (entry for entry in subjects_of(source) if entry.role == role)
    return subject


def test_every_planner_is_in_the_table() -> None:
    assert sorted(path.stem for path in PLANNERS.glob("*.py")) == sorted(EXPECTED)


# The reader against Python


class Compared:
    """A role whose calls are performed by Python and by the evaluator, which have to agree."""

    def __init__(self, source: Path, subject: SourceSubject) -> None:
        self.subject = subject
        self.module = PythonModule(source.read_text())
        self.kind = RESULTS.get(subject.role, BOOL)
        self.faulted: set[bool] = set()

    def answer(self, values: dict[str, Any]) -> Any:
        """Return what Python answers."""
        answer = self.module.answer(self.subject.read.name, values, self.kind)
        expected = concrete_answer(self.subject.read, values)
        assert answer == expected, f"{self.subject.function}: {described(values)}"
        self.faulted.add(answer == FAULT)
        return answer

    def outcome(self, values: dict[str, Any]) -> Outcome:
        """Return what Python answers, as properties see it."""
        answer = self.answer(values)
        if answer == FAULT:
            return Outcome(True, None)
        return Outcome(False, option_of(answer) if isinstance(self.kind, OptionType) else answer)


@pytest.fixture
def call_count(request: pytest.FixtureRequest) -> int:
    return 100_000 if request.config.getoption("--many") else 300


def require_agreement(source: Path, count: int, given: str | None = None) -> None:
    subjects = subjects_of(source, given)
    assert subjects
    for subject in subjects:
        compared = Compared(source, subject)
        draws = Draws(subject, seed=1)
        for _ in range(-(-count // len(subjects))):
            compared.answer(draws.inputs())
        assert False in compared.faulted


@pytest.mark.parametrize("name", EXPECTED)
def test_the_evaluator_does_as_python(name: str, call_count: int) -> None:
    require_agreement(PLANNERS / f"{name}.py", call_count)


def test_the_evaluator_does_as_python_with_the_planners_handed_out(
    shared: Path, call_count: int
) -> None:
    table = shared / "cases" / "cases.toml"
    if not table.is_file():
        pytest.skip(f"no {table}")
    compared = 0
    for case in tomllib.loads(table.read_text())["case"]:
        source = table.parent / case["planner"]
        if source.suffix == ".py":
            given = str(table.parent / case["config"]) if "config" in case else None
            require_agreement(source, call_count, given)
            compared += 1
    assert compared > 2


# Verdicts


def small_values(subject: SourceSubject) -> Iterator[dict[str, Any]]:
    """Yield small inputs of a role, the scheduled calls among them."""
    ranges: dict[str, tuple[Any, ...]] = {}
    for entry in subject.inputs:
        last = entry.name.rpartition(".")[2]
        kind = entry.type
        numbers: tuple[Any, ...] = tuple(range(11))
        if last == "block_size":
            numbers = (0, 1, 3, 4)
        elif last == "interval":
            numbers = (0, 1, 2, 3)
        elif last == "split":
            numbers = (0, 4, 6, 8)
        elif last == "cached":
            numbers = (0, 4)
        elif last in ("total", "end_token") and subject.role != "chunk_len":
            numbers = tuple(range(30))
        inner = kind.inner if isinstance(kind, OptionType) else kind
        found = (False, True) if isinstance(inner, BoolType) else numbers
        ranges[entry.name] = (None, *found) if isinstance(kind, OptionType) else found
    for values in product(*ranges.values()):
        yield dict(zip(ranges, values, strict=True))


def is_small(values: dict[str, Any]) -> bool:
    """Return whether a chunk lies in its prompt."""
    if {"offset", "total", "proposed"} <= values.keys():
        return bool(values["offset"] + values["proposed"] <= values["total"])
    return True


def broken_by(source: Path, subject: SourceSubject) -> set[str]:
    """Return the properties that Python breaks on some small call."""
    compared = Compared(source, subject)
    broken: set[str] = set()
    for values in small_values(subject):
        if not is_small(values):
            continue
        outcome = compared.outcome(values)
        run = subject.run(values)
        if run.is_assumed and is_scheduled(run.call):
            broken |= {
                entry.id
                for entry in properties_of(subject.role)
                if entry.id not in broken and not entry.claim(run.call, outcome).formula()
            }
    return broken


@pytest.mark.parametrize("name", EXPECTED)
def test_what_small_calls_break_is_what_the_table_says(name: str) -> None:
    source = PLANNERS / f"{name}.py"
    waived = WAIVED.get(name, set())
    found = {subject.role: broken_by(source, subject) - waived for subject in subjects_of(source)}
    assert found == EXPECTED[name]


@pytest.mark.parametrize("name", EXPECTED)
def test_the_verdicts_are_those_of_the_table(shell: Shell, name: str) -> None:
    source = PLANNERS / f"{name}.py"
    config = config_of(source)
    options = () if config is None else ("--config", config)
    result = shell.run("check", str(source), *options, "--format", "json")
    waived = WAIVED.get(name, set())
    known = {(entry.role, entry.id) for entry in PROPERTIES if entry.id not in waived}
    rows = [row for row in result.json()["properties"] if (row["role"], row["id"]) in known]
    found = {(row["role"], row["id"]): row["verdict"] for row in rows}
    wanted = {
        (role, entry): "skipped"
        if role not in EXPECTED[name]
        else "refuted"
        if entry in EXPECTED[name][role]
        else "proved"
        for role, entry in known
    }
    assert found == wanted
    broken = {entry for refuted in EXPECTED[name].values() for entry in refuted}
    assert result.code == (1 if broken - {"snapshot-boundary"} else 0)


ROLES = ("chunk_len", "split_point", "tail_end", "checkpoint")


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("name", ["reference", RUST.name])
def test_the_reference_in_each_language_is_equal_to_the_reference(name: str, role: str) -> None:
    assert differ(formulate(subject_of(name, role))).result == "unsat"


@pytest.mark.parametrize("role", ROLES)
def test_a_broken_twin_is_not_equal_to_the_reference(role: str) -> None:
    assert differ(formulate(subject_of("broken_reference", role))).result != "unsat"


@pytest.mark.parametrize("name", ["stop_list", "prompt_plan"])
def test_another_spelling_is_equal_to_the_reference(name: str) -> None:
    for subject in subjects_of(PLANNERS / f"{name}.py"):
        assert differ(formulate(subject)).result == "unsat", subject.role


def test_every_role_of_the_reference_is_there() -> None:
    subjects = subjects_of(PLANNERS / "reference.py")
    assert {subject.role for subject in subjects} <= set(CALLS)
    assert tuple(subject.role for subject in subjects) == ROLES


# A long file

DISTRACTION = """
class Worker{index}(Base):
    async def step(self, *args, **kwargs):
        while self.queue:
            with self.lock:
                job = self.queue.pop()
                try:
                    yield job.tokens / {index}
                except ZeroDivisionError:
                    self.lost[job.name] = f"{{job}} of {{self.name!r}}"

    def plan(self, tokens: float = {index}.5) -> dict[str, float]:
        return {{"tokens": tokens * 2, **self.limits}}

def helper_{index}(tokens, step={index}):
    return helper_{before}(tokens, step) if tokens > step else None

"""


def long_file(planner: str) -> str:
    """Return a file of 4,000 lines and more, with a planner in its midst."""
    parts = [DISTRACTION.format(index=index, before=index - 1) for index in range(1, 4_200 // 17)]
    half = len(parts) // 2
    return "".join(["import torch\nfrom base import Base\n", *parts[:half], planner, *parts[half:]])


def test_of_a_long_file_only_what_the_role_reaches_is_read(shell: Shell, tmp_path: Path) -> None:
    planner = """
class Scheduler(Base):
    STEP = 4

    def floor(self, tokens: int) -> int:
        return tokens // self.STEP * self.STEP

    def plan_chunk_len(self, offset: int, total: int, proposed: int) -> int:
        if offset + proposed >= total or proposed < self.STEP:
            return proposed
        return self.floor(proposed)
"""
    path = tmp_path / "scheduler.py"
    path.write_text(long_file(planner))
    assert len(path.read_text().splitlines()) >= 4_000
    result = shell.run("check", str(path), "--format", "json")
    rows = [row for row in result.json()["properties"] if row["role"] == "chunk_len"]
    assert {row["verdict"] for row in rows} == {"proved"}
    assert {row["function"] for row in rows} == {"Scheduler.plan_chunk_len"}
    assert result.json().get("unknown_constants", []) == []
    assert result.err == ""


def test_of_a_long_file_what_the_role_reaches_is_refused(shell: Shell, tmp_path: Path) -> None:
    planner = """
def plan_chunk_len(offset: int, total: int, proposed: int) -> int:
    return helper_7(proposed) or proposed
"""
    path = tmp_path / "scheduler.py"
    path.write_text(long_file(planner))
    result = shell.run("check", str(path), "--format", "json")
    (error,) = result.json()["errors"]
    line = path.read_text().splitlines()[error["line"] - 1]
    assert (result.code, error["construct"]) == (2, "call of helper_0")
    assert "helper_0" in line
