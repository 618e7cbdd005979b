"""The reference in Rust, compiled, against the one in Python."""

import shutil
from pathlib import Path

import pytest
from hypothesis import strategies as st

from draws import drawn
from prefill_proofs.subjects import role_inputs, run_reference
from prefill_reference.planner import ssm_tail_boundary
from prefill_spec.calls import CALLS, OPTIONAL_FIELDS, Call, parameters
from prefill_spec.strategies import calls_of, usizes
from prefill_spec.vocabulary import Option, option_of
from rust_harness import FAULT, Answer, Arguments, RustPlanner, Signature, compile_planner

SOURCE = Path(__file__).parents[1] / "reference" / "rust" / "prefill_plan.rs"

RESULTS = {
    "chunk_len": "usize",
    "split_point": "Option<usize>",
    "tail_end": "bool",
    "checkpoint": "bool",
}


def types_of(role: str) -> tuple[str, ...]:
    """Return the Rust types of a role's arguments; only ``chunk_len`` takes options."""
    has_options = role == "chunk_len"
    return tuple(
        "Option<usize>" if has_options and entry.name in OPTIONAL_FIELDS else "usize"
        for entry in role_inputs(role)
    )


SIGNATURES = [
    Signature("ssm_tail_boundary", ("usize", "usize"), "Option<usize>"),
    *(Signature(CALLS[role].usual_name, types_of(role), RESULTS[role]) for role in RESULTS),
]


@pytest.fixture(scope="module")
def rust(tmp_path_factory: pytest.TempPathFactory) -> RustPlanner:
    if shutil.which("rustc") is None:
        pytest.skip("rustc is not installed")
    return compile_planner(SOURCE, SIGNATURES, tmp_path_factory.mktemp("rust"))


def rust_arguments(call: Call) -> Arguments:
    return [
        (value.value if value.present or kind == "usize" else None)
        if isinstance(value, Option)
        else value
        for name, kind in zip(parameters(call.role), types_of(call.role), strict=True)
        for value in [getattr(call, name)]
    ]


def expected_of(call: Call) -> Answer:
    run = run_reference(call)
    if run.fault is not None:
        return FAULT
    is_option = isinstance(run.answer, Option)
    return (run.answer.value if run.answer.present else None) if is_option else run.answer


def any_calls(role: str) -> st.SearchStrategy[Call]:
    """Return calls with any words at all, so that some overflow."""
    arguments = (
        (st.none() | usizes()).map(option_of) if name in OPTIONAL_FIELDS else usizes()
        for name in parameters(role)
    )
    return st.builds(CALLS[role], *arguments)


@pytest.mark.parametrize("role", RESULTS)
def test_the_rust_reference_answers_and_panics_like_the_python_one(
    rust: RustPlanner, role: str
) -> None:
    calls = drawn(calls_of(role) | any_calls(role), count=800)
    answers = rust.perform((call.usual_name, rust_arguments(call)) for call in calls)
    expected = [expected_of(call) for call in calls]
    differences = [
        (call, answer, wanted)
        for call, answer, wanted in zip(calls, answers, expected, strict=True)
        if answer != wanted
    ]
    assert differences == []
    assert len(calls) > 600
    assert (FAULT in answers) == (role == "chunk_len")


def test_the_rust_helper_finds_the_same_tail_boundaries(rust: RustPlanner) -> None:
    edges = [0, 1, 2, 3, 15, 16, 17, 31, 32, 33, 2**63, 2**64 - 2, 2**64 - 1]
    pairs = [(total, block_size) for total in edges for block_size in edges]
    answers = rust.perform(("ssm_tail_boundary", pair) for pair in pairs)
    assert answers == [ssm_tail_boundary(*pair) for pair in pairs]


def test_the_rust_reference_panics_where_a_proposed_end_leaves_usize(rust: RustPlanner) -> None:
    far = 2**64 - 1
    assert rust.perform([("plan_chunk_len", (far, far, 1, None, None))]) == [FAULT]
