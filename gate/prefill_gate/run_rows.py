"""The rows of the run theorems."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prefill_gate.reports import SCOPE, Row
from prefill_proofs.roles import Roles
from prefill_proofs.source_subjects import SourceSubject
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import NO_FAULT, PROPERTIES
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import RUN_ROLES

if TYPE_CHECKING:
    from prefill_proofs.run_proofs import RunVerdict


def proved_row(within_words: RunVerdict, over_naturals: RunVerdict) -> Row:
    """Return the row of a theorem that was proved from the contract, or was not."""
    row = _row(within_words.theorem, within_words.verdict, within_words.seconds)
    row.details["naturals"] = {
        "verdict": over_naturals.verdict,
        "seconds": round(over_naturals.seconds, 6),
    }
    if within_words.part:
        row.details["reason"] = f"the {within_words.part} of the induction does not follow"
    return row


def inherited_rows(rows: list[Row], roles: Roles, chosen: frozenset[str]) -> list[Row]:
    """Return the rows of the chosen theorems for a planner, from its call-level rows.

    Whoever keeps the contract inherits the theorems; the induction itself is that of ``prove``. A
    theorem is lost where a property that it uses does not hold, or is known for some calls only:
    under assumptions of the configuration, or for a block size or split point that is absent.
    """
    return [_inherited(theorem, rows, roles) for theorem in RUN_THEOREMS if theorem.id in chosen]


def _inherited(theorem: RunTheorem, rows: list[Row], roles: Roles) -> Row:
    asked = {entry.role for entry in PROPERTIES if entry.id in theorem.uses}
    needed = [
        row
        for row in rows
        if row.id in theorem.uses or (row.id == NO_FAULT and row.role in RUN_ROLES)
    ]
    broken = [row.id for row in needed if row.verdict not in ("proved", "skipped")]
    excepted = [row for row in needed if row.region is not None and row.verdict == "proved"]
    reasons = [f"{row.id} is excepted where {row.region}" for row in excepted]
    broken += [row.id for row in excepted]
    for subject in roles.subjects:
        unfounded = _unfounded(theorem, subject)
        if unfounded:
            known = f"known only where what is assumed of {subject.function} holds"
            reasons.append(f"{', '.join(unfounded)} {known}")
            broken += unfounded
    if broken:
        row = _row(theorem, "lost")
        row.details["because"] = list(dict.fromkeys(broken))
        if reasons:
            row.details["reason"] = "; ".join(reasons)
        return row
    has_all = all(roles.subject(role) is not None for role in asked)
    return _row(theorem, "proved" if has_all else "skipped")


def _unfounded(theorem: RunTheorem, subject: SourceSubject) -> list[str]:
    """Return the used properties that are known for some calls of a role only."""
    return [
        entry.id
        for entry in PROPERTIES
        if entry.role == subject.role
        and entry.id in theorem.uses
        and (subject.is_narrowed or (subject.missing and not entry.is_blockless))
    ]


def _row(theorem: RunTheorem, verdict: str, seconds: float | None = None) -> Row:
    return Row(
        id=theorem.id,
        role="run",
        function=None,
        level="deny",
        statement=theorem.statement,
        verdict=verdict,
        seconds=seconds,
        scope=SCOPE if verdict == "proved" else None,
        details={"uses": list(theorem.uses)},
    )
