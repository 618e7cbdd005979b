"""A role is equal to the reference where no call tells them apart, and not otherwise."""

import pytest

from broken_encodings import BROKEN, Broken
from prefill_proofs.equality import differ
from prefill_proofs.prover import prove
from prefill_proofs.subjects import REFERENCE, HandEncoded, formulate
from prefill_proofs.witnesses import Search
from prefill_spec.properties import NO_FAULT, properties_of


@pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)
def test_the_reference_is_equal_to_itself(subject: HandEncoded) -> None:
    assert differ(formulate(subject)).result == "unsat"


SHARED = {NO_FAULT, "snapshot-boundary"}
"""What a planner may break and still answer as the reference does."""


@pytest.mark.parametrize(
    "broken",
    [broken for broken in BROKEN if not broken.breaks <= SHARED],
    ids=lambda broken: broken.subject.function,
)
def test_a_broken_planner_is_not_equal(broken: Broken) -> None:
    assert differ(formulate(broken.subject)).result != "unsat"


def test_what_is_equal_to_the_reference_has_its_properties(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Neither a witness nor another formulation is of any help here: only the equality is left.
    monkeypatch.setattr(Search, "quickly", lambda _self: None)
    monkeypatch.setattr(Search, "thoroughly", lambda _self: None)
    (subject,) = (entry for entry in REFERENCE if entry.role == "checkpoint")
    verdicts = {
        verdict.property.id: verdict.verdict
        for verdict in prove(subject, properties_of("checkpoint"))
    }
    assert verdicts["snapshot-interval"] == "proved"
    assert verdicts["snapshot-boundary"] == "inconclusive"
