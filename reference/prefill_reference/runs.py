"""A run: one prompt prefilled from a start to its end, pass by pass.

The scheduler proposes, the planner answers, the dispatcher runs the answer. A snapshot is saved at
every pass end short of the total that the policy's ``checkpoint`` accepts, and at a captured split
point. All counts are tokens.
"""

from dataclasses import dataclass, field

from prefill_reference.dispatcher import Dispatch, dispatch_chunk
from prefill_reference.policies import Policy
from prefill_reference.proposals import Proposals
from prefill_reference.usize import require_usize

MAX_ANSWERS = 100_000
"""How many answers of a planner a run may take."""


class TooManyAnswersError(ValueError):
    """The prompt needs more answers than a run may take."""


@dataclass(frozen=True)
class Prompt:
    """What a run is given: ``total`` tokens, of which the first ``start`` are restored.

    ``interval`` is in blocks, 0 turns interval snapshots off.
    """

    total: int
    block_size: int | None
    interval: int
    start: int = 0

    def __post_init__(self) -> None:
        require_usize(
            total=self.total,
            block_size=self.block_size,
            interval=self.interval,
            start=self.start,
        )
        if self.start > self.total:
            raise ValueError(f"start {self.start} is past the total {self.total}")

    @property
    def block_tokens(self) -> int:
        """The block size, 0 where there is none."""
        return self.block_size or 0


@dataclass(frozen=True)
class Chunk:
    """What the planner answered at ``offset`` for a proposal; ``length`` is in 1..=proposed."""

    offset: int
    proposed: int
    length: int

    @property
    def end(self) -> int:
        """The token at which the chunk ends."""
        return self.offset + self.length


@dataclass(frozen=True)
class Pass:
    """One pass of the model over the tokens from ``start`` to ``end``, part or all of a chunk."""

    start: int
    end: int
    chunk: Chunk
    has_snapshot: bool

    @property
    def length(self) -> int:
        """The tokens of the pass."""
        return self.end - self.start


@dataclass(frozen=True)
class Stall:
    """An answer that no run can go on from: no token at all, or more than proposed.

    A fault has no answer, and no proposal either: any of the policy's functions may fault.
    """

    offset: int
    proposed: int | None
    answer: int | None
    message: str


@dataclass
class Run:
    """What came of a prompt: its passes, captures and snapshots, and why it stopped short."""

    prompt: Prompt
    split: int | None = None
    passes: list[Pass] = field(default_factory=list)
    captures: list[int] = field(default_factory=list)
    answers: int = 0
    stall: Stall | None = None

    @property
    def offset(self) -> int:
        """How far the prompt is prefilled."""
        return self.passes[-1].end if self.passes else self.prompt.start

    @property
    def ends(self) -> list[int]:
        """Where the passes end."""
        return [entry.end for entry in self.passes]

    @property
    def snapshots(self) -> list[int]:
        """The depths of the snapshots that the run saved, the shallowest first."""
        return sorted(
            {entry.end for entry in self.passes if entry.has_snapshot} | set(self.captures)
        )


def run_prompt(
    policy: Policy,
    prompt: Prompt,
    proposals: Proposals,
    dispatch: Dispatch = "two-pass",
    max_answers: int = MAX_ANSWERS,
) -> Run:
    """Return the run of a prompt; it stalls rather than go on from an impossible answer.

    Raises ``TooManyAnswersError`` when ``max_answers`` answers leave it unfinished.
    """
    run = Run(prompt)
    try:
        run.split = policy.split_point(prompt.total, prompt.block_tokens)
        while run.offset < prompt.total and run.stall is None:
            if run.answers == max_answers:
                raise TooManyAnswersError(
                    f"the prompt needs more than {max_answers} answers of the planner: "
                    f"they end at {run.offset} of {prompt.total} tokens"
                )
            _advance(run, policy, proposals(run.answers, prompt.total - run.offset), dispatch)
    except ArithmeticError as fault:
        run.stall = Stall(
            run.offset, None, None, f"the planner faults at token {run.offset}: {fault}"
        )
    return run


def _advance(run: Run, policy: Policy, proposed: int, dispatch: Dispatch) -> None:
    prompt, offset = run.prompt, run.offset
    length = policy.chunk_len(
        offset,
        prompt.total,
        proposed,
        prompt.block_size,
        run.split,
        run.answers == 0,
    )
    run.answers += 1
    if not 1 <= length <= proposed:
        run.stall = Stall(offset, proposed, length, _describe_stall(offset, proposed, length))
        return
    chunk = Chunk(offset, proposed, length)
    passes, capture = run_chunk(policy, prompt, run.split, chunk, dispatch)
    run.passes += passes
    if capture is not None:
        run.captures.append(capture)


def run_chunk(
    policy: Policy, prompt: Prompt, split: int | None, chunk: Chunk, dispatch: Dispatch
) -> tuple[list[Pass], int | None]:
    """Return the passes that an answered chunk is run in, and where one of them is captured."""
    dispatched = dispatch_chunk(chunk.offset, chunk.end, prompt.total, split, dispatch)
    starts = (chunk.offset, *dispatched.ends)
    passes = [
        Pass(start, end, chunk, end != prompt.total and _saves(policy, prompt, end))
        for start, end in zip(starts, dispatched.ends, strict=False)
    ]
    return passes, dispatched.capture


def _saves(policy: Policy, prompt: Prompt, end: int) -> bool:
    return policy.checkpoint(end, prompt.total, prompt.block_tokens, prompt.interval)


def _describe_stall(offset: int, proposed: int, length: int) -> str:
    asked = f"at token {offset} the planner answers {length} to a proposal of {proposed}"
    return f"{asked}: no progress" if length < 1 else f"{asked}: past the proposal"
