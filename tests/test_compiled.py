"""One tree, two runs on ints: interpreted, and as a Python function built from its nodes."""

from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefill_gate.config import find_config
from prefill_gate.sources import open_planner, roles_of
from prefill_proofs import build, concrete
from prefill_proofs import language as tree
from prefill_proofs.compiled import compiled
from prefill_proofs.entries import ENTRIES, FIRST_PASS, bound_by_run, entry_of, is_first_pass
from prefill_proofs.types import BOOL, NEVER, UNIT, USIZE, BoolType, Input, OptionType, TupleType
from prefill_spec.strategies import usizes
from prefill_spec.vocabulary import USIZE_MAX, Option
from tree_draws import UNKNOWNS, functions, inputs

ROOT = Path(__file__).parent.parent
PLACE = tree.Place("tree.rs", 1, 1)
PLANNERS = sorted(
    str(path.relative_to(ROOT))
    for pattern in ("tests/planners/*.rs", "tests/planners/*.py", "examples/*/after.py")
    for path in ROOT.glob(pattern)
)


def interpreted_answer(
    function: tree.Function, arguments: tuple[Any, ...], unknowns: Mapping[str, Any]
) -> Any:
    try:
        return concrete.run(function, arguments, unknowns)
    except concrete.FaultError as fault:
        return (fault.operation, fault.place)


def compiled_answer(
    function: tree.Function, arguments: tuple[Any, ...], unknowns: Mapping[str, Any]
) -> Any:
    try:
        return compiled(function, unknowns)(*arguments)
    except concrete.FaultError as fault:
        return (fault.operation, fault.place)


def number_function(body: tree.Expression) -> tree.Function:
    return tree.Function("f", ("a",), (("a", USIZE),), USIZE, body, PLACE)


def literal(value: int) -> tree.Expression:
    return tree.Literal(value, USIZE)


@given(functions(), st.lists(inputs(), min_size=3, max_size=3))
@settings(max_examples=120)
def test_a_compiled_tree_answers_and_faults_as_an_interpreted_one(
    function: tree.Function, calls: list[dict[str, Any]]
) -> None:
    for given_inputs in calls:
        arguments = tuple(given_inputs[name] for name in function.names)
        unknowns = {name: given_inputs[name] for name in UNKNOWNS}
        expected = interpreted_answer(function, arguments, unknowns)
        found = compiled_answer(function, arguments, unknowns)
        assert found == expected
        assert type(found) is type(expected)


@pytest.mark.parametrize("operator", "+-*/%")
def test_each_operator_faults_at_the_edges_of_its_type_alone(operator: str) -> None:
    edges = (0, 1, 2, USIZE_MAX // 2, USIZE_MAX // 2 + 1, USIZE_MAX - 1, USIZE_MAX)
    for left, right in product(edges, edges):
        operands = literal(left), tree.Variable("a", USIZE)
        function = number_function(tree.Arithmetic(operator, *operands, USIZE, PLACE, "a text"))
        expected = interpreted_answer(function, (right,), {})
        assert compiled_answer(function, (right,), {}) == expected


def value_of(entry: Input) -> st.SearchStrategy[Any]:
    inner = entry.type.inner if isinstance(entry.type, OptionType) else entry.type
    value = st.booleans() if isinstance(inner, BoolType) else usizes()
    return st.none() | value if isinstance(entry.type, OptionType) else value


@pytest.mark.parametrize("name", PLANNERS)
@settings(max_examples=15)
@given(data=st.data())
def test_a_compiled_planner_answers_as_an_interpreted_one(name: str, data: st.DataObject) -> None:
    planner = open_planner(str(ROOT / name))
    subjects = roles_of(planner, find_config(None, ROOT / name).planner).subjects
    for subject in subjects:
        values = {
            entry.name: data.draw(value_of(entry), label=entry.name) for entry in subject.inputs
        }
        arguments = subject.assembled(values)
        expected = interpreted_answer(subject.read, arguments, values)
        assert compiled_answer(subject.read, arguments, values) == expected


@pytest.mark.parametrize("name", PLANNERS)
@settings(max_examples=15)
@given(data=st.data())
def test_what_a_run_calls_is_the_role_itself(name: str, data: st.DataObject) -> None:
    planner = open_planner(str(ROOT / name))
    for subject in roles_of(planner, find_config(None, ROOT / name).planner).subjects:
        if subject.role not in ENTRIES or subject.stops:
            continue
        fields = bound_by_run(subject)
        bound = [field for field in fields.values() if isinstance(field, Input)]
        if len(bound) < len(fields):
            continue
        call = [
            data.draw(value_of(Input(name, kind)), label=name)
            for name, kind in ENTRIES[subject.role].items()
        ]
        given_call = dict(zip(ENTRIES[subject.role], call, strict=True))
        values: dict[str, Any] = {}
        for entry in subject.inputs:
            if entry not in bound and not is_first_pass(entry):
                values[entry.name] = data.draw(value_of(entry), label=entry.name)
        made = entry_of(subject, values)
        for field_name, field in fields.items():
            value = given_call[field_name]
            is_zero = value is None and not isinstance(field.type, OptionType)
            values[field.name] = 0 if is_zero else value
        for entry in subject.inputs:
            if is_first_pass(entry):
                values[entry.name] = given_call.get(FIRST_PASS, False)
        run = subject.run(values)
        if run.fault is not None or not run.is_assumed:
            with pytest.raises(ArithmeticError):
                compiled(*made)(*call)
        else:
            answer = compiled(*made)(*call)
            expected = run.answer
            if isinstance(expected, Option):
                expected = expected.value if expected.present else None
            assert answer == expected


def test_an_operand_is_read_before_a_later_one_assigns_to_it() -> None:
    later = build.block([tree.Set("a", literal(7), UNIT)], literal(1))
    function = number_function(build.unchecked("+", tree.Variable("a", USIZE), later, PLACE))
    assert compiled(function, {})(3) == concrete.run(function, (3,), {}) == 4


@pytest.mark.parametrize(
    ("option", "is_there"),
    [
        (build.some(literal(3)), True),
        (build.some(tree.MakeTuple((literal(3), build.TRUE), TupleType((USIZE, BOOL)))), True),
        (build.none(USIZE), False),
    ],
)
def test_asking_for_a_known_option_is_compiled_without_a_warning(
    option: tree.Expression, is_there: bool
) -> None:
    body = tree.If(build.is_some(option), literal(1), literal(0), USIZE)
    call = compiled(number_function(body), {})
    # What cannot be compiled, for a warning too, is interpreted by a function without this name.
    assert call.__name__ == "function_0"
    assert call(0) == is_there


def test_what_a_planner_calls_itself_is_no_name_of_the_code() -> None:
    name = "__import__('os')\nraise SystemExit"
    unknown = tree.Unknown(name, USIZE)
    body = build.unchecked("+", tree.Variable(name, USIZE), unknown, PLACE)
    function = tree.Function(name, (name,), ((name, USIZE),), USIZE, body, PLACE)
    assert compiled(function, {name: 2})(3) == 5


def test_closures_nested_too_deep_for_python_are_interpreted() -> None:
    is_small = build.compare("<", tree.Variable("a", USIZE), literal(10), PLACE)
    body: tree.Expression = literal(1)
    for depth in range(40):
        leaves = tree.If(is_small, tree.Return(literal(depth), NEVER, PLACE), build.NOTHING, UNIT)
        body = tree.Closure(tree.Block((leaves,), body, USIZE), USIZE)
    function = number_function(body)
    answer = compiled(function, {})
    assert [answer(3), answer(30)] == [39, 1]


def test_a_long_chain_of_branches_is_compiled() -> None:
    body: tree.Expression = literal(0)
    for step in range(200):
        is_it = tree.Equal(tree.Variable("a", USIZE), literal(step), BOOL)
        body = tree.If(is_it, tree.Return(literal(step + 1), NEVER, PLACE), body, USIZE)
    answer = compiled(number_function(body), {})
    assert [answer(0), answer(199), answer(200)] == [1, 200, 0]
