"""Bit operators by constants, as exact arithmetic.

``x & c`` is a sum over the runs of ones in ``c``: the bits from ``low`` up to ``high`` of ``x``
are ``x % 2**high - x % 2**low``. ``x | c`` is ``x + c - (x & c)``, and ``x ^ c`` is
``x + c - 2 * (x & c)``. Shifts divide or multiply by a power of two; what ``<<`` shifts out is
lost, as in Rust.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build, concrete
from prefill_proofs.language import Expression, If
from prefill_proofs.masks import masked
from prefill_proofs.rust.integers import Site, wrapped
from prefill_proofs.types import BOOL, BoolType, IntType

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body


def complement(body: Body, value: Expression, node: Node) -> Expression:
    """Return ``!value`` of an integer."""
    kind = body.require_integer(value, node)
    assert kind.highest is not None
    constant = constant_of(value)
    if constant is not None:
        return build.number(kind.highest - constant, kind)
    return build.unchecked("-", build.number(kind.highest, kind), value, body.place(node))


def shift(
    body: Body, operator: str, value: Expression, amount: Expression, node: Node
) -> Expression:
    """Return ``value << amount`` or ``value >> amount`` for a constant amount."""
    kind = body.require_integer(value, node)
    assert kind.highest is not None
    bits = constant_of(amount)
    if bits is None:
        body.refuse(node, f"{operator} by a variable", "shift by a constant, or divide")
    if bits >= kind.highest.bit_length():
        body.refuse(node, f"{operator} by {bits}", f"{kind} has too few bits; Rust refuses it too")
    power, place = build.number(2**bits, kind), body.place(node)
    if operator == ">>":
        return build.unchecked("/", value, power, place)
    site = Site(kind, place, body.text(node))
    return wrapped(site, site.exact("*", value, power))


def combine(
    body: Body, operator: str, left: Expression, right: Expression, node: Node
) -> Expression:
    """Return ``&``, ``|`` or ``^`` of two bools, or of an integer and a constant."""
    place = body.place(node)
    if isinstance(left.type, BoolType):
        return _of_bools(body, operator, left, right)
    kind = body.require_integer(left, node)
    if constant_of(left) is not None:
        left, right = right, left
    mask = constant_of(right)
    if mask is None:
        body.refuse(node, f"{operator} of two variables", "use a constant mask, or % and /")
    other = constant_of(left)
    if other is not None:
        folded = {"&": other & mask, "|": other | mask, "^": other ^ mask}
        return build.number(folded[operator], kind)
    items: list[Expression] = []
    value = body.slots.hold(left, items)
    kept = masked(value, mask, kind, place)
    if operator == "&":
        return build.block(items, kept)
    total = build.unchecked("+", value, build.number(mask, kind), place)
    common = kept
    if operator == "^":
        common = build.unchecked("*", kept, build.number(2, kind), place)
    return build.block(items, build.unchecked("-", total, common, place))


def _of_bools(body: Body, operator: str, left: Expression, right: Expression) -> Expression:
    # Both sides are run, unlike with && and ||.
    items: list[Expression] = []
    first, second = body.slots.hold(left, items), body.slots.hold(right, items)
    if operator == "&":
        return build.block(items, build.both(first, second))
    if operator == "|":
        return build.block(items, build.either(first, second))
    return build.block(items, If(first, build.negated(second), second, BOOL))


def constant_of(value: Expression) -> int | None:
    """Return what an integer expression comes to that reads no variable, else ``None``."""
    if not isinstance(value.type, IntType):
        return None
    try:
        found = concrete.value_of(value)
    except (KeyError, concrete.FaultError):
        return None
    return int(found)
