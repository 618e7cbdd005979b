"""``prefill-gate impact``: what two policies cost on the same request traces."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prefill_gate import __version__, exits
from prefill_gate.impact_result import Impact, Side
from prefill_gate.impact_shards import (
    replay_here,
    replay_on_dask,
    require_requests,
    settings_of,
    shards_of,
)
from prefill_gate.impact_text import render
from prefill_gate.impact_words import notes_of
from prefill_gate.output import emit
from prefill_gate.policies import load_policies
from prefill_reference.policies import Policy
from prefill_reference.replay import Settings


def run_impact(arguments: argparse.Namespace) -> int:
    """Replay traces under one policy or two; return the exit code.

    A planner that stalls a request has broken its contract: the exit code is that of a refutation.
    """
    given = [name for name in (arguments.base, arguments.head) if name is not None]
    policies = _told_apart(given, load_policies(given, arguments.settings))
    shards = shards_of(arguments, policies)
    if arguments.dask is not None:
        impact = replay_on_dask(shards, arguments.dask)
    else:
        impact = replay_here(shards, arguments.jobs)
    require_requests(impact, arguments.traces)
    settings = settings_of(arguments)
    emit(
        arguments.format,
        lambda: _to_json(impact, settings, arguments.traces),
        lambda: render(impact, settings, arguments.traces),
    )
    return exits.REFUTED if impact.has_stalls else exits.HOLDS


def _told_apart(given: Sequence[str], policies: Sequence[Policy]) -> tuple[Policy, ...]:
    """Return policies of different names: those of one name are called as they were given."""
    if len({policy.name for policy in policies}) == len(policies):
        return tuple(policies)
    pairs = zip(policies, given, strict=True)
    return tuple(replace(policy, name=name) for policy, name in pairs)


def _to_json(impact: Impact, settings: Settings, traces: Sequence[str]) -> dict[str, Any]:
    base, *heads = [_side_to_json(side, impact) for side in impact.sides]
    return {
        "version": 1,
        "command": "impact",
        "traces": list(traces),
        "settings": {
            "first": settings.first,
            "next": settings.following,
            "block_size": settings.block_size,
            "interval": settings.interval,
            "hash_block": settings.hash_block,
        },
        "base": base,
        "head": heads[0] if heads else None,
        "changes": [
            {
                "trace": change.trace,
                "line": change.line,
                "input_length": change.total,
                "match": change.match,
                "base": change.excesses[0],
                "head": change.excesses[1] if heads else None,
            }
            for change in impact.changes
        ],
        "skipped": impact.skipped,
        "notes": notes_of(impact),
        "versions": {"prefill-gate": __version__},
    }


def _side_to_json(side: Side, impact: Impact) -> dict[str, Any]:
    return {
        "name": side.name,
        "requests": impact.requests,
        "prompt_tokens": impact.prompt_tokens,
        "computed": impact.ideal + side.excess,
        "ideal": impact.ideal,
        "excess": side.excess,
        "passes": side.passes,
        "snapshots": side.snapshots,
        "excess_per_request": {
            "median": side.percentile(50),
            "p90": side.percentile(90),
            "p99": side.percentile(99),
            "maximum": side.percentile(100),
        },
        "stalled": side.stalls,
    }
