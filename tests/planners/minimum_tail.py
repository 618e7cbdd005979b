"""A split point that leaves a minimum of tokens behind it."""

MIN_ROWS = 6


def tail_split_point(total: int, block_size: int) -> int | None:
    if block_size <= 0 or total <= MIN_ROWS:
        return None
    kept = max(block_size, MIN_ROWS)
    split = (total - 1) // block_size * block_size - -(-kept // block_size) * block_size
    return None if split <= 0 else split


def is_prompt_tail_end(end_token: int, total: int, block_size: int) -> bool:
    split = tail_split_point(total, block_size)
    return split is not None and end_token == split
