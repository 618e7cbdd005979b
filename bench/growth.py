"""Inputs that grow in one way each, and the time that a command takes for them."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench import processes
from bench.fits import Point
from bench.floor import RUST, TRACE
from prefill_gate.exits import HOLDS, INCONCLUSIVE, REFUTED
from prefill_spec.properties import PROPERTY_IDS

Words = list[str]


class Family(NamedTuple):
    """What grows, by which sizes, and the command for one: its files go into the folder given."""

    name: str
    unit: str
    sizes: Sequence[int]
    words: Callable[[int, Path], Words]


class Measured(NamedTuple):
    """The least processor time of some runs of each size, and where a property was inconclusive."""

    points: list[Point]
    undecided: list[int]


def measure(family: Family, folder: Path, rounds: int, is_quick: bool) -> Measured:
    """Measure a family; a quick run leaves sizes out."""
    found = Measured([], [])
    for size in family.sizes[::2] if is_quick else family.sizes:
        words = family.words(size, folder)
        runs = [processes.run([*processes.GATE, *words]) for _ in range(rounds)]
        for done in runs:
            if done.code not in (HOLDS, REFUTED, INCONCLUSIVE):
                raise RuntimeError(f"{words}: exit code {done.code}: {done.errors}")
        found.points.append(Point(size, min(done.seconds for done in runs)))
        if any(done.code == INCONCLUSIVE for done in runs):
            found.undecided.append(size)
    return found


def _check(source: Callable[[int], str]) -> Callable[[int, Path], Words]:
    def words(size: int, folder: Path) -> Words:
        path = folder / "planner.rs"
        path.write_text(source(size))
        return ["check", str(path)]

    return words


def with_functions(count: int) -> str:
    """Return the shipped planner with so many functions beside it that no role reaches."""
    return Path(RUST).read_text() + "".join(
        f"\nfn beside_{number}(left: usize, right: usize) -> usize {{\n"
        f"    if left > right {{ left - right }} else {{ right / (left + {number + 1}) }}\n}}\n"
        for number in range(count)
    )


_CHUNK = """\
pub fn plan_chunk_len(
    offset: usize,
    total: usize,
    proposed: usize,
    block_size: usize,
    split: Option<usize>,
    lanes: usize,
) -> usize {{
    if proposed == 0 || offset + proposed >= total {{
        return proposed;
    }}
    let proposed_end = offset + proposed;
{body}
}}
"""

_ENDING = """\
    let end = if boundary > offset { boundary } else { proposed_end };
    let stop = match split {
        Some(at) if offset < at && at < end => at,
        _ => end,
    };
    let length = stop - offset;
    if length < 4 { length } else { length / 4 * 4 }"""

_BOUNDARY = "if block_size == 0 { 0 } else { proposed_end / block_size * block_size }"


def nested(depth: int) -> str:
    """Return a planner whose last expression is nested so deep."""
    inside = "length"
    for level in range(depth):
        inside = f"if lanes > {level} {{ {inside} }} else {{ length }}"
    ending = f"    let boundary = {_BOUNDARY};\n{_ENDING}"
    head, _, last = ending.rpartition("\n")
    return _CHUNK.format(body=f"{head}\n    let length = {last.strip()};\n    {inside}")


def by_block_size(branches: int) -> str:
    """Return a planner with a branch for each of so many block sizes, and one for any other."""
    arms = "".join(
        f"        {16 * number} => proposed_end / {16 * number} * {16 * number},\n"
        for number in range(1, branches)
    )
    rest = f"        _ => {_BOUNDARY},\n"
    chosen = f"    let boundary = match block_size {{\n{arms}{rest}    }};\n"
    return _CHUNK.format(body=chosen + _ENDING)


def by_lanes(branches: int) -> str:
    """Return a planner that proposes less the more lanes there are, a branch for each number.

    Each branch divides something else by the block size, which is the hard part.
    """
    arms = "".join(
        f"        {number} => proposed_end.min(offset + {65536 // (number + 1)}),\n"
        for number in range(1, branches)
    )
    chosen = f"    let reach = match lanes {{\n{arms}        _ => proposed_end,\n    }};\n"
    boundary = _BOUNDARY.replace("proposed_end", "reach")
    ending = _ENDING.replace("proposed_end", "reach")
    return _CHUNK.format(body=f"{chosen}    let boundary = {boundary};\n{ending}")


def in_turn(branches: int) -> str:
    """Return a planner that stops at each of so many fixed tokens, one ``if`` after another."""
    stops = "".join(
        f"    let stop = if offset < {at} && {at} < stop {{ {at} }} else {{ stop }};\n"
        for at in (4096 * number for number in range(branches, 0, -1))
    )
    head, _, tail = _ENDING.partition("    let length")
    return _CHUNK.format(body=f"    let boundary = {_BOUNDARY};\n{head}{stops}    let length{tail}")


def _some_properties(count: int, _folder: Path) -> Words:
    chosen = (word for name in PROPERTY_IDS[:count] for word in ("--property", name))
    return ["check", RUST, *chosen]


def _plan(tokens: int, _folder: Path) -> Words:
    return ["plan", "--total", str(tokens), "--format", "json"]


def _impact(copies: int, folder: Path) -> Words:
    path = folder / "trace.jsonl"
    write_copies(Path(TRACE), copies, path)
    return ["impact", "--trace", str(path), "before-2026-09-27", RUST]


def write_copies(trace: Path, copies: int, target: Path) -> None:
    """Write a trace several times over, each time with other hash ids: nothing is found again."""
    rows = [json.loads(line) for line in trace.read_text().splitlines()]
    apart = 1 + max(max(row["hash_ids"], default=0) for row in rows)
    with target.open("w") as file:
        for copy in range(copies):
            for row in rows:
                ids = [block + copy * apart for block in row["hash_ids"]]
                file.write(json.dumps(row | {"hash_ids": ids}) + "\n")


BRANCHES = (1, 4, 8, 16, 32, 48, 64)

FAMILIES: tuple[Family, ...] = (
    Family(
        "functions",
        "functions beside the planner",
        (1, 3, 10, 30, 100, 300, 1000),
        _check(with_functions),
    ),
    Family("nesting", "levels of nested ifs", BRANCHES, _check(nested)),
    Family("branches by block size", "branches", BRANCHES, _check(by_block_size)),
    Family("branches by lanes", "branches", BRANCHES, _check(by_lanes)),
    Family("ifs in turn", "ifs", BRANCHES, _check(in_turn)),
    Family("properties", "properties", (1, 3, 6, 9, 12, 15, 18), _some_properties),
    Family(
        "plan",
        "tokens of the prompt",
        (1_000, 10_000, 100_000, 10**6, 10**7, 10**8, 5 * 10**8),
        _plan,
    ),
    Family("impact", "copies of a trace of 48 requests", (1, 3, 10, 30, 100, 200, 400), _impact),
)
"""The first six are of ``check``."""
