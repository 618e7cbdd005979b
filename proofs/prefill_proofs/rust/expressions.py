"""Rust expressions and statements as the planner language."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import TYPE_CHECKING, NoReturn

from tree_sitter import Node

from prefill_proofs import build
from prefill_proofs.language import (
    Arithmetic,
    Equal,
    Expression,
    If,
    Invoke,
    Item,
    Literal,
    MakeTuple,
    Place,
    Return,
    Set,
    Unknown,
    Variable,
)
from prefill_proofs.rust import bits, calls, macros, patterns
from prefill_proofs.rust.modules import Definition, Module, collect_items
from prefill_proofs.rust.rust_types import ARRAY, RANGES, UNSIGNED, read_type
from prefill_proofs.rust.scopes import LocalClosure, LocalImport, Scope
from prefill_proofs.rust.syntax import RustFile, field, parts
from prefill_proofs.types import (
    BOOL,
    NEVER,
    UNIT,
    USIZE,
    BoolType,
    IntType,
    NeverType,
    OptionType,
    TupleType,
    Type,
    unified,
)

if TYPE_CHECKING:
    from prefill_proofs.rust.reader import RustReader

MAX_DEPTH = 400
"""Expressions nested deeper than this are refused; people do not write them."""

MAX_EXPRESSIONS = 100_000
"""So many expressions are read of one file; a planner has hundreds."""

I32_MAX = 2**31 - 1
"""Literals that nothing gives a type are of type i32."""

_LOCAL_ITEMS = ("use_declaration", "function_item", "attribute_item")

_LOOPS = {
    "while_expression": "while loop",
    "for_expression": "for loop",
    "loop_expression": "loop",
}


class Body:
    """Reads one function's body.

    ``result`` is the type that ``return`` gives. Every method takes a syntax node and the scope
    that it stands in, and refuses what the planner language does not have.
    """

    def __init__(self, reader: RustReader, definition: Definition, result: Type) -> None:
        self.reader = reader
        self.definition = definition
        self.file: RustFile = definition.file
        self.result: Type | None = result
        self.returned: list[Type] = []
        self.slots = build.Slots()
        self.unknowns: dict[str, Type] = {}
        self._depth = 0

    def within(self, file: RustFile) -> Body:
        """Return this body reading a part of the file that was parsed again."""
        inner = copy(self)
        inner.file = file
        return inner

    def closure(self) -> Body:
        """Return this body reading a closure: what it returns decides its type."""
        inner = copy(self)
        inner.result, inner.returned = None, []
        return inner

    def refuse(self, node: Node, construct: str, message: str) -> NoReturn:
        """Raise the error for a construct outside the planner language."""
        self.file.refuse(node, construct, message)

    def place(self, node: Node) -> Place:
        """Return where a node stands."""
        return self.file.place(node)

    def text(self, node: Node) -> str:
        """Return a node's source."""
        return self.file.text(node)

    def type(self, node: Node) -> Type:
        """Return the type that a node names."""
        definition = self.definition
        kind = read_type(node, self.file, definition.module, self.reader.crate, definition.owner)
        if kind is None:
            self.reader.refuse_type(definition, node, f"type {self.text(node)}")
        return kind

    # Statements

    def block(self, node: Node, scope: Scope, expected: Type | None = None) -> Expression:
        """Read a block: its statements, and its value."""
        inner = scope.inner()
        items: list[Expression] = []
        children = parts(node)
        self._local_items(children, inner)
        for position, child in enumerate(children):
            is_final = position == len(children) - 1
            if child.type == "attribute_item":
                continue  # a cfg has been refused with the whole function
            if child.type in ("use_declaration", "function_item", "empty_statement"):
                continue  # read before the statements, for they are seen from all of the block
            if child.type == "let_declaration":
                self._let(child, inner, items)
            elif child.type == "expression_statement":
                expression = parts(child)[0]
                has_semicolon = child.children[-1].type == ";"
                value = self.expression(
                    expression, inner, expected if is_final and not has_semicolon else None
                )
                if is_final and not has_semicolon:
                    return build.block(items, value)
                items.append(value)
            elif child.type == "const_item":
                self._local_constant(child, inner, items)
            elif child.type.endswith("_item"):
                self.refuse(child, child.type.replace("_", " "), "move it out of the function")
            elif is_final:
                return build.block(items, self.expression(child, inner, expected))
            else:
                items.append(self.expression(child, inner))
        ends = bool(items) and isinstance(items[-1].type, NeverType)
        return build.block(items[:-1], items[-1]) if ends else build.block(items, build.NOTHING)

    def _local_items(self, children: list[Node], scope: Scope) -> None:
        module = Module(self.file, self.definition.module.path, self.definition.module.parent)
        collect_items([child for child in children if child.type in _LOCAL_ITEMS], module)
        for name, path in module.imports.items():
            scope.bind(name, LocalImport("::".join(path)))
        for name, definitions in module.definitions.items():
            entry = definitions[0]
            scope.bind(name, Definition(entry.node, self.file, self.definition.module))

    def _let(self, node: Node, scope: Scope, items: list[Expression]) -> None:
        pattern = field(node, "pattern")
        type_node = node.child_by_field_name("type")
        value_node = node.child_by_field_name("value")
        kind = self.type(type_node) if type_node is not None else None
        if value_node is None:
            if pattern.type not in ("identifier", "mut_pattern"):
                self.refuse(node, "let without a value", "bind one name")
            # Without a type it is known once something is assigned.
            patterns.declare(self, pattern, kind or NEVER, scope)
            return
        if value_node.type == "closure_expression":
            self._let_closure(pattern, value_node, scope, items)
            return
        value = self.expression(value_node, scope, kind)
        if kind is not None:
            value = self.coerce(value, kind, value_node)
        alternative = node.child_by_field_name("alternative")
        if pattern.type in ("identifier", "mut_pattern") and alternative is None:
            slot = patterns.declare(self, pattern, value.type, scope)
            items.append(Set(slot.slot, value, UNIT, self.place(node)))
            return
        held = self.slots.hold(value, items)
        if alternative is not None:
            otherwise = self.block(alternative, scope)
            test = self.pattern(pattern, held, scope)
            items.append(If(test, build.NOTHING, otherwise, UNIT))
            return
        test = self.pattern(pattern, held, scope)
        if test != build.TRUE:
            # What cannot fail to match needs no alternative; should it fail, that is a fault.
            items.append(build.requires(test, f"let {self.text(pattern)}", self.place(node)))

    def _let_closure(
        self, pattern: Node, value: Node, scope: Scope, items: list[Expression]
    ) -> None:
        if pattern.type not in ("identifier", "mut_pattern"):
            self.refuse(value, "closure", "bind it to a plain name")
        seen = scope.snapshot()
        if any(child.type == "move" for child in value.children):
            self.copy_variables(value, seen, items)
        name = self.text(pattern).removeprefix("mut ").strip()
        scope.bind(name, LocalClosure(value, seen))

    def copy_variables(self, closure: Node, scope: Scope, items: list[Expression]) -> None:
        """Give a ``move`` closure variables of its own, with the values of now."""
        for name in sorted(self._names_in(closure)):
            found = scope.find(name)
            if isinstance(found, Variable):
                kept = self.slots.fresh(name, found.type)
                items.append(Set(kept.slot, found, UNIT))
                scope.bind(name, kept)

    def _names_in(self, node: Node) -> set[str]:
        """Return the identifiers that occur in a node."""
        if node.type == "identifier":
            return {self.text(node)}
        return {name for child in node.named_children for name in self._names_in(child)}

    def _local_constant(self, node: Node, scope: Scope, items: list[Expression]) -> None:
        kind = self.type(field(node, "type"))
        value = self.coerce(self.expression(field(node, "value"), scope, kind), kind, node)
        slot = self.slots.fresh(self.text(field(node, "name")), kind)
        items.append(Set(slot.slot, value, UNIT))
        scope.bind(self.text(field(node, "name")), slot)

    # Expressions

    def expression(self, node: Node, scope: Scope, expected: Type | None = None) -> Expression:
        """Read an expression; ``expected`` is the type that the place asks for, when known."""
        self._depth += 1
        self.reader.expressions_read += 1
        if self._depth > MAX_DEPTH:
            self.refuse(node, "deep nesting", "split the expression into functions")
        if self.reader.expressions_read > MAX_EXPRESSIONS:
            self.refuse(node, "too much code", "closures in closures come to too much; use fn")
        try:
            return self._expression(node, scope, expected)
        finally:
            self._depth -= 1

    def _expression(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        reader = _EXPRESSIONS.get(node.type)
        if reader is not None:
            return reader(self, node, scope, expected)
        if node.type in _LOOPS:
            self.refuse(
                node,
                _LOOPS[node.type],
                "the planner language has no loops; write the bound as arithmetic",
            )
        self.refuse(
            node,
            node.type.replace("_", " "),
            "it is outside the planner language; write it with arithmetic, if, match and options",
        )

    def coerce(self, value: Expression, kind: Type, node: Node) -> Expression:
        """Return a value as one of a type, or refuse where it is of another."""
        joint = unified(value.type, kind)
        if joint is None:
            self.refuse(node, f"{self.text(node)}", f"is of type {value.type}, not {kind}")
        if isinstance(value, Literal) and value.type != joint:
            return Literal(value.value, joint)
        return value

    def of_type(self, node: Node, scope: Scope, kind: Type) -> Expression:
        """Read an expression of a known type."""
        return self.coerce(self.expression(node, scope, kind), kind, node)

    def boolean(self, node: Node, scope: Scope) -> Expression:
        """Read a condition."""
        return self.of_type(node, scope, BOOL)

    def pattern(self, node: Node, value: Expression, scope: Scope) -> Expression:
        """Read a pattern: a condition that also binds its names in ``scope``."""
        return patterns.read_pattern(self, node, value, scope, {})

    def condition(self, node: Node, scope: Scope) -> Expression:
        """Read the condition of an ``if``, whose patterns bind names in ``scope``."""
        if node.type == "let_condition":
            items: list[Expression] = []
            held = self.slots.hold(self.expression(field(node, "value"), scope), items)
            return build.block(items, self.pattern(field(node, "pattern"), held, scope))
        if node.type == "let_chain":
            result: Expression = build.TRUE
            for child in parts(node):
                result = build.both(result, self.condition(child, scope))
            return result
        return self.boolean(node, scope)

    def _integer(self, node: Node, _scope: Scope, expected: Type | None) -> Expression:
        text = self.text(node).replace("_", "")
        suffix = next((name for name in UNSIGNED if text.endswith(name)), None)
        digits = text.removesuffix(suffix) if suffix else text
        kind: Type = UNSIGNED[suffix] if suffix else USIZE
        if suffix is None and isinstance(expected, IntType):
            kind = expected
        try:
            value = int(digits, 0) if not digits.isdigit() else int(digits)
        except ValueError:
            self.refuse(node, f"literal {self.text(node)}", "write an unsigned integer")
        assert isinstance(kind, IntType)
        if kind.highest is not None and value > kind.highest:
            self.refuse(node, f"literal {self.text(node)}", f"does not fit in {kind}")
        return build.number(value, kind)

    def _boolean(self, node: Node, _scope: Scope, _expected: Type | None) -> Expression:
        return build.TRUE if self.text(node) == "true" else build.FALSE

    def _name(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        found = scope.find(self.text(node))
        if isinstance(found, Variable):
            return found
        if isinstance(found, LocalClosure):
            self.refuse(node, "closure as a value", "call it, or pass it to a method of an option")
        return self._path(node, scope, expected)

    def _path(self, node: Node, _scope: Scope, expected: Type | None) -> Expression:
        text = self.text(node).replace(" ", "")
        if text.split("::")[-1] == "None" and text in calls.NONE_PATHS:
            inner = expected.inner if isinstance(expected, OptionType) else NEVER
            return build.none(inner)
        head, _, last = text.rpartition("::")
        integer = UNSIGNED.get(head.split("::")[-1])
        if integer is not None and integer.highest is not None:
            special = {"MAX": integer.highest, "MIN": 0, "BITS": integer.highest.bit_length()}
            if last in special:
                return build.number(special[last], UNSIGNED["u32"] if last == "BITS" else integer)
        definition = calls.find(self, text, node, ("const_item", "static_item"))
        if definition is None:
            self.refuse(node, f"name {text}", "is not defined in this file; see [planner.externs]")
        return self.reader.constant(definition, node)

    def _parenthesized(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        return self.expression(parts(node)[0], scope, expected)

    def _reference(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        if any(child.type == "mutable_specifier" for child in node.children):
            self.refuse(node, "&mut", "a planner is a pure function; return the value instead")
        return self.expression(field(node, "value"), scope, expected)

    def _unary(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        operator = node.children[0].type
        operand = parts(node)[0]
        if operator == "*":
            return self.expression(operand, scope, expected)
        if operator == "-":
            self.refuse(node, "negation", "the planner language has unsigned integers only")
        value = self.expression(operand, scope, expected)
        if isinstance(value.type, BoolType):
            return build.negated(value)
        return bits.complement(self, value, node)

    def pair(
        self, left: Node, right: Node, scope: Scope, expected: Type | None
    ) -> tuple[Expression, Expression]:
        """Read two operands of one type; a literal takes the type of the other side."""
        if left.type == "integer_literal" and right.type != "integer_literal":
            second = self.expression(right, scope, expected)
            return self.of_type(left, scope, second.type), second
        first = self.expression(left, scope, expected)
        return first, self.of_type(right, scope, first.type)

    def _binary(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        operator = field(node, "operator").type
        left, right = field(node, "left"), field(node, "right")
        if operator == "&&":
            return build.both(self.boolean(left, scope), self.boolean(right, scope))
        if operator == "||":
            return build.either(self.boolean(left, scope), self.boolean(right, scope))
        if operator in ("<<", ">>"):
            value = self.expression(left, scope, expected)
            return bits.shift(self, operator, value, self.expression(right, scope), node)
        if operator in ("==", "!="):
            first, second = self.pair(left, right, scope, None)
            self._require_plain_equality(first.type, node)
            same = Equal(first, second, BOOL)
            return same if operator == "==" else build.negated(same)
        if operator in ("<", "<=", ">", ">="):
            first, second = self.pair(left, right, scope, None)
            self.require_integer(first, node)
            self.require_integer(second, node)
            return build.compare(operator, first, second, self.place(node))
        first, second = self.pair(left, right, scope, expected)
        return self.operation(operator, first, second, node)

    def _require_plain_equality(self, kind: Type, node: Node) -> None:
        """Refuse ``==`` of a struct that says itself what equal means."""
        inner = kind.items if isinstance(kind, TupleType) else ()
        if isinstance(kind, OptionType):
            inner = (kind.inner,)
        for item in inner:
            self._require_plain_equality(item, node)
        if isinstance(kind, TupleType) and kind.struct:
            for name in ("eq", "ne"):
                if self.reader.crate.methods(kind.struct, name, self.definition.module):
                    self.refuse(node, f"== of {kind}", "has an equality of its own; derive it")

    def operation(
        self, operator: str, left: Expression, right: Expression, node: Node
    ) -> Expression:
        """Return one of ``+ - * / %`` or of the bit operators, on two values of one type."""
        if operator in ("&", "|", "^"):
            return bits.combine(self, operator, left, right, node)
        self.require_integer(left, node)
        self.require_integer(right, node)
        return Arithmetic(operator, left, right, left.type, self.place(node), self.text(node))

    def require_integer(self, value: Expression, node: Node) -> IntType:
        """Return the type of an integer, or refuse any other value."""
        if not isinstance(value.type, IntType):
            self.refuse(node, f"{self.text(node)}", f"needs an integer, not {value.type}")
        return value.type

    def _assignment(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        if self.text(field(node, "left")) == "..":
            # The grammar takes `..= y` in parentheses for an assignment to `..`.
            upper = self.expression(field(node, "right"), scope)
            name, names = RANGES["..=x"]
            return MakeTuple((upper,), TupleType((upper.type,), names, name))
        slot = self._assigned(node, scope)
        value = self.of_type(field(node, "right"), scope, slot.type)
        if isinstance(slot.type, NeverType):
            slot = Variable(slot.slot, value.type)
            scope.settle(self.text(field(node, "left")), slot)
        return Set(slot.slot, value, UNIT, self.place(node))

    def _compound(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        slot = self._assigned(node, scope)
        operator = field(node, "operator").type.removesuffix("=")
        if operator in ("<<", ">>"):
            amount = self.expression(field(node, "right"), scope)
            shifted = bits.shift(self, operator, slot, amount, node)
            return Set(slot.slot, shifted, UNIT, self.place(node))
        # The right side is run first, as Rust does for plain integers.
        items: list[Expression] = []
        right = self.of_type(field(node, "right"), scope, slot.type)
        value = self.operation(operator, slot, self.slots.hold(right, items), node)
        return build.block([*items, Set(slot.slot, value, UNIT)], build.NOTHING)

    def _assigned(self, node: Node, scope: Scope) -> Variable:
        left = field(node, "left")
        while left.type in ("parenthesized_expression", "unary_expression"):
            left = parts(left)[0]
        found = scope.find(self.text(left)) if left.type == "identifier" else None
        if not isinstance(found, Variable):
            self.refuse(node, "assignment", "assign to a local variable")
        return found

    def _if(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        inner = scope.inner()
        condition = self.condition(field(node, "condition"), inner)
        then = self.block(field(node, "consequence"), inner, expected)
        clause = node.child_by_field_name("alternative")
        if clause is None:
            return If(condition, then, build.NOTHING, UNIT)
        expected = expected or (None if isinstance(then.type, NeverType) else then.type)
        otherwise = self.expression(parts(clause)[0], scope, expected)
        return self.join(condition, then, otherwise, node)

    def join(
        self, condition: Expression, then: Expression, otherwise: Expression, node: Node
    ) -> Expression:
        """Return one of two values of one type."""
        kind = unified(then.type, otherwise.type)
        if kind is None:
            self.refuse(node, "branches", f"give {then.type} and {otherwise.type}; make them one")
        return If(condition, then, otherwise, kind)

    def _match(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        items: list[Expression] = []
        subject = self.slots.hold(self.expression(field(node, "value"), scope), items)
        arms = [child for child in parts(field(node, "body")) if child.type == "match_arm"]
        # The compiler sees to it that an arm matches; should none, that is a fault.
        result = build.panic("match without a matching arm", self.place(node))
        read: list[tuple[Expression, Expression]] = []
        for arm in arms:
            inner = scope.inner()
            pattern = field(arm, "pattern")
            test = patterns.read_match_pattern(self, pattern, subject, inner)
            value = self.expression(field(arm, "value"), inner, expected)
            if expected is None and not isinstance(value.type, NeverType):
                expected = value.type
            read.append((test, value))
        for test, value in reversed(read):
            result = self.join(test, value, result, node)
        return build.block(items, result)

    def _return(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        children = parts(node)
        value = self.expression(children[0], scope, self.result) if children else build.NOTHING
        return self._leave(value, node)

    def _leave(self, value: Expression, node: Node) -> Expression:
        if self.result is not None:
            value = self.coerce(value, self.result, node)
        self.returned.append(value.type)
        return Return(value, NEVER, self.place(node))

    def _try(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        items: list[Expression] = []
        option = self.slots.hold(self.expression(parts(node)[0], scope), items)
        if not isinstance(option.type, OptionType) or not isinstance(
            self.result, OptionType | type(None)
        ):
            self.refuse(node, "?", "is read on options, in functions that return an option")
        leave = self._leave(build.none(), node)
        value = If(build.is_some(option), build.payload(option), leave, option.type.inner)
        return build.block(items, value)

    def _tuple(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        hints = expected.items if isinstance(expected, TupleType) else ()
        children = parts(node)
        items = tuple(
            self.expression(child, scope, hints[index] if index < len(hints) else None)
            for index, child in enumerate(children)
        )
        return MakeTuple(items, TupleType(tuple(item.type for item in items)))

    def _array(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        children = parts(node)
        if not children or any(child.type == ";" for child in node.children):
            self.refuse(node, "array", "list its items")
        first = self.expression(children[0], scope)
        items = [first, *(self.of_type(child, scope, first.type) for child in children[1:])]
        names = tuple(map(str, range(len(items))))
        return MakeTuple(tuple(items), TupleType((first.type,) * len(items), names, ARRAY))

    def _struct(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        kind = self.type(field(node, "name"))
        if not isinstance(kind, TupleType):
            self.refuse(node, f"struct {self.text(field(node, 'name'))}", "is no struct here")
        given: dict[str, Expression] = {}
        items: list[Expression] = []
        for child in parts(field(node, "body")):
            if child.type == "shorthand_field_initializer":
                name, value_node = self.text(child), parts(child)[0]
            elif child.type == "field_initializer":
                name, value_node = self.text(field(child, "field")), field(child, "value")
            else:
                self.refuse(child, "..base", "name every field")
            if name not in kind.names:
                self.refuse(child, f"field {name}", "has a type outside the planner language")
            value = self.of_type(value_node, scope, kind.items[kind.names.index(name)])
            given[name] = self.slots.hold(value, items)
        missing = [name for name in kind.names if name not in given]
        if missing:
            self.refuse(node, f"struct {kind}", f"gives no {missing[0]}")
        return build.block(items, MakeTuple(tuple(given[name] for name in kind.names), kind))

    def _field(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        value = self.expression(field(node, "value"), scope)
        name = self.text(field(node, "field"))
        return self.item(value, name, node)

    def item(self, value: Expression, name: str, node: Node) -> Expression:
        """Return a field of a struct or an item of a tuple."""
        if isinstance(value.type, TupleType):
            names = value.type.names or tuple(map(str, range(len(value.type.items))))
            if name in names:
                index = names.index(name)
                return Item(value, index, value.type.items[index])
        self.refuse(
            node,
            f"field {name}",
            f"is not one of {value.type} that the planner language has; make it an argument",
        )

    def _cast(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        target = self.type(field(node, "type"))
        value = self.expression(field(node, "value"), scope, None)
        constant = bits.constant_of(value)
        if constant is not None and constant > I32_MAX and self._is_untyped(field(node, "value")):
            self.refuse(node, f"as {target}", "of numbers that nothing types, which are i32")
        return self.cast(value, target, node)

    def _is_untyped(self, node: Node) -> bool:
        """Return whether an expression has nothing in it but literals without a suffix."""
        if node.type == "integer_literal":
            return not self.text(node).endswith(tuple(UNSIGNED))
        children = parts(node)
        return bool(children) and all(map(self._is_untyped, children))

    def cast(self, value: Expression, target: Type, node: Node) -> Expression:
        """Return a value as another integer type that surely holds it, or refuse."""
        if (
            isinstance(value, Literal)
            and isinstance(value.type, IntType)
            and isinstance(target, IntType)
        ):
            if target.highest is None or value.value <= target.highest:
                return Literal(value.value, target)
            self.refuse(node, f"as {target}", f"changes the value {value.value}")
        if isinstance(target, IntType) and isinstance(value.type, BoolType):
            return If(value, build.number(1, target), build.number(0, target), target)
        if not (
            isinstance(target, IntType)
            and isinstance(value.type, IntType)
            and target.highest is not None
            and value.type.highest is not None
            and value.type.highest <= target.highest
        ):
            self.refuse(node, f"as {target}", f"may change a value of type {value.type}")
        return build.retyped(value, target, self.place(node))

    def _range(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        operator = next(child.type for child in node.children if child.type in ("..", "..="))
        bounds = parts(node)
        starts = bool(bounds) and bounds[0].start_byte == node.start_byte
        if len(bounds) == 2:
            values = self.pair(bounds[0], bounds[1], scope, None)
            name, names = RANGES[operator]
        elif len(bounds) == 1:
            values = (self.expression(bounds[0], scope),)  # type: ignore[assignment]
            name, names = RANGES[f"x{operator}" if starts else f"{operator}x"]
        else:
            self.refuse(node, "range", "give it a bound")
        for value in values:
            self.require_integer(value, node)
        types = tuple(value.type for value in values)
        return MakeTuple(tuple(values), TupleType(types, names, name))

    def _call(self, node: Node, scope: Scope, expected: Type | None) -> Expression:
        return calls.read_call(self, node, scope, expected)

    def _macro(self, node: Node, scope: Scope, _expected: Type | None) -> Expression:
        return macros.read_macro(self, node, scope)

    def _closure(self, node: Node, _scope: Scope, _expected: Type | None) -> Expression:
        self.refuse(node, "closure", "pass it to a method of an option, or bind it to a name")

    def invoke(
        self, definition: Definition, arguments: list[Expression], nodes: list[Node], node: Node
    ) -> Expression:
        """Return a call of a function of the file."""
        function = self.reader.function(definition, node)
        if isinstance(function, Unknown):
            self.unknowns[function.name] = function.type
            return function
        self.unknowns |= function.unknowns
        if len(arguments) != len(function.parameters):
            wanted = len(function.parameters)
            self.refuse(node, f"call of {function.name}", f"takes {wanted} arguments")
        given = tuple(
            self.coerce(argument, kind, source)
            for argument, (_, kind), source in zip(
                arguments, function.parameters, nodes, strict=True
            )
        )
        return Invoke(function, given, function.result)


_Reader = Callable[[Body, Node, Scope, Type | None], Expression]

_EXPRESSIONS: dict[str, _Reader] = {
    "integer_literal": Body._integer,
    "boolean_literal": Body._boolean,
    "identifier": Body._name,
    "self": Body._name,
    "scoped_identifier": Body._path,
    "parenthesized_expression": Body._parenthesized,
    "reference_expression": Body._reference,
    "unary_expression": Body._unary,
    "binary_expression": Body._binary,
    "assignment_expression": Body._assignment,
    "compound_assignment_expr": Body._compound,
    "if_expression": Body._if,
    "match_expression": Body._match,
    "block": lambda body, node, scope, expected: body.block(node, scope, expected),
    "return_expression": Body._return,
    "try_expression": Body._try,
    "tuple_expression": Body._tuple,
    "unit_expression": lambda _body, _node, _scope, _expected: build.NOTHING,
    "struct_expression": Body._struct,
    "field_expression": Body._field,
    "type_cast_expression": Body._cast,
    "range_expression": Body._range,
    "call_expression": Body._call,
    "macro_invocation": Body._macro,
    "closure_expression": Body._closure,
    "array_expression": Body._array,
}
