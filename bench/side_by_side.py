"""Every question to every tool: what each finds, how long it takes, and how small it is."""

import json
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench import crosshair, processes
from bench.questions import Planner, Question, load
from bench.worker import Effort

TOOLS = ("gate", "crosshair", "z3", "hypothesis")
"""This project first."""


class Answer(NamedTuple):
    """What a tool found, in how many seconds of its processor; the inputs of a counterexample."""

    found: str
    seconds: float
    values: dict[str, Any] | None = None

    @property
    def size(self) -> int | None:
        """The greatest number in the counterexample."""
        if self.values is None:
            return None
        return max((int(value) for value in self.values.values() if value is not None), default=0)


class Row(NamedTuple):
    """A question with the answer of each tool."""

    question: Question
    answers: dict[str, Answer]

    def ratio(self, tool: str) -> float:
        """Return how many times as long as the gate a tool took."""
        return self.answers[tool].seconds / self.answers["gate"].seconds


def ask_all(questions: Sequence[Question], effort: Effort, jobs: int) -> list[Row]:
    """Ask every tool every question; ``jobs`` questions at a time."""
    with ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(lambda question: _row(question, effort), questions))


def start_up(question: Question, rounds: int) -> float:
    """Return the median time of a process that loads a question and asks nobody."""
    effort, planner = Effort(0, 0), load(question)
    return median(_ask("nobody", question, planner, effort).seconds for _ in range(rounds))


def _row(question: Question, effort: Effort) -> Row:
    planner = load(question)
    return Row(question, {tool: _ask(tool, question, planner, effort) for tool in TOOLS})


def _ask(tool: str, question: Question, planner: Planner, effort: Effort) -> Answer:
    """Ask one tool.

    Raises ``RuntimeError`` for a tool that fails, and for a counterexample that is none: this
    would be a fault of the benchmark, and no row of it.
    """
    patience = 4 * effort.seconds + 60
    ask = _ask_crosshair if tool == "crosshair" else partial(_ask_worker, tool)
    try:
        answer = ask(question, planner, effort, patience)
    except processes.StoppedError:
        return Answer("undecided", patience)
    if answer.values is not None and not _is_counterexample(planner, question, answer.values):
        raise RuntimeError(f"{tool}: {question}: {answer.values} is no counterexample")
    return answer


def _is_counterexample(planner: Planner, question: Question, values: dict[str, Any]) -> bool:
    return planner.is_scheduled(values) and not planner.holds(question.property, values)


def _ask_worker(
    tool: str, question: Question, _planner: Planner, effort: Effort, patience: float
) -> Answer:
    words = [tool, str(effort.seconds), str(effort.examples), *question]
    done = processes.run([sys.executable, "-m", "bench.worker", *words], patience)
    if done.code:
        raise RuntimeError(f"{tool}: {question}: {done.errors}")
    said = json.loads(done.output)
    return Answer(said["found"], done.seconds, said["values"])


def _ask_crosshair(question: Question, planner: Planner, effort: Effort, patience: float) -> Answer:
    inputs = planner.subject.inputs
    with tempfile.TemporaryDirectory() as folder:
        module = Path(folder) / "contract.py"
        module.write_text(crosshair.contract(question, inputs))
        options = ["--report_all", "--per_condition_timeout", str(effort.seconds)]
        command = [sys.executable, "-m", "crosshair", "check", *options, str(module)]
        done = processes.run(command, patience)
    said = crosshair.read_output(done.output + done.errors)
    if said.found != "refuted":
        return Answer(said.found, done.seconds)
    names = [entry.name for entry in inputs]
    return Answer(said.found, done.seconds, dict(zip(names, said.arguments, strict=True)))
