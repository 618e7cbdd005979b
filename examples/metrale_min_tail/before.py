"""A planner that splits one block below the last block boundary."""


def tail_split_point(total, block_size, min_tail=256):
    """Return where the prefill of a prompt is split, if it is."""
    if block_size == 0 or total <= block_size:
        return None
    split = (total - 1) // block_size * block_size - block_size
    return split if split > 0 else None
