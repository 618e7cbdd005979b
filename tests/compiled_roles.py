"""Compiles a whole planner file and performs calls of its roles, whatever their inputs' types."""

import random
import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefill_proofs.rust.modules import BUILT_IN
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BoolType, IntType, OptionType, TupleType, Type

FAULT = "fault"
"""What a call that panics answers."""

EDGES = (0, 1, 2, 3, 4, 5, 15, 16, 17, 31, 32, 33, 48, 64)

_MAIN = """
mod harness {{
    pub fn number<T: std::str::FromStr<Err = std::num::ParseIntError>>(word: &str) -> T {{
        word.parse().unwrap()
    }}

    pub fn option<T: std::str::FromStr<Err = std::num::ParseIntError>>(word: &str) -> Option<T> {{
        if word == "none" {{ None }} else {{ Some(number(word)) }}
    }}
}}

fn main() {{
    use std::io::{{BufRead, Write}};
    std::panic::set_hook(Box::new(|_| {{}}));
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for line in std::io::stdin().lock().lines() {{
        let line = line.unwrap();
        let words: Vec<&str> = line.split_whitespace().collect();
        let result = std::panic::catch_unwind(|| match words[0] {{
{arms}
            other => unreachable!("no role {{other}}"),
        }});
        writeln!(out, "{{}}", result.unwrap_or("{fault}".to_string())).unwrap();
    }}
}}
"""

Values = dict[str, Any]


@dataclass(frozen=True)
class CompiledRoles:
    """A compiled planner file."""

    program: Path

    def perform(self, calls: Iterable[tuple[SourceSubject, Values]]) -> list[Any]:
        """Return what each call of a role with these inputs answers."""
        lines = [
            " ".join([subject.role, *(_word(values[entry.name]) for entry in subject.arguments)])
            for subject, values in calls
        ]
        done = subprocess.run(
            [self.program], input="\n".join(lines), capture_output=True, text=True, check=True
        )
        answers = [_read(word) for word in done.stdout.split()]
        assert len(answers) == len(lines)
        return answers


def compile_roles(source: Path, subjects: Iterable[SourceSubject], folder: Path) -> CompiledRoles:
    """Compile a planner file with overflow checks on; ``folder`` takes the program."""
    content = source.read_text()
    arms = "\n".join(_arm(subject) for subject in subjects)
    main = folder / f"{source.stem}.rs"
    main.write_text(content + _helper(content) + _MAIN.format(arms=arms, fault=FAULT))
    program = folder / source.stem
    flags = ["--edition", "2024", "-A", "warnings", "-C", "overflow-checks=on"]
    done = subprocess.run(
        ["rustc", *flags, "-o", program, main], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return CompiledRoles(program)


def _helper(content: str) -> str:
    """Return the crate that the planner's helper lives in, where the file calls into it."""
    found = re.search(r"(\w+)::ssm_tail_boundary", content)
    return f"\nmod {found[1]} {{{BUILT_IN}}}\n" if found else ""


def _arm(subject: SourceSubject) -> str:
    words = iter(range(1, len(subject.arguments) + 1))
    arguments = [_argument(kind, words) for _, kind in subject.read.parameters]
    if subject.read.names[:1] == ("self",):
        method = subject.read.name.rpartition("::")[2]
        call = f"{arguments[0]}.{method}({', '.join(arguments[1:])})"
    else:
        call = f"{subject.read.name}({', '.join(arguments)})"
    shown = f"{call}.to_string()"
    if isinstance(subject.read.result, OptionType):
        shown = f'{call}.map_or("none".to_string(), |value| value.to_string())'
    return f'            "{subject.role}" => {shown},'


def _argument(kind: Type, words: Iterator[int]) -> str:
    match kind:
        case OptionType():
            return f"harness::option(words[{next(words)}])"
        case TupleType(items, names, struct):
            parts = (
                f"{name}: {_argument(item, words)}" for name, item in zip(names, items, strict=True)
            )
            return f"({struct} {{ {', '.join(parts)} }})"
        case BoolType():
            return f"words[{next(words)}].parse::<bool>().unwrap()"
    return f"harness::number(words[{next(words)}])"


def _word(value: Any) -> str:
    return "none" if value is None else str(value).lower()


def _read(word: str) -> Any:
    named = {"none": None, "true": True, "false": False, FAULT: FAULT}
    return named[word] if word in named else int(word)


class Draws:
    """Draws inputs of a role: small ones, block boundaries, neighbours and the edges of words.

    Half of the calls are close to what a scheduler makes, the others are anything.
    """

    def __init__(self, subject: SourceSubject, seed: int) -> None:
        self.subject = subject
        self.random = random.Random(f"{subject.function} {seed}")

    def inputs(self) -> Values:
        """Return a value for every input by its name."""
        size = self.random.choice((1, 3, 4, 5, 16, 16, 64, 528, self.random.randrange(1, 100)))
        values: Values = {}
        for entry in self.subject.arguments:
            values[entry.name] = self._value(entry.type, entry.name, size)
        if self.random.random() < 0.6:
            self._schedule(values, size)
        return values

    def _value(self, kind: Type, name: str, size: int) -> Any:
        match kind:
            case OptionType(inner):
                return None if self.random.random() < 0.2 else self._value(inner, name, size)
            case BoolType():
                return self.random.random() < 0.5
            case IntType(_, highest):
                assert highest is not None
                if (
                    name.rpartition(".")[2].strip("_") == "block_size"
                    and self.random.random() < 0.8
                ):
                    return size
                return self._number(size, highest)
        raise TypeError(f"nothing is drawn of {kind}")

    def _number(self, size: int, highest: int) -> int:
        draw = self.random
        kind = draw.randrange(6)
        if kind == 0:
            return min(draw.choice(EDGES), highest)
        if kind == 1:
            return min(draw.randrange(200), highest)
        if kind == 2:
            return min(max(draw.randrange(12) * size + draw.randrange(-1, 2), 0), highest)
        if kind == 3:
            return highest - draw.randrange(6)
        if kind == 4:
            return min(max(2 ** draw.randrange(64) + draw.randrange(-1, 2), 0), highest)
        return draw.randint(0, highest)

    def _schedule(self, values: Values, size: int) -> None:
        """Make the inputs those of a scheduled call, where the role has one."""
        draw = self.random
        if not {"offset", "total", "proposed"} <= values.keys():
            return
        total = values["total"]
        remaining = total - min(values["offset"], total)
        if draw.random() < 0.5:
            remaining = min(draw.randrange(8) * size + draw.randrange(6), total)
        values["offset"] = total - remaining
        values["proposed"] = min(values["proposed"], remaining)
        if values.get("split") is not None and draw.random() < 0.6:
            values["split"] = min(values["offset"] + draw.randrange(-1, 2 * size + 2), 2**64 - 1)
            values["split"] = max(values["split"], 0)


def described(values: Mapping[str, Any]) -> str:
    """Return inputs as one reads them in a failed test."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())
