"""Every reachable state of a run, under every possible proposal, checked on ints without a solver.

The statements are those of ``prefill_spec.run_theorems``; the world is ``prefill_reference``. A
state is kept once, however many paths lead to it, with the most answers and passes of any path, so
the work grows with the cube of the prompt and not with the number of runs.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, TypeAlias

from prefill_reference.cache import restore
from prefill_reference.dispatcher import Dispatch
from prefill_reference.policies import Policy
from prefill_reference.runs import Chunk, Prompt, run_chunk
from prefill_spec.inductions import RunTheorem
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import (
    Ending,
    Progress,
    RunPrompt,
    Step,
    begin,
    divides_every_spanning,
    divides_only_spanning,
    follows,
    is_finished,
    restores_deepest,
    step_from,
)
from prefill_spec.vocabulary import floor_to, option_of


class Finding(NamedTuple):
    """A statement that does not hold, and where."""

    theorem: str
    prompt: RunPrompt
    place: object


class Move(NamedTuple):
    """What one answer does: where it ends, how it is dispatched, whether it was the last offer."""

    length: int
    is_last_offer: bool
    is_divided: bool
    is_captured: bool


Saved: TypeAlias = dict[int, list[tuple[Move, list[int]]]]
"""The moves from each offset, with the depths of the snapshots that each of them saves."""


@dataclass
class Exploration:
    """One prompt under one policy, all runs at once; ``prompt.interval`` is not looked at."""

    policy: Policy
    prompt: Prompt
    dispatch: Dispatch = "two-pass"
    theorems: Sequence[RunTheorem] = RUN_THEOREMS
    findings: list[Finding] = field(default_factory=list)
    states: int = 0
    steps: int = 0

    def __post_init__(self) -> None:
        total, size = self.prompt.total, self.prompt.block_tokens
        self.split = self.policy.split_point(total, size)
        self.subject = RunPrompt(
            total,
            self.prompt.start,
            option_of(self.prompt.block_size),
            option_of(self.split),
        )

    def explore(self, intervals: Sequence[int] = (0, 2)) -> list[Finding]:
        """Return every statement that fails for some run of the prompt."""
        applicable = [theorem for theorem in self.theorems if theorem.base(self.subject).when]
        for theorem in applicable:
            self._require(theorem, theorem.base(self.subject).then, "start")
        offers = {theorem.offer for theorem in applicable}
        for offer in sorted(offers, key=lambda entry: entry.__name__):
            group = [theorem for theorem in applicable if theorem.offer is offer]
            self._explore_offers(offer, group, intervals)
        return self.findings

    def _require(self, theorem: RunTheorem, holds: bool, place: object) -> None:
        if not holds:
            self.findings.append(Finding(theorem.id, self.subject, place))

    def _explore_offers(
        self, offer: Callable[[Step], Any], group: list[RunTheorem], intervals: Sequence[int]
    ) -> None:
        reached: dict[int, dict[tuple[bool, bool], Progress]] = {}
        _keep(reached, begin(self.subject))
        moves: dict[int, set[Move]] = {}
        for offset in range(self.prompt.start, self.prompt.total):
            for before in list(reached.get(offset, {}).values()):
                self.states += 1
                found = self._moves_from(before, offer, group)
                moves.setdefault(offset, set()).update(found)
                for move, step in found.items():
                    after = _after(before, move, step)
                    self._check_world(before, step, after)
                    for theorem in group:
                        self._require(theorem, theorem.invariant(self.subject, after), after)
                    _keep(reached, after)
        endings = list(reached.get(self.prompt.total, {}).values())
        for interval in intervals:
            self._check_endings(endings, moves, group, interval)

    def _moves_from(
        self, before: Progress, offer: Callable[[Step], Any], group: list[RunTheorem]
    ) -> dict[Move, Step]:
        """Check the step of each proposal, and return the moves they come down to."""
        offset, total = before.offset, self.prompt.total
        by_step: dict[Callable[..., Any], list[RunTheorem]] = {}
        for theorem in group:  # several theorems show the same of a step: it is looked at once
            by_step.setdefault(theorem.shown_by_step, []).append(theorem)
        moves: dict[Move, Step] = {}
        dispatched: dict[int, tuple[bool, bool]] = {}
        for proposed in range(1, total - offset + 1):
            length = self.policy.chunk_len(
                offset,
                total,
                proposed,
                self.prompt.block_size,
                self.split,
                offset == self.prompt.start,
            )
            if length not in dispatched:
                dispatched[length] = self._dispatch(Chunk(offset, proposed, length))
            step = step_from(self.subject, before, proposed, length, *dispatched[length])
            if not offer(step):
                continue
            self.steps += 1
            for shows, theorems in by_step.items():
                if not shows(self.subject, before, step):
                    self.findings += [Finding(each.id, self.subject, step) for each in theorems]
            if 1 <= length <= proposed:
                moves[Move(length, offset + proposed >= total, *dispatched[length])] = step
        return moves

    def _dispatch(self, chunk: Chunk) -> tuple[bool, bool]:
        if not 1 <= chunk.length <= chunk.proposed:
            return False, False
        passes, capture = run_chunk(self.policy, self.prompt, self.split, chunk, self.dispatch)
        return len(passes) > 1, capture is not None

    def _check_world(self, before: Progress, step: Step, after: Progress) -> None:
        assert follows(before, step, after)
        assert divides_only_spanning(step)
        assert divides_every_spanning(step) or self.dispatch == "none"

    def _check_endings(
        self,
        endings: list[Progress],
        moves: dict[int, set[Move]],
        group: list[RunTheorem],
        interval: int,
    ) -> None:
        prompt = replace(self.prompt, interval=interval)
        size = prompt.block_tokens
        saves = self.split is not None and self.policy.checkpoint(
            self.split, prompt.total, size, interval
        )
        saved = {
            offset: [(move, self._snapshots(prompt, offset, move)) for move in found]
            for offset, found in moves.items()
        }
        for match in self._matches():
            restored = self._worst_restores(saved, match)
            for progress in endings:
                depth = restored[progress.offset, progress.is_visited]
                ending = Ending(progress, saves, match, depth)
                assert is_finished(self.subject, progress)
                assert restores_deepest(self.subject, ending)
                for theorem in group:
                    claim = theorem.finish(self.subject, ending)
                    self._require(theorem, claim.then or not claim.when, ending)

    def _matches(self) -> Sequence[int]:
        """Return the matches from the split point on, and that of a byte-identical request."""
        size, total = self.prompt.block_tokens, self.prompt.total
        first = min(self.split or 0, max(total - 1, 0))
        return range(floor_to(first, size), total + 1, size) if size else [0]

    def _worst_restores(self, saved: Saved, match: int) -> dict[tuple[int, bool], int]:
        """Return the least depth at which a match restores, over all runs to a state.

        A state is an offset and whether the split point is visited.
        """
        worst = {(self.prompt.start, False): 0}
        for offset in range(self.prompt.start, self.prompt.total):
            for is_visited in (False, True):
                if (offset, is_visited) not in worst:
                    continue
                before = worst[offset, is_visited]
                for move, depths in saved.get(offset, ()):
                    depth = max(before, restore(match, self.prompt.total, depths).restored)
                    end = offset + move.length
                    state = (
                        end,
                        is_visited or end == self.split or move.is_divided or move.is_captured,
                    )
                    worst[state] = min(worst.get(state, depth), depth)
        return worst

    def _snapshots(self, prompt: Prompt, offset: int, move: Move) -> list[int]:
        chunk = Chunk(offset, move.length, move.length)
        passes, capture = run_chunk(self.policy, prompt, self.split, chunk, self.dispatch)
        depths = [entry.end for entry in passes if entry.has_snapshot]
        return depths if capture is None else [*depths, capture]


def _after(before: Progress, move: Move, step: Step) -> Progress:
    return Progress(
        before.offset + move.length,
        before.answers + 1,
        before.passes + 1 + move.is_divided,
        before.is_visited or step.visits_split(),
        before.is_tail or move.is_last_offer,
    )


def _keep(reached: dict[int, dict[tuple[bool, bool], Progress]], progress: Progress) -> None:
    """Keep a state with the most answers and passes of the paths that lead to it."""
    states = reached.setdefault(progress.offset, {})
    key = (progress.is_visited, progress.is_tail)
    known = states.get(key, progress)
    states[key] = replace(
        progress,
        answers=max(progress.answers, known.answers),
        passes=max(progress.passes, known.passes),
    )
