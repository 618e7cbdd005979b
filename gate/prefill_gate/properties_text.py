"""The report of ``prove`` and ``check`` for people."""

from collections import Counter
from collections.abc import Sequence

from prefill_gate import exits, text
from prefill_gate.findings import facts_of, findings, reason_of, setting_of
from prefill_gate.pinning_text import render_pinning
from prefill_gate.reports import AS_BEFORE, Base, Report, Row

ORDER = (
    "refuted",
    "warning",
    "inconclusive",
    AS_BEFORE,
    "proved",
    "lost",
    "waived",
    "skipped",
)
"""The verdicts as the summary counts them."""


def render_all(reports: Sequence[Report], is_quiet: bool = False) -> str:
    """Return the reports of the planners, one after the other, several each under its name."""
    if is_quiet:
        return "\n\n\n".join(filter(None, map(_render_quietly, reports)))
    if len(reports) == 1:
        return render(reports[0])
    return "\n\n\n".join(f"{report.title}\n\n{render(report)}" for report in reports)


def _render_quietly(report: Report) -> str:
    """Return the findings and the summary line, or nothing for a planner that holds."""
    if report.exit_code == exits.HOLDS:
        return ""
    unpinned = [row for row in report.pinning if row.verdict in ("refuted", "inconclusive")]
    found = [finding(row) for _, row in findings([report])]
    return "\n\n".join([*found, *render_pinning(unpinned), _summary(report)])


def render(report: Report) -> str:
    """Return the table, a paragraph for each finding, and the summary line."""
    if not report.rows:
        return _summary(report)
    cells = [
        (row.id, row.role, row.statement, row.shown_verdict, _scope(row), _milliseconds(row))
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
        text.paragraph(f"{row.id}: {setting_of(row)}") for row in report.rows if setting_of(row)
    ]
    parts += ["\n".join(dict.fromkeys(levels))] if levels else []
    parts += [finding(row) for row in report.rows if row.verdict == "refuted"]
    parts += [finding(row) for row in report.rows if row.verdict == "inconclusive"]
    reasons: dict[str, list[str]] = {}
    for row in report.rows:
        if row.verdict == "lost":
            reasons.setdefault(reason_of(row), []).append(row.id)
    lost = [
        text.paragraph(f"lost: {', '.join(ids)}: {reason}", hanging="  ")
        for reason, ids in reasons.items()
    ]
    parts += ["\n".join(lost)] if lost else []
    parts += render_pinning(report.pinning)
    if report.warnings:
        parts.append("\n".join(text.paragraph(f"warning: {entry}") for entry in report.warnings))
    if report.unknown_constants:
        names = ", ".join(report.unknown_constants)
        parts.append(text.paragraph(f"Unknown constants, any value assumed: {names}"))
    if report.assumptions:
        parts.append(text.assumed(report.assumptions))
    parts += [_beside(report.base)] if report.base is not None else []
    if report.second_opinion is not None:
        parts.append(text.paragraph(report.second_opinion.sentence()))
    parts.append(_summary(report))
    return "\n\n".join(parts)


def _beside(base: Base) -> str:
    """Return how the planner differs from that of the base."""
    if base.diff is None:
        said = f"{base.source} is not known, so everything has to hold: {base.reason}"
        return text.paragraph(said)
    from prefill_gate import diff_text

    title = text.paragraph(f"From BASE ({base.source}) to HEAD:")
    return "\n\n".join([title, *diff_text.changes(base.diff)])


def _scope(row: Row) -> str:
    """Return the scope in a word: an excepted region has a line of its own."""
    return "excepted" if row.scope is not None and row.region is not None else row.scope or ""


def _milliseconds(row: Row) -> str:
    return "" if row.seconds is None else f"{row.seconds * 1000:5.1f}"


def finding(row: Row) -> str:
    """Return the paragraph of a property that is refuted or inconclusive."""
    if row.verdict == "inconclusive":
        return text.paragraph(f"{row.id} ({row.function}): {reason_of(row)}")
    facts = facts_of(row) | {"so": reason_of(row)}
    lines = [
        text.paragraph(f"{row.shown_verdict}: {row.id}: {row.statement}"),
        *(text.paragraph(f"{name:<9}{fact}", "  ") for name, fact in facts.items()),
    ]
    come_through = sorted(set(row.lines))
    lines += [""] if come_through else []
    lines += [f"  {line.number:>5} | {line.words}" for line in come_through]
    lines += [text.paragraph(note, "  ") for note in row.notes]
    return "\n".join(lines)


def counted(report: Report) -> str:
    """Return how many properties and theorems have each verdict."""
    counts = Counter(row.shown_verdict for row in report.rows)
    return ", ".join(f"{counts[name]} {name}" for name in ORDER if name in counts)


def _summary(report: Report) -> str:
    said = f"{report.title}: {text.in_colour(report.verdict, report.verdict)}"
    if not report.rows:
        return said
    spent = sum(row.seconds or 0 for row in report.rows)
    return f"{said}. {counted(report)}; solver time {spent * 1000:.0f} ms"
