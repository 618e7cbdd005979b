"""The impact of a planner on request traces, as text for people."""

from collections.abc import Sequence

from prefill_gate import impact_words as words
from prefill_gate.impact_result import Impact
from prefill_gate.text import paragraph, table, width
from prefill_reference.replay import Settings

WIDEST_BAR = 40


def render(impact: Impact, settings: Settings, traces: Sequence[str]) -> str:
    """Return what traces cost under one policy, or under two side by side."""
    parts = [paragraph(words.heading(impact, settings, traces))]
    parts += [_aligned(words.totals(impact)), _aligned(words.distribution(impact))]
    parts.append(_histogram(impact))
    if impact.changes:
        parts += [f"{words.changes_title(impact)}:", _aligned(words.changes(impact))]
    parts += [paragraph(f"note: {note}") for note in words.notes_of(impact)]
    return "\n\n".join([*parts, paragraph(words.conclusion(impact))])


def _aligned(figures: words.Table) -> str:
    first, *others = figures.headers
    return table([first, *(f" {header}" for header in others)], figures.rows, 0)


def _histogram(impact: Impact) -> str:
    """Return how many requests have an excess of each size, with bars."""
    sides, found = impact.sides, words.sizes(impact)
    tallest = words.tallest(found)
    label_width = max(len("excess"), *(len(entry.size) for entry in found))
    taken = label_width + 10 * len(sides) + 2 * len(sides)
    longest = min(max((width() - taken) // len(sides), 8), WIDEST_BAR)
    columns = [f"{'requests':>8}  {side.name[:longest]:<{longest}}" for side in sides]
    lines = ["  ".join([f"{'excess':<{label_width}}", *columns]).rstrip()]
    for entry in found:
        cells = [f"{entry.size:>{label_width}}"]
        for count in entry.counts:
            is_drawn = entry.is_drawn and count > 0
            bar = "█" * max(count * longest // tallest, 1) if is_drawn else ""
            cells.append(f"{count:>8,}  {bar:<{longest}}")
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)
