"""What the review of a ``diff`` says of real traffic: both planners on request traces."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass, replace

from prefill_gate import exits
from prefill_gate.check import Checked
from prefill_gate.impact_result import Impact
from prefill_gate.impact_shards import replay_here, require_requests, settings_of, shards_of
from prefill_gate.impact_words import stalls_of
from prefill_gate.policies import GivenValues
from prefill_reference.replay import Settings


@dataclass(frozen=True)
class Traffic:
    """What traces cost under BASE and under HEAD."""

    impact: Impact
    settings: Settings
    traces: Sequence[str]

    def exit_code(self) -> int:
        """Return the exit code: a planner that stalls a request is refuted."""
        return exits.REFUTED if self.impact.has_stalls else exits.HOLDS


def replay_traffic(arguments: Namespace, before: Checked, after: Checked) -> Traffic:
    """Replay the traces of a command line under both planners; say which of them stall.

    Raises ``UsageError`` for an input without a value, and for a trace that cannot be replayed.
    """
    values = GivenValues(arguments.settings)
    bound = [values.bind(side.planner.name, side.roles.subjects) for side in (before, after)]
    values.require_used()
    policies = tuple(
        replace(policy, name=f"{word} {policy.name}")
        for word, policy in zip(("BASE", "HEAD"), bound, strict=True)
    )
    impact = replay_here(shards_of(arguments, policies), jobs=1)
    require_requests(impact, arguments.traces)
    for note in stalls_of(impact):
        print(f"prefill-gate: {note}", file=sys.stderr)
    return Traffic(impact, settings_of(arguments), arguments.traces)
