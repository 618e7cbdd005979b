"""What ``diff`` found, before anyone decides how to print it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from prefill_gate import __version__, exits
from prefill_gate.reports import Row, call_values, plain
from prefill_proofs.change_map import MapCell
from prefill_proofs.comparison import Comparison
from prefill_proofs.pairs import Sides
from prefill_proofs.solver import solver_version
from prefill_proofs.subjects import Run
from prefill_proofs.unknowns import Unaffected
from prefill_proofs.witnesses import Witness
from prefill_spec.changes import Reply, change

BROKEN = ("refuted", "lost")
"""The verdicts of a property or run theorem that does not hold."""


class PropertyChange(NamedTuple):
    """One property or run theorem, as it is on both sides."""

    base: Row
    head: Row

    @property
    def kind(self) -> str | None:
        """What became of it: a list of the report, or ``None`` where it holds on both sides."""
        before, after = self.base.verdict, self.head.verdict
        if "inconclusive" in (before, after):
            return "undecided"
        if before in BROKEN:
            return "broken_on_both" if after in BROKEN else "gained" if after == "proved" else None
        return "lost" if before == "proved" and after in BROKEN else None


PROPERTY_LISTS = ("lost", "gained", "broken_on_both", "undecided")


@dataclass
class DiffReport:
    """The result of ``diff``."""

    base: str
    head: str
    comparisons: list[Comparison] = field(default_factory=list)
    properties: list[PropertyChange] = field(default_factory=list)
    only_base: list[str] = field(default_factory=list)
    only_head: list[str] = field(default_factory=list)
    unknown_constants: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    shown_errors: list[str] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """The verdict of the whole: one role that differs is enough."""
        if self.errors:
            return "error"
        found = {entry.verdict for entry in self.comparisons}
        return next(word for word in ("differs", "inconclusive", "equal") if word in found)

    def exit_code(self, tells_differences: bool) -> int:
        """Return the exit code; a difference is told by it only where that was asked for."""
        found = {entry.verdict for entry in self.comparisons}
        codes = [exits.UNUSABLE] * bool(self.errors)
        codes += [exits.INCONCLUSIVE] * ("inconclusive" in found or bool(self.undecided_cells))
        codes += [exits.REFUTED] * (tells_differences and "differs" in found)
        return exits.worst(codes)

    @property
    def undecided_cells(self) -> dict[str, int]:
        """How many cells of the maps could not be decided, by role, where there are any."""
        counts = {
            entry.pair.role: sum(cell.extent == "unknown" for cell in entry.map.cells)
            for entry in self.comparisons
            if entry.map is not None
        }
        return {role: count for role, count in counts.items() if count}

    def listed(self, kind: str) -> list[PropertyChange]:
        """Return the properties that one thing became of."""
        return [entry for entry in self.properties if entry.kind == kind]


def message_of(run: Run) -> str:
    """Return what both sides made of a call, in words."""
    return change(run.call, *(Reply(side.answer, _fault(side)) for side in run.answer))


def _fault(run: Run) -> str | None:
    if run.fault is None:
        return None
    return f"{run.fault.operation}, line {run.fault.line}"


def witness_values(witness: Witness) -> Mapping[str, Any]:
    """Return the arguments of a witness, and the further inputs, by name."""
    return call_values(witness.run.call) | dict(witness.values)


def to_json(report: DiffReport) -> dict[str, Any]:
    """Return a report as the documented JSON object."""
    result: dict[str, Any] = {
        "version": 1,
        "command": "diff",
        "base": report.base,
        "head": report.head,
        "verdict": report.verdict,
    }
    if report.errors:
        result |= {"errors": report.errors, "roles": [], "properties": []}
    else:
        result |= {
            "roles": [_role_to_json(entry) for entry in report.comparisons],
            "only_base": report.only_base,
            "only_head": report.only_head,
            "properties": {
                kind: [_property_to_json(entry) for entry in report.listed(kind)]
                for kind in PROPERTY_LISTS
            },
            "unknown_constants": report.unknown_constants,
            "assumptions": report.assumptions,
        }
    return result | {"versions": {"prefill-gate": __version__, "z3": solver_version()}}


def _role_to_json(found: Comparison) -> dict[str, Any]:
    pair = found.pair
    result: dict[str, Any] = {
        "role": pair.role,
        "base_function": pair.base.function,
        "head_function": pair.head.function,
        "verdict": found.verdict,
    }
    if found.reason:
        result["reason"] = found.reason
    if found.witness is not None:
        result |= _witness_to_json(found.witness)
    if found.map is not None:
        result["cells"] = [_cell_to_json(cell) for cell in found.map.cells]
        result["nothing_changes_where"] = [_unaffected_to_json(e) for e in found.map.unaffected]
    return result


def _witness_to_json(witness: Witness) -> dict[str, Any]:
    sides: Sides = witness.run.answer
    return {
        "witness": witness_values(witness),
        "base": answer_of(sides.base),
        "head": answer_of(sides.head),
        "message": message_of(witness.run),
    }


def answer_of(run: Run) -> Any:
    """Return what one side answered as JSON has it, or what faulted."""
    if run.fault is not None:
        return {"fault": run.fault._asdict()}
    return plain(run.answer)


def _cell_to_json(cell: MapCell) -> dict[str, Any]:
    result: dict[str, Any] = {"conditions": list(cell.conditions)}
    if cell.extent == "nowhere":
        return result | {"verdict": "unchanged"}
    if cell.extent == "unknown":
        result["verdict"] = "inconclusive"
    else:
        result |= {"verdict": "changed", "extent": cell.extent}
    return result | (_witness_to_json(cell.witness) if cell.witness else {})


def _unaffected_to_json(entry: Unaffected) -> dict[str, Any]:
    result: dict[str, Any] = {
        "input": entry.condition.input.name,
        "condition": entry.condition.name,
    }
    if entry.beyond is not None:
        result["just_beyond"] = _witness_to_json(entry.beyond)
    return result


def _property_to_json(entry: PropertyChange) -> dict[str, Any]:
    row = entry.head
    details = entry.head.details | (entry.base.details if entry.kind == "gained" else {})
    kept = ("witness", "observed", "fault", "message", "because", "reason")
    return {"id": row.id, "role": row.role, "level": row.level} | {
        name: details[name] for name in kept if name in details
    }
