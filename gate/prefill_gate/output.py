"""Printing a result, as text or as JSON."""

import json
from collections.abc import Callable
from typing import Any

from prefill_gate import __version__


def emit(form: str, as_json: Callable[[], dict[str, Any]], as_text: Callable[[], str]) -> None:
    """Print a result on standard output in the form that was asked for."""
    print(json.dumps(as_json(), indent=1) if form == "json" else as_text())


def emit_error(command: str | None, message: str) -> None:
    """Print an error that no source is to blame for as the documented JSON object."""
    error = {"file": None, "line": None, "column": None, "construct": None, "message": message}
    report = {"version": 1, "command": command, "verdict": "error", "errors": [error]}
    versions = {"prefill-gate": __version__}
    print(json.dumps(report | {"properties": [], "versions": versions}, indent=1))
