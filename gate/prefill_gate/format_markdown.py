"""A check as Markdown: the summary of a job."""

from collections.abc import Iterator, Sequence

from prefill_gate.findings import facts_of, reason_of, setting_of
from prefill_gate.markdown import code, plain
from prefill_gate.properties_text import counted
from prefill_gate.reports import Base, Report, Row


def render(reports: Sequence[Report]) -> str:
    """Return a section for each planner."""
    return "\n\n".join("\n".join(_section(report)) for report in reports) + "\n"


def _section(report: Report) -> Iterator[str]:
    yield from (f"### prefill-gate check: {report.verdict}", "")
    name = "" if report.name is None else f"{plain(report.name)}, "
    yield f"{name}{code(report.source)}: {counted(report) or report.verdict}."
    if report.errors or report.warnings:
        yield ""
    for error in report.errors:
        place = f"{error['file']}:{error['line']}:{error['column']}"
        where = "" if error["file"] is None else f"{code(place)}: {plain(error['construct'])}: "
        yield f"- {where}{plain(error['message'])}"
    for warning in report.warnings:
        yield f"- warning: {plain(warning)}"
    rows = [
        row
        for row in report.rows
        if row.region is not None or row.verdict not in ("proved", "skipped")
    ]
    if rows:
        yield from ("", "| verdict | property | what it says | why |", "| --- | --- | --- | --- |")
        yield from map(_row, rows)
    if report.base is not None:
        yield from _beside(report.base)
    assumed = [plain(entry) for entry in report.assumptions]
    assumed += [f"any value of {code(name)}" for name in report.unknown_constants]
    if assumed:
        yield from ("", "<details><summary>Assumed</summary>", "")
        yield from (f"- {entry}" for entry in assumed)
        yield from ("", "</details>")


def _beside(base: Base) -> Iterator[str]:
    """Yield how the planner differs from that of the base."""
    if base.diff is None:
        reason = f"is not known, so everything has to hold: {plain(base.reason)}"
        yield from ("", f"{code(base.source)} {reason}.")
        return
    from prefill_gate import review_markdown

    changes = list(review_markdown.changes(base.diff)) or ["", "No call changes."]
    yield from ("", f"From BASE ({code(base.source)}) to HEAD: {base.diff.verdict}.", *changes)


def _row(row: Row) -> str:
    facts = facts_of(row)
    why = [] if row.verdict in ("proved", "waived") else [plain(reason_of(row))]
    why += [code(facts["given"])] if facts else []
    why += [plain(setting_of(row))] if setting_of(row) else []
    cells = (
        f"**{row.shown_verdict}**",
        f"{code(row.id)} ({plain(row.role)})",
        plain(row.statement),
        "<br>".join(why),
    )
    return f"| {' | '.join(cells)} |"
