"""The prefill planner: where chunks end, and which ends carry a snapshot.

All counts are tokens. Every argument is a ``usize``: an int outside 0..=2**64-1, a bool or a float
is a ``ValueError`` naming it. An intermediate result outside ``usize`` is an ``OverflowError``,
where the Rust planner would panic.
"""

from prefill_reference.usize import checked, require_usize
from prefill_spec.vocabulary import WY4


def ssm_tail_boundary(total: int, block_size: int) -> int | None:
    """Return the last block boundary strictly under ``total``, or ``None`` for a short prompt.

    ``None`` exactly when ``block_size`` is 0 or ``total <= block_size``. Source: the helper that
    the planner's split rule calls.
    """
    require_usize(total=total, block_size=block_size)
    if block_size == 0 or total <= block_size:
        return None
    return (total - 1) // block_size * block_size


def tail_split_point(total: int, block_size: int) -> int | None:
    """Return the token at which the prompt is split so that its tail snapshot stays restorable.

    One block below the last block boundary strictly under ``total``; ``None`` exactly when that is
    not above token 0. The next turn's block-floored match lands at that boundary or one block
    below it, so a snapshot here is restorable by both. Source: the split rule.
    """
    require_usize(total=total, block_size=block_size)
    boundary = ssm_tail_boundary(total, block_size)
    if boundary is None:
        return None
    split = boundary - block_size
    return split if split > 0 else None


def plan_chunk_len(
    offset: int,
    total: int,
    proposed: int,
    block_size: int | None,
    split: int | None,
) -> int:
    """Return the length of the chunk at ``offset``, at most ``proposed`` tokens.

    An empty proposal and a last chunk (``offset + proposed >= total``) are returned unchanged. Any
    other chunk ends at the last block boundary it reaches, when that is past ``offset``; then at
    ``split``, when it would still span it; and its length is rounded down to a multiple of 4,
    unless it is below 4. ``block_size`` ``None`` or 0 means no block boundaries.

    Raises ``OverflowError`` when ``offset + proposed`` leaves ``usize``. Source: the chunk rule.
    """
    require_usize(offset=offset, total=total, proposed=proposed, block_size=block_size, split=split)
    if proposed == 0:
        return proposed
    end = checked(offset + proposed, "offset + proposed")
    if end >= total:
        return proposed
    if block_size:
        boundary = end // block_size * block_size
        if boundary > offset:
            end = boundary
    if split is not None and offset < split < end:
        end = split
    length = end - offset
    return length // WY4 * WY4 if length >= WY4 else length


def is_checkpoint_chunk_end(end_token: int, total: int, block_size: int, interval: int) -> bool:
    """Return whether a non-last chunk that ends at ``end_token`` saves a snapshot.

    A prompt-tail end does, and so does an end in a block whose index is a multiple of ``interval``
    (in blocks; 0 turns these off). Block 0 and block size 0 never do. The end is floored to its
    block first, so it need not be on a boundary. Source: the snapshot rule.
    """
    require_usize(end_token=end_token, total=total, block_size=block_size, interval=interval)
    if block_size == 0:
        return False
    block_index = end_token // block_size
    is_on_interval = interval > 0 and block_index % interval == 0
    return block_index != 0 and (is_prompt_tail_end(end_token, total, block_size) or is_on_interval)


def is_prompt_tail_end(end_token: int, total: int, block_size: int) -> bool:
    """Return whether an end is the last block boundary under ``total`` or one block below it.

    Never for block size 0; for an empty prompt the last boundary is 0. A warm request's
    block-floored match lands at one of the two. Source: the tail rule.
    """
    require_usize(end_token=end_token, total=total, block_size=block_size)
    if block_size == 0:
        return False
    boundary = max(total - 1, 0) // block_size * block_size
    return end_token == boundary or (boundary >= block_size and end_token == boundary - block_size)
