"""Mutators make every small change, in any language, and leave a tree that still has a meaning."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefill_gate.sources import PlannerFile, roles_of
from prefill_proofs import concrete
from prefill_proofs.guarded import guarded
from prefill_proofs.language import Function
from prefill_proofs.mutations import Mutant, mutants_of
from prefill_proofs.role_config import PlannerConfig
from prefill_proofs.types import BoolType, IntType, OptionType, TupleType, Type
from symbolic_calls import SymbolicCall, concrete_answer
from tree_draws import UNKNOWNS, functions, inputs

HELPER = "fn least(a: usize, b: usize) -> usize { if a < b { a } else { b } }"


def read(name: str, text: str) -> Function:
    roles = roles_of(PlannerFile(name, text.encode(), None), PlannerConfig())
    assert not roles.errors, roles.errors[0].shown()
    (subject,) = roles.subjects
    return subject.read


def in_rust(body: str) -> Function:
    head = "fn tail_split_point(total: usize, block_size: usize) -> Option<usize>"
    return read("planner.rs", f"{head} {{\n{body}\n}}\n{HELPER}\n")


def in_python(body: str) -> Function:
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return read("planner.py", f"def tail_split_point(total, block_size):\n{lines}")


def changes(function: Function) -> list[str]:
    return [mutant.change for mutant in mutants_of(function)]


def becomes(before: str, *after: str) -> list[str]:
    return [f"`{before}` becomes `{other}`" for other in after]


COMPARED = {
    "total < block_size": ("total <= block_size", "total != block_size"),
    "total <= block_size": ("total < block_size", "total == block_size"),
    "total > block_size": ("total >= block_size", "total != block_size"),
    "total >= block_size": ("total > block_size", "total == block_size"),
    "total == block_size": ("total <= block_size", "total >= block_size"),
    "total != block_size": ("total < block_size", "total > block_size"),
}
"""The two that take the place of each comparison."""


def branching(comparison: str) -> list[Function]:
    """Return one function in each language."""
    return [
        in_rust(f"if {comparison} {{ return None; }} Some(total)"),
        in_python(f"if {comparison}:\n    return None\nreturn total"),
    ]


@pytest.mark.parametrize("comparison", COMPARED)
def test_a_comparison_is_replaced_and_forced_in_either_language(comparison: str) -> None:
    wanted = becomes(comparison, *COMPARED[comparison], "true", "false")
    for function in branching(comparison):
        assert [change for change in changes(function) if comparison in change] == wanted


@pytest.mark.parametrize("operator", "+-*/%")
def test_arithmetic_is_replaced_by_every_other_operator(operator: str) -> None:
    function = in_rust(f"Some(total {operator} block_size)")
    others = [f"total {other} block_size" for other in "+-*/%" if other != operator]
    found = changes(function)
    assert set(becomes(f"total {operator} block_size", *others)) <= set(found)
    assert len(set(found)) == len(found)


def test_a_constant_is_one_more_and_one_less() -> None:
    assert set(becomes("total + 2", "total + 3", "total + 1")) <= set(
        changes(in_rust("Some(total + 2)"))
    )


@pytest.mark.parametrize(
    ("constant", "other"), [(0, 1), (2**64 - 1, 2**64 - 2)], ids=["zero", "the greatest"]
)
def test_a_constant_stays_a_usize(constant: int, other: int) -> None:
    found = [change for change in changes(in_rust(f"Some({constant})")) if "none" not in change]
    assert found == becomes(str(constant), str(other))


def test_and_and_or_take_the_place_of_each_other() -> None:
    for word, sign, other in (("and", "&&", "or"), ("or", "||", "and")):
        found = changes(
            in_rust(f"if total > 3 {sign} block_size > 4 {{ None }} else {{ Some(1) }}")
        )
        sides = "(total > 3)", "(block_size > 4)"
        assert becomes(f" {word} ".join(sides), f" {other} ".join(sides))[0] in found


def test_and_is_replaced_where_python_spells_it_in_statements() -> None:
    found = changes(in_python("if total > 3 and block_size > 4:\n    return None\nreturn 1"))
    assert "`(total > 3) and (block_size > 4)` becomes `(total > 3) or (block_size > 4)`" in found


def test_not_is_dropped() -> None:
    found = changes(in_rust("if !(total > block_size) { None } else { Some(total) }"))
    assert "`not (total > block_size)` becomes `total > block_size`" in found


def answers(mutants: list[Mutant], change: str, *arguments: int) -> object:
    (mutant,) = (entry for entry in mutants if entry.change == change)
    return concrete.run(mutant.read, arguments, {})


def test_an_early_return_is_dropped_where_its_condition_is_forced() -> None:
    mutants = list(mutants_of(in_rust("if total == 7 { return None; } Some(total)")))
    assert answers(mutants, "`total == 7` becomes `false`", 7, 1) == 7
    assert answers(mutants, "`total == 7` becomes `true`", 8, 1) is None


def test_a_pattern_that_is_forced_binds_its_name_or_faults() -> None:
    body = "if let Some(less) = total.checked_sub(block_size) { Some(less) } else { Some(9) }"
    mutants = list(mutants_of(in_rust(body)))
    (forced,) = (entry for entry in mutants if entry.change.endswith("there` becomes `true`"))
    assert concrete.run(forced.read, (5, 2), {}) == 3
    with pytest.raises(concrete.FaultError, match="unwrap of nothing"):
        concrete.run(forced.read, (2, 5), {})


def test_an_assignment_that_is_dropped_leaves_what_was_there() -> None:
    body = "let mut end = total; if total > 3 { end = block_size; } Some(end)"
    mutants = list(mutants_of(in_rust(body)))
    assert answers(mutants, "the assignment of `block_size` is dropped", 5, 2) == 5


def test_a_first_assignment_that_is_dropped_leaves_zero() -> None:
    mutants = list(mutants_of(in_rust("let end = total; Some(end + block_size)")))
    assert answers(mutants, "the assignment of `total` is dropped", 5, 2) == 2


def test_one_of_two_assignments_of_a_branch_is_dropped_in_python() -> None:
    body = "a, b = total, 5\nif total > 3:\n    a = block_size\n    b = 6\nreturn a * 10 + b"
    mutants = list(mutants_of(in_python(body)))
    assert answers(mutants, "`block_size` becomes `total`", 4, 2) == 46
    assert answers(mutants, "`6` becomes `5`", 4, 2) == 25


def test_two_arguments_of_a_call_are_swapped() -> None:
    found = changes(in_rust("Some(least(total, block_size))"))
    assert "`least(total, block_size)` becomes `least(block_size, total)`" in found


def test_a_bool_that_is_returned_becomes_the_other_one() -> None:
    function = read(
        "planner.rs",
        "fn is_prompt_tail_end(end_token: usize, total: usize, block_size: usize) -> bool {"
        " if block_size == 0 { return false; } end_token + block_size == total }",
    )
    assert "`false` becomes `true`" in changes(function)


def test_an_option_is_turned_absent() -> None:
    assert changes(in_rust("Some(total)")) == becomes("total", "none")


def test_a_function_that_is_called_twice_is_changed_for_both_calls() -> None:
    mutants = list(mutants_of(in_rust("Some(least(total, 3) + least(block_size, 3))")))
    assert answers(mutants, "`a < b` becomes `false`", 1, 1) == 6


def test_a_mutant_says_where_it_is() -> None:
    for mutant in mutants_of(in_rust("\nif total < 4 { return None; }\nSome(total)")):
        place = (mutant.place.line, mutant.place.column)
        assert place == ((3, 4) if "total < 4" in mutant.change else (1, 1))
        assert mutant.function == "tail_split_point"


def test_what_nothing_reads_is_left_alone() -> None:
    assert changes(in_rust("let _unused = 4; Some(total)")) == becomes("total", "none")


def is_value(value: object, kind: Type) -> bool:
    match kind:
        case IntType(_, highest):
            return type(value) is int and 0 <= value <= (highest or 0)
        case BoolType():
            return isinstance(value, bool)
        case OptionType(inner):
            return value is None or is_value(value, inner)
        case TupleType(items):
            assert isinstance(value, tuple)
            return all(map(is_value, value, items))
    return False


@given(function=functions(), values=inputs())
@settings(max_examples=60)
def test_a_tree_that_takes_nothing_for_granted_means_the_same(
    function: Function, values: dict[str, object]
) -> None:
    assert concrete_answer(guarded(function), values) == concrete_answer(function, values)


@given(function=functions(), values=inputs(), data=st.data())
@settings(max_examples=25)
def test_a_mutant_is_a_tree_like_any_other(
    function: Function, values: dict[str, object], data: st.DataObject
) -> None:
    mutants = list(mutants_of(function))
    for mutant in mutants:
        arguments = tuple(values[name] for name in mutant.read.names)
        try:
            found = concrete.run(mutant.read, arguments, {name: values[name] for name in UNKNOWNS})
        except concrete.FaultError:
            continue
        assert is_value(found, function.result), mutant.change
    if mutants:
        chosen = data.draw(st.sampled_from(mutants)).read
        symbolic = SymbolicCall(chosen, UNKNOWNS)
        assert symbolic.answer(values) == concrete_answer(chosen, values)
