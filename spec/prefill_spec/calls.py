"""What a planner is asked: the four roles, their arguments, and the domain of each call.

The fields carry ints or terms. ``block_size`` is an option in every role: an absent one means 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, Term, all_of, any_of


@dataclass(frozen=True)
class ChunkCall:
    """Asks for the length of the chunk at ``offset``, given what the scheduler proposes."""

    offset: Term
    total: Term
    proposed: Term
    block_size: Option[Term]
    split: Option[Term]

    role: ClassVar[str] = "chunk_len"
    usual_name: ClassVar[str] = "plan_chunk_len"

    @property
    def proposed_end(self) -> Term:
        """The token at which the chunk would end if it were taken as proposed."""
        return self.offset + self.proposed

    def domain(self) -> Formula:
        """Return whether the call starts in the prompt and proposes at most what remains."""
        return all_of(
            self.offset <= self.total,
            self.proposed <= self.total - self.offset,
        )


@dataclass(frozen=True)
class SplitCall:
    """Asks for the split point of a prompt."""

    total: Term
    block_size: Option[Term]

    role: ClassVar[str] = "split_point"
    usual_name: ClassVar[str] = "tail_split_point"

    def domain(self) -> Formula:
        """Return true: any prompt and any block size."""
        return True


@dataclass(frozen=True)
class TailEndCall:
    """Asks whether a chunk end is a prompt-tail end; the end may lie past the total."""

    end_token: Term
    total: Term
    block_size: Option[Term]

    role: ClassVar[str] = "tail_end"
    usual_name: ClassVar[str] = "is_prompt_tail_end"

    def domain(self) -> Formula:
        """Return true: any end, prompt and block size."""
        return True


@dataclass(frozen=True)
class CheckpointCall:
    """Asks whether a non-last chunk that ends at ``end_token`` saves a snapshot."""

    end_token: Term
    total: Term
    block_size: Option[Term]
    interval: Term

    role: ClassVar[str] = "checkpoint"
    usual_name: ClassVar[str] = "is_checkpoint_chunk_end"

    def domain(self) -> Formula:
        """Return true: any end, prompt, block size and interval."""
        return True


Call: TypeAlias = ChunkCall | SplitCall | TailEndCall | CheckpointCall

CALLS: dict[str, type[Call]] = {
    call.role: call for call in (ChunkCall, SplitCall, TailEndCall, CheckpointCall)
}
"""The call of each role, in the order in which reports list them."""

OPTIONAL_FIELDS = frozenset({"block_size", "split"})
"""The arguments that may be absent."""


def parameters(role: str) -> tuple[str, ...]:
    """Return the names of a role's arguments, in order."""
    return tuple(field.name for field in fields(CALLS[role]))


def numbers(call: Call) -> Iterator[Term]:
    """Yield every number of a call, that of an absent option included (it is 0)."""
    for field in fields(call):
        value = getattr(call, field.name)
        yield value.value if isinstance(value, Option) else value


def is_natural(call: Call) -> Formula:
    """Return whether every argument is a natural number, and 0 where it is absent."""
    options = [value for value in vars(call).values() if isinstance(value, Option)]
    return all_of(
        *(number >= 0 for number in numbers(call)),
        *(any_of(option.present, option.value == 0) for option in options),
    )


def is_usize(call: Call) -> Formula:
    """Return whether every argument fits in 64 bits."""
    return all_of(*(number <= USIZE_MAX for number in numbers(call)))
