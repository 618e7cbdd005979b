"""One sentence on what went wrong, in the words of the property that a call breaks."""

from collections.abc import Callable
from typing import Any

from prefill_spec.calls import (
    Call,
    CheckpointCall,
    ChunkCall,
    DepthCall,
    SplitCall,
    TailEndCall,
)
from prefill_spec.properties import is_ahead, last_boundary_in_reach
from prefill_spec.vocabulary import Option, is_tail_end, last_block_boundary


def violation(property_id: str, call: Call, answer: Any) -> str:
    """Return what a call's answer does that the property forbids.

    ``call`` and ``answer`` are concrete, and break the property; ``no-fault`` has no answer, its
    operation is reported beside the call.
    """
    return _SENTENCES[property_id](call, answer)


def _tokens(count: int) -> str:
    return f"{count} token" if count == 1 else f"{count} tokens"


def _chunk_empty(_call: ChunkCall, length: int) -> str:
    return f"an empty proposal gives a chunk of {_tokens(length)}"


def _chunk_length(call: ChunkCall, length: int) -> str:
    if length < 1:
        return f"a proposal of {_tokens(call.proposed)} gives a chunk of {length}: no progress"
    return f"the chunk has {_tokens(length)}, more than the {call.proposed} proposed"


def _chunk_last(call: ChunkCall, length: int) -> str:
    return f"a last chunk of {_tokens(call.proposed)} is returned as {length}"


def _chunk_split_stop(call: ChunkCall, length: int) -> str:
    end = call.offset + length
    passed = (stop for stop in call.mandatory_stops if is_ahead(call, stop) and end > stop.value)
    stop = min(passed, key=lambda stop: stop.value)
    name = "split point" if stop == call.split else "mandatory stop"
    return f"the chunk ends at {end}, past the {name} {stop.value}"


def _chunk_rest(call: ChunkCall, length: int) -> str:
    return f"{_chunk_last(call, length)}, with nothing inside it to stop at"


def _chunk_progress(call: ChunkCall, length: int) -> str:
    if 0 <= length <= call.proposed:
        return f"a proposal of {_tokens(call.proposed)} gives no chunk, and no better one comes"
    return f"the chunk has {_tokens(length)}, which is not in 0..={call.proposed}"


def _chunk_aligned(call: ChunkCall, length: int) -> str:
    return f"{_chunk_block_end(call, length)}, and at no mandatory stop"


def _chunk_grid(call: ChunkCall, length: int) -> str:
    return (
        f"the chunk ends at {call.offset + length}, past {last_boundary_in_reach(call)}, the last "
        "block boundary that it reaches"
    )


def _chunk_block_end(call: ChunkCall, length: int) -> str:
    return (
        f"the chunk ends at {call.offset + length}, which is not on a boundary of "
        f"{call.block_size.value}-token blocks"
    )


def _chunk_wy4(_call: ChunkCall, length: int) -> str:
    return f"the chunk has {_tokens(length)}, neither a multiple of 4 nor below 4"


def _chunk_maximal(call: ChunkCall, length: int) -> str:
    return f"the chunk ends at {call.offset + length}, short of where the other rules let it end"


def _split_existence(call: SplitCall, split: Option[int]) -> str:
    prompt = f"a prompt of {_tokens(call.total)} with block size {call.block_size.value}"
    if call.min_tail:
        prompt += f" and a minimum tail of {call.min_tail}"
    if split.present:
        return f"{prompt} has the split point {split.value}, and should have none"
    return f"{prompt} has no split point, and should have one"


def _split_aligned(call: SplitCall, split: Option[int]) -> str:
    return f"the split point {split.value} is not a positive multiple of {call.block_size.value}"


def _split_restorable(call: SplitCall, split: Option[int]) -> str:
    boundary = last_block_boundary(call.total, call.block_size.value)
    if boundary < call.block_size.value:
        return f"the split point is {split.value}, where no snapshot can be restored at all"
    return (
        f"the split point {split.value} is past {boundary - call.block_size.value}, one block "
        f"below the last block boundary {boundary}"
    )


def _split_replay(call: SplitCall, split: Option[int]) -> str:
    if split.value > call.total:
        return f"the split point {split.value} is past the end of the prompt at {call.total}"
    beyond = f", and a block or more above the minimum tail of {call.min_tail}"
    return (
        f"{call.total - split.value} tokens lie past the split point {split.value}, more than two "
        f"blocks of {call.block_size.value}{beyond if call.min_tail else ''}"
    )


def _split_tail(call: SplitCall, split: Option[int]) -> str:
    if split.value > call.total:
        return _split_replay(call, split)
    return (
        f"{_tokens(call.total - split.value)} lie past the split point {split.value}, fewer than "
        f"the minimum tail of {call.min_tail}"
    )


def _tail_end(call: TailEndCall, answer: bool) -> str:
    verb = "is taken for" if answer else "is not seen as"
    return f"the end {call.end_token} {verb} a prompt-tail end"


def _snapshot_never(call: CheckpointCall, _saves: bool) -> str:
    place = "block 0" if call.block_size.value else "a prompt without blocks"
    return f"the end {call.end_token} saves a snapshot in {place}"


def _snapshot_tail(call: CheckpointCall, _saves: bool) -> str:
    return f"the prompt-tail end {call.end_token} saves no snapshot"


def _snapshot_interval(call: CheckpointCall, saves: bool) -> str:
    assert not is_tail_end(call.end_token, call.total, call.block_size.value)
    does = "saves a snapshot" if saves else "saves no snapshot"
    block = call.end_token // call.block_size.value
    return f"the end {call.end_token} {does} in block {block} with interval {call.interval}"


def _snapshot_boundary(call: CheckpointCall, _saves: bool) -> str:
    return (
        f"the end {call.end_token} saves a snapshot and is not on a boundary of "
        f"{call.block_size.value}-token blocks"
    )


def _depth_past_prefix(call: DepthCall, depth: Option[int]) -> str:
    return f"the snapshot is kept at {depth.value}, not past the {call.prefix} restored"


def _depth_computed(call: DepthCall, depth: Option[int]) -> str:
    end = call.prefix + call.length
    return f"the snapshot is kept at {depth.value}, and only {_tokens(end)} are computed"


def _depth_grid(call: DepthCall, depth: Option[int]) -> str:
    block_size = call.block_size.value
    return f"the snapshot is kept at {depth.value}, which is no positive multiple of {block_size}"


def _depth_reachable(call: DepthCall, depth: Option[int]) -> str:
    return (
        f"the snapshot is kept at {depth.value}, and a lookup of the same {_tokens(call.total)} "
        "stops one before the end"
    )


def _depth_existence(call: DepthCall, _depth: Option[int]) -> str:
    end = min(call.prefix + call.length, call.total - 1)
    boundary = end // call.block_size.value * call.block_size.value
    return f"no snapshot is kept, and the block boundary {boundary} past {call.prefix} is computed"


_SENTENCES: dict[str, Callable[[Any, Any], str]] = {
    "chunk-empty": _chunk_empty,
    "chunk-length": _chunk_length,
    "chunk-last": _chunk_last,
    "chunk-split-stop": _chunk_split_stop,
    "chunk-grid": _chunk_grid,
    "chunk-block-end": _chunk_block_end,
    "chunk-wy4": _chunk_wy4,
    "chunk-maximal": _chunk_maximal,
    "chunk-stop": _chunk_split_stop,
    "chunk-rest": _chunk_rest,
    "chunk-progress": _chunk_progress,
    "chunk-aligned": _chunk_aligned,
    "split-existence": _split_existence,
    "split-aligned": _split_aligned,
    "split-restorable": _split_restorable,
    "split-replay": _split_replay,
    "split-tail": _split_tail,
    "tail-end": _tail_end,
    "snapshot-never": _snapshot_never,
    "snapshot-tail": _snapshot_tail,
    "snapshot-interval": _snapshot_interval,
    "snapshot-boundary": _snapshot_boundary,
    "depth-past-prefix": _depth_past_prefix,
    "depth-computed": _depth_computed,
    "depth-grid": _depth_grid,
    "depth-reachable": _depth_reachable,
    "depth-existence": _depth_existence,
}
