"""A check beside another revision: what is lost fails, and what was never there does not."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import Result, Shell
from repositories import git

REFERENCE = Path(__file__).parent.parent / "reference" / "rust" / "prefill_plan.rs"
GOOD = REFERENCE.read_text()
OFF_GRID = GOOD.replace("if boundary > offset { boundary } else", "if false { boundary } else")
NO_SPLIT_STOP = GOOD.replace("at < on_grid =>", "at > on_grid =>")
BOTH = OFF_GRID.replace("at < on_grid =>", "at > on_grid =>")
CALLS_RUST = """
pub fn plan_chunk_len(offset: usize, total: usize, proposed: usize) -> usize { kit::cap(proposed) }
"""
CALLS_PYTHON = """
from kit import cap
def plan_chunk_len(offset, total, proposed): return cap(proposed)
"""
Repository = Callable[..., Path]


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Return what makes a repository of one commit with a planner, and goes there."""

    def make(planner: str = GOOD, **files: str) -> Path:
        (tmp_path / "src").mkdir()
        (tmp_path / "src" / "planner.rs").write_text(planner)
        (tmp_path / "prefill-gate.toml").write_text('[planner]\nsource = "src/planner.rs"\n')
        for name, content in files.items():
            (tmp_path / "src" / f"{name}.rs").write_text(content)
        git(tmp_path, "init", "--quiet", "--initial-branch=main")
        git(tmp_path, "add", ".")
        git(tmp_path, "commit", "--quiet", "--message", "first")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return make


def edit(folder: Path, planner: str) -> None:
    (folder / "src" / "planner.rs").write_text(planner)


def check(shell: Shell, *arguments: str) -> Result:
    return shell.run("check", "--base", "HEAD", *arguments, "--format", "json")


def rows_of(result: Result) -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in result.json()["properties"] if row["verdict"] != "proved"}


# The verdict


def test_an_edit_that_loses_nothing_holds(shell: Shell, repository: Repository) -> None:
    folder = repository()
    edit(folder, GOOD.replace("let on_grid", "let  on_grid"))
    result = check(shell)
    assert (result.code, result.json()["verdict"]) == (0, "holds")
    assert result.json()["base"]["source"] == "HEAD:./src/planner.rs"
    assert result.json()["base"]["diff"]["verdict"] == "equal"


def test_a_property_that_is_lost_fails(shell: Shell, repository: Repository) -> None:
    folder = repository()
    edit(folder, NO_SPLIT_STOP)
    result = check(shell)
    row = rows_of(result)["chunk-split-stop"]
    assert (result.code, result.json()["verdict"]) == (1, "refuted")
    assert (row["verdict"], row["base"]) == ("refuted", "proved")
    lost = result.json()["base"]["diff"]["properties"]["lost"]
    assert "chunk-split-stop" in [entry["id"] for entry in lost]


def test_what_the_base_lacked_does_not_fail(shell: Shell, repository: Repository) -> None:
    folder = repository(OFF_GRID)
    edit(folder, OFF_GRID + "\n// a remark\n")
    result = check(shell)
    row = rows_of(result)["chunk-grid"]
    assert (result.code, result.json()["verdict"]) == (0, "holds")
    assert (row["verdict"], row["base"]) == ("refuted", "refuted")
    assert shell.run("check").code == 1
    shown = shell.run("check", "--base", "HEAD").out
    assert "as before: chunk-grid: a non-last chunk" in shown


def test_a_loss_beside_an_old_one_fails(shell: Shell, repository: Repository) -> None:
    folder = repository(OFF_GRID)
    edit(folder, BOTH)
    result = check(shell)
    assert result.code == 1
    assert rows_of(result)["chunk-grid"]["base"] == "refuted"
    assert rows_of(result)["chunk-split-stop"]["base"] == "proved"


def test_what_is_gained_is_told(shell: Shell, repository: Repository) -> None:
    folder = repository(OFF_GRID)
    edit(folder, GOOD)
    result = check(shell)
    gained = result.json()["base"]["diff"]["properties"]["gained"]
    assert result.code == 0
    assert "chunk-grid" in [entry["id"] for entry in gained]


def test_what_neither_side_decides_is_inconclusive(shell: Shell, repository: Repository) -> None:
    repository()
    assert check(shell, "--timeout", "0.000001").code == 3


def test_a_new_planner_has_to_keep_everything(shell: Shell, repository: Repository) -> None:
    folder = repository()
    (folder / "src" / "new.rs").write_text(OFF_GRID)
    result = shell.run("check", "--base", "HEAD", "src/new.rs", "--format", "json")
    base = result.json()["base"]
    assert result.code == 1
    assert base["source"] == "HEAD:./src/new.rs"
    assert "new.rs" in base["reason"]
    (folder / "src" / "new.rs").write_text(GOOD)
    assert shell.run("check", "--base", "HEAD", "src/new.rs").code == 0


def test_beside_a_base_that_cannot_be_read_everything_has_to_hold(
    shell: Shell, repository: Repository
) -> None:
    folder = repository(OFF_GRID.replace("let on_grid", "loop {} let on_grid"))
    edit(folder, OFF_GRID)
    result = check(shell)
    assert result.code == 1
    assert result.json()["base"]["reason"]
    assert rows_of(result)["chunk-grid"].get("base") is None


@pytest.mark.parametrize(
    ("planner", "kit", "edited"),
    [
        (
            "src/planner.rs",
            "pub fn cap(n: usize) -> usize { n }",
            "pub fn cap(n: usize) -> usize { 0 }",
        ),
        ("src/planner.py", "def cap(n): return n", "def cap(n): return 0"),
    ],
)
def test_the_externs_of_the_base_are_those_that_it_had(
    shell: Shell, repository: Repository, planner: str, kit: str, edited: str
) -> None:
    folder = repository()
    extern = (folder / "kit").with_suffix(Path(planner).suffix)
    extern.write_text(kit)
    (folder / "src" / "planner.rs").write_text(CALLS_RUST)
    (folder / "src" / "planner.py").write_text(CALLS_PYTHON)
    (folder / "prefill-gate.toml").write_text(
        f'[planner.externs]\n"kit::cap" = "{extern.name}"\ncap = "{extern.name}"\n'
    )
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "second")
    chosen = ("--property", "chunk-last")
    assert check(shell, planner, *chosen).code == 0
    extern.write_text(edited)
    result = check(shell, planner, *chosen)
    row = rows_of(result)["chunk-last"]
    assert (result.code, row["verdict"], row["base"]) == (1, "refuted", "proved")
    differ = shell.run("diff", f"HEAD:{planner}", planner, "--format", "json").json()
    assert differ["verdict"] == "differs"


def test_the_base_is_the_same_file_and_none_of_that_name_at_the_top(
    shell: Shell, repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = repository()
    (folder / "planner.rs").write_text(OFF_GRID)
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "second")
    (folder / "new").mkdir()
    (folder / "new" / "planner.rs").write_text(OFF_GRID)
    monkeypatch.chdir(folder / "new")
    assert check(shell, "planner.rs").code == 1


def test_a_helper_of_another_file_is_not_taken_for_the_built_in_one(
    shell: Shell, repository: Repository
) -> None:
    # It counts blocks, the built-in one of its name counts tokens.
    grid = "pub fn ssm_tail_boundary(n: usize, b: usize) -> Option<usize> { n.checked_div(b) }\n"
    planner = (
        "mod grid;\nuse grid::ssm_tail_boundary;\n"
        "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {\n"
        "    Some(ssm_tail_boundary(total, block_size)? * block_size)\n}\n"
    )
    folder = repository(planner, grid=grid)
    chosen = ("--property", "no-fault")
    assert check(shell, *chosen).code == 0
    # Neither side is known to fault in the base, where the module is not read.
    edit(folder, planner.replace("* block_size", "* block_size * block_size"))
    result = check(shell, *chosen)
    assert result.code == 1
    assert "ssm_tail_boundary" in result.json()["base"]["reason"]


def test_a_role_that_the_base_did_not_have_has_to_hold(
    shell: Shell, repository: Repository
) -> None:
    folder = repository(OFF_GRID.replace("fn plan_chunk_len", "fn another_name"))
    edit(folder, OFF_GRID)
    assert check(shell).code == 1


@pytest.mark.parametrize("option", [(), ("--changed",)])
def test_a_revision_that_is_not_there_is_an_error(
    shell: Shell, repository: Repository, option: tuple[str, ...]
) -> None:
    repository()
    result = shell.run("check", "--base", "nowhere", *option)
    assert result.code == 2
    assert "git has no commit nowhere here; fetch it first" in result.err


def test_a_change_of_policy_fails_until_it_is_waived(shell: Shell, repository: Repository) -> None:
    folder = repository()
    edit(folder, GOOD.replace("length => length / WY4 * WY4", "length => length"))
    result = check(shell)
    lost = [name for name, row in rows_of(result).items() if row["level"] == "deny"]
    assert result.code == 1
    assert lost == ["chunk-wy4", "run-block-ends"]
    with (folder / "prefill-gate.toml").open("a") as config:
        config.write('[properties]\nchunk-wy4 = { level = "off", reason = "any length is fine" }\n')
    waived = check(shell)
    assert waived.code == 0
    assert rows_of(waived)["chunk-wy4"]["reason"] == "any length is fine"


OVERFLOWS = GOOD.replace("let on_grid", "let _ = total + 7; let on_grid")


def test_an_old_fault_that_stays_where_it_was_does_not_fail(
    shell: Shell, repository: Repository
) -> None:
    folder = repository(OVERFLOWS)
    edit(folder, OVERFLOWS + "// a remark\n")
    result = check(shell)
    assert result.code == 0
    assert rows_of(result)["no-fault"]["base"] == "refuted"


@pytest.mark.parametrize("body", ['panic!("x");', "if proposed == 5 { let _ = 0 - proposed; }"])
def test_an_old_fault_excuses_no_new_one(shell: Shell, repository: Repository, body: str) -> None:
    folder = repository(OVERFLOWS)
    edit(folder, OVERFLOWS.replace("let on_grid", f"{body} let on_grid"))
    result = check(shell)
    row = rows_of(result)["no-fault"]
    assert result.code == 1
    assert "base" not in row
    assert row["witness"]["total"] < 100
    assert "the base faults on other calls" in shell.run("check", "--base", "HEAD").out


# Nothing changed


def unchanged(shell: Shell, *arguments: str) -> bool:
    """Return whether a check says at once that there is nothing to check."""
    result = check(shell, "--changed", *arguments)
    if result.json()["verdict"] != "unchanged":
        return False
    assert result.code == 0
    assert result.json()["properties"] == []
    return True


def test_an_unrelated_edit_is_over_at_once(shell: Shell, repository: Repository) -> None:
    folder = repository(other="pub fn f() {}\n")
    (folder / "README.md").write_text("words\n")
    (folder / "src" / "other.rs").write_text("pub fn f() -> usize { 1 }\n")
    assert unchanged(shell)
    assert unchanged(shell, "src/planner.rs")
    result = shell.run("check", "--base", "HEAD", "--changed")
    assert result.code == 0
    assert "nothing that is checked has changed since HEAD" in result.out


def test_a_changed_planner_is_checked(shell: Shell, repository: Repository) -> None:
    folder = repository()
    edit(folder, NO_SPLIT_STOP)
    assert not unchanged(shell)
    assert check(shell, "--changed").code == 1


def test_a_new_configuration_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository()
    (folder / "src" / "prefill-gate.toml").write_text("[planner]\n")
    assert not unchanged(shell, "src/planner.rs")


def test_a_removed_configuration_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository()
    (folder / "prefill-gate.toml").unlink()
    assert not unchanged(shell, "src/planner.rs")


def test_a_changed_configuration_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository()
    with (folder / "prefill-gate.toml").open("a") as config:
        config.write("# a remark\n")
    assert not unchanged(shell)


def test_a_changed_extern_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository(kit="pub fn f() {}\n")
    with (folder / "prefill-gate.toml").open("a") as config:
        config.write('[planner.externs]\n"kit::f" = "src/kit.rs"\n')
    git(folder, "commit", "--quiet", "--all", "--message", "second")
    assert unchanged(shell)
    (folder / "src" / "kit.rs").write_text("pub fn f() { }\n")
    assert not unchanged(shell)


each_place = pytest.mark.parametrize(
    "place", ["src/grid.rs", "src/grid/mod.rs", "src/planner/grid.rs"]
)


def with_module(repository: Repository, place: str) -> Path:
    """Return a repository whose planner has a module in a file of its own."""
    folder = repository("mod grid;\n" + GOOD)
    (folder / place).parent.mkdir(exist_ok=True)
    (folder / place).write_text("pub fn f() {}\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "second")
    return folder


@each_place
def test_a_module_that_the_planner_reads_is_watched(
    shell: Shell, repository: Repository, place: str
) -> None:
    folder = with_module(repository, place)
    assert unchanged(shell)
    (folder / place).write_text("pub fn f() { }\n")
    assert not unchanged(shell)


def test_a_file_that_git_was_told_not_to_look_at_is_looked_at(
    shell: Shell, repository: Repository
) -> None:
    folder = repository()
    git(folder, "update-index", "--assume-unchanged", "src/planner.rs")
    edit(folder, NO_SPLIT_STOP)
    assert not unchanged(shell)


def test_an_untracked_planner_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository()
    (folder / "new.rs").write_text(GOOD)
    assert not unchanged(shell, "new.rs")


def test_a_folder_is_unchanged_when_its_sources_are(shell: Shell, repository: Repository) -> None:
    folder = repository()
    assert unchanged(shell, "src")
    (folder / "src" / "new.rs").write_text("fn f() {}\n")
    assert not unchanged(shell, "src")


def test_a_folder_that_lost_its_planner_is_not_unchanged(
    shell: Shell, repository: Repository
) -> None:
    folder = repository(other="pub fn f() {}\n")
    (folder / "src" / "planner.rs").unlink()
    assert check(shell, "--changed", "src").code == 2
    (folder / "src" / "other.rs").unlink()
    # What is configured elsewhere does not answer for a folder without a source.
    edit(folder, GOOD)
    (folder / "empty").mkdir()
    assert check(shell, "--changed", "empty").code == 2


@each_place
def test_a_module_that_is_gone_is_a_change(
    shell: Shell, repository: Repository, place: str
) -> None:
    folder = with_module(repository, place)
    assert unchanged(shell)
    (folder / place).unlink()
    assert not unchanged(shell)


def test_a_root_of_a_crate_beside_the_planner_is_a_change(
    shell: Shell, repository: Repository
) -> None:
    folder = repository()
    (folder / "src" / "lib.rs").write_text("mod planner;\n")
    assert not unchanged(shell)


def test_what_git_would_leave_out_is_a_change(shell: Shell, repository: Repository) -> None:
    folder = repository(GOOD.replace("proposed;", "proposed /* $Id$ */;"))
    (folder / ".gitattributes").write_text("*.rs ident\n")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "second")
    edit(folder, GOOD.replace("proposed;", "proposed /* $Id: */ + 1 /* $ */;"))
    assert not unchanged(shell)


def test_changed_needs_a_base(shell: Shell, repository: Repository) -> None:
    repository()
    result = shell.run("check", "--changed")
    assert result.code == 2
    assert "Give --base REV as well" in result.err


def test_a_file_of_a_revision_cannot_have_changed(shell: Shell, repository: Repository) -> None:
    repository()
    result = shell.run("check", "--base", "HEAD", "--changed", "HEAD:src/planner.rs")
    assert result.code == 2
    assert "asks of the working tree" in result.err


def test_outside_a_repository_there_is_no_base(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    Path("planner.rs").write_text(GOOD)
    assert shell.run("check", "--base", "HEAD", "--changed", "planner.rs").code == 2


def test_nothing_changed_is_found_without_the_solver(repository: Repository) -> None:
    repository()
    program = (
        "import sys; from prefill_gate.main import main; "
        "code = main(['check', '--base', 'HEAD', '--changed']); "
        "sys.exit(code or 'z3' in sys.modules or 'tree_sitter' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
