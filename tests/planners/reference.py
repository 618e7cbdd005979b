"""The reference's planner, written once more: all four roles, by their usual names."""

WY4 = 4


def tail_split_point(total: int, block_size: int) -> int | None:
    if block_size == 0 or total <= block_size:
        return None
    split = (total - 1) // block_size * block_size - block_size
    return split if split > 0 else None


def plan_chunk_len(
    offset: int, total: int, proposed: int, block_size: int | None, split: int | None
) -> int:
    end = offset + proposed
    if end >= total or proposed == 0:
        return proposed
    if block_size:
        boundary = end // block_size * block_size
        end = boundary if boundary > offset else end
    if split is not None and offset < split < end:
        end = split
    length = end - offset
    return length if length < WY4 else length & ~(WY4 - 1)


def is_prompt_tail_end(end_token: int, total: int, block_size: int) -> bool:
    if not block_size:
        return False
    last = max(total - 1, 0) // block_size * block_size
    return end_token in (last, last - block_size)


def is_checkpoint_chunk_end(end_token: int, total: int, block_size: int, interval: int) -> bool:
    if not block_size or end_token < block_size:
        return False
    if is_prompt_tail_end(end_token, total, block_size):
        return True
    return interval > 0 and end_token // block_size % interval == 0
