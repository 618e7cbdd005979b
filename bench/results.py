"""The page of results: one table for each question, and the plots."""

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.fits import Fit
from bench.floor import TARGETS, Cost
from bench.growth import Family, Measured
from bench.side_by_side import TOOLS, Answer, Row
from bench.worker import Effort

TITLES = {
    "gate": "prefill-gate",
    "crosshair": "CrossHair",
    "z3": "Z3, stated naively",
    "hypothesis": "Hypothesis",
}
PEERS = tuple(tool for tool in TOOLS if tool != "gate")


class Growth(NamedTuple):
    """What grew, how long it took by size, and the power law; the plot's place in the page."""

    family: Family
    measured: Measured
    fit: Fit | None
    plot: str


class Results(NamedTuple):
    """All that one run has measured."""

    properties: Sequence[Row]
    bugs: Sequence[Row]
    costs: Sequence[Cost]
    growth: Sequence[Growth]
    start_up: float


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table; the first column is words, the others stand to the right."""
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def summary(results: Results) -> str:
    """Return the short table, which the README has as well."""
    properties, bugs = results.properties, results.bugs

    def row(tool: str) -> list[str]:
        answers = [entry.answers[tool] for entry in properties]
        decided = sum(answer.found != "undecided" for answer in answers)
        found = [e.answers[tool] for e in bugs if e.answers[tool].found == "refuted"]
        first = statistics.median(answer.seconds for answer in found) if found else None
        sizes = [answer.size for answer in found if answer.size is not None]
        return [
            TITLES[tool],
            f"{decided} of {len(answers)}",
            f"{_total(properties, tool):.1f}",
            _times(_total(properties, tool) / _total(properties, "gate")),
            f"{len(found)} of {len(bugs)}",
            "none" if first is None else f"{first:.2f}",
            _number(int(statistics.median(sizes))) if sizes else "none",
        ]

    head = [
        "tool",
        "properties decided",
        "seconds in all",
        "beside the gate",
        "bugs found",
        "seconds to one",
        "its greatest number",
    ]
    return table(head, map(row, TOOLS))


def _total(rows: Sequence[Row], tool: str) -> float:
    return sum(row.answers[tool].seconds for row in rows)


def _times(ratio: float) -> str:
    return f"{ratio:.1f}x"


def answers_table(rows: Sequence[Row], has_sizes: bool) -> str:
    """Return what each tool says to each question, in how long, and that beside the gate."""

    def cell(row: Row, tool: str) -> str:
        answer = row.answers[tool]
        ratio = "" if tool == "gate" else f", {_times(row.ratio(tool))}"
        return f"{_found(answer, has_sizes)} {answer.seconds:.2f} s{ratio}"

    def asked(row: Row) -> str:
        question = row.question
        named = f"{question.planner}: " if has_sizes else ""
        return f"{named}`{question.property_id}` ({question.role})"

    return table(
        ["question", *(TITLES[tool] for tool in TOOLS)],
        ([asked(row), *(cell(row, tool) for tool in TOOLS)] for row in rows),
    )


def _found(answer: Answer, has_sizes: bool) -> str:
    if has_sizes and answer.size is not None:
        return f"found ({_number(answer.size)})"
    return "not found" if has_sizes else answer.found


def _number(value: int) -> str:
    return f"{value:,}" if value < 10**6 else f"{value:.0e}"


def faster_peers(rows: Sequence[Row]) -> str:
    """Return the sentence that says where a peer is faster than the gate, and as decided."""
    parts = []
    for tool in PEERS:
        count = sum(
            row.answers[tool].found == row.answers["gate"].found and row.ratio(tool) < 1
            for row in rows
        )
        if count:
            parts.append(f"{TITLES[tool]} in {count}")
    if not parts:
        return f"No peer gives the gate's answer faster in any of the {len(rows)} rows."
    return f"A peer gives the gate's answer faster: {', '.join(parts)} of {len(rows)} rows."


def costs_table(costs: Sequence[Cost]) -> str:
    """Return what whole commands take beside the bare import."""

    def target(cost: Cost) -> str:
        if cost.name not in TARGETS:
            return ""
        limit = TARGETS[cost.name]
        return f"within {limit:.0f}x: {'yes' if cost.ratio <= limit else 'no'}"

    return table(
        ["command", "seconds", "beside the import", "target", "peak MB"],
        (
            [c.name, f"{c.seconds:.3f}", _times(c.ratio), target(c), f"{c.megabytes:.0f}"]
            for c in costs
        ),
    )


def growth_table(growth: Sequence[Growth]) -> str:
    """Return how time grows, with the fitted exponents."""

    def row(entry: Growth) -> list[str]:
        first, last = entry.measured.points[0], entry.measured.points[-1]
        exponent = "no growth" if entry.fit is None else f"{entry.fit.exponent:.2f}"
        sizes = f"{first.size:,} to {last.size:,}"
        times = f"{first.seconds:.2f}", f"{last.seconds:.2f}"
        undecided = ", ".join(f"{size:,}" for size in entry.measured.undecided) or "none"
        return [entry.family.name, f"{sizes} {entry.family.unit}", *times, exponent, undecided]

    head = [
        "what grows",
        "from and to",
        "seconds at first",
        "seconds at last",
        "exponent",
        "inconclusive at",
    ]
    return table(head, map(row, growth))


PAGE = Path(__file__).with_name("page.md")
"""What stands around the tables."""


def page(results: Results, settings: str, effort: Effort, rounds: int) -> str:
    """Return the whole page."""
    plots = "\n".join(f"![{entry.family.name}]({entry.plot})" for entry in results.growth)
    return PAGE.read_text(encoding="utf-8").format(
        settings=settings,
        summary=summary(results),
        limit=f"{effort.seconds:.0f}",
        examples=effort.examples,
        start_up=f"{results.start_up:.2f}",
        properties_faster=faster_peers(results.properties),
        properties=answers_table(results.properties, has_sizes=False),
        bug_count=len(results.bugs),
        bugs_faster=faster_peers(results.bugs),
        bugs=answers_table(results.bugs, has_sizes=True),
        rounds=rounds,
        costs=costs_table(results.costs),
        growth=growth_table(results.growth),
        plots=plots,
    )
