"""Whole commands beside the bare import of the two libraries that all of them load."""

import statistics
import sys
from typing import NamedTuple

from bench import processes
from bench.questions import EXAMPLES, ROOT
from prefill_gate.exits import HOLDS, REFUTED

BARE = [sys.executable, "-c", "import z3, tree_sitter_rust"]
RUST = str(ROOT / "reference" / "rust" / "prefill_plan.rs")
TRACE = str(EXAMPLES / "traces" / "chats.jsonl")
_PYTHON = EXAMPLES / "vllm_40757"

COMMANDS: dict[str, list[str]] = {
    "check, Rust": ["check", RUST],
    "check, Python": ["check", str(_PYTHON / "after.py")],
    "prove": ["prove"],
    "diff": ["diff", str(_PYTHON / "before.py"), str(_PYTHON / "after.py")],
    "plan": ["plan", "--total", "32772"],
    "impact": ["impact", "--trace", TRACE, "before-2026-09-27", RUST],
}
"""The commands that are measured, by what they are called."""

TARGETS = {"check, Rust": 4.0, "prove": 8.0}
"""So many times the bare import they may take."""


class Cost(NamedTuple):
    """What a command takes: median seconds, and these beside the bare import; peak memory."""

    name: str
    seconds: float
    ratio: float
    megabytes: float


def measure(rounds: int) -> list[Cost]:
    """Return the cost of each command, after that of the bare import.

    Each run has a bare import right beside it, so that a busy machine slows both.
    """
    costs = []
    bare_runs = []
    for name, words in COMMANDS.items():
        _run([*processes.GATE, *words])  # so that no file is read for the first time
        pairs = [(_run([*processes.GATE, *words]), _run(BARE)) for _ in range(rounds)]
        bare_runs += [bare for _, bare in pairs]
        costs.append(
            Cost(
                name,
                statistics.median(own.seconds for own, _ in pairs),
                statistics.median(own.seconds / bare.seconds for own, bare in pairs),
                max(own.megabytes for own, _ in pairs),
            )
        )
    bare_seconds = statistics.median(bare.seconds for bare in bare_runs)
    bare = Cost("bare import", bare_seconds, 1.0, max(run.megabytes for run in bare_runs))
    return [bare, *costs]


def _run(command: list[str]) -> processes.Finished:
    done = processes.run(command)
    if done.code not in (HOLDS, REFUTED):
        raise RuntimeError(f"{command}: {done.errors}")
    return done
