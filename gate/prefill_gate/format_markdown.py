"""A check as Markdown: the summary of a job."""

from collections.abc import Iterator, Sequence

from prefill_gate.findings import facts_of, reason_of
from prefill_gate.markdown import code, plain
from prefill_gate.properties_text import counted
from prefill_gate.reports import Report, Row


def render(reports: Sequence[Report]) -> str:
    """Return a section for each planner."""
    return "\n\n".join("\n".join(_section(report)) for report in reports) + "\n"


def _section(report: Report) -> Iterator[str]:
    yield from (f"### prefill-gate check: {report.verdict}", "")
    name = "" if report.name is None else f"{plain(report.name)}, "
    yield f"{name}{code(report.source)}: {counted(report) or report.verdict}."
    if report.errors:
        yield ""
    for error in report.errors:
        place = f"{error['file']}:{error['line']}:{error['column']}"
        where = "" if error["file"] is None else f"{code(place)}: {plain(error['construct'])}: "
        yield f"- {where}{plain(error['message'])}"
    rows = [row for row in report.rows if row.verdict not in ("proved", "skipped")]
    if rows:
        yield from ("", "| verdict | property | what it says | why |", "| --- | --- | --- | --- |")
        yield from map(_row, rows)
    assumed = [plain(entry) for entry in report.assumptions]
    assumed += [f"any value of {code(name)}" for name in report.unknown_constants]
    if assumed:
        yield from ("", "<details><summary>Assumed</summary>", "")
        yield from (f"- {entry}" for entry in assumed)
        yield from ("", "</details>")


def _row(row: Row) -> str:
    facts = facts_of(row)
    given = f"<br>{code(facts['given'])}" if facts else ""
    cells = (
        f"**{row.shown_verdict}**",
        f"{code(row.id)} ({plain(row.role)})",
        plain(row.statement),
        plain(reason_of(row)) + given,
    )
    return f"| {' | '.join(cells)} |"
