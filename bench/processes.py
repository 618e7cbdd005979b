"""Whole processes, and what each takes: processor time, memory, and what it says."""

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.questions import ROOT

GATE = [sys.executable, "-c", "from prefill_gate.main import run; run()"]
"""The command ``prefill-gate``."""

PATH = os.pathsep.join([str(ROOT), *sys.path])
"""Where the processes find what this one imports."""


class Finished(NamedTuple):
    """A process that has ended.

    ``seconds`` is its processor time, that of the system for it included; ``megabytes`` its peak.
    ``code`` is negative for one that was stopped.
    """

    code: int
    seconds: float
    megabytes: float
    output: str
    errors: str


def run(command: Sequence[str | Path], patience: float = 600.0) -> Finished:
    """Run a process to its end; it is stopped after ``patience`` seconds of the clock."""
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as errors:
        environment = {**os.environ, "PYTHONPATH": PATH, "PYTHONHASHSEED": "0"}
        process = subprocess.Popen(
            command, stdout=output, stderr=errors, cwd=ROOT, env=environment, text=True
        )
        timer = threading.Timer(patience, process.kill)
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        errors.seek(0)
        return Finished(
            process.returncode,
            usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024,
            output.read(),
            errors.read(),
        )
