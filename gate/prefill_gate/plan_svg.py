"""A plan as a picture: one SVG file that needs nothing else, for a pull request.

It has its own light background, so that it reads the same on a dark page. Places are those of
``plan_scale``: token counts are exact however long the prompt is.
"""

from collections.abc import Container, Iterable, Sequence

from prefill_gate.plan_canvas import (
    LINE,
    PADDING,
    WIDTH,
    Canvas,
    Label,
    Placed,
    arrange,
    arrange_freely,
    text_width,
)
from prefill_gate.plan_layout import Layout
from prefill_gate.plan_scale import (
    MAX_LISTED,
    Scale,
    comparison,
    heading,
    left_out,
    listed,
    split_note,
    summary,
    tail_start,
)

_LEFT = 96
_BAR_WIDTH = WIDTH - PADDING - _LEFT - 12
_BAR = 22
_BETWEEN = 8
_TICK_GAP = 4
_DOT_GAP = 10

_COMPUTED = "#b6d4fe"
_RESTORED = "#b4e6c0"
_REPLAYED = "#ffc999"
_DARK = "#0a3069"
_BLOCK = "#8c959f"
_SPLIT = "#6639ba"
_BAD = "#b3161f"

_TICK = f'stroke="{_DARK}" stroke-width="1.5"'
_DOT = f'stroke="{_DARK}" stroke-width="8" stroke-linecap="round"'
_DOTTED = f'stroke="{_BLOCK}" stroke-dasharray="2 2"'
_DASHED = f'stroke="{_SPLIT}" stroke-width="2" stroke-dasharray="4 2"'
_LEADER = f'stroke="{_BLOCK}"'
_DIAMOND = f'fill="{_SPLIT}"'
_CROSS = f'stroke="{_BAD}" stroke-width="2.5"'


def draw(layouts: Sequence[Layout]) -> str:
    """Return an SVG file of one layout, or of two of the same prompt, one above the other."""
    canvas = Canvas()
    title = f"prefill-gate plan: {' against '.join(layout.policy for layout in layouts)}"
    canvas.paragraph(title, "strong")
    canvas.paragraph(heading(layouts[0]), "faint")
    for layout in layouts:
        _panel(canvas, layout)
    if len(layouts) > 1:
        canvas.top += LINE
        canvas.paragraph(comparison(layouts), "strong")
    if layouts[0].prompt.total > 0:
        _legend(canvas, layouts)
    return canvas.finish(title)


def _panel(canvas: Canvas, layout: Layout) -> None:
    prompt = layout.prompt
    canvas.top += LINE
    canvas.path(f"M{PADDING} {canvas.top}H{WIDTH - PADDING}", 'stroke="#d1d9e0"')
    canvas.top += LINE // 2
    canvas.paragraph(layout.policy, "strong")
    low = tail_start(layout)
    if low > 0:
        whole = Scale(0, prompt.total, _BAR_WIDTH)
        _stretch(canvas, layout, whole, is_tail=False)
        _magnify(canvas, whole.place(low))
    if prompt.total > 0:
        _stretch(canvas, layout, Scale(low, prompt.total, _BAR_WIDTH), is_tail=True)
    _table(canvas, layout)
    canvas.top += LINE // 2
    canvas.paragraph(split_note(layout), "bad" if _has_lost_split(layout) else "")
    canvas.paragraph(summary(layout))
    if layout.run.stall is not None:
        canvas.paragraph(f"stalled: {layout.run.stall.message}", "bad")


def _has_lost_split(layout: Layout) -> bool:
    """Return whether the run passed its split point and saved nothing there."""
    split = layout.run.split
    return (
        split is not None
        and split not in layout.snapshots
        and layout.prompt.start < split <= layout.run.offset
    )


def _magnify(canvas: Canvas, place: int) -> None:
    """Draw how the end of the bar above becomes the whole of the bar below."""
    top, bottom = canvas.top, canvas.top + 26
    left, right = _LEFT, _LEFT + _BAR_WIDTH
    start = min(left + place, right - 2)
    canvas.path(f"M{start} {top}H{right}V{bottom}H{left}Z", 'fill="#eff2f5"')
    canvas.text(PADDING, bottom - 6, "the tail", "faint")
    canvas.top = bottom + 4


def _stretch(canvas: Canvas, layout: Layout, scale: Scale, is_tail: bool) -> None:
    """Draw a stretch of the prompt: what the run computes, and what a warm request does."""
    labels = _run_labels(layout, scale, is_tail)
    above = arrange(labels, 2 if is_tail and len(labels) <= MAX_LISTED else 1)
    below = arrange_freely(_warm_labels(layout, scale), 3) if is_tail else []
    bar = canvas.top + _height(above) + 8
    warm = bar + _BAR + _BETWEEN
    for placed in above:
        _label(canvas, placed, bar - 6 - LINE * placed.row, bar)
    for placed in below:
        _label(canvas, placed, warm + _BAR + 18 + LINE * placed.row, warm + _BAR)
    _run_bar(canvas, layout, scale, bar, is_tail)
    _warm_bar(canvas, layout, scale, warm)
    canvas.top = warm + _BAR + (_height(below) + 8 if below else 4)


def _height(labels: Sequence[Placed]) -> int:
    return (max(placed.row for placed in labels) + 1) * LINE if labels else 0


def _label(canvas: Canvas, placed: Placed, baseline: int, bar: int) -> None:
    x = placed.label.x
    # Beside its line, a label needs the line at its side; else the line ends short of it.
    is_beside = not placed.left <= x <= placed.right
    if baseline < bar:
        end = baseline - 8 if is_beside else baseline + 3
    else:
        end = baseline if is_beside else baseline - 11
    canvas.path(f"M{x} {bar}V{end}", _LEADER)
    canvas.text(placed.left, baseline, placed.label.words, placed.label.kind)


def _run_labels(layout: Layout, scale: Scale, is_tail: bool) -> list[Label]:
    """Return the labels of the run, what matters most first: the split point, then the ends."""
    split, shown = layout.run.split, dict[int, Label]()
    if is_tail and split is not None and scale.shows(split):
        x, words, kind = _LEFT + scale.place(split), f"split point {split}", "split"
        if split in layout.run.captures:
            words += ", captured"
        elif _has_lost_split(layout):
            words, kind = f"{words}, no snapshot", "bad"
        shown[x] = Label(x, words, kind, needed=True)
    edges = (layout.prompt.total, scale.low)
    for token in (*edges, *reversed(layout.run.ends), layout.prompt.start):
        x = _LEFT + scale.place(token)
        if scale.shows(token):
            shown.setdefault(x, Label(x, str(token)))
    return list(shown.values())


def _warm_labels(layout: Layout, scale: Scale) -> list[Label]:
    match, restored, _ = layout.warm
    shared: dict[int, list[str]] = {}
    for name, token in (("match", match), ("restored", restored)):
        if scale.shows(token):
            shared.setdefault(token, []).append(name)
    return [
        Label(_LEFT + scale.place(token), f"{' and '.join(names)} {token}", needed=True)
        for token, names in sorted(shared.items(), reverse=True)
    ]


def _run_bar(canvas: Canvas, layout: Layout, scale: Scale, y: int, is_tail: bool) -> None:
    prompt, run = layout.prompt, layout.run
    canvas.text(PADDING, y + 15, "prefill", "faint")
    canvas.box(_LEFT, y, _BAR_WIDTH, _BAR, "#ffffff", _BLOCK)
    _fill(canvas, scale, 0, prompt.start, y, _RESTORED)
    _fill(canvas, scale, prompt.start, run.offset, y, _COMPUTED)
    if is_tail and prompt.block_tokens:
        size = prompt.block_tokens
        boundaries = range(-(-scale.low // size) * size, prompt.total + 1, size)
        steps = (f"M{_LEFT + scale.place(token)} {y}v{_BAR + _BETWEEN}" for token in boundaries)
        canvas.path("".join(steps), _DOTTED)
    is_split_shown = is_tail and run.split is not None and scale.shows(run.split)
    split = _LEFT + scale.place(run.split or 0)
    if is_split_shown:
        canvas.path(f"M{split} {y}v{_BAR}", _DASHED)
    kept = {scale.high, run.split}
    ends = _places(scale, run.ends, _TICK_GAP, kept)
    canvas.path("".join(f"M{x} {y}v{_BAR}" for x in ends), _TICK)
    middle = y + _BAR // 2
    saved = (entry.end for entry in run.passes if entry.has_snapshot)
    dots = _places(scale, saved, _DOT_GAP, kept)
    canvas.path("".join(f"M{x} {middle}h0" for x in dots), _DOT)
    for x in _places(scale, run.captures, _DOT_GAP, kept):
        canvas.path(_diamond(x, middle), _DIAMOND)
    if is_split_shown and _has_lost_split(layout):
        canvas.path(_cross(split, middle), _CROSS)


def _diamond(x: int, y: int) -> str:
    return f"M{x} {y - 7}l7 7l-7 7l-7 -7z"


def _cross(x: int, y: int) -> str:
    return f"M{x - 5} {y - 5}l10 10m0 -10l-10 10"


def _warm_bar(canvas: Canvas, layout: Layout, scale: Scale, y: int) -> None:
    restored, replayed = layout.warm.restored, layout.warm.replayed
    canvas.text(PADDING, y + 15, "warm", "faint")
    canvas.box(_LEFT, y, _BAR_WIDTH, _BAR, "#ffffff", _BLOCK)
    for start, end, colour, words in (
        (0, restored, _RESTORED, "restored"),
        (restored, layout.prompt.total, _REPLAYED, f"replays {replayed}"),
    ):
        _fill(canvas, scale, start, end, y, colour)
        left, right = scale.place(start), scale.place(end)
        if right - left > text_width(words) + 12:
            canvas.text(_LEFT + (left + right) // 2, y + 15, words, anchor="middle")


def _fill(canvas: Canvas, scale: Scale, start: int, end: int, y: int, colour: str) -> None:
    """Fill the tokens from ``start`` to ``end``, with a sliver at least where they are shown."""
    if start < end and end > scale.low:
        right = max(scale.place(end), 2)
        left = min(scale.place(start), right - 2)
        canvas.box(_LEFT + left, y, right - left, _BAR, colour, _BLOCK)


def _places(
    scale: Scale, tokens: Iterable[int], gap: int, kept: Container[int | None]
) -> list[int]:
    """Return where tokens are drawn, without those too close to the one before to be told apart."""
    found: list[int] = []
    for token in tokens:
        x = _LEFT + scale.place(token)
        if scale.shows(token) and (token in kept or not found or x - found[-1] >= gap):
            found.append(x)
    return found


def _table(canvas: Canvas, layout: Layout) -> None:
    headers = ("pass", "start", "end", "length", "ends at", "snapshot")
    rows = [headers]
    for number, entry in listed(layout.run.passes):
        if entry is None:
            rows.append(("...", "", "", "", f"{left_out(layout.run.passes)} more", ""))
            continue
        saved = "saved" if entry.has_snapshot else ""
        spans = (str(entry.start), str(entry.end), str(entry.length))
        rows.append((str(number), *spans, layout.reason(entry), saved))
    if len(rows) == 1:
        return
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    canvas.top += LINE // 2
    for row in rows:
        canvas.top += LINE
        x = PADDING
        for column, cell in enumerate(row):
            kind = "faint" if row is headers else ""
            if column < 4:  # numbers
                canvas.text(x + widths[column], canvas.top - 5, cell, kind, "end")
            else:
                canvas.text(x, canvas.top - 5, cell, kind)
            x += widths[column] + 18


def _legend(canvas: Canvas, layouts: Sequence[Layout]) -> None:
    """Draw what the signs mean, those that are there."""
    canvas.top += LINE
    x = PADDING
    for name in _signs(layouts):
        size = 24 + text_width(name)
        if x + size > WIDTH - PADDING:
            x = PADDING
            canvas.top += LINE + 4
        _sign(canvas, name, x, canvas.top + 3)
        canvas.text(x + 24, canvas.top + 13, name, "faint")
        x += size + 12
    canvas.top += LINE


def _signs(layouts: Sequence[Layout]) -> list[str]:
    runs = [layout.run for layout in layouts]
    shown = {
        "computed": any(run.passes for run in runs),
        "restored": any(layout.warm.restored or layout.prompt.start for layout in layouts),
        "computed again": True,
        "pass end": any(run.passes for run in runs),
        "its snapshot": any(entry.has_snapshot for run in runs for entry in run.passes),
        "captured inside a pass": any(run.captures for run in runs),
        "no snapshot": any(map(_has_lost_split, layouts)),
        "split point": any(run.split is not None for run in runs),
        "block boundary": bool(layouts[0].prompt.block_tokens),
    }
    return [name for name, is_shown in shown.items() if is_shown]


def _sign(canvas: Canvas, name: str, x: int, y: int) -> None:
    middle, centre = x + 9, y + 6
    fills = {"computed": _COMPUTED, "restored": _RESTORED, "computed again": _REPLAYED}
    if name in fills:
        canvas.box(x, y, 18, 12, fills[name], _BLOCK)
        return
    line = f"M{middle} {y - 1}v14"
    steps, attributes = {
        "pass end": (line, _TICK),
        "its snapshot": (f"M{middle} {centre}h0", _DOT),
        "captured inside a pass": (_diamond(middle, centre), _DIAMOND),
        "no snapshot": (_cross(middle, centre), _CROSS),
        "split point": (line, _DASHED),
        "block boundary": (line, _DOTTED),
    }[name]
    canvas.path(steps, attributes)
