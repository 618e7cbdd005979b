"""What is not known is said, and is neither proved nor refuted."""

import pytest

from broken_encodings import runs_over_the_split_point
from command_line import Shell
from prefill_proofs.prover import prove
from prefill_proofs.subjects import REFERENCE, HandEncoded, run_reference
from prefill_spec.properties import properties_of
from tired_solver import tire_the_solver


@pytest.fixture
def _tired(monkeypatch: pytest.MonkeyPatch) -> None:
    tire_the_solver(monkeypatch)


@pytest.mark.usefixtures("_tired")
def test_a_query_that_the_solver_gives_up_is_inconclusive_with_its_reason() -> None:
    for subject in REFERENCE:
        for verdict in prove(subject, properties_of(subject.role)):
            assert verdict.verdict == "inconclusive"
            assert verdict.witness is None
            assert "timeout" in verdict.reason


@pytest.mark.usefixtures("_tired")
def test_a_report_without_an_answer_exits_with_its_own_code(shell: Shell) -> None:
    result = shell.run("prove", "--property", "chunk-wy4", "--format", "json")
    (row,) = result.json()["properties"]
    assert result.code == 3
    assert result.json()["verdict"] == "inconclusive"
    assert row["verdict"] == "inconclusive"
    assert row["reason"]
    assert "scope" not in row


def test_a_counterexample_that_does_not_reproduce_on_ints_refutes_nothing() -> None:
    encoding = runs_over_the_split_point
    subject = HandEncoded("chunk_len", "of_two_minds", encoding, run_reference)
    entries = [entry for entry in properties_of("chunk_len") if entry.id == "chunk-split-stop"]
    (verdict,) = prove(subject, entries)
    assert verdict.verdict == "inconclusive"
    assert verdict.witness is None
    assert verdict.reason
