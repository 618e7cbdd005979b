"""What every tool is asked: whether one property holds of one role of one planner.

A question is three words, so that a process of its own can be asked it. What it means, on ints and
as formulas, is loaded where it is needed.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from prefill_gate.config import Config, find_config
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs import own_source
from prefill_proofs.compiled import compiled
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Fault, HandEncoded, Run, Subject, Values
from prefill_reference import planner as reference
from prefill_spec.calls import CALLS, OPTIONAL_ANSWERS, OPTIONAL_FIELDS, Call
from prefill_spec.properties import PROPERTIES, Property
from prefill_spec.public_changes import PUBLIC_CHANGES
from prefill_spec.table import EVERY_PROPERTY
from prefill_spec.vocabulary import USIZE_MAX, Option, option_of

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"

REFERENCE = "reference"
"""The shipped planner in Python: the tools that run Python run this very file."""


class Question(NamedTuple):
    """A property of a role of a planner, each by its name."""

    planner: str
    role: str
    property_id: str

    @property
    def property(self) -> Property:
        """The property itself."""
        (found,) = (e for e in EVERY_PROPERTY if (e.role, e.id) == (self.role, self.property_id))
        return found


@dataclass(frozen=True)
class Planner:
    """A role of a planner; ``ask`` returns a call without its answer, ``perform`` makes it.

    ``computed`` are the arguments that an expression gives: any integer, where inputs keep to their
    types.
    """

    subject: Subject
    ask: Callable[[Values], Run]
    perform: Callable[[Values], Run]
    computed: tuple[str, ...] = ()

    def is_scheduled(self, values: Values) -> bool:
        """Return whether inputs, each within its type, give a call that the properties speak of.

        What ``subjects.is_scheduled`` says as one formula, without what the types say: a tool that
        runs Python would branch on that again.
        """
        run = self.ask(values)
        return run.is_assumed and self._is_usize(run.call) and bool(run.call.domain())

    def _is_usize(self, call: Call) -> bool:
        arguments = [getattr(call, name) for name in self.computed]
        numbers = [entry.value if isinstance(entry, Option) else entry for entry in arguments]
        return all(0 <= number <= USIZE_MAX for number in numbers)

    def holds(self, entry: Property, values: Values) -> bool:
        """Return whether a property holds of a scheduled call."""
        run = self.perform(values)
        return bool(entry.claim(run.call, run.outcome).formula())


def reference_questions() -> list[Question]:
    """Return every call-level property of the shipped planner; ``no-fault`` once a role."""
    return [Question(REFERENCE, entry.role, entry.id) for entry in PROPERTIES]


def bug_questions() -> list[Question]:
    """Return one property that each broken planner breaks: the first in the table's order.

    They are the mistakes of ``tests/broken_encodings.py``, of which it says what they break, and
    those of public engines in ``examples``, of which ``prefill_spec.public_changes`` does.
    """
    broken = {f"mistake {name}": entry.breaks for name, entry in _mistakes().items()}
    broken |= {f"example {change.id}": frozenset(change.before) for change in PUBLIC_CHANGES}
    roles = {f"mistake {name}": entry.subject.role for name, entry in _mistakes().items()}
    found = []
    for name, ids in broken.items():
        entries = [
            entry
            for entry in EVERY_PROPERTY
            if entry.id in ids and roles.get(name, entry.role) == entry.role
        ]
        # The planner as it is breaks what only warns: not what a mistake is known by.
        entries.sort(key=lambda entry: entry.level == "warn")
        found.append(Question(name, entries[0].role, entries[0].id))
    return found


@cache
def _mistakes() -> Mapping[str, Any]:
    sys.path.append(str(ROOT / "tests"))
    return {entry.subject.function: entry for entry in import_module("broken_encodings").BROKEN}


def load(question: Question) -> Planner:
    """Return the planner that a question is about, read from its own source."""
    kind, _, name = question.planner.partition(" ")
    match kind:
        case "mistake":
            return _mistaken(_mistakes()[name].subject)
        case "example":
            path = EXAMPLES / name / "before.py"
            return _read(_subject(path, find_config(None, path), question.role))
        case _:
            return _shipped(question.role)


def _subject(path: Path, config: Config, role: str) -> SourceSubject:
    roles = roles_of(open_planner(str(path)), config.planner)
    subject = roles.subject(role)
    if roles.errors or subject is None:
        raise ValueError(f"{path}: cannot be read as a {role}")
    return subject


def _read(subject: SourceSubject) -> Planner:
    """Return a role whose functions run as plain Python: the code that each tree compiles to."""
    bound = (*subject.fields.values(), *subject.stops, *subject.assume, subject.read)
    functions = [value for value in bound if isinstance(value, Function)]
    code = {id(function): compiled(function, {}) for function in functions}

    def perform(function: Function, arguments: tuple[Any, ...], _values: Values) -> Any:
        return code[id(function)](*arguments)

    def ask(function: Function, arguments: tuple[Any, ...], _values: Values) -> Any:
        return None if function is subject.read else code[id(function)](*arguments)

    return Planner(
        subject,
        lambda values: subject.run(values, ask),
        lambda values: subject.run(values, perform),
        tuple(name for name, value in subject.fields.items() if isinstance(value, Function)),
    )


def _called_directly(subject: Subject, answer: Callable[[Call, Values], Run]) -> Planner:
    """Return a role whose inputs are its arguments; nothing stands between a call and them."""
    make = CALLS[subject.role]
    arguments = [(entry.name, entry.name in OPTIONAL_FIELDS) for entry in subject.inputs]

    def call(values: Values) -> Call:
        given: dict[str, Any] = {
            name: option_of(values[name]) if may_be_absent else values[name]
            for name, may_be_absent in arguments
        }
        return make(**given)

    return Planner(
        subject,
        lambda values: Run(call(values), None),
        lambda values: answer(call(values), values),
    )


def _shipped(role: str) -> Planner:
    """Return a role of the shipped planner, whose functions are run as Python imports them."""
    subject = _subject(own_source.PATH, Config(planner=own_source.CONFIG), role)
    run, is_optional = getattr(reference, subject.function), role in OPTIONAL_ANSWERS

    def answer(call: Call, values: Values) -> Run:
        try:
            found = run(**values)
        except (OverflowError, ZeroDivisionError, TypeError) as error:
            return Run(call, None, Fault(str(error), 0))
        return Run(call, option_of(found) if is_optional else found)

    return _called_directly(subject, answer)


def _mistaken(subject: HandEncoded) -> Planner:
    """Return an encoding, which runs on ints as well."""

    def answer(call: Call, _values: Values) -> Run:
        faults = Faults()
        found = subject.encoding(call, faults)
        has_faulted = any(not entry.holds for entry in faults.obligations)
        return Run(call, found, Fault("an operation", 0) if has_faulted else None)

    return _called_directly(subject, answer)
