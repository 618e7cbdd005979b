"""Whole processes, and what each takes: processor time, memory, and what it says."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from bench.questions import ROOT

GATE = [sys.executable, "-c", "from prefill_gate.main import run; run()"]
"""The command ``prefill-gate``."""

PATH = os.pathsep.join([str(ROOT), *sys.path])
"""Where the processes find what this one imports."""

_LAUNCHER = """
import resource, subprocess, sys
code = subprocess.call(sys.argv[2:])
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
with open(sys.argv[1], "w") as file:
    print(code, usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=file)
"""
"""Runs a command and writes what it took. It is small: a process that is started counts the memory
of the one that starts it as its own peak."""


class Finished(NamedTuple):
    """A process that has ended.

    ``seconds`` is its processor time, that of the system for it included; ``megabytes`` its peak.
    """

    code: int
    seconds: float
    megabytes: float
    output: str
    errors: str


class StoppedError(Exception):
    """A process was stopped, for it took too long."""


def run(command: Sequence[str | Path], patience: float = 600.0) -> Finished:
    """Run a process to its end.

    Raises ``StoppedError`` after ``patience`` seconds of the clock.
    """
    environment = {**os.environ, "PYTHONPATH": PATH, "PYTHONHASHSEED": "0"}
    # An installed command does not compile its modules anew each time.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as folder:
        taken = Path(folder) / "taken"
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _LAUNCHER, taken, *command],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=environment,
            text=True,
            start_new_session=True,
        )
        try:
            output, errors = process.communicate(timeout=patience)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise StoppedError from error
            raise
        code, seconds, kilobytes = taken.read_text().split()
    return Finished(int(code), float(seconds), int(kilobytes) / 1024, output, errors)
