"""What a run is: a whole prompt, answer by answer, then a warm request for it.

The values carry ints or terms, and the rules of the world are formulas over them: what the
scheduler may propose, what the dispatcher makes of an answer, where the prefix cache restores.
The theorems of ``run_theorems`` assume these rules and the properties of single calls, no more.

An *answer* is what the planner returns for one proposal. It is run as one pass, or as two when
the dispatcher divides it. A pass is *last* when it ends at the total. A run *visits* the split
point when a pass ends there or the state is captured there inside a pass. All counts are tokens.
"""

from dataclasses import dataclass

from prefill_spec.calls import CheckpointCall, ChunkCall, SplitCall
from prefill_spec.vocabulary import Formula, Option, Term, all_of, any_of, iff, implies, negate

RUN_ROLES = ("chunk_len", "split_point", "checkpoint")
"""The roles that a run calls: one that faults ends it."""

CALLER_ASSUMPTION = "for whole prompts, the caller passes the split role's own answer as split"
"""What every run theorem takes for granted."""


@dataclass(frozen=True)
class RunPrompt:
    """What stays the same in a run, which prefills the tokens from ``start`` to ``total``.

    ``split`` is the planner's own answer to ``split_call``, which its caller is assumed to pass on.
    """

    total: Term
    start: Term
    block_size: Option[Term]
    split: Option[Term]

    @property
    def split_call(self) -> SplitCall:
        """The call that gives the split point."""
        return SplitCall(self.total, self.block_size)

    def checkpoint_call(self, interval: Term) -> CheckpointCall:
        """Return the call that asks whether an end at the split point saves a snapshot."""
        return CheckpointCall(self.split.value, self.total, self.block_size, interval)

    def domain(self) -> Formula:
        """Return whether the run starts in the prompt."""
        return self.start <= self.total

    def starts_before_split(self) -> Formula:
        """Return whether the split point, if there is one, is yet to come."""
        return implies(self.split.present, self.start < self.split.value)


@dataclass(frozen=True)
class Progress:
    """How far a run has come.

    ``is_visited`` tells whether it has visited the split point, and ``is_tail`` whether a proposal
    has reached the end of the prompt.
    """

    offset: Term
    answers: Term
    passes: Term
    is_visited: Formula
    is_tail: Formula


def begin(prompt: RunPrompt) -> Progress:
    """Return the progress of a run that has only begun."""
    return Progress(prompt.start, 0, 0, False, False)


@dataclass(frozen=True)
class Step:
    """One answer, and whether the dispatcher divides it or captures the state inside it."""

    call: ChunkCall
    length: Term
    is_divided: Formula
    is_captured: Formula

    @property
    def end(self) -> Term:
        """The token at which the answered chunk ends."""
        return self.call.offset + self.length

    def spans_split(self) -> Formula:
        """Return whether the split point is strictly inside the chunk."""
        return all_of(
            self.call.split.present,
            self.call.offset < self.call.split.value,
            self.call.split.value < self.end,
        )

    def is_last(self) -> Formula:
        """Return whether the chunk ends at the end of the prompt."""
        return self.end == self.call.total

    def visits_split(self) -> Formula:
        """Return whether one of the step's passes ends at the split point or captures it."""
        return any_of(
            all_of(self.call.split.present, self.end == self.call.split.value),
            self.is_divided,
            self.is_captured,
        )


def step_from(
    prompt: RunPrompt,
    before: Progress,
    proposed: Term,
    length: Term,
    is_divided: Formula,
    is_captured: Formula,
) -> Step:
    """Return the step that an answer makes from where a run stands."""
    call = ChunkCall(before.offset, prompt.total, proposed, prompt.block_size, prompt.split)
    return Step(call, length, is_divided, is_captured)


@dataclass(frozen=True)
class Ending:
    """A run that is done, and a request after it.

    ``saves`` is the planner's answer to the prompt's ``checkpoint_call``. The request matches
    ``match`` tokens of the prompt in whole blocks, and restores at the depth ``restored``, which
    is 0 when it finds no snapshot.
    """

    progress: Progress
    saves: Formula
    match: Term
    restored: Term


# The rules of the world.


def is_offered(step: Step) -> Formula:
    """Return whether the scheduler may make the step's proposal: some of what remains."""
    return all_of(step.call.proposed >= 1, step.call.domain())


def divides_only_spanning(step: Step) -> Formula:
    """Return whether the dispatcher leaves alone what it should.

    It divides a chunk or captures inside it, not both, and only a last one that spans the split.
    """
    return all_of(
        implies(
            any_of(step.is_divided, step.is_captured),
            all_of(step.is_last(), step.spans_split()),
        ),
        negate(all_of(step.is_divided, step.is_captured)),
    )


def divides_every_spanning(step: Step) -> Formula:
    """Return whether the dispatcher divides, or captures inside, a last chunk that spans."""
    return implies(
        all_of(step.is_last(), step.spans_split()),
        any_of(step.is_divided, step.is_captured),
    )


def follows(before: Progress, step: Step, after: Progress) -> Formula:
    """Return whether ``after`` is where a run stands once it has taken the step."""
    is_last_proposal = step.call.proposed_end >= step.call.total
    return all_of(
        after.offset == step.end,
        after.answers == before.answers + 1,
        implies(step.is_divided, after.passes == before.passes + 2),
        implies(negate(step.is_divided), after.passes == before.passes + 1),
        iff(after.is_visited, any_of(before.is_visited, step.visits_split())),
        iff(after.is_tail, any_of(before.is_tail, is_last_proposal)),
    )


def is_finished(prompt: RunPrompt, progress: Progress) -> Formula:
    """Return whether the whole prompt is prefilled."""
    return progress.offset == prompt.total


def restores_deepest(prompt: RunPrompt, ending: Ending) -> Formula:
    """Return whether the cache restores no deeper than the match, and no less deep than it may.

    The deepest snapshot at or below the match is restored, so the depth is at least that of the
    split point's snapshot, where the run saved one.
    """
    has_split_snapshot = all_of(prompt.split.present, ending.progress.is_visited, ending.saves)
    return all_of(
        ending.restored >= 0,
        ending.restored <= ending.match,
        implies(
            all_of(has_split_snapshot, prompt.split.value <= ending.match),
            ending.restored >= prompt.split.value,
        ),
    )
