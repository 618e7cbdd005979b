"""What a picture of a plan is made of: shapes, text of known width, labels that leave room.

All lengths are in units of the picture, in which text is ``FONT`` units high. The font has one
width, so how far a text reaches is known without drawing it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import permutations
from textwrap import wrap
from typing import NamedTuple

WIDTH = 840
PADDING = 24
FONT = 12
LINE = 17

_ADVANCE = 0.61  # of the font size: no common font of one width is wider
_GAP = 6

_STYLE = """
text { font: 12px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328 }
.strong { font-weight: bold }
.faint { fill: #59636e }
.bad { fill: #b3161f }
.split { fill: #6639ba }
"""


def text_width(words: str) -> int:
    """Return how wide a text is at most."""
    return int(len(words) * FONT * _ADVANCE) + 1


def printable(words: str) -> str:
    """Return a text without what a picture cannot hold, control characters and half characters."""
    return "".join(sign if sign.isprintable() else "?" for sign in words)


@dataclass
class Canvas:
    """A picture that grows downwards; ``top`` is where the next thing goes."""

    top: int = PADDING
    shapes: list[str] = field(default_factory=list)

    def text(self, x: int, y: int, words: str, kind: str = "", anchor: str = "start") -> None:
        """Write one line with its baseline at ``y``, if there is anything to write."""
        if not words:
            return
        place = "" if anchor == "start" else f' text-anchor="{anchor}"'
        style = f' class="{kind}"' if kind else ""
        self.shapes.append(f'<text x="{x}" y="{y}"{place}{style}>{escape(printable(words))}</text>')

    def paragraph(self, words: str, kind: str = "") -> None:
        """Write a text, broken to the width."""
        most = int((WIDTH - 2 * PADDING) / (FONT * _ADVANCE))
        for line in wrap(words, most, break_on_hyphens=False):
            self.top += LINE
            self.text(PADDING, self.top - 5, line, kind)

    def box(self, x: int, y: int, width: int, height: int, fill: str, stroke: str = "none") -> None:
        """Draw a rectangle."""
        self.shapes.append(
            f'<rect x="{x}" y="{y}" width="{width}" height="{height}" '
            f'fill="{fill}" stroke="{stroke}"/>'
        )

    def path(self, steps: str, attributes: str) -> None:
        """Draw a path, of any steps at all."""
        if steps:
            self.shapes.append(f'<path d="{steps}" {attributes}/>')

    def finish(self, title: str) -> str:
        """Return the picture as the text of an SVG file."""
        height = self.top + PADDING
        lines = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" '
            f'viewBox="0 0 {WIDTH} {height}" role="img">',
            f"<title>{escape(printable(title))}</title>",
            f"<style>{_STYLE}</style>",
            f'<rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8" '
            'fill="#ffffff" stroke="#d1d9e0"/>',
            *self.shapes,
            "</svg>",
        ]
        return "\n".join(lines) + "\n"


@dataclass(frozen=True)
class Label:
    """Words about the place ``x``; one that is ``needed`` is never left out."""

    x: int
    words: str
    kind: str = ""
    needed: bool = False


class Placed(NamedTuple):
    """Where a label goes: its row, counted away from the bar, and the left end of its words."""

    label: Label
    row: int
    left: int

    @property
    def right(self) -> int:
        """The right end of its words."""
        return self.left + text_width(self.label.words)


def arrange(labels: Sequence[Label], rows: int) -> list[Placed]:
    """Return places for labels, the first ones first; what finds no room is left out.

    No words overlap, and none are crossed by the line that leads to another label, except where a
    needed one has no other place: it goes to a row of its own.
    """
    placed: list[Placed] = []
    for label in labels:
        choices = list(_choices(label, rows))
        found = next((choice for choice in choices if _has_room(choice, placed)), None)
        if found is None and label.needed:
            lowest = max((other.row for other in placed), default=-1) + 1
            found = choices[0]._replace(row=lowest)
        if found is not None:
            placed.append(found)
    return placed


def arrange_freely(labels: Sequence[Label], rows: int) -> list[Placed]:
    """Return places for a few needed labels, in whatever order leaves them the most room."""
    orders = [arrange(order, rows) for order in permutations(labels)]
    return min(orders, key=_count_crossings, default=[])


def _count_crossings(placed: Sequence[Placed]) -> int:
    return sum(_crosses(first, second) for first, second in permutations(placed, 2))


def _choices(label: Label, rows: int) -> Iterator[Placed]:
    """Yield the places for a label: about its line in any row, then beside it."""
    size = text_width(label.words)
    most = WIDTH - PADDING - size
    middle = min(max(label.x - size // 2, PADDING), most)
    sides = [left for left in (label.x + 5, label.x - size - 5) if PADDING <= left <= most]
    for left in [middle, *sides] if rows > 1 else [middle]:
        for row in range(rows):
            yield Placed(label, row, left)


def _has_room(choice: Placed, placed: Sequence[Placed]) -> bool:
    return not any(
        (
            other.row == choice.row
            and choice.left < other.right + _GAP
            and other.left < choice.right + _GAP
        )
        or _crosses(choice, other)
        or _crosses(other, choice)
        for other in placed
    )


def _crosses(first: Placed, second: Placed) -> bool:
    """Return whether the line to the first label runs through the words of the second."""
    return second.row <= first.row and second.left - 2 <= first.label.x <= second.right + 2
