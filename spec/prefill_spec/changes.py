"""One sentence on what a planner does with a call now, and what it did before."""

from collections.abc import Callable
from typing import Any, NamedTuple

from prefill_spec.calls import Call, CheckpointCall, ChunkCall, DepthCall, SplitCall, TailEndCall
from prefill_spec.vocabulary import Option


class Reply(NamedTuple):
    """What a planner made of a concrete call: its answer, or what faulted."""

    answer: Any
    fault: str | None = None


def change(call: Call, base: Reply, head: Reply) -> str:
    """Return what the head does with a call, and what the base did; the two differ, or fault."""
    now, before = _WORDS[call.role]
    says_now = f"the call faults ({head.fault})" if head.fault else now(call, head.answer)
    if base.fault is None:
        return f"{says_now}, {before(call, base.answer)}"
    return f"{says_now}, {'and did' if head.fault else 'was a fault'} before ({base.fault})"


def _landing(call: ChunkCall, length: int) -> str:
    """Return the token at which a chunk ends, with what stands there."""
    end, size = call.offset + length, call.block_size.value
    if call.split.present and end == call.split.value:
        return f"the split point {end}"
    if end == call.total:
        return f"the end of the prompt {end}"
    if end == call.proposed_end:
        return f"the proposed end {end}"
    return f"the block boundary {end}" if size and end % size == 0 else str(end)


def _chunk_now(call: ChunkCall, length: int) -> str:
    return f"the chunk ends at {_landing(call, length)}" if length else "the chunk is empty"


def _chunk_before(call: ChunkCall, length: int) -> str:
    return f"was {_landing(call, length)}" if length else "was empty"


def _split_now(_call: SplitCall, split: Option[int]) -> str:
    return f"the split point is {split.value}" if split.present else "there is no split point"


def _split_before(_call: SplitCall, split: Option[int]) -> str:
    return f"was {split.value}" if split.present else "was none"


def _tail_end_now(call: TailEndCall, is_tail_end: bool) -> str:
    return f"the end {call.end_token} is {'a' if is_tail_end else 'no'} prompt-tail end"


def _tail_end_before(_call: TailEndCall, is_tail_end: bool) -> str:
    return "was one" if is_tail_end else "was none"


def _checkpoint_now(call: CheckpointCall, saves: bool) -> str:
    return f"the end {call.end_token} saves {'a' if saves else 'no'} snapshot"


def _checkpoint_before(_call: CheckpointCall, saves: bool) -> str:
    return "did before" if saves else "did not before"


def _depth_now(_call: DepthCall, depth: Option[int]) -> str:
    return f"a snapshot is kept at {depth.value}" if depth.present else "no snapshot is kept"


def _depth_before(_call: DepthCall, depth: Option[int]) -> str:
    return f"was one at {depth.value}" if depth.present else "was none"


_WORDS: dict[str, tuple[Callable[[Any, Any], str], Callable[[Any, Any], str]]] = {
    "chunk_len": (_chunk_now, _chunk_before),
    "split_point": (_split_now, _split_before),
    "tail_end": (_tail_end_now, _tail_end_before),
    "checkpoint": (_checkpoint_now, _checkpoint_before),
    "snapshot_depth": (_depth_now, _depth_before),
}
