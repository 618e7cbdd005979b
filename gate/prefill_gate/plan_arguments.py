"""The arguments of ``prefill-gate plan``. All counts are tokens, the interval is in blocks."""

import argparse
from pathlib import Path

from prefill_gate.numbers import optional_usize, positive, usize
from prefill_reference.dispatcher import DISPATCHES


def add_plan_arguments(plan: argparse.ArgumentParser) -> None:
    """Add every argument of ``plan`` but ``--format``, which all commands have."""
    plan.add_argument(
        "--total", type=usize, required=True, metavar="N", help="the length of the prompt"
    )
    add_engine_arguments(plan)
    plan.add_argument(
        "--start",
        type=usize,
        default=0,
        metavar="N",
        help="how many tokens are restored before the run (default %(default)s)",
    )
    planner = plan.add_mutually_exclusive_group()
    planner.add_argument(
        "--policy", default="current", metavar="NAME", help="a policy (default %(default)s)"
    )
    planner.add_argument("--planner", type=Path, metavar="FILE", help="a .rs or .py file")
    add_settings(plan)
    plan.add_argument(
        "--against", metavar="NAME|FILE", help="lay out a second policy or planner beside it"
    )
    plan.add_argument(
        "--warm",
        type=usize,
        metavar="MATCH",
        help="how much of the prompt the warm request matches, floored to whole blocks "
        "(default: it is byte-identical)",
    )
    plan.add_argument(
        "--dispatch",
        choices=DISPATCHES,
        default="two-pass",
        help="how a last chunk that spans the split point is run (default %(default)s)",
    )
    plan.add_argument(
        "--svg", type=Path, metavar="FILE", help="also draw a picture for a pull request"
    )


def add_engine_arguments(command: argparse._ActionsContainer) -> None:
    """Add what the engine around the planner is set to."""
    command.add_argument(
        "--first",
        type=positive,
        default=8193,
        metavar="N",
        help="what the scheduler proposes for the first chunk (default %(default)s)",
    )
    command.add_argument(
        "--next",
        type=positive,
        default=8192,
        metavar="N",
        help="what it proposes for every later chunk (default %(default)s)",
    )
    command.add_argument(
        "--block-size",
        type=optional_usize,
        default=16,
        metavar="N",
        help="tokens in a cache block, or none (default %(default)s)",
    )
    command.add_argument(
        "--interval",
        type=usize,
        default=16,
        metavar="N",
        help="blocks from one interval snapshot to the next, 0 for none (default %(default)s)",
    )


def add_settings(command: argparse._ActionsContainer) -> None:
    """Add the values of inputs that a run does not bind."""
    command.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        dest="settings",
        help="the value of a planner's further parameter or unknown constant (repeatable)",
    )
