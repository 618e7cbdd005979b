"""The arguments of ``prefill-gate impact``. All counts are tokens, the interval is in blocks."""

import argparse

from prefill_gate.numbers import positive
from prefill_gate.plan_arguments import add_engine_arguments, add_settings
from prefill_reference.replay import HASH_BLOCK


def add_impact_arguments(impact: argparse.ArgumentParser) -> None:
    """Add every argument of ``impact`` but ``--format``, which all commands have."""
    impact.add_argument(
        "base", metavar="BASE", help="a policy, a planner file, or REV:path of a git revision"
    )
    impact.add_argument(
        "head", nargs="?", metavar="HEAD", help="what it is compared with, given the same way"
    )
    add_replay_arguments(impact, is_trace_required=True)
    where = impact.add_mutually_exclusive_group()
    where.add_argument(
        "--jobs",
        type=positive,
        default=1,
        metavar="N",
        help="how many shards are replayed at a time (default %(default)s)",
    )
    where.add_argument(
        "--dask",
        metavar="ADDRESS",
        help="replay the shards on the Dask cluster of this scheduler, whose workers see the "
        "same files (needs prefill-gate[dask])",
    )


def add_replay_arguments(command: argparse._ActionsContainer, is_trace_required: bool) -> None:
    """Add the traces to replay, and what the engine is set to meanwhile."""
    command.add_argument(
        "--trace",
        action="append",
        required=is_trace_required,
        metavar="FILE",
        dest="traces",
        help="a trace: JSON lines with input_length and hash_ids, or CSV with ContextTokens "
        "(repeatable: each is a shard with a cache of its own)",
    )
    add_engine_arguments(command)
    command.add_argument(
        "--hash-block",
        type=positive,
        default=HASH_BLOCK,
        metavar="N",
        help="tokens in a block that a hash id stands for (default %(default)s)",
    )
    add_settings(command)
    command.add_argument(
        "--skip-bad",
        action="store_true",
        help="count the lines that are no requests instead of stopping at the first",
    )
