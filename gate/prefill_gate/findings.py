"""What a check found that does not hold or is not known, in the words that its forms share."""

from collections.abc import Iterable
from itertools import pairwise

from prefill_gate import text
from prefill_gate.reports import Report, Row

SEVERITIES = {"deny": "error", "warn": "warning"}
"""How the forms for machines call a finding, by the level of its property."""


def findings(reports: Iterable[Report]) -> list[tuple[Report, Row]]:
    """Return the rows that are refuted or inconclusive, those that decide the verdict first."""
    found = [
        (report, row)
        for report in reports
        for row in report.rows
        if row.verdict in ("refuted", "inconclusive")
    ]
    return sorted(found, key=lambda entry: _rank(entry[1]))


def _rank(row: Row) -> tuple[bool, bool, bool]:
    return row.is_old, row.level != "deny", row.verdict != "refuted"


def reason_of(row: Row) -> str:
    """Return why a row is not proved."""
    reason: str = row.details.get("reason", "")
    match row.verdict:
        case "waived":
            return row.level_reason or ""
        case "skipped":
            return "this file lacks a role"
        case "lost":
            return reason or f"rests on {', '.join(row.details['because'])}"
        case "inconclusive":
            return f"inconclusive: {reason}"
        case _:
            message: str = row.details.get("message", reason)
            return message


def setting_of(row: Row) -> str:
    """Return what the configuration makes of a row and why, nothing where that is as usual."""
    if row.level_reason is None:
        return ""
    if row.region is not None:
        return f"excepted where {row.region}: {row.level_reason}"
    made = "waived" if row.verdict == "waived" else f"level {row.level}"
    return f"{made}: {row.level_reason}"


def told_of(row: Row) -> list[str]:
    """Return all that is known of a finding but its statement and its lines, in short lines."""
    facts = [f"{name} {fact}".replace(text.GLUE, " ") for name, fact in facts_of(row).items()]
    before = "it did not hold in the base" if row.is_old else ""
    return list(filter(None, [reason_of(row), *facts, *row.notes, before, setting_of(row)]))


def facts_of(row: Row) -> dict[str, str]:
    """Return the witness and the answer of a finding, by what they are; none without a witness."""
    if "witness" not in row.details:
        return {}
    answer = "a fault" if "fault" in row.details else text.value(row.details["observed"])
    return {"given": text.listed(row.details["witness"]), "returns": answer}


def lines_of(row: Row) -> str:
    """Return the lines that the witness of a finding comes through, as numbers."""
    numbers = sorted({line.number for line in row.lines})
    gaps = [(before, after) for before, after in pairwise(numbers) if after > before + 1]
    starts = [*numbers[:1], *(after for _, after in gaps)]
    ends = [*(before for before, _ in gaps), *numbers[-1:]]
    spans = zip(starts, ends, strict=True)
    return ", ".join(f"{start}" if start == end else f"{start}-{end}" for start, end in spans)


def deciding_line(row: Row) -> int | None:
    """Return the line of the source that a finding is shown at: where the answer is made.

    It is the function's own where no line is known, and ``None`` where there is no source.
    """
    if row.lines:
        return row.lines[-1].number
    return None if row.place is None else row.place.line
