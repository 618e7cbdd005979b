"""What a planner is asked: the five roles, their arguments, and the domain of each call.

The fields carry ints or terms. ``block_size`` is an option in every role: an absent one means 0.
A field with a default is a *further* argument: only a configuration gives it, and what it gives may
be any integer.
"""

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, fields
from typing import Any, ClassVar, TypeAlias

from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, Term, all_of, any_of, option_of

ABSENT: Option[Term] = option_of(None)
"""An argument that is not there."""


@dataclass(frozen=True)
class ChunkCall:
    """Asks for the length of the chunk at ``offset``, given what the scheduler proposes.

    ``stops`` are further tokens where a chunk has to stop, beside the split point, and ``limit`` is
    the most tokens that any one proposal can have.
    """

    offset: Term
    total: Term
    proposed: Term
    block_size: Option[Term]
    split: Option[Term]
    stops: tuple[Option[Term], ...] = ()
    limit: Option[Term] = ABSENT

    role: ClassVar[str] = "chunk_len"
    usual_name: ClassVar[str] = "plan_chunk_len"

    @property
    def proposed_end(self) -> Term:
        """The token at which the chunk would end if it were taken as proposed."""
        return self.offset + self.proposed

    @property
    def mandatory_stops(self) -> tuple[Option[Term], ...]:
        """The split point and the further stops."""
        return (self.split, *self.stops)

    def domain(self) -> Formula:
        """Return whether the call starts in the prompt and proposes at most what remains."""
        return all_of(
            self.offset <= self.total,
            self.proposed <= self.total - self.offset,
        )


@dataclass(frozen=True)
class SplitCall:
    """Asks for the split point of a prompt, with at least ``min_tail`` tokens left after it."""

    total: Term
    block_size: Option[Term]
    min_tail: Term = 0

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


@dataclass(frozen=True)
class DepthCall:
    """Asks at which token a snapshot is kept, after ``length`` tokens were computed.

    ``prefix`` tokens were restored before them; the answer is absent where none is kept.
    """

    prefix: Term
    length: Term
    total: Term
    block_size: Option[Term]

    role: ClassVar[str] = "snapshot_depth"
    usual_name: ClassVar[str] = "snapshot_depth"

    def domain(self) -> Formula:
        """Return whether what was restored and what was computed lies in the prompt."""
        return all_of(
            self.prefix <= self.total,
            self.length <= self.total - self.prefix,
        )


Call: TypeAlias = ChunkCall | SplitCall | TailEndCall | CheckpointCall | DepthCall

CALLS: dict[str, type[Call]] = {
    call.role: call for call in (ChunkCall, SplitCall, TailEndCall, CheckpointCall, DepthCall)
}
"""The call of each role, in the order in which reports list them."""

UNANNOUNCED_ROLES = frozenset({DepthCall.role})
"""The roles that most planners do without: no report mentions one that is not there."""

OPTIONAL_FIELDS = frozenset({"block_size", "split", "stops", "limit"})
"""The arguments that may be absent; of the stops, each."""

OPTIONAL_ANSWERS = frozenset({SplitCall.role, DepthCall.role})
"""The roles whose answer may be absent."""


def parameters(role: str) -> tuple[str, ...]:
    """Return the names of the arguments that every call of a role has, in order."""
    return tuple(field.name for field in fields(CALLS[role]) if field.default is MISSING)


def further_parameters(role: str) -> tuple[str, ...]:
    """Return the names of the arguments that only a configuration gives, in order."""
    return tuple(field.name for field in fields(CALLS[role]) if field.default is not MISSING)


def further_arguments(call: Call) -> dict[str, Any]:
    """Return the further arguments that a call was given, by name."""
    # By identity, for a comparison of terms is a formula.
    return {
        field.name: getattr(call, field.name)
        for field in fields(call)
        if field.default is not MISSING and getattr(call, field.name) is not field.default
    }


def numbers(call: Call) -> Iterator[Term]:
    """Yield each number that every call of its role has; that of an absent option is 0."""
    for name in parameters(call.role):
        value = getattr(call, name)
        yield value.value if isinstance(value, Option) else value


def is_natural(call: Call) -> Formula:
    """Return whether those numbers are natural, and 0 where they are absent."""
    values = [getattr(call, name) for name in parameters(call.role)]
    options = [value for value in values if isinstance(value, Option)]
    return all_of(
        *(number >= 0 for number in numbers(call)),
        *(any_of(option.present, option.value == 0) for option in options),
    )


def is_usize(call: Call) -> Formula:
    """Return whether those numbers fit in 64 bits."""
    return all_of(*(number <= USIZE_MAX for number in numbers(call)))
