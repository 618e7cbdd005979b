"""A planner that leaves the last pass a minimum of rows after the split."""


def tail_split_point(total, block_size, min_tail=256):
    """Return where the prefill of a prompt is split, if it is."""
    if block_size == 0 or total <= block_size or total < min_tail:
        return None
    below = (total - 1) // block_size * block_size - block_size
    split = min(below, (total - min_tail) // block_size * block_size)
    return split if split > 0 else None
