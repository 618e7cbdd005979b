"""One question to one tool, in a process of its own: ``python -m bench.worker``.

It prints a line of JSON: what was found, and the inputs of a counterexample.
"""

import json
import sys
from collections.abc import Callable
from typing import Any, NamedTuple

from bench.questions import Planner, Question, load
from prefill_proofs.subjects import Values
from prefill_spec.properties import Property

Answer = tuple[str, Values | None]


class Effort(NamedTuple):
    """How long a tool may take for a question, and how many calls it may draw."""

    seconds: float
    examples: int


def ask_gate(planner: Planner, entry: Property, effort: Effort) -> Answer:
    """Ask the prover of this project, as ``prefill-gate check`` does."""
    from prefill_proofs.prover import prove

    (verdict,) = prove(planner.subject, [entry], timeout=effort.seconds)
    found = "undecided" if verdict.verdict == "inconclusive" else verdict.verdict
    return found, verdict.witness and verdict.witness.values


def ask_naively(planner: Planner, entry: Property, effort: Effort) -> Answer:
    """Ask Z3 without anything of this project but the formulas."""
    from bench import naive

    answer, values = naive.ask(planner, entry, effort.seconds)
    return {"unsat": "proved", "sat": "refuted"}.get(answer, "undecided"), values


def ask_hypothesis(planner: Planner, entry: Property, effort: Effort) -> Answer:
    """Draw calls: it may find a counterexample, and proves nothing."""
    from bench import drawing

    values = drawing.counterexample(planner, entry, effort.examples)
    return ("undecided", None) if values is None else ("refuted", values)


def ask_nobody(_planner: Planner, _entry: Property, _effort: Effort) -> Answer:
    """Load the question and no more: what every tool's time starts with."""
    return "undecided", None


TOOLS: dict[str, Callable[[Planner, Property, Effort], Answer]] = {
    "gate": ask_gate,
    "z3": ask_naively,
    "hypothesis": ask_hypothesis,
    "nobody": ask_nobody,
}


def main(arguments: list[str]) -> None:
    """Ask, and print the answer."""
    tool, seconds, examples, *words = arguments
    question, effort = Question(*words), Effort(float(seconds), int(examples))
    found, values = TOOLS[tool](load(question), question.property, effort)
    shown: dict[str, Any] = {"found": found, "values": values and dict(values)}
    print(json.dumps(shown))


if __name__ == "__main__":
    main(sys.argv[1:])
