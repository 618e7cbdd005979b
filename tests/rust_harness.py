"""Compiles a planner written in Rust and performs many calls of it in one process."""

import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

FAULT = "fault"
"""What a call that panics answers."""

Answer = int | bool | str | None
Arguments = Sequence[int | None]

_ARGUMENTS = {"usize": "number", "Option<usize>": "option"}
_RESULTS = {
    "usize": "{}.to_string()",
    "bool": "{}.to_string()",
    "Option<usize>": '{}.map_or("none".to_string(), |value| value.to_string())',
}

_MAIN = """\
#![allow(dead_code)]
#[path = {source}]
mod planner;

use std::io::{{BufRead, Write}};

fn number(word: &str) -> usize {{
    word.parse().unwrap()
}}

fn option(word: &str) -> Option<usize> {{
    (word != "none").then(|| number(word))
}}

fn answer(line: &str) -> String {{
    let words: Vec<&str> = line.split_whitespace().collect();
    match words[0] {{
{arms}
        other => unreachable!("no function {{other}}"),
    }}
}}

fn main() {{
    std::panic::set_hook(Box::new(|_| {{}}));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {{
        let line = line.unwrap();
        let result = std::panic::catch_unwind(|| answer(&line));
        writeln!(out, "{{}}", result.unwrap_or("{fault}".to_string())).unwrap();
    }}
}}
"""


@dataclass(frozen=True)
class Signature:
    """A planner function: its name, the Rust types of its arguments, and of its result."""

    name: str
    arguments: tuple[str, ...]
    result: str

    def arm(self) -> str:
        """Return the match arm that reads the arguments, calls, and prints the result."""
        words = (
            f"{_ARGUMENTS[kind]}(words[{place}])"
            for place, kind in enumerate(self.arguments, start=1)
        )
        call = f"planner::{self.name}({', '.join(words)})"
        return f'        "{self.name}" => {_RESULTS[self.result].format(call)},'


@dataclass(frozen=True)
class RustPlanner:
    """A compiled planner."""

    program: Path

    def perform(self, calls: Iterable[tuple[str, Arguments]]) -> list[Answer]:
        """Return what each call, a function's name and its arguments, answers."""
        lines = [" ".join([name, *map(_word, arguments)]) for name, arguments in calls]
        done = subprocess.run(
            [self.program], input="\n".join(lines), capture_output=True, text=True, check=True
        )
        answers = [_read(word) for word in done.stdout.split()]
        assert len(answers) == len(lines)
        return answers


def compile_planner(source: Path, signatures: Iterable[Signature], folder: Path) -> RustPlanner:
    """Compile a planner with overflow checks on; ``folder`` takes the program."""
    main = folder / "main.rs"
    arms = "\n".join(signature.arm() for signature in signatures)
    path = '"' + str(source.resolve()).replace("\\", "/") + '"'
    main.write_text(_MAIN.format(source=path, arms=arms, fault=FAULT))
    program = folder / "planner"
    subprocess.run(
        ["rustc", "--edition", "2021", "-C", "overflow-checks=on", "-o", program, main],
        check=True,
        capture_output=True,
        text=True,
    )
    return RustPlanner(program)


def _word(value: int | None) -> str:
    return "none" if value is None else str(value)


def _read(word: str) -> Answer:
    named: dict[str, Answer] = {"none": None, "true": True, "false": False, FAULT: FAULT}
    return named[word] if word in named else int(word)
