"""Every small way to break a planner, on its syntax tree: the same ways in every language.

Each mutator changes one node and leaves the tree well-typed. An early return, an assertion or a
guard is dropped where its condition is forced, so these need no mutator of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.guarded import NODES, guarded, is_unwrap, with_parts
from prefill_proofs.language import Expression, Function, Literal, Place
from prefill_proofs.tree_text import change_text, text_of
from prefill_proofs.types import BOOL, UNIT, BoolType, IntType, NeverType, OptionType, default

COMPARISONS: dict[str, tuple[str, str]] = {
    "<": ("<=", "!="),
    "<=": ("<", "=="),
    ">": (">=", "!="),
    ">=": (">", "=="),
    "==": ("<=", ">="),
    "!=": ("<", ">"),
}
"""What takes the place of a comparison. A comparison answers for *less*, *equal* and *greater*;
these two and a forced answer change one of the three each, so that every other operator is noticed
wherever these are."""

OPERATORS = "+-*/%"
"""Each arithmetic operator takes the place of each other one."""

BOTH = frozenset({True, False})


class Mutant(NamedTuple):
    """A planner's function with one small change: where, and in words."""

    function: str
    place: Place
    change: str
    read: Function


def mutants_of(root: Function) -> Iterator[Mutant]:
    """Yield every mutant of a function and of those that it calls, each tree once.

    A change inside a function that is called twice is made for both calls.
    """
    root = guarded(root)
    seen = {repr(root.body)}
    for function in _reached(root, {}).values():
        for place, change, body in _Function(function).mutations():
            read = _with(root, function, replace(function, body=body), {})
            tree_as_text = repr(read.body)
            if tree_as_text not in seen:
                seen.add(tree_as_text)
                yield Mutant(function.name, place, change, read)


def _reached(function: Function, found: dict[int, Function]) -> dict[int, Function]:
    """Return a function and all that it calls, by identity."""
    if id(function) not in found:
        found[id(function)] = function
        for node in nodes_of(function.body):
            if isinstance(node, tree.Invoke):
                _reached(node.function, found)
    return found


def _with(function: Function, old: Function, new: Function, done: dict[int, Function]) -> Function:
    """Return a function in which another one takes the place of one that it calls, or is it."""

    def changed(node: Expression) -> Expression:
        node = with_parts(node, changed)
        if isinstance(node, tree.Invoke):
            return node._replace(function=_with(node.function, old, new, done))
        return node

    if function is old:
        return new
    if id(function) not in done:
        done[id(function)] = replace(function, body=changed(function.body))
    return done[id(function)]


def nodes_of(node: Expression) -> Iterator[Expression]:
    """Yield an expression and all that stands in it, in order; not the functions it calls."""
    yield node
    for _, part in _parts(node):
        yield from nodes_of(part)


class _Spot(NamedTuple):
    """A place in a node: a field, and the position in it where it has several."""

    field: str
    position: int | None = None

    def filled(self, node: Expression, part: Expression) -> Expression:
        """Return the node with another part in this place."""
        if self.position is None:
            return node._replace(**{self.field: part})
        parts = list(getattr(node, self.field))
        parts[self.position] = part
        return node._replace(**{self.field: tuple(parts)})


def _parts(node: Expression) -> Iterator[tuple[_Spot, Expression]]:
    """Yield the expressions that stand directly in a node."""
    if isinstance(node, Literal):
        return
    for name, part in node._asdict().items():
        if isinstance(part, NODES):
            yield _Spot(name), part
        elif type(part) is tuple:
            for position, item in enumerate(part):
                yield _Spot(name, position), item


class _Context(NamedTuple):
    """What is known of where a node stands: what is around it, and the nearest place.

    ``forced`` says what a condition may be forced to.
    """

    around: Expression | None
    forced: frozenset[bool]
    near: Place


class _Mutation(NamedTuple):
    """What takes the place of a node, and how that is shown: one expression becomes another."""

    node: Expression
    before: Expression
    after: Expression


Found = tuple[Place, str, Expression]
"""Where, the change in words, and the node with it."""


class _Function:
    """The mutations of the body of one function."""

    def __init__(self, function: Function) -> None:
        self.function = function
        nodes = list(nodes_of(function.body))
        self.reads = Counter(node.slot for node in nodes if isinstance(node, tree.Variable))
        self.sets: dict[str, list[tree.Set]] = {}
        for node in nodes:
            if isinstance(node, tree.Set):
                self.sets.setdefault(node.slot, []).append(node)
        self.values = dict(self._values(nodes))

    def _values(self, nodes: list[Expression]) -> Iterator[tuple[str, Expression]]:
        """Yield what each slot holds, where that is one expression."""
        for node in nodes:
            match node:
                case tree.Set(slot, value) if len(self.sets[slot]) == 1:
                    yield slot, value
                case tree.If(condition, tree.Block() as then, tree.Block() as otherwise):
                    others = {entry.slot: entry.value for entry in _sets_of(otherwise)}
                    for slot, value, *_ in _sets_of(then):
                        if slot in others and len(self.sets[slot]) == 2:
                            yield slot, tree.If(condition, value, others[slot], value.type)

    def mutations(self) -> list[Found]:
        """Return each mutation as the whole body with it, in the order of the source."""
        context = _Context(None, BOTH, self.function.place)
        found = list(self._walk(self.function.body, context))
        found += [
            self._dropped(entry)
            for entries in self.sets.values()
            for entry in entries
            if self._is_assignment(entry)
        ]
        return sorted(found, key=lambda entry: entry[0])

    def _walk(self, node: Expression, context: _Context) -> Iterator[Found]:
        """Yield the mutations of a node and of what stands in it, as the node with each."""
        if is_unwrap(node) or self._is_idle(node):
            return
        near = self._place(node) or context.near
        for mutated, before, after in self._own(node, context):
            yield near, change_text(before, after, self.values), mutated
        for spot, part in _parts(node) if not _is_settled(node) else ():
            if isinstance(part, Literal) and _has_operands(node):
                continue
            inner = _Context(node, _forced_in(node, spot, context.forced), near)
            for place, change, mutated in self._walk(part, inner):
                yield place, change, spot.filled(node, mutated)

    def _own(self, node: Expression, context: _Context) -> Iterator[_Mutation]:
        """Yield what may take the place of a node."""
        plain = [*_constants(node), *_logic(node), *_swaps(node)]
        if not (isinstance(context.around, tree.Not) and _is_integer_equality(node)):
            plain = [*_operators(node), *plain]
        plain *= not _is_settled(node)
        if self._is_test(node):
            plain += [build.TRUE] * (True in context.forced)
            plain += [build.FALSE] * (False in context.forced)
        if _may_be_absent(node, context.around):
            assert isinstance(node.type, OptionType)
            plain.append(build.none(node.type.inner))
        for after in plain:
            is_binding = after == build.TRUE and _binds(node)
            yield _Mutation(_held_true(node) if is_binding else after, node, after)
        yield from _statement_logic(node)
        yield from self._joins(node)

    def _joins(self, node: Expression) -> Iterator[_Mutation]:
        """Drop one of several assignments of a branch: the slot takes what the other branch gives.

        A branch with one assignment is dropped where its condition is forced.
        """
        match node:
            case tree.If(then=tree.Block(), otherwise=tree.Block()):
                pass
            case _:
                return
        sides = [(_Spot("then"), node.then), (_Spot("otherwise"), node.otherwise)]
        for (spot, side), (_, other) in (sides, reversed(sides)):
            given = {entry.slot: entry.value for entry in _sets_of(other)}
            inside = {entry.slot for entry in nodes_of(other) if isinstance(entry, tree.Set)}
            shared = [
                entry for entry in _sets_of(side) if entry.slot in given and self.reads[entry.slot]
            ]
            for entry in shared if len(shared) > 1 else ():
                value = given[entry.slot]
                is_outer = isinstance(value, tree.Variable) and value.slot not in inside
                if isinstance(value, Literal) or is_outer:
                    changed = _replaced(side, entry, entry._replace(value=value))
                    yield _Mutation(spot.filled(node, changed), entry.value, value)

    # What is known of a slot

    def _is_idle(self, node: Expression) -> bool:
        """Return whether a node only keeps a value that nobody reads."""
        return (
            isinstance(node, tree.Set)
            and not self.reads[node.slot]
            and isinstance(node.value, Literal | tree.Variable)
        )

    def _is_assignment(self, node: tree.Set) -> bool:
        """Return whether a node is an assignment of the source whose value is read."""
        is_value = not isinstance(node.value.type, NeverType)
        return is_value and node.place is not None and self.reads[node.slot] > 0

    def _is_test(self, node: Expression) -> bool:
        """Return whether a node is a condition that may be forced.

        A slot that is set and read once is forced where it is set.
        """
        if isinstance(node, tree.Variable):
            is_used_once = (len(self.sets.get(node.slot, ())), self.reads[node.slot]) == (1, 1)
            return node.type == BOOL and not is_used_once
        return _is_condition(node) and any(map(_is_simple_condition, nodes_of(node)))

    def _place(self, node: Expression) -> Place | None:
        """Return where a node stands, or the first thing in it that has a place."""
        place: Place | None = getattr(node, "place", None)
        if place is not None:
            return place
        if isinstance(node, tree.Variable):
            is_temporary = node.slot.startswith("#") and node.slot in self.values
            return self._place(self.values[node.slot]) if is_temporary else None
        if isinstance(node, tree.Block):
            return None
        return next(filter(None, (self._place(part) for _, part in _parts(node))), None)

    def _dropped(self, entry: tree.Set) -> Found:
        """Return the body without an assignment: its slot holds what it held before.

        Where that is nothing it holds 0, false or absent, which is set at the very start.
        """
        kind = entry.value.type
        empty = tree.Set(entry.slot, Literal(default(kind), kind), UNIT)
        assert entry.place is not None
        body = build.block([empty], _replaced(self.function.body, entry, build.NOTHING))
        change = f"the assignment of `{text_of(entry.value, self.values)}` is dropped"
        return entry.place, change, body


def _replaced(node: Expression, old: Expression, new: Expression) -> Expression:
    """Return an expression with another one, given itself, replaced."""
    return new if node is old else with_parts(node, lambda part: _replaced(part, old, new))


def _sets_of(side: Expression) -> list[tree.Set]:
    """Return what one side of a branch sets, whatever happens in it."""
    items = side.items if isinstance(side, tree.Block) else ()
    return [entry for entry in items if isinstance(entry, tree.Set)]


# Conditions


def _is_simple_condition(node: Expression) -> bool:
    """Return whether a node is a condition that is not made of others."""
    return node.type == BOOL and not isinstance(
        node, Literal | tree.Block | tree.If | tree.Not | tree.Closure
    )


def _is_condition(node: Expression) -> bool:
    return node.type == BOOL and not isinstance(node, Literal | tree.Block | tree.Closure)


def _forced_in(node: Expression, spot: _Spot, forced: frozenset[bool]) -> frozenset[bool]:
    """Return what a condition in a place may be forced to, where more would say nothing new.

    An operand of ``and`` that is forced to fail is the whole forced to fail, and a ``not`` forced
    is its operand forced the other way.
    """
    match node:
        case tree.Not():
            return frozenset()
        case tree.If(otherwise=Literal(False), type=BoolType()):
            return frozenset({True})
        case tree.If(then=Literal(True), type=BoolType()):
            return frozenset({False})
        case tree.Block() if spot.field == "result":
            return forced
    return BOTH


def _is_settled(node: Expression) -> bool:
    """Return whether a node is a condition of constants alone: it has one other value."""
    return node.type == BOOL and not any(
        isinstance(part, tree.Variable | tree.Unknown | tree.Invoke | tree.Set)
        for part in nodes_of(node)
    )


def _binds(node: Expression) -> bool:
    """Return whether an expression sets a slot: a pattern that binds a name does."""
    return any(isinstance(part, tree.Set) for part in nodes_of(node))


def _held_true(node: Expression) -> Expression:
    """Return a condition with all its tests forced to hold, and its names bound as before."""
    match node:
        case tree.If(left, right, Literal(False), kind):
            return tree.If(_held_true(left), _held_true(right), build.FALSE, kind)
        case tree.If(left, Literal(True), right, kind):
            return tree.If(_held_true(left), build.TRUE, right, kind)
        case tree.Block(_, result):
            return node._replace(result=_held_true(result))
    return build.block([node], build.TRUE) if _binds(node) else build.TRUE


# Mutators: each yields what may take the place of a node


def _operators(node: Expression) -> Iterator[Expression]:
    """Replace the operator of a comparison or of arithmetic."""
    match node:
        case tree.Arithmetic(operator) if not _is_conversion(node):
            for other in OPERATORS.replace(operator, ""):
                yield node._replace(operator=other, text=other)
        case tree.Compare(operator):
            for other in COMPARISONS[operator]:
                yield _comparison(other, node)
        case tree.Not(tree.Equal() as same) if _is_integer_equality(same):
            for other in COMPARISONS["!="]:
                yield _comparison(other, same)
        case tree.Equal() if _is_integer_equality(node):
            for other in COMPARISONS["=="]:
                yield _comparison(other, node)
        case tree.Equal():
            yield build.negated(node)


def _is_integer_equality(node: Expression) -> bool:
    return isinstance(node, tree.Equal) and isinstance(node.left.type, IntType)


def _comparison(operator: str, node: tree.Compare | tree.Equal) -> Expression:
    """Return a comparison of the same operands by another operator."""
    if operator in ("==", "!="):
        same = tree.Equal(node.left, node.right, BOOL, node.place)
        return same if operator == "==" else build.negated(same)
    return build.compare(operator, node.left, node.right, node.place)


def _is_conversion(node: Expression) -> bool:
    """Return whether arithmetic only stands for a change of type."""
    match node:
        case tree.Arithmetic("+", _, Literal(0), text="as"):
            return True
    return False


def _has_operands(node: Expression) -> bool:
    return isinstance(node, tree.Arithmetic | tree.Compare | tree.Equal)


def _constants(node: Expression) -> Iterator[Expression]:
    """Make an integer constant one more and one less: the node itself, or an operand of it."""
    if not _has_operands(node):
        yield from _neighbours(node)
    elif not _is_conversion(node):
        for spot, part in _parts(node):
            yield from (spot.filled(node, other) for other in _neighbours(part))


def _neighbours(node: Expression) -> Iterator[Expression]:
    match node:
        case Literal(value, IntType(highest=highest) as kind):
            for other in (value + 1, value - 1):
                if other >= 0 and (highest is None or other <= highest):
                    yield build.number(other, kind)


def _logic(node: Expression) -> Iterator[Expression]:
    """Make ``or`` of ``and`` and the other way round, and drop a ``not``.

    A pattern that binds names is joined by no operator.
    """
    match node:
        case tree.If(left, right, Literal(False), BoolType()) if not _binds(node):
            yield build.either(left, right)
        case tree.If(left, Literal(True), right, BoolType()) if not _binds(node):
            yield build.both(left, right)
        case tree.Not(value) if not isinstance(value, tree.Equal | tree.Not):
            yield value


def _statement_logic(node: Expression) -> Iterator[_Mutation]:
    """Do the same where ``and`` and ``or`` are statements: one side sets the slot to a constant."""
    match node:
        case tree.If(
            left, tree.Block((*_, tree.Set(slot, right)), _) as side, tree.Block((flag,), _)
        ) if flag == tree.Set(slot, build.FALSE, UNIT):
            mutated = node._replace(then=tree.Set(slot, build.TRUE, UNIT), otherwise=side)
            yield _Mutation(mutated, build.both(left, right), build.either(left, right))
        case tree.If(
            left, tree.Block((flag,), _), tree.Block((*_, tree.Set(slot, right)), _) as side
        ) if flag == tree.Set(slot, build.TRUE, UNIT):
            mutated = node._replace(then=side, otherwise=tree.Set(slot, build.FALSE, UNIT))
            yield _Mutation(mutated, build.either(left, right), build.both(left, right))


def _swaps(node: Expression) -> Iterator[Expression]:
    """Swap two arguments of one type."""
    if isinstance(node, tree.Invoke):
        for (one, first), (other, second) in combinations(enumerate(node.arguments), 2):
            if first.type == second.type and first != second:
                swapped = _Spot("arguments", one).filled(node, second)
                yield _Spot("arguments", other).filled(swapped, first)


def _may_be_absent(node: Expression, around: Expression | None) -> bool:
    """Return whether a node is an option that is made, or handed on, here.

    One that is only asked whether it is there is forced, as a condition.
    """
    if not isinstance(node.type, OptionType) or isinstance(node.type.inner, NeverType):
        return False
    if isinstance(around, tree.IsSome | tree.Payload):
        return False
    if isinstance(node, tree.Variable):
        return isinstance(around, tree.Set | tree.Invoke | tree.Equal | tree.Return)
    return isinstance(node, tree.Some | tree.Invoke | tree.Closure | tree.If)
