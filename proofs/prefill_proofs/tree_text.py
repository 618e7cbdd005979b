"""Expressions of the planner language as a person would write them, whatever the language."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import takewhile

from prefill_proofs import language as tree
from prefill_proofs.guarded import is_payload_of
from prefill_proofs.language import Expression
from prefill_proofs.types import BoolType, IntType, TupleType

LONGEST = 60
"""Characters of a text that are shown; what is longer is cut."""

BEFORE = 20
"""Characters that are shown before the first difference of two long texts."""

DEEPEST = 6
"""Levels of an expression that are written out."""

Values = Mapping[str, Expression]
"""What each slot holds, where that is one expression."""


def text_of(node: Expression, values: Values) -> str:
    """Return an expression as text; a slot without a name is shown as what it holds."""
    return _cut(_Writer(values).text(node, 0), 0)


def change_text(before: Expression, after: Expression, values: Values) -> str:
    """Return the words that one expression becomes another; long ones are cut to what differs."""
    texts = [_Writer(values).text(node, 0) for node in (before, after)]
    same = len(list(takewhile(lambda pair: pair[0] == pair[1], zip(*texts, strict=False))))
    start = 0 if max(map(len, texts)) <= LONGEST else max(same - BEFORE, 0)
    shown = [_cut(text, start) for text in texts]
    return f"`{shown[0]}` becomes `{shown[1]}`"


def _cut(text: str, start: int) -> str:
    """Return a text from a position on, with dots for what is left out on either side."""
    end = start + LONGEST
    return "..." * (start > 0) + text[start:end] + "..." * (end < len(text))


class _Writer:
    def __init__(self, values: Values) -> None:
        self.values = values

    def text(self, node: Expression, depth: int) -> str:
        """Return the text of a node that stands ``depth`` levels deep."""
        if depth > DEEPEST:
            return "..."

        def inner(part: Expression) -> str:
            return self.text(part, depth + 1)

        match node:
            case tree.If(tree.IsSome(option), then) if is_payload_of(then, option):
                return inner(option)
            case tree.Literal(value):
                return _constant(value)
            case tree.Variable(slot):
                return self._variable(slot, depth)
            case tree.Set(slot, value):
                return f"{self._name(slot)} = {inner(value)}"
            case tree.Block(_, result):
                return inner(result)
            case tree.If(condition, then, tree.Literal(False), BoolType()):
                # A pattern that always matches, or only binds a name, says nothing.
                if "true" in (first := inner(condition), second := inner(then)):
                    return second if first == "true" else first
                return self._joined(condition, "and", then, depth)
            case tree.If(condition, tree.Literal(True), otherwise, BoolType()):
                return self._joined(condition, "or", otherwise, depth)
            case tree.If(condition, then, otherwise):
                return f"if {inner(condition)} then {inner(then)} else {inner(otherwise)}"
            case tree.Return(value):
                return f"return {inner(value)}"
            case tree.Closure(body) | tree.Some(body):
                return inner(body)
            case tree.Panic(operation):
                return operation
            case tree.Arithmetic(text=text) if " " in text and depth:
                return text
            case tree.Arithmetic(operator, left, right, kind):
                is_floor = operator == "/" and isinstance(kind, IntType) and kind.highest is None
                return self._joined(left, "//" if is_floor else operator, right, depth)
            case tree.Compare(operator, left, right):
                return self._joined(left, operator, right, depth)
            case tree.Equal(left, right):
                return self._joined(left, "==", right, depth)
            case tree.Not(tree.Equal(left, right)):
                return self._joined(left, "!=", right, depth)
            case tree.Not(value):
                return f"not {self._operand(value, depth)}"
            case tree.IsSome(option):
                return f"{self._operand(option, depth)} is there"
            case tree.Payload(option):
                return inner(option)
            case tree.MakeTuple(items):
                return f"({', '.join(map(inner, items))})"
            case tree.Item(whole, position):
                kind = whole.type
                names = kind.names if isinstance(kind, TupleType) else ()
                return f"{inner(whole)}.{names[position] if names else position}"
            case tree.Invoke(function, arguments):
                return f"{function.name}({', '.join(map(inner, arguments))})"
            case tree.Unknown(name):
                return name

    def _joined(self, left: Expression, word: str, right: Expression, depth: int) -> str:
        return f"{self._operand(left, depth)} {word} {self._operand(right, depth)}"

    def _operand(self, node: Expression, depth: int) -> str:
        text = self.text(node, depth + 1)
        is_whole = " " not in text or isinstance(node, tree.Invoke | tree.MakeTuple)
        return text if is_whole else f"({text})"

    def _variable(self, slot: str, depth: int) -> str:
        name = self._name(slot)
        return name or (self.text(self.values[slot], depth) if slot in self.values else "...")

    def _name(self, slot: str) -> str:
        return slot.partition("#")[0]


def _constant(value: object) -> str:
    if value is None:
        return "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
