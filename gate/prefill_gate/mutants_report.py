"""What ``mutants`` found, before anyone decides how to print it."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from prefill_gate import __version__, exits
from prefill_gate.check import Checked
from prefill_gate.diff_report import answer_of, message_of
from prefill_gate.mutants_arguments import Shard
from prefill_gate.reports import Row, given_values
from prefill_proofs.mutant_verdicts import MutantVerdict
from prefill_proofs.mutations import Mutant
from prefill_proofs.solver import solver_version
from prefill_proofs.source_subjects import SourceSubject

VERDICTS = ("caught", "equivalent", "survived", "undecided")
"""What may become of a mutant, in the order of reports."""


class MutantRow(NamedTuple):
    """One mutant of a role, with what became of it."""

    subject: SourceSubject
    mutant: Mutant
    found: MutantVerdict

    @property
    def role(self) -> str:
        """The role that was broken."""
        return self.subject.role


@dataclass(frozen=True)
class MutantsReport:
    """The result of ``mutants``."""

    checked: Checked
    shard: Shard
    rows: list[MutantRow] = field(default_factory=list)

    @property
    def source(self) -> str:
        """What the planner's file is called."""
        return self.checked.report.source

    @property
    def exit_code(self) -> int:
        """The exit code: a mutant that survives is a hole in the specification."""
        codes = {"survived": exits.REFUTED, "undecided": exits.INCONCLUSIVE}
        found = [codes.get(row.found.verdict, exits.HOLDS) for row in self.rows]
        return exits.worst(found + [exits.UNUSABLE] * bool(self.checked.report.errors))

    def of(self, verdict: str, role: str | None = None) -> list[MutantRow]:
        """Return the mutants that something became of, all of them or those of one role."""
        return [
            row for row in self.rows if row.found.verdict == verdict and role in (None, row.role)
        ]

    def can_catch(self, role: str, property_id: str) -> bool:
        """Return whether a property can catch a mutant: it counts, and the original keeps it."""
        return any(
            (row.role, row.id, row.verdict, row.level) == (role, property_id, "proved", "deny")
            for row in self.checked.report.rows
        )

    def idle(self) -> Iterator[tuple[Row, str]]:
        """Yield the properties that can catch no mutant, each with the reason."""
        reasons = {
            "waived": "it is waived",
            "refuted": "the original breaks it",
            "inconclusive": "the original is not known to keep it",
            "proved": "it only warns",
        }
        for row in self.checked.report.rows:
            if row.verdict in reasons and not self.can_catch(row.role, row.id):
                yield row, reasons[row.verdict]


def to_json(report: MutantsReport) -> dict[str, Any]:
    """Return a report as the documented JSON object."""
    checked = report.checked.report
    result: dict[str, Any] = {"version": 1, "command": "mutants", "source": report.source}
    if checked.errors:
        result |= {"verdict": "error", "errors": checked.errors, "mutants": []}
    else:
        result |= {verdict: len(report.of(verdict)) for verdict in VERDICTS}
        result |= {
            "shard": str(report.shard),
            "mutants": [_row_to_json(row, report.checked.planner.name) for row in report.rows],
            "cannot_catch": [
                {"id": row.id, "role": row.role, "reason": reason} for row, reason in report.idle()
            ],
            "unknown_constants": checked.unknown_constants,
            "assumptions": checked.assumptions,
        }
    return result | {"versions": {"prefill-gate": __version__, "z3": solver_version()}}


def _row_to_json(row: MutantRow, file: str) -> dict[str, Any]:
    place = row.mutant.place
    result: dict[str, Any] = {
        "role": row.role,
        "function": row.mutant.function,
        "line": place.line,
        "column": place.column,
        "change": row.mutant.change,
        "verdict": row.found.verdict,
        "property": row.found.property,
    }
    if place.file != file:
        result["file"] = place.file
    if row.found.reason:
        result["reason"] = row.found.reason
    if row.found.witness is not None:
        sides = row.found.witness.run.answer
        result |= {
            "witness": given_values(row.subject, row.found.witness),
            "original": answer_of(sides.base),
            "mutant": answer_of(sides.head),
            "message": message_of(row.found.witness.run),
        }
    return result
