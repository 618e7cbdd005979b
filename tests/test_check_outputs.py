"""Where a check's result goes: files, the job summary, the terminal, and what of it is said."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import Shell
from prefill_gate import check
from prefill_gate.formats import FORMATS
from repositories import git

PLANNERS = Path(__file__).parent / "planners"
BAD = str(PLANNERS / "ranges.rs")
ONE = ("--property", "chunk-split-stop")
GOOD = str(PLANNERS / "tuples.rs")
OTHER = str(PLANNERS / "shadowing.rs")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def every_output() -> list[str]:
    return [f"--output={form}=check.{form}" for form in FORMATS]


def read_all(folder: Path) -> dict[str, str]:
    """Return the files that hold a result, by their format."""
    return {path.suffix[1:]: path.read_text() for path in sorted(folder.glob("check.*"))}


def untimed(content: str) -> str:
    """Return output without the times, and the alignment that depends on them."""
    return re.sub(r"[ -]+", " ", re.sub(r"\d+\.\d+|\d+ ms", "", content))


# Files


def test_every_format_can_be_written_at_once(shell: Shell, folder: Path) -> None:
    result = shell.run("check", BAD, *ONE, *every_output())
    found = read_all(folder)
    assert result.code == 1
    assert "refuted: chunk-split-stop" in result.out
    assert found.keys() == set(FORMATS)
    for content in found.values():
        assert "the chunk ends at 2, past the split point 1" in content
        assert content.endswith("\n")
        assert not content.endswith("\n\n")


def test_a_name_that_is_no_text_is_written_out(shell: Shell, folder: Path) -> None:
    name = os.fsdecode(b"\xff.rs")
    try:
        (folder / name).write_bytes(Path(BAD).read_bytes())
    except OSError:
        pytest.skip("this file system has names that are text only")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first")
    result = shell.run("check", name, *ONE, *every_output())
    assert result.code == 1
    assert "\\udcff.rs: refuted" in result.out
    assert "\\udcff.rs" in (folder / "check.text").read_text()
    assert shell.run("check", name, "--base", "HEAD", "--changed").code == 0
    (folder / name).write_bytes(Path(GOOD).read_bytes())
    assert "has changed since" not in shell.run("check", name, "--base", "HEAD", "--changed").out


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_holds_what_would_be_printed(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch, form: str
) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    shown = shell.run("check", BAD, *ONE, "--format", form).out
    shell.run("check", BAD, *ONE, "--output", f"{form}=result")
    assert untimed((folder / "result").read_text()) == untimed(shown)


def test_a_file_that_was_there_is_replaced_whole(shell: Shell, folder: Path) -> None:
    (folder / "old.json").write_text("x" * 100_000)
    shell.run("check", BAD, *ONE, "--output", "json=old.json")
    assert json.loads((folder / "old.json").read_text())["verdict"] == "refuted"
    assert [path.name for path in folder.iterdir()] == ["old.json"]


def test_the_file_that_a_link_names_is_written(shell: Shell, folder: Path) -> None:
    (folder / "link").symlink_to(folder / "there")
    shell.run("check", BAD, *ONE, "--output", "json=link")
    assert (folder / "link").is_symlink()
    assert json.loads((folder / "there").read_text())["verdict"] == "refuted"


@pytest.mark.parametrize("target", ["gone/check.sarif", ".", "/dev/null"])
def test_a_file_that_cannot_be_written_is_an_error(shell: Shell, folder: Path, target: str) -> None:
    outputs = ("--output", "json=check.json", "--output", f"sarif={target}")
    result = shell.run("check", GOOD, *outputs)
    assert result.code == 2
    assert result.out == ""
    assert result.err.startswith(f"prefill-gate: cannot write {target}: ")
    assert len(result.err.splitlines()) == 1
    assert json.loads((folder / "check.json").read_text())["verdict"] == "error"


@pytest.mark.parametrize("target", ["planner.rs", "prefill-gate.toml", "link", "new.py"])
@pytest.mark.parametrize("option", ["", "--nonsense"])
def test_no_result_is_written_over_what_is_read(
    shell: Shell, folder: Path, target: str, option: str
) -> None:
    (folder / "planner.rs").write_bytes(Path(GOOD).read_bytes())
    (folder / "prefill-gate.toml").write_text("# nothing yet\n")
    (folder / "link").symlink_to("planner.rs")
    before = {path: path.read_bytes() for path in folder.iterdir()}
    outputs = ("--output", f"json={target}", *filter(None, [option]))
    result = shell.run("check", "planner.rs", *ONE, *outputs)
    assert result.code == 2
    assert "it is a source or a configuration" in result.err
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


@pytest.mark.parametrize("second", ["check.out", "./check.out", "inner/../check.out"])
def test_two_results_do_not_go_to_one_file(shell: Shell, folder: Path, second: str) -> None:
    (folder / "inner").mkdir()
    outputs = ("--output", "json=check.out", "--output", f"sarif={second}")
    result = shell.run("check", GOOD, *outputs)
    assert result.code == 2
    assert "cannot hold json and sarif" in result.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--format", "sariff"], "did you mean sarif?"),
        (["--format", "yaml"], "there are text, json, github, sarif, junit, markdown"),
        (["--output", "junitt=check.xml"], "did you mean junit?"),
        (["--output", "check.sarif"], "write FORMAT=FILE"),
        (["--output", "sarif="], "write FORMAT=FILE"),
    ],
)
def test_a_format_that_is_not_known_is_refused(
    shell: Shell, arguments: list[str], said: str
) -> None:
    result = shell.run("check", GOOD, *arguments)
    assert result.code == 2
    assert said in result.err
    assert len(result.err.splitlines()) == 1


@pytest.mark.parametrize("command", ["prove", "diff", "plan", "impact"])
def test_other_commands_know_two_formats(shell: Shell, command: str) -> None:
    result = shell.run(command, "--format", "sarif")
    assert result.code == 2
    assert "there is no format 'sarif'" in result.err


def test_an_excepted_region_and_a_needless_one_are_said_in_every_file(
    shell: Shell, folder: Path
) -> None:
    (folder / "planner.rs").write_text(
        "fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {\n"
        "    if total == 0 { return end_token == 5; }\n"
        "    if block_size == 0 { return false; }\n"
        "    let last = (total - 1) / block_size * block_size;\n"
        "    end_token == last || last.checked_sub(block_size) == Some(end_token)\n"
        "}\n"
    )
    (folder / "prefill-gate.toml").write_text(
        "[properties]\n"
        'tail-end = { except = "total == 0", reason = "never planned" }\n'
        'no-fault = { except = "total == 9", reason = "a mistake" }\n'
    )
    result = shell.run("check", "planner.rs", *every_output())
    found = read_all(folder)
    assert result.code == 0
    assert json.loads(found["sarif"])["runs"][0]["results"] == []
    for form, content in found.items():
        flat = " ".join(content.split())
        assert "no-fault holds where total == 9, too" in flat
        if form in ("text", "junit", "markdown"):
            assert "excepted where total == 0: never planned" in flat


# Where there is no verdict


def assert_all_say_error(folder: Path, said: str) -> None:
    """Assert that the files in every format say that there is no verdict, and why."""
    found = read_all(folder)
    assert found.keys() == set(FORMATS)
    assert json.loads(found["json"])["verdict"] == "error"
    (run,) = json.loads(found["sarif"])["runs"]
    assert run["invocations"][0]["executionSuccessful"] is False
    assert run["results"] == []
    suites = ElementTree.fromstring(found["junit"])
    assert int(suites.get("errors", 0)) == int(suites.get("tests", 0)) == 1
    assert found["github"].startswith("::error ")
    assert found["markdown"].startswith("### prefill-gate check: error\n")
    for content in found.values():
        assert said in content.replace("\\_", "_")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["missing.rs"], "cannot be read"),
        ([BAD, "--property", "chunk-wy5"], "did you mean chunk-wy4?"),
        ([BAD, "--config", "missing.toml"], "cannot be read"),
        ([BAD, "--nonsense"], "unrecognized arguments: --nonsense"),
        (["empty.rs"], "defines none of"),
    ],
)
def test_no_file_reads_as_success_where_there_is_no_verdict(
    shell: Shell, folder: Path, arguments: list[str], said: str
) -> None:
    (folder / "empty.rs").write_text("fn f() {}\n")
    for path in every_output():
        (folder / path.rpartition("=")[2]).write_text("of the last run")
    result = shell.run("check", *arguments, *every_output())
    assert result.code == 2
    assert_all_say_error(folder, said)


def test_a_fault_of_our_own_is_in_every_file(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(check, "check_planner", fail)
    result = shell.run("check", GOOD, *every_output())
    assert result.code == 70
    assert_all_say_error(folder, "out of order")


@pytest.mark.parametrize("form", [form for form in FORMATS if form != "text"])
def test_an_error_is_printed_in_the_format_that_was_asked_for(shell: Shell, form: str) -> None:
    result = shell.run("check", "missing.rs", "--format", form)
    assert result.code == 2
    assert "cannot be read" in result.out
    assert "cannot be read" in result.err


def test_a_format_that_fails_itself_changes_neither_the_exit_code_nor_the_other_files(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr("prefill_gate.format_sarif.render", fail)
    outputs = ("--output=json=a.json", "--output=sarif=b.sarif", "--output=json=c.json")
    result = shell.run("check", GOOD, *outputs, "--format", "sarif")
    assert result.code == 70
    assert result.out == ""
    assert "out of order" in result.err
    assert sorted(path.name for path in folder.iterdir()) == ["a.json", "c.json"]
    for path in folder.iterdir():
        assert json.loads(path.read_text())["verdict"] == "error"


def test_that_there_is_no_verdict_is_said_without_a_solver(folder: Path) -> None:
    program = (
        "import sys; sys.modules['z3'] = None\n"
        "from prefill_gate.main import run; sys.argv[0] = 'prefill-gate'; run()"
    )
    command = [sys.executable, "-c", program, "check", GOOD, *every_output()]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 70, done.stderr
    assert_all_say_error(folder, "z3")


# The summary of a job


@pytest.fixture
def summary(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = folder / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(path))
    return path


@pytest.mark.parametrize("form", ["text", "json"])
def test_the_job_summary_is_appended_to_whatever_the_format(
    shell: Shell, summary: Path, form: str
) -> None:
    summary.write_text("## Tests\n\n")
    shell.run("check", BAD, *ONE, "--format", form)
    shell.run("check", "missing.rs", "--format", form)
    headings = [line for line in summary.read_text().splitlines() if line.startswith("#")]
    assert headings == [
        "## Tests",
        "### prefill-gate check: refuted",
        "### prefill-gate check: error",
    ]


def test_other_commands_write_no_job_summary(shell: Shell, summary: Path) -> None:
    shell.run("prove", "--property", "chunk-wy4")
    assert not summary.exists()


def test_a_job_summary_that_cannot_be_written_is_said_and_changes_no_exit_code(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(folder / "gone" / "summary.md"))
    result = shell.run("check", GOOD, "--property", "chunk-last", "--format", "json")
    assert result.code == 0
    assert result.json()["verdict"] == "holds"
    assert result.err.startswith("prefill-gate: cannot write the job summary ")


def test_the_summary_shows_what_is_not_proved_and_counts_the_rest(
    shell: Shell, folder: Path
) -> None:
    (folder / "prefill-gate.toml").write_text(
        "[properties]\n"
        'chunk-wy4 = { level = "off", reason = "any | length" }\n'
        'chunk-split-stop = { level = "warn", reason = "captured" }\n'
    )
    (folder / "planner.rs").write_text(Path(BAD).read_text())
    lines = shell.run("check", "planner.rs", "--format", "markdown").out.splitlines()
    assert lines[0] == "### prefill-gate check: holds"
    assert lines[2].startswith("`planner.rs`: 1 warning, ")
    table = {line.split("|")[2].split("`")[1]: line for line in lines if line.startswith("| **")}
    assert table["chunk-split-stop"].startswith("| **warning** | `chunk-split-stop` (chunk_len) |")
    assert "past the split point 1<br>`offset = 0, total = 3, " in table["chunk-split-stop"]
    assert table["chunk-wy4"].endswith("| waived: any \\| length |")
    assert table["run-split-visited"].startswith("| **lost** |")
    assert "chunk-last" not in table
    assert lines.index("<details><summary>Assumed</summary>") < lines.index("- usize has 64 bits")


# The terminal


def test_quietly_nothing_is_said_of_what_holds(shell: Shell) -> None:
    for command in (["check", GOOD], ["check", OTHER, "--property", "snapshot-boundary"]):
        result = shell.run(*command, "--quiet")
        assert result.code == 0
        assert (result.out, result.err) == ("", "")


def test_quietly_a_proof_says_nothing(shell: Shell) -> None:
    result = shell.run("prove", "--property", "chunk-wy4", "--quiet")
    assert (result.code, result.out) == (0, "")


def test_quietly_what_is_refuted_is_said_and_nothing_else(shell: Shell) -> None:
    result = shell.run("check", BAD, "--quiet")
    assert result.code == 1
    assert result.out.startswith("refuted: chunk-split-stop: ")
    assert "given    offset = 0" in result.out
    assert "chunk-wy4" not in result.out
    assert result.out.splitlines()[-1].startswith(f"{BAD}: refuted. 1 refuted, ")


def test_quietly_a_planner_that_holds_is_left_out_beside_one_that_does_not(
    shell: Shell, folder: Path
) -> None:
    (folder / "prefill-gate.toml").write_text(
        f"[[planner]]\nsource = '{GOOD}'\n[[planner]]\nsource = '{BAD}'\n"
    )
    result = shell.run("check", "--quiet")
    assert result.code == 1
    assert "tuples.rs" not in result.out
    assert "ranges.rs: refuted" in result.out


def test_quietly_the_other_formats_are_whole(shell: Shell) -> None:
    result = shell.run("check", GOOD, "--property", "chunk-last", "--quiet", "--format", "json")
    assert result.json()["verdict"] == "holds"


def test_quietly_a_difference_is_said_and_equality_is_not(shell: Shell) -> None:
    equal = shell.run("diff", GOOD, GOOD, "--quiet")
    assert (equal.code, equal.out) == (0, "")
    differs = shell.run("diff", BAD, GOOD, "--quiet")
    assert differs.out.startswith("chunk_len: differs\n")
    assert "Assumed" not in differs.out
    assert ": differs. Roles: 1 differs" in differs.out.splitlines()[-1]


RED, END = "\033[31m", "\033[0m"


@pytest.mark.parametrize(
    ("is_terminal", "no_colour", "is_coloured"),
    [
        (True, None, True),
        (True, "", True),
        (True, "1", False),
        (False, None, False),
        (False, "", False),
    ],
)
def test_verdicts_are_coloured_on_a_terminal_only(
    shell: Shell,
    monkeypatch: pytest.MonkeyPatch,
    is_terminal: bool,
    no_colour: str | None,
    is_coloured: bool,
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_colour is not None:
        monkeypatch.setenv("NO_COLOR", no_colour)
    out = shell.run("check", BAD, *ONE).out
    assert (f"{BAD}: {RED}refuted{END}. 1 refuted" in out) == is_coloured
    assert ("\033" in out) == is_coloured


def test_a_file_has_no_colour_even_beside_a_terminal(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    result = shell.run("check", BAD, *ONE, *every_output())
    assert RED in result.out
    assert not [form for form, content in read_all(folder).items() if "\033" in content]


def test_the_printed_tests_keep_out_of_every_other_format(shell: Shell) -> None:
    for form in FORMATS:
        result = shell.run("check", BAD, *ONE, "--playback", "--format", form)
        assert ("#[test]" in result.out) == (form == "text")
        assert ("#[test]" in result.err) == (form != "text")
