"""What a command found, before anyone decides how to print it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from prefill_gate import __version__, exits
from prefill_spec.calls import Call, further_arguments, parameters
from prefill_spec.properties import Property
from prefill_spec.violations import violation
from prefill_spec.vocabulary import Option

if TYPE_CHECKING:
    from prefill_gate.diff_report import DiffReport
    from prefill_gate.second_opinion import SecondOpinion

    # Not loaded: that there is no verdict has to be said even where the solver is what fails.
    from prefill_proofs.language import Place
    from prefill_proofs.prover import Verdict
    from prefill_proofs.refusals import SourceError
    from prefill_proofs.subjects import Subject
    from prefill_proofs.witnesses import Witness

AS_BEFORE = "as before"
"""What people are told of a property that did not hold in the base, either."""

SCOPE = "usize"
"""The scope of a proof over every 64-bit input."""


PINNED = "pinned"
"""The id of the rows that say whether the properties of a role pin its planner."""


class RunLine(NamedTuple):
    """A line of a source that a call comes through."""

    number: int
    words: str


@dataclass(frozen=True)
class Row:
    """One property, or one run theorem, with what became of it."""

    id: str
    role: str
    function: str | None
    level: str
    statement: str
    verdict: str
    seconds: float | None = None
    scope: str | None = None
    level_reason: str | None = None
    """Why the configuration gives it another level than its own, or excepts a region."""
    region: str | None = None
    """Where the configuration excepts it: the verdict is of all other calls."""
    details: dict[str, Any] = field(default_factory=dict)
    """Further JSON members: witness, observed, message, reason, uses, because."""
    place: Place | None = None
    """Where the function stands in its source."""
    lines: tuple[RunLine, ...] = ()
    """The lines of the source that the witness comes through, in order; the last one decides."""
    notes: list[str] = field(default_factory=list)
    """For people: what else is known of the refutation."""
    base: str | None = None
    """The verdict in the revision that the check stands beside, where there is one."""

    @property
    def is_lacking(self) -> bool:
        """Whether the property is not known to hold."""
        return self.verdict in ("refuted", "inconclusive", "lost")

    @property
    def is_old(self) -> bool:
        """Whether it does not hold, and did not in the revision that the check stands beside."""
        return self.is_lacking and self.base in ("refuted", "lost")

    @property
    def shown_verdict(self) -> str:
        """The verdict for people: a refutation may be a warning only, or an old one."""
        if self.is_old:
            return AS_BEFORE
        is_warning = self.verdict == "refuted" and self.level == "warn"
        return "warning" if is_warning else self.verdict


VERDICTS = {
    exits.HOLDS: "holds",
    exits.REFUTED: "refuted",
    exits.UNUSABLE: "error",
    exits.INCONCLUSIVE: "inconclusive",
    exits.INTERNAL: "error",
}
"""The verdict at the top of a report, by its exit code."""


@dataclass(frozen=True)
class Base:
    """The same planner in another revision: how the two differ, or why that is not known."""

    revision: str
    source: str
    diff: DiffReport | None = None
    reason: str = ""


@dataclass(frozen=True)
class Report:
    """The result of ``prove`` or ``check``."""

    command: str
    source: str
    rows: list[Row]
    unknown_constants: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    """What the configuration says in vain."""
    name: str | None = None
    """The name that the configuration gives the planner."""
    source_hash: Callable[[], str] | None = None
    errors: list[dict[str, Any]] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    """The roles that could not be read."""
    shown_errors: list[str] = field(default_factory=list)
    """The errors for people, each with its source line."""
    base: Base | None = None
    """What the check stands beside; what does not hold there either decides nothing."""
    pinning: list[Row] = field(default_factory=list)
    """Whether the properties pin the planner, and what each of them adds."""
    second_opinion: SecondOpinion | None = None

    @property
    def exit_code(self) -> int:
        """The exit code: rows of level ``deny`` decide, and errors, and a second opinion."""
        codes = {"refuted": exits.REFUTED, "inconclusive": exits.INCONCLUSIVE}
        deciding = [
            row for row in (*self.rows, *self.pinning) if row.level == "deny" and not row.is_old
        ]
        found = [codes.get(row.verdict, exits.HOLDS) for row in deciding]
        found += [] if self.second_opinion is None else [self.second_opinion.exit_code]
        return exits.worst(found + [exits.UNUSABLE] * bool(self.errors))

    @property
    def title(self) -> str:
        """The name of the planner and its source."""
        return self.source if self.name is None else f"{self.name} ({self.source})"

    @property
    def verdict(self) -> str:
        """The verdict of the whole, in a word for the exit code."""
        return VERDICTS[self.exit_code]


def error_of(error: SourceError) -> dict[str, Any]:
    """Return an error as the documented JSON object."""
    return {
        "file": error.place.file,
        "line": error.place.line,
        "column": error.place.column,
        "construct": error.construct,
        "message": error.message,
    }


def row_of(
    subject: Subject,
    verdict: Verdict,
    level: str | None = None,
    level_reason: str | None = None,
    region: str | None = None,
) -> Row:
    """Return the row of a verdict; ``level`` replaces that of the property, for a reason.

    A verdict outside a ``region`` says so in its scope.
    """
    entry = verdict.property
    return Row(
        id=entry.id,
        role=entry.role,
        function=subject.function,
        level=level or entry.level,
        statement=entry.statement,
        verdict=verdict.verdict,
        seconds=verdict.seconds,
        scope=_scope(region) if verdict.verdict == "proved" else None,
        level_reason=level_reason,
        region=region,
        details=_details(subject, verdict),
    )


def _scope(region: str | None) -> str:
    return SCOPE if region is None else f"{SCOPE}, except where {region}"


def idle_row(
    entry: Property,
    verdict: str,
    function: str | None = None,
    level_reason: str | None = None,
) -> Row:
    """Return the row of a property that was not run: ``skipped`` or ``waived``."""
    return Row(
        id=entry.id,
        role=entry.role,
        function=function,
        level=entry.level,
        statement=entry.statement,
        verdict=verdict,
        level_reason=level_reason,
    )


def _details(subject: Subject, verdict: Verdict) -> dict[str, Any]:
    if verdict.witness is None:
        return {"reason": verdict.reason} if verdict.reason else {}
    run = verdict.witness.run
    details: dict[str, Any] = {
        "witness": given_values(subject, verdict.witness),
        "observed": plain(run.answer),
    }
    if run.fault is not None:
        details["fault"] = {"operation": run.fault.operation, "line": run.fault.line}
    details["message"] = complaint(verdict)
    return details


def given_values(subject: Subject, witness: Witness) -> dict[str, Any]:
    """Return the arguments of a witness's call, and its inputs that are none of them, by name."""
    further = {
        name: value for name, value in witness.values.items() if name not in subject.bound_inputs
    }
    return call_values(witness.run.call) | further


def complaint(verdict: Verdict) -> str:
    """Return a sentence that says what went wrong in a refuted property's witness."""
    assert verdict.witness is not None
    run = verdict.witness.run
    if run.fault is not None:
        where = f" at line {run.fault.line}" if run.fault.line else ""
        return f"{run.fault.operation} faults{where}"
    return violation(verdict.property.id, run.call, run.answer)


def call_values(call: Call) -> dict[str, Any]:
    """Return the arguments of a concrete call by name, an absent one as ``None``."""
    arguments = {name: getattr(call, name) for name in parameters(call.role)}
    return {name: plain(value) for name, value in (arguments | further_arguments(call)).items()}


def plain(value: Any) -> Any:
    """Return a concrete value as JSON has it: an option as its value or ``None``."""
    if isinstance(value, Option):
        return value.value if value.present else None
    return [plain(item) for item in value] if isinstance(value, tuple) else value


def to_json(report: Report) -> dict[str, Any]:
    """Return a report as the documented JSON object."""
    from prefill_proofs.solver import solver_version

    result: dict[str, Any] = {
        "version": 1,
        "command": report.command,
        **({} if report.name is None else {"name": report.name}),
        "source": report.source,
        "verdict": report.verdict,
        "properties": [_row_to_json(row) for row in report.rows],
        "unknown_constants": report.unknown_constants,
        "assumptions": report.assumptions,
        **({"warnings": report.warnings} if report.warnings else {}),
        "versions": {"prefill-gate": __version__, "z3": solver_version()},
    }
    if report.pinning:
        result["pinning"] = [_row_to_json(row) for row in report.pinning]
    if report.source_hash is not None:
        result["source_sha256"] = report.source_hash()
    if report.second_opinion is not None:
        result["certified"] = report.second_opinion.to_json()
    if report.errors:
        result["errors"] = report.errors
    if report.base is not None:
        result["base"] = _base_to_json(report.base)
    return result


def _base_to_json(base: Base) -> dict[str, Any]:
    result: dict[str, Any] = {"revision": base.revision, "source": base.source}
    if base.diff is None:
        return result | {"reason": base.reason}
    from prefill_gate import diff_report

    return result | {"diff": diff_report.to_json(base.diff)}


def all_to_json(reports: Sequence[Report]) -> dict[str, Any]:
    """Return the reports of the planners as one JSON object; of one planner, its own."""
    if len(reports) == 1:
        return to_json(reports[0])
    return {
        "version": 1,
        "command": reports[0].command,
        "verdict": VERDICTS[exits.worst(report.exit_code for report in reports)],
        "planners": [to_json(report) for report in reports],
    }


def _row_to_json(row: Row) -> dict[str, Any]:
    result: dict[str, Any] = {
        "id": row.id,
        "role": row.role,
        "function": row.function,
        "level": row.level,
        "verdict": row.verdict,
    }
    if row.base is not None:
        result["base"] = row.base
    if row.scope is not None:
        result["scope"] = row.scope
    if row.seconds is not None:
        result["seconds"] = round(row.seconds, 6)
    result |= row.details
    if row.region is not None:
        result["except"] = row.region
    if row.level_reason is not None:
        reasons = [row.details["reason"]] if "reason" in row.details else []
        result["reason"] = "; ".join([*reasons, row.level_reason])
    return result
