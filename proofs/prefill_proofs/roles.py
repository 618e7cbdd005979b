"""Which function of a source file plays which role, and which of its inputs are the role's.

Functions are found by their usual names, or by those that the configuration gives; parameters by
the role's names, leading underscores ignored, or by expressions of the configuration. Whatever else
a function takes is an input like any other: proved for all its values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from prefill_proofs.language import Function, Place, Unknown
from prefill_proofs.refusals import SourceError, suggestion
from prefill_proofs.role_config import PlannerConfig, RoleConfig, name_of
from prefill_proofs.source_subjects import SourceSubject, type_of
from prefill_proofs.types import (
    BOOL,
    USIZE,
    Input,
    IntType,
    OptionType,
    TupleType,
    Type,
)
from prefill_spec.calls import (
    CALLS,
    OPTIONAL_ANSWERS,
    OPTIONAL_FIELDS,
    further_parameters,
    parameters,
)

RESULTS: dict[str, Type] = {
    "chunk_len": USIZE,
    **dict.fromkeys(OPTIONAL_ANSWERS, OptionType(USIZE)),
}
"""What the functions of a role give, where that is no bool."""

BUILT_IN_TAKEN = "ssm_tail_boundary is the built-in one, for its own source is not at hand"
"""What is taken for granted where the one helper that every planner's crate imports is called."""

Text = tuple[str, Place]
"""A text of the configuration, and where it stands."""


class Asked(NamedTuple):
    """What a source is asked for: a function, and expressions and conditions over its inputs.

    ``result`` is the type that the role gives, ``numbers`` are the parameters that are the role's
    own by their name, and ``inputs`` the types that the configuration declares.
    """

    result: Type
    numbers: tuple[str, ...]
    expressions: tuple[Text, ...]
    conditions: tuple[Text, ...]
    inputs: Mapping[str, Text]


class Read(NamedTuple):
    """A function as it was read, with the expressions and conditions by their texts."""

    function: Function | Unknown
    expressions: Mapping[str, Function]
    conditions: Mapping[str, Function]


class Source(Protocol):
    """A source file that functions are read from, whatever its language."""

    @property
    def assumptions(self) -> list[str]:
        """What was taken for granted in reading."""

    def find(self, name: str) -> list[Any]:
        """Return the functions of a name or path."""

    def names(self) -> list[str]:
        """Return the names of the file's functions."""

    def place(self, candidate: Any) -> Place:
        """Return where a function stands."""

    def read(self, candidate: Any, asked: Asked) -> Read:
        """Return a function in the planner language, or raise ``SourceError``."""


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
    wanted = name_of(role, config)
    found = source.find(wanted)
    if not found:
        if config.function is not None:
            place = config.place_of(config.function)
            hint = suggestion(wanted, source.names())
            message = f"there is no function {wanted}{'; ' if hint else ''}{hint}"
            raise SourceError(place, f"role {role}", message)
        return None
    if len(found) > 1:
        places = " and ".join(f"{entry.qualified_name} ({source.place(entry)})" for entry in found)
        message = f"could be {places}; say which under [planner.roles]"
        raise SourceError(source.place(found[1]), f"role {role}", message)
    function, expressions, conditions = source.read(found[0], _asked(role, config))
    place = source.place(found[0])
    if isinstance(function, Unknown):
        raise SourceError(
            place, f"function {function.name}", f"takes no arguments; it is no {role}"
        )
    _require_result(role, function)
    inputs = tuple(
        entry
        for name, (_, kind) in zip(function.names, function.parameters, strict=True)
        for entry in leaves(name, kind)
    )
    fields: dict[str, Input | Function] = {}
    missing: list[str] = []

    def bound(given: str) -> Input | Function:
        named = next((entry for entry in inputs if entry.name == given.strip()), None)
        return named or expressions[given]

    stops = tuple(bound(given) for given in config.stops)
    further = [name for name in further_parameters(role) if name in config.fields]
    for parameter in (*parameters(role), *further):
        given = config.fields.get(parameter)
        if given is not None:
            fields[parameter] = bound(given)
        else:
            match = _match(parameter, inputs, function)
            if match is not None:
                fields[parameter] = match
            elif parameter in OPTIONAL_FIELDS:
                missing.append(parameter)
            else:
                hint = f'[planner.roles.{role}] {parameter} = "..."'
                message = f"has no parameter {parameter}; say which input it is: {hint}"
                raise SourceError(place, f"function {function.name}", message)
    for parameter, value in (*fields.items(), *(("stops", stop) for stop in stops)):
        _require_parameter(parameter, type_of(value), function)
    for text, condition in conditions.items():
        if condition.result != BOOL:
            word = "assume" if text in config.assume else "except"
            raise SourceError(config.place_of(text), f"{word} {text!r}", "is no condition")
    assume = tuple(conditions[text] for text in config.assume)
    regions = {name: conditions[text] for name, text in config.regions.items()}
    unknowns = dict(function.unknowns)
    given_fields = [entry for entry in (*fields.values(), *stops) if isinstance(entry, Function)]
    for expression in (*assume, *regions.values(), *given_fields):
        unknowns |= expression.unknowns
    for entry in inputs:
        if entry.name in unknowns:
            message = f"{entry.name} is an argument and an unknown constant; rename one"
            raise SourceError(place, f"function {function.name}", message)
    return SourceSubject(
        role,
        function,
        inputs,
        fields,
        tuple(missing),
        assume,
        config.assume,
        unknowns,
        stops,
        regions,
    )


def _asked(role: str, config: RoleConfig) -> Asked:
    """Return what a source is asked for, of a role."""

    def texts(*given: str) -> tuple[Text, ...]:
        return tuple((text, config.place_of(text)) for text in given)

    declared = {name: (kind, config.place_of(name)) for name, kind in config.inputs.items()}
    own = parameters(role)
    return Asked(
        RESULTS.get(role, BOOL),
        own,
        texts(*config.fields.values(), *config.stops),
        texts(*config.assume, *config.regions.values()),
        declared,
    )


def input_hint(text: str, names: list[str]) -> str:
    """Return the input that is nearest to a name in an expression which no input has."""
    known = {"self", *names, *(part for name in names for part in name.split("."))}
    for word in re.findall(r"[A-Za-z_][\w.]*", text):
        if not known.issuperset([word]) and not known.issuperset(word.split(".")):
            hint = suggestion(word, names) or f"the inputs are {', '.join(names)}"
            return f"; in {text!r}, {hint}"
    return ""


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
            function.place, f"function {function.name}", f"{parameter} could be {names}; say which"
        )
    return found[0] if found else None


def _require_parameter(parameter: str, kind: Type, function: Function) -> None:
    inner = kind.inner if isinstance(kind, OptionType) and parameter in OPTIONAL_FIELDS else kind
    if not isinstance(inner, IntType):
        message = f"{parameter} is of type {kind}; a planner's is an integer"
        raise SourceError(function.place, f"function {function.name}", message)


def _require_result(role: str, function: Function) -> None:
    result, wanted = function.result, RESULTS.get(role, BOOL)
    inner, wanted_inner = (
        kind.inner if isinstance(kind, OptionType) else kind for kind in (result, wanted)
    )
    is_option = isinstance(result, OptionType) == isinstance(wanted, OptionType)
    if not is_option or type(inner) is not type(wanted_inner):
        message = f"gives {result}; the role {role} gives {wanted}"
        raise SourceError(function.place, f"function {function.name}", message)
