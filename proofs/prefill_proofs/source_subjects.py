"""One role of a planner read from source, as formulas and on ints."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any

from prefill_proofs import concrete
from prefill_proofs.algebra import Algebra
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function, Place
from prefill_proofs.refusals import SourceError, TooLargeError
from prefill_proofs.subjects import Encoded, Fault, Run, Values
from prefill_proofs.symbolic import evaluate
from prefill_proofs.terms import choose
from prefill_proofs.types import Input, IntType, OptionType, TupleType, Type
from prefill_spec.calls import CALLS, OPTIONAL_ANSWERS, OPTIONAL_FIELDS, Call, parameters
from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, all_of, negate, option_of

STOPS = frozenset({"split", "stops", "limit"})
"""The arguments that a call is none the less without: where their expression faults, or is no count
of tokens, there is no such stop."""

Perform = Callable[[Function, tuple[Any, ...], Values], Any]
"""Returns what a function answers to arguments on ints, or raises ``concrete.FaultError``."""


def type_of(value: Input | Function) -> Type:
    """Return the type of what an argument of a role is bound to."""
    return value.result if isinstance(value, Function) else value.type


@dataclass(frozen=True)
class SourceSubject:
    """One role of a planner read from source.

    ``regions`` are where the configuration excepts a property, by its id; ``left_out`` is the one
    that is left out of the calls looked at.
    """

    role: str
    read: Function
    arguments: tuple[Input, ...]
    fields: Mapping[str, Input | Function]
    missing: tuple[str, ...]
    assume: tuple[Function, ...]
    assume_texts: tuple[str, ...]
    unknowns: Mapping[str, Type]
    stops: tuple[Input | Function, ...] = ()
    regions: Mapping[str, Function] = field(default_factory=dict)
    left_out: Function | None = None

    @property
    def function(self) -> str:
        """The function's name in its source."""
        return self.read.name

    @property
    def is_narrowed(self) -> bool:
        """Whether the configuration or a type leaves out calls that a run may make."""
        return len(self.limits) > len(self.missing)

    @property
    def limits(self) -> list[str]:
        """What is taken of the calls that are looked at, beyond the role's own domain."""
        found = [f"{name} is absent" for name in self.missing] + list(self.assume_texts)
        for name, value in (*self.fields.items(), *(("a stop", stop) for stop in self.stops)):
            kind = type_of(value)
            inner = kind.inner if isinstance(kind, OptionType) else kind
            if isinstance(value, Function):
                is_stop = name in STOPS or name == "a stop"
                rest = ", absent where that faults" if is_stop else " and that does not fault"
                found.append(f"{name} is {value.name}{rest}")
            elif list(self.fields.values()).count(value) > 1:
                found.append(f"{name} is {value.name}, which is another argument too")
            if isinstance(inner, IntType) and inner.highest not in (None, USIZE_MAX):
                found.append(f"{name} fits in {inner}")
        if self.left_out is not None:
            found.append(f"not ({self.left_out.name})")
        return found

    def outside(self, property_id: str) -> SourceSubject:
        """Return the subject without the calls that a property is excepted for."""
        return replace(self, left_out=self.regions[property_id])

    def widened(self, kept: str = "") -> SourceSubject:
        """Return the subject without assumptions, any value for what an expression gave.

        An argument of the role that is another one too is any value as well. What the one named
        ``kept`` is stays as it is.
        """
        bound = list(self.fields.values())
        free = {
            name: Input(f"any {name}", type_of(value))
            for name, value in self.fields.items()
            if value != self.fields.get(kept)
            and (isinstance(value, Function) or bound.count(value) > 1)
        }
        return replace(
            self,
            arguments=(*self.arguments, *free.values()),
            fields={**self.fields, **free},
            assume=(),
            assume_texts=(),
            left_out=None,
        )

    @property
    def short_name(self) -> str:
        """The function's name without the module or type that it stands in."""
        return re.split(r"::|\.", self.read.name)[-1]

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The function's inputs, and the unknown constants that it depends on."""
        return self.arguments + tuple(Input(name, kind) for name, kind in self.unknowns.items())

    @property
    def block_size_input(self) -> str | None:
        """The name of the input that is the block size, when it is one."""
        value = self.fields.get("block_size")
        return value.name if isinstance(value, Input) else None

    @property
    def bound_inputs(self) -> frozenset[str]:
        """The names of the inputs that are arguments of the role themselves."""
        bound = (*self.fields.values(), *self.stops)
        return frozenset(value.name for value in bound if isinstance(value, Input))

    def assembled(self, values: Values) -> tuple[Any, ...]:
        """Return the function's arguments from its inputs."""
        return tuple(
            _assemble(name, kind, values)
            for name, (_, kind) in zip(self.read.names, self.read.parameters, strict=True)
        )

    def encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        """Return the call with symbolic inputs."""
        try:
            return self._encode(values, faults, algebra)
        except TooLargeError as error:
            message = "comes to too much once its calls are written out; make it smaller"
            raise SourceError(self.read.place, f"function {self.read.name}", message) from error

    def _encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        arguments = self.assembled(values)
        beside = Faults(faults.limit)

        def expression(function: Function) -> Any:
            return evaluate(function, arguments, values, algebra, beside)

        def alone(function: Function) -> tuple[Formula, Any]:
            """Return whether an expression does not fault, and its value where it does not."""
            own = Faults(faults.limit)
            answer = evaluate(function, arguments, values, algebra, own)
            return own.sound(), answer

        def bound(name: str, value: Input | Function) -> Any:
            if isinstance(value, Input):
                return _symbolic_field(name, values[value.name])
            if name not in STOPS:
                return _symbolic_field(name, expression(value))
            sound, answer = alone(value)
            found = _symbolic_field(name, answer)
            highest = True if faults.limit is None else found.value <= faults.limit
            present = all_of(sound, found.present, found.value >= 0, highest)
            return Option(present, choose(present, found.value, algebra.constant(0)))

        fields: dict[str, Any] = {name: bound(name, value) for name, value in self.fields.items()}
        if self.stops:
            fields["stops"] = tuple(bound("stops", stop) for stop in self.stops)
        absent = Option(False, algebra.constant(0))
        fields |= dict.fromkeys(self.missing, absent)
        call = CALLS[self.role](**fields)
        conditions: list[Formula] = [expression(condition) for condition in self.assume]
        if self.left_out is not None:
            # Where the region's own expression faults it excepts nothing.
            conditions.append(negate(all_of(*alone(self.left_out))))
        answer = evaluate(self.read, arguments, values, algebra, faults)
        return Encoded(call, answer, all_of(*conditions, beside.sound()))

    def lines_run(self, values: Values, file: str) -> list[int]:
        """Return the lines of a file that a call with concrete inputs comes through, in order.

        The last one is where the answer is made, or where the call faults.
        """
        visited: list[Place] = []
        try:
            concrete.run(self.read, self.assembled(values), values, visited)
        except concrete.FaultError as fault:
            visited.append(fault.place)
        return [line for line, _ in groupby(place.line for place in visited if place.file == file)]

    def run(self, values: Values, perform: Perform = concrete.run) -> Run:
        """Perform the call with concrete inputs; ``perform`` runs each function on ints."""
        arguments = self.assembled(values)
        is_assumed = True
        fields: dict[str, Any] = {name: option_of(None) for name in self.missing}

        def bound(name: str, value: Input | Function) -> Any:
            if isinstance(value, Input):
                found = values[value.name]
                return option_of(found) if name in OPTIONAL_FIELDS else found
            if name not in STOPS:
                found = perform(value, arguments, values)
                return option_of(found) if name in OPTIONAL_FIELDS else found
            try:
                found = perform(value, arguments, values)
            except concrete.FaultError:
                found = None
            is_count = found is not None and 0 <= found <= USIZE_MAX
            return option_of(found if is_count else None)

        try:
            fields |= {name: bound(name, value) for name, value in self.fields.items()}
            if self.stops:
                fields["stops"] = tuple(bound("stops", stop) for stop in self.stops)
            for condition in self.assume:
                is_assumed = is_assumed and perform(condition, arguments, values)
            is_assumed = is_assumed and not self._is_left_out(arguments, values)
        except concrete.FaultError:
            # An expression of the configuration that faults describes no scheduled call.
            nothing: dict[str, Any] = {
                name: option_of(None) if name in OPTIONAL_FIELDS else 0
                for name in parameters(self.role)
            }
            return Run(CALLS[self.role](**nothing), None, is_assumed=False)
        call = CALLS[self.role](**fields)
        return self.performed(call, is_assumed, lambda: perform(self.read, arguments, values))

    def performed(self, call: Call, is_assumed: bool, perform: Callable[[], Any]) -> Run:
        """Return what comes of a concrete call, which is performed here."""
        try:
            answer = perform()
        except concrete.FaultError as fault:
            return Run(call, None, Fault(fault.operation, fault.place.line), is_assumed)
        if self.role in OPTIONAL_ANSWERS:
            answer = option_of(answer)
        return Run(call, answer, is_assumed=is_assumed)

    def _is_left_out(self, arguments: tuple[Any, ...], values: Values) -> bool:
        try:
            return self.left_out is not None and concrete.run(self.left_out, arguments, values)
        except concrete.FaultError:
            return False


def _assemble(name: str, kind: Type, values: Values) -> Any:
    if isinstance(kind, TupleType) and kind.names:
        return tuple(
            _assemble(f"{name}.{field_name}", item, values)
            for field_name, item in zip(kind.names, kind.items, strict=True)
        )
    return values[name]


def _symbolic_field(name: str, value: Any) -> Any:
    if name in OPTIONAL_FIELDS and not isinstance(value, Option):
        return Option(True, value)
    return value
