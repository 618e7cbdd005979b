"""``prefill-gate check --format junit``, in the usual reader."""

from pathlib import Path

import pytest
from junitparser import Error, Failure, JUnitXml, Skipped, TestCase, TestSuite

from command_line import Shell
from prefill_spec.properties import properties_of
from prefill_spec.run_theorems import RUN_THEOREM_IDS
from tired_solver import tire_the_solver

PLANNERS = Path(__file__).parent / "planners"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def suites_of(shell: Shell, *arguments: str) -> list[TestSuite]:
    shell.run("check", *arguments, "--output", "junit=check.xml")
    return list(JUnitXml.fromfile("check.xml"))


def cases_of(shell: Shell, *arguments: str) -> dict[tuple[str, str], TestCase]:
    (suite,) = suites_of(shell, *arguments)
    return {(case.classname, case.name): case for case in suite}


def totals(suite: TestSuite) -> tuple[int, int, int, int]:
    return suite.tests, suite.failures, suite.errors, suite.skipped


def test_every_property_of_every_role_is_a_case(shell: Shell) -> None:
    cases = cases_of(shell, str(PLANNERS / "ranges.rs"))
    roles = ("chunk_len", "split_point", "tail_end", "checkpoint")
    assert [*cases] == [
        *((role, entry.id) for role in roles for entry in properties_of(role)),
        *(("run", name) for name in RUN_THEOREM_IDS),
    ]


def test_a_refutation_is_a_failure_with_its_witness(shell: Shell) -> None:
    (suite,) = suites_of(shell, str(PLANNERS / "ranges.rs"))
    case = next(case for case in suite if case.name == "chunk-split-stop")
    (failure,) = case.result
    assert isinstance(failure, Failure)
    assert failure.type == "refuted"
    assert failure.message == "the chunk ends at 2, past the split point 1"
    assert "  given    offset = 0, total = 3, proposed = 2, " in failure.text
    assert "22 |     let length = (proposal.start..stop).len();" in failure.text
    assert totals(suite) == (28, 1, 0, 11)
    proved = next(case for case in suite if case.name == "chunk-last")
    assert proved.is_passed
    assert proved.time > 0


def test_a_warning_a_lost_theorem_a_waiver_and_a_role_that_is_not_there_are_skipped(
    shell: Shell, folder: Path
) -> None:
    (folder / "planner.rs").write_text((PLANNERS / "ranges.rs").read_text())
    (folder / "prefill-gate.toml").write_text(
        "[properties]\n"
        'chunk-wy4 = { level = "off", reason = "any length" }\n'
        'chunk-split-stop = { level = "warn", reason = "captured" }\n'
    )
    cases = cases_of(shell, "planner.rs")
    expected = {
        ("chunk_len", "chunk-split-stop"): ("warning", "the chunk ends at 2, past the split"),
        ("chunk_len", "chunk-wy4"): ("waived", "any length"),
        ("run", "run-split-visited"): ("lost", "rests on chunk-split-stop"),
        ("tail_end", "tail-end"): ("skipped", "this file lacks a role"),
    }
    for key, (kind, message) in expected.items():
        (outcome,) = cases[key].result
        assert isinstance(outcome, Skipped)
        assert outcome.type == kind
        assert outcome.message.startswith(message)


@pytest.mark.parametrize(("level", "outcome"), [("deny", Error), ("warn", Skipped)])
def test_what_is_not_decided_is_an_error_at_its_level(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, level: str, outcome: type
) -> None:
    tire_the_solver(monkeypatch)
    (folder / "planner.rs").write_text((PLANNERS / "tuples.rs").read_text())
    (folder / "prefill-gate.toml").write_text(
        f'[properties]\nchunk-last = {{ level = "{level}", reason = "as it is" }}\n'
    )
    cases = cases_of(shell, "planner.rs", "--property", "chunk-last")
    (found,) = cases["chunk_len", "chunk-last"].result
    assert isinstance(found, outcome)
    assert found.type == "inconclusive"
    assert found.message.startswith("inconclusive: the solver neither proves it nor finds ")


def test_every_error_of_a_source_is_a_case_of_its_own(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(
        "fn tail_split_point(total: usize, block_size: usize) -> Option<usize> { loop {} }\n"
        "fn plan_chunk_len(offset: usize) -> usize { loop {} }\n"
    )
    (suite,) = suites_of(shell, "planner.rs")
    assert totals(suite) == (2, 0, 2, 0)
    for case in suite:
        (error,) = case.result
        assert isinstance(error, Error)
        assert case.classname == "source"
        assert error.message.startswith("planner.rs:")


def test_every_planner_is_a_suite(shell: Shell, folder: Path) -> None:
    (folder / "prefill-gate.toml").write_text(
        f"[[planner]]\nname = 'good'\nsource = '{PLANNERS / 'tuples.rs'}'\n"
        f"[[planner]]\nname = 'bad'\nsource = '{PLANNERS / 'ranges.rs'}'\n"
    )
    good, bad = suites_of(shell, "--property", "chunk-split-stop")
    assert good.name.startswith("good (")
    assert bad.name.startswith("bad (")
    assert totals(good) == (1, 0, 0, 0)
    assert totals(bad) == (1, 1, 0, 0)
    whole = JUnitXml.fromfile("check.xml")
    assert (whole.tests, whole.failures) == (2, 1)


def test_signs_that_xml_does_not_know_are_written_out(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text((PLANNERS / "ranges.rs").read_text())
    (folder / "prefill-gate.toml").write_text(
        '[planner]\nname = "<a> & \\u0007"\nsource = "planner.rs"\n'
    )
    (suite,) = suites_of(shell, "--property", "chunk-split-stop")
    assert suite.name.startswith("<a> & \\u0007 (")
