"""A check beside the same planner in another revision: what is lost, and what was never there."""

from dataclasses import replace

from prefill_gate.check import Checked, check_planner, decided_row
from prefill_gate.decide import Decided
from prefill_gate.diff import diff_planners
from prefill_gate.paths import name_in_revision, path_of
from prefill_gate.reports import Base, Row
from prefill_proofs.comparison import find_new_fault
from prefill_proofs.prover import Verdict
from prefill_proofs.roles import BUILT_IN_TAKEN
from prefill_spec.properties import NO_FAULT, no_fault_of


def beside_base(checked: Checked, revision: str, ids: frozenset[str], timeout: float) -> Checked:
    """Return a check with what became of each of its rows since a revision.

    The planner of the revision is read with the configuration that the check has, its externs as
    they were there. Where it cannot be read so, or is not there, nothing is known of it: every
    property has to hold.
    """
    name = name_in_revision(revision, path_of(checked.planner.name))
    base = check_planner(name, checked.config, ids, timeout, is_idle_allowed=True)
    report = checked.report
    reason = _unknown_for(base, checked)
    if reason is not None:
        return replace(checked, report=replace(report, base=Base(revision, name, reason=reason)))
    verdicts = {(row.id, row.role): row.verdict for row in base.report.rows}
    rows = [replace(row, base=verdicts.get((row.id, row.role))) for row in report.rows]
    rows = [_with_new_fault(row, base, checked, timeout) for row in rows]
    found = Base(revision, name, diff_planners(base, checked, timeout))
    return replace(checked, report=replace(report, rows=rows, base=found))


def _unknown_for(base: Checked, checked: Checked) -> str | None:
    """Return why nothing is known of the planner of the revision, ``None`` where it was read."""
    if base.report.errors:
        message: str = base.report.errors[0]["message"]
        return message
    if BUILT_IN_TAKEN in base.roles.assumptions and BUILT_IN_TAKEN not in checked.roles.assumptions:
        return "calls an ssm_tail_boundary of another file, which is read for the working tree only"
    return None


def _with_new_fault(row: Row, base: Checked, checked: Checked, timeout: float) -> Row:
    """Return the row of ``no-fault`` as a loss where a call faults that did not in the base.

    All other properties speak of calls that do not fault: what faulted in some corner before must
    not come to fault everywhere and have them hold of nothing.
    """
    before, after = base.roles.subject(row.role), checked.roles.subject(row.role)
    if row.id != NO_FAULT or not row.is_old or before is None or after is None:
        return row
    found = find_new_fault(before, after, timeout)
    if found.verdict == "proved":
        return row
    note = "it is not known to fault only where the base does"
    if found.witness is not None:
        verdict = Verdict(no_fault_of(row.role), "refuted", found.seconds, found.witness)
        row = decided_row(Decided(after, verdict), checked.config, checked.planner)
        note = "the base faults on other calls, and not on this one"
    return replace(row, base=None, notes=[*row.notes, note])
