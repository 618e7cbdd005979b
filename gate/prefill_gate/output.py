"""Printing a result, as text or as JSON."""

import json
from collections.abc import Callable
from typing import Any

from prefill_gate import __version__


def emit(form: str, as_json: Callable[[], dict[str, Any]], as_text: Callable[[], str]) -> None:
    """Print a result on standard output in the form that was asked for; no empty text."""
    said = json.dumps(as_json(), indent=1) if form == "json" else as_text()
    if said:
        print(said)


ERROR_MEMBERS = ("file", "line", "column", "construct", "message")


def error_to_json(command: str | None, details: dict[str, Any]) -> str:
    """Return an error that ends a command as the documented JSON object; what it lacks is null."""
    error = dict.fromkeys(ERROR_MEMBERS) | details
    return _without_rows(command, "error", {"errors": [error]})


def unchanged_to_json(base: str, message: str) -> str:
    """Return that a check proved nothing, for nothing has changed, as a JSON object."""
    return _without_rows("check", "unchanged", {"base": {"revision": base, "reason": message}})


def _without_rows(command: str | None, verdict: str, members: dict[str, Any]) -> str:
    report = {"version": 1, "command": command, "verdict": verdict} | members
    versions = {"prefill-gate": __version__}
    return json.dumps(report | {"properties": [], "versions": versions}, indent=1) + "\n"
