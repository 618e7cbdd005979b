"""For each run theorem a small run that breaks it, to explain the theorem by."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from prefill_spec.calls import Call
from prefill_spec.properties import PROPERTIES, Outcome
from prefill_spec.runs import Ending, Progress, RunPrompt, Step, begin, step_from
from prefill_spec.violations import violation
from prefill_spec.vocabulary import option_of


class Answer(NamedTuple):
    """What is proposed, and the length that a broken planner answers."""

    proposed: int
    length: int


class Move(NamedTuple):
    """A step of a run, and where the run stands before and after it."""

    before: Progress
    step: Step
    after: Progress


@dataclass(frozen=True)
class ExampleRun:
    """A run of a planner that lacks one property of those that a theorem uses.

    ``saves`` is its answer for an end at the split point with an interval of 0; the request after
    the run matches ``match`` tokens and restores at ``restored``. ``said`` is what happens, with
    names of numbers in braces.
    """

    lacks: str
    prompt: RunPrompt
    answers: tuple[Answer, ...]
    said: str
    saves: bool = True
    match: int = 0
    restored: int = 0

    def moves(self) -> Iterator[Move]:
        """Yield each step of the run; none is divided."""
        before = begin(self.prompt)
        for proposed, length in self.answers:
            step = step_from(self.prompt, before, proposed, length, False, False)
            after = Progress(
                step.end,
                before.answers + 1,
                before.passes + 1,
                before.is_visited or step.visits_split(),
                before.is_tail or step.call.proposed_end >= step.call.total,
            )
            yield Move(before, step, after)
            before = after

    def ending(self) -> Ending:
        """Return the end of the run."""
        reached = [begin(self.prompt), *(move.after for move in self.moves())]
        return Ending(reached[-1], self.saves, self.match, self.restored)

    def calls(self) -> Iterator[tuple[Call, Any]]:
        """Yield what the planner is asked in the run, with its answers."""
        yield from ((move.step.call, move.step.length) for move in self.moves())
        yield self.prompt.split_call, self.prompt.split
        if self.prompt.split.present:
            yield self.prompt.checkpoint_call(interval=0), self.saves

    def broken_calls(self, property_id: str) -> list[tuple[Call, Any]]:
        """Return the calls of the run whose answers break a property."""
        return [
            (call, answer)
            for entry in PROPERTIES
            if entry.id == property_id
            for call, answer in self.calls()
            if call.role == entry.role
            and entry.claim(call, Outcome(False, answer)).formula() is False
        ]

    def cause(self) -> str:
        """Return what the planner does that the property it lacks forbids."""
        call, answer = self.broken_calls(self.lacks)[0]
        return violation(self.lacks, call, answer)

    def message(self) -> str:
        """Return what happens in the run."""
        reached = self.ending().progress.offset
        return self.said.format(
            total=self.prompt.total,
            split=self.prompt.split.value,
            reached=reached,
            match=self.match,
            restored=self.restored,
            replayed=self.prompt.total - self.restored,
        )


def _prompt(total: int, split: int | None) -> RunPrompt:
    return RunPrompt(total, 0, option_of(16), option_of(split))


EXAMPLE_RUNS: dict[str, ExampleRun] = {
    "run-tiles": ExampleRun(
        "chunk-length",
        _prompt(40, 16),
        (Answer(16, 16), Answer(24, 32)),
        "the run ends at {reached}, past the end of the prompt at {total}",
    ),
    "run-terminates": ExampleRun(
        "chunk-length",
        _prompt(40, 16),
        (Answer(10, 0),),
        "the run is at {reached} still, and the same proposal comes again",
    ),
    "run-split-visited": ExampleRun(
        "chunk-split-stop",
        _prompt(33, 16),
        (Answer(20, 20), Answer(13, 13)),
        "no pass ends at the split point {split}",
    ),
    "run-block-ends": ExampleRun(
        "chunk-block-end",
        _prompt(80, 48),
        (Answer(20, 20),),
        "the chunk ends at {reached}, and its proposal reaches the block boundary 16",
    ),
    "run-snapshot-saved": ExampleRun(
        "snapshot-tail",
        _prompt(40, 16),
        (Answer(16, 16), Answer(24, 24)),
        "the pass that ends at the split point {split} saves no snapshot",
        saves=False,
    ),
    "run-warm-restores": ExampleRun(
        "split-existence",
        _prompt(40, None),
        (Answer(40, 40),),
        "the prompt has no split point; the next request matches {match} and restores at "
        "{restored}",
        match=32,
    ),
    "run-replay": ExampleRun(
        "chunk-split-stop",
        _prompt(100, 80),
        (Answer(90, 90), Answer(10, 10)),
        "the same request matches {match}, restores at {restored} and replays {replayed} tokens, "
        "more than two blocks",
        match=96,
    ),
}
"""One by the id of each theorem."""
