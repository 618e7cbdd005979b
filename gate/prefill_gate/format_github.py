"""A check as workflow commands: GitHub shows each finding at a line of the planner.

Of each kind GitHub shows the first ten of a step.
"""

from collections.abc import Sequence
from typing import Any

from prefill_gate import text
from prefill_gate.findings import SEVERITIES, deciding_line, facts_of, findings, lines_of, reason_of
from prefill_gate.paths import path_in_repository
from prefill_gate.properties_text import counted
from prefill_gate.reports import Report, Row
from prefill_gate.source_lines import visible


def render(reports: Sequence[Report]) -> str:
    """Return a command for each error and each finding, then a line for each planner."""
    lines = [_error(error) for report in reports for error in report.errors]
    lines += [_finding(report, row) for report, row in findings(reports)]
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
    said = [reason_of(row), *(f"{name} {fact}" for name, fact in facts_of(row).items())]
    said += [f"through the lines {lines_of(row)}"] if row.lines else []
    said += [*row.notes, f"The property: {row.statement}"]
    return _command(SEVERITIES[row.level], where | {"title": row.id}, "\n".join(said))


def _summary(report: Report) -> str:
    said = f"prefill-gate: {visible(report.title)}: {report.verdict}"
    return f"{said}. {counted(report)}" if report.rows else said


def _command(name: str, where: dict[str, Any], message: str) -> str:
    listed = ",".join(f"{key}={_escaped_property(str(value))}" for key, value in where.items())
    return f"::{name} {listed}::{_escaped(message)}"


def _escaped(words: str) -> str:
    plain = words.replace(text.GLUE, " ")
    return plain.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(words: str) -> str:
    return _escaped(words).replace(":", "%3A").replace(",", "%2C")
