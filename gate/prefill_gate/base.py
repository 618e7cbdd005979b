"""A check beside the same planner in another revision: what is lost, and what was never there."""

from dataclasses import replace

from prefill_gate.check import Checked, check_planner
from prefill_gate.diff import diff_planners
from prefill_gate.paths import name_in_revision, path_of
from prefill_gate.reports import Base
from prefill_proofs.roles import BUILT_IN_TAKEN


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
