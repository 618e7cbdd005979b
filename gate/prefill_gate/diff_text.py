"""The report of ``diff`` for people."""

from prefill_gate import text
from prefill_gate.diff_report import DiffReport, PropertyChange, message_of, witness_values
from prefill_proofs.change_map import MapCell
from prefill_proofs.comparison import Comparison
from prefill_proofs.witnesses import Witness

HEADINGS = {
    "lost": "HEAD loses",
    "gained": "HEAD gains",
    "broken_on_both": "neither holds",
    "undecided": "undecided",
}
"""What is said of each list of properties."""


def render(report: DiffReport, is_quiet: bool) -> str:
    """Return a paragraph for each role, the properties, and the summary line.

    Quietly, only what differs or is not known, and nothing for equal planners.
    """
    if report.errors:
        return f"{report.base} -> {report.head}: {report.verdict}"
    if is_quiet and report.verdict == "equal":
        return ""
    parts = changes(report, is_quiet)
    if not is_quiet:
        if report.unknown_constants:
            names = ", ".join(report.unknown_constants)
            parts.append(text.paragraph(f"Unknown constants, any value assumed: {names}"))
        parts.append(text.assumed(report.assumptions))
    return "\n\n".join([*parts, _summary(report)])


def changes(report: DiffReport, is_quiet: bool = False) -> list[str]:
    """Return a paragraph for each role, and one for the properties that either side breaks."""
    parts = [
        _role(entry) for entry in report.comparisons if not (is_quiet and entry.verdict == "equal")
    ]
    for side, only in (("BASE", report.only_base), ("HEAD", report.only_head)):
        if only and not is_quiet:
            parts.append(text.paragraph(f"Only in {side}, not compared: {', '.join(only)}"))
    lines = [
        text.paragraph(f"{heading:<14}{_property(entry)}", hanging=" " * 14)
        for kind, heading in HEADINGS.items()
        for entry in report.listed(kind)
    ]
    return [*parts, "\n".join(lines)] if lines else parts


def _role(found: Comparison) -> str:
    if found.verdict == "equal":
        return f"{found.pair.role}: equal, for every input"
    if found.map is None:
        return text.paragraph(f"{found.pair.role}: inconclusive: {found.reason}")
    lines = [f"{found.pair.role}: differs"]
    for entry in found.map.unaffected:
        lines.append(text.paragraph(f"nothing changes where {entry.condition.name}", "  "))
    ranked = sorted(found.map.cells, key=lambda cell: cell.extent == "nowhere")
    for cell in ranked:
        lines += _cell(cell)
    return "\n".join(lines)


VERDICTS = {
    "nowhere": "unchanged  always     ",
    "everywhere": "changed    always     ",
    "sometimes": "changed    sometimes  ",
    "unknown": "undecided             ",
}
"""What stands before the conditions of a cell, by how far it is changed."""


def _cell(cell: MapCell) -> list[str]:
    where = ", ".join(cell.conditions) or "every call"
    verdict = VERDICTS[cell.extent]
    lines = [text.paragraph(f"{verdict}{where}", "  ", " " * len(verdict))]
    return lines + (_example(cell.witness) if cell.witness is not None else [])


def _example(witness: Witness) -> list[str]:
    return [
        text.paragraph(f"given    {text.listed(witness_values(witness))}", "    ", " " * 9),
        text.paragraph(f"then     {message_of(witness.run)}", "    ", " " * 9),
    ]


def _property(entry: PropertyChange) -> str:
    row = entry.head
    because = row.details.get("message") or ", ".join(row.details.get("because", ()))
    says = f": {because}" if because and entry.kind != "gained" else ""
    return f"{row.id} ({row.role}){says}"


def _summary(report: DiffReport) -> str:
    verdicts = [entry.verdict for entry in report.comparisons]
    counts = [
        f"{verdicts.count(word)} {word}"
        for word in ("equal", "differs", "inconclusive")
        if word in verdicts
    ]
    verdict = text.in_colour(report.verdict, report.verdict)
    said = f"{report.base} -> {report.head}: {verdict}. Roles: {', '.join(counts)}"
    undecided = sum(report.undecided_cells.values())
    cells = "1 cell" if undecided == 1 else f"{undecided} cells"
    return f"{said}. Inconclusive: {cells} of their maps" if undecided else said
