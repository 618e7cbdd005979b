"""The impact of a planner on request traces, as text for people."""

from collections.abc import Sequence

from prefill_gate.impact_result import Impact, Side
from prefill_gate.text import paragraph, table, width
from prefill_reference.replay import Settings

PERCENTILES = {"median": 50, "90th percentile": 90, "99th percentile": 99, "maximum": 100}

WIDEST_BAR = 40


def render(impact: Impact, settings: Settings, traces: Sequence[str]) -> str:
    """Return what traces cost under one policy, or under two side by side."""
    size = "none" if settings.block_size is None else settings.block_size
    heading = (
        f"{', '.join(traces)}: {impact.requests:,} requests, blocks of {size}, a snapshot every "
        f"{settings.interval} blocks, proposals of {settings.first} and then {settings.following}"
    )
    parts = [paragraph(heading), _totals(impact), _distribution(impact), _histogram(impact)]
    parts += [_changes(impact)] if impact.changes else []
    parts += [paragraph(f"note: {note}") for note in notes_of(impact)]
    return "\n\n".join([*parts, _conclusion(impact)])


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
    notes += [
        f"{side.name} leaves requests unfinished: {side.stalls}; the first: {side.first_stall}"
        for side in impact.sides
        if side.stalls
    ]
    return notes


def _totals(impact: Impact) -> str:
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


def _distribution(impact: Impact) -> str:
    """Return how the excess is spread over the requests."""
    return _compared(
        "excess of a request",
        {
            label: [side.percentile(percent) for side in impact.sides]
            for label, percent in PERCENTILES.items()
        },
        impact.sides,
    )


def _compared(heading: str, figures: dict[str, list[int]], sides: Sequence[Side]) -> str:
    headers = [heading, *(f" {side.name}" for side in sides)]
    headers += [" difference", " ratio"] if len(sides) > 1 else []
    return table(headers, [[label, *_cells(values)] for label, values in figures.items()], 0)


def _cells(values: Sequence[int]) -> list[str]:
    cells = [f"{value:,}" for value in values]
    if len(values) == 1:
        return cells
    base, head = values
    return [*cells, f"{head - base:+,}" if head != base else "0", _ratio(base, head)]


def _ratio(base: int, head: int) -> str:
    return f"{head / base:.3f}" if base else "-"


def _histogram(impact: Impact) -> str:
    """Return how many requests have an excess of each size; bars leave out those with none."""
    sides = impact.sides
    counts = [_by_size(side) for side in sides]
    sizes = sorted(set().union(*counts))
    tallest = max((count for each in counts for size, count in each.items() if size), default=1)
    label_width = max(len("excess"), *(len(_range(size)) for size in sizes))
    taken = label_width + 10 * len(sides) + 2 * len(sides)
    longest = min(max((width() - taken) // len(sides), 8), WIDEST_BAR)
    columns = [f"{'requests':>8}  {side.name[:longest]:<{longest}}" for side in sides]
    lines = ["  ".join([f"{'excess':<{label_width}}", *columns]).rstrip()]
    for size in sizes:
        cells = [f"{_range(size):>{label_width}}"]
        for each in counts:
            count = each.get(size, 0)
            bar = "" if size == 0 or count == 0 else "█" * max(count * longest // tallest, 1)
            cells.append(f"{count:>8,}  {bar:<{longest}}")
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _by_size(side: Side) -> dict[int, int]:
    """Return how many requests have an excess of so many bits."""
    counts: dict[int, int] = {}
    for excess, count in side.excesses.items():
        size = excess.bit_length()
        counts[size] = counts.get(size, 0) + count
    return counts


def _range(size: int) -> str:
    return "0" if size == 0 else f"{1 << (size - 1):,}..{(1 << size) - 1:,}"


def _changes(impact: Impact) -> str:
    """Return the requests that change most; under one policy, those of the greatest excess."""
    sides = impact.sides
    has_one_trace = len({change.trace for change in impact.changes}) == 1
    headers = ["request", " tokens", " match", *(f" {side.name}" for side in sides)]
    headers += [" difference"] if len(sides) > 1 else []
    rows = []
    for change in impact.changes:
        numbers = [change.total, change.match, *change.excesses]
        place = f"line {change.line}" if has_one_trace else f"{change.trace}:{change.line}"
        cells = [place, *(f"{number:,}" for number in numbers)]
        rows.append(cells + ([f"{change.difference:+,}"] if len(sides) > 1 else []))
    title = "The requests whose excess changes most" if len(sides) > 1 else "The greatest excesses"
    where = f" in {impact.changes[0].trace}" if has_one_trace else ""
    return f"{title}{where}:\n\n{table(headers, rows, 0)}"


def _conclusion(impact: Impact) -> str:
    base, head = impact.sides[0], impact.sides[-1]
    if len(impact.sides) == 1:
        share = base.excess / max(impact.ideal, 1)
        return paragraph(
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
    return paragraph(f"{tokens}, {passes}")
