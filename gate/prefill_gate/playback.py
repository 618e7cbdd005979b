"""Witnesses as tests, ready to paste: in Rust, and for pytest."""

from dataclasses import dataclass
from typing import Any

from prefill_gate.config import find_config
from prefill_gate.paths import path_of
from prefill_gate.reports import complaint, plain
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs.prover import Verdict
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Values, has_reference, run_reference
from prefill_proofs.types import BoolType, IntType, OptionType, TupleType, Type

PYTEST_HEAD = "from prefill_gate.playback import answer"
"""What the pytest tests need, once."""


@dataclass(frozen=True)
class Playback:
    """A refuted property to be played back.

    ``is_pinned`` tells whether no property of the role is waived: then there is one right answer.
    """

    path: str
    config: str | None
    subject: SourceSubject
    verdict: Verdict
    is_pinned: bool

    @property
    def name(self) -> str:
        """The name of the tests."""
        return f"{self.subject.role}_keeps_{self.verdict.property.id}".replace("-", "_")

    @property
    def values(self) -> Values:
        """The inputs of the witness."""
        assert self.verdict.witness is not None
        return self.verdict.witness.values

    def wanted(self) -> tuple[str, Any]:
        """Return how a right answer compares to a value: it is this one, or it is not.

        The properties leave one answer to each call, and the reference gives it. Where the
        reference breaks the property itself, or the planner need not keep them all, the test only
        says that the answer is wrong.
        """
        assert self.verdict.witness is not None
        run = self.verdict.witness.run
        if self.is_pinned and has_reference(run.call):
            reference = run_reference(run.call)
            claim = self.verdict.property.claim(run.call, reference.outcome)
            if claim.formula() is True:
                return "==", plain(reference.answer)
        return "!=", plain(run.answer)

    def rust_test(self) -> str:
        """Return a ``#[test]`` that fails on the planner as it is."""
        operator, answer = self.wanted()
        macro = "assert_eq" if operator == "==" else "assert_ne"
        unknowns = self.subject.unknowns
        return "\n".join(
            [
                "#[test]",
                f"fn {self.name}() {{",
                f"    // {complaint(self.verdict)}",
                *(f"    // where {name}() gives {self.values[name]}" for name in unknowns),
                f"    {macro}!(",
                f"        {rust_call(self.subject, self.values, self.subject.short_name)},",
                f"        {rust_value(answer, self.subject.read.result)},",
                "    );",
                "}",
            ]
        )

    def pytest_test(self) -> str:
        """Return a pytest test that reads the planner's file, and fails on it as it is."""
        operator, answer = self.wanted()
        unknowns = self.subject.unknowns
        config = "" if self.config is None else f", config={self.config!r}"
        if answer is None or isinstance(answer, bool):
            operator = {"==": "is", "!=": "is not"}[operator]
        return "\n".join(
            [
                f"def test_{self.name}() -> None:",
                f"    # {complaint(self.verdict)}",
                *(f"    # where {name}() gives {self.values[name]}" for name in unknowns),
                f"    values = {dict(self.values)!r}",
                f"    planned = answer({self.path!r}, {self.subject.role!r}, values{config})",
                f"    assert planned {operator} {answer!r}",
            ]
        )


def rust_call(subject: SourceSubject, values: Values, name: str) -> str:
    """Return the call of a planner's function in Rust; a method is called on its struct."""
    arguments = [
        rust_value(argument, kind)
        for argument, (_, kind) in zip(
            subject.assembled(values), subject.read.parameters, strict=True
        )
    ]
    if subject.read.names[:1] == ("self",):
        return f"{arguments[0]}.{subject.short_name}({', '.join(arguments[1:])})"
    return f"{name}({', '.join(arguments)})"


def rust_value(value: Any, kind: Type) -> str:
    """Return a value as Rust spells it."""
    match kind:
        case IntType():
            return str(value)
        case BoolType():
            return "true" if value else "false"
        case OptionType(inner):
            return "None" if value is None else f"Some({rust_value(value, inner)})"
        case TupleType(items, names, struct, is_partial):
            parts = [rust_value(item, kind) for item, kind in zip(value, items, strict=True)]
            if names:
                fields = ", ".join(f"{n}: {part}" for n, part in zip(names, parts, strict=True))
                rest = ", ..Default::default()" if is_partial else ""
                return f"{struct} {{ {fields}{rest} }}"
            return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
    return "()"


def answer(path: str, role: str, values: dict[str, Any], config: str | None = None) -> Any:
    """Return what a planner file answers in a role, on ints, read from its source.

    ``values`` gives every input by its name, an absent one as ``None``; ``config`` replaces the
    ``prefill-gate.toml`` above the planner. Raises ``OverflowError`` where the planner faults,
    ``SourceError`` where it cannot be read, and ``KeyError`` for a role that it does not have.
    """
    roles = roles_of(open_planner(path), find_config(config, path_of(path)).planner)
    for error in roles.errors:
        raise error
    subject = roles.subject(role)
    if subject is None:
        raise KeyError(role)
    run = subject.run(values)
    if run.fault is not None:
        raise OverflowError(f"{run.fault.operation} faults at line {run.fault.line}")
    return plain(run.answer)
