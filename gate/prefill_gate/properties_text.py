"""The report of ``prove`` and ``check`` for people."""

from collections.abc import Sequence
from typing import Any

from prefill_gate import text
from prefill_gate.reports import Report, Row

ORDER = ("refuted", "warning", "inconclusive", "proved", "lost", "waived", "skipped")
"""The verdicts as the summary counts them."""


def render_all(reports: Sequence[Report]) -> str:
    """Return the reports of several planners, one after the other, each under its name."""
    return "\n\n\n".join(f"{report.title}\n\n{render(report)}" for report in reports)


def render(report: Report) -> str:
    """Return the table, a paragraph for each refutation, and the summary line."""
    if not report.rows:
        return _summary(report)
    cells = [
        (row.id, row.role, row.statement, _shown(row), _scope(row), _milliseconds(row))
        for row in report.rows
        if row.verdict != "skipped"
    ]
    headers = ("property", "role", "what it says", "verdict", "scope", " ms")
    parts = [text.table(headers, cells, wrapped=2)]
    skipped = dict.fromkeys(
        row.id if row.role == "run" else row.role for row in report.rows if row.verdict == "skipped"
    )
    if skipped:
        parts.append(text.paragraph(f"Skipped, for this file lacks a role: {', '.join(skipped)}"))
    if report.unread:
        parts.append(text.paragraph(f"Could not be read: {', '.join(report.unread)}"))
    levels = [
        text.paragraph(f"{row.id}: {_level(row)}: {row.level_reason}")
        for row in report.rows
        if row.level_reason is not None
    ]
    parts += ["\n".join(dict.fromkeys(levels))] if levels else []
    parts += [_refutation(row) for row in report.rows if row.verdict == "refuted"]
    parts += [
        text.paragraph(f"{row.id} ({row.function}): inconclusive: {row.details.get('reason', '')}")
        for row in report.rows
        if row.verdict == "inconclusive"
    ]
    reasons: dict[str, list[str]] = {}
    for row in report.rows:
        if row.verdict == "lost":
            reasons.setdefault(_because(row), []).append(row.id)
    lost = [
        text.paragraph(f"lost: {', '.join(ids)}: {reason}", hanging="  ")
        for reason, ids in reasons.items()
    ]
    parts += ["\n".join(lost)] if lost else []
    if report.warnings:
        parts.append("\n".join(text.paragraph(f"warning: {entry}") for entry in report.warnings))
    if report.unknown_constants:
        names = ", ".join(report.unknown_constants)
        parts.append(text.paragraph(f"Unknown constants, any value assumed: {names}"))
    if report.assumptions:
        parts.append(text.assumed(report.assumptions))
    parts.append(_summary(report))
    return "\n\n".join(parts)


def _level(row: Row) -> str:
    if row.region is not None:
        return f"excepted where {row.region}"
    return "waived" if row.verdict == "waived" else f"level {row.level}"


def _scope(row: Row) -> str:
    """Return the scope in a word: an excepted region has a line of its own."""
    return "excepted" if row.scope is not None and row.region is not None else row.scope or ""


def _because(row: Row) -> str:
    reason: str = row.details.get("reason") or f"rests on {', '.join(row.details['because'])}"
    return reason


def _shown(row: Row) -> str:
    return "warning" if row.verdict == "refuted" and row.level == "warn" else row.verdict


def _milliseconds(row: Row) -> str:
    return "" if row.seconds is None else f"{row.seconds * 1000:5.1f}"


def _refutation(row: Row) -> str:
    details: dict[str, Any] = row.details
    answer = "a fault" if "fault" in details else text.value(details["observed"])
    title = "warning" if row.level == "warn" else "refuted"
    lines = [
        text.paragraph(f"{title}: {row.id}: {row.statement}"),
        text.paragraph(f"given    {text.listed(details['witness'])}", "  "),
        text.paragraph(f"returns  {answer}", "  "),
        text.paragraph(f"so       {details['message']}", "  "),
    ]
    lines += ["", *(f"  {line}" for line in row.source_lines)] if row.source_lines else []
    lines += [text.paragraph(note, "  ") for note in row.notes]
    return "\n".join(lines)


def _summary(report: Report) -> str:
    counts: dict[str, int] = {}
    for row in report.rows:
        shown = _shown(row)
        counts[shown] = counts.get(shown, 0) + 1
    spent = sum(row.seconds or 0 for row in report.rows)
    listed = ", ".join(f"{counts[name]} {name}" for name in ORDER if name in counts)
    if not report.rows:
        return f"{report.title}: {report.verdict}"
    return f"{report.title}: {report.verdict}. {listed}; solver time {spent * 1000:.0f} ms"
