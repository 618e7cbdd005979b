"""Statements about planners over small words, and whether the prover's verdicts on them are right.

The answers for every input say where a statement fails. A verdict is wrong where they say
otherwise: ``proved`` although some input breaks the statement, or ``refuted`` by a witness that
does not break it, or that is not answered as it says.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from prefill_gate.reports import plain
from prefill_proofs import language as tree
from prefill_proofs.equality import same_answer
from prefill_proofs.pairs import CHANGE, Pair
from prefill_proofs.prover import find, solver_of
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Run, Subject, formulate
from prefill_proofs.types import Input, OptionType, default
from prefill_proofs.witnesses import Goal, breach_of, shrink
from prefill_spec.calls import OPTIONAL_ANSWERS, parameters
from prefill_spec.properties import Claim, Property, no_fault_of
from prefill_spec.vocabulary import Formula, Option, all_of, any_of, negate, option_of
from small_words import FAULT, PLACES, Answers, Draft, Inputs, World, answers_of, reads

PATIENCE = 0.1
"""The share of its usual time that the prover has for a statement."""


class Statement(NamedTuple):
    """Something said of a subject, the goal that is met where it fails, and where that is.

    ``names`` are the inputs that matter; ``breaks`` are the values of theirs that break it, and
    ``answers`` what each side of the subject answers. ``sample`` is some of these inputs.
    """

    text: str
    subject: Subject
    goal: Goal
    names: tuple[str, ...]
    breaks: set[Inputs]
    answers: tuple[Answers, ...]
    sample: Inputs

    def values(self) -> dict[str, Any]:
        """Return the sample as values of all inputs; those that do not matter are any."""
        any_values = {entry.name: default(entry.type) for entry in self.subject.inputs}
        return any_values | dict(zip(self.names, self.sample, strict=True))


def subject_of(world: World, function: tree.Function) -> SourceSubject:
    """Return a planner: its role goes by what the function answers."""
    role = "split_point" if isinstance(function.result, OptionType) else "tail_end"
    slots = world.slots()
    inputs = {name: Input(name, kind) for name, kind in slots.items()}
    fields = {name: inputs[name] for name in parameters(role) if name in inputs}
    missing = tuple(name for name in parameters(role) if name not in inputs)
    unknowns = {name: world.kind_of(name) for name in world.unknowns}
    return SourceSubject(role, function, tuple(inputs.values()), fields, missing, (), (), unknowns)


def statements_of(draft: Draft) -> Iterator[Statement]:
    """Yield what can be said of a draft and depends on some input."""
    world, sides = draft.world, (draft.one, draft.other)
    subjects = [subject_of(world, function) for function in sides]
    names = reads(world, *sides)
    if not names:
        return
    first, second = (answers_of(world, function, names) for function in sides)
    given = list(second)[draft.place * len(second) // PLACES]
    changed = {
        inputs for inputs in first if first[inputs] != second[inputs] or first[inputs] == FAULT
    }
    pair = Pair(*subjects)
    yield Statement("answers alike", pair, CHANGE, names, changed, (first, second), given)

    subject = subjects[1]

    def stated(text: str, goal: Goal, breaks: set[Inputs]) -> Statement:
        return Statement(text, subject, goal, names, breaks, (second,), given)

    faults = {inputs for inputs, answer in second.items() if answer == FAULT}
    yield stated("never faults", breach_of(no_fault_of(subject.role)), faults)
    said = {
        inputs: option_of(answer) if subject.role in OPTIONAL_ANSWERS else answer
        for inputs, answer in second.items()
        if answer != FAULT
    }
    for is_true in (True, False):
        if said:
            text, holds = _claim(draft.form, list(said.values()), is_true)
            breaks = {inputs for inputs, answer in said.items() if holds(answer) is False}
            yield stated(text, breach_of(_property(subject.role, text, holds)), breaks)
    if given in said:
        text, holds = _claim(draft.form, [said[given]], is_true=False)
        goal = breach_of(_property(subject.role, text, holds))
        yield stated(f"{text} at {given}", _only_at(goal, world, names, given), {given})


def _claim(form: str, found: list[Any], is_true: bool) -> tuple[str, Callable[[Any], Formula]]:
    """Return something that holds of every answer found, or fails for some, as is wished.

    Of truth values that differ nothing holds; of options that are all absent most things do.
    """
    sample = found[0]
    if isinstance(sample, bool):
        return ("true", lambda answer: answer) if is_true in found else ("false", negate)
    if isinstance(sample, Option):
        values = [answer.value for answer in found if answer.present]
        if not values:
            return ("absent", _is_absent) if is_true else ("there", lambda answer: answer.present)
        limit = max(values) - (not is_true)
        return f"absent or at most {limit}", lambda answer: any_of(
            _is_absent(answer), answer.value <= limit
        )
    if form == "most":
        limit = max(found) - (not is_true)
        return f"at most {limit}", lambda answer: answer <= limit
    if form == "least":
        limit = min(found) + (not is_true)
        return f"at least {limit}", lambda answer: answer >= limit
    counts = Counter(found)
    missing = next(value for value in range(max(found) + 2) if value not in counts)
    value = missing if is_true else min(counts, key=lambda answer: (counts[answer], answer))
    return f"never {value}", lambda answer: negate(answer == value)


def _is_absent(answer: Option[Any]) -> Formula:
    return negate(answer.present)


def _property(role: str, text: str, holds: Callable[[Any], Formula]) -> Property:
    return Property(
        "statement", role, "deny", text, "", lambda _call, answer: Claim(True, holds(answer))
    )


def _only_at(goal: Goal, world: World, names: tuple[str, ...], given: Inputs) -> Goal:
    """Return the goal that is met where another one is, for these inputs only."""

    def is_there(values: Mapping[str, Any]) -> Formula:
        parts = []
        for name, value in zip(names, given, strict=True):
            held = values[name]
            if isinstance(world.kind_of(name), OptionType):
                held = held if isinstance(held, Option) else option_of(held)
                parts.append(same_answer(held, option_of(value)))
            else:
                parts.append(same_answer(held, value))
        return all_of(*parts)

    return Goal(
        lambda problem: [*goal.formulas(problem), is_there(problem.values)],
        lambda witness: goal.is_met_by(witness) and is_there(witness.values) is True,
    )


# Verdicts


@dataclass
class Tally:
    """How the prover did: what was wrong, and how often it said what."""

    wrong: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)

    @property
    def total(self) -> int:
        return sum(self.verdicts.values())


def judge(statements: Iterable[Statement], stops_early: bool = False) -> Tally:
    """Ask the prover for each statement, and hold its verdict against every input."""
    tally = Tally()
    for statement in statements:
        verdict, complaint = _verdict(statement)
        tally.verdicts[verdict] += 1
        if complaint:
            tally.wrong.append(f"{statement.text}: {complaint}\n{statement.subject}")
            if stops_early:
                break
    return tally


def _verdict(statement: Statement) -> tuple[str, str]:
    """Return the prover's verdict, and what is wrong with it, if anything is."""
    subject, goal = statement.subject, statement.goal
    problem = formulate(subject)
    query = goal.formulas(problem)
    solver = solver_of(subject, problem)
    found = find(subject, goal, problem, query, solver, patience=PATIENCE)
    if found.verdict == "proved" and statement.breaks:
        return "proved", f"proved, and fails at {sorted(statement.breaks, key=str)[0]}"
    if found.witness is not None:
        witness = shrink(subject, goal, found.witness)
        given = tuple(witness.values[name] for name in statement.names)
        if given not in statement.breaks:
            return "refuted", f"refuted by {given}, which does not break it"
        return "refuted", _misrun(statement, witness.run, given)
    return found.verdict, _misrun(statement, subject.run(statement.values()), statement.sample)


def _misrun(statement: Statement, run: Run, given: Inputs) -> str:
    """Return what is wrong with a run on ints, if anything is."""
    sides = run.answer if isinstance(statement.subject, Pair) else (run,)
    observed = [FAULT if side.fault is not None else plain(side.answer) for side in sides]
    expected = [answers[given] for answers in statement.answers]
    return "" if observed == expected else f"answers {observed} to {given}, and not {expected}"
