"""The rows that say whether the properties pin the planner, and what each of them adds."""

from collections.abc import Collection
from typing import Any

from prefill_gate.reports import PINNED, SCOPE, Row, call_values, plain
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.pinning import (
    denied_properties,
    find_breach,
    find_disagreement,
    pinning_properties,
)
from prefill_proofs.prover import Finding
from prefill_proofs.witnesses import Witness
from prefill_spec.properties import NO_FAULT, Outcome, Property, properties_of
from prefill_spec.violations import violation


def pinned_rows() -> list[tuple[Row, Finding]]:
    """Return a row for each role: whether its properties leave a planner no choice."""
    return [_pinned(role) for role in ENCODINGS]


def _pinned(role: str) -> tuple[Row, Finding]:
    properties = pinning_properties(role)
    found = find_disagreement(role, properties)
    details: dict[str, Any] = {"uses": [entry.id for entry in properties], **_reason(found)}
    if found.witness is not None:
        outcomes = found.witness.run.answer
        details["witness"] = call_values(found.witness.run.call)
        details["observed"] = [_observed(outcome) for outcome in outcomes]
    row = Row(
        id=PINNED,
        role=role,
        function=None,
        level="deny",
        statement="any two outcomes of a call that keep the properties are the same",
        verdict=found.verdict,
        seconds=found.seconds,
        scope=SCOPE if found.verdict == "proved" else None,
        details=details,
    )
    return row, found


def implication_rows(chosen: Collection[str]) -> list[tuple[Row, Finding]]:
    """Return a row for each chosen property: whether the others of its role imply it.

    One that they do not is ``independent``: its witness keeps them and breaks it.
    """
    return [
        _implication(entry)
        for role in ENCODINGS
        for entry in properties_of(role)
        if entry.id in chosen
    ]


def _implication(entry: Property) -> tuple[Row, Finding]:
    others = [other for other in denied_properties(entry.role) if other is not entry]
    found = find_breach(entry, others)
    verdicts = {"proved": "implied", "refuted": "independent"}
    row = Row(
        id=entry.id,
        role=entry.role,
        function=None,
        level=entry.level,
        statement=entry.statement,
        verdict=verdicts.get(found.verdict, found.verdict),
        seconds=found.seconds,
        details=_reason(found) if found.witness is None else _breach(entry, found.witness),
    )
    return row, found


def _breach(entry: Property, witness: Witness) -> dict[str, Any]:
    (outcome,) = witness.run.answer
    call = witness.run.call
    is_fault = entry.id == NO_FAULT
    message = "the call faults" if is_fault else violation(entry.id, call, outcome.answer)
    return {
        "witness": call_values(witness.run.call),
        "observed": _observed(outcome),
        "message": message,
    }


def _observed(outcome: Outcome) -> Any:
    """Return an outcome as JSON has it: what a fault answers is ``null``."""
    return None if outcome.faulted else plain(outcome.answer)


def _reason(found: Finding) -> dict[str, Any]:
    return {"reason": found.reason} if found.reason else {}
