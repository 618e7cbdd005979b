"""How the excess is spread over the requests of traces, as a chart on the page of a review.

Widths are shares of the page, so that a phone shows the same bars; heights are pixels. The colours
are those of the page, light and dark.
"""

from html import escape

from prefill_gate.impact_result import Impact
from prefill_gate.impact_words import conclusion, sizes, tallest

_LONGEST = 80
"""How much of the width the longest bar takes, in percent; its count stands beside it."""

_BAR = 14
_LABEL = 18
_GAP = 12
SIDES = ("base", "head")
"""The classes of the bars; the style of the page colours them."""


def draw(impact: Impact) -> str:
    """Return the chart: for each size of excess a bar for BASE over one for HEAD."""
    found = sizes(impact)
    longest = tallest(found)
    shapes, top = [], 0
    for entry in found:
        top += _LABEL
        shapes.append(f'<text x="0" y="{top - 5}">{entry.size}</text>')
        for side, count in zip(SIDES, entry.counts, strict=True):
            share = count * _LONGEST / longest if entry.is_drawn else 0
            shapes += _bar(side, share, top, f"{count:,}")
            top += _BAR + 2
        top += _GAP
    return "\n".join(
        [
            f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" width="100%" height="{top}" '
            'role="img" aria-labelledby="chart-title chart-words">',
            '<title id="chart-title">How many requests have how large an excess, in tokens</title>',
            f'<desc id="chart-words">{escape(conclusion(impact))}. The table below has the counts.'
            "</desc>",
            *shapes,
            "</svg>",
        ]
    )


def _bar(side: str, share: float, top: int, count: str) -> list[str]:
    """Return the shapes of a bar and of its count; a count that is not drawn stands alone."""
    words = f'<text x="{share:.2f}%" y="{top + _BAR - 3}" dx="6">{count}</text>'
    if not share:
        return [words]
    box = f'<rect class="{side}" x="0" y="{top}" width="{share:.2f}%" height="{_BAR}"/>'
    return [box, words]
