"""The formulas that are shown are true to the rules: evaluated as printed, they say the same."""

import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from prefill_spec.calls import CALLS, OPTIONAL_ANSWERS, Call, ChunkCall, SplitCall, parameters
from prefill_spec.formulas import ANSWERS, written_claim, written_domain, written_theorem
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import NO_FAULT, Outcome, Property
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import Ending, Progress, RunPrompt, Step
from prefill_spec.simplify import lines, simplified
from prefill_spec.table import EVERY_PROPERTY
from prefill_spec.vocabulary import Option, all_of, any_of, iff, implies, negate, option_of
from prefill_spec.written import named, node_of, text
from written_values import all_hold, value_of

SAMPLES = 2000

each_property = pytest.mark.parametrize(
    "entry",
    [entry for entry in EVERY_PROPERTY if entry.id != NO_FAULT],
    ids=lambda entry: entry.id,
)
each_theorem = pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)


def small(draws: random.Random, most: int = 24) -> int:
    return draws.randint(0, most)


def block(draws: random.Random) -> Option[int]:
    return option_of(draws.choice([None, 0, 1, 3, 4, 8]))


def optional(draws: random.Random) -> Option[int]:
    return option_of(draws.choice([None, *range(24)]))


def drawn_call(role: str, draws: random.Random) -> Call:
    """Return a call of small numbers, in the domain or not."""
    if role == ChunkCall.role:
        numbers = (small(draws) for _ in range(3))
        return ChunkCall(*numbers, block(draws), optional(draws), limit=optional(draws))
    if role == SplitCall.role:
        return SplitCall(small(draws), block(draws), small(draws, 9))
    names = [name for name in parameters(role) if name != "block_size"]
    return CALLS[role](**{name: small(draws) for name in names}, block_size=block(draws))


def printed_values(record: Any) -> dict[str, Any]:
    """Return fields by name, as a formula takes them: an option as its value or ``None``."""
    values = dict(vars(record))
    # An absent block size counts as 0; the other options are asked whether they are there.
    return {
        name: value.value if name == "block_size" or value.present else None
        for name, value in values.items()
        if isinstance(value, Option)
    } | {name: value for name, value in values.items() if isinstance(value, int)}


def drawn_answer(role: str, draws: random.Random) -> Any:
    if role in OPTIONAL_ANSWERS:
        return optional(draws)
    return small(draws) if role == ChunkCall.role else draws.random() < 0.5


def samples(role: str) -> Iterator[tuple[Call, Any, dict[str, Any]]]:
    draws = random.Random(role)
    for _ in range(SAMPLES):
        call, answer = drawn_call(role, draws), drawn_answer(role, draws)
        shown = (answer.value if answer.present else None) if isinstance(answer, Option) else answer
        yield call, answer, printed_values(call) | {ANSWERS[role]: shown}


def differences(entry: Property, when: tuple[str, ...], then: tuple[str, ...]) -> int:
    """Count the samples on which a printed claim says something else than the rule."""
    where = written_claim(entry).where
    count = 0
    for call, answer, values in samples(entry.role):
        claim = entry.rule(call, answer)
        values |= {name: value_of(term, values) for name, term in where.items()}
        applies = all_hold(when, values)
        is_same = applies == claim.when
        if is_same and applies:
            is_same = all_hold(then, values) == claim.then
        count += not is_same
    return count


@each_property
def test_a_printed_formula_says_what_the_rule_says(entry: Property) -> None:
    claim = written_claim(entry)
    assert differences(entry, claim.when, claim.then) == 0


@each_property
def test_a_formula_that_lacks_its_last_line_is_noticed(entry: Property) -> None:
    claim = written_claim(entry)
    kept = claim.then[:-1]
    while kept and kept[-1].endswith(":"):
        kept = kept[:-1]
    assert differences(entry, claim.when, kept) > 0


@each_property
def test_both_verdicts_are_among_the_samples(entry: Property) -> None:
    claims = [entry.rule(call, answer) for call, answer, _ in samples(entry.role)]
    assert {claim.formula() for claim in claims} == {True, False}


def test_a_fault_is_printed_as_such() -> None:
    for entry in EVERY_PROPERTY:
        if entry.id == NO_FAULT:
            claim = written_claim(entry)
            for faulted in (False, True):
                expected = entry.claim(None, Outcome(faulted, None)).formula()  # type: ignore[arg-type]
                assert all_hold(claim.when, {}) is True
                assert all_hold(claim.then, {"faulted": faulted}) is expected


@pytest.mark.parametrize("role", CALLS)
def test_a_printed_domain_is_the_domain(role: str) -> None:
    for call, _, values in samples(role):
        assert all_hold(written_domain(role), values) == call.domain()


def drawn_run(draws: random.Random) -> tuple[RunPrompt, Progress, Step, Ending]:
    """Return parts of a run that need not fit together, for the rules take anything."""

    def coin() -> bool:
        return draws.random() < 0.5

    prompt = RunPrompt(small(draws), small(draws, 8), block(draws), optional(draws))
    reached = Progress(small(draws), small(draws, 9), small(draws, 9), coin(), coin())
    offset = reached.offset if coin() else small(draws)
    call = ChunkCall(offset, prompt.total, small(draws, 12), prompt.block_size, prompt.split)
    # Only a chunk that spans the split point is divided, so there is one.
    step = Step(call, small(draws, 12), prompt.split.present and coin(), coin())
    return prompt, reached, step, Ending(reached, coin(), small(draws), small(draws))


def run_values(prompt: RunPrompt, reached: Progress, step: Step, ending: Ending) -> dict[str, Any]:
    values = printed_values(prompt) | printed_values(step.call) | printed_values(step)
    return (
        values
        | printed_values(reached)
        | printed_values(ending)
        | {
            "reached": reached.offset,
            "offset": step.call.offset,
        }
    )


def theorem_parts(theorem: RunTheorem) -> Iterator[tuple[str, bool, bool]]:
    """Yield parts of a theorem on samples: the name, what its rule says and what is printed."""
    written = written_theorem(theorem)
    draws = random.Random(theorem.id)
    for _ in range(SAMPLES):
        prompt, reached, step, ending = drawn_run(draws)
        values = run_values(prompt, reached, step, ending)
        premise, offer = theorem.premise(prompt), theorem.offer(step)
        yield "prompt", premise, all_hold(written.prompt, values)
        yield "proposal", offer, all_hold(written.proposal, values)
        if not premise:
            continue
        invariant = theorem.invariant(prompt, reached)
        yield "between", invariant, all_hold(written.between, values)
        if offer:
            shown = theorem.shown_by_step(prompt, reached, step)
            yield "answer", shown, all_hold(written.answer, values)
        end = theorem.shown_at_end(prompt, ending)
        yield "end", end.when, all_hold(written.end, values)
        if end.when:
            yield "then", end.then, all_hold(written.then, values)


@each_theorem
def test_the_printed_parts_of_a_theorem_say_what_its_rules_say(theorem: RunTheorem) -> None:
    seen: dict[str, set[bool]] = {}
    for part, expected, printed in theorem_parts(theorem):
        assert printed == expected, part
        seen.setdefault(part, set()).add(expected)
    for part, lines_of_part in vars(written_theorem(theorem)).items():
        assert seen[part] == ({True, False} if lines_of_part else {True}), part


# Writing down.

A, B, C = (named(name) for name in "abc")
X, Y = named("x"), named("y")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        (all_of(A, any_of(B, C)), ["a", "b or c"]),
        (any_of(all_of(A, B), C), ["(a and b) or c"]),
        (negate(X < Y), ["x >= y"]),
        (negate(negate(A)), ["a"]),
        (negate(all_of(A, B)), ["not (a and b)"]),
        (iff(A, all_of(B, C)), ["a == (b and c)"]),
        (implies(A, B), ["if a:", "    b"]),
        (all_of(implies(A, B), implies(negate(A), C)), ["if a:", "    b", "else:", "    c"]),
        (all_of(A, implies(A, B)), ["a", "b"]),
        (all_of(A, any_of(B, negate(A))), ["a", "b"]),
        (any_of(A, all_of(negate(A), B)), ["a or b"]),
        (X - (Y - 1) > 2 * X, ["x - (y - 1) > 2 * x"]),
        ((X + Y) - X > Y, ["y > y"]),
        (X - X % 4 == Y, ["floor(x, 4) == y"]),
        (X - Y % 4 == Y, ["x - y % 4 == y"]),
        (X.at_least(0) <= Y, ["max(x, 0) <= y"]),
        (True, []),
        (False, ["False"]),
    ],
    ids=lambda value: "; ".join(value) if isinstance(value, list) else "",
)
def test_a_formula_is_written_in_few_words(formula: Any, expected: list[str]) -> None:
    assert lines(simplified(node_of(formula))) == expected


def test_contrary_facts_leave_nothing() -> None:
    assert text(simplified(node_of(all_of(A, negate(A))))) == "False"
    assert text(simplified(node_of(any_of(A, negate(A))))) == "True"


def test_a_property_with_another_rule_is_printed_otherwise() -> None:
    first, second = EVERY_PROPERTY[1:3]
    swapped = replace(first, rule=second.rule)
    assert written_claim(swapped) == written_claim(second) != written_claim(first)
