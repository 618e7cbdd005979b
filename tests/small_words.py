"""Statements about planners over words of a few bits, whose truth every input decides.

The prover sees a planner whose integers are words of 4 to 6 bits; the same tree, compiled, answers
for every input. A verdict is wrong where the answers say otherwise: ``proved`` although an input
breaks the statement, or ``refuted`` by a witness that does not break it.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from laws import LAWS, Law, Words
from prefill_gate.reports import plain
from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.compiled import compiled
from prefill_proofs.concrete import FaultError
from prefill_proofs.equality import same_answer
from prefill_proofs.pairs import CHANGE, Pair
from prefill_proofs.prover import find, solver_of
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import Run, Subject, formulate
from prefill_proofs.types import BOOL, UNIT, BoolType, Input, IntType, OptionType, Type, default
from prefill_proofs.witnesses import Goal, breach_of, shrink
from prefill_spec.calls import OPTIONAL_ANSWERS, parameters
from prefill_spec.properties import Claim, Property, no_fault_of
from prefill_spec.vocabulary import Formula, Option, all_of, any_of, negate, option_of
from tree_changes import changes, mistakes, rewritings
from tree_draws import Drawing, Kinds, nodes_of

PATIENCE = 0.1
"""The share of its usual time that the prover has for a statement."""

PLACES = 1_000

FAULT = "fault"

Inputs: TypeAlias = tuple[Any, ...]
Answers: TypeAlias = Mapping[Inputs, Any]
"""What a planner answers for every value of the inputs that it reads, or ``FAULT``."""


class World(NamedTuple):
    """Words of so many bits, and the inputs and unknown constants that trees read."""

    bits: int
    inputs: tuple[str, ...]
    unknowns: tuple[str, ...] = ()

    @property
    def kinds(self) -> Kinds:
        word = IntType(f"u{self.bits}", 2**self.bits - 1)
        return Kinds(word, IntType(f"u{self.bits - 2}", 2 ** (self.bits - 2) - 1))

    def kind_of(self, name: str) -> Type:
        return {"flag": BOOL, "block_size": self.kinds.maybe}.get(name, self.kinds.word)

    def slots(self) -> dict[str, Type]:
        """Return the parameters of every function: those that the roles ask for are there."""
        return {name: self.kind_of(name) for name in ("end_token", "total", *self.inputs)}

    def whole(self, function: tree.Function) -> tree.Function:
        """Return a drawn function with all of these parameters."""
        slots = self.slots()
        return replace(function, names=tuple(slots), parameters=tuple(slots.items()))


WORLDS = (
    World(6, ("end_token", "total")),
    World(5, ("end_token", "total", "flag")),
    World(4, ("end_token", "total", "block_size")),
    World(4, ("total", "flag"), ("rows",)),
)


class Draft(NamedTuple):
    """A drawn planner, another one beside it, and what to say of the latter.

    ``form`` is what a statement about its answers looks like; one that is about a single input is
    about that at ``place`` of so many ``PLACES`` down the list of all.
    """

    world: World
    one: tree.Function
    other: tree.Function
    form: str
    place: int


@st.composite
def drafts(draw: DrawFn, laws: Sequence[Law] = ()) -> Draft:
    """Draw a law, perhaps with a mistake, or a tree beside a changed one; or one of some laws."""
    world = draw(st.sampled_from(WORLDS))
    if laws or draw(st.integers(0, 2)):
        one, other = _law(draw, laws or LAWS, world)
    else:
        one = _tree(draw, world)
        other = _changed(draw, one, rewritings)
    if draw(st.booleans()):
        other = _changed(draw, other, mistakes)
    form = draw(st.sampled_from(("most", "least", "value")))
    place = draw(st.integers(0, PLACES - 1))
    return Draft(world, world.whole(one), world.whole(other), form, place)


def _law(draw: DrawFn, laws: Sequence[Law], world: World) -> tuple[tree.Function, tree.Function]:
    word = world.kinds.word
    operands = [tree.Variable(name, word) for name in "abc"]
    law = draw(st.sampled_from(laws))
    sides = law(Words(*operands, word))
    drawing = _drawing(draw, world, (sides[0].type,))
    given: list[tree.Expression] = [
        tree.Set(operand.slot, drawing.expression(word, draw(st.sampled_from((0, 0, 1)))), UNIT)
        for operand in operands
    ]
    if draw(st.booleans()):
        # Near each other, where comparisons turn.
        a, b, _ = operands
        next_to = tree.If(build.compare("<", a, b), a, drawing.beside(a), word)
        given.append(tree.Set(b.slot, next_to, UNIT))
    one, other = (
        drawing.function_of(law.__name__, build.block(given, side), side.type) for side in sides
    )
    # The longer side, which more can be said of, comes last.
    return (one, other) if _size(one) < _size(other) else (other, one)


def _size(function: tree.Function) -> int:
    return sum(1 for _ in nodes_of(function))


def _tree(draw: DrawFn, world: World) -> tree.Function:
    kinds = world.kinds
    given: dict[str, Type] = {"x": kinds.word, "o": kinds.maybe}
    callee = Drawing(draw, given, 6, kinds=kinds).function("callee")
    results = (kinds.word, kinds.word, BOOL, kinds.maybe)
    return _drawing(draw, world, results, callee).function("planner")


def _drawing(
    draw: DrawFn,
    world: World,
    results: tuple[Type, ...],
    callee: tree.Function | None = None,
) -> Drawing:
    return Drawing(
        draw,
        {name: world.kind_of(name) for name in world.inputs},
        draw(st.sampled_from((8, 16, 32))),
        callee,
        world.kinds,
        results,
        {name: world.kind_of(name) for name in world.unknowns},
        is_careful=draw(st.booleans()),
    )


def _changed(
    draw: DrawFn, function: tree.Function, ways: Callable[[Any], list[Any]]
) -> tree.Function:
    others = changes(function, ways)
    return draw(st.sampled_from(others)) if others else function


# What every input answers


def reads(world: World, *functions: tree.Function) -> tuple[str, ...]:
    """Return the inputs and unknown constants that occur in functions, or in what they call."""
    found: set[str] = set()
    for function in functions:
        for node in nodes_of(function):
            match node:
                case tree.Variable(name) | tree.Unknown(name):
                    found.add(name)
    return tuple(name for name in (*world.slots(), *world.unknowns) if name in found)


def values_of(kind: Type) -> Iterator[Any]:
    """Yield every value of a type of inputs."""
    match kind:
        case IntType(_, int(highest)):
            yield from range(highest + 1)
        case BoolType():
            yield from (False, True)
        case OptionType(inner):
            yield None
            yield from values_of(inner)
        case _:
            raise TypeError(f"no inputs of {kind}")


def answers_of(world: World, function: tree.Function, names: tuple[str, ...]) -> Answers:
    """Return what a function answers for all values of the named inputs."""
    ranges = {name: list(values_of(world.kind_of(name))) for name in names}
    unknowns = [name for name in names if name in world.unknowns]
    others = [(None,) if name not in names else ranges[name] for name in world.slots()]
    places = [[*world.slots(), *unknowns].index(name) for name in names]
    found = {}
    for constants in product(*(ranges[name] for name in unknowns)):
        known = dict.fromkeys(world.unknowns, 0) | dict(zip(unknowns, constants, strict=True))
        call = compiled(function, known)
        for arguments in product(*others):
            try:
                answer = call(*arguments)
            except FaultError:
                answer = FAULT
            given = (*arguments, *constants)
            found[tuple(given[place] for place in places)] = answer
    return found


# Statements


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
