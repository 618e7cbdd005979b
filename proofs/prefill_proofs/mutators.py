"""What may take the place of one node of a syntax tree: a small mistake of the same type."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.language import Expression, Literal
from prefill_proofs.nodes import Spot, binds, nodes_of, parts_of, with_part
from prefill_proofs.types import BOOL, UNIT, BoolType, IntType, NeverType, OptionType

COMPARISONS: dict[str, tuple[str, str]] = {
    "<": ("<=", "!="),
    "<=": ("<", "=="),
    ">": (">=", "!="),
    ">=": (">", "=="),
    "==": ("<=", ">="),
    "!=": ("<", ">"),
}
"""What takes the place of a comparison. A comparison has an answer for less, equal and greater;
these two and one that is forced change one of the three each, so that whatever notices them notices
every other operator."""

OPERATORS = "+-*/%"
"""Each arithmetic operator takes the place of each other one."""

BOTH = frozenset({True, False})
"""What a condition may be forced to."""


class Mutation(NamedTuple):
    """What takes the place of a node, and how that is shown: one expression becomes another."""

    node: Expression
    before: Expression
    after: Expression


def mutations_of(
    node: Expression, around: Expression | None, forced: frozenset[bool]
) -> Iterator[Mutation]:
    """Yield every mutation of a node itself.

    ``around`` is the node that it stands in, and ``forced`` what it is forced to where it is a
    condition.
    """
    found: list[Expression] = []
    if not is_settled(node):
        if not (isinstance(around, tree.Not) and _is_equality(node)):
            found += _operators(node)
        found += [*_constants(node), *_logic(node), *_swaps(node)]
    if isinstance(around, tree.Return) and node in (build.TRUE, build.FALSE):
        found.append(build.FALSE if node == build.TRUE else build.TRUE)
    found += [build.TRUE] * (True in forced) + [build.FALSE] * (False in forced)
    if _may_be_absent(node, around):
        assert isinstance(node.type, OptionType)
        found.append(build.none(node.type.inner))
    for after in found:
        is_pattern = after == build.TRUE and binds(node)
        yield Mutation(_held_true(node) if is_pattern else after, node, after)
    yield from _statement_logic(node)


# Comparisons and arithmetic


def _operators(node: Expression) -> Iterator[Expression]:
    """Replace the operator of a comparison or of arithmetic."""
    match node:
        case tree.Arithmetic(operator) if not _is_conversion(node):
            for other in OPERATORS.replace(operator, ""):
                yield node._replace(operator=other, text=other)
        case tree.Compare(operator):
            for other in COMPARISONS[operator]:
                yield _comparison(other, node)
        case tree.Not(tree.Equal() as same) if _is_equality(same):
            for other in COMPARISONS["!="]:
                yield _comparison(other, same)
        case tree.Equal() if _is_equality(node):
            for other in COMPARISONS["=="]:
                yield _comparison(other, node)
        case tree.Equal():
            yield build.negated(node)


def _is_equality(node: Expression) -> bool:
    """Return whether a node compares two integers for equality."""
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


def shows_constants(node: Expression) -> bool:
    """Return whether the constants in a node are mutated, and shown, with the whole of it."""
    return isinstance(node, tree.Arithmetic | tree.Compare | tree.Equal)


def _constants(node: Expression) -> Iterator[Expression]:
    """Make an integer constant one more and one less: the node itself, or an operand of it."""
    if not shows_constants(node):
        yield from _neighbours(node)
    elif not _is_conversion(node):
        for spot, part in parts_of(node):
            yield from (spot.filled(node, other) for other in _neighbours(part))


def _neighbours(node: Expression) -> Iterator[Expression]:
    match node:
        case Literal(value, IntType(highest=highest) as kind):
            for other in (value + 1, value - 1):
                if other >= 0 and (highest is None or other <= highest):
                    yield build.number(other, kind)


# Calls and options


def _swaps(node: Expression) -> Iterator[Expression]:
    """Swap two arguments of one type."""
    if isinstance(node, tree.Invoke):
        for (one, first), (other, second) in combinations(enumerate(node.arguments), 2):
            if first.type == second.type and first != second:
                swapped = Spot("arguments", one).filled(node, second)
                yield Spot("arguments", other).filled(swapped, first)


def _may_be_absent(node: Expression, around: Expression | None) -> bool:
    """Return whether a node is an option that is made, or handed on, where it stands.

    One that is only asked whether it is there is forced, as a condition.
    """
    if not isinstance(node.type, OptionType) or isinstance(node.type.inner, NeverType):
        return False
    if isinstance(around, tree.IsSome | tree.Payload):
        return False
    if isinstance(node, tree.Variable):
        return isinstance(around, tree.Set | tree.Invoke | tree.Equal | tree.Return)
    return isinstance(node, tree.Some | tree.Invoke | tree.Closure | tree.If)


# Conditions


def is_condition(node: Expression) -> bool:
    """Return whether a node is a condition that tests something, itself or in a part of it."""
    wholes = (tree.If, tree.Not)
    others = (Literal, tree.Block, tree.Closure)
    if node.type != BOOL or isinstance(node, others):
        return False
    return any(
        part.type == BOOL and not isinstance(part, (*wholes, *others)) for part in nodes_of(node)
    )


def is_settled(node: Expression) -> bool:
    """Return whether a node is a condition over constants alone: it has one other value."""
    return node.type == BOOL and not any(
        isinstance(part, tree.Variable | tree.Unknown | tree.Invoke | tree.Set)
        for part in nodes_of(node)
    )


def forced_in(node: Expression, spot: Spot, forced: frozenset[bool]) -> frozenset[bool]:
    """Return what a condition in a place of a node is forced to: not what says nothing new.

    An operand of ``and`` that is forced to fail is the whole forced to fail, and what is under a
    ``not`` is the whole forced the other way.
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


def _held_true(node: Expression) -> Expression:
    """Return a condition with all its tests forced to hold, and its names bound as before."""
    match node:
        case tree.If(left, right, Literal(False), kind):
            return tree.If(_held_true(left), _held_true(right), build.FALSE, kind)
        case tree.If(left, Literal(True), right, kind):
            return tree.If(_held_true(left), build.TRUE, right, kind)
        case tree.Block(_, result):
            return node._replace(result=_held_true(result))
    return build.block([node], build.TRUE) if binds(node) else build.TRUE


def _logic(node: Expression) -> Iterator[Expression]:
    """Make ``or`` of ``and`` and the other way round, and drop a ``not``.

    A pattern that binds names is joined by no operator.
    """
    match node:
        case tree.If(left, right, Literal(False), BoolType()) if not binds(node):
            yield build.either(left, right)
        case tree.If(left, Literal(True), right, BoolType()) if not binds(node):
            yield build.both(left, right)
        case tree.Not(value) if not isinstance(value, tree.Equal | tree.Not):
            yield value


def _statement_logic(node: Expression) -> Iterator[Mutation]:
    """Do the same where ``and`` and ``or`` are statements: one side sets the slot to a constant."""
    match node:
        case tree.If(
            left, tree.Block((*_, tree.Set(slot, right)), _) as side, tree.Block((flag,), _)
        ) if flag == tree.Set(slot, build.FALSE, UNIT):
            mutated = node._replace(then=tree.Set(slot, build.TRUE, UNIT), otherwise=side)
            yield Mutation(mutated, build.both(left, right), build.either(left, right))
        case tree.If(
            left, tree.Block((flag,), _), tree.Block((*_, tree.Set(slot, right)), _) as side
        ) if flag == tree.Set(slot, build.TRUE, UNIT):
            mutated = node._replace(then=side, otherwise=tree.Set(slot, build.FALSE, UNIT))
            yield Mutation(mutated, build.either(left, right), build.both(left, right))


# Branches that assign


def sets_of(side: Expression) -> list[tree.Set]:
    """Return what one side of a branch sets, whatever happens in it."""
    items = side.items if isinstance(side, tree.Block) else ()
    return [entry for entry in items if isinstance(entry, tree.Set)]


def lone_assignments(node: Expression, is_read: frozenset[str]) -> Iterator[Mutation]:
    """Drop one of several assignments of a branch: the slot takes what the other branch gives.

    A branch with one assignment is dropped where its condition is forced. ``is_read`` are the slots
    whose values matter.
    """
    if not isinstance(node, tree.If):
        return
    sides = [(Spot("then"), node.then), (Spot("otherwise"), node.otherwise)]
    for (spot, side), (_, other) in (sides, sides[::-1]):
        given = {entry.slot: entry.value for entry in sets_of(other)}
        inside = {entry.slot for entry in nodes_of(other) if isinstance(entry, tree.Set)}
        shared = [entry for entry in sets_of(side) if entry.slot in given.keys() & is_read]
        for entry in shared if len(shared) > 1 else ():
            value = given[entry.slot]
            is_outer = isinstance(value, tree.Variable) and value.slot not in inside
            if isinstance(value, Literal) or is_outer:
                changed = with_part(side, entry, entry._replace(value=value))
                yield Mutation(spot.filled(node, changed), entry.value, value)
