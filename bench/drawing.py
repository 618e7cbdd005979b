"""Hypothesis: calls drawn for a property, the strategies of ``prefill_spec`` where they fit."""

from typing import Any

from hypothesis import HealthCheck, Phase, find, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

from bench.questions import Planner
from prefill_proofs.subjects import Values
from prefill_proofs.types import BoolType, Input, IntType, OptionType, Type
from prefill_spec.calls import Call, parameters
from prefill_spec.properties import Property
from prefill_spec.strategies import calls_of, usizes
from prefill_spec.vocabulary import USIZE_MAX, Option


def counterexample(planner: Planner, entry: Property, examples: int) -> Values | None:
    """Return the smallest inputs found on which a property fails, or ``None``."""
    chosen = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    try:
        return find(
            _inputs(planner),
            lambda values: planner.is_scheduled(values) and not planner.holds(entry, values),
            settings=chosen,
        )
    except NoSuchExample:
        return None


def _inputs(planner: Planner) -> SearchStrategy[dict[str, Any]]:
    """Return a strategy for a planner's inputs: any of each, or calls where they are a call."""
    inputs = planner.subject.inputs
    if tuple(entry.name for entry in inputs) == parameters(planner.subject.role):
        return calls_of(planner.subject.role).map(lambda call: _values(call, inputs))
    return st.fixed_dictionaries({entry.name: _any_of(entry.type) for entry in inputs})


def _values(call: Call, inputs: tuple[Input, ...]) -> dict[str, Any]:
    return {entry.name: _value(getattr(call, entry.name), entry.type) for entry in inputs}


def _value(drawn: Any, kind: Type) -> Any:
    if not isinstance(drawn, Option):
        return drawn
    return drawn.value if drawn.present or isinstance(kind, IntType) else None


def _any_of(kind: Type) -> SearchStrategy[Any]:
    match kind:
        case IntType(_, highest):
            return usizes(0, USIZE_MAX if highest is None else highest)
        case BoolType():
            return st.booleans()
        case OptionType(inner):
            return st.none() | _any_of(inner)
    raise TypeError(f"no strategy for {kind}")
