"""``prefill-gate check --format github``: annotations on the lines of the planner."""

import re
import shutil
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import Shell
from repositories import git
from tired_solver import tire_the_solver

PLANNERS = Path(__file__).parent / "planners"

HELPER = """\
fn floored(total: usize, size: usize) -> usize {
    total / size * size
}

pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    let last = floored(total.max(1) - 1, block_size);
    last == end_token
}
"""

EARLY = """\
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {
    if total == 0 {
        return end_token == 5;
    }
    let last = (total - 1).checked_div(block_size).unwrap_or(0) * block_size;
    block_size > 0 && (end_token == last || last.checked_sub(block_size) == Some(end_token))
}
"""

ELSEWHERE = """\
pub fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {

    let last = kit::floored(total, block_size);
    last == end_token
}
"""

PYTHON = """\
def is_prompt_tail_end(end_token, total, block_size):
    last = max(total - 1, 0)
    if block_size == 0:
        return end_token == 3
    last -= last % block_size
    return end_token == last or end_token + block_size == last
"""

PLACELESS = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> { None }\n"


class Command(NamedTuple):
    """A workflow command as GitHub reads it."""

    name: str
    properties: dict[str, str]
    message: str


def unescaped(words: str) -> str:
    for code, sign in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        words = words.replace(code, sign)
    return words


def commands_of(out: str) -> list[Command]:
    """Return the workflow commands of an output."""
    found = re.findall(r"^::(\w+) ([^:]*)::(.*)$", out, flags=re.MULTILINE)
    return [
        Command(
            name,
            {
                key: unescaped(value)
                for key, _, value in (entry.partition("=") for entry in properties.split(","))
            },
            unescaped(message),
        )
        for name, properties, message in found
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def annotate(shell: Shell, *arguments: str) -> list[Command]:
    return commands_of(shell.run("check", *arguments, "--format", "github").out)


def test_a_refutation_is_an_error_with_the_call_the_answer_and_the_lines(shell: Shell) -> None:
    (found,) = annotate(shell, str(PLANNERS / "ranges.rs"))
    assert found.name == "error"
    assert found.properties["title"] == "chunk-split-stop"
    assert found.message.splitlines() == [
        "the chunk ends at 2, past the split point 1",
        "given offset = 0, total = 3, proposed = 2, block_size = absent, split = 1",
        "returns 2",
        "through the lines 10, 14-19, 22",
        "The property: a non-last chunk that starts before the split point does not end past it",
    ]


def test_a_warning_is_a_warning(shell: Shell) -> None:
    found = annotate(shell, str(PLANNERS / "shadowing.rs"), "--property", "snapshot-boundary")
    assert [entry.name for entry in found] == ["warning"]


def test_what_is_not_decided_is_an_error_at_the_function(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tire_the_solver(monkeypatch)
    (folder / "planner.rs").write_text("\n\n" + (PLANNERS / "tuples.rs").read_text())
    result = shell.run("check", "planner.rs", "--property", "chunk-last", "--format", "github")
    (found,) = commands_of(result.out)
    assert result.code == 3
    assert found.name == "error"
    assert found.message.startswith("inconclusive: the solver neither proves it nor finds ")
    line = (folder / "planner.rs").read_text().splitlines()[int(found.properties["line"]) - 1]
    assert "fn plan_chunk_len" in line


@pytest.mark.parametrize(
    ("name", "content", "chosen", "line"),
    [
        ("helper.rs", HELPER, "no-fault", 2),
        ("early.rs", EARLY, "tail-end", 3),
        ("early.py", PYTHON, "tail-end", 4),
        ("elsewhere.rs", ELSEWHERE, "no-fault", 3),
        ("placeless.rs", PLACELESS, "split-existence", 1),
    ],
)
def test_the_line_is_where_the_answer_is_made_or_the_call_faults(
    shell: Shell, folder: Path, name: str, content: str, chosen: str, line: int
) -> None:
    (folder / name).write_text(content)
    (folder / "kit.rs").write_text("\n" * 30 + HELPER.replace("fn floored", "pub fn floored"))
    (folder / "prefill-gate.toml").write_text('[planner.externs]\n"kit::floored" = "kit.rs"\n')
    (found,) = annotate(shell, name, "--property", chosen)
    assert found.properties["file"] == name
    assert found.properties["line"] == found.properties["endLine"] == str(line)


def test_what_decides_the_verdict_comes_first(shell: Shell, folder: Path) -> None:
    for name in ("first.rs", "second.rs"):
        shutil.copy(PLANNERS / "shadowing.rs", folder / name)
    (folder / "prefill-gate.toml").write_text(
        "[[planner]]\nsource = 'first.rs'\n[[planner]]\nsource = 'second.rs'\n"
    )
    found = annotate(shell)
    assert {entry.properties["file"] for entry in found} == {"first.rs", "second.rs"}
    names = [entry.name for entry in found]
    assert names == sorted(names)
    assert {*names} == {"error", "warning"}


def test_signs_that_mean_something_to_github_are_escaped(shell: Shell, folder: Path) -> None:
    path = "100%,a:b.rs"
    (folder / path).write_text(EARLY)
    out = shell.run("check", path, "--property", "tail-end", "--format", "github").out
    assert out.startswith("::error file=100%25%2Ca%3Ab.rs,line=")
    (found,) = commands_of(out)
    assert found.properties["file"] == path


def test_a_planner_cannot_be_named_like_a_command(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(EARLY)
    (folder / "prefill-gate.toml").write_text(
        '[planner]\nname = "x\\n::warning::y"\nsource = "planner.rs"\n'
    )
    result = shell.run("check", "--property", "tail-end", "--format", "github")
    assert [entry.name for entry in commands_of(result.out)] == ["error"]
    assert result.out.splitlines()[-1].startswith("prefill-gate: x\\u000a::warning::y (")


def test_an_error_in_the_source_is_at_its_place(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(EARLY.replace("    let last", "    loop {}\n    let last"))
    result = shell.run("check", "planner.rs", "--format", "github")
    (found,) = commands_of(result.out)
    assert result.code == 2
    assert found.name == "error"
    assert found.properties.items() >= {"file": "planner.rs", "line": "5", "col": "5"}.items()
    assert "loop" in found.properties["title"] + found.message


def test_an_error_without_a_place_is_an_error_all_the_same(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(EARLY)
    (found,) = annotate(shell, "planner.rs", "--property", "chunk-wy5")
    assert found.name == "error"
    assert "file" not in found.properties
    assert "did you mean chunk-wy4?" in found.message


def test_a_planner_that_holds_has_a_line_and_no_annotation(shell: Shell) -> None:
    planner = str(PLANNERS / "tuples.rs")
    result = shell.run("check", planner, "--property", "chunk-last", "--format", "github")
    assert result.out == f"prefill-gate: {planner}: holds. 1 proved\n"


def test_paths_start_at_the_top_of_the_repository(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = folder / "crates" / "engine"
    inner.mkdir(parents=True)
    (folder / ".git").mkdir()
    (inner / "planner.rs").write_text(EARLY)
    monkeypatch.chdir(inner)
    for given in ("planner.rs", str(inner / "planner.rs"), "../engine/planner.rs"):
        (found,) = annotate(shell, given, "--property", "tail-end")
        assert found.properties["file"] == "crates/engine/planner.rs"


def test_a_file_outside_the_repository_keeps_its_whole_path(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "repository" / ".git").mkdir(parents=True)
    (folder / "planner.rs").write_text(EARLY)
    monkeypatch.chdir(folder / "repository")
    (found,) = annotate(shell, "../planner.rs", "--property", "tail-end")
    assert found.properties["file"] == (folder / "planner.rs").as_posix()


def test_a_file_of_a_revision_is_named_without_it(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "src").mkdir()
    (folder / "src" / "planner.rs").write_text(EARLY)
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "plan"]):
        git(folder, *words)
    (folder / "src" / "planner.rs").unlink()
    (found,) = annotate(shell, "HEAD:src/planner.rs", "--property", "tail-end")
    assert (found.properties["file"], found.properties["line"]) == ("src/planner.rs", "3")
    monkeypatch.chdir(folder / "src")
    (found,) = annotate(shell, "HEAD:./planner.rs", "--property", "tail-end")
    assert found.properties["file"] == "src/planner.rs"


def test_what_the_compiler_said_is_in_the_message(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    found = annotate(shell, str(PLANNERS / "ranges.rs"), "--rustc")
    assert "rustc is not installed" in found[0].message
