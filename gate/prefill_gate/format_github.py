"""A check as workflow commands: GitHub shows each finding at a line of the planner.

Of each kind GitHub shows the first ten of a step.
"""

from collections.abc import Sequence
from typing import Any

from prefill_gate.findings import SEVERITIES, deciding_line, findings, lines_of, told_of
from prefill_gate.paths import path_in_repository
from prefill_gate.properties_text import counted
from prefill_gate.reports import Report, Row
from prefill_gate.source_lines import visible


def render(reports: Sequence[Report]) -> str:
    """Return a command for each error, finding and warning, then a line for each planner."""
    lines = [_error(error) for report in reports for error in report.errors]
    lines += [_finding(report, row) for report, row in findings(reports)]
    lines += [
        _command("warning", {"title": report.title}, warning)
        for report in reports
        for warning in report.warnings
    ]
    lines += [_summary(report) for report in reports]
    return "\n".join(lines) + "\n"


def _error(error: dict[str, Any]) -> str:
    if error["file"] is None:
        return _command("error", {"title": "prefill-gate"}, error["message"])
    where = {
        "file": path_in_repository(error["file"]),
        "line": error["line"],
        "col": error["column"],
        "title": error["construct"],
    }
    return _command("error", where, error["message"])


def _finding(report: Report, row: Row) -> str:
    line = deciding_line(row)
    where = {"file": path_in_repository(report.source), "line": line, "endLine": line}
    said = told_of(row)
    said += [f"through the lines {lines_of(row)}"] if row.lines else []
    said += [f"The property: {row.statement}"]
    name = "notice" if row.is_old else SEVERITIES[row.level]
    return _command(name, where | {"title": row.id}, "\n".join(said))


def _summary(report: Report) -> str:
    said = f"prefill-gate: {visible(report.title)}: {report.verdict}"
    return f"{said}. {counted(report)}" if report.rows else said


def _command(name: str, where: dict[str, Any], message: str) -> str:
    listed = ",".join(f"{key}={_escaped_property(str(value))}" for key, value in where.items())
    return f"::{name} {listed}::{_escaped(message)}"


def _escaped(words: str) -> str:
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(words: str) -> str:
    return _escaped(words).replace(":", "%3A").replace(",", "%2C")
