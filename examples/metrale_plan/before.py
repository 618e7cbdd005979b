"""A planner that rounds middle chunks for the kernel, and leaves the first as proposed."""


def plan_chunk_len(offset, total, proposed, block_size, split):
    """Return the length of the chunk at ``offset``."""
    if offset == 0 or offset + proposed >= total or proposed < 4:
        return proposed
    return proposed // 4 * 4
