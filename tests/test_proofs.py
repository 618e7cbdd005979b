"""The verdicts on the reference itself."""

import pytest

from prefill_proofs.multiples import exact, facts
from prefill_proofs.prover import ContradictionError, prove
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import REFERENCE, Encoded, HandEncoded, formulate, is_scheduled
from prefill_proofs.witnesses import is_refuted_by, read_inputs
from prefill_spec.properties import PROPERTIES, Outcome, Property, properties_of
from prefill_spec.vocabulary import USIZE_MAX

SUBJECTS = {subject.role: subject for subject in REFERENCE}

each_property = pytest.mark.parametrize(
    "entry", PROPERTIES, ids=lambda entry: f"{entry.role}-{entry.id}"
)
each_role = pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)


@each_role
@pytest.mark.parametrize("limit", [USIZE_MAX, None], ids=["usize", "naturals"])
def test_every_denied_property_of_the_reference_is_proved(
    subject: HandEncoded, limit: int | None
) -> None:
    denied = [entry for entry in properties_of(subject.role) if entry.level == "deny"]
    verdicts = prove(subject, denied, limit)
    assert [verdict.property for verdict in verdicts] == denied
    assert [verdict.verdict for verdict in verdicts] == ["proved"] * len(denied)
    assert all(verdict.witness is None for verdict in verdicts)


@pytest.mark.parametrize("limit", [USIZE_MAX, None], ids=["usize", "naturals"])
def test_the_boundary_of_snapshots_is_refuted_with_a_witness_that_reproduces(
    limit: int | None,
) -> None:
    subject = SUBJECTS["checkpoint"]
    entries = [entry for entry in properties_of("checkpoint") if entry.level == "warn"]
    (verdict,) = prove(subject, entries, limit)
    assert verdict.verdict == "refuted"
    assert verdict.witness is not None
    assert is_refuted_by(verdict.property, verdict.witness.run)
    assert is_refuted_by(verdict.property, subject.run(verdict.witness.values))


@each_property
def test_no_property_holds_for_want_of_a_call_that_it_speaks_of(entry: Property) -> None:
    subject = SUBJECTS[entry.role]
    pins = {"block_size": 16} | ({"interval": 2} if entry.role == "checkpoint" else {})
    problem = formulate(subject, pins)
    claim = entry.claim(problem.call, Outcome(False, problem.answer))
    known = [*facts(problem.algebra), *exact(problem.algebra), *problem.algebra.definitions]
    decision = Solver([*problem.hypotheses, *known]).decide(problem.faults.sound(), claim.when)
    assert decision.result == "sat"

    run = subject.run(read_inputs(subject, problem, decision.model) | pins)
    assert run.fault is None
    assert is_scheduled(run.call) is True
    assert entry.claim(run.call, run.outcome).when is True


def test_assumptions_that_exclude_every_call_prove_nothing() -> None:
    class Impossible(HandEncoded):
        def encode(self, values, faults, algebra):
            encoded = super().encode(values, faults, algebra)
            return Encoded(encoded.call, encoded.answer, encoded.call.total < 0)

    reference = SUBJECTS["split_point"]
    subject = Impossible("split_point", "impossible", reference.encoding, reference.perform)
    with pytest.raises(ContradictionError, match="impossible"):
        prove(subject, properties_of("split_point"))
