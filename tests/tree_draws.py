"""Draws well-typed functions of the planner language, with inputs for them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.types import (
    BOOL,
    NEVER,
    UNIT,
    USIZE,
    BoolType,
    IntType,
    OptionType,
    TupleType,
    Type,
)
from prefill_spec.strategies import usizes


@dataclass(frozen=True)
class Kinds:
    """The types of drawn trees, over a word and a narrower integer."""

    word: IntType
    byte: IntType

    @property
    def maybe(self) -> OptionType:
        return OptionType(self.word)

    @property
    def pair(self) -> TupleType:
        return TupleType((self.word, BOOL))

    @property
    def maybe_pair(self) -> OptionType:
        return OptionType(self.pair)

    @property
    def span(self) -> TupleType:
        return TupleType((self.word, OptionType(self.byte)), ("start", "length"), "Span")

    @property
    def every(self) -> tuple[Type, ...]:
        whole = (self.pair, self.span)
        options = (self.maybe, OptionType(BOOL), self.maybe_pair)
        return (self.word, self.byte, BOOL, *whole, *options)


WIDE = Kinds(USIZE, IntType("u8", 255))

INPUTS: dict[str, Type] = {
    "a": USIZE,
    "b": USIZE,
    "byte": WIDE.byte,
    "flag": BOOL,
    "maybe": WIDE.maybe,
    "pair": WIDE.maybe_pair,
    "span": WIDE.span,
}
UNKNOWNS: dict[str, Type] = {"rows": USIZE, "is_on": BOOL}

PLACE = tree.Place("tree.rs", 1, 1)
MAX_NODES = 60

NODES = get_args(tree.Expression)
"""Every kind of node."""


def values_of(kind: Type) -> SearchStrategy[Any]:
    """Return values of a type, near its edges and small ones more often."""
    match kind:
        case IntType(_, highest):
            assert highest is not None
            return usizes(0, highest)
        case BoolType():
            return st.booleans()
        case OptionType(inner):
            return st.none() | values_of(inner)
        case TupleType(items):
            return st.tuples(*map(values_of, items))
    raise TypeError(f"no values of {kind}")


def inputs() -> SearchStrategy[dict[str, Any]]:
    """Return a value for every input and every unknown constant."""
    return st.fixed_dictionaries(
        {name: values_of(kind) for name, kind in (INPUTS | UNKNOWNS).items()}
    )


@st.composite
def functions(draw: DrawFn) -> tree.Function:
    """Draw a function of all ``INPUTS``, which may call another one."""
    given: dict[str, Type] = {"x": USIZE, "o": WIDE.maybe}
    callee = Drawing(draw, given, MAX_NODES // 4, unknowns=UNKNOWNS).function("callee")
    return Drawing(draw, INPUTS, MAX_NODES, callee, unknowns=UNKNOWNS).function("planner")


class Drawing:
    """One function being drawn: the slots that are set, and how many nodes may still come.

    One that ``is_careful`` looks at every range and divisor before it counts, and never panics.
    """

    def __init__(
        self,
        draw: DrawFn,
        slots: Mapping[str, Type],
        nodes: int,
        callee: tree.Function | None = None,
        kinds: Kinds = WIDE,
        results: tuple[Type, ...] | None = None,
        unknowns: Mapping[str, Type] | None = None,
        is_careful: bool = False,
    ) -> None:
        self.draw = draw
        self.parameters = dict(slots)
        self.slots = dict(slots)
        self.nodes = nodes
        self.callee = callee
        self.kinds = kinds
        self.unknowns = unknowns or {}
        self.is_careful = is_careful
        self.result = draw(st.sampled_from(results or kinds.every))
        self.fresh = 0

    def function(self, name: str) -> tree.Function:
        return self.function_of(name, self.block(self.result, 5), self.result)

    def function_of(self, name: str, body: tree.Expression, result: Type) -> tree.Function:
        parameters = tuple(self.parameters.items())
        return tree.Function(name, tuple(self.parameters), parameters, result, body, PLACE)

    def choose(self, choices: Any) -> Any:
        return self.draw(st.sampled_from(choices))

    def slot(self) -> str:
        self.fresh += 1
        return f"s{self.fresh}"

    # Values of any type

    def expression(self, kind: Type, depth: int) -> tree.Expression:
        """Draw an expression; what it binds is forgotten behind it."""
        self.nodes -= 1
        if depth <= 0 or self.nodes <= 0:
            return self.leaf(kind)
        before = dict(self.slots)
        ways = [self.leaf, self.branch, self.block, self.guarded, self.closure, self.part]
        ways += [self.leave, self.invoke] + self.ways_of(kind) * 3
        way = self.choose(ways)
        found: tree.Expression = way(kind) if way == self.leaf else way(kind, depth - 1)
        self.slots = before
        return found

    def ways_of(self, kind: Type) -> list[Callable[[Type, int], tree.Expression]]:
        match kind:
            case IntType():
                return [self.arithmetic, self.arithmetic, self.exact]
            case BoolType():
                return [self.compare, self.equal, self.negation, self.presence, self.logic]
            case OptionType():
                return [self.some]
        return [self.gather]

    def leaf(self, kind: Type) -> tree.Expression:
        names = [name for name, held in self.slots.items() if held == kind]
        unknowns = [name for name, held in self.unknowns.items() if held == kind]
        if names and self.draw(st.integers(0, 3)):
            return tree.Variable(self.choose(names), kind)
        if unknowns and self.draw(st.booleans()):
            return tree.Unknown(self.choose(unknowns), kind)
        return tree.Literal(self.draw(values_of(kind)), kind)

    def branch(self, kind: Type, depth: int) -> tree.Expression:
        condition = self.expression(BOOL, depth)
        return tree.If(condition, self.expression(kind, depth), self.expression(kind, depth), kind)

    def leave(self, kind: Type, depth: int) -> tree.Expression:
        """Leave the function, or fault, on one side of a branch."""
        sides = [self.expression(kind, depth), self.diverging(depth)]
        if self.draw(st.booleans()):
            sides.reverse()
        return tree.If(self.expression(BOOL, depth), *sides, kind)

    def diverging(self, depth: int) -> tree.Expression:
        if not self.is_careful and self.draw(st.integers(0, 2)) == 0:
            return tree.Panic("panic!", PLACE, NEVER)
        return tree.Return(self.expression(self.result, depth), NEVER, PLACE)

    def guarded(self, kind: Type, depth: int) -> tree.Expression:
        """Take the payload of an option that is known to be there."""
        option = tree.Variable(self.slot(), OptionType(kind))
        if isinstance(kind, OptionType) or option.type not in self.kinds.every:
            return self.leaf(kind)
        bound = tree.Set(option.slot, self.expression(option.type, depth), UNIT)
        otherwise = self.expression(kind, depth)
        value = tree.If(build.is_some(option), build.payload(option), otherwise, kind)
        return build.block([bound], value)

    def closure(self, kind: Type, depth: int) -> tree.Expression:
        outer, self.result = self.result, kind
        body = self.block(kind, depth)
        self.result = outer
        return tree.Closure(body, kind)

    def part(self, kind: Type, depth: int) -> tree.Expression:
        """Take an item of a tuple, or a field of a struct."""
        places = [
            (whole, index)
            for whole in (self.kinds.pair, self.kinds.span)
            for index, item in enumerate(whole.items)
            if item == kind
        ]
        if not places:
            return self.leaf(kind)
        whole, index = self.choose(places)
        return tree.Item(self.expression(whole, depth), index, kind)

    def invoke(self, kind: Type, depth: int) -> tree.Expression:
        callee = self.callee
        if callee is None or callee.result != kind:
            return self.leaf(kind)
        given = tuple(self.expression(item, depth) for _, item in callee.parameters)
        return tree.Invoke(callee, given, kind)

    # Statements

    def block(self, kind: Type, depth: int) -> tree.Expression:
        items = [self.statement(depth - 1) for _ in range(self.draw(st.integers(0, 3)))]
        return build.block(items, self.expression(kind, depth))

    def statement(self, depth: int) -> tree.Expression:
        way = self.choose((self.let, self.let, self.assign, self.assign_in_branch, self.late))
        found: tree.Expression = way(depth)
        return found

    def let(self, depth: int) -> tree.Expression:
        kind = self.choose(self.kinds.every)
        value = self.expression(kind, depth)
        name = self.slot()
        self.slots[name] = kind
        return tree.Set(name, value, UNIT)

    def assign(self, depth: int) -> tree.Expression:
        name = self.choose(list(self.slots))
        return tree.Set(name, self.expression(self.slots[name], depth), UNIT, PLACE)

    def assign_in_branch(self, depth: int) -> tree.Expression:
        condition = self.expression(BOOL, depth)
        nothing = build.NOTHING if self.draw(st.booleans()) else self.assign(depth)
        return tree.If(condition, self.assign(depth), nothing, UNIT)

    def late(self, depth: int) -> tree.Expression:
        """Set a new slot on one side of a branch, while the other sets it too or diverges."""
        kind = self.choose(self.kinds.every)
        condition = self.expression(BOOL, depth)
        name = self.slot()
        sides = [tree.Set(name, self.expression(kind, depth), UNIT)]
        if self.draw(st.booleans()):
            sides.append(tree.Set(name, self.expression(kind, depth), UNIT))
        else:
            sides.append(self.diverging(depth))  # type: ignore[arg-type]
        if self.draw(st.booleans()):
            sides.reverse()
        self.slots[name] = kind
        return tree.If(condition, *sides, UNIT)

    # Values of one type

    def arithmetic(self, kind: Type, depth: int) -> tree.Expression:
        operator = self.choose("+-*/%")
        if self.is_careful:
            return (
                self.guarded_division(kind, depth) if operator in "/%" else self.exact(kind, depth)
            )
        left, right = self.expression(kind, depth), self.expression(kind, depth)
        return tree.Arithmetic(operator, left, right, kind, PLACE, f"a {operator} b")

    def guarded_division(self, kind: Type, depth: int) -> tree.Expression:
        """Divide where the divisor is not 0."""
        operator, divisor = self.choose("/%"), tree.Variable(self.slot(), kind)
        bound = tree.Set(divisor.slot, self.expression(kind, depth), UNIT)
        left, zero = self.expression(kind, depth), build.number(0, kind)
        division = tree.Arithmetic(operator, left, divisor, kind, PLACE, f"a {operator} b")
        is_zero = tree.Equal(divisor, zero, BOOL)
        return build.block([bound], tree.If(is_zero, zero, division, kind))

    def beside(self, value: tree.Variable) -> tree.Expression:
        """Return the same number, or the next one below where there is one."""
        assert isinstance(value.type, IntType)
        one = build.number(1, value.type)
        below = build.unchecked("-", value, one, PLACE)
        has_below = build.compare(">=", value, one)
        return self.choose((value, tree.If(has_below, below, value, value.type)))

    def exact(self, kind: Type, depth: int) -> tree.Expression:
        """Draw arithmetic whose range is looked at elsewhere, as readers build it for methods."""
        items: list[tree.Expression] = []
        left, right = (tree.Variable(self.slot(), kind) for _ in range(2))
        items += [tree.Set(side.slot, self.expression(kind, depth), UNIT) for side in (left, right)]
        assert isinstance(kind, IntType)
        assert kind.highest is not None
        highest = build.number(kind.highest, kind)
        operator = self.choose("+-*")
        result = build.unchecked(operator, left, right, PLACE)
        if operator == "-":
            result = tree.If(build.compare(">=", left, right), result, build.number(0, kind), kind)  # type: ignore[assignment]
            return build.block(items, result)
        wraps = self.draw(st.booleans())
        size = build.number(kind.highest + 1, kind)
        other = build.unchecked("%", result, size, PLACE) if wraps else highest
        fits = build.compare("<=", result, highest)
        return build.block(items, tree.If(fits, result, other, kind))

    def compare(self, _kind: Type, depth: int) -> tree.Expression:
        kind = self.choose((self.kinds.word, self.kinds.byte))
        left, right = self.expression(kind, depth), self.expression(kind, depth)
        return build.compare(self.choose(("<", "<=", ">", ">=")), left, right, PLACE)

    def equal(self, _kind: Type, depth: int) -> tree.Expression:
        kind = self.choose(self.kinds.every)
        left, right = self.expression(kind, depth), self.expression(kind, depth)
        if isinstance(kind, OptionType) and self.draw(st.booleans()):
            right = build.none()
        return tree.Equal(left, right, BOOL)

    def negation(self, _kind: Type, depth: int) -> tree.Expression:
        return build.negated(self.expression(BOOL, depth))

    def logic(self, _kind: Type, depth: int) -> tree.Expression:
        joined = self.choose((build.both, build.either))
        found: tree.Expression = joined(self.expression(BOOL, depth), self.expression(BOOL, depth))
        return found

    def presence(self, _kind: Type, depth: int) -> tree.Expression:
        return build.is_some(
            self.expression(self.choose((self.kinds.maybe, self.kinds.maybe_pair)), depth)
        )

    def some(self, kind: Type, depth: int) -> tree.Expression:
        assert isinstance(kind, OptionType)
        return tree.Some(self.expression(kind.inner, depth), kind)

    def gather(self, kind: Type, depth: int) -> tree.Expression:
        assert isinstance(kind, TupleType)
        return tree.MakeTuple(tuple(self.expression(item, depth) for item in kind.items), kind)


def nodes_of(node: Any) -> Iterator[Any]:
    """Yield every node of an expression, those of called functions included."""
    if isinstance(node, tree.Function):
        node = node.body
    if isinstance(node, NODES):
        yield node
    if isinstance(node, tuple):
        for part in node:
            if isinstance(part, tuple | tree.Function):
                yield from nodes_of(part)
