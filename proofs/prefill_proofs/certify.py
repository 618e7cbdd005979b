"""Asking a second solver, cvc5, in a process of its own."""

import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import metadata
from pathlib import Path
from typing import Literal, NamedTuple

PROCESS = Path(__file__).with_name("cvc5_process.py")


class Answer(NamedTuple):
    """What cvc5 says of a query, with the reason of an unknown."""

    result: Literal["sat", "unsat", "unknown"]
    reason: str = ""


def cvc5_version() -> str | None:
    """Return the version of cvc5, or ``None`` where it is not installed."""
    try:
        return metadata.version("cvc5")
    except metadata.PackageNotFoundError:
        return None


def ask_cvc5(files: Sequence[Path], seconds: float) -> list[Answer]:
    """Return what cvc5 answers to the query in each file, given ``seconds`` for each.

    One process is asked for all of them. Where it ends early, the query that it was at is unknown,
    and another one is asked for the rest.
    """
    answers: list[Answer] = []
    while len(answers) < len(files):
        done = _ask_process(files[len(answers) :], seconds)
        answers += (Answer(*json.loads(line)) for line in done.stdout.splitlines())
        if len(answers) < len(files):
            last_words = done.stderr.splitlines()[-1:] or [f"exit code {done.returncode}"]
            answers.append(Answer("unknown", f"cvc5 ended without an answer: {last_words[0]}"))
    return answers


def _ask_process(files: Sequence[Path], seconds: float) -> subprocess.CompletedProcess[str]:
    """Return what one process printed, which may have ended early."""
    asked = {"seconds": seconds, "files": list(map(str, files))}
    # -P: beside the script stand modules with names of the standard library.
    return subprocess.run(
        [sys.executable, "-P", str(PROCESS)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
    )
