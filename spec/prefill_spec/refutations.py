"""For each property a small call with an answer that breaks it, to explain the property by."""

from dataclasses import dataclass
from typing import Any

from prefill_spec.calls import Call, CheckpointCall, ChunkCall, DepthCall, SplitCall, TailEndCall
from prefill_spec.properties import NO_FAULT
from prefill_spec.violations import violation
from prefill_spec.vocabulary import option_of


@dataclass(frozen=True)
class Refutation:
    """A call and the answer that a broken planner gives, or the operation that faults in it."""

    call: Call
    answer: Any
    fault: str | None = None

    def message(self, property_id: str) -> str:
        """Return what the answer does that a property forbids."""
        if self.fault is not None:
            return f"{self.fault} faults"
        return violation(property_id, self.call, self.answer)


def _chunk(
    offset: int,
    total: int,
    proposed: int,
    block_size: int,
    *,
    answer: int,
    split: int | None = None,
    limit: int | None = None,
) -> Refutation:
    further: dict[str, Any] = {} if limit is None else {"limit": option_of(limit)}
    call = ChunkCall(offset, total, proposed, option_of(block_size), option_of(split), **further)
    return Refutation(call, answer)


def _split(total: int, block_size: int, answer: int | None, min_tail: int = 0) -> Refutation:
    return Refutation(SplitCall(total, option_of(block_size), min_tail), option_of(answer))


def _saves(end: int, total: int, block_size: int, interval: int, answer: bool) -> Refutation:
    return Refutation(CheckpointCall(end, total, option_of(block_size), interval), answer)


def _depth(prefix: int, length: int, total: int, block_size: int, answer: int | None) -> Refutation:
    return Refutation(DepthCall(prefix, length, total, option_of(block_size)), option_of(answer))


REFUTATIONS: dict[str, Refutation] = {
    NO_FAULT: Refutation(SplitCall(0, option_of(16)), None, "total - 1"),
    "chunk-empty": _chunk(16, 40, 0, 16, answer=4),
    "chunk-length": _chunk(0, 40, 10, 16, answer=0),
    "chunk-last": _chunk(16, 40, 24, 16, answer=16),
    "chunk-split-stop": _chunk(0, 33, 20, 16, split=16, answer=20),
    "chunk-grid": _chunk(0, 40, 20, 16, answer=20),
    "chunk-block-end": _chunk(0, 80, 40, 16, answer=24),
    "chunk-wy4": _chunk(0, 40, 10, 16, answer=10),
    "chunk-maximal": _chunk(0, 80, 40, 16, answer=16),
    "chunk-stop": _chunk(0, 32, 32, 16, split=16, answer=32),
    "chunk-rest": _chunk(32, 40, 8, 16, split=32, answer=0),
    "chunk-progress": _chunk(0, 8000, 2048, 3584, limit=2048, answer=0),
    "chunk-aligned": _chunk(0, 2002, 364, 1600, answer=364),
    "split-existence": _split(33, 16, None),
    "split-aligned": _split(40, 16, 20),
    "split-restorable": _split(48, 16, 32),
    "split-replay": _split(100, 16, 16),
    "split-tail": _split(35, 16, 16, min_tail=27),
    "tail-end": Refutation(TailEndCall(48, 48, option_of(16)), True),
    "snapshot-never": _saves(8, 40, 16, 1, True),
    "snapshot-tail": _saves(32, 40, 16, 0, False),
    "snapshot-interval": _saves(48, 100, 16, 2, True),
    "snapshot-boundary": _saves(33, 100, 16, 2, True),
    "depth-past-prefix": _depth(16, 4, 40, 16, 16),
    "depth-computed": _depth(0, 20, 40, 16, 32),
    "depth-grid": _depth(64, 541, 700, 512, 576),
    "depth-reachable": _depth(0, 5120, 5120, 64, 5120),
    "depth-existence": _depth(0, 20, 40, 16, None),
}
"""One by the id of each property."""
