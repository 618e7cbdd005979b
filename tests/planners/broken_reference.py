"""The reference's planner with a slip in each role."""


def tail_split_point(total: int, block_size: int) -> int | None:
    if block_size == 0 or total <= 2 * block_size:
        return None
    return total // block_size * block_size - block_size


def plan_chunk_len(
    offset: int, total: int, proposed: int, block_size: int | None, split: int | None
) -> int:
    end = offset + proposed
    if end >= total or proposed == 0:
        return proposed
    if block_size:
        end = max(end // block_size * block_size, offset + 1)
    if split and offset < split < end:
        end = split
    length = end - offset
    return length if length < 4 else length // 4 * 4


def is_prompt_tail_end(end_token: int, total: int, block_size: int) -> bool:
    if not block_size:
        return False
    last = total // block_size * block_size
    return end_token in (last, last - block_size)


def is_checkpoint_chunk_end(end_token: int, total: int, block_size: int, interval: int) -> bool:
    if not block_size or end_token < block_size:
        return False
    if is_prompt_tail_end(end_token, total, block_size):
        return True
    return interval > 0 and end_token % interval == 0
