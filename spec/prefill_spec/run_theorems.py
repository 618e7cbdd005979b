"""What a planner's contract guarantees of whole prompts, each statement made once."""

from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import Claim, is_last, reaches_boundary
from prefill_spec.runs import Ending, Progress, RunPrompt, Step, is_offered, restores_deepest
from prefill_spec.vocabulary import (
    WY4,
    Formula,
    all_of,
    any_of,
    divides,
    implies,
    last_block_boundary,
    negate,
)


def _advances(_prompt: RunPrompt, _before: Progress, step: Step) -> Formula:
    return all_of(
        step.call.offset < step.end,
        step.end <= step.call.total,
    )


def _nothing_at_end(_prompt: RunPrompt, _ending: Ending) -> Claim:
    return Claim(True, True)


def _is_inside(prompt: RunPrompt, progress: Progress) -> Formula:
    return all_of(
        prompt.start <= progress.offset,
        progress.offset <= prompt.total,
    )


def _tiles(prompt: RunPrompt, before: Progress, step: Step) -> Formula:
    # A step starts where the last one ended, and a divided one has its two passes in order.
    return all_of(
        step.call.offset == before.offset,
        _advances(prompt, before, step),
        implies(step.is_divided, step.spans_split()),
    )


def _counts_answers(prompt: RunPrompt, progress: Progress) -> Formula:
    return all_of(
        prompt.start + progress.answers <= progress.offset,
        progress.passes <= progress.answers + 1,
        implies(progress.offset < prompt.total, progress.passes <= progress.answers),
    )


def _is_bounded(prompt: RunPrompt, ending: Ending) -> Claim:
    return Claim(
        True,
        all_of(
            ending.progress.answers <= prompt.total - prompt.start,
            ending.progress.passes <= prompt.total - prompt.start + 1,
        ),
    )


def _has_split_ahead(prompt: RunPrompt) -> Formula:
    return all_of(
        prompt.block_size.value > 0,
        prompt.split.present,
        prompt.start < prompt.split.value,
    )


def _is_before_or_visited(prompt: RunPrompt, progress: Progress) -> Formula:
    return implies(
        prompt.split.present,
        any_of(
            progress.offset < prompt.split.value,
            progress.is_visited,
        ),
    )


def _is_visited(_prompt: RunPrompt, ending: Ending) -> Claim:
    return Claim(True, ending.progress.is_visited)


def _is_on_fours(prompt: RunPrompt) -> Formula:
    return all_of(
        divides(WY4, prompt.block_size.value),
        divides(WY4, prompt.start),
    )


def _is_at_a_four(_prompt: RunPrompt, progress: Progress) -> Formula:
    return any_of(progress.is_tail, divides(WY4, progress.offset))


def _is_offered_four(step: Step) -> Formula:
    return all_of(
        is_offered(step),
        any_of(is_last(step.call), step.call.proposed >= WY4),
    )


def _ends_on_blocks(prompt: RunPrompt, before: Progress, step: Step) -> Formula:
    block_size = prompt.block_size.value
    return all_of(
        implies(
            all_of(negate(before.is_tail), negate(is_last(step.call))),
            all_of(
                divides(WY4, step.end),
                implies(reaches_boundary(step.call), divides(block_size, step.end)),
            ),
        ),
        implies(
            step.is_divided,
            all_of(
                divides(WY4, prompt.split.value),
                divides(block_size, prompt.split.value),
            ),
        ),
    )


def _always(_prompt: RunPrompt) -> Formula:
    return True


def _anything(_prompt: RunPrompt, _progress: Progress) -> Formula:
    return True


def _nothing_by_step(_prompt: RunPrompt, _before: Progress, _step: Step) -> Formula:
    return True


def _saves_at_split(prompt: RunPrompt, ending: Ending) -> Claim:
    block_size = prompt.block_size.value
    return Claim(
        prompt.split.present,
        all_of(
            prompt.split.value + block_size == last_block_boundary(prompt.total, block_size),
            ending.saves,
        ),
    )


def _is_long_and_cold(prompt: RunPrompt) -> Formula:
    return all_of(
        prompt.block_size.value > 0,
        prompt.total > 2 * prompt.block_size.value,
        prompt.starts_before_split(),
    )


def _restores_at_split(prompt: RunPrompt, ending: Ending) -> Claim:
    return Claim(
        restores_deepest(prompt, ending),
        all_of(
            prompt.split.present,
            implies(ending.match >= prompt.split.value, ending.restored >= prompt.split.value),
        ),
    )


def _has_blocks_and_is_cold(prompt: RunPrompt) -> Formula:
    return all_of(
        prompt.block_size.value > 0,
        prompt.starts_before_split(),
    )


def _replays_two_blocks(prompt: RunPrompt, ending: Ending) -> Claim:
    block_size = prompt.block_size.value
    return Claim(
        all_of(
            restores_deepest(prompt, ending),
            ending.match == last_block_boundary(prompt.total, block_size),
        ),
        prompt.total - ending.restored <= 2 * block_size,
    )


_VISIT = ("chunk-length", "chunk-last", "chunk-split-stop", "split-restorable")
_SAVE = ("split-aligned", "split-restorable", "split-replay", "snapshot-tail")
_RESTORE = (
    "chunk-length",
    "chunk-last",
    "chunk-split-stop",
    "split-existence",
    *_SAVE,
)

RUN_THEOREMS: tuple[RunTheorem, ...] = (
    RunTheorem(
        "run-tiles",
        "the passes of a run tile the prompt from its start to its end",
        "A gap leaves tokens that were never computed, an overlap computes them twice.",
        ("chunk-length",),
        premise=_always,
        invariant=_is_inside,
        shown_by_step=_tiles,
        shown_at_end=_nothing_at_end,
    ),
    RunTheorem(
        "run-terminates",
        "a run takes at most total - start answers, and at most one pass more than answers",
        "A planner that makes no progress holds a request, and the batch it sits in, for ever "
        "(https://github.com/vllm-project/vllm/pull/40757).",
        ("chunk-length",),
        premise=_always,
        invariant=_counts_answers,
        shown_by_step=_advances,
        shown_at_end=_is_bounded,
    ),
    RunTheorem(
        "run-split-visited",
        "with a positive block size, a run that starts before the split point visits it, "
        "whatever is proposed",
        "A run that passes over the split point saves no snapshot there, and the next turn pays "
        "for the whole tail of the prompt.",
        _VISIT,
        premise=_has_split_ahead,
        invariant=_is_before_or_visited,
        shown_by_step=_advances,
        shown_at_end=_is_visited,
        needs_dispatcher=True,
    ),
    RunTheorem(
        "run-block-ends",
        "with 4 dividing block size and start, and non-last proposals of at least 4, every end up "
        "to the last proposal is a multiple of 4, and a block boundary if its proposal reaches one",
        "One end off the grid shifts every later one, and a snapshot just past a boundary is "
        "deeper than the match that was floored to it.",
        ("chunk-block-end", "chunk-wy4", "chunk-maximal", "split-aligned"),
        premise=_is_on_fours,
        invariant=_is_at_a_four,
        shown_by_step=_ends_on_blocks,
        shown_at_end=_nothing_at_end,
        offer=_is_offered_four,
    ),
    RunTheorem(
        "run-snapshot-saved",
        "the split point is one block below the last block boundary, and an end there saves a "
        "snapshot for every interval",
        "An end at the split point is worth nothing unless the snapshot rule knows it.",
        _SAVE,
        premise=_always,
        invariant=_anything,
        shown_by_step=_nothing_by_step,
        shown_at_end=_saves_at_split,
    ),
    RunTheorem(
        "run-warm-restores",
        "a prompt of more than two blocks has a split point, and after a cold run that started "
        "before it, any match at or past it restores there or deeper",
        "This is what the next turn of a conversation needs: 0.2 s to its first token, not 12.5 s.",
        _RESTORE,
        premise=_is_long_and_cold,
        invariant=_is_before_or_visited,
        shown_by_step=_advances,
        shown_at_end=_restores_at_split,
        needs_dispatcher=True,
    ),
    RunTheorem(
        "run-replay",
        "with a positive block size, and after a cold run that started before any split point, a "
        "byte-identical warm request replays at most two blocks",
        "It is the cost of a warm request: every token replayed is a token computed again.",
        _RESTORE,
        premise=_has_blocks_and_is_cold,
        invariant=_is_before_or_visited,
        shown_by_step=_advances,
        shown_at_end=_replays_two_blocks,
        needs_dispatcher=True,
    ),
)
"""The run theorems, in the order in which reports list them."""

RUN_THEOREM_IDS: tuple[str, ...] = tuple(theorem.id for theorem in RUN_THEOREMS)
