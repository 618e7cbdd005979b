"""One prompt laid out under one policy: what ``plan`` shows, before anyone draws it."""

from dataclasses import dataclass
from typing import Any

from prefill_reference.cache import Restore, block_match, restore
from prefill_reference.dispatcher import Dispatch
from prefill_reference.policies import Policy
from prefill_reference.proposals import budgeted
from prefill_reference.reasons import Reason, reason_of
from prefill_reference.runs import MAX_ANSWERS, Pass, Prompt, Run, run_prompt


@dataclass(frozen=True)
class Request:
    """What is laid out: the prompt, how it is offered and run, and the request after it.

    ``common`` is how many tokens the warm request shares with the prompt; it is as long.
    """

    prompt: Prompt
    first: int
    following: int
    dispatch: Dispatch
    common: int


@dataclass(frozen=True)
class Layout:
    """A request under a policy: the run, and where the warm request restores."""

    request: Request
    policy: str
    run: Run
    warm: Restore

    @property
    def prompt(self) -> Prompt:
        """The prompt."""
        return self.request.prompt

    @property
    def snapshots(self) -> list[int]:
        """The depths at which the prompt's state is saved, that of a restored start included."""
        start = self.prompt.start
        return [*([start] if start else []), *self.run.snapshots]

    def reason(self, entry: Pass) -> Reason:
        """Return why a pass ends where it does."""
        return reason_of(entry, self.prompt, self.run.split)


def lay_out(request: Request, policy: Policy, max_answers: int = MAX_ANSWERS) -> Layout:
    """Return the layout of a request under a policy.

    Raises ``TooManyAnswersError`` for a prompt of too many passes.
    """
    prompt = request.prompt
    proposals = budgeted(request.first, request.following)
    run = run_prompt(policy, prompt, proposals, request.dispatch, max_answers)
    match = block_match(request.common, prompt.total, prompt.block_tokens)
    # What a run started from was restored from a snapshot, which the cache still has.
    depths = [prompt.start, *run.snapshots]
    return Layout(request, policy.name, run, restore(match, prompt.total, depths))


def to_json(layout: Layout, against: Layout | None) -> dict[str, Any]:
    """Return layouts as the documented JSON object."""
    request, prompt = layout.request, layout.prompt
    return {
        "version": 1,
        "command": "plan",
        "prompt": {
            "total": prompt.total,
            "first": request.first,
            "next": request.following,
            "block_size": prompt.block_size,
            "interval": prompt.interval,
            "start": prompt.start,
            "dispatch": request.dispatch,
        },
        **_layout_to_json(layout),
        "against": None if against is None else _layout_to_json(against),
    }


def _layout_to_json(layout: Layout) -> dict[str, Any]:
    run = layout.run
    return {
        "policy": layout.policy,
        "split": run.split,
        "captures": run.captures,
        "passes": [
            {
                "start": entry.start,
                "end": entry.end,
                "length": entry.length,
                "reason": layout.reason(entry),
                "snapshot": entry.has_snapshot,
            }
            for entry in run.passes
        ],
        "warm": layout.warm._asdict(),
        "stall": None
        if run.stall is None
        else {
            "offset": run.stall.offset,
            "proposed": run.stall.proposed,
            "answer": run.stall.answer,
            "message": run.stall.message,
        },
    }
