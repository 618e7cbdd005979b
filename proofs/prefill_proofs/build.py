"""Small pieces of syntax tree that readers build again and again."""

from prefill_proofs.language import (
    Arithmetic,
    Block,
    Compare,
    Expression,
    If,
    IsSome,
    Literal,
    Not,
    Panic,
    Payload,
    Place,
    Set,
    Some,
    Variable,
)
from prefill_proofs.types import BOOL, NEVER, UNIT, OptionType, Type

TRUE = Literal(True, BOOL)
FALSE = Literal(False, BOOL)
NOTHING = Literal((), UNIT)


def number(value: int, kind: Type) -> Literal:
    """Return an integer constant."""
    return Literal(value, kind)


def both(left: Expression, right: Expression) -> Expression:
    """Return ``left && right``: the right side is run only where the left one holds."""
    if left == TRUE:
        return right
    if right == TRUE:
        return left
    return If(left, right, FALSE, BOOL)


def either(left: Expression, right: Expression) -> Expression:
    """Return ``left || right``: the right side is run only where the left one fails."""
    return If(left, TRUE, right, BOOL)


def compare(
    operator: str, left: Expression, right: Expression, place: Place | None = None
) -> Expression:
    """Return a comparison."""
    return Compare(operator, left, right, BOOL, place)


def negated(value: Expression) -> Expression:
    """Return the opposite of a bool."""
    return Not(value, BOOL)


def is_some(option: Expression, place: Place | None = None) -> Expression:
    """Return whether an option is there."""
    return IsSome(option, BOOL, place)


def payload(option: Expression) -> Expression:
    """Return the value of an option known to be there."""
    assert isinstance(option.type, OptionType)
    return Payload(option, option.type.inner)


def some(value: Expression) -> Expression:
    """Return an option that is there."""
    return Some(value, OptionType(value.type))


def none(inner: Type = NEVER) -> Expression:
    """Return the absent option."""
    return Literal(None, OptionType(inner))


def unchecked(operator: str, left: Expression, right: Expression, place: Place) -> Arithmetic:
    """Return arithmetic whose range somebody else looks at."""
    return Arithmetic(operator, left, right, left.type, place, operator, checked=False)


def retyped(value: Expression, kind: Type, place: Place) -> Expression:
    """Return an integer as one of another type, which holds it."""
    return Arithmetic("+", value, number(0, kind), kind, place, "as", checked=False)


def block(items: list[Expression], result: Expression) -> Expression:
    """Return expressions in order."""
    return Block(tuple(items), result, result.type) if items else result


def panic(operation: str, place: Place) -> Expression:
    """Return a fault."""
    return Panic(operation, place, NEVER)


def requires(condition: Expression, operation: str, place: Place) -> Expression:
    """Return a statement that faults unless the condition holds."""
    return If(condition, NOTHING, panic(operation, place), UNIT)


class Slots:
    """Hands out slots; each name of a function gets its own."""

    def __init__(self) -> None:
        self._count = 0

    def fresh(self, name: str, kind: Type) -> Variable:
        """Return a new slot."""
        self._count += 1
        return Variable(f"{name}#{self._count}", kind)

    def hold(self, value: Expression, items: list[Expression]) -> Expression:
        """Return something that can be read more than once, setting a slot in ``items``."""
        if isinstance(value, Literal):
            return value
        slot = self.fresh("", value.type)
        items.append(Set(slot.slot, value, UNIT))
        return slot
