"""Runs the command line in this process, as a shell would see it."""

import json
from typing import Any, NamedTuple

import pytest

from prefill_gate.main import main


class Result(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """Return standard output as its one JSON object."""
        found: dict[str, Any] = json.loads(self.out)
        return found


class Shell:
    """Runs commands and captures what they print."""

    def __init__(self, capture: pytest.CaptureFixture[str]) -> None:
        self._capture = capture

    def run(self, *arguments: str) -> Result:
        try:
            code = main(arguments)
        except SystemExit as left:
            code = int(str(left.code))
        return Result(code, *self._capture.readouterr())
