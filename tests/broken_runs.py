"""Planners that break a run: each lacks one property of a run theorem and has all the others."""

from dataclasses import dataclass, replace

from prefill_reference.planner import plan_chunk_len
from prefill_reference.policies import CURRENT, ChunkLen, Policy
from prefill_spec.inductions import RunTheorem
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.vocabulary import WY4

# The rules are written for calls by position: what each of them ignores is the mistake.


def _stalls_before_the_end(
    offset: int, total: int, proposed: int, _size: int | None, _split: int | None, _first: bool
) -> int:
    return proposed if offset + proposed >= total else 0


def _leaves_a_token_for_another_pass(
    offset: int, total: int, proposed: int, size: int | None, split: int | None, _first: bool
) -> int:
    if offset + proposed >= total and proposed > 1:
        return proposed - 1
    return plan_chunk_len(offset, total, proposed, size, split)


def _passes_over_the_split_point(
    offset: int, total: int, proposed: int, size: int | None, _split: int | None, _first: bool
) -> int:
    return plan_chunk_len(offset, total, proposed, size, None)


def _passes_over_block_boundaries(
    offset: int, total: int, proposed: int, _size: int | None, _split: int | None, _first: bool
) -> int:
    return plan_chunk_len(offset, total, proposed, None, None)


def _ends_between_fours(
    offset: int, total: int, proposed: int, size: int | None, _split: int | None, _first: bool
) -> int:
    end = offset + proposed
    if end < total and size and end // size * size > offset:
        return end // size * size - offset
    return proposed


def _crawls_between_boundaries(
    offset: int, total: int, proposed: int, size: int | None, split: int | None, _first: bool
) -> int:
    end = offset + proposed
    reaches_boundary = bool(size) and end // (size or 1) * (size or 1) > offset
    if end < total and proposed >= WY4 and not reaches_boundary:
        return 1
    return plan_chunk_len(offset, total, proposed, size, split)


def _splits_two_blocks_before_the_end(total: int, size: int) -> int | None:
    return total - 2 * size if 0 < 2 * size < total else None


def _splits_after_the_first_block(total: int, size: int) -> int | None:
    return size if 0 < 2 * size < total else None


def _splits_at_an_end_on_a_boundary(total: int, size: int) -> int | None:
    is_on_boundary = size > 0 and total > 2 * size and total % size == 0
    return total if is_on_boundary else CURRENT.split_point(total, size)


def _splits_past_the_end(total: int, size: int) -> int | None:
    return total + size if 0 < 2 * size < total else None


def _never_splits(_total: int, _size: int) -> int | None:
    return None


def _never_saves(_end: int, _total: int, _size: int, _interval: int) -> bool:
    return False


def _answering(chunk_len: ChunkLen) -> Policy:
    return replace(CURRENT, name=getattr(chunk_len, "__name__", ""), chunk_len=chunk_len)


_WITHOUT = {
    "chunk-length": _answering(_stalls_before_the_end),
    "chunk-last": _answering(_leaves_a_token_for_another_pass),
    "chunk-split-stop": _answering(_passes_over_the_split_point),
    "chunk-block-end": _answering(_passes_over_block_boundaries),
    "chunk-wy4": _answering(_ends_between_fours),
    "chunk-maximal": _answering(_crawls_between_boundaries),
    "split-existence": replace(CURRENT, split_point=_never_splits),
    "split-aligned": replace(CURRENT, split_point=_splits_two_blocks_before_the_end),
    "split-restorable": replace(CURRENT, split_point=_splits_at_an_end_on_a_boundary),
    "split-replay": replace(CURRENT, split_point=_splits_after_the_first_block),
    "snapshot-tail": replace(CURRENT, checkpoint=_never_saves),
}
"""For each property, a planner that lacks it."""

_WITHOUT_IN = {
    # A split point at the very end is visited by the last pass.
    ("run-split-visited", "split-restorable"): replace(CURRENT, split_point=_splits_past_the_end),
}
"""Planners for a theorem that the one above does not break."""


@dataclass(frozen=True)
class BrokenRun:
    """A planner that keeps all that a theorem uses but one property, and breaks its statement."""

    theorem: RunTheorem
    lacks: str
    policy: Policy

    @property
    def keeps(self) -> tuple[str, ...]:
        """The other properties that the theorem uses."""
        return tuple(entry for entry in self.theorem.uses if entry != self.lacks)


BROKEN_RUNS: tuple[BrokenRun, ...] = tuple(
    BrokenRun(theorem, lacks, _WITHOUT_IN.get((theorem.id, lacks), _WITHOUT[lacks]))
    for theorem in RUN_THEOREMS
    for lacks in theorem.uses
)
"""One for each property that each theorem uses."""
