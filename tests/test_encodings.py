"""The hand-written encodings against the Python reference, at full width."""

from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from meanings import meaning_of
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.formulas import conjunction
from prefill_proofs.multiples import facts
from prefill_proofs.subjects import (
    REFERENCE,
    HandEncoded,
    Problem,
    concrete_call,
    formulate,
    run_on_ints,
    run_reference,
)
from prefill_spec.calls import OPTIONAL_FIELDS, Call, parameters
from prefill_spec.properties import Outcome, properties_of
from prefill_spec.strategies import calls_of, usizes
from prefill_spec.vocabulary import Option

each_role = pytest.mark.parametrize("subject", REFERENCE, ids=lambda subject: subject.role)


@cache
def symbolic(role: str) -> Problem:
    (subject,) = (entry for entry in REFERENCE if entry.role == role)
    return formulate(subject)


@cache
def stated(role: str) -> tuple[Problem, list[Any], list[Any]]:
    """Return a problem, its properties as formulas, and all that a proof assumes."""
    (subject,) = (entry for entry in REFERENCE if entry.role == role)
    problem = formulate(subject)
    outcome = Outcome(problem.faults.faulted(), problem.answer)
    claims = [entry.claim(problem.call, outcome) for entry in properties_of(role)]
    known = facts(problem.algebra)
    return problem, claims, [*problem.hypotheses, *problem.algebra.definitions, *known]


def plain(value: Any) -> Any:
    return (value.value if value.present else None) if isinstance(value, Option) else value


def arguments_of(call: Call) -> dict[str, int | None]:
    return {name: plain(getattr(call, name)) for name in parameters(call.role)}


def unscheduled_calls(subject: HandEncoded) -> st.SearchStrategy[Call]:
    """Return calls with any words at all, most of which no scheduler makes."""
    arguments = {
        entry.name: st.none() | usizes() if entry.name in OPTIONAL_FIELDS else usizes()
        for entry in subject.inputs
    }
    return st.fixed_dictionaries(arguments).map(lambda values: concrete_call(subject.role, values))


@each_role
@given(data=st.data())
@settings(max_examples=200)
def test_an_encoding_answers_and_faults_like_the_reference(
    subject: HandEncoded, data: st.DataObject
) -> None:
    call = data.draw(calls_of(subject.role) | unscheduled_calls(subject))
    problem = symbolic(subject.role)
    meaning = meaning_of(problem, arguments_of(call), data.draw(st.integers(-3, 3)))
    expected = run_reference(call)
    assert meaning.truth(problem.faults.faulted()) == (expected.fault is not None)
    if expected.fault is None:
        assert meaning.value(problem.answer) == plain(expected.answer)


@each_role
@given(data=st.data())
@settings(max_examples=200)
def test_an_encoding_on_ints_answers_and_faults_like_the_reference(
    subject: HandEncoded, data: st.DataObject
) -> None:
    call = data.draw(calls_of(subject.role) | unscheduled_calls(subject))
    run, expected = run_on_ints(ENCODINGS[subject.role])(call), run_reference(call)
    assert (run.fault is None) == (expected.fault is None)
    assert plain(run.answer) == plain(expected.answer)


@each_role
@given(data=st.data())
def test_an_encoding_with_every_input_fixed_is_a_constant(
    subject: HandEncoded, data: st.DataObject
) -> None:
    call = data.draw(calls_of(subject.role))
    pins = arguments_of(call)
    problem = formulate(subject, pins)
    assert problem.faults.faulted() is False
    assert problem.algebra.atoms == []
    expected = plain(run_reference(call).answer)
    assert meaning_of(problem, pins).value(problem.answer) == expected


@each_role
@given(data=st.data())
@settings(max_examples=60)
def test_what_a_proof_assumes_holds_of_every_scheduled_call(
    subject: HandEncoded, data: st.DataObject
) -> None:
    call = data.draw(calls_of(subject.role))
    problem, _, assumed = stated(subject.role)
    meaning = meaning_of(problem, arguments_of(call), data.draw(st.integers(-3, 3)))
    assert meaning.truth(conjunction(assumed))


@each_role
@given(data=st.data())
def test_a_property_says_the_same_of_terms_and_of_ints(
    subject: HandEncoded, data: st.DataObject
) -> None:
    call = data.draw(calls_of(subject.role))
    problem, claims, _ = stated(subject.role)
    meaning = meaning_of(problem, arguments_of(call), data.draw(st.integers(-3, 3)))
    outcome = run_reference(call).outcome
    for entry, claim in zip(properties_of(subject.role), claims, strict=True):
        concrete = entry.claim(call, outcome)
        assert meaning.truth(claim.when) == concrete.when, entry.id
        assert meaning.truth(claim.formula()) == concrete.formula(), entry.id


def test_a_proposed_end_past_usize_is_a_fault_of_the_encoding_too() -> None:
    problem = symbolic("chunk_len")
    far = {"offset": 2**64 - 1, "total": 2**64 - 1, "proposed": 1}
    meaning = meaning_of(problem, far | {"block_size": None, "split": None})
    assert meaning.truth(problem.faults.faulted())
