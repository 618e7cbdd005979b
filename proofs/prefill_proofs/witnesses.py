"""Finding concrete inputs on which something comes to pass: a property fails, say.

A model of the linear facts (``multiples``) need not exist on ints. So the search fixes the inputs
that something is divided by to readable values, which leaves nothing but exact linear arithmetic,
and asks again; whatever it finds is performed on ints, made smaller there, and only returned if it
still meets the goal.
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import chain, islice, product
from typing import Any, NamedTuple

from prefill_proofs import deadlines
from prefill_proofs.deadlines import OutOfTimeError
from prefill_proofs.multiples import exact, facts
from prefill_proofs.solver import Decision, Solver, truth_of, value_of
from prefill_proofs.subjects import Problem, Run, Subject, Values, formulate, is_scheduled
from prefill_proofs.terms import Number
from prefill_proofs.types import BoolType, Input, IntType, OptionType, TupleType, Type
from prefill_spec.properties import NO_FAULT, Outcome, Property
from prefill_spec.vocabulary import Formula, Option, all_of, negate

DIVISORS = (16, 4, 1, 2, 3, 5, 8, 12, 0, 2**32, 2**63)
"""Values tried for an input that something is divided by, the most readable first."""

BOUNDS = (64, 4096)
"""Bounds on the numbers of a witness, tried in turn before it may be any."""

FIRST_PINNINGS = 4
"""So many readable combinations are tried before another formulation is."""

SECOND_PINNINGS = 16
"""So many more are tried after those that models give."""

MODELS = 8
"""So many models of a failed proof are looked at."""

SEARCH_SECONDS = 3.0
"""After this long without a witness the search gives up."""

QUERIES = 6
"""A search has time for this many queries that lead nowhere."""


class Witness(NamedTuple):
    """Inputs that meet a goal, and what the subject did when it was run on them."""

    values: Values
    run: Run


class Goal(NamedTuple):
    """What is looked for: as formulas that hold together where it is met, and on ints."""

    formulas: Callable[[Problem], list[Formula]]
    is_met_by: Callable[[Witness], bool]


def breach_of(entry: Property) -> Goal:
    """Return the goal that is met where a property fails."""
    return Goal(
        lambda problem: counterexample(entry, problem),
        lambda witness: is_refuted_by(entry, witness.run),
    )


def counterexample(entry: Property, problem: Problem) -> list[Formula]:
    """Return the formulas that hold where a property fails.

    Every property but ``no-fault`` speaks of calls that do not fault: that is assumed once, here.
    """
    if entry.id == NO_FAULT:
        outcome = Outcome(problem.faults.faulted(), problem.answer)
        return [negate(entry.claim(problem.call, outcome).formula())]
    claim = entry.claim(problem.call, Outcome(False, problem.answer))
    return [problem.faults.sound(), negate(claim.formula())]


def is_refuted_by(entry: Property, run: Run) -> bool:
    """Return whether a concrete run is in the domain and breaks the property."""
    return (
        run.is_assumed
        and is_scheduled(run.call) is True
        and entry.claim(run.call, run.outcome).formula() is False
    )


class Search:
    """Looks for a witness that meets a goal, for some ``seconds`` each time it is asked.

    ``query`` are the goal's formulas for ``problem``; ``solver`` and ``decision`` are those of the
    query that did not prove that nothing meets it.
    """

    def __init__(
        self,
        subject: Subject,
        goal: Goal,
        problem: Problem,
        query: list[Formula],
        solver: Solver,
        decision: Decision,
        seconds: float = SEARCH_SECONDS,
    ) -> None:
        self.subject = subject
        self.goal = goal
        self.problem = problem
        self._query = query
        self._solver = solver
        self._decision = decision
        self._seconds = seconds
        self._divisors = divisor_inputs(subject, problem)
        self._readable = pinnings(self._divisors)

    def quickly(self) -> Witness | None:
        """Return a witness, or ``None`` where the most readable divisors have none."""
        return self._among(islice(self._readable, FIRST_PINNINGS))

    def thoroughly(self) -> Witness | None:
        """Return a witness, or ``None`` when all that is left to search has none."""
        some = islice(self._readable, SECOND_PINNINGS)
        return self._among(chain(self._of_models(), some, [{}], self._readable))

    def _among(self, searched: Iterable[dict[str, Any]]) -> Witness | None:
        deadline = time.process_time() + self._seconds
        for pins in searched:
            witness = _search(self.subject, self.goal, pins, self._seconds / QUERIES)
            if witness is not None:
                return witness
            if time.process_time() > deadline:
                break
        return None

    def _of_models(self) -> Iterator[dict[str, Any]]:
        """Yield what models of the query give the divisors, each combination once.

        A mistake at one block size only is found here: the model knows the block size.
        """
        decision, query = self._decision, list(self._query)
        for _ in range(MODELS):
            if decision.result != "sat" or not self._divisors:
                return
            values = read_inputs(self.subject, self.problem, decision.model)
            pins = {divisor.name: values[divisor.name] for divisor in self._divisors}
            yield pins
            symbols = self.problem.values
            same = all_of(*(_is_value(symbols[name], value) for name, value in pins.items()))
            query.append(negate(same))
            decision = self._solver.decide(*query)


def _is_value(symbol: Any, value: Any) -> Formula:
    """Return whether a symbolic integer, or an option of one, has a value."""
    if not isinstance(symbol, Option):
        return symbol == value
    if value is None:
        return negate(symbol.present)
    return all_of(symbol.present, symbol.value == value)


def divisor_inputs(subject: Subject, problem: Problem) -> list[Input]:
    """Return the inputs that occur in a divisor."""
    algebra = problem.algebra
    atoms = {
        atom for division in algebra.divisions.values() for atom, _ in division.divisor.coefficients
    }
    names = {algebra.inputs[atom] for atom in atoms if atom in algebra.inputs}
    return [entry for entry in subject.inputs if entry.name in names]


def pinnings(divisors: list[Input]) -> Iterator[dict[str, Any]]:
    """Yield values for the inputs that something is divided by, the most readable first."""
    choices = [
        (None, *DIVISORS) if isinstance(entry.type, OptionType) else DIVISORS for entry in divisors
    ]
    ranked = product(*(range(len(choice)) for choice in choices))
    for ranks in sorted(ranked, key=sum):
        yield {
            entry.name: choice[rank]
            for entry, choice, rank in zip(divisors, choices, ranks, strict=True)
        }


def _search(subject: Subject, goal: Goal, pins: dict[str, Any], timeout: float) -> Witness | None:
    problem = formulate(subject, pins)
    query = goal.formulas(problem)
    known = facts(problem.algebra) + exact(problem.algebra)
    solver = Solver([*problem.hypotheses, *problem.algebra.definitions, *known, *query])
    for bound in (*BOUNDS, None):
        decision = solver.decide(*_bounded(problem, bound), timeout=timeout)
        if decision.result == "sat":
            values = read_inputs(subject, problem, decision.model) | pins
            witness = Witness(values, subject.run(values))
            if goal.is_met_by(witness):
                return witness
    return None


def _bounded(problem: Problem, bound: int | None) -> list[Formula]:
    if bound is None:
        return []
    atoms = (Number(problem.algebra, ((True, form),)) for form in problem.algebra.input_forms())
    return [atom <= bound for atom in atoms]


def read_inputs(subject: Subject, problem: Problem, model: Any) -> dict[str, Any]:
    """Return the concrete inputs of a model."""
    return {
        entry.name: _read(problem.values[entry.name], entry.type, model) for entry in subject.inputs
    }


def _read(value: Any, kind: Type, model: Any) -> Any:
    match kind:
        case IntType():
            return value_of(model, value.term())
        case BoolType():
            return truth_of(model, value)
        case OptionType(inner):
            return _read(value.value, inner, model) if truth_of(model, value.present) else None
        case TupleType(items):
            return tuple(_read(item, kind, model) for item, kind in zip(value, items, strict=True))


def shrink(subject: Subject, goal: Goal, witness: Witness) -> Witness:
    """Make one input after the other simpler while the goal is still met on ints.

    The block size stays: 16 reads better than the smallest one that will do.
    """
    values = dict(witness.values)
    others = [other for other in subject.inputs if other.name != subject.block_size_input]

    def is_met(candidate: dict[str, Any]) -> bool:
        deadlines.check()
        return goal.is_met_by(Witness(candidate, subject.run(candidate)))

    settled = False
    # A witness is one however large it is: where the time runs out, it stays as it is.
    with suppress(OutOfTimeError):
        while not settled:
            settled = True
            for name, kind in ((other.name, other.type) for other in others):
                for simpler in _simpler(values[name], kind):
                    if is_met(values | {name: simpler}):
                        values = values | {name: simpler}
                        settled = False
                        break
                else:
                    settled = not _bisect(values, name, is_met) and settled
    return Witness(values, subject.run(values))


def _simpler(value: Any, kind: Type) -> Iterator[Any]:
    """Yield simpler values: nothing before something, then small numbers upwards."""
    if isinstance(kind, OptionType) and value is not None:
        yield None
    if value is True:
        yield False
    elif type(value) is int:
        yield from range(min(value, BOUNDS[0]))


def _bisect(values: dict[str, Any], name: str, is_met: Callable[[dict[str, Any]], bool]) -> bool:
    """Lower a large number by halves, in place; return whether it changed."""
    highest = values[name]
    if type(highest) is not int or highest <= BOUNDS[0]:
        return False
    lowest, found = 0, highest
    while lowest < found:
        middle = (lowest + found) // 2
        if is_met(values | {name: middle}):
            found = middle
        else:
            lowest = middle + 1
    values[name] = found
    return bool(found < highest)
