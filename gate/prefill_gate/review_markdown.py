"""The review of a ``diff`` in short, as a comment for a pull request."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from prefill_gate import text
from prefill_gate.diff_report import DiffReport, PropertyChange
from prefill_gate.markdown import code, plain
from prefill_gate.pictures import Picture
from prefill_gate.plan_text import render as draw
from prefill_gate.review import (
    EXTENTS,
    NO_PICTURE,
    OUTCOMES,
    Review,
    example,
    reason_of,
    sorted_cells,
    unchanged_note,
    verdict_sentence,
    where,
)
from prefill_gate.source_lines import visible
from prefill_proofs.comparison import Comparison

if TYPE_CHECKING:
    from prefill_gate.review_traffic import Traffic

_COLUMNS = 100
"""How wide a drawing is: as much as a comment shows without scrolling."""


def render(review: Review) -> str:
    """Return the comment."""
    report = review.report
    lines = [
        f"### prefill-gate diff: {report.verdict}",
        "",
        plain(verdict_sentence(report)),
        "",
        f"BASE {code(report.base)}, HEAD {code(report.head)}",
    ]
    lines += changes(report)
    if review.pictures.shown:
        lines += _picture(review.pictures.shown[0])
    elif report.verdict == "differs":
        lines += ["", NO_PICTURE, *(f"- {plain(note)}" for note in review.pictures.notes)]
    if review.traffic is not None:
        lines += _traffic(review.traffic)
    if report.unknown_constants:
        names = ", ".join(map(code, report.unknown_constants))
        lines += ["", f"Unknown constants, any value assumed: {names}."]
    return "\n".join(lines) + "\n"


def _traffic(traffic: Traffic) -> Iterator[str]:
    """Yield the sums over the requests of traces, and what they come to."""
    from prefill_gate import impact_words  # here, for most reviews have no trace

    impact, (headers, rows) = traffic.impact, impact_words.totals(traffic.impact)
    said = impact_words.heading(impact, traffic.settings, traffic.traces)
    yield from ("", "#### On real traffic", "", f"{plain(said)}.", "")
    yield f"| {' | '.join(map(plain, headers))} |"
    yield f"| --- |{' ---: |' * (len(headers) - 1)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield from ("", f"{plain(impact_words.conclusion(impact))}.")
    notes = [f"- {plain(note)}" for note in impact_words.notes_of(impact)]
    yield from ["", *notes] if notes else []


def changes(report: DiffReport) -> Iterator[str]:
    """Yield the lines for each role that is not equal, and for the properties that change."""
    for found in report.comparisons:
        yield from _map(found)
    if any(report.listed(kind) for kind in OUTCOMES):
        yield from ("", "#### Properties", "")
        for kind, words in OUTCOMES.items():
            yield from (_property(entry, words) for entry in report.listed(kind))


def _map(found: Comparison) -> Iterator[str]:
    """Yield the lines for a role that is not equal."""
    if found.verdict == "equal":
        return
    yield from ("", f"#### {code(found.pair.role)}: {found.verdict}", "")
    if found.map is None:
        yield plain(found.reason)
        return
    for entry in found.map.unaffected:
        yield f"- Nothing changes where {code(entry.condition.name)}."
    if found.map.unaffected:
        yield ""
    cells = sorted_cells(found)
    shown = [cell for cell in cells if cell.extent != "nowhere"]
    yield from ("| calls | change | smallest example |", "| --- | --- | --- |")
    for cell in shown:
        given, then = ("", "none is known") if cell.witness is None else example(cell.witness)
        words = plain(then) + (f"<br>{code(given)}" if given else "")
        yield f"| {plain(where(cell))} | {EXTENTS[cell.extent]} | {words} |"
    yield from ("", f"{unchanged_note(found)}.")


def _property(entry: PropertyChange, words: str) -> str:
    reason = reason_of(entry)
    says = f": {plain(reason)}" if reason else ""
    return f"- **{words}** {code(entry.head.id)} ({plain(entry.head.role)}){says}"


def _picture(picture: Picture) -> Iterator[str]:
    with text.laid_out_for(_COLUMNS):
        drawn = draw([picture.base, picture.head])
    longest = max((len(run) for run in re.findall("`+", drawn)), default=0)
    fence = "`" * max(longest + 1, 3)
    yield from (
        "",
        "#### The worst prompt, before and after",
        "",
        f"From {plain(picture.origin)}.",
        "",
    )
    yield from (f"{fence}text", *map(visible, drawn.split("\n")), fence)
