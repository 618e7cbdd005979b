"""Text for people: aligned tables, colour on a terminal only."""

import os
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

_COLOURS = {
    "proved": "32",
    "holds": "32",
    "equal": "32",
    "refuted": "31",
    "as before": "33",
    "error": "31",
    "warning": "33",
    "differs": "33",
    "lost": "33",
    "inconclusive": "33",
    "waived": "2",
    "skipped": "2",
}


_COLUMNS: ContextVar[int | None] = ContextVar("columns", default=None)


@contextmanager
def laid_out_for(columns: int) -> Iterator[None]:
    """Lay text out for a width and without colour, whatever the terminal has: for a file."""
    before = _COLUMNS.set(columns)
    try:
        yield
    finally:
        _COLUMNS.reset(before)


def width() -> int:
    """Return the width to lay text out for, in columns."""
    return _COLUMNS.get() or max(shutil.get_terminal_size((110, 24)).columns, 60)


def in_colour(word: str, shown: str) -> str:
    """Return text in the colour of a verdict, on a terminal; other words have none."""
    is_for_file = _COLUMNS.get() is not None
    if word not in _COLOURS or is_for_file or not sys.stdout.isatty() or os.environ.get("NO_COLOR"):
        return shown
    return f"\033[{_COLOURS[word]}m{shown}\033[0m"


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], wrapped: int) -> str:
    """Return an aligned table; the column numbered ``wrapped`` is broken to fit the width.

    A column whose header starts with a space is aligned to the right.
    """
    widths = [max(len(line[column]) for line in [headers, *rows]) for column in range(len(headers))]
    taken = sum(widths) - widths[wrapped] + 2 * (len(widths) - 1)
    widths[wrapped] = min(widths[wrapped], max(width() - taken, 24))
    lines = [_line(headers, headers, widths), "  ".join("-" * size for size in widths)]
    for row in rows:
        parts = textwrap.wrap(row[wrapped], widths[wrapped]) or [""]
        for index, part in enumerate(parts):
            cells = list(row) if index == 0 else [""] * len(row)
            cells[wrapped] = part
            lines.append(_line(headers, cells, widths))
    return "\n".join(lines)


def _line(headers: Sequence[str], cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = [
        in_colour(cell, cell.rjust(size) if header.startswith(" ") else cell.ljust(size))
        for header, cell, size in zip(headers, cells, widths, strict=True)
    ]
    return "  ".join(aligned).rstrip()


GLUE = "\N{NO-BREAK SPACE}"
"""Holds a name and its value together where a line is broken."""


def paragraph(text: str, indent: str = "", hanging: str = "") -> str:
    """Return text broken to the width, each line indented, those after the first one further."""
    filled = textwrap.fill(
        text,
        width(),
        initial_indent=indent,
        subsequent_indent=indent + hanging,
        break_on_hyphens=False,
    )
    return filled.replace(GLUE, " ")


def value(item: object) -> str:
    """Return a witness value as text."""
    if isinstance(item, list):
        return f"[{', '.join(map(value, item))}]"
    return "absent" if item is None else str(item).lower() if isinstance(item, bool) else str(item)


def listed(values: Mapping[str, object]) -> str:
    """Return names and values as text, for a paragraph that keeps each pair together."""
    return ", ".join(f"{name}{GLUE}={GLUE}{value(item)}" for name, item in values.items())


def assumed(entries: Sequence[str]) -> str:
    """Return what is assumed: in a line, or each on a line of its own."""
    if len(entries) == 1:
        return paragraph(f"Assumed: {entries[0]}")
    return "\n".join(["Assumed:", *(paragraph(entry, "  ", "  ") for entry in entries)])
