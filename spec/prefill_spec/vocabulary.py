"""The words of the specification, for ints and symbolic terms alike.

Glossary (the same word everywhere in this project; all counts are tokens unless said):

- *prompt*: ``total`` tokens to prefill. *Chunk*: the tokens one call plans, from ``offset`` on.
- *proposed*: how many tokens the scheduler offers for the chunk.
- *block*: ``block_size`` tokens of the key/value cache; a *block boundary* is a multiple of it.
- *last block boundary*: the last one strictly under ``total`` (0 for an empty prompt).
- *prefix match*: how much of a prompt a cache already holds, floored to whole blocks.
- *snapshot*: the recurrent state saved where a chunk ends; it is *restorable* by a match that is
  at least as deep.
- *split point*: the token at which the prefill of a prompt's tail is divided, so that a snapshot
  there can be restored by the next request.
- *prompt-tail end*: a chunk end at the last block boundary or one block below it.
- *interval*: a snapshot is also saved at each block whose index is a multiple of it (0: never).
- *obligation*: a formula to prove. *Witness*: concrete inputs on which a formula fails.
- *fault*: an overflow, underflow, division by zero or unwrap of nothing; Rust panics there.

A *term* is an int, or a symbolic integer with the same operators and an ``at_least`` method. A
*formula* is a bool, or a symbolic truth value with ``&``, ``|`` and ``~``.
"""

from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

Term: TypeAlias = Any
Formula: TypeAlias = Any
Value = TypeVar("Value")

USIZE_MAX = 2**64 - 1
"""The greatest ``usize`` on the 64-bit machines that planners run on."""

WY4 = 4
"""Tokens; the recurrent kernel takes intermediate chunks in multiples of this many."""


class Option(NamedTuple, Generic[Value]):
    """A value that may be absent; an absent number is carried as 0."""

    present: Formula
    value: Value


def option_of(value: int | None) -> Option[int]:
    """Return the option for a Python value, ``None`` being absent."""
    return Option(value is not None, 0 if value is None else value)


def all_of(*parts: Formula) -> Formula:
    """Return the conjunction of the parts; true when there are none."""
    result: Formula = True
    for part in parts:
        if part is False or result is False:
            return False
        if part is not True:
            result = part if result is True else result & part
    return result


def any_of(*parts: Formula) -> Formula:
    """Return the disjunction of the parts; false when there are none."""
    result: Formula = False
    for part in parts:
        if part is True or result is True:
            return True
        if part is not False:
            result = part if result is False else result | part
    return result


def negate(part: Formula) -> Formula:
    """Return the opposite of a formula."""
    return (not part) if isinstance(part, bool) else ~part


def implies(assumption: Formula, conclusion: Formula) -> Formula:
    """Return the formula that holds unless the assumption holds and the conclusion fails."""
    return any_of(negate(assumption), conclusion)


def iff(left: Formula, right: Formula) -> Formula:
    """Return the formula that holds when both sides hold or neither does."""
    return all_of(implies(left, right), implies(right, left))


def quotient(dividend: Term, divisor: Term) -> Term:
    """Return the whole quotient; 0 for the divisor 0, where no statement looks."""
    return 0 if isinstance(divisor, int) and divisor == 0 else dividend // divisor


def remainder(dividend: Term, divisor: Term) -> Term:
    """Return the remainder of a division; the dividend for the divisor 0, where none looks."""
    return dividend if isinstance(divisor, int) and divisor == 0 else dividend % divisor


def floor_to(value: Term, step: Term) -> Term:
    """Return the last multiple of ``step`` at or below ``value``, for a positive ``step``."""
    return value - remainder(value, step)


def divides(divisor: Term, value: Term) -> Formula:
    """Return whether ``value`` is a multiple of ``divisor``; only 0 is a multiple of 0."""
    return any_of(
        all_of(divisor == 0, value == 0),
        all_of(divisor > 0, remainder(value, divisor) == 0),
    )


def last_block_boundary(total: Term, block_size: Term) -> Term:
    """Return the last block boundary strictly under ``total``; 0 for an empty prompt."""
    before_end = max(total - 1, 0) if isinstance(total, int) else (total - 1).at_least(0)
    return floor_to(before_end, block_size)


def is_tail_end(end: Term, total: Term, block_size: Term) -> Formula:
    """Return whether ``end`` is the last block boundary under ``total`` or one block below it.

    Never for block size 0. A warm request's block-floored match lands at one of the two.
    """
    boundary = last_block_boundary(total, block_size)
    return all_of(
        block_size > 0,
        any_of(
            end == boundary,
            all_of(boundary >= block_size, end == boundary - block_size),
        ),
    )
