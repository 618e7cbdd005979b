"""``prefill-gate prove``: the specification of the shipped reference."""

from argparse import Namespace

from prefill_gate.output import emit
from prefill_gate.pinning_rows import implication_rows, pinned_rows
from prefill_gate.properties_text import render_all
from prefill_gate.reports import Report, Row, row_of, to_json
from prefill_gate.run_rows import proved_row
from prefill_gate.selection import chosen_ids
from prefill_proofs.prover import Verdict, prove
from prefill_proofs.run_proofs import prove_run
from prefill_proofs.subjects import REFERENCE, HandEncoded
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import CALLER_ASSUMPTION
from prefill_spec.table import every_property_of

SOURCE = "reference"
"""What the report calls the shipped planner."""


def run_prove(arguments: Namespace) -> int:
    """Prove every property, or those chosen; return the exit code.

    With every property also prove that they pin the planner; ``pinning`` asks what each adds.
    """
    chosen = chosen_ids(arguments.properties)
    calls: list[tuple[HandEncoded, Verdict, Verdict]] = []
    for subject in REFERENCE:
        entries = [entry for entry in every_property_of(subject.role) if entry.id in chosen]
        both = zip(prove(subject, entries), prove(subject, entries, limit=None), strict=True)
        calls += ((subject, within_words, over_naturals) for within_words, over_naturals in both)
    runs = [
        (prove_run(theorem), prove_run(theorem, limit=None))
        for theorem in RUN_THEOREMS
        if theorem.id in chosen
    ]
    pinning = pinned_rows() if arguments.properties is None else []
    pinning += implication_rows(chosen) if arguments.pinning else []
    rows = [_joined(row_of(subject, verdict), unbounded) for subject, verdict, unbounded in calls]
    rows += [proved_row(*both) for both in runs]
    report = Report(
        "prove",
        SOURCE,
        rows,
        assumptions=[CALLER_ASSUMPTION],
        pinning=[row for row, _ in pinning],
    )
    if arguments.certify or arguments.smt2 is not None:
        from prefill_gate.certify import certified
        from prefill_gate.queries import pinning_proof_of, proof_of, run_proof_of

        proofs = [proof_of(subject, verdict, SOURCE) for subject, verdict, _ in calls]
        proofs += [
            proof_of(subject, unbounded, SOURCE, is_unbounded=True)
            for subject, _, unbounded in calls
        ]
        proofs += [
            run_proof_of(verdict, is_unbounded)
            for both in runs
            for verdict, is_unbounded in zip(both, (False, True), strict=True)
        ]
        proofs += [pinning_proof_of(row, found) for row, found in pinning]
        (report,) = certified([(report, proofs)], arguments)
    emit(
        arguments.format,
        lambda: to_json(report),
        lambda: render_all([report], arguments.quiet),
    )
    return report.exit_code


def _joined(row: Row, unbounded: Verdict) -> Row:
    """Add to a row what holds over all natural numbers."""
    row.details["naturals"] = {
        "verdict": unbounded.verdict,
        "seconds": round(unbounded.seconds, 6),
    }
    return row
