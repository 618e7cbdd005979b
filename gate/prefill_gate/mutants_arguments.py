"""The arguments of ``prefill-gate mutants``."""

import argparse
import os
from typing import NamedTuple

from prefill_gate.numbers import positive


class Shard(NamedTuple):
    """One of so many equal shards of the mutants; its number counts from 1."""

    number: int
    shards: int

    def __str__(self) -> str:
        return f"{self.number}/{self.shards}"


def shard(text: str) -> Shard:
    """Return a shard written as ``I/N``, or raise the error that the command line reports."""
    number, slash, shards = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError(f"needs two numbers, as in 1/4, not {text!r}")
    found = Shard(positive(number), positive(shards))
    if found.number > found.shards:
        raise argparse.ArgumentTypeError(
            f"there are {found.shards} shards, and none is number {found.number}"
        )
    return found


def processors() -> int:
    """Return how many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def add_mutants_arguments(mutants: argparse.ArgumentParser) -> None:
    """Add every argument of ``mutants`` but ``--format``, which all commands have."""
    mutants.add_argument(
        "planner",
        nargs="?",
        metavar="PLANNER",
        help="a file, or REV:path of a git revision; without it, the shipped reference",
    )
    mutants.add_argument(
        "--config",
        metavar="FILE",
        help="a TOML file instead of the prefill-gate.toml or pyproject.toml above the planner",
    )
    mutants.add_argument(
        "--jobs",
        type=positive,
        default=processors(),
        metavar="N",
        help="how many mutants are decided at a time (default: one on each processor)",
    )
    mutants.add_argument(
        "--shard",
        type=shard,
        default=Shard(1, 1),
        metavar="I/N",
        help="only shard I of N: every N-th mutant, from the I-th on",
    )
