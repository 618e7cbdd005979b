"""``prefill-gate prove``: the specification of the shipped reference."""

from collections.abc import Sequence

from prefill_gate.output import emit
from prefill_gate.pinning_rows import implication_rows, pinned_rows
from prefill_gate.properties_text import render_all
from prefill_gate.reports import Report, Row, row_of, to_json
from prefill_gate.run_rows import proved_row
from prefill_gate.selection import chosen_ids
from prefill_proofs.prover import Verdict, prove
from prefill_proofs.run_proofs import prove_run
from prefill_proofs.subjects import REFERENCE
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import CALLER_ASSUMPTION
from prefill_spec.table import every_property_of


def run_prove(
    properties: Sequence[str] | None, form: str, is_quiet: bool, asks_pinning: bool
) -> int:
    """Prove every property, or those chosen; return the exit code.

    With every property also prove that they pin the planner; ``asks_pinning`` asks what each adds.
    """
    chosen = chosen_ids(properties)
    rows = []
    for subject in REFERENCE:
        entries = [entry for entry in every_property_of(subject.role) if entry.id in chosen]
        within_words = prove(subject, entries)
        over_naturals = prove(subject, entries, limit=None)
        rows += [
            _joined(row_of(subject, verdict), unbounded)
            for verdict, unbounded in zip(within_words, over_naturals, strict=True)
        ]
    rows += [
        proved_row(prove_run(theorem), prove_run(theorem, limit=None))
        for theorem in RUN_THEOREMS
        if theorem.id in chosen
    ]
    pinning = pinned_rows() if properties is None else []
    pinning += implication_rows(chosen) if asks_pinning else []
    report = Report("prove", "reference", rows, assumptions=[CALLER_ASSUMPTION], pinning=pinning)
    emit(form, lambda: to_json(report), lambda: render_all([report], is_quiet))
    return report.exit_code


def _joined(row: Row, unbounded: Verdict) -> Row:
    """Add to a row what holds over all natural numbers."""
    row.details["naturals"] = {
        "verdict": unbounded.verdict,
        "seconds": round(unbounded.seconds, 6),
    }
    return row
