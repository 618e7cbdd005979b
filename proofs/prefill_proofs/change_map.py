"""Where two planners differ: regions of calls that a reviewer knows by name, each with its proof.

The map is first drawn from many calls performed on ints, as the shortest way to sort them. Then
every region that looks unchanged, or changed everywhere, is proved to be; a call that contradicts
one is added to the others, and the map is drawn again. A region is changed sometimes where calls
of each kind are known, in each of its smallest parts that any call is known of.
"""

import time
from collections.abc import Callable
from typing import NamedTuple

from prefill_proofs.pairs import Pair, is_call_of_both, is_changed
from prefill_proofs.partitions import (
    Region,
    Seen,
    Signature,
    gaps,
    is_within,
    regions,
    shortest_tree,
    whole,
)
from prefill_proofs.prover import find, solver_of
from prefill_proofs.samples import samples
from prefill_proofs.subjects import Problem, Values, formulate
from prefill_proofs.unknowns import Condition, Unaffected, nothing_changes_where
from prefill_proofs.witnesses import DIVISORS, Goal, Witness, shrink
from prefill_spec.calls import Call
from prefill_spec.cells import AXES, name_of
from prefill_spec.vocabulary import Formula, all_of, any_of, negate

MAP_SECONDS = 2.0
"""After this long a region that is not settled yet is reported so."""

MAP_PATIENCE = 0.1
"""A map asks many queries, and can go without one of them."""


class Sorting(NamedTuple):
    """An axis of the map: the names of each cell and its opposite, and whether a call is in it."""

    names: list[tuple[str, str]]
    formulas: Callable[[Call, Values], list[Formula]]


class MapCell(NamedTuple):
    """A region of the map: its conditions, all of which hold there, and how far it is changed.

    The extent is ``nowhere``, ``everywhere``, ``sometimes`` or ``unknown``. A changed region has
    the smallest witness that was found in it.
    """

    conditions: tuple[str, ...]
    extent: str
    witness: Witness | None
    contains: Callable[[Witness], bool]


class ChangeMap(NamedTuple):
    """The regions of a pair that differs, and conditions under which nothing changes."""

    cells: list[MapCell]
    unaffected: list[Unaffected]


def change_map(pair: Pair, first: Witness) -> ChangeMap:
    """Return the map of a pair of which one change is known."""
    return _Drawing(pair, first).map()


def unknown_map(first: Witness) -> ChangeMap:
    """Return the map where nothing is known but one change."""
    return ChangeMap([MapCell((), "unknown", first, lambda _: True)], [])


class _Drawing:
    """A map in the making."""

    def __init__(self, pair: Pair, first: Witness) -> None:
        self.pair = pair
        self.sortings = [
            Sorting([cell[:2] for cell in axis.cells], _on_calls(axis.formulas))
            for axis in AXES[pair.role]
        ]
        self.problem = formulate(pair)
        self.formulas = [
            sorting.formulas(self.problem.call, self.problem.values) for sorting in self.sortings
        ]
        self.change = is_changed(self.problem.answer)
        self.solver = solver_of(pair, self.problem)
        known = [first, *samples(pair)]
        self.unaffected = nothing_changes_where(pair, self.problem, self.solver, known)
        for entry in self.unaffected:
            sorting = _by_condition(entry.condition)
            self.sortings.append(sorting)
            self.formulas.append(sorting.formulas(self.problem.call, self.problem.values))
            known += [entry.beyond] if entry.beyond else []
        self.sizes = [len(sorting.names) for sorting in self.sortings]
        self.known: dict[Signature, dict[bool, Witness]] = {}
        self.weights: dict[Signature, int] = {}
        for witness in known:
            self.add(witness)
        self.settled: dict[tuple[Region, bool | None], bool] = {}
        """Whether it is proved that a region has no call that is changed, or is not, or at all."""

    def add(self, witness: Witness) -> None:
        """Add a call, and keep the simplest of its kind."""
        signature = self.signature(witness)
        kept = self.known.setdefault(signature, {})
        self.weights[signature] = self.weights.get(signature, 0) + 1
        changed = is_changed(witness.run.answer) is True
        if changed not in kept or _effort(witness) < _effort(kept[changed]):
            kept[changed] = witness

    def signature(self, witness: Witness) -> Signature:
        """Return the cell of each axis that a call is in."""
        return tuple(
            sorting.formulas(witness.run.call, witness.values).index(True)
            for sorting in self.sortings
        )

    def map(self) -> ChangeMap:
        """Return the map, once everything that it says is proved or has a witness."""
        deadline = time.process_time() + MAP_SECONDS
        while True:
            seen = {
                signature: Seen(_label(kept), self.weights[signature])
                for signature, kept in self.known.items()
            }
            tree = shortest_tree(seen, self.sizes)
            everything = whole(self.sizes)
            found = list(regions(tree, everything))
            missing = list(gaps(tree, everything))
            is_late = time.process_time() > deadline
            surprises = [
                *(self.proves_none(region, None, is_late) for region in missing),
                *(
                    self.proves_none(region, label == "nowhere", is_late)
                    for region, label in found
                    if label != "sometimes"
                ),
            ]
            if None not in surprises:
                break
        cells = [self.cell(region, label) for region, label in found]
        cells += [
            self.cell(region, "unknown") for region in missing if not self.settled[region, None]
        ]
        return ChangeMap(cells, self.unaffected)

    def proves_none(self, region: Region, changed: bool | None, is_late: bool) -> bool | None:
        """Decide whether a region has no such call; ``None`` where one was found, and added."""
        key = region, changed
        if key not in self.settled:
            goal = self.goal(region, changed)
            query = self.query(self.formulas, self.change, region, changed)
            if is_late:
                self.settled[key] = self.solver.decide(*query).result == "unsat"
                return self.settled[key]
            found = find(self.pair, goal, self.problem, query, self.solver, patience=MAP_PATIENCE)
            if found.witness is not None:
                self.add(found.witness)
                return None
            self.settled[key] = found.verdict == "proved"
        return self.settled[key]

    def query(
        self, formulas: list[list[Formula]], change: Formula, region: Region, changed: bool | None
    ) -> list[Formula]:
        """Return the formulas that hold of the calls of a region that are changed, or are not."""
        query = [
            any_of(*(cells[cell] for cell in sorted(allowed)))
            for cells, allowed in zip(formulas, region, strict=True)
            if len(allowed) < len(cells)
        ]
        if changed is not None:
            query.append(change if changed else negate(change))
        return query

    def goal(self, region: Region, changed: bool | None) -> Goal:
        """Return the goal that such a call meets."""

        def formulas(problem: Problem) -> list[Formula]:
            asked = [sorting.formulas(problem.call, problem.values) for sorting in self.sortings]
            return self.query(asked, is_changed(problem.answer), region, changed)

        def is_met_by(witness: Witness) -> bool:
            return (
                is_call_of_both(witness.run)
                and (changed is None or (is_changed(witness.run.answer) is True) == changed)
                and is_within(self.signature(witness), region)
            )

        return Goal(formulas, is_met_by)

    def cell(self, region: Region, label: str) -> MapCell:
        """Return a region with its names, and a small witness where it is changed."""
        conditions = tuple(
            name_of(sorting.names, allowed)
            for sorting, allowed in zip(self.sortings, region, strict=True)
            if len(allowed) < len(sorting.names)
        )
        if label in ("nowhere", "everywhere") and not self.settled[region, label == "nowhere"]:
            label = "unknown"
        witnesses = [
            kept[True]
            for signature, kept in self.known.items()
            if True in kept and is_within(signature, region)
        ]
        smallest = None
        if witnesses:
            smallest = shrink(self.pair, self.goal(region, True), min(witnesses, key=_effort))
        contains = self.goal(region, None).is_met_by
        return MapCell(conditions, label, smallest, contains)


def _on_calls(
    formulas: Callable[[Call], list[Formula]],
) -> Callable[[Call, Values], list[Formula]]:
    return lambda call, _values: formulas(call)


def _by_condition(condition: Condition) -> Sorting:
    def formulas(call: Call, values: Values) -> list[Formula]:
        formula = all_of(condition.formula(call, values))
        return [formula, negate(formula)]

    names = [(condition.name, condition.opposite), (condition.opposite, condition.name)]
    return Sorting(names, formulas)


def _label(kept: dict[bool, Witness]) -> str:
    if len(kept) == 2:
        return "sometimes"
    return "everywhere" if True in kept else "nowhere"


def _effort(witness: Witness) -> tuple[int, int]:
    """Return how hard a call is to read: by its block size first, then by its numbers."""
    size = witness.values["block_size"]
    rank = DIVISORS.index(size) if size in DIVISORS else 0 if size is None else len(DIVISORS)
    return rank, sum(value for value in witness.values.values() if type(value) is int)
