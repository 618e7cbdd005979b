"""``prefill-gate check``, end to end."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell
from prefill_spec.calls import CALLS
from prefill_spec.properties import PROPERTIES, properties_of
from prefill_spec.run_theorems import RUN_THEOREM_IDS
from repositories import git

PLANNERS = Path(__file__).parent / "planners"
REFERENCE = Path(__file__).parents[1] / "reference" / "rust" / "prefill_plan.rs"

TAIL_END = """\
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if block_size == 0 {
        return false;
    }
    let last = total.saturating_sub(1) / block_size * block_size;
    end_token == last || last.checked_sub(block_size) == Some(end_token)
}
"""

OWN_NAMES = """\
pub struct Prompt { tokens: usize, done: usize }
pub fn length(prompt: &Prompt, wanted: usize, page: usize) -> usize {
    let end = prompt.done + wanted;
    if end >= prompt.tokens {
        return wanted;
    }
    let boundary = if page == 0 { 0 } else { end / page * page };
    let length = if boundary > prompt.done { boundary - prompt.done } else { wanted };
    if length < 4 { length } else { length / 4 * 4 }
}
"""

OWN_NAMES_CONFIG = """\
[planner]
source = "own_names.rs"
[planner.roles.chunk_len]
function = "length"
offset = "prompt.done"
total = "prompt.tokens"
proposed = "wanted"
block_size = "page"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, **files: str) -> None:
    """Write files; two underscores in a name stand for its dot."""
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(content)


def configure(folder: Path, content: str) -> None:
    (folder / "prefill-gate.toml").write_text(content)


def rows_of(result: Result, role: str | None = None) -> dict[str, dict[str, Any]]:
    rows = result.json()["properties"]
    return {row["id"]: row for row in rows if role is None or row["role"] == role}


def check(shell: Shell, *arguments: str) -> Result:
    return shell.run("check", *arguments, "--format", "json")


# Exit codes and shape


def test_the_reference_holds_with_its_warning(shell: Shell) -> None:
    result = check(shell, str(REFERENCE))
    report = result.json()
    assert result.code == 0
    assert result.err == ""
    assert (report["version"], report["command"], report["verdict"]) == (1, "check", "holds")
    assert report["source"] == str(REFERENCE)
    assert report["source_sha256"] == hashlib.sha256(REFERENCE.read_bytes()).hexdigest()
    assert {"prefill-gate", "z3"} <= report["versions"].keys()
    assert report["unknown_constants"] == []
    assert "errors" not in report
    assert any("64 bits" in line for line in report["assumptions"])
    assert any("passes the split" in line for line in report["assumptions"])
    refuted = {row["id"]: row["level"] for row in report["properties"] if "witness" in row}
    assert refuted == {"snapshot-boundary": "warn"}


def test_every_property_and_theorem_has_a_row_in_the_order_of_the_contract(shell: Shell) -> None:
    rows = check(shell, str(REFERENCE)).json()["properties"]
    calls = [row for row in rows if row["role"] != "run"]
    assert [(row["role"], row["id"], row["level"]) for row in calls] == [
        (entry.role, entry.id, entry.level) for entry in PROPERTIES
    ]
    for row in calls:
        assert row["function"] == CALLS[row["role"]].usual_name
        assert row["seconds"] >= 0
        assert row["scope"] == "usize" if row["verdict"] == "proved" else "scope" not in row
    runs = rows[len(calls) :]
    assert [row["id"] for row in runs] == list(RUN_THEOREM_IDS)
    for row in runs:
        assert (row["role"], row["function"], row["verdict"]) == ("run", None, "proved")
        assert row["uses"]


def test_a_role_that_is_not_there_is_skipped_and_so_are_the_theorems_that_need_it(
    shell: Shell, folder: Path
) -> None:
    write(folder, planner__rs=TAIL_END)
    result = check(shell, "planner.rs")
    rows = result.json()["properties"]
    assert result.code == 0
    for row in rows:
        is_here = row["role"] == "tail_end"
        assert row["verdict"] == ("proved" if is_here else "skipped")
        if not is_here:
            assert row["function"] is None
            assert not {"scope", "seconds", "witness"} & row.keys()
    assert [row["id"] for row in rows if row["role"] == "chunk_len"] == [
        entry.id for entry in properties_of("chunk_len")
    ]


def test_a_refutation_exits_1_with_its_witness(shell: Shell) -> None:
    result = check(shell, str(PLANNERS / "checked.rs"))
    row = rows_of(result)["split-existence"]
    assert result.code == 1
    assert result.json()["verdict"] == "refuted"
    assert [*row["witness"]] == ["total", "block_size"]
    total, block_size = row["witness"].values()
    assert row["observed"] == (total - 1) // block_size * block_size
    assert str(row["observed"]) in row["message"]
    assert "fault" not in row


def test_an_absent_option_is_null(shell: Shell) -> None:
    witness = rows_of(check(shell, str(PLANNERS / "ranges.rs")))["chunk-split-stop"]["witness"]
    assert [*witness] == ["offset", "total", "proposed", "block_size", "split"]
    assert witness["block_size"] is None
    assert witness["split"] is not None


def test_a_fault_has_its_operation_and_line(shell: Shell) -> None:
    source = PLANNERS / "widths.rs"
    row = rows_of(check(shell, str(source)), "split_point")["no-fault"]
    assert row["observed"] is None
    assert row["fault"]["operation"] == "total + size"
    assert "total + size" in source.read_text().splitlines()[row["fault"]["line"] - 1]
    assert row["message"] == f"total + size faults at line {row['fault']['line']}"


def test_a_theorem_is_lost_because_of_the_properties_that_fail(shell: Shell) -> None:
    rows = rows_of(check(shell, str(PLANNERS / "ranges.rs")))
    assert rows["run-split-visited"]["verdict"] == "lost"
    assert rows["run-split-visited"]["because"] == ["chunk-split-stop"]
    assert "scope" not in rows["run-split-visited"]


def test_the_text_tells_the_same(shell: Shell) -> None:
    result = shell.run("check", str(PLANNERS / "ranges.rs"))
    assert result.code == 1
    assert "refuted: chunk-split-stop" in result.out
    assert "given    offset = " in result.out
    assert "so       the chunk ends at " in result.out
    assert "(offset + 1..stop).contains(&at) => at + 1" in result.out
    assert "Skipped, for this file lacks a role: tail_end, checkpoint" in result.out
    assert "ranges.rs: refuted." in result.out.splitlines()[-1]


# Properties


def test_one_property_can_be_checked_alone(shell: Shell) -> None:
    result = check(shell, str(PLANNERS / "ranges.rs"), "--property", "chunk-wy4")
    assert result.code == 0
    assert [*rows_of(result)] == ["chunk-wy4"]


def test_properties_can_be_chosen_together(shell: Shell) -> None:
    chosen = ("--property", "chunk-split-stop", "--property", "split-replay")
    result = check(shell, str(PLANNERS / "ranges.rs"), *chosen)
    assert result.code == 1
    assert [*rows_of(result)] == ["chunk-split-stop", "split-replay"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "planner.rs", "--property", "chunk-wy5"],
        ["check", "planner.rs", "other.rs"],
        ["check", "planner.rs", "--config", "missing.toml"],
        ["check", "planner.txt"],
        ["check", "missing.rs"],
        ["check", "HEAD:planner.rs"],
    ],
    ids=" ".join,
)
def test_bad_usage_is_said_in_one_line(shell: Shell, folder: Path, arguments: list[str]) -> None:
    write(folder, planner__rs=TAIL_END, planner__txt=TAIL_END)
    result = shell.run(*arguments)
    assert result.code == 2
    assert len(result.err.splitlines()) == 1
    assert result.err.startswith("prefill-gate")


def test_nothing_to_prove_is_no_success(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs=TAIL_END)
    result = check(shell, "planner.rs", "--property", "chunk-wy4")
    assert result.code == 2
    assert result.json()["verdict"] == "error"
    assert "nothing to prove" in result.err


# Configuration


def test_roles_and_parameters_are_mapped(shell: Shell, folder: Path) -> None:
    write(folder, own_names__rs=OWN_NAMES)
    configure(folder, OWN_NAMES_CONFIG)
    result = check(shell, "own_names.rs")
    rows = rows_of(result, "chunk_len")
    assert result.code == 0
    assert {row["verdict"] for row in rows.values()} == {"proved"}
    assert {row["function"] for row in rows.values()} == {"length"}
    assert "length: split is absent" in result.json()["assumptions"]


def test_the_source_of_the_configuration_is_relative_to_it(shell: Shell, folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "elsewhere").mkdir()
    write(folder / "elsewhere", own_names__rs=OWN_NAMES)
    (folder / "elsewhere" / "gate.toml").write_text(OWN_NAMES_CONFIG)
    assert check(shell, "--config", str(folder / "elsewhere" / "gate.toml")).code == 0


def test_the_nearest_configuration_above_the_planner_counts(shell: Shell, folder: Path) -> None:
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "planner.rs").write_text(TAIL_END.replace("total.sat", "(total / 1).sat"))
    configure(folder, "[planner.roles]\ntail_end = 'nowhere'\n")
    assert check(shell, "a/b/planner.rs").code == 2
    configure(folder / "a", "")
    assert check(shell, "a/b/planner.rs").code == 0


def test_a_role_may_be_one_of_two_functions_of_a_name(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs=f"mod a {{ {TAIL_END} }} mod b {{ {TAIL_END} }}")
    assert check(shell, "planner.rs").code == 2
    configure(folder, "[planner.roles]\ntail_end = 'b::is_prompt_tail_end'\n")
    rows = rows_of(check(shell, "planner.rs"), "tail_end")
    assert rows["tail-end"]["function"] == "b::is_prompt_tail_end"


def test_a_call_that_leaves_the_file_is_found_by_the_configuration(
    shell: Shell, folder: Path
) -> None:
    calls = TAIL_END.replace("total.saturating_sub(1)", "kit::before(total)")
    write(folder, planner__rs=calls, kit__rs="pub fn before(n: usize) -> usize { n.max(1) - 1 }")
    refused = check(shell, "planner.rs")
    assert refused.code == 2
    assert "[planner.externs]" in refused.err
    configure(folder, '[planner.externs]\n"kit::before" = "kit.rs"\n')
    assert check(shell, "planner.rs").code == 0


def test_an_assumption_narrows_what_is_proved_and_is_said(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs=TAIL_END.replace("if block_size == 0", "if block_size == 7"))
    assert check(shell, "planner.rs").code == 1
    configure(
        folder, '[planner.roles.tail_end]\nassume = ["block_size > 0", "block_size % 16 == 0"]\n'
    )
    result = check(shell, "planner.rs")
    assert result.code == 0
    assert [line for line in result.json()["assumptions"] if "is_prompt" in line] == [
        "is_prompt_tail_end: block_size > 0",
        "is_prompt_tail_end: block_size % 16 == 0",
    ]


def test_assumptions_that_contradict_each_other_prove_nothing(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs=TAIL_END)
    configure(folder, '[planner.roles.tail_end]\nassume = ["total > 9", "total < 9"]\n')
    result = check(shell, "planner.rs")
    (error,) = result.json()["errors"]
    assert result.code == 2
    assert "contradict" in error["message"]
    assert error["file"].endswith("prefill-gate.toml")
    assert not [row for row in result.json()["properties"] if row["verdict"] == "proved"]


def test_a_property_can_be_waived_with_a_reason(shell: Shell, folder: Path) -> None:
    shutil.copy(PLANNERS / "ranges.rs", folder / "planner.rs")
    configure(
        folder, '[properties.chunk-split-stop]\nlevel = "off"\nreason = "captured in the pass"\n'
    )
    result = check(shell, "planner.rs")
    rows = rows_of(result)
    assert result.code == 0
    assert rows["chunk-split-stop"]["verdict"] == "waived"
    assert rows["chunk-split-stop"]["reason"] == "captured in the pass"
    assert "witness" not in rows["chunk-split-stop"]
    assert rows["run-split-visited"]["verdict"] == "lost"
    assert rows["run-split-visited"]["because"] == ["chunk-split-stop"]


@pytest.mark.parametrize(
    ("property_id", "level", "code"),
    [("chunk-split-stop", "warn", 0), ("chunk-split-stop", "deny", 1)],
)
def test_a_level_can_be_changed(
    shell: Shell, folder: Path, property_id: str, level: str, code: int
) -> None:
    shutil.copy(PLANNERS / "ranges.rs", folder / "planner.rs")
    configure(folder, f'[properties.{property_id}]\nlevel = "{level}"\nreason = "as it is"\n')
    result = check(shell, "planner.rs")
    assert result.code == code
    row = rows_of(result)[property_id]
    assert (row["level"], row["verdict"]) == (level, "refuted")


def test_a_warning_can_be_made_an_error(shell: Shell, folder: Path) -> None:
    shutil.copy(REFERENCE, folder / "planner.rs")
    configure(folder, '[properties.snapshot-boundary]\nlevel = "deny"\nreason = "we floor"\n')
    result = check(shell, "planner.rs")
    assert result.code == 1
    assert rows_of(result)["snapshot-boundary"]["reason"] == "we floor"


def test_everything_waived_is_nothing_to_prove(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs=TAIL_END)
    waiver = '{ level = "off", reason = "a test" }'
    configure(folder, f"[properties]\nno-fault = {waiver}\ntail-end = {waiver}\n")
    result = check(shell, "planner.rs")
    assert result.code == 2
    assert "nothing to prove" in result.err


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[planer]\n", "planer"),
        ("[planner]\nsauce = 'a.rs'\n", "sauce"),
        ("[planner.roles]\nchunk = 'f'\n", "chunk"),
        ("[planner.roles.tail_end]\nfn = 'f'\n", "fn"),
        ("[planner.roles.tail_end]\nassume = 'x'\n", "assume"),
        ("[planner.roles.tail_end]\ntotal = 3\n", "total"),
        ("[planner.externs]\nf = 3\n", "externs"),
        ("[properties.tail-ends]\nlevel = 'off'\n", "did you mean tail-end?"),
        ("[properties.run-tiles]\nlevel = 'off'\n", "run-tiles"),
        ("[properties.tail-end]\nlevel = 'none'\n", "deny, warn, off"),
        ("[properties.tail-end]\nreason = 'none'\n", "level"),
        ("[properties.tail-end]\nlevel = 'off'\nuntil = 'spring'\n", "until"),
        ("planner = 3\n", "planner"),
        ("[planner\n", "TOML"),
    ],
)
def test_a_configuration_that_is_not_understood_is_refused(
    shell: Shell, folder: Path, content: str, said: str
) -> None:
    write(folder, planner__rs=TAIL_END)
    configure(folder, content)
    result = check(shell, "planner.rs")
    assert result.code == 2
    assert said in result.err
    assert "prefill-gate.toml" in result.err
    assert result.json()["verdict"] == "error"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("tail_end = 'missing'", "there is no function missing"),
        ("tail_end.total = 'prompt'", "name prompt"),
        ("tail_end.total = 'total > 3'", "total is of type bool"),
        ("tail_end.total = 'total +'", "does not parse"),
        ("tail_end.assume = ['total']", "is no condition"),
        ("chunk_len = 'is_prompt_tail_end'", "gives bool"),
    ],
)
def test_a_configuration_that_does_not_fit_the_planner_is_refused(
    shell: Shell, folder: Path, content: str, said: str
) -> None:
    write(folder, planner__rs=TAIL_END)
    configure(folder, f"[planner.roles]\n{content}\n")
    result = check(shell, "planner.rs")
    assert result.code == 2
    assert said in result.err


# What is assumed and what is not known


def test_an_extra_parameter_is_an_input_like_any_other(shell: Shell, folder: Path) -> None:
    extra = TAIL_END.replace("block_size: usize)", "block_size: usize, offset_rows: usize)")
    write(
        folder, planner__rs=extra.replace("    end_token ==", "    offset_rows < 9 && end_token ==")
    )
    result = check(shell, "planner.rs")
    assert result.code == 1
    assert rows_of(result, "tail_end")["tail-end"]["witness"]["offset_rows"] is not None


def test_a_missing_parameter_that_has_to_be_there_is_refused(shell: Shell, folder: Path) -> None:
    write(folder, planner__rs="fn is_prompt_tail_end(end_token: usize) -> bool { end_token > 3 }")
    result = check(shell, "planner.rs")
    assert result.code == 2
    assert "[planner.roles.tail_end] total" in result.err


def test_an_unknown_constant_is_reported_by_name(shell: Shell, folder: Path) -> None:
    unknown = "fn rows() -> usize { std::env::vars().count() }\n"
    write(folder, planner__rs=unknown + TAIL_END.replace("_sub(1)", "_sub(rows())"))
    result = check(shell, "planner.rs")
    assert result.code == 1
    assert result.json()["unknown_constants"] == ["rows"]
    assert "rows" in rows_of(result, "tail_end")["tail-end"]["witness"]


# Revisions


def test_a_planner_is_read_from_a_revision(shell: Shell, folder: Path) -> None:
    (folder / "src").mkdir()
    git(folder, "init", "-q")
    (folder / "src" / "planner.rs").write_text(TAIL_END)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "plan")
    (folder / "src" / "planner.rs").write_text(TAIL_END.replace("_sub(1)", "_sub(2)"))
    result = check(shell, "HEAD:src/planner.rs")
    assert result.code == 0
    assert result.json()["source"] == "HEAD:src/planner.rs"
    assert result.json()["source_sha256"] == hashlib.sha256(TAIL_END.encode()).hexdigest()
    assert check(shell, "src/planner.rs").code == 1
    for unknown in ("HEAD:src/missing.rs", "nowhere:src/planner.rs"):
        assert check(shell, unknown).code == 2


# Playback and the compiler


def printed_tests(out: str) -> tuple[str, str]:
    """Return the Rust test and the pytest test that a playback prints."""
    rust = out[out.index("#[test]") :]
    rust, _, python = rust.partition("from prefill_gate.playback import answer")
    return rust, "from prefill_gate.playback import answer" + python.split("\n#[test]")[0]


PLAYED = [
    ("ranges.rs", "chunk-split-stop"),
    ("checked.rs", "split-existence"),
    ("shadowing.rs", "snapshot-interval"),
    ("methods_on_self.rs", "snapshot-boundary"),
]


def test_pytest_runs_the_printed_test(shell: Shell, tmp_path: Path) -> None:
    planner = str(PLANNERS / "ranges.rs")
    result = shell.run("check", planner, "--property", "chunk-split-stop", "--playback")
    place = tmp_path / "test_played.py"
    place.write_text(printed_tests(result.out)[1])
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(place)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1, done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.parametrize(("name", "property_id"), PLAYED)
def test_the_printed_pytest_test_fails_on_the_planner(
    shell: Shell, name: str, property_id: str
) -> None:
    planner = str(PLANNERS / name)
    result = shell.run("check", planner, "--property", property_id, "--playback")
    names: dict[str, Any] = {}
    exec(printed_tests(result.out)[1], names)
    (test,) = (value for key, value in names.items() if key.startswith("test_"))
    with pytest.raises(AssertionError):
        test()


def test_the_printed_pytest_test_of_a_fault_faults(shell: Shell) -> None:
    planner = str(PLANNERS / "widths.rs")
    result = shell.run("check", planner, "--property", "no-fault", "--playback")
    _, test = printed_tests(result.out)
    names: dict[str, Any] = {}
    exec(test, names)
    with pytest.raises(OverflowError, match=r"total \+ size faults at line"):
        names["test_split_point_keeps_no_fault"]()


@pytest.mark.parametrize(("name", "property_id"), PLAYED)
def test_the_printed_rust_test_compiles_and_fails_on_the_planner(
    shell: Shell, tmp_path: Path, name: str, property_id: str
) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    planner = PLANNERS / name
    result = shell.run("check", str(planner), "--property", property_id, "--playback")
    test, _ = printed_tests(result.out)
    source = tmp_path / "planner.rs"
    source.write_text(planner.read_text() + test)
    program = tmp_path / "tests"
    flags = ["--edition=2024", "--test", "-A", "warnings"]
    built = subprocess.run(
        ["rustc", *flags, "-o", program, source], capture_output=True, text=True, check=False
    )
    assert built.returncode == 0, built.stderr
    ran = subprocess.run([program], capture_output=True, text=True, check=False)
    assert "1 failed" in ran.stdout


def test_playback_keeps_out_of_the_json(shell: Shell) -> None:
    result = check(shell, str(PLANNERS / "ranges.rs"), "--playback")
    assert result.json()["verdict"] == "refuted"
    assert "#[test]" in result.err


def test_playback_of_a_planner_that_holds_prints_no_test(shell: Shell) -> None:
    result = shell.run("check", str(PLANNERS / "tuples.rs"), "--playback")
    assert result.code == 0
    assert "#[test]" not in result.out


def test_the_compiler_is_asked_about_each_witness(shell: Shell) -> None:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    for name in ("ranges.rs", "widths.rs", "methods_on_self.rs"):
        rows = check(shell, str(PLANNERS / name), "--rustc").json()["properties"]
        refuted = [row for row in rows if row["verdict"] == "refuted"]
        assert refuted
        for row in refuted:
            assert row["rustc"]["agrees"] is True, row


def test_without_a_compiler_the_witness_says_so(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    result = check(shell, str(PLANNERS / "ranges.rs"), "--rustc")
    assert result.code == 1
    assert "rustc is not installed" in result.out
