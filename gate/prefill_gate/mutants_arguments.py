"""The arguments of ``prefill-gate mutants``."""

import argparse
import os
from typing import NamedTuple

from prefill_gate.numbers import positive


class Share(NamedTuple):
    """One of several equal shares of the mutants: number ``index`` of ``count``, from 1."""

    index: int
    count: int

    def __str__(self) -> str:
        return f"{self.index}/{self.count}"


def share(text: str) -> Share:
    """Return a share written as ``I/N``, or raise the error that the command line reports."""
    index, slash, count = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError(f"needs two numbers, as in 1/4, not {text!r}")
    found = Share(positive(index), positive(count))
    if found.index > found.count:
        raise argparse.ArgumentTypeError(f"has {count} shards, so there is no number {index}")
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
        type=share,
        default=Share(1, 1),
        metavar="I/N",
        help="only shard I of N: every N-th mutant, from the I-th on",
    )
