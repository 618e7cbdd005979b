"""A planner whose middle chunks end on blocks, and at the split point."""


def plan_chunk_len(offset: int, total: int, proposed: int, block_size: int, split: int | None):
    """Return the length of the chunk at ``offset``."""
    end = offset + proposed
    if proposed == 0 or end >= total:
        return proposed
    if block_size > 0 and (boundary := end - end % block_size) > offset:
        end = boundary
    if split is not None and offset < split < end:
        end = split
    length = end - offset
    return length - length % 4 if length >= 4 else length
