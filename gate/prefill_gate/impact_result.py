"""What replaying traces comes to: small values, one for each shard, that can be added up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prefill_reference.replay import Outcome

LISTED = 10
"""How many requests are named."""


class Change(NamedTuple):
    """A request and its excess under each policy; ``trace`` and ``line`` say where it stands."""

    trace: str
    line: int
    total: int
    match: int
    excesses: tuple[int, ...]

    @property
    def difference(self) -> int:
        """How many tokens more the last policy computes than the first, or than the ideal."""
        return self.excesses[-1] - (self.excesses[0] if len(self.excesses) > 1 else 0)


@dataclass
class Side:
    """What one policy costs; ``excesses`` counts the requests by their excess."""

    name: str
    passes: int = 0
    snapshots: int = 0
    excesses: Counter[int] = field(default_factory=Counter)
    stalls: int = 0
    first_stall: str | None = None

    @property
    def excess(self) -> int:
        """The tokens computed that the ideal would not compute."""
        return sum(excess * count for excess, count in self.excesses.items())

    def percentile(self, percent: int) -> int:
        """Return the least excess that this percentage of requests does not go beyond."""
        rank = -(-self.excesses.total() * percent // 100)
        reached = 0
        for excess in sorted(self.excesses):
            reached += self.excesses[excess]
            if reached >= rank:
                return excess
        return 0

    def joined(self, other: Side) -> Side:
        """Return the cost of both parts together."""
        return Side(
            self.name,
            self.passes + other.passes,
            self.snapshots + other.snapshots,
            self.excesses + other.excesses,
            self.stalls + other.stalls,
            self.first_stall or other.first_stall,
        )


@dataclass
class Impact:
    """What traces cost under each policy; ``strays`` counts requests with unsound hash ids."""

    sides: list[Side]
    requests: int = 0
    prompt_tokens: int = 0
    ideal: int = 0
    strays: int = 0
    skipped: int = 0
    first_skipped: str | None = None
    changes: list[Change] = field(default_factory=list)
    _least_listed: int = 0

    @property
    def has_stalls(self) -> bool:
        """Whether a planner faults or makes no progress on some request: it breaks its contract."""
        return any(side.stalls for side in self.sides)

    def record(
        self, trace: str, line: int, total: int, match: int, outcomes: Sequence[Outcome]
    ) -> None:
        """Add the request at a line, with what it comes to under each policy."""
        self.requests += 1
        self.prompt_tokens += total
        self.ideal += total - match
        difference = 0
        for number, (excess, (passes, depths, stall)) in enumerate(outcomes):
            side = self.sides[number]
            side.passes += passes
            side.snapshots += len(depths)
            side.excesses[excess] += 1
            difference = excess - difference
            if stall is not None:
                side.stalls += 1
                side.first_stall = side.first_stall or f"{trace}:{line}: {stall}"
        if abs(difference) > self._least_listed:
            excesses = tuple(excess for excess, _ in outcomes)
            change = Change(trace, line, total, match, excesses)
            self.changes = _largest([*self.changes, change])
            if len(self.changes) == LISTED:
                self._least_listed = abs(self.changes[-1].difference)

    def skip(self, reason: str) -> None:
        """Count a line that is no request."""
        self.skipped += 1
        self.first_skipped = self.first_skipped or reason

    def joined(self, other: Impact) -> Impact:
        """Return both parts together; of equal changes, those of this part come first."""
        pairs = zip(self.sides, other.sides, strict=True)
        return Impact(
            [mine.joined(theirs) for mine, theirs in pairs],
            self.requests + other.requests,
            self.prompt_tokens + other.prompt_tokens,
            self.ideal + other.ideal,
            self.strays + other.strays,
            self.skipped + other.skipped,
            self.first_skipped or other.first_skipped,
            _largest([*self.changes, *other.changes]),
        )


def _largest(changes: Iterable[Change]) -> list[Change]:
    return sorted(changes, key=lambda change: -abs(change.difference))[:LISTED]
