"""What the scheduler proposes: how many tokens the next chunk may have.

A proposal is asked for with the number of answers that the run has had, and what remains of the
prompt in tokens. It is at least 1 and at most what remains.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

Proposals: TypeAlias = Callable[[int, int], int]
"""From the number of earlier answers and the remaining tokens to the proposed tokens."""


def budgeted(first: int, following: int) -> Proposals:
    """Return the proposals of a scheduler with ``first`` tokens for a run's first chunk.

    Every later chunk is offered ``following`` tokens, and none more than what remains.
    """
    if first < 1 or following < 1:
        raise ValueError(f"a proposal is at least 1 token, not {min(first, following)}")
    return lambda answered, remaining: min(following if answered else first, remaining)


def dense(prefill_budget: int, max_batch_size: int) -> Proposals:
    """Return the proposals of a dense serve; both arguments are tokens.

    Its first chunk takes the decode slots of a whole batch on top of the prefill budget.
    """
    return budgeted(prefill_budget + max_batch_size, prefill_budget)


def listed(proposals: Sequence[int]) -> Proposals:
    """Return arbitrary proposals: those listed, the last one again and again."""
    if not proposals or min(proposals) < 1:
        raise ValueError(f"needs proposals of at least 1 token, not {list(proposals)}")
    return lambda answered, remaining: min(proposals[min(answered, len(proposals) - 1)], remaining)
