"""The shape of a run theorem: an induction over the answers of a planner."""

from collections.abc import Callable
from dataclasses import dataclass

from prefill_spec.properties import Claim
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
    is_offered,
)
from prefill_spec.vocabulary import Formula, all_of


@dataclass(frozen=True)
class RunTheorem:
    """One statement about runs, with the properties of single calls that it ``uses``.

    It says what it assumes of the prompt (``premise``) and of each proposal (``offer``), an
    invariant, what every step shows, and what the end of the run shows. ``base``, ``advance`` and
    ``finish`` are the claims to prove; on ints they can simply be evaluated.

    Every theorem also rests on ``no-fault`` of the roles it asks. ``needs_dispatcher`` tells
    whether it rests on the dispatcher dividing every last chunk that spans the split point.
    """

    id: str
    statement: str
    why: str
    uses: tuple[str, ...]
    premise: Callable[[RunPrompt], Formula]
    invariant: Callable[[RunPrompt, Progress], Formula]
    shown_by_step: Callable[[RunPrompt, Progress, Step], Formula]
    shown_at_end: Callable[[RunPrompt, Ending], Claim]
    offer: Callable[[Step], Formula] = is_offered
    needs_dispatcher: bool = False

    def base(self, prompt: RunPrompt) -> Claim:
        """Return the claim that a run begins with the invariant."""
        return Claim(
            all_of(prompt.domain(), self.premise(prompt)),
            self.invariant(prompt, begin(prompt)),
        )

    def advance(self, prompt: RunPrompt, before: Progress, step: Step, after: Progress) -> Claim:
        """Return the claim that a step from the invariant shows its part and keeps it."""
        return Claim(
            all_of(
                prompt.domain(),
                self.premise(prompt),
                self.invariant(prompt, before),
                self.offer(step),
                divides_only_spanning(step),
                divides_every_spanning(step) if self.needs_dispatcher else True,
                follows(before, step, after),
            ),
            all_of(
                self.shown_by_step(prompt, before, step),
                self.invariant(prompt, after),
            ),
        )

    def finish(self, prompt: RunPrompt, ending: Ending) -> Claim:
        """Return the claim that a run which ends with the invariant shows its part."""
        shown = self.shown_at_end(prompt, ending)
        return Claim(
            all_of(
                prompt.domain(),
                self.premise(prompt),
                self.invariant(prompt, ending.progress),
                is_finished(prompt, ending.progress),
                shown.when,
            ),
            shown.then,
        )
