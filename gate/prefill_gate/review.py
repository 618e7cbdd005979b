"""What a reviewer is shown of a ``diff``, on a page or in a comment, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from prefill_gate import text
from prefill_gate.check import Checked
from prefill_gate.config import property_of
from prefill_gate.diff_report import DiffReport, PropertyChange, message_of, witness_values
from prefill_gate.pictures import Pictures, Side, choose_pictures
from prefill_gate.source_lines import SourceLine, changed_lines
from prefill_proofs.change_map import MapCell
from prefill_proofs.comparison import Comparison
from prefill_proofs.witnesses import Witness
from prefill_spec.run_theorems import RUN_THEOREM_IDS, RUN_THEOREMS

if TYPE_CHECKING:  # what replays traces is loaded for a review that has one
    from prefill_gate.review_traffic import Traffic

EXTENTS = {
    "everywhere": "changed always",
    "sometimes": "changed sometimes",
    "unknown": "undecided",
    "nowhere": "unchanged",
}
"""How far a cell of a map is changed, in words; in the order in which cells are shown."""

OUTCOMES = {
    "lost": "lost",
    "gained": "gained",
    "broken_on_both": "broken on both",
    "undecided": "undecided",
}
"""What became of a property, in words; in the order in which properties are shown."""

NO_PICTURE = "No picture: no prompt was found, or could be laid out, that runs differently."
"""What stands in place of the pictures of two planners that differ, where there is none."""


@dataclass(frozen=True)
class Review:
    """A report without errors, the pictures and the source lines that go with it."""

    report: DiffReport
    pictures: Pictures
    lines: Sequence[SourceLine]
    traffic: Traffic | None = None

    @property
    def properties(self) -> list[PropertyChange]:
        """The properties, those of which something became first."""
        order = [*OUTCOMES, None]
        return sorted(self.report.properties, key=lambda entry: order.index(entry.kind))


def review_of(report: DiffReport, before: Checked, after: Checked) -> Review:
    """Return the review of a report of two planners."""
    base, head = (Side(side.planner.name, side.roles.subjects) for side in (before, after))
    sources = [side.planner.content.decode(errors="replace") for side in (before, after)]
    pictures = choose_pictures(report.comparisons, base, head)
    return Review(report, pictures, changed_lines(*sources))


def listing(words: Sequence[str]) -> str:
    """Return words as an English list."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def verdict_sentence(report: DiffReport) -> str:
    """Return the verdict in one sentence."""
    roles: dict[str, list[str]] = {}
    for entry in report.comparisons:
        roles.setdefault(entry.verdict, []).append(entry.pair.role)
    said = []
    if "differs" in roles:
        said.append(f"HEAD differs from BASE in {listing(roles['differs'])}")
    if "equal" in roles:
        equal = "is equal to it" if said else "HEAD is equal to BASE"
        said.append(f"{equal} in {listing(roles['equal'])}, for every input")
    if "inconclusive" in roles:
        said.append(f"nothing could be decided of {listing(roles['inconclusive'])}")
    if report.undecided_cells:
        said.append(f"some calls could not be decided of {listing(list(report.undecided_cells))}")
    for verb, kind in (("loses", "lost"), ("gains", "gained")):
        if ids := ids_of(report, kind):
            said.append(f"{verb} {listing(ids)}")
    return "; ".join(said) + "."


def ids_of(report: DiffReport, kind: str) -> list[str]:
    """Return the ids of the properties that one thing became of, each once."""
    return list(dict.fromkeys(entry.head.id for entry in report.listed(kind)))


def sorted_cells(found: Comparison) -> list[MapCell]:
    """Return the cells of a map, the changed ones first; none where there is no map."""
    if found.map is None:
        return []
    return sorted(found.map.cells, key=lambda cell: list(EXTENTS).index(cell.extent))


def unchanged_note(found: Comparison) -> str:
    """Return how many cells of a map are unchanged, in words."""
    cells = sorted_cells(found)
    unchanged = sum(cell.extent == "nowhere" for cell in cells)
    return f"{unchanged} of {len(cells)} cells are proved unchanged"


def where(cell: MapCell) -> str:
    """Return the calls of a cell, in words."""
    return ", ".join(cell.conditions) or "every call"


def example(witness: Witness) -> tuple[str, str]:
    """Return the call of a witness, and what both sides make of it."""
    return text.listed(witness_values(witness)), message_of(witness.run)


def outcome_of(entry: PropertyChange) -> str:
    """Return what became of a property, in words."""
    if entry.kind is not None:
        return OUTCOMES[entry.kind]
    is_kept = entry.base.verdict == entry.head.verdict == "proved"
    return "kept" if is_kept else "not compared"


def reason_of(entry: PropertyChange) -> str:
    """Return why a property does not hold, where it does not."""
    row = entry.base if entry.kind == "gained" else entry.head
    if entry.kind is None:
        return ""
    because = ", ".join(row.details.get("because", ()))
    rests = f"rests on {because}" if because else ""
    found: str = row.details.get("message") or row.details.get("reason") or rests
    return f"before: {found}" if found and entry.kind == "gained" else found


class Explanation(NamedTuple):
    """A property or run theorem in full."""

    id: str
    statement: str
    further: str
    why: str
    uses: tuple[str, ...]


def explanations(review: Review) -> list[Explanation]:
    """Return the explanation of each property of a review, in the order of the table."""
    theorems = {theorem.id: theorem for theorem in RUN_THEOREMS}
    found = []
    for name in dict.fromkeys(entry.head.id for entry in review.properties):
        if name in RUN_THEOREM_IDS:
            theorem = theorems[name]
            found.append(Explanation(name, theorem.statement, "", theorem.why, theorem.uses))
        else:
            entry = property_of(name)
            found.append(Explanation(name, entry.statement, entry.further, entry.why, ()))
    return found
