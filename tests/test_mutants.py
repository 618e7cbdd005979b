"""A mutant is caught, proved equivalent, or survives, and nothing undecided is called otherwise."""

from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell
from prefill_gate.sources import PlannerFile, open_planner, roles_of
from prefill_proofs import mutant_verdicts, own_source, symbolic
from prefill_proofs.mutant_verdicts import Catcher, MutantVerdict, Trial
from prefill_proofs.mutations import Mutant, mutants_of
from prefill_proofs.prover import Finding, Verdict
from prefill_proofs.role_config import PlannerConfig
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.twins import Twins, find_difference
from prefill_spec.properties import properties_of

ROOT = Path(__file__).parents[1]
RUST = ROOT / "reference" / "rust" / "prefill_plan.rs"
BOTH_SOURCES = {"rust": (RUST, PlannerConfig()), "python": (own_source.PATH, own_source.CONFIG)}

TAIL_END = """
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 {
        return false;
    }
    let boundary = total.saturating_sub(1) / block_size * block_size;
    end_token == boundary || boundary.checked_sub(block_size) == Some(end_token)
}
"""
"""The reference's rule, in a file of its own: a planner with few mutants."""

WAIVER = (
    '[properties]\ntail-end = { level = "off", reason = "a hole, to see what falls through" }\n'
)


def subject_of(text: str, role: str) -> SourceSubject:
    subject = roles_of(PlannerFile("a.rs", text.encode(), None), PlannerConfig()).subject(role)
    assert subject is not None
    return subject


def trial_of(subject: SourceSubject, *ids: str) -> Trial:
    """Return a trial with these properties, or with all that are denied."""
    entries = [entry for entry in properties_of(subject.role) if entry.level == "deny"]
    wanted = [entry for entry in entries if not ids or entry.id in ids]
    return Trial(subject, tuple(Catcher(entry, subject) for entry in wanted))


def mutant_of(subject: SourceSubject, change: str) -> Mutant:
    (found,) = (entry for entry in mutants_of(subject.read) if entry.change == change)
    return found


def decided(trial: Trial, change: str) -> MutantVerdict:
    return trial.decide(mutant_of(trial.subject, change).read)


@pytest.fixture(scope="module")
def chunk_len() -> SourceSubject:
    return subject_of(RUST.read_text(), "chunk_len")


@pytest.fixture(scope="module")
def tail_end() -> SourceSubject:
    return subject_of(TAIL_END, "tail_end")


# Verdicts


def test_a_mutant_is_caught_by_the_first_property_that_it_breaks(chunk_len: SourceSubject) -> None:
    change = "`(length / WY4) * 4` becomes `(length / WY4) * 5`"
    assert decided(trial_of(chunk_len), change) == MutantVerdict("caught", "chunk-length")
    found = decided(trial_of(chunk_len, "chunk-wy4", "chunk-grid"), change)
    assert found == MutantVerdict("caught", "chunk-grid")


def test_a_mutant_that_answers_alike_is_proved_equivalent(chunk_len: SourceSubject) -> None:
    found = decided(trial_of(chunk_len), "`short < 4` becomes `short <= 4`")
    assert found == MutantVerdict("equivalent")


def test_a_mutant_survives_what_does_not_notice_it(chunk_len: SourceSubject) -> None:
    trial = trial_of(chunk_len, "no-fault", "chunk-empty", "chunk-wy4")
    found = decided(trial, "`length / 4` becomes `length / 5`")
    assert found.verdict == "survived"
    assert found.witness is not None
    sides = found.witness.run.answer
    assert sides.base.answer != sides.head.answer


def test_without_samples_the_solver_comes_to_the_same(tail_end: SourceSubject) -> None:
    trial, unsampled = trial_of(tail_end), trial_of(tail_end)
    unsampled.__dict__["calls"] = []
    for mutant in list(mutants_of(tail_end.read))[::4]:
        assert unsampled.decide(mutant.read).verdict == trial.decide(mutant.read).verdict


def test_a_difference_that_no_sample_shows_is_found(tail_end: SourceSubject) -> None:
    change = "`end_token == boundary` becomes `end_token <= boundary`"
    trial = trial_of(tail_end, "no-fault")
    trial.__dict__["calls"] = []
    found = decided(trial, change)
    assert found.verdict == "survived"
    assert found.witness is not None
    assert found.witness.run.answer.head.answer is True


def test_a_fault_on_one_side_alone_is_a_difference(tail_end: SourceSubject) -> None:
    twins = Twins(tail_end, mutant_of(tail_end, "`block_size == 0` becomes `false`").read)
    found = find_difference(twins)
    assert found.witness is not None
    assert found.witness.run.answer.head.fault is not None
    assert find_difference(Twins(tail_end, tail_end.read)).verdict == "proved"


def test_a_planner_that_faults_has_equivalent_mutants_too() -> None:
    subject = subject_of(TAIL_END.replace("total.saturating_sub(1)", "(total - 1)"), "tail_end")
    trial = trial_of(subject, "tail-end")
    found = decided(trial, "`block_size == 0` becomes `block_size <= 0`")
    assert found == MutantVerdict("equivalent")


# What is not known


def gives_up(*_arguments: Any) -> Finding:
    return Finding("inconclusive", 0.0, reason="gave up")


def test_a_mutant_that_may_be_equal_is_undecided(
    chunk_len: SourceSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_verdicts, "find_difference", gives_up)
    found = decided(trial_of(chunk_len), "`short < 4` becomes `short <= 4`")
    assert found == MutantVerdict("undecided", reason="gave up")


def test_a_mutant_that_may_break_a_property_is_undecided(
    chunk_len: SourceSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prove(_subject: SourceSubject, entries: Any) -> list[Verdict]:
        return [Verdict(entry, *gives_up()) for entry in entries]

    monkeypatch.setattr(mutant_verdicts, "prove", prove)
    trial = trial_of(chunk_len, "no-fault", "chunk-empty")
    found = decided(trial, "`length / 4` becomes `length / 5`")
    reason = "not known to keep or to break no-fault, chunk-empty"
    assert found == MutantVerdict("undecided", reason=reason)


def test_a_mutant_that_takes_too_long_is_undecided(
    chunk_len: SourceSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_verdicts, "MUTANT_SECONDS", 0.0)
    found = decided(trial_of(chunk_len), "`short < 4` becomes `short <= 4`")
    assert found == MutantVerdict("undecided", reason="not decided in 0 s")


def test_a_mutant_that_is_too_large_is_undecided(
    chunk_len: SourceSubject, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(symbolic, "MAX_STEPS", 5)
    found = decided(trial_of(chunk_len), "`short < 4` becomes `short <= 4`")
    assert found.verdict == "undecided"
    assert "comes to too much" in found.reason


# The reference


def subjects_of(language: str) -> list[SourceSubject]:
    path, config = BOTH_SOURCES[language]
    roles = roles_of(open_planner(str(path)), config)
    assert len(roles.subjects) == 4
    return roles.subjects


@pytest.mark.parametrize("language", BOTH_SOURCES)
def test_the_reference_has_many_mutants(language: str) -> None:
    count = sum(len(list(mutants_of(entry.read))) for entry in subjects_of(language))
    assert count >= 250
    assert f"{count} mutants" in (ROOT / "README.md").read_text()


@pytest.mark.parametrize("language", BOTH_SOURCES)
def test_no_mutant_of_the_reference_survives(
    language: str, shell: Shell, request: pytest.FixtureRequest
) -> None:
    planner = [str(RUST)] if language == "rust" else []
    shard = "1/1" if request.config.getoption("--many") else "1/3"
    result = shell.run("mutants", *planner, "--shard", shard, "--jobs", "1", "--format", "json")
    report = result.json()
    assert result.code == 0
    assert report["survived"] == report["undecided"] == 0
    assert report["caught"] > report["equivalent"] > 0


# The command


@pytest.fixture
def planner(tmp_path: Path) -> Path:
    path = tmp_path / "tail.rs"
    path.write_text(TAIL_END)
    return path


def mutants(shell: Shell, planner: Path, *arguments: str) -> Result:
    return shell.run("mutants", str(planner), "--jobs", "1", *arguments)


def test_a_weakened_specification_is_told(shell: Shell, planner: Path) -> None:
    (planner.parent / "prefill-gate.toml").write_text(WAIVER)
    result = mutants(shell, planner, "--format", "json")
    report = result.json()
    assert result.code == 1
    assert report["survived"] > 20
    assert {"id": "tail-end", "role": "tail_end", "reason": "it is waived"} in (
        report["cannot_catch"]
    )
    survivor = next(row for row in report["mutants"] if row["verdict"] == "survived")
    assert set(survivor["witness"]) == {"end_token", "total", "block_size"}
    assert survivor["original"] != survivor["mutant"]
    assert survivor["property"] is None


def test_text_shows_each_survivor_with_its_line(shell: Shell, planner: Path) -> None:
    (planner.parent / "prefill-gate.toml").write_text(WAIVER)
    result = mutants(shell, planner)
    survivor = result.out.index(
        "survived: tail_end, line 7: `end_token == boundary` becomes `false`"
    )
    shown = result.out[survivor:].splitlines()
    assert shown[1].startswith("  given    end_token = 0, total = 0, block_size = ")
    assert shown[2] == "  then     the end 0 is no prompt-tail end, was one"
    assert shown[4].startswith("      7 |     end_token == boundary ||")
    assert result.code == 1


def test_the_object_is_the_documented_one(shell: Shell, planner: Path) -> None:
    report = mutants(shell, planner, "--format", "json").json()
    rows = report["mutants"]
    assert report["version"] == 1
    assert report["command"] == "mutants"
    assert report["source"] == str(planner)
    for verdict in ("caught", "equivalent", "survived", "undecided"):
        assert report[verdict] == sum(row["verdict"] == verdict for row in rows)
    assert rows[0] == {
        "role": "tail_end",
        "function": "is_prompt_tail_end",
        "line": 3,
        "column": 8,
        "change": "`block_size == 0` becomes `block_size <= 0`",
        "verdict": "equivalent",
        "property": None,
    }
    assert rows[1] | {"change": ""} == rows[0] | {
        "change": "",
        "verdict": "caught",
        "property": "tail-end",
    }


def test_shards_share_the_mutants_between_them(shell: Shell, planner: Path) -> None:
    def rows(*arguments: str) -> list[Any]:
        found: list[Any] = mutants(shell, planner, *arguments, "--format", "json").json()["mutants"]
        return found

    shards = [rows("--shard", f"{number}/3") for number in (1, 2, 3)]
    whole = rows()
    assert all(whole[number::3] == shard for number, shard in enumerate(shards))
    assert sum(map(len, shards)) == len(whole)


def test_the_number_of_processes_changes_nothing(shell: Shell, planner: Path) -> None:
    arguments = ("mutants", str(planner), "--format", "json")
    one, two = (shell.run(*arguments, "--jobs", jobs) for jobs in ("1", "2"))
    assert one == two


def test_what_is_undecided_is_counted_and_exits_with_3(
    shell: Shell, planner: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mutant_verdicts, "find_difference", gives_up)
    result = mutants(shell, planner)
    assert result.code == 3
    assert "undecided: tail_end, line 3: `block_size == 0` becomes `block_size <= 0`: gave up" in (
        result.out
    )
    assert "none is known to survive" in result.out


def test_a_property_that_the_original_breaks_catches_nothing(shell: Shell, planner: Path) -> None:
    planner.write_text(TAIL_END.replace("saturating_sub(1)", "saturating_sub(2)"))
    result = mutants(shell, planner)
    assert "tail-end (tail_end): the original breaks it" in result.out
    assert result.code == 1


def test_a_region_that_is_excepted_does_not_catch(shell: Shell, planner: Path) -> None:
    region = '[properties]\ntail-end = { except = "block_size == 1", reason = "no such blocks" }\n'
    broken = TAIL_END.replace("if block_size == 0 {", "if block_size < 2 {")
    planner.write_text(broken)
    (planner.parent / "prefill-gate.toml").write_text(region)
    report = mutants(shell, planner, "--format", "json").json()
    survivors = [row for row in report["mutants"] if row["verdict"] == "survived"]
    assert {row["witness"]["block_size"] for row in survivors} == {1}
    assert "`block_size < 2` becomes `block_size < 1`" in [row["change"] for row in survivors]
    assert report["caught"] > 30


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--shard", "0/2"), "needs a number of at least 1, not 0"),
        (("--shard", "3/2"), "there are 2 shards, and none is number 3"),
        (("--shard", "2"), "needs two numbers, as in 1/4, not '2'"),
        (("--shard", "a/b"), "needs a whole number, not 'a'"),
        (("--jobs", "0"), "needs a number of at least 1, not 0"),
        (("--config", "a.toml"), "--config is for a planner of yours; name its file, too"),
        (("missing.rs",), "cannot be read"),
    ],
)
def test_bad_usage_exits_with_2(shell: Shell, arguments: tuple[str, ...], message: str) -> None:
    result = shell.run("mutants", *arguments)
    assert result.code == 2
    assert message in result.err
    assert len(result.err.splitlines()) == 1


def test_a_planner_without_anything_to_change_is_no_success(shell: Shell, planner: Path) -> None:
    planner.write_text(f"{TAIL_END.partition('{')[0]}{{ false }}")
    result = mutants(shell, planner)
    assert result.code == 2
    assert "there is nothing in it that could be changed" in result.err


def test_a_planner_that_cannot_be_read_is_an_error_as_json_too(shell: Shell, planner: Path) -> None:
    planner.write_text("fn is_prompt_tail_end() { loop {} }")
    result = mutants(shell, planner, "--format", "json")
    assert result.code == 2
    assert result.json()["verdict"] == "error"
    assert result.json()["mutants"] == []
