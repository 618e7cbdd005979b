"""Planners over words of 4 to 6 bits, drawn in pairs, and what they answer for every input."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from laws import LAWS, Law, Words
from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.compiled import compiled
from prefill_proofs.concrete import FaultError
from prefill_proofs.types import BOOL, UNIT, BoolType, IntType, OptionType, Type
from tree_changes import changes, mistakes, rewritings
from tree_draws import Drawing, Kinds, nodes_of

PLACES = 1_000
"""So many places there are in a list of inputs, however long it is."""

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
