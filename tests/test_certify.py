"""Second opinions: what proofs rest on, as SMT-LIB 2, and what cvc5 says of it."""

import io
import json
from contextlib import redirect_stdout
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import z3

from command_line import Shell
from prefill_gate import queries
from prefill_gate.main import main
from prefill_gate.queries import MARK, Questions, proof_of
from prefill_proofs import certify
from prefill_proofs.algebra import Algebra
from prefill_proofs.certify import Answer, ask_cvc5, cvc5_version
from prefill_proofs.lemmas import LEMMAS, SIGN
from prefill_proofs.prover import prove
from prefill_proofs.smtlib import RESERVED, Writer
from prefill_proofs.solver import Decision, Query, Solver
from prefill_proofs.subjects import REFERENCE
from prefill_proofs.witnesses import Search
from prefill_spec.properties import PROPERTIES, properties_of
from prefill_spec.run_theorems import RUN_THEOREMS

ROOT = Path(__file__).parents[1]
RUST = "reference/rust/prefill_plan.rs"
BROKEN = "tests/planners/before_2026_09_27.rs"

needs_cvc5 = pytest.mark.skipif(
    cvc5_version() is None, reason="needs cvc5: pip install 'prefill-gate[certify]'"
)

QUICK = ("prove", "--property", "split-replay", "--certify")
"""A command with few queries."""


class Written(NamedTuple):
    """What a command left behind: its report and its files."""

    code: int
    report: dict[str, Any]
    files: dict[str, str]


def written(folder: Path, *arguments: str) -> Written:
    out = io.StringIO()
    with redirect_stdout(out):
        code = main([*arguments, "--smt2", str(folder), "--format", "json"])
    files = {path.name: path.read_text() for path in folder.iterdir()}
    return Written(code, json.loads(out.getvalue()), files)


@pytest.fixture(scope="module")
def proved(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("prove") / "queries", "prove", "--certify")


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Written:
    return written(tmp_path_factory.mktemp("check") / "queries", "check", str(ROOT / RUST))


def proved_rows(found: Written) -> list[dict[str, Any]]:
    return [row for row in found.report["properties"] if row["verdict"] == "proved"]


@needs_cvc5
def test_cvc5_agrees_on_everything_that_the_reference_rests_on(proved: Written) -> None:
    assert proved.code == 0
    certified = proved.report["certified"]
    assert certified["version"] == cvc5_version()
    assert certified["queries"] == certified["agreed"] == len(proved.files)
    assert certified["contradicted"] == certified["undecided"] == []
    assert all(row["certified"] is True for row in proved_rows(proved))


@needs_cvc5
def test_the_readme_says_how_many_queries_there_are(proved: Written, checked: Written) -> None:
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    assert f"on the {len(proved.files)} queries of `prove`" in readme
    assert f"on the {len(checked.files)} queries of `check {RUST}`" in readme


@needs_cvc5
def test_a_refuted_row_is_neither_certified_nor_not(proved: Written) -> None:
    (row,) = (row for row in proved.report["properties"] if row["verdict"] == "refuted")
    assert "certified" not in row


def files_of(row: dict[str, Any]) -> list[str]:
    name = f"{row['role']}.{row['id']}"
    parts = ("base", "step", "end")
    return [f"{name}.{part}" for part in parts] if row["role"] == "run" else [name]


@needs_cvc5
def test_every_proved_row_of_the_reference_has_its_files(proved: Written) -> None:
    rows = proved_rows(proved)
    assert len(rows) == len([e for e in PROPERTIES if e.level == "deny"]) + len(RUN_THEOREMS)
    for row in rows:
        for name in files_of(row):
            assert {f"{name}.smt2", f"{name}.naturals.smt2"} <= proved.files.keys()


@needs_cvc5
def test_that_the_properties_pin_the_planner_is_certified(proved: Written) -> None:
    rows = proved.report["pinning"]
    assert len(rows) == 4
    for row in rows:
        assert row["certified"] is True
        assert f"{row['role']}.pinned.smt2" in proved.files


def test_every_proved_row_of_a_planner_has_its_files(checked: Written) -> None:
    rows = proved_rows(checked)
    assert {row["role"] for row in rows} == {
        "chunk_len",
        "split_point",
        "tail_end",
        "checkpoint",
        "run",
    }
    for row in rows:
        assert {f"{name}.smt2" for name in files_of(row)} <= checked.files.keys()


def test_the_lemmas_and_that_the_facts_follow_are_among_the_files(checked: Written) -> None:
    assert {f"lemma.{lemma.id}.smt2" for lemma in LEMMAS} <= checked.files.keys()
    for role in ("chunk_len", "split_point", "tail_end", "checkpoint"):
        assert {f"{role}.facts.smt2", f"{role}.hypotheses.smt2"} <= checked.files.keys()


def test_the_files_alone_are_written_without_a_second_opinion(checked: Written) -> None:
    assert checked.code == 0
    assert "certified" not in checked.report
    assert all("certified" not in row for row in checked.report["properties"])


def test_a_file_says_what_it_asks_of_what_and_what_z3_answered(checked: Written) -> None:
    text = checked.files["chunk_len.chunk-length.smt2"]
    comment = " ".join(line[1:].strip() for line in text.splitlines() if line.startswith(";"))
    (entry,) = (entry for entry in PROPERTIES if entry.id == "chunk-length")
    for said in (entry.id, entry.statement, "plan_chunk_len", RUST, "role chunk_len"):
        assert said in comment
    assert "unsat: there is none, so it is proved." in comment
    assert "answers unsat." in comment
    assert "(declare-const m!5 Int) ; block_size * q!5" in text


def test_every_file_is_read_by_z3_and_has_the_answer_that_it_says(checked: Written) -> None:
    for name, text in checked.files.items():
        said = "sat" if ".hypotheses." in name else "unsat"
        assert text.startswith(MARK)
        assert f" answers {said}." in text
        solver = z3.Solver()
        solver.from_string(text)
        assert str(solver.check()) == said, name


def test_the_same_files_are_written_again(tmp_path: Path, shell: Shell) -> None:
    folder = tmp_path / "queries"
    command = ("check", RUST, "--property", "split-replay", "--smt2", str(folder))
    assert shell.run(*command).code == 0
    before = {path.name: path.read_text() for path in folder.iterdir()}
    assert shell.run(*command).code == 0
    assert {path.name: path.read_text() for path in folder.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["queries"]


def test_the_queries_of_two_planners_do_not_get_in_each_others_way(
    tmp_path: Path, shell: Shell
) -> None:
    for name in "ab":
        (tmp_path / f"{name}.rs").write_text((ROOT / RUST).read_text())
    folder = tmp_path / "queries"
    result = shell.run("check", str(tmp_path), "--property", "split-replay", "--smt2", str(folder))
    assert result.code == 0
    for number, name in enumerate("ab", start=1):
        text = (folder / f"{number}.split_point.split-replay.smt2").read_text()
        assert f"{name}.rs" in " ".join(text.split())


def test_a_proof_by_equality_shows_both_its_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = Solver.decide

    def tired(self: Solver, *parts: Any, **limits: Any) -> Decision:
        found = decide(self, *parts)
        return found._replace(result="unknown") if limits else found

    (subject,) = (entry for entry in REFERENCE if entry.role == "split_point")
    entries = [entry for entry in properties_of("split_point") if entry.id == "split-replay"]
    with monkeypatch.context() as patch:
        patch.setattr(Solver, "decide", tired)
        patch.setattr(Search, "quickly", lambda _self: None)
        (verdict,) = prove(subject, entries)
    questions = Questions(Writer(), [proof_of(subject, verdict, "reference")])
    for step in ("equality", "reference"):
        name = f"split_point.split-replay.{step}.smt2"
        assert questions.by_file[name].z3 == "unsat"
        assert name in questions.of_row["split_point", "split-replay"]


@needs_cvc5
def test_a_claim_that_is_false_is_contradicted(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    decide = Solver.decide

    def credulous(self: Solver, *parts: Any, **limits: Any) -> Decision:
        found = decide(self, *parts, **limits)
        return found._replace(result="unsat") if parts else found

    monkeypatch.setattr(Solver, "decide", credulous)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    command = ("check", BROKEN, "--property", "chunk-split-stop", "--format", "json")
    assert shell.run(*command).code == 0
    result = shell.run(*command, "--certify")
    assert result.code == 70
    (dissent,) = result.json()["certified"]["contradicted"]
    assert (dissent["z3"], dissent["cvc5"]) == ("unsat", "sat")
    assert Path(dissent["file"]).name == "chunk_len.chunk-split-stop.smt2"
    assert Path(dissent["file"]).read_text().startswith(MARK)
    assert dissent["file"] in result.err
    (row,) = (row for row in result.json()["properties"] if row["id"] == "chunk-split-stop")
    assert row["verdict"] == "inconclusive"
    assert row["certified"] is False
    assert "scope" not in row
    assert result.json()["verdict"] == "error"


@needs_cvc5
def test_a_lemma_that_is_false_takes_every_proof_with_it(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    divisor, times, _ = SIGN.symbols
    wrong = z3.substitute(SIGN.claim, (divisor >= 1, times >= -1))
    monkeypatch.setattr(queries, "LEMMAS", [replace(SIGN, claim=wrong)])
    result = shell.run(*QUICK, "--smt2", str(tmp_path / "queries"), "--format", "json")
    assert result.code == 70
    (dissent,) = result.json()["certified"]["contradicted"]
    assert dissent["file"] == str(tmp_path / "queries" / "lemma.sign.smt2")
    (row,) = result.json()["properties"]
    assert row["verdict"] == "inconclusive"
    assert "lemma.sign.smt2" in row["reason"]


@needs_cvc5
def test_an_assumption_that_nothing_meets_is_noticed(tmp_path: Path) -> None:
    total = Algebra().input("total")
    text = Writer().script(Query((total >= 1, total <= 0)), ["nothing"], total.algebra)
    (tmp_path / "nothing.smt2").write_text(text)
    assert ask_cvc5([tmp_path / "nothing.smt2"], 5) == [Answer("unsat")]


CUBES = """(set-logic QF_NIA)
(declare-const x Int) (declare-const y Int) (declare-const z Int)
(assert (= (+ (* x x x) (* y y y) (* z z z)) 42))
(check-sat)
"""
"""Known to have a solution of 17 digits."""


@needs_cvc5
def test_what_cvc5_gives_up_is_unknown_and_the_next_query_is_answered(tmp_path: Path) -> None:
    texts = [CUBES, CUBES.replace("(= (+", "(distinct (+"), "(assert nonsense)"]
    paths = [tmp_path / f"{number}.smt2" for number in range(3)]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    hard, simple, nonsense = ask_cvc5(paths, 0.05)
    assert hard.result == "unknown"
    assert "TIMEOUT" in hard.reason
    assert simple == Answer("sat")
    assert nonsense.result == "unknown"
    assert "nonsense" in nonsense.reason


@needs_cvc5
def test_what_is_undecided_is_not_certified_and_said_so(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def give_up(files: list[Path], _seconds: float) -> list[Answer]:
        return [
            Answer("unknown", "timeout") if "replay." in path.name else Answer(needed(path))
            for path in files
        ]

    def needed(path: Path) -> Any:
        return "sat" if "hypotheses" in path.name else "unsat"

    monkeypatch.setattr("prefill_gate.certify.ask_cvc5", give_up)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = shell.run(*QUICK)
    assert result.code == 3
    assert "Not certified: split_point.split-replay" in result.out
    assert "timeout" in " ".join(result.out.split())
    report = shell.run(*QUICK, "--format", "json").json()
    (row,) = report["properties"]
    assert (row["verdict"], row["certified"]) == ("proved", False)
    assert len(report["certified"]["undecided"]) == 2
    assert report["certified"]["uncertified"] == ["split_point.split-replay"]
    assert report["verdict"] == "inconclusive"


def test_a_crash_of_cvc5_costs_one_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    crashing = tmp_path / "crashing.py"
    crashing.write_text(
        "import json, os, sys\n"
        "for file in json.load(sys.stdin)['files']:\n"
        "    if 'bad' in file: os.abort()\n"
        "    print(json.dumps(['unsat', '']), flush=True)\n"
    )
    monkeypatch.setattr(certify, "PROCESS", crashing)
    answers = ask_cvc5([Path("one"), Path("bad"), Path("two")], 5)
    assert [answer.result for answer in answers] == ["unsat", "unknown", "unsat"]
    assert "ended" in answers[1].reason


@needs_cvc5
def test_a_certified_report_leaves_nothing_behind(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    result = shell.run(*QUICK)
    assert result.code == 0
    assert f"Certified: cvc5 {cvc5_version()} agrees on all " in result.out
    assert list(tmp_path.iterdir()) == []


@needs_cvc5
def test_a_proof_without_a_query_is_not_certified(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without_evidence(*arguments: Any) -> Any:
        return proof_of(*arguments)._replace(evidence=())

    monkeypatch.setattr(queries, "proof_of", without_evidence)
    result = shell.run("check", RUST, "--property", "split-replay", "--certify")
    assert result.code == 3
    assert "Not certified: split_point.split-replay" in result.out


@needs_cvc5
def test_without_a_proof_there_is_nothing_to_certify(shell: Shell) -> None:
    result = shell.run("check", BROKEN, "--property", "chunk-split-stop", "--certify")
    assert result.code == 1
    assert "Nothing to certify: there is no proof" in result.out


def test_without_cvc5_there_is_one_clear_line(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("prefill_gate.certify.cvc5_version", lambda: None)
    result = shell.run(*QUICK, "--smt2", str(tmp_path / "queries"))
    assert result.code == 2
    assert "pip install 'prefill-gate[certify]'" in result.err
    assert len(result.err.splitlines()) == 1
    assert result.out == ""
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["notes.txt/queries", "notes.txt", ".", "folder"])
def test_a_folder_that_is_not_ours_to_write_is_left_alone(
    shell: Shell, tmp_path: Path, name: str
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    before = sorted(tmp_path.rglob("*"))
    result = shell.run(*QUICK[:-1], "--smt2", str(tmp_path / name))
    assert result.code == 2
    assert "cannot write" in result.err
    assert len(result.err.splitlines()) == 1
    assert result.out == ""
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "notes.txt").read_text() == "mine"


ODD = sorted(RESERVED | {"größe", "self.a[0]", "a b", "a|b", "x?", "_", "__a", "True"})


@needs_cvc5
def test_whatever_an_input_is_called_both_solvers_read_it(tmp_path: Path) -> None:
    algebra = Algebra()
    numbers = [algebra.input(name) for name in ODD]
    in_order = [one < other for one, other in pairwise(numbers)]
    for name, parts, said in (
        ("yes", in_order, "sat"),
        ("no", [*in_order, numbers[-1] < numbers[0]], "unsat"),
    ):
        text = Writer().script(Query(tuple(parts)), ["größe\nand a new line"], algebra)
        (tmp_path / name).write_text(text, encoding="utf-8")
        solver = z3.Solver()
        solver.from_string(text)
        assert str(solver.check()) == said
        assert ask_cvc5([tmp_path / name], 5) == [Answer(said)]
