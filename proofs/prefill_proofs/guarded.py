"""Trees in which nothing is taken for granted, so that any part of them may be changed.

A reader leaves out a check where the tree around it makes it needless: the difference inside
``saturating_sub`` stands under a comparison, and a payload is read where the option is known to be
there. Once that comparison is changed, the check is needed after all. So each of them is put back:
a result that leaves its type faults, and so does the payload of an absent option. A tree as it was
read means the same as before, since none of these faults is ever reached.
"""

from __future__ import annotations

from dataclasses import replace

from prefill_proofs import build
from prefill_proofs import language as tree
from prefill_proofs.language import Expression, Function, Place
from prefill_proofs.nodes import with_parts
from prefill_proofs.types import IntType


def is_unwrap(node: Expression) -> bool:
    """Return whether a node is the payload of an option, or a fault where that is absent."""
    match node:
        case tree.If(tree.IsSome(option), tree.Payload(held), tree.Panic()):
            return option == held
    return False


def is_payload_of(node: Expression, option: Expression) -> bool:
    """Return whether a node is the payload of an option, with a fault where it is absent or not."""
    match node:
        case tree.Payload(held):
            return option == held
        case tree.If(tree.IsSome(held)):
            return is_unwrap(node) and option == held
    return False


def _unwrap(option: Expression, payload: tree.Payload, fault: Expression) -> Expression:
    kind = payload.type
    return tree.If(build.is_some(option), tree.Payload(option, kind), fault, kind)


def guarded(function: Function) -> Function:
    """Return a function that checks everything itself, and so does whatever it calls."""
    return _Guarding().function(function)


class _Guarding:
    """One pass; a function that is called twice stays one function."""

    def __init__(self) -> None:
        self._done: dict[int, Function] = {}

    def function(self, function: Function) -> Function:
        if id(function) not in self._done:
            body = self._value(function.body, function.place, is_kept=True)
            self._done[id(function)] = replace(function, body=body)
        return self._done[id(function)]

    def _value(self, node: Expression, near: Place, is_kept: bool) -> Expression:
        """Return a checked value.

        One that is not kept is only compared, or part of a sum that is checked as a whole: it may
        lie outside its type.
        """
        near = getattr(node, "place", None) or near

        def checked(part: Expression) -> Expression:
            return self._value(part, near, is_kept=True)

        def unkept(part: Expression) -> Expression:
            return self._value(part, near, is_kept=False)

        match node:
            case tree.If(tree.IsSome(option), tree.Payload() as held, fault) if is_unwrap(node):
                return _unwrap(checked(option), held, fault)
            case tree.Payload(option):
                return _unwrap(checked(option), node, build.panic("unwrap of nothing", near))
            case tree.Arithmetic(checked=False, type=IntType(highest=int())):
                return with_parts(node, unkept)._replace(checked=is_kept)
            case tree.Compare() | tree.Equal():
                return with_parts(node, unkept)
            case tree.If(condition, then, otherwise):
                return node._replace(
                    condition=checked(condition),
                    then=self._value(then, near, is_kept),
                    otherwise=self._value(otherwise, near, is_kept),
                )
            case tree.Block(items, result):
                return node._replace(
                    items=tuple(map(checked, items)), result=self._value(result, near, is_kept)
                )
            case tree.Invoke(function):
                return with_parts(node, checked)._replace(function=self.function(function))
        return with_parts(node, checked)
