"""The report of ``mutants`` for people."""

from collections import Counter
from pathlib import Path

from prefill_gate import text
from prefill_gate.diff_report import message_of
from prefill_gate.mutants_report import VERDICTS, MutantRow, MutantsReport
from prefill_gate.reports import given_values
from prefill_gate.source_lines import visible


def render(report: MutantsReport) -> str:
    """Return the counts of each role, what caught how many, and every mutant not caught."""
    if report.checked.report.errors:
        return f"{report.source}: error"
    parts = [_counts(report), _catchers(report)]
    idle = [f"{row.id} ({row.role}): {reason}" for row, reason in report.idle()]
    if idle:
        parts.append(_listed("Cannot catch a mutant:", idle))
    equal = [_place_and_change(row, report) for row in report.of("equivalent")]
    if equal:
        parts.append(_listed("Equivalent, proved to answer as the original does:", equal))
    parts += [_survivor(row, report) for row in report.of("survived")]
    parts += [
        text.paragraph(f"undecided: {_place_and_change(row, report)}: {row.found.reason}")
        for row in report.of("undecided")
    ]
    checked = report.checked.report
    if checked.unknown_constants:
        names = ", ".join(checked.unknown_constants)
        parts.append(text.paragraph(f"Unknown constants, any value assumed: {names}"))
    parts.append(text.assumed(checked.assumptions))
    parts.append(_summary(report))
    return "\n\n".join(part for part in parts if part)


def _counts(report: MutantsReport) -> str:
    rows = []
    for subject in report.checked.roles.subjects:
        counts = [len(report.of(verdict, subject.role)) for verdict in VERDICTS]
        rows.append([subject.role, subject.function, *map(str, (sum(counts), *counts))])
    headers = ["role", "function", " mutants", *(f" {verdict}" for verdict in VERDICTS)]
    return text.table(headers, rows, wrapped=1)


def _catchers(report: MutantsReport) -> str:
    caught = Counter((row.role, row.found.property) for row in report.of("caught"))
    properties = dict.fromkeys((row.role, row.id) for row in report.checked.report.rows)
    lines = []
    for subject in report.checked.roles.subjects:
        found = [
            f"{name}{text.GLUE}{caught[role, name]}"
            for role, name in properties
            if role == subject.role and caught[role, name]
        ]
        if found:
            lines.append(f"{subject.role}: {', '.join(found)}")
    return _listed("Caught by:", lines) if lines else ""


def _listed(heading: str, lines: list[str]) -> str:
    return "\n".join([heading, *(text.paragraph(line, "  ", "  ") for line in lines)])


def _place_and_change(row: MutantRow, report: MutantsReport) -> str:
    place = row.mutant.place
    file = "" if place.file == report.checked.planner.name else f"{Path(place.file).name} "
    return f"{row.role}, {file}line {place.line}: {row.mutant.change}"


def _survivor(row: MutantRow, report: MutantsReport) -> str:
    witness = row.found.witness
    assert witness is not None
    lines = [
        text.paragraph(f"survived: {_place_and_change(row, report)}"),
        text.paragraph(f"given    {text.listed(given_values(row.subject, witness))}", "  "),
        text.paragraph(f"then     {message_of(witness.run)}", "  "),
    ]
    place = row.mutant.place
    if place.file == report.checked.planner.name:
        source = report.checked.planner.lines()[place.line - 1]
        lines += ["", f"  {place.line:>5} | {visible(source)}"]
    return "\n".join(lines)


def _summary(report: MutantsReport) -> str:
    counts = [f"{len(report.of(verdict))} {verdict}" for verdict in VERDICTS if report.of(verdict)]
    survived, undecided = report.of("survived"), report.of("undecided")
    said = f"{len(survived)} survive" if survived else "none survives"
    if undecided and not survived:
        said = "none is known to survive"
    shard = "" if report.shard.shards == 1 else f", shard {report.shard}"
    of_what = f": {', '.join(counts)}" if counts else ""
    return f"{report.source}{shard}: {said}. {len(report.rows)} mutants{of_what}"
