"""What is said of the impact of planners on request traces, wherever it is shown."""

from collections.abc import Sequence
from typing import NamedTuple

from prefill_gate.impact_result import Impact, Side
from prefill_reference.replay import Settings

PERCENTILES = {"median": 50, "90th percentile": 90, "99th percentile": 99, "maximum": 100}


class Table(NamedTuple):
    """A table of figures; the first column says what they are."""

    headers: list[str]
    rows: list[list[str]]


class SizeCount(NamedTuple):
    """How many requests have an excess of one size, under each policy."""

    size: str
    counts: list[int]
    is_drawn: bool


def heading(impact: Impact, settings: Settings, traces: Sequence[str]) -> str:
    """Return what was replayed, and how."""
    size = "none" if settings.block_size is None else settings.block_size
    return (
        f"{', '.join(traces)}: {impact.requests:,} requests, blocks of {size}, a snapshot every "
        f"{settings.interval} blocks, proposals of {settings.first} and then {settings.following}"
    )


def notes_of(impact: Impact) -> list[str]:
    """Return what has to be known of the figures."""
    notes = []
    if impact.skipped:
        notes.append(f"bad lines skipped: {impact.skipped}; the first: {impact.first_skipped}")
    if impact.strays:
        notes.append(
            f"requests with a hash id that was seen behind another one: {impact.strays}; an id "
            "has to stand for the whole prefix up to its block, or the figures mean little"
        )
    return notes + stalls_of(impact)


def stalls_of(impact: Impact) -> list[str]:
    """Return which policies leave requests unfinished, and the first of them."""
    return [
        f"{side.name} leaves requests unfinished: {side.stalls}; the first: {side.first_stall}"
        for side in impact.sides
        if side.stalls
    ]


def totals(impact: Impact) -> Table:
    """Return the sums over all requests, and what the second policy makes of them."""
    return _compared(
        "in all",
        {
            "prompt tokens": [impact.prompt_tokens for _ in impact.sides],
            "computed": [impact.ideal + side.excess for side in impact.sides],
            "ideal": [impact.ideal for _ in impact.sides],
            "excess": [side.excess for side in impact.sides],
            "passes": [side.passes for side in impact.sides],
            "snapshots saved": [side.snapshots for side in impact.sides],
        },
        impact.sides,
    )


def distribution(impact: Impact) -> Table:
    """Return how the excess is spread over the requests."""
    return _compared(
        "excess of a request",
        {
            label: [side.percentile(percent) for side in impact.sides]
            for label, percent in PERCENTILES.items()
        },
        impact.sides,
    )


def _compared(label: str, figures: dict[str, list[int]], sides: Sequence[Side]) -> Table:
    headers = [label, *(side.name for side in sides)]
    headers += ["difference", "ratio"] if len(sides) > 1 else []
    return Table(headers, [[name, *_cells(values)] for name, values in figures.items()])


def _cells(values: Sequence[int]) -> list[str]:
    cells = [f"{value:,}" for value in values]
    if len(values) == 1:
        return cells
    base, head = values
    return [*cells, f"{head - base:+,}" if head != base else "0", _ratio(base, head)]


def _ratio(base: int, head: int) -> str:
    return f"{head / base:.3f}" if base else "-"


def sizes(impact: Impact) -> list[SizeCount]:
    """Return how many requests have an excess of each size: none, or one of so many bits.

    Those without excess are counted, not drawn: they are most, and nothing is to be seen of the
    others beside them.
    """
    counts = [_by_size(side) for side in impact.sides]
    return [
        SizeCount(_range(size), [each.get(size, 0) for each in counts], size > 0)
        for size in sorted(set().union(*counts))
    ]


def size_table(impact: Impact) -> Table:
    """Return how many requests have an excess of each size, as a table."""
    headers = ["excess", *(side.name for side in impact.sides)]
    rows = [[entry.size, *(f"{count:,}" for count in entry.counts)] for entry in sizes(impact)]
    return Table(headers, rows)


def tallest(found: Sequence[SizeCount]) -> int:
    """Return the largest count that is drawn, or 1."""
    return max((max(entry.counts) for entry in found if entry.is_drawn), default=1)


def _by_size(side: Side) -> dict[int, int]:
    """Return how many requests have an excess of so many bits."""
    counts: dict[int, int] = {}
    for excess, count in side.excesses.items():
        size = excess.bit_length()
        counts[size] = counts.get(size, 0) + count
    return counts


def _range(size: int) -> str:
    return "0" if size == 0 else f"{1 << (size - 1):,}..{(1 << size) - 1:,}"


def changes_title(impact: Impact) -> str:
    """Return what the table of changes shows, and the trace where there is only one."""
    is_compared = len(impact.sides) > 1
    title = "The requests whose excess changes most" if is_compared else "The greatest excesses"
    return f"{title} in {impact.changes[0].trace}" if _has_one_trace(impact) else title


def changes(impact: Impact) -> Table:
    """Return the requests that change most; under one policy, those of the greatest excess."""
    sides = impact.sides
    headers = ["request", "tokens", "match", *(side.name for side in sides)]
    headers += ["difference"] if len(sides) > 1 else []
    rows = []
    for change in impact.changes:
        numbers = [change.total, change.match, *change.excesses]
        is_placed = _has_one_trace(impact)
        place = f"line {change.line}" if is_placed else f"{change.trace}:{change.line}"
        cells = [place, *(f"{number:,}" for number in numbers)]
        rows.append(cells + ([f"{change.difference:+,}"] if len(sides) > 1 else []))
    return Table(headers, rows)


def _has_one_trace(impact: Impact) -> bool:
    return len({change.trace for change in impact.changes}) == 1


def conclusion(impact: Impact) -> str:
    """Return the result in one sentence."""
    base, head = impact.sides[0], impact.sides[-1]
    if len(impact.sides) == 1:
        share = base.excess / max(impact.ideal, 1)
        return (
            f"{base.name} computes {base.excess:,} tokens more than the ideal ({share:.1%}), "
            f"in {base.passes:,} passes"
        )
    change = head.excess - base.excess
    if change == 0:
        tokens = f"{head.name} computes as many tokens as {base.name}"
    else:
        word = "more" if change > 0 else "fewer"
        tokens = f"{head.name} computes {abs(change):,} tokens {word} than {base.name}"
    passes = f"in {head.passes:,} passes"
    if head.passes != base.passes:
        passes += f" instead of {base.passes:,}"
    return f"{tokens}, {passes}"
