"""Which function of a source file plays which role, and which of its inputs are the role's.

Functions are found by their usual names, or by those that the configuration gives; parameters by
the role's names, leading underscores ignored, or by expressions of the configuration. Whatever else
a function takes is an input like any other: proved for all its values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from prefill_proofs import concrete
from prefill_proofs.algebra import Algebra
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function, Place, Unknown
from prefill_proofs.refusals import SourceError, TooLargeError
from prefill_proofs.subjects import Encoded, Fault, Run, Values
from prefill_proofs.symbolic import evaluate
from prefill_proofs.types import (
    BOOL,
    BoolType,
    Input,
    IntType,
    OptionType,
    TupleType,
    Type,
)
from prefill_spec.calls import CALLS, OPTIONAL_FIELDS, parameters
from prefill_spec.vocabulary import USIZE_MAX, Formula, Option, all_of, option_of


@dataclass(frozen=True)
class RoleConfig:
    """What the configuration says of one role.

    ``function`` is a name or path; ``fields`` gives an expression over the function's inputs for a
    parameter of the role; ``assume`` are conditions on the inputs. ``place`` is where it says so.
    """

    function: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    assume: tuple[str, ...] = ()
    place: Place = field(default_factory=lambda: Place("prefill-gate.toml", 1, 1))


@dataclass(frozen=True)
class PlannerConfig:
    """What the configuration says of a planner."""

    roles: Mapping[str, RoleConfig] = field(default_factory=dict)
    externs: Mapping[str, Path] = field(default_factory=dict)


class Source(Protocol):
    """A source file that functions are read from, whatever its language."""

    @property
    def assumptions(self) -> list[str]:
        """What was taken for granted in reading."""

    def find(self, name: str) -> list[Any]:
        """Return the functions of a name or path."""

    def place(self, candidate: Any) -> Place:
        """Return where a function stands."""

    def read(self, candidate: Any) -> Function | Unknown:
        """Return a function in the planner language, or raise ``SourceError``."""

    def expression(self, candidate: Any, text: str, where: Place) -> Function:
        """Return an expression over a function's parameters, or raise ``SourceError``."""


@dataclass
class Roles:
    """The roles of a file: those that could be read, those that it lacks, and what went wrong."""

    subjects: list[SourceSubject] = field(default_factory=list)
    errors: list[SourceError] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    assumptions: list[str] = field(default_factory=list)

    def subject(self, role: str) -> SourceSubject | None:
        """Return the subject of a role, ``None`` when the file lacks it."""
        return next((entry for entry in self.subjects if entry.role == role), None)


def read_roles(source: Source, config: PlannerConfig, name: str) -> Roles:
    """Read every role that a file defines; ``name`` is what messages call the file.

    A role that cannot be read is among the errors, and so is a file without any role.
    """
    roles = Roles()
    for role in CALLS:
        try:
            subject = read_role(source, role, config.roles.get(role, RoleConfig()))
        except SourceError as error:
            roles.errors.append(error)
            roles.failed.append(role)
            continue
        except RecursionError:
            place = Place(name, 1, 1)
            roles.errors.append(
                SourceError(
                    place, "deep nesting", "something is nested too deeply, or made of itself"
                )
            )
            roles.failed.append(role)
            continue
        if subject is not None:
            roles.subjects.append(subject)
    if not roles.subjects and not roles.errors:
        names = ", ".join(call.usual_name for call in CALLS.values())
        message = f"defines none of {names}; name its functions under [planner.roles]"
        roles.errors.append(SourceError(Place(name, 1, 1), "no planner", message))
    roles.assumptions += source.assumptions
    return roles


def read_role(source: Source, role: str, config: RoleConfig) -> SourceSubject | None:
    """Read one role, ``None`` when the file does not define it."""
    wanted = config.function or CALLS[role].usual_name
    found = source.find(wanted)
    if not found:
        if config.function is not None:
            raise SourceError(config.place, f"role {role}", f"there is no function {wanted}")
        return None
    if len(found) > 1:
        places = " and ".join(f"{entry.qualified_name} ({source.place(entry)})" for entry in found)
        message = f"could be {places}; say which under [planner.roles]"
        raise SourceError(source.place(found[1]), f"role {role}", message)
    function = source.read(found[0])
    place = source.place(found[0])
    if isinstance(function, Unknown):
        raise SourceError(place, f"fn {function.name}", f"takes no arguments; it is no {role}")
    _require_result(role, function)
    inputs = tuple(
        entry
        for name, (_, kind) in zip(function.names, function.parameters, strict=True)
        for entry in leaves(name, kind)
    )
    fields: dict[str, Input | Function] = {}
    missing: list[str] = []
    for parameter in parameters(role):
        given = config.fields.get(parameter)
        named = next((entry for entry in inputs if entry.name == (given or "").strip()), None)
        if named is not None:
            fields[parameter] = named
        elif given is not None:
            fields[parameter] = source.expression(found[0], given, config.place)
        else:
            match = _match(parameter, inputs, function)
            if match is not None:
                fields[parameter] = match
            elif parameter in OPTIONAL_FIELDS:
                missing.append(parameter)
            else:
                hint = f'[planner.roles.{role}] {parameter} = "..."'
                message = f"has no parameter {parameter}; say which input it is: {hint}"
                raise SourceError(place, f"fn {function.name}", message)
    for parameter, value in fields.items():
        _require_parameter(parameter, _type_of(value), function)
    assume = tuple(source.expression(found[0], text, config.place) for text in config.assume)
    for condition, text in zip(assume, config.assume, strict=True):
        if condition.result != BOOL:
            raise SourceError(config.place, f"assume {text!r}", "is no condition")
    unknowns = dict(function.unknowns)
    given_fields = [entry for entry in fields.values() if isinstance(entry, Function)]
    for expression in (*assume, *given_fields):
        unknowns |= expression.unknowns
    for entry in inputs:
        if entry.name in unknowns:
            message = f"{entry.name} is an argument and an unknown constant; rename one"
            raise SourceError(place, f"fn {function.name}", message)
    return SourceSubject(
        role, function, inputs, fields, tuple(missing), assume, config.assume, unknowns
    )


def leaves(name: str, kind: Type) -> list[Input]:
    """Return the inputs that a parameter stands for: the fields of a struct, or itself."""
    if isinstance(kind, TupleType) and kind.names:
        return [
            leaf
            for field_name, item in zip(kind.names, kind.items, strict=True)
            for leaf in leaves(f"{name}.{field_name}", item)
        ]
    return [Input(name, kind)]


def _match(parameter: str, inputs: tuple[Input, ...], function: Function) -> Input | None:
    """Return the input that a role's parameter is by its name: an argument, or else a field."""
    arguments = [entry for entry in inputs if entry.name.lstrip("_") == parameter]
    fields_of = [entry for entry in inputs if entry.name.rpartition(".")[2] == parameter]
    found = arguments or fields_of
    if len(found) > 1:
        names = " and ".join(entry.name for entry in found)
        raise SourceError(
            function.place, f"fn {function.name}", f"{parameter} could be {names}; say which"
        )
    return found[0] if found else None


def _type_of(value: Input | Function) -> Type:
    return value.result if isinstance(value, Function) else value.type


def _require_parameter(parameter: str, kind: Type, function: Function) -> None:
    inner = kind.inner if isinstance(kind, OptionType) and parameter in OPTIONAL_FIELDS else kind
    if not isinstance(inner, IntType):
        message = f"{parameter} is of type {kind}; a planner's is an integer"
        raise SourceError(function.place, f"fn {function.name}", message)


def _require_result(role: str, function: Function) -> None:
    result = function.result
    wanted = {"chunk_len": "usize", "split_point": "Option<usize>"}.get(role, "bool")
    fits = {
        "chunk_len": isinstance(result, IntType),
        "split_point": isinstance(result, OptionType) and isinstance(result.inner, IntType),
    }.get(role, isinstance(result, BoolType))
    if not fits:
        message = f"gives {result}; the role {role} gives {wanted}"
        raise SourceError(function.place, f"fn {function.name}", message)


@dataclass(frozen=True)
class SourceSubject:
    """One role of a planner read from source."""

    role: str
    read: Function
    arguments: tuple[Input, ...]
    fields: Mapping[str, Input | Function]
    missing: tuple[str, ...]
    assume: tuple[Function, ...]
    assume_texts: tuple[str, ...]
    unknowns: Mapping[str, Type]

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
        for name, value in self.fields.items():
            kind = _type_of(value)
            inner = kind.inner if isinstance(kind, OptionType) else kind
            if isinstance(value, Function):
                found.append(f"{name} is {value.name} and that does not fault")
            elif list(self.fields.values()).count(value) > 1:
                found.append(f"{name} is {value.name}, which is another argument too")
            if isinstance(inner, IntType) and inner.highest not in (None, USIZE_MAX):
                found.append(f"{name} fits in {inner}")
        return found

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
        return frozenset(value.name for value in self.fields.values() if isinstance(value, Input))

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
            raise SourceError(self.read.place, f"fn {self.read.name}", message) from error

    def _encode(self, values: Values, faults: Faults, algebra: Algebra) -> Encoded:
        arguments = self.assembled(values)
        beside = Faults(faults.limit)

        def expression(function: Function) -> Any:
            return evaluate(function, arguments, values, algebra, beside)

        fields: dict[str, Any] = {
            name: _symbolic_field(
                name, values[value.name] if isinstance(value, Input) else expression(value)
            )
            for name, value in self.fields.items()
        }
        absent = Option(False, algebra.constant(0))
        fields |= dict.fromkeys(self.missing, absent)
        call = CALLS[self.role](**fields)
        conditions: list[Formula] = [expression(condition) for condition in self.assume]
        answer = evaluate(self.read, arguments, values, algebra, faults)
        return Encoded(call, answer, all_of(*conditions, beside.sound()))

    def lines_run(self, values: Values, file: str) -> list[int]:
        """Return the lines of a file that a call with concrete inputs comes through."""
        visited: set[Place] = set()
        with suppress(concrete.FaultError):
            concrete.run(self.read, self.assembled(values), values, visited)
        return sorted({place.line for place in visited if place.file == file})

    def run(self, values: Values) -> Run:
        """Perform the call with concrete inputs."""
        arguments = self.assembled(values)
        is_assumed = True
        fields: dict[str, Any] = {name: option_of(None) for name in self.missing}
        try:
            for name, value in self.fields.items():
                found = (
                    values[value.name]
                    if isinstance(value, Input)
                    else concrete.run(value, arguments, values)
                )
                fields[name] = option_of(found) if name in OPTIONAL_FIELDS else found
            for condition in self.assume:
                is_assumed = is_assumed and concrete.run(condition, arguments, values)
        except concrete.FaultError:
            # An expression of the configuration that faults describes no scheduled call.
            nothing: dict[str, Any] = {
                name: option_of(None) if name in OPTIONAL_FIELDS else 0
                for name in parameters(self.role)
            }
            return Run(CALLS[self.role](**nothing), None, is_assumed=False)
        call = CALLS[self.role](**fields)
        try:
            answer = concrete.run(self.read, arguments, values)
        except concrete.FaultError as fault:
            return Run(call, None, Fault(fault.operation, fault.place.line), is_assumed)
        if self.role == "split_point":
            answer = option_of(answer)
        return Run(call, answer, is_assumed=is_assumed)


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
