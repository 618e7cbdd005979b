"""A check beside the same planner in another revision: what is lost, and what was never there."""

import os
from dataclasses import replace

from prefill_gate.check import Checked, check_planner
from prefill_gate.diff import diff_planners
from prefill_gate.paths import path_of
from prefill_gate.reports import Base


def beside_base(checked: Checked, revision: str, ids: frozenset[str], timeout: float) -> Checked:
    """Return a check with what became of each of its rows since a revision.

    The planner of the revision is read with the configuration that the check has. Where it cannot
    be read so, or is not there, nothing is known of it: every property has to hold.
    """
    name = f"{revision}:{os.path.relpath(path_of(checked.planner.name))}"
    base = check_planner(name, checked.config, ids, timeout, is_idle_allowed=True)
    report = checked.report
    if base.report.errors:
        reason = base.report.errors[0]["message"]
        return replace(checked, report=replace(report, base=Base(revision, name, reason=reason)))
    verdicts = {(row.id, row.role): row.verdict for row in base.report.rows}
    rows = [replace(row, base=verdicts.get((row.id, row.role))) for row in report.rows]
    found = Base(revision, name, diff_planners(base, checked, timeout))
    return replace(checked, report=replace(report, rows=rows, base=found))
