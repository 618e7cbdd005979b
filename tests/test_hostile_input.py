"""Input that was made to be hard: a clear verdict in bounded time, and never a false one."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from command_line import Result, Shell
from prefill_proofs.deadlines import OutOfTimeError, at_most, check, within
from prefill_proofs.source_files import MAX_BYTES

RUST = "pub fn plan_chunk_len(offset: usize, total: usize, proposed: usize) -> usize {{ {} }}\n"
PYTHON = "def plan_chunk_len(offset, total, proposed, a, b):\n    {}\n"
DEEP = 10_000


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(shell: Shell, name: str, content: str, *options: str) -> Result:
    Path(name).write_text(content)
    return shell.run("check", name, *options, "--format", "json")


@pytest.mark.parametrize(
    "body",
    [
        "(" * DEEP + "proposed" + ")" * DEEP,
        "{" * DEEP + "proposed" + "}" * DEEP,
        "if " + "!" * DEEP + "(total == 0) { 0 } else { proposed }",
        "proposed" + " + 0" * DEEP,
    ],
    ids=["parentheses", "blocks", "negations", "sums"],
)
@pytest.mark.usefixtures("folder")
def test_rust_nested_without_end_is_refused(shell: Shell, body: str) -> None:
    assert checked(shell, "planner.rs", RUST.format(body)).code == 2


@pytest.mark.parametrize(
    "body",
    [
        "return " + "(" * DEEP + "proposed" + ")" * DEEP,
        "return 0 if " + "not " * DEEP + "total else proposed",
        "return proposed" + " + 0" * DEEP,
    ],
    ids=["parentheses", "negations", "sums"],
)
@pytest.mark.usefixtures("folder")
def test_python_nested_without_end_is_refused(shell: Shell, body: str) -> None:
    assert checked(shell, "planner.py", PYTHON.format(body)).code == 2


@pytest.mark.parametrize("name", ["planner.rs", "planner.py", "prefill-gate.toml"])
def test_a_file_of_50_megabytes_is_refused(shell: Shell, folder: Path, name: str) -> None:
    (folder / "planner.rs").write_text(RUST.format("proposed"))
    with (folder / name).open("wb") as file:
        file.truncate(50 * 2**20)
    result = shell.run("check", name.replace("prefill-gate.toml", "planner.rs"))
    assert result.code == 2
    assert f"larger than {MAX_BYTES} bytes" in result.err


def test_a_link_to_itself_is_refused(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").symlink_to("planner.rs")
    result = shell.run("check", "planner.rs")
    assert result.code == 2
    assert "cannot be read" in result.err


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_pipe_is_refused(shell: Shell, folder: Path) -> None:
    os.mkfifo(folder / "planner.rs")
    result = shell.run("check", "planner.rs")
    assert result.code == 2
    assert "pipe or a device" in result.err


@pytest.mark.parametrize("extern", ["../../../../etc/passwd", "nowhere.rs", ".."])
def test_an_extern_is_a_source_file_that_is_there(shell: Shell, folder: Path, extern: str) -> None:
    (folder / "prefill-gate.toml").write_text(f'[planner.externs]\n"kit::f" = "{extern}"\n')
    result = checked(shell, "planner.rs", RUST.format("kit::f(proposed)"))
    (error,) = result.json()["errors"]
    assert result.code == 2
    assert (error["line"], error["construct"]) == (2, "planner.externs.kit::f")


def test_a_name_that_is_too_long_is_an_error_in_every_file(shell: Shell, folder: Path) -> None:
    name = "a" * 5000
    (folder / "prefill-gate.toml").write_text(f'[planner.externs]\n"kit::f" = "{name}.rs"\n')
    result = checked(shell, "planner.rs", RUST.format("proposed"), "--output", "json=check.json")
    assert result.code == 2
    assert f"{name}.rs" in result.err
    assert json.loads((folder / "check.json").read_text())["verdict"] == "error"


def test_what_is_said_is_of_the_bytes_that_were_read(
    shell: Shell, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The file is another one by the time that it is proved, and when its lines are shown.
    from prefill_gate import check as command

    planner = folder / "planner.rs"
    planner.write_text(RUST.format("proposed + 1"))
    read = command.roles_of

    def changing(*arguments: object) -> object:
        planner.write_text(RUST.format("proposed"))
        return read(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(command, "roles_of", changing)
    result = shell.run("check", "planner.rs", "--property", "chunk-empty")
    assert result.code == 1
    assert "proposed + 1" in result.out


HARD = {
    "products": "v = a * a * a + b * b * b\n"
    "    return 0 if a > 0 < b and v == total * total * total else proposed",
    "squares": "v = a\n"
    + "    v = v * v % (b + 1) // (a + 1)\n" * 8
    + "    return 0 if v == 12_345 else proposed",
    "ifs": "v = proposed\n"
    + "".join(f"    if v > {k}:\n        v = v - a // (b + {k})\n" for k in range(60))
    + "    return 0 if v == 12_345 else proposed",
}


@pytest.mark.parametrize("body", HARD.values(), ids=HARD)
@pytest.mark.usefixtures("folder")
def test_a_hard_query_ends_with_its_time(shell: Shell, body: str) -> None:
    started = time.monotonic()
    chosen = ("--property", "chunk-length", "--timeout", "0.5")
    result = checked(shell, "planner.py", PYTHON.format(body), *chosen)
    # One budget for the formulas, one for the property; the rest is reading and a slow machine.
    assert time.monotonic() - started < 8
    assert result.code == 3
    (row,) = result.json()["properties"]
    assert row["verdict"] == "inconclusive"
    assert "not decided in" in row["reason"]


@pytest.mark.usefixtures("folder")
def test_more_time_decides_what_less_did_not(shell: Shell) -> None:
    planner = PYTHON.format("return proposed")
    chosen = ("--property", "chunk-length", "--timeout")
    assert checked(shell, "planner.py", planner, *chosen, "0.000001").code == 3
    assert checked(shell, "planner.py", planner, *chosen, "10").code == 0


@pytest.mark.parametrize("given", ["0", "-1", "nan", "inf", "x", ""])
@pytest.mark.usefixtures("folder")
def test_a_timeout_is_a_positive_number(shell: Shell, given: str) -> None:
    result = checked(shell, "planner.py", PYTHON.format("return 0"), f"--timeout={given}")
    assert result.code == 2
    assert "needs a number of seconds above 0" in result.err


INTERRUPTED = """
import signal, threading, z3
from prefill_proofs.solver import Solver
a, b, c = z3.Ints("a b c")
solver = Solver([a > 2, b > 2, c > 2, a**3 + b**3 == c**3 + a * b, a * b * c % 7919 == 5])
threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
try:
    print(solver.decide(timeout=0.8))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_the_solver_keeps_no_interrupt_to_itself() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, check=True)
    assert done.stdout == b"interrupted\n"


def test_a_deadline_inside_another_one_is_no_later() -> None:
    with within(0.0), within(60.0):
        time.sleep(0.001)
        with pytest.raises(OutOfTimeError):
            check()
    check()


def test_a_part_of_the_work_gets_what_is_left() -> None:
    assert at_most(2.0) == 2.0
    with within(1.0):
        assert 0 < at_most(2.0) <= 1.0
        assert at_most(0.25) == 0.25


# Folders


def test_a_folder_is_searched_for_planners(shell: Shell, folder: Path) -> None:
    for number in range(20):
        place = folder / "src" / f"m{number % 3}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"other{number}.rs").write_text("pub fn f(a: usize) -> usize { a }\n")
    (folder / "src" / "m1" / "calls.rs").write_text("fn g() { plan_chunk_len(1, 2, 3); }\n")
    (folder / "src" / "m1" / "planner.rs").write_text(RUST.format("proposed"))
    (folder / "src" / "m2" / "back").symlink_to(folder / "src")
    result = shell.run("check", "src", "--format", "json", "--property", "chunk-length")
    assert result.code == 0
    assert result.json()["source"] == str(Path("src", "m1", "planner.rs"))


def test_every_planner_of_a_folder_is_checked(shell: Shell, folder: Path) -> None:
    (folder / "good.rs").write_text(RUST.format("proposed"))
    (folder / "bad.py").write_text(PYTHON.format("return proposed + 1"))
    result = shell.run("check", ".", "--format", "json", "--property", "chunk-length")
    assert result.code == 1
    assert [each["source"] for each in result.json()["planners"]] == ["bad.py", "good.rs"]


def test_a_folder_finds_the_functions_that_the_configuration_names(
    shell: Shell, folder: Path
) -> None:
    (folder / "prefill-gate.toml").write_text('[planner.roles]\nchunk_len = "Planner.step"\n')
    (folder / "odd.py").write_text(
        "class Planner:\n    def step(self, offset, total, proposed):\n        return proposed\n"
    )
    result = shell.run("check", ".", "--property", "chunk-length", "--format", "json")
    assert (result.code, result.json()["source"]) == (0, "odd.py")


def test_a_folder_without_a_planner_is_refused(shell: Shell, folder: Path) -> None:
    (folder / "other.rs").write_text("fn f() {}\n")
    for hidden in (".cache", "target"):
        (folder / hidden).mkdir()
        (folder / hidden / "planner.rs").write_text(RUST.format("proposed"))
    (folder / "target" / "CACHEDIR.TAG").write_text("Signature: 8a477f597d28d172789f06886806bc55\n")
    result = shell.run("check", ".")
    assert result.code == 2
    assert "no file below . defines one of plan_chunk_len" in result.err


@pytest.mark.parametrize("content", [b"\xff\xfe plan_chunk_len", b"fn plan_chunk_len("])
def test_a_file_of_a_folder_that_may_be_a_planner_is_not_passed_over(
    shell: Shell, folder: Path, content: bytes
) -> None:
    (folder / "planner.rs").write_text(RUST.format("proposed"))
    (folder / "unreadable.rs").write_bytes(content)
    chosen = ("--property", "chunk-length", "--format", "json")
    result = shell.run("check", ".", *chosen)
    assert result.code == 2
    assert json.loads(result.out)["verdict"] == "error"


def test_a_large_file_is_searched_to_its_end(shell: Shell, folder: Path) -> None:
    (folder / "planner.rs").write_text(RUST.format("proposed"))
    filling = b"// nothing here\n" * (MAX_BYTES // 16)
    (folder / "large.rs").write_bytes(filling)
    assert shell.run("check", ".", "--property", "chunk-length").code == 0
    # The name lies across the pieces that the file is read in.
    (folder / "large.rs").write_bytes(filling[:-8] + b"\nfn plan_chunk_len() {}\n")
    assert shell.run("check", ".", "--property", "chunk-length").code == 2


# Two hard planners


@pytest.mark.parametrize("names", [("squares", "ifs"), ("ifs", "ifs")])
def test_a_hard_comparison_ends_with_its_time(
    shell: Shell, folder: Path, names: tuple[str, str]
) -> None:
    for name, side in zip(names, ("base.py", "head.py"), strict=True):
        (folder / side).write_text(PYTHON.format(HARD[name]))
    (folder / "head.py").write_text((folder / "head.py").read_text().replace("12_345", "12_346"))
    started = time.monotonic()
    assert shell.run("diff", "base.py", "head.py", "--timeout", "0.1").code == 3
    assert time.monotonic() - started < 20
