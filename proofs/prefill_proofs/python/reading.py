"""Reading one role: the values of names, the code written so far, and the paths through it.

Every assignment gets a slot of its own, and where two paths meet, each sets the slot that is read
from there on. So a slot never changes, and an expression may stand later than where it was read;
what may fault is put in place before its path branches.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple, NoReturn

from prefill_proofs import build
from prefill_proofs.language import Expression, If, Literal, Place, Set, Variable
from prefill_proofs.python import expressions, statements
from prefill_proofs.python.frames import Frame, State
from prefill_proofs.python.inputs import Inputs
from prefill_proofs.python.joins import Joiner
from prefill_proofs.python.modules import Module
from prefill_proofs.python.values import Element, Items, ListOf, Refused, Value, is_scalar
from prefill_proofs.refusals import SourceError
from prefill_proofs.types import UNIT

MAX_EXPRESSIONS = 100_000
"""So many expressions are read for one role, every call written out; a planner has hundreds."""


class Path(NamedTuple):
    """One of two paths: its value, its code, what it has changed, and whether it goes on."""

    value: Value
    items: list[Expression]
    state: State
    is_alive: bool


class Reading:
    """The reading of one role."""

    def __init__(self, module: Module, inputs: Inputs, notes: dict[str, None]) -> None:
        self.inputs = inputs
        self.notes = notes
        self.slots = build.Slots()
        self.items: list[Expression] = []
        self.frames = [Frame(module, module.file)]
        self.attributes: dict[str, Value] = {}
        self.lists: dict[int, tuple[Element, ...]] = {}
        self.list_count = 0
        self.aliases: list[set[int]] = []
        """Lists that may be one and the same: one of two, and either of them."""
        self.alive = True
        """Whether the path goes on: not after ``return`` or ``raise``."""
        self.constants_read: list[str] = []
        """The constants whose values are being read, outermost first."""
        self._expressions = 0

    @property
    def frame(self) -> Frame:
        """The function that is being read."""
        return self.frames[-1]

    def refuse(self, node: ast.AST, construct: str, message: str) -> NoReturn:
        """Raise the error for a construct outside the planner language."""
        self.frame.file.refuse(node, construct, message)

    def place(self, node: ast.AST) -> Place:
        """Return where a node stands."""
        return self.frame.file.place(node)

    def text(self, node: ast.AST) -> str:
        """Return a node's source."""
        return self.frame.file.text(node)

    def count(self, node: ast.AST) -> None:
        """Count an expression, and refuse where they come to too many."""
        self._expressions += 1
        if self._expressions > MAX_EXPRESSIONS:
            self.refuse(node, "too much code", "calls in calls come to too much; make it smaller")

    def read(self, node: ast.expr) -> Value:
        """Read an expression."""
        self.count(node)
        return expressions.read(self, node)

    def condition(self, node: ast.expr) -> Expression:
        """Read an expression of which only matters whether it counts as true."""
        return expressions.read_condition(self, node)

    def read_block(self, block: Sequence[ast.stmt]) -> Value:
        """Read statements up to the one that leaves."""
        for statement in block:
            if not self.alive:
                break
            self.count(statement)
            statements.read(self, statement)
        return build.none()

    def note(self, text: str) -> None:
        """Add to what is taken for granted; every report says it."""
        self.notes[text] = None

    def emit(self, item: Expression) -> None:
        """Write something down that is run here."""
        self.items.append(item)

    def hold(self, value: Expression, place: Place | None = None) -> Expression:
        """Return something that can be read more than once; a line that is run is marked."""
        if isinstance(value, Literal | Variable):
            if place is not None:
                slot = self.slots.fresh("", value.type)
                self.emit(Set(slot.slot, value, UNIT, place))
            return value
        slot = self.slots.fresh("", value.type)
        self.emit(Set(slot.slot, value, UNIT, place))
        return slot

    def held(self, value: Value) -> Value:
        """Return any value in a form that can be read more than once."""
        return self.hold(value) if is_scalar(value) else value  # type: ignore[arg-type]

    def state(self) -> State:
        """Return a copy of what the path has changed so far."""
        return State(dict(self.frame.names), dict(self.attributes), dict(self.lists))

    def restore(self, state: State) -> None:
        """Go back to a state; the copy stays as it is."""
        self.frame.names = dict(state.names)
        self.attributes = dict(state.attributes)
        self.lists = dict(state.lists)

    def new_list(self, elements: tuple[Element, ...]) -> int:
        """Return the number of a new list."""
        self.list_count += 1
        self.lists[self.list_count] = elements
        return self.list_count

    def is_aliased(self, number: int) -> bool:
        """Return whether something else that is still in use may be the same list."""
        others = {other for group in self.aliases if number in group for other in group}
        return bool((others - {number}) & self._lists_in_use()) if others else False

    def _lists_in_use(self) -> set[int]:
        pending: list[Value] = [*self.attributes.values()]
        for frame in self.frames:
            pending += frame.names.values()
        found: set[int] = set()
        while pending:
            match pending.pop():
                case ListOf(number) if number not in found:
                    found.add(number)
                    pending += [element.value for element in self.lists.get(number, ())]
                case Items(elements):
                    pending += [element.value for element in elements]
        return found

    def branch(
        self,
        condition: Expression,
        then: Callable[[], Value],
        otherwise: Callable[[], Value],
    ) -> Value:
        """Read two paths; return the value of the one that is taken."""
        if isinstance(condition, Literal):
            taken, left_out = (then, otherwise) if condition.value else (otherwise, then)
            self._glance(left_out)
            return taken()
        condition = self.hold(condition)  # it is run, whatever comes of the paths
        outer, before = self.items, self.state()
        self.frame.branches += 1
        first, second = self._path(then, before), self._path(otherwise, before)
        self.frame.branches -= 1
        self.items = outer
        self.alive = first.is_alive or second.is_alive
        if first.is_alive and second.is_alive:
            joiner = Joiner(self, first, second)
            joiner.join()
            value = joiner.values(first.value, second.value)
        else:
            going_on = first if first.is_alive else second
            self.restore(going_on.state)
            value = going_on.value
        one, other = (build.block(path.items, build.NOTHING) for path in (first, second))
        if first.items or second.items:
            self.emit(If(condition, one, other, UNIT))
        return value

    def _path(self, read: Callable[[], Value], before: State) -> Path:
        self.restore(before)
        self.items, self.alive = [], True
        value = self.held(read())
        return Path(value, self.items, self.state(), self.alive)

    def _glance(self, read: Callable[[], Value]) -> None:
        """Look at a path that is never taken: only for how it uses inputs."""
        before, items, alive = self.state(), self.items, self.alive
        frames, returned, branches = len(self.frames), len(self.frame.returned), self.frame.branches
        overlay = self.frame.overlay
        self.items = []
        self.frame.branches += 1
        with suppress(SourceError):  # what is never reached need not be in the language
            read()
        del self.frames[frames:]
        self.frame.branches, self.frame.overlay = branches, overlay
        del self.frame.returned[returned:]
        self.restore(before)
        self.items, self.alive = items, alive

    def attempt(self, node: ast.expr) -> bool:
        """Read what is run and not used; return whether it could be, undoing it where not."""
        before, count, frames = self.state(), len(self.items), len(self.frames)
        branches, overlay, items = self.frame.branches, self.frame.overlay, self.items
        try:
            self.held(self.read(node))
        except SourceError:
            del self.frames[frames:]
            self.frame.branches, self.frame.overlay, self.items = branches, overlay, items
            del self.items[count:]
            self.restore(before)
            return False
        return True

    def unusable(self, node: ast.AST, value: Refused) -> NoReturn:
        """Refuse a value that was put aside."""
        self.refuse(node, value.construct, value.message)
