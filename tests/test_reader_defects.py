"""Mistakes of the Rust reader and of ``check``: the smallest input of each, mended or held."""

import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from command_line import Shell
from prefill_proofs.rust.source import RustSource
from symbolic_calls import SymbolicCall, concrete_answer


class Defect(NamedTuple):
    """A function ``f`` of ``x`` and ``y`` with one of its answers in Rust."""

    reason: str
    source: str
    arguments: tuple[int, int]
    answer: int | bool
    is_mended: bool = False


DEFECTS = (
    Defect(
        "on ints, a present option that holds an absent one is absent",
        "fn f(x: usize, y: usize) -> bool { (x > 1).then(|| x.checked_sub(y)).is_some() }",
        (2, 3),
        True,
    ),
    Defect(
        "on ints, a present option that holds an absent one is absent",
        "fn f(x: usize, y: usize) -> bool { (x > 1).then_some(x.checked_sub(y)).is_some() }",
        (2, 3),
        True,
    ),
    Defect(
        "a range without a start is taken for an assignment",
        "fn f(x: usize, y: usize) -> bool { (..=x).contains(&y) }",
        (5, 4),
        True,
        is_mended=True,
    ),
    Defect(
        "a pattern in parentheses is taken for a tuple",
        "fn f(x: usize, y: usize) -> usize { match x { n @ (4 | 5) => n, _ => y } }",
        (5, 4),
        5,
        is_mended=True,
    ),
    Defect(
        "a tuple struct's name is no function",
        "struct B(usize);\nfn f(x: usize, y: usize) -> usize { Some(x).map(B).map_or(y, |b| b.0) }",
        (5, 4),
        5,
    ),
    Defect(
        "methods of structs of one name in two modules are not told apart",
        "mod a { pub struct P(pub usize); impl P { pub fn h(&self) -> usize { self.0 + 1 } } }\n"
        "mod b { pub struct P(pub usize); impl P { pub fn h(&self) -> usize { self.0 * 2 } } }\n"
        "fn f(x: usize, y: usize) -> usize { b::P(x).h() + a::P(y).h() }",
        (5, 4),
        15,
    ),
)


@pytest.mark.parametrize(
    "defect",
    [
        pytest.param(
            entry, marks=pytest.mark.xfail(not entry.is_mended, strict=True, reason=entry.reason)
        )
        for entry in DEFECTS
    ],
    ids=lambda entry: entry.reason,
)
def test_both_evaluators_answer_as_rust_does(defect: Defect) -> None:
    source = RustSource(defect.source.encode(), "planner.rs", None, {})
    (found,) = source.find("f")
    function = source.read(found)
    given = dict(zip(("x", "y"), defect.arguments, strict=True))
    assert concrete_answer(function, given) == defect.answer
    assert SymbolicCall(function, {}).answer(given) == defect.answer


HOLDS_AN_ABSENT_OPTION = """
pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {
    let found = (block_size > 0).then(|| (total / 2).checked_sub(block_size));
    if found.is_none() {
        return None;
    }
    let blocks = (total.max(1) - 1) / block_size;
    Some(blocks.max(1) * block_size - block_size)
}
"""


@pytest.mark.xfail(strict=True, reason="the witness does not reproduce on ints: inconclusive")
def test_a_mistake_behind_an_option_of_an_option_is_refuted(shell: Shell, tmp_path: Path) -> None:
    planner = tmp_path / "planner.rs"
    planner.write_text(HOLDS_AN_ABSENT_OPTION)
    assert shell.run("check", str(planner)).code == 1


@pytest.mark.xfail(
    strict=True, reason="of REV:PATH, the configuration is not looked for beside PATH"
)
def test_a_planner_of_a_revision_finds_the_configuration_above_it(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "planner.rs").write_text("fn splits(total: usize) -> Option<usize> { None }\n")
    (folder / "prefill-gate.toml").write_text('[planner.roles]\nsplit_point = "splits"\n')
    monkeypatch.chdir(tmp_path)
    for command in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "x"],
    ):
        subprocess.run(["git", *command], check=True)
    assert shell.run("check", "src/planner.rs").code == 1
    assert shell.run("check", "HEAD:src/planner.rs").code == 1
