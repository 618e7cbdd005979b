"""The arguments of ``prefill-gate mutants``."""

import argparse
import os
from typing import NamedTuple

from prefill_gate.numbers import positive


class Share(NamedTuple):
    """One of so many equal shares of the mutants; its number counts from 1."""

    number: int
    shares: int

    def __str__(self) -> str:
        return f"{self.number}/{self.shares}"


def share(text: str) -> Share:
    """Return a share written as ``I/N``, or raise the error that the command line reports."""
    number, slash, shares = text.partition("/")
    if not slash:
        raise argparse.ArgumentTypeError(f"needs two numbers, as in 1/4, not {text!r}")
    found = Share(positive(number), positive(shares))
    if found.number > found.shares:
        raise argparse.ArgumentTypeError(
            f"has {found.shares} shares, and none is number {found.number}"
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
        type=share,
        default=Share(1, 1),
        metavar="I/N",
        help="only shard I of N: every N-th mutant, from the I-th on",
    )
