"""``prefill-gate prove``, end to end."""

import json
import subprocess
import sys

import pytest

from command_line import Shell
from prefill_proofs.encodings import ENCODINGS
from prefill_spec.calls import CALLS
from prefill_spec.properties import PROPERTIES


def test_the_shipped_reference_holds(shell: Shell) -> None:
    result = shell.run("prove")
    assert result.code == 0
    assert result.err == ""
    for entry in PROPERTIES:
        assert entry.id in result.out
    assert "reference: holds." in result.out.splitlines()[-1]


def test_the_json_report_has_the_documented_shape(shell: Shell) -> None:
    result = shell.run("prove", "--format", "json")
    report = result.json()
    assert result.code == 0
    assert result.err == ""
    assert report["version"] == 1
    assert report["command"] == "prove"
    assert report["source"] == "reference"
    assert report["verdict"] == "holds"
    assert report["unknown_constants"] == []
    assert isinstance(report["assumptions"], list)
    assert {"prefill-gate", "z3"} <= report["versions"].keys()


def test_every_property_of_every_role_has_a_row_in_the_order_of_the_contract(shell: Shell) -> None:
    rows = shell.run("prove", "--format", "json").json()["properties"]
    calls = [row for row in rows if row["role"] in CALLS]
    assert [(row["role"], row["id"], row["level"]) for row in calls] == [
        (entry.role, entry.id, entry.level) for entry in PROPERTIES
    ]
    for row in calls:
        assert row["function"] == CALLS[row["role"]].usual_name
        assert row["seconds"] >= 0
        if row["level"] == "deny":
            assert row["verdict"] == "proved"
            assert row["scope"] == "usize"
            assert "witness" not in row


def test_the_run_theorems_follow_the_calls_and_are_proved(shell: Shell) -> None:
    rows = shell.run("prove", "--format", "json").json()["properties"]
    roles = [row["role"] for row in rows]
    assert set(roles) <= {*CALLS, "run"}
    assert roles == sorted(roles, key=[*CALLS, "run"].index)
    for row in rows:
        if row["role"] == "run":
            assert row["function"] is None
            assert row["verdict"] == "proved"
            assert row["uses"]


def test_the_warning_comes_with_a_witness_and_leaves_the_verdict_alone(shell: Shell) -> None:
    rows = shell.run("prove", "--format", "json").json()["properties"]
    (row,) = (row for row in rows if row["verdict"] == "refuted")
    assert (row["id"], row["level"]) == ("snapshot-boundary", "warn")
    assert "scope" not in row
    witness = row["witness"]
    assert [*witness] == ["end_token", "total", "block_size", "interval"]
    assert row["observed"] is True
    assert witness["end_token"] % witness["block_size"] != 0
    assert str(witness["end_token"]) in row["message"]


def test_the_text_shows_the_warning_in_full(shell: Shell) -> None:
    out = shell.run("prove").out
    assert "warning: snapshot-boundary" in out
    assert "given    end_token = " in out
    assert "returns  true" in out


def test_one_property_can_be_proved_alone(shell: Shell) -> None:
    result = shell.run("prove", "--property", "split-replay", "--format", "json")
    assert result.code == 0
    assert [row["id"] for row in result.json()["properties"]] == ["split-replay"]


def test_no_fault_alone_is_proved_of_each_role(shell: Shell) -> None:
    result = shell.run("prove", "--property", "no-fault", "--format", "json")
    rows = result.json()["properties"]
    assert [(row["id"], row["role"]) for row in rows] == [("no-fault", role) for role in ENCODINGS]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["prove", "--property", "split-replya"], "did you mean split-replay?"),
        (["prove", "--property", "no such thing"], "no such thing"),
        (["prove", "--property"], "--property"),
        (["prove", "--fast"], "--fast"),
        (["prove", "--form", "json"], "--form"),
        (["prove", "--format", "xml"], "xml"),
        (["prove", "planner.rs"], "planner.rs"),
        (["porve"], "porve"),
        ([], "COMMAND"),
    ],
    ids=" ".join,
)
def test_bad_usage_is_said_in_one_line_on_standard_error(
    shell: Shell, arguments: list[str], said: str
) -> None:
    result = shell.run(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("prefill-gate")
    assert said in result.err


def test_the_console_script_proves_the_reference() -> None:
    program = "from prefill_gate.main import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", program, "prove", "--format", "json"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert json.loads(done.stdout)["verdict"] == "holds"


def test_a_fault_of_our_own_is_no_verdict(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("prefill_gate.prove.prove", fail)
    result = shell.run("prove")
    assert result.code == 70
    assert result.out == ""
    assert "no verdict" in result.err
    assert "out of luck" in result.err


def test_a_reader_that_goes_away_is_no_verdict() -> None:
    program = "from prefill_gate.main import run; run()"
    with subprocess.Popen(
        [sys.executable, "-c", program, "prove"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read()
    assert process.returncode != 1
    assert b"Traceback" not in said
