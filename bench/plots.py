"""Small pictures of growth: the measured points, and the power law of their larger half."""

from collections.abc import Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from bench.fits import Fit, Point

mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "prefill-gate", "font.size": 9})

INK, ACCENT = "#444444", "#2a6fb0"


def draw(title: str, unit: str, points: Sequence[Point], found: Fit | None, path: Path) -> None:
    """Write a plot of seconds against size, both logarithmic, as SVG."""
    figure = Figure(figsize=(4.2, 2.8), layout="constrained")
    axes = figure.add_subplot()
    sizes = [point.size for point in points]
    axes.loglog(sizes, [point.seconds for point in points], "o", color=ACCENT, markersize=4)
    if found is not None:
        label = f"start + c * size^{found.exponent:.2f}"
        axes.loglog(sizes, [found.seconds(size) for size in sizes], "-", color=INK, label=label)
        axes.legend(frameon=False)
    axes.set_title(title, color=INK)
    axes.set_xlabel(unit, color=INK)
    axes.set_ylabel("processor seconds", color=INK)
    axes.set_ylim(0.1, max(10.0, 2 * max(point.seconds for point in points)))
    axes.yaxis.set_major_formatter("{x:g}")
    axes.yaxis.set_minor_formatter("")
    axes.grid(visible=True, which="major", color="#dddddd", linewidth=0.6)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    figure.savefig(path, format="svg", metadata={"Date": None})
