"""What is proved: one role of one planner, seen both as formulas and on ints.

A subject has the two meanings of the same function: ``encode`` gives the formulas of a call and
``run`` performs one. The prover never looks further than this.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from prefill_proofs.algebra import Algebra
from prefill_proofs.encodings import ENCODINGS, Encoding
from prefill_proofs.faults import FaultObligation, Faults
from prefill_proofs.types import USIZE, Input, OptionType, lifted, symbol
from prefill_proofs.types import in_range as type_range
from prefill_reference import planner
from prefill_spec.calls import (
    CALLS,
    OPTIONAL_ANSWERS,
    OPTIONAL_FIELDS,
    Call,
    further_arguments,
    is_natural,
    is_usize,
    parameters,
)
from prefill_spec.properties import Outcome
from prefill_spec.vocabulary import USIZE_MAX, Formula, all_of, option_of

Values = Mapping[str, Any]
"""A value for each input, by name: concrete or symbolic."""


class Encoded(NamedTuple):
    """One call as formulas: the call, the answer, and what the subject assumes of its inputs."""

    call: Call
    answer: Any
    assumption: Formula = True


class Fault(NamedTuple):
    """The operation that faulted, and its line in the source."""

    operation: str
    line: int


class Run(NamedTuple):
    """One call performed on ints; ``is_assumed`` tells whether the subject's assumptions hold."""

    call: Call
    answer: Any
    fault: Fault | None = None
    is_assumed: bool = True

    @property
    def outcome(self) -> Outcome:
        """The outcome as the specification sees it."""
        return Outcome(self.fault is not None, self.answer)


class Subject(Protocol):
    """One role of one planner."""

    @property
    def role(self) -> str:
        """The role, a key of ``calls.CALLS``."""

    @property
    def function(self) -> str:
        """The function's name in its source."""

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The inputs, those beyond the role's parameters included."""

    @property
    def block_size_input(self) -> str | None:
        """The name of the input that is the block size, when one input is."""

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The names of the inputs that are arguments of the role themselves."""

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs."""

    def run(self, values: Values) -> Run:
        """Perform the call with concrete inputs."""


def role_inputs(role: str) -> tuple[Input, ...]:
    """Return the inputs that a role has by itself."""
    return tuple(
        Input(name, OptionType(USIZE) if name in OPTIONAL_FIELDS else USIZE)
        for name in parameters(role)
    )


def symbolic_call(role: str, values: Values) -> Call:
    """Return a role's call from symbolic values of its parameters."""
    return CALLS[role](**{name: values[name] for name in parameters(role)})


def concrete_call(role: str, values: Values) -> Call:
    """Return a role's call from concrete values of its parameters."""
    arguments: dict[str, Any] = {
        name: option_of(values[name]) if name in OPTIONAL_FIELDS else values[name]
        for name in parameters(role)
    }
    return CALLS[role](**arguments)


def is_scheduled(call: Call, limit: int | None = USIZE_MAX) -> Formula:
    """Return whether a call is in the domain that the properties speak of."""
    return all_of(is_natural(call), True if limit is None else is_usize(call), call.domain())


@dataclass
class Problem:
    """One subject as formulas: everything a query needs."""

    algebra: Algebra
    values: Values
    call: Call
    answer: Any
    faults: Faults
    hypotheses: list[Formula]


def formulate(
    subject: Subject, pins: Values | None = None, limit: int | None = USIZE_MAX
) -> Problem:
    """Return a subject as formulas, with the inputs in ``pins`` fixed to those values.

    A value that is none of its input's type leaves no call.
    """
    algebra = Algebra()
    faults = Faults(limit)
    values: dict[str, Any] = {}
    ranges = []
    for entry in subject.inputs:
        if pins and entry.name in pins:
            values[entry.name] = lifted(algebra, pins[entry.name], entry.type)
        else:
            values[entry.name] = symbol(algebra, entry.name, entry.type)
        ranges.append(type_range(values[entry.name], entry.type, limit))
    encoded = subject.encode(values, faults, algebra)
    hypotheses = [*ranges, encoded.assumption, is_scheduled(encoded.call, limit)]
    return Problem(algebra, values, encoded.call, encoded.answer, faults, hypotheses)


@dataclass(frozen=True)
class HandEncoded:
    """A role given by a hand-written encoding and by the function it mirrors."""

    role: str
    function: str
    encoding: Encoding = field(repr=False)
    perform: Callable[[Call], Run] = field(repr=False)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The role's own parameters."""
        return role_inputs(self.role)

    @property
    def block_size_input(self) -> str:
        """The role's own parameter."""
        return "block_size"

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The role's own parameters."""
        return frozenset(parameters(self.role))

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs."""
        del algebra  # the values bring it along
        call = symbolic_call(self.role, values)
        return Encoded(call, self.encoding(call, faults))

    def run(self, values: Values) -> Run:
        """Perform the call with concrete inputs."""
        return self.perform(concrete_call(self.role, values))


def run_on_ints(encoding: Encoding) -> Callable[[Call], Run]:
    """Return the concrete twin of an encoding: the same lines, on ints."""

    def perform(call: Call) -> Run:
        faults = Faults()
        answer = encoding(call, faults)
        broken = [entry for entry in faults.obligations if entry.holds is False]
        return Run(call, None if broken else answer, _fault_of(broken))

    return perform


def _fault_of(broken: list[FaultObligation]) -> Fault | None:
    return Fault(broken[0].operation, broken[0].line) if broken else None


def run_reference(call: Call) -> Run:
    """Perform a call on the Python reference; an ``OverflowError`` is a fault."""
    function = getattr(planner, call.usual_name)
    options = {name: getattr(call, name) for name in parameters(call.role)}
    arguments = {
        name: value
        if name not in OPTIONAL_FIELDS
        else value.value
        if value.present or call.role != "chunk_len"
        else None
        for name, value in options.items()
    }
    try:
        answer = function(**arguments)
    except OverflowError as error:
        return Run(call, None, Fault(str(error), 0))
    return Run(call, option_of(answer) if call.role in OPTIONAL_ANSWERS else answer)


REFERENCE: tuple[HandEncoded, ...] = tuple(
    HandEncoded(role, CALLS[role].usual_name, encoding, run_reference)
    for role, encoding in ENCODINGS.items()
)
"""The shipped planner: its encodings, tied to its Python functions."""


def has_reference(call: Call) -> bool:
    """Return whether the reference knows a call's role and every argument that it was given."""
    return call.role in ENCODINGS and not further_arguments(call)
