"""The comparison with other tools: what it reads, fits and writes. Nothing here is timed."""

import re
from pathlib import Path

import pytest

from bench import growth, naive, results
from bench.crosshair import Said, contract, read_output
from bench.fits import Point, fit
from bench.questions import Question, bug_questions, load, reference_questions
from bench.readme import FIRST, LAST, summary_of, with_summary
from bench.side_by_side import Answer, Row
from command_line import Shell
from prefill_gate.exits import HOLDS, REFUTED
from prefill_proofs.witnesses import is_refuted_by
from prefill_spec.properties import PROPERTIES

ROOT = Path(__file__).parents[1]
BOUNDARY = Question("reference", "checkpoint", "snapshot-boundary")
SIZES = (1, 4, 8, 16, 32, 64)
OFF_GRID = {"end_token": 33, "total": 1000, "block_size": 16, "interval": 2}
"""A call on which the shipped planner saves a snapshot between two boundaries."""


@pytest.mark.parametrize("exponent", [0.5, 1.0, 2.0])
def test_the_exponent_of_a_power_law_is_found_again(exponent: float) -> None:
    found = fit([Point(size, 0.3 + 0.01 * size**exponent) for size in (0.001, *SIZES)])
    assert found is not None
    assert found.exponent == pytest.approx(exponent, abs=0.02)
    assert found.seconds(64) == pytest.approx(0.3 + 0.01 * 64**exponent, rel=0.01)


def test_times_that_hardly_rise_have_no_exponent() -> None:
    assert fit([Point(size, 0.3 + 0.0001 * size) for size in SIZES]) is None


@pytest.mark.parametrize(
    ("output", "said"),
    [
        ("c.py:12: info: Confirmed over all paths.\n", Said("proved")),
        ("c.py:12: info: Not confirmed.\n", Said("undecided")),
        (
            "c.py:12: error: false when calling contract(3, None, input_2 = True)"
            " (which returns False)\n",
            Said("refuted", (3, None, True)),
        ),
        ("c.py:12: error: false when calling contract(input_0 = 5)\n", Said("refuted", (5,))),
    ],
)
def test_what_crosshair_says_is_read(output: str, said: Said) -> None:
    assert read_output(output) == said


def test_a_contract_that_cannot_be_checked_is_no_answer() -> None:
    with pytest.raises(ValueError, match="NameError"):
        read_output("c.py:12: error: NameError: name 'x' is not defined\n")


def test_a_contract_calls_the_property_s_own_rule() -> None:
    module: dict[str, object] = {}
    exec(contract(BOUNDARY, load(BOUNDARY).subject.inputs), module)
    check = module["contract"]
    assert callable(check)
    assert check(32, 1000, 16, 2) is True
    assert check(*OFF_GRID.values()) is False


def test_every_call_level_property_is_asked() -> None:
    asked = [(entry.role, entry.property_id) for entry in reference_questions()]
    assert asked == [(entry.role, entry.id) for entry in PROPERTIES]


def test_every_question_about_a_bug_is_about_a_planner_that_is_there() -> None:
    questions = bug_questions()
    assert {entry.planner.split()[0] for entry in questions} == {"mistake", "example"}
    for question in questions[::7]:
        assert load(question).subject.role == question.role


def test_a_call_is_judged_on_ints_as_the_prover_judges_it() -> None:
    planner = load(BOUNDARY)
    assert planner.is_scheduled(OFF_GRID)
    assert not planner.holds(BOUNDARY.property, OFF_GRID)
    assert is_refuted_by(BOUNDARY.property, planner.subject.run(OFF_GRID))


@pytest.mark.parametrize(
    ("property_id", "answer"), [("snapshot-never", "unsat"), ("snapshot-boundary", "sat")]
)
def test_the_naive_statement_proves_and_refutes(property_id: str, answer: str) -> None:
    question = BOUNDARY._replace(property_id=property_id)
    planner = load(question)
    said, values = naive.ask(planner, question.property, 10)
    assert said == answer
    if values is not None:
        assert not planner.holds(question.property, values)


@pytest.mark.parametrize("family", growth.FAMILIES, ids=lambda family: family.name)
def test_an_input_that_grows_is_larger_for_a_larger_size(family, tmp_path: Path) -> None:
    def measure(size: int) -> int:
        words = family.words(size, tmp_path)
        files = [Path(word) for word in words if str(tmp_path) in word]
        if files:
            return sum(file.stat().st_size for file in files)
        return sum(int(word) if word.isdigit() else 1 for word in words)

    assert measure(family.sizes[1]) > measure(family.sizes[0])


def test_a_planner_with_a_branch_for_each_block_size_is_proved(
    tmp_path: Path, shell: Shell
) -> None:
    path = tmp_path / "planner.rs"
    path.write_text(growth.by_block_size(12))
    assert shell.run("check", str(path)).code == HOLDS
    path.write_text(growth.by_block_size(12).replace("proposed_end / 32", "proposed_end / 48"))
    assert shell.run("check", str(path)).code == REFUTED


def answers(gate: float, peer: float) -> dict[str, Answer]:
    peers = dict.fromkeys(("crosshair", "z3", "hypothesis"), Answer("proved", peer))
    return {"gate": Answer("proved", gate), **peers}


def test_a_peer_that_is_faster_is_said_to_be() -> None:
    rows = [Row(BOUNDARY, answers(1.0, 0.5)), Row(BOUNDARY, answers(1.0, 2.0))]
    assert "CrossHair in 1, Z3, stated naively in 1" in results.faster_peers(rows)
    assert "No peer" in results.faster_peers(rows[1:])


def test_a_peer_that_decides_nothing_is_not_faster() -> None:
    row = Row(BOUNDARY, {**answers(1.0, 2.0), "z3": Answer("undecided", 0.1)})
    assert "No peer" in results.faster_peers([row])


def test_a_row_has_every_tool_with_its_ratio() -> None:
    shown = results.answers_table([Row(BOUNDARY, answers(1.0, 2.5))], has_sizes=False)
    assert shown.splitlines()[2] == (
        "| `snapshot-boundary` (checkpoint) | proved 1.00 s | proved 2.50 s, 2.5x"
        " | proved 2.50 s, 2.5x | proved 2.50 s, 2.5x |"
    )


def test_the_summary_of_the_readme_is_replaced_whole() -> None:
    text = with_summary(f"before\n{FIRST}\nold\n{LAST}\nafter\n", "| new |")
    assert text == f"before\n{FIRST}\n| new |\n{LAST}\nafter\n"
    assert summary_of(text) == "| new |"
    with pytest.raises(ValueError, match="needs the lines"):
        with_summary("no marks", "| new |")


def test_the_readme_shows_the_summary_of_the_results() -> None:
    path = ROOT / "bench" / "results.md"
    if not path.is_file():
        pytest.skip("not measured yet")
    shown = summary_of((ROOT / "README.md").read_text(encoding="utf-8"))
    assert re.search(re.escape(shown), path.read_text(encoding="utf-8"))
    assert shown
