"""Which prompts show best what a change does: laid out under both planners.

All counts are tokens.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from prefill_gate import text
from prefill_gate.diff_report import witness_values
from prefill_gate.errors import UsageError
from prefill_gate.plan_layout import Layout, Request, lay_out
from prefill_gate.policies import bind
from prefill_proofs.comparison import Comparison
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import Input
from prefill_proofs.witnesses import Witness
from prefill_reference.policies import Policy
from prefill_reference.runs import Prompt, TooManyAnswersError
from prefill_spec.calls import CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.runs import RUN_ROLES

WELL_KNOWN = Request(Prompt(32_772, 16, 16), 8193, 8192, "two-pass", 32_772)
"""The prompt whose warm request took 12.5 s in place of 0.2 s."""

MAX_PICTURES = 3
"""So many prompts are shown, the worst ones."""

MAX_ANSWERS = 2_000
"""A prompt that takes more chunks than this is not laid out."""


class Side(NamedTuple):
    """A planner file: what it is called, and its roles."""

    name: str
    subjects: Sequence[SourceSubject]


class Picture(NamedTuple):
    """One prompt under both planners, and where it comes from.

    A *given* split point is that of an example, in place of the one that each planner answers.
    """

    origin: str
    base: Layout
    head: Layout
    is_split_given: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether the prompt runs differently under the two planners."""
        return _outcome(self.base) != _outcome(self.head)

    @property
    def severity(self) -> tuple[bool, bool, int, int]:
        """How bad the change is for this prompt: the measure by which pictures are chosen.

        A prompt that the planners split themselves comes before one with a given split point, and
        one that only one planner finishes before one that both do. Then counts how far apart the
        replays of the warm request are, then the larger of them.
        """
        replays = (self.base.warm.replayed, self.head.warm.replayed)
        is_stalled = (self.base.run.stall is None) != (self.head.run.stall is None)
        return not self.is_split_given, is_stalled, max(replays) - min(replays), max(replays)


class Pictures(NamedTuple):
    """The pictures to show, the worst first, and a line for each reason why witnesses have none."""

    shown: list[Picture]
    notes: list[str]


def choose_pictures(comparisons: Sequence[Comparison], base: Side, head: Side) -> Pictures:
    """Return the worst of the prompts that witnesses give and of the well-known one.

    The well-known prompt is tried with the further inputs of each witness. Only prompts that run
    differently are shown, the most severe ones.
    """
    found: list[Picture] = []
    reasons: dict[str, list[str]] = {}
    for comparison in comparisons:
        for witness in _witnesses(comparison):
            described = f"{comparison.pair.role}, {text.listed(witness_values(witness))}"
            if isinstance(witness.run.call, ChunkCall) and witness.run.call.proposed == 0:
                reasons.setdefault("no scheduler proposes nothing", []).append(described)
                continue
            try:
                policies = _policies(comparison, witness, base, head)
                found += _pictures_of(witness, described, policies)
            except (UsageError, TooManyAnswersError) as error:
                reasons.setdefault(str(error), []).append(described)
    ranked = sorted(
        (picture for picture in found if picture.is_changed),
        key=lambda picture: picture.severity,
        reverse=True,
    )
    worst = {_drawn(picture): picture for picture in reversed(ranked)}
    shown = [picture for picture in ranked if worst[_drawn(picture)] is picture]
    notes = [
        f"{first}{f' and {len(others)} more' if others else ''}: {reason}"
        for reason, (first, *others) in reasons.items()
    ]
    return Pictures(shown[:MAX_PICTURES], notes)


def _witnesses(comparison: Comparison) -> Iterator[Witness]:
    """Yield the changed calls of a comparison's map."""
    if comparison.map is not None:
        cells = [cell.witness for cell in comparison.map.cells]
        beyond = [entry.beyond for entry in comparison.map.unaffected]
        yield from (witness for witness in (*cells, *beyond) if witness is not None)


def _policies(
    comparison: Comparison, witness: Witness, base: Side, head: Side
) -> tuple[Policy, Policy]:
    """Return both planners with the further inputs that a witness has."""

    def bound(word: str, side: Side, values: Mapping[str, Any]) -> Policy:
        subjects = [entry for entry in side.subjects if entry.role in RUN_ROLES]
        policy = bind(side.name, subjects, _setting_from(values))
        return replace(policy, name=f"{word} {policy.name}")

    given = comparison.pair.side_values(witness.values)
    return bound("BASE", base, given[0]), bound("HEAD", head, given[1])


def _setting_from(values: Mapping[str, Any]) -> Callable[[Input], Any]:
    def setting(entry: Input) -> Any:
        if entry.name not in values:
            raise UsageError(f"it gives {entry.name} no value, which a run needs")
        return values[entry.name]

    return setting


def _pictures_of(
    witness: Witness, described: str, policies: tuple[Policy, Policy]
) -> Iterator[Picture]:
    """Yield the prompts of a witness, and the well-known one, each under both planners."""
    example = f"a prompt of the example {described}"
    for request in _requests(witness):
        yield _picture(example, request, policies)
    yield _picture("a long prompt of a dense serve", WELL_KNOWN, policies)
    call = witness.run.call
    if not isinstance(call, ChunkCall):
        return
    split = call.split.value if call.split.present else None
    base, head = (replace(policy, split_point=lambda *_: split) for policy in policies)
    for request in _requests(witness):
        origin = f"{example}, its split point ({text.value(split)}) in place of the planners' own"
        yield _picture(origin, request, (base, head))._replace(is_split_given=True)


def _picture(origin: str, request: Request, policies: tuple[Policy, Policy]) -> Picture:
    base, head = (lay_out(request, policy, MAX_ANSWERS) for policy in policies)
    return Picture(origin, base, head)


def _requests(witness: Witness) -> Iterator[Request]:
    """Yield prompts that may come to the call of a witness."""
    call = witness.run.call
    if call.total == 0:
        return
    size = call.block_size.value if call.block_size.present else None
    prompt = Prompt(call.total, size, WELL_KNOWN.prompt.interval)
    match call:
        case ChunkCall(offset=offset, proposed=proposed):
            asked = Request(prompt, offset or proposed, proposed, "two-pass", call.total)
            yield asked
            if offset:
                yield replace(asked, prompt=replace(prompt, start=offset), first=proposed)
        case CheckpointCall(interval=interval):
            prompt = replace(prompt, interval=interval)
            yield replace(WELL_KNOWN, prompt=prompt, common=call.total)
        case SplitCall() | TailEndCall():
            yield replace(WELL_KNOWN, prompt=prompt, common=call.total)
        case _:
            return


def _outcome(layout: Layout) -> tuple[Any, ...]:
    run = layout.run
    passes = tuple((entry.start, entry.end, entry.has_snapshot) for entry in run.passes)
    return passes, tuple(run.captures), run.split, layout.warm, run.stall


def _drawn(picture: Picture) -> tuple[Any, ...]:
    """Return what a picture shows: of two that show the same, one is enough."""
    prompt = picture.base.prompt
    shown = (prompt.total, prompt.start, prompt.block_size)
    return shown, _outcome(picture.base), _outcome(picture.head)
