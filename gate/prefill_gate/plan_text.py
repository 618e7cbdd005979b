"""A plan for people: a table of passes and a drawing, its tail magnified.

The drawing is plain ASCII, so that it survives any terminal and any log.
"""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from prefill_gate import text
from prefill_gate.plan_layout import Layout
from prefill_gate.plan_scale import (
    Scale,
    comparison,
    heading,
    left_out,
    listed,
    split_note,
    summary,
    tail_start,
)

LEGEND = (
    "= computed",
    "# end with a snapshot",
    "| end without one",
    "C captured",
    "r restored",
    "x computed again",
)
_MARGIN = 10


def render(layouts: Sequence[Layout]) -> str:
    """Return one layout, or two side by side where they fit."""
    parts = [text.paragraph(heading(layouts[0])), _beside([_listing(layout) for layout in layouts])]
    drawn = [_drawing(layout, is_tail=False) for layout in layouts]
    low = tail_start(layouts[0])
    total = layouts[0].prompt.total
    if low > 0:
        parts.append("\n".join(["The whole prompt", *drawn]))
        drawn = [_drawing(layout, is_tail=True) for layout in layouts]
        parts.append("\n".join([f"Its tail, tokens {low} to {total}", *drawn]))
    elif total > 0:
        parts.append("\n".join(["The whole prompt", *drawn]))
    parts.append(_legend())
    parts += [_notes(layout) for layout in layouts]
    if len(layouts) > 1:
        parts.append(comparison(layouts))
    return "\n\n".join(parts)


def _legend() -> str:
    """Return the meaning of the signs; no line ends inside one."""
    kept_together = (entry.replace(" ", "\xa0") for entry in LEGEND)
    return text.paragraph("   ".join(kept_together)).replace("\xa0", " ")


def _listing(layout: Layout) -> str:
    rows = []
    for number, entry in listed(layout.run.passes):
        if entry is None:
            rows.append(("..", "", "", "", f"{left_out(layout.run.passes)} more", ""))
            continue
        saved = "saved" if entry.has_snapshot else ""
        spans = (str(entry.start), str(entry.end), str(entry.length))
        rows.append((str(number), *spans, layout.reason(entry), saved))
    headers = (" pass", " start", " end", " length", "ends at", "snapshot")
    return f"{layout.policy}\n{text.table(headers, rows, wrapped=4)}"


def _beside(blocks: Sequence[str]) -> str:
    columns = [block.splitlines() for block in blocks]
    widths = [max(map(len, column)) for column in columns]
    if sum(widths) + 4 * (len(widths) - 1) > text.width():
        return "\n\n".join(blocks)
    return "\n".join(
        "    ".join(line.ljust(size) for line, size in zip(lines, widths, strict=True)).rstrip()
        for lines in zip_longest(*columns, fillvalue="")
    )


def _notes(layout: Layout) -> str:
    notes = [split_note(layout), summary(layout)]
    if layout.run.stall is not None:
        notes.append(f"stalled: {layout.run.stall.message}")
    return "\n".join(text.paragraph(f"{layout.policy}: {note}") for note in notes)


def _drawing(layout: Layout, is_tail: bool) -> str:
    prompt = layout.prompt
    low = tail_start(layout) if is_tail else 0
    scale = Scale(low, prompt.total, min(text.width(), 110) - _MARGIN - 1)
    lines = [("", line) for line in _ruler(layout, scale)]
    if is_tail and layout.prompt.block_tokens:
        lines.append(("blocks", _blocks(layout.prompt.block_tokens, scale)))
    lines.append(("prefill", _passes(layout, scale)))
    lines.append(("warm", _warm(layout, scale)))
    lines += [("", line) for line in _marks(layout, scale)]
    body = "\n".join(f"  {name:<{_MARGIN - 2}}{line}".rstrip() for name, line in lines)
    return f" {layout.policy}\n{body}"


def _ruler(layout: Layout, scale: Scale) -> list[str]:
    """Return where the passes end, in numbers, those at the end of the prompt first."""
    ends = [scale.low, *(entry.end for entry in layout.run.passes if scale.shows(entry.end))]
    labels = [(scale.place(end), str(end)) for end in reversed(ends)]
    return _labelled(labels, scale.width, rows=2)


def _blocks(block_size: int, scale: Scale) -> str:
    cells = ["-"] * (scale.width + 1)
    for boundary in range(scale.high // block_size * block_size, scale.low - 1, -block_size):
        cells[scale.place(boundary)] = "+"
    return "".join(cells)


def _passes(layout: Layout, scale: Scale) -> str:
    cells = [" "] * (scale.width + 1)
    _fill(cells, scale, 0, layout.prompt.start, "r")
    for entry in layout.run.passes:
        _fill(cells, scale, entry.start, entry.end, "=")
    for entry in layout.run.passes:
        if scale.shows(entry.end):
            place = scale.place(entry.end)
            if cells[place] != "#":  # where ends share a column, one with a snapshot is shown
                cells[place] = "#" if entry.has_snapshot else "|"
    for capture in layout.run.captures:
        if scale.shows(capture):
            cells[scale.place(capture)] = "C"
    return "".join(cells)


def _warm(layout: Layout, scale: Scale) -> str:
    cells = [" "] * (scale.width + 1)
    _fill(cells, scale, 0, layout.warm.restored, "r")
    _fill(cells, scale, layout.warm.restored, layout.prompt.total, "x")
    return "".join(cells)


def _fill(cells: list[str], scale: Scale, start: int, end: int, sign: str) -> None:
    if start >= end or end <= scale.low:
        return
    first = scale.place(start)
    last = max(scale.place(end), first + 1)
    if end == scale.high:
        last = scale.width + 1
    cells[first:last] = sign * (min(last, len(cells)) - first)


def _marks(layout: Layout, scale: Scale) -> list[str]:
    match, restored, _ = layout.warm
    tokens = {"split": layout.run.split, "match": match, "restored": restored}
    shared: dict[int, list[str]] = {}
    for name, token in tokens.items():
        if token is not None and scale.shows(token):
            shared.setdefault(token, []).append(name)
    labels = [
        (scale.place(token), f"^ {' and '.join(names)} {token}")
        for token, names in sorted(shared.items(), reverse=True)
    ]
    return _labelled(labels, scale.width, rows=3, is_left=True)


def _labelled(
    labels: Iterable[tuple[int, str]], width: int, rows: int, is_left: bool = False
) -> list[str]:
    """Return lines with each label at its place, in the first of ``rows`` lines with room for it.

    A label starts at its place, or is centred on it; one that finds no room is left out.
    """
    lines = [" " * (width + 16)] * rows
    for place, label in labels:
        start = place if is_left else max(place - len(label) // 2, 0)
        if is_left and start + len(label) > width + 1:
            label = f"{label[2:]} ^"  # its sign stays at the place
            start = place + 1 - len(label)
        elif not is_left:
            start = min(start, width + 1 - len(label))
        around = slice(max(start - 2, 0), start + len(label) + 2)
        for index, line in enumerate(lines):
            if not line[around].strip():
                lines[index] = line[:start] + label + line[start + len(label) :]
                break
    return [line for line in lines if line.strip()]
