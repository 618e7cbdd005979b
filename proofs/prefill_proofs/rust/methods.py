"""Methods of integers, bools, options and ranges."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import Arithmetic, Equal, Expression, If, MakeTuple
from prefill_proofs.rust import bits, calls
from prefill_proofs.rust.integers import METHODS, Site
from prefill_proofs.rust.rust_types import ARRAY, UNSIGNED
from prefill_proofs.rust.scopes import Scope
from prefill_proofs.types import (
    BOOL,
    NEVER,
    BoolType,
    IntType,
    NeverType,
    OptionType,
    TupleType,
    Type,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.body import Body

MAX_EXPONENT = 8
"""A power is written out as products; no planner needs a high one."""

SAME_TYPE = frozenset(
    {"min", "max", "clamp", "saturating_sub", "saturating_add", "saturating_mul", "div_ceil"}
)
"""Methods whose receiver is of the type that they return."""


def read_method(
    body: Body,
    node: Node,
    receiver: Expression,
    name: str,
    arguments: list[Node],
    scope: Scope,
    expected: Type | None,
) -> Expression:
    """Read a method call whose receiver has been read."""
    kind = receiver.type
    items: list[Expression] = []
    held = body.slots.hold(receiver, items)
    if isinstance(kind, OptionType):
        result = _OptionMethod(body, node, held, scope, expected).read(name, arguments)
    elif isinstance(kind, BoolType):
        result = _bool_method(body, node, held, name, arguments, scope)
    elif isinstance(kind, TupleType) and kind.struct:
        method = _array_method if kind.struct == ARRAY else _range_method
        result = method(body, node, held, name, arguments, scope)
    else:
        integer = body.require_integer(receiver, node)
        wanted = UNSIGNED["u32"] if name == "pow" else integer
        values = [body.of_type(argument, scope, wanted) for argument in arguments]
        result = call_method(body, node, held, name, values, arguments, scope)
    return build.block(items, result)


def call_method(
    body: Body,
    node: Node,
    receiver: Expression,
    name: str,
    values: list[Expression],
    nodes: list[Node],
    scope: Scope,
) -> Expression:
    """Return a method of an integer on arguments that have been read."""
    del scope
    kind = body.require_integer(receiver, node)
    site = Site(kind, body.place(node), body.text(node))
    items: list[Expression] = []
    held = [body.slots.hold(value, items) for value in (receiver, *values)]
    if name == "pow":
        return build.block(items, _power(body, node, site, held))
    arity, method = METHODS.get(name, (-1, None))
    if method is None:
        body.refuse(
            node, f"method {name}", f"of {kind} is outside the planner language; write it out"
        )
    if len(values) != arity:
        body.refuse(node, f"method {name}", f"takes {arity} arguments, not {len(values)}")
    for value, source in zip(values, nodes, strict=True):
        body.coerce(value, kind, source)
    return build.block(items, method(site, *held))


def _power(body: Body, node: Node, site: Site, held: list[Expression]) -> Expression:
    exponent = bits.constant_of(held[-1])
    if len(held) != 2 or exponent is None or exponent > MAX_EXPONENT:
        message = f"is read with a constant exponent up to {MAX_EXPONENT}"
        body.refuse(node, "pow", message)
    result: Expression = site.number(1)
    for _ in range(exponent):
        result = Arithmetic("*", result, held[0], site.kind, site.place, site.text)
    return result


def non_zero(body: Body, value: Expression) -> Expression:
    """Return ``NonZeroUsize::new``: nothing for 0."""
    items: list[Expression] = []
    held = body.slots.hold(value, items)
    is_zero = Equal(held, build.number(0, value.type), BOOL)
    some = build.some(held)
    return build.block(items, If(is_zero, build.none(value.type), some, some.type))


def _bool_method(
    body: Body, node: Node, held: Expression, name: str, arguments: list[Node], scope: Scope
) -> Expression:
    if name == "then_some" and len(arguments) == 1:
        items: list[Expression] = []
        value = body.slots.hold(body.expression(arguments[0], scope), items)
    elif name == "then" and len(arguments) == 1:
        items, value = [], calls.callback(body, arguments[0], scope)([])
    elif name == "clone":
        return held
    else:
        body.refuse(node, f"method {name}", "of bool is outside the planner language")
    if isinstance(value.type, OptionType):
        body.refuse(node, "option of an option", "use if instead")
    some = build.some(value)
    return build.block(items, body.join(held, some, build.none(), node))


def _array_method(
    body: Body, node: Node, held: Expression, name: str, arguments: list[Node], scope: Scope
) -> Expression:
    kind = held.type
    assert isinstance(kind, TupleType)
    if name == "len" and not arguments:
        return build.number(len(kind.items), UNSIGNED["usize"])
    if name != "contains" or len(arguments) != 1:
        body.refuse(node, f"method {name}", "of arrays is outside the planner language")
    items: list[Expression] = []
    value = body.slots.hold(body.of_type(arguments[0], scope, kind.items[0]), items)
    result: Expression = build.FALSE
    for field in reversed(kind.names):
        result = build.either(Equal(body.item(held, field, node), value, BOOL), result)
    return build.block(items, result)


def _range_method(
    body: Body, node: Node, held: Expression, name: str, arguments: list[Node], scope: Scope
) -> Expression:
    kind = held.type
    assert isinstance(kind, TupleType)
    if name == "clone" and not arguments:
        return held
    bounds = {field: body.item(held, field, node) for field in kind.names}
    upper = "<=" if kind.struct.endswith("Inclusive") else "<"
    if name == "contains" and len(arguments) == 1:
        items: list[Expression] = []
        value = body.slots.hold(body.of_type(arguments[0], scope, kind.items[0]), items)
        test: Expression = build.TRUE
        if "start" in bounds:
            test = build.compare("<=", bounds["start"], value)
        if "end" in bounds:
            test = build.both(test, build.compare(upper, value, bounds["end"]))
        return build.block(items, test)
    if name == "is_empty" and len(bounds) == 2 and not arguments:
        return build.negated(build.compare(upper, bounds["start"], bounds["end"]))
    if name == "len" and kind.struct == "Range" and not arguments:
        is_ordered = build.compare("<=", bounds["start"], bounds["end"])
        length = build.unchecked("-", bounds["end"], bounds["start"], body.place(node))
        return If(is_ordered, length, build.number(0, length.type), length.type)
    body.refuse(node, f"method {name}", f"of {kind.struct} is outside the planner language")


class _OptionMethod:
    """Reads a method of an option whose receiver is held in a slot."""

    def __init__(
        self, body: Body, node: Node, option: Expression, scope: Scope, expected: Type | None
    ) -> None:
        self.body = body
        self.node = node
        self.option = option
        self.scope = scope
        self.expected = expected
        assert isinstance(option.type, OptionType)
        self.inner = option.type.inner

    def read(self, name: str, arguments: list[Node]) -> Expression:
        """Return what the method means."""
        found = _OPTION_METHODS.get(name)
        if found is None:
            self.body.refuse(
                self.node,
                f"method {name}",
                "of options is outside the planner language; use match or if let",
            )
        arity, method = found
        if len(arguments) != arity:
            self.body.refuse(self.node, f"method {name}", f"takes {arity} arguments")
        return method(self, *arguments)

    @property
    def is_some(self) -> Expression:
        return build.is_some(self.option)

    @property
    def value(self) -> Expression:
        return build.payload(self.option)

    def call(self, node: Node, *values: Expression) -> Expression:
        """Call the closure or function that the method was given."""
        return calls.callback(self.body, node, self.scope)(list(values))

    def test(self, node: Node) -> Expression:
        """Call a predicate on the value."""
        return self.body.coerce(self.call(node, self.value), BOOL, node)

    def eager(self, node: Node, kind: Type, use: Callable[[Expression], Expression]) -> Expression:
        """Read an argument that is run whether or not it is needed."""
        items: list[Expression] = []
        hint = None if isinstance(kind, NeverType) else kind
        value = self.body.expression(node, self.scope, hint)
        held = self.body.slots.hold(value, items)
        return build.block(items, use(held))

    def choose(self, then: Expression, otherwise: Expression) -> Expression:
        """Return one value where the option is there, else another."""
        return self.body.join(self.is_some, then, otherwise, self.node)

    def filter(self, predicate: Node) -> Expression:
        kept = build.both(self.is_some, self.test(predicate))
        return If(kept, self.option, build.none(self.inner), self.option.type)

    def map(self, function: Node) -> Expression:
        value = self.call(function, self.value)
        if isinstance(value.type, OptionType):
            self.body.refuse(self.node, "option of an option", "use and_then")
        return self.choose(build.some(value), build.none())

    def map_or(self, default: Node, function: Node) -> Expression:
        return self.eager(
            default,
            self.expected or NEVER,
            lambda other: self.choose(
                self.body.coerce(self.call(function, self.value), other.type, function), other
            ),
        )

    def map_or_else(self, default: Node, function: Node) -> Expression:
        return self.choose(self.call(function, self.value), self.call(default))

    def and_then(self, function: Node) -> Expression:
        return self.choose(self.call(function, self.value), build.none())

    def and_(self, other: Node) -> Expression:
        return self.eager(other, NEVER, lambda value: self.choose(value, build.none()))

    def or_(self, other: Node) -> Expression:
        return self.eager(other, self.option.type, lambda value: self.choose(self.option, value))

    def or_else(self, function: Node) -> Expression:
        return self.choose(self.option, self.call(function))

    def xor(self, other: Node) -> Expression:
        def only_one(value: Expression) -> Expression:
            here = self.body.join(
                build.is_some(value), build.none(self.inner), self.option, self.node
            )
            return self.choose(here, value)

        return self.eager(other, self.option.type, only_one)

    def zip(self, other: Node) -> Expression:
        def together(value: Expression) -> Expression:
            if not isinstance(value.type, OptionType):
                self.body.refuse(other, "zip", f"takes an option, not {value.type}")
            pair = MakeTuple(
                (self.value, build.payload(value)), TupleType((self.inner, value.type.inner))
            )
            both = build.both(self.is_some, build.is_some(value))
            return self.body.join(both, build.some(pair), build.none(), self.node)

        return self.eager(other, NEVER, together)

    def unwrap_or(self, default: Node) -> Expression:
        return self.eager(default, self.inner, lambda other: self.choose(self.value, other))

    def unwrap_or_else(self, function: Node) -> Expression:
        return self.choose(self.value, self.call(function))

    def unwrap_or_default(self) -> Expression:
        if isinstance(self.inner, BoolType):
            return self.choose(self.value, build.FALSE)
        if isinstance(self.inner, IntType):
            return self.choose(self.value, build.number(0, self.inner))
        self.body.refuse(self.node, "unwrap_or_default", f"of {self.inner} is not read; write it")

    def unwrap(self) -> Expression:
        text = self.body.text(self.node)
        return self.choose(self.value, build.panic(text, self.body.place(self.node)))

    def expect(self, _message: Node) -> Expression:
        return self.unwrap()

    def is_there(self) -> Expression:
        return self.is_some

    def is_none(self) -> Expression:
        return build.negated(self.is_some)

    def is_some_and(self, predicate: Node) -> Expression:
        return build.both(self.is_some, self.test(predicate))

    def is_none_or(self, predicate: Node) -> Expression:
        return build.either(build.negated(self.is_some), self.test(predicate))

    def itself(self) -> Expression:
        return self.option


_OPTION_METHODS: dict[str, tuple[int, Callable[..., Expression]]] = {
    "filter": (1, _OptionMethod.filter),
    "map": (1, _OptionMethod.map),
    "map_or": (2, _OptionMethod.map_or),
    "map_or_else": (2, _OptionMethod.map_or_else),
    "and_then": (1, _OptionMethod.and_then),
    "and": (1, _OptionMethod.and_),
    "or": (1, _OptionMethod.or_),
    "or_else": (1, _OptionMethod.or_else),
    "xor": (1, _OptionMethod.xor),
    "zip": (1, _OptionMethod.zip),
    "unwrap_or": (1, _OptionMethod.unwrap_or),
    "unwrap_or_else": (1, _OptionMethod.unwrap_or_else),
    "unwrap_or_default": (0, _OptionMethod.unwrap_or_default),
    "unwrap": (0, _OptionMethod.unwrap),
    "expect": (1, _OptionMethod.expect),
    "is_some": (0, _OptionMethod.is_there),
    "is_none": (0, _OptionMethod.is_none),
    "is_some_and": (1, _OptionMethod.is_some_and),
    "is_none_or": (1, _OptionMethod.is_none_or),
    "copied": (0, _OptionMethod.itself),
    "cloned": (0, _OptionMethod.itself),
    "clone": (0, _OptionMethod.itself),
    "as_ref": (0, _OptionMethod.itself),
}
"""How many arguments each method takes, and what it means."""
