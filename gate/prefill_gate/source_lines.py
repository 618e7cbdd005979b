"""The lines of two sources, those that changed marked."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Literal, NamedTuple

CONTEXT = 40
"""So many lines are shown around a change."""


class SourceLine(NamedTuple):
    """A line as it stands on both sides or on one, numbered there; a gap says what it leaves out.

    What cannot be printed is written out, so that no line reads as something else.
    """

    kind: Literal["kept", "removed", "added", "gap"]
    base: int | None
    head: int | None
    words: str


def changed_lines(base: str, head: str) -> list[SourceLine]:
    """Return the changed lines of two sources and those around them; none for equal sources."""
    before, after = (source.removesuffix("\n").split("\n") for source in (base, head))
    groups = SequenceMatcher(None, before, after).get_grouped_opcodes(CONTEXT)
    found: list[SourceLine] = []
    shown = 0
    for group in groups:
        start = group[0][1]
        found += _gap(start - shown)
        for tag, base_from, base_to, head_from, head_to in group:
            if tag == "equal":
                found += _kept(before[base_from:base_to], base_from + 1, head_from + 1)
                continue
            found += [
                SourceLine("removed", number, None, visible(line))
                for number, line in enumerate(before[base_from:base_to], base_from + 1)
            ]
            found += [
                SourceLine("added", None, number, visible(line))
                for number, line in enumerate(after[head_from:head_to], head_from + 1)
            ]
        shown = group[-1][2]
    return found + list(_gap(len(before) - shown)) if found else []


def _kept(lines: list[str], base: int, head: int) -> Iterator[SourceLine]:
    for offset, line in enumerate(lines):
        yield SourceLine("kept", base + offset, head + offset, visible(line))


def _gap(count: int) -> Iterator[SourceLine]:
    if count > 0:
        lines = "1 line as it was" if count == 1 else f"{count} lines as they were"
        yield SourceLine("gap", None, None, lines)


def visible(words: str) -> str:
    """Return words with the signs that cannot be printed written out, by their number."""
    return "".join(
        sign if sign.isprintable() or sign == "\t" else f"\\u{ord(sign):04x}"
        for sign in words.removesuffix("\r")
    )
