"""Corners of the Rust reader and of ``check`` that were once read wrongly."""

from pathlib import Path

import pytest

from command_line import Shell
from prefill_proofs.refusals import SourceError
from prefill_proofs.rust.source import RustSource
from reading import read_function
from repositories import git
from symbolic_calls import SymbolicCall, concrete_answer


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("fn f(x: usize, y: usize) -> bool { (..=x).contains(&y) }", True),
        ("fn f(x: usize, y: usize) -> usize { match x { n @ (4 | 5) => n, _ => y } }", 5),
        (
            "struct B(usize);\n"
            "fn f(x: usize, y: usize) -> usize { Some(x).map(B).map_or(y, |b| b.0) }",
            5,
        ),
    ],
    ids=["range without a start", "pattern in parentheses", "tuple struct as a function"],
)
def test_both_evaluators_answer_as_rust_does(source: str, expected: int | bool) -> None:
    read = RustSource(source.encode(), "planner.rs", None, {})
    (found,) = read.find("f")
    function = read_function(read, found)
    given = {"x": 5, "y": 4}
    assert concrete_answer(function, given) == expected
    assert SymbolicCall(function, {}).answer(given) == expected


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (
            "fn f(x: usize, y: usize) -> bool { (x > 1).then(|| x.checked_sub(y)).is_some() }",
            "option of an option",
        ),
        (
            "fn f(x: usize, y: usize) -> bool { (x > 1).then_some(x.checked_sub(y)).is_some() }",
            "option of an option",
        ),
        (
            "mod a { pub struct P(pub usize); impl P { pub fn h(&self) -> usize { self.0 } } }\n"
            "mod b { pub struct P(pub usize); impl P { pub fn h(&self) -> usize { 2 } } }\n"
            "fn f(x: usize, y: usize) -> usize { b::P(x).h() + a::P(y).h() }",
            "more than one",
        ),
        (
            "#[derive(PartialEq)] struct P { a: usize, name: String }\n"
            "fn f(x: &P, y: &P) -> bool { x == y }",
            "fields outside",
        ),
    ],
    ids=["then", "then_some", "two structs of one name", "a struct with a name"],
)
def test_what_has_two_readings_is_refused(source: str, said: str) -> None:
    read = RustSource(source.encode(), "planner.rs", None, {})
    (found,) = read.find("f")
    with pytest.raises(SourceError, match=said):
        read_function(read, found)


def test_a_planner_of_a_revision_finds_the_configuration_above_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "planner.rs").write_text("fn splits(total: usize) -> Option<usize> { None }\n")
    (folder / "prefill-gate.toml").write_text('[planner.roles]\nsplit_point = "splits"\n')
    monkeypatch.chdir(tmp_path)
    for command in (["init", "--quiet"], ["add", "."], ["commit", "--quiet", "-m", "x"]):
        git(tmp_path, *command)
    assert shell.run("check", "src/planner.rs").code == 0
    assert shell.run("check", "HEAD:src/planner.rs").code == 0


SPLIT = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {{ {} }}\n"


@pytest.mark.parametrize(
    ("planner", "files"),
    [
        (
            '#[path = "other.rs"] mod b;\n' + SPLIT.format("b::f(total, block_size)"),
            ["src/b.rs", "src/other.rs"],
        ),
        ("mod b;\n" + SPLIT.format("b::f(total, block_size)"), ["src/b.rs", "src/planner/b.rs"]),
        (SPLIT.format("super::super::b::f(total, block_size)"), ["src/b.rs", "b.rs"]),
        (SPLIT.format("crate::b::f(total, block_size)"), ["src/b.rs"]),
    ],
    ids=["a path attribute", "two files of one module", "two levels up", "the crate's root"],
)
def test_a_file_that_is_not_plainly_the_one_meant_is_not_opened(
    shell: Shell, tmp_path: Path, planner: str, files: list[str]
) -> None:
    for name in ["src/planner.rs", *files]:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("pub fn f(_t: usize, _b: usize) -> Option<usize> { None }\n")
    (tmp_path / "src/planner.rs").write_text(planner)
    assert shell.run("check", str(tmp_path / "src/planner.rs")).code == 2


def test_a_module_in_its_one_file_is_opened(shell: Shell, tmp_path: Path) -> None:
    (tmp_path / "b.rs").write_text("pub fn f() -> Option<usize> { None }\n")
    (tmp_path / "planner.rs").write_text("mod b;\n" + SPLIT.format("b::f()"))
    assert shell.run("check", str(tmp_path / "planner.rs")).code == 1


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "const K: usize = 1;\n"
            "fn f(x: usize, y: usize) -> usize { let n = x * K; const K: usize = 3; n + y }",
            19,
        ),
        (
            "const K: usize = 1;\nmod a { pub const K: usize = 3; }\n"
            "fn f(x: usize, y: usize) -> usize { use a::K; x * K + y }",
            19,
        ),
        (
            "const limit: usize = 5;\n"
            "fn f(x: usize, y: usize) -> usize { match y { limit => x, _ => 1 } }",
            1,
        ),
    ],
    ids=["a constant of the block", "a constant imported by the block", "a constant as a pattern"],
)
def test_a_name_means_what_it_means_in_rust(source: str, expected: int) -> None:
    read = RustSource(source.encode(), "planner.rs", None, {})
    (found,) = read.find("f")
    given = {"x": 5, "y": 4}
    assert concrete_answer(read_function(read, found), given) == expected
