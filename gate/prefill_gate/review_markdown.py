"""The review of a ``diff`` in short, as a comment for a pull request."""

import re
from collections.abc import Iterator

from prefill_gate import text
from prefill_gate.diff_report import PropertyChange
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

_COLUMNS = 100
"""How wide a drawing is: as much as a comment shows without scrolling."""

_SIGNS = re.compile(r"([\\`*\[\]<|~&]|(?<!\w)_|_(?!\w))")
"""What means something to Markdown, or to HTML inside it, in the middle of a line."""


def render(review: Review) -> str:
    """Return the comment."""
    report = review.report
    lines = [
        f"### prefill-gate diff: {report.verdict}",
        "",
        _plain(verdict_sentence(report)),
        "",
        f"BASE {_code(report.base)}, HEAD {_code(report.head)}",
    ]
    for found in report.comparisons:
        lines += _map(found)
    if any(report.listed(kind) for kind in OUTCOMES):
        lines += ["", "#### Properties", ""]
        lines += [
            _property(entry, words)
            for kind, words in OUTCOMES.items()
            for entry in report.listed(kind)
        ]
    if review.pictures.shown:
        lines += _picture(review.pictures.shown[0])
    elif report.verdict == "differs":
        lines += ["", NO_PICTURE, *(f"- {_plain(note)}" for note in review.pictures.notes)]
    if report.unknown_constants:
        names = ", ".join(map(_code, report.unknown_constants))
        lines += ["", f"Unknown constants, any value assumed: {names}."]
    return "\n".join(lines) + "\n"


def _map(found: Comparison) -> Iterator[str]:
    """Yield the lines for a role that is not equal."""
    if found.verdict == "equal":
        return
    yield from ("", f"#### {_code(found.pair.role)}: {found.verdict}", "")
    if found.map is None:
        yield _plain(found.reason)
        return
    for entry in found.map.unaffected:
        yield f"- Nothing changes where {_code(entry.condition.name)}."
    if found.map.unaffected:
        yield ""
    cells = sorted_cells(found)
    shown = [cell for cell in cells if cell.extent != "nowhere"]
    yield from ("| calls | change | smallest example |", "| --- | --- | --- |")
    for cell in shown:
        given, then = ("", "none is known") if cell.witness is None else example(cell.witness)
        words = _plain(then) + (f"<br>{_code(given)}" if given else "")
        yield f"| {_plain(where(cell))} | {EXTENTS[cell.extent]} | {words} |"
    yield from ("", f"{unchanged_note(found)}.")


def _property(entry: PropertyChange, words: str) -> str:
    reason = reason_of(entry)
    says = f": {_plain(reason)}" if reason else ""
    return f"- **{words}** {_code(entry.head.id)} ({_plain(entry.head.role)}){says}"


def _picture(picture: Picture) -> Iterator[str]:
    with text.laid_out_for(_COLUMNS):
        drawn = draw([picture.base, picture.head])
    longest = max((len(run) for run in re.findall("`+", drawn)), default=0)
    fence = "`" * max(longest + 1, 3)
    yield from (
        "",
        "#### The worst prompt, before and after",
        "",
        f"From {_plain(picture.origin)}.",
        "",
    )
    yield from (f"{fence}text", *map(visible, drawn.split("\n")), fence)


def _plain(words: str) -> str:
    """Return words that Markdown takes for nothing else."""
    return _SIGNS.sub(r"\\\1", visible(words.replace(text.GLUE, " ")))


def _code(words: str) -> str:
    """Return words as code, as they are, also inside a table."""
    shown = visible(words.replace(text.GLUE, " "))
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    inside = f" {shown} " if longest else shown
    return f"{fence}{inside}{fence}".replace("|", "\\|")
