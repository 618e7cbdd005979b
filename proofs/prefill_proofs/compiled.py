"""The planner language as Python functions: what ``concrete`` answers, many times as fast.

The code is built from the nodes of a tree, never from text: every name in it is one of ours. A
value is an expression that reads slots and does nothing else; whatever may fault, assign or leave
is a statement before it.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import CodeType
from typing import Any

from prefill_proofs import concrete
from prefill_proofs import language as tree
from prefill_proofs.types import UNIT, IntType

_OPERATORS: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "*": ast.Mult,
    "/": ast.FloorDiv,
    "%": ast.Mod,
}
_COMPARISONS: dict[str, type[ast.cmpop]] = {
    "<": ast.Lt,
    "<=": ast.LtE,
    ">": ast.Gt,
    ">=": ast.GtE,
}
_NOTHING = ast.Tuple([], ast.Load())


def compiled(function: tree.Function, unknowns: Mapping[str, Any]) -> Callable[..., Any]:
    """Return a Python function of the same parameters that answers as ``concrete.run`` does.

    ``unknowns`` gives the values of the unknown constants, once and for all. The function raises
    ``FaultError`` where the planner faults. One that is nested too deep for Python's own compiler
    is run by ``concrete``.
    """
    program = _Program(unknowns)
    try:
        name = program.name_of(function)
        code = program.code()
    except (SyntaxError, RecursionError):
        return lambda *arguments: concrete.run(function, arguments, unknowns)
    exec(code, program.namespace)
    answer: Callable[..., Any] = program.namespace[name]
    return answer


class _Program:
    """The definitions of a function and of all that it calls, each once."""

    def __init__(self, unknowns: Mapping[str, Any]) -> None:
        self.unknowns = unknowns
        self.namespace: dict[str, Any] = {}
        self.definitions: list[ast.stmt] = []
        self._names: dict[int, str] = {}

    def name_of(self, function: tree.Function) -> str:
        """Return the name of a function's definition, written where it is first asked for."""
        if id(function) not in self._names:
            name = f"function_{len(self._names)}"
            self._names[id(function)] = name
            self.definitions.append(_Body(self).definition(name, function))
        return self._names[id(function)]

    def fault(self, operation: str, place: tree.Place) -> ast.stmt:
        """Return the statement that faults."""
        name = f"fault_{len(self.namespace)}"
        self.namespace[name] = partial(concrete.FaultError, operation, place)
        return ast.Raise(ast.Call(_read(name), [], []), None)

    def code(self) -> CodeType:
        module = ast.fix_missing_locations(ast.Module(self.definitions, []))
        return compile(module, "<planner>", "exec")


@dataclass
class _Closure:
    """A closure that is being written: the name of its value."""

    result: str
    is_left_early: bool = False


class _Body:
    """The body of one function as it is written, statement by statement."""

    def __init__(self, program: _Program) -> None:
        self.program = program
        self.statements: list[ast.stmt] = []
        self.slots: dict[str, str] = {}
        self.names = 0
        self.assignments = 0
        self.closures: list[_Closure] = []

    def definition(self, name: str, function: tree.Function) -> ast.stmt:
        parameters = [ast.arg(self._slot(slot)) for slot, _ in function.parameters]
        body = function.body
        while isinstance(body, tree.Invoke):
            # All that is left is this call: its body goes on where this one ends.
            values = self._operands(body.arguments)
            self.slots = {}
            for (slot, _), value in zip(body.function.parameters, values, strict=True):
                self._assign(self._slot(slot), value)
            body = body.function.body
        self._finish(body)
        arguments = ast.arguments([], parameters, None, [], [], None, [])
        return ast.FunctionDef(name, arguments, self.statements, [])

    def value(self, node: tree.Expression) -> ast.expr:
        """Write what happens before a value is there; return the expression of the value."""
        match node:
            case tree.Variable(slot):
                return _read(self._slot(slot))
            case tree.Literal(value):
                return ast.Constant(value)
            case tree.Unknown(name):
                return ast.Constant(self.program.unknowns[name])
            case tree.Arithmetic():
                return self._arithmetic(node)
            case tree.Compare(name, left, right):
                return self._compare(_COMPARISONS[name](), left, right)
            case tree.Equal(left, right):
                return self._compare(ast.Eq(), left, right)
            case tree.Not(inner):
                return ast.UnaryOp(ast.Not(), self.value(inner))
            case tree.If():
                return self._branch(node)
            case tree.Set(slot, inner):
                self._assign(self._slot(slot), self.value(inner))
                self.assignments += 1
                return _NOTHING
            case tree.Block(items, result):
                for item in items:
                    self.value(item)
                return self.value(result)
            case tree.Return(inner):
                self._leave(self.value(inner))
                return _NOTHING
            case tree.Closure(body):
                return self._closure(body)
            case tree.Some(inner) | tree.Payload(inner):
                return self.value(inner)
            case tree.IsSome(option):
                match self.value(option):
                    # Python warns where a constant or a tuple is compared with ``None``.
                    case ast.Constant(held):
                        return ast.Constant(held is not None)
                    case ast.Tuple():
                        return ast.Constant(True)
                    case held:
                        return ast.Compare(held, [ast.IsNot()], [ast.Constant(None)])
            case tree.MakeTuple(items):
                return ast.Tuple(self._operands(items), ast.Load())
            case tree.Item(whole, position):
                return ast.Subscript(self.value(whole), ast.Constant(position), ast.Load())
            case tree.Invoke(function, arguments):
                name = self.program.name_of(function)
                return self._kept(ast.Call(_read(name), self._operands(arguments), []))
            case tree.Panic(operation, place):
                self.statements.append(self.program.fault(operation, place))
                return _NOTHING

    # Values

    def _operands(self, nodes: Sequence[tree.Expression]) -> list[ast.expr]:
        """Return values that are there at the same time, computed from left to right."""
        found: list[ast.expr] = []
        for node in nodes:
            written, assignments = len(self.statements), self.assignments
            value = self.value(node)
            if self.assignments > assignments:
                # What stands before an assignment reads its slots before it, too.
                later = self.statements[written:]
                del self.statements[written:]
                found = [self._kept(earlier) for earlier in found]
                self.statements += later
            found.append(value)
        return found

    def _compare(
        self, comparison: ast.cmpop, left: tree.Expression, right: tree.Expression
    ) -> ast.expr:
        first, second = self._operands((left, right))
        return ast.Compare(first, [comparison], [second])

    def _arithmetic(self, node: tree.Arithmetic) -> ast.expr:
        left, right = self._operands((node.left, node.right))
        fault = partial(self.program.fault, node.text, node.place)
        if node.operator in "/%":
            right = self._kept(right)
            is_zero = ast.Compare(right, [ast.Eq()], [ast.Constant(0)])
            self.statements.append(ast.If(is_zero, [fault()], []))
        result: ast.expr = ast.BinOp(left, _OPERATORS[node.operator](), right)
        assert isinstance(node.type, IntType)
        if node.checked and node.type.highest is not None and node.operator not in "/%":
            result = self._kept(result)
            is_outside = _outside(node.operator, result, node.type.highest)
            self.statements.append(ast.If(is_outside, [fault()], []))
        return result

    # Statements

    def _finish(self, node: tree.Expression) -> None:
        """Write what happens before the function returns a value, and return it."""
        match node:
            case tree.Block(items, result):
                for item in items:
                    self.value(item)
                self._finish(result)
            case tree.If(condition, then, otherwise):
                test = self.value(condition)
                outer, self.statements = self.statements, []
                self._finish(then)
                outer.append(ast.If(test, self.statements, []))
                self.statements = outer
                self._finish(otherwise)
            case tree.Return(inner):
                self._finish(inner)
            case _:
                self.statements.append(ast.Return(self.value(node)))

    def _branch(self, node: tree.If) -> ast.expr:
        condition = self.value(node.condition)
        then, then_value = self._written(node.then)
        otherwise, otherwise_value = self._written(node.otherwise)
        if not then and not otherwise:
            return ast.IfExp(condition, then_value, otherwise_value)
        result = _NOTHING if node.type == UNIT else _read(self._temporary())
        if isinstance(result, ast.Name):
            then.append(_assignment(result.id, then_value))
            otherwise.append(_assignment(result.id, otherwise_value))
        self.statements.append(ast.If(condition, then or [ast.Pass()], otherwise))
        return result

    def _written(self, node: tree.Expression) -> tuple[list[ast.stmt], ast.expr]:
        """Return a value, and the statements before it on their own."""
        outer, self.statements = self.statements, []
        value = self.value(node)
        inner, self.statements = self.statements, outer
        return inner, value

    def _closure(self, body: tree.Expression) -> ast.expr:
        """Write a loop that runs once: it can be left from anywhere inside."""
        closure = _Closure(self._temporary())
        self.closures.append(closure)
        statements, value = self._written(body)
        self.closures.pop()
        if not closure.is_left_early:
            self.statements += statements
            return value
        statements += [_assignment(closure.result, value), ast.Break()]
        self.statements.append(ast.While(ast.Constant(True), statements, []))
        return _read(closure.result)

    def _leave(self, value: ast.expr) -> None:
        if not self.closures:
            self.statements.append(ast.Return(value))
            return
        closure = self.closures[-1]
        closure.is_left_early = True
        self.statements += [_assignment(closure.result, value), ast.Break()]

    def _assign(self, name: str, value: ast.expr) -> None:
        self.statements.append(_assignment(name, value))

    def _kept(self, value: ast.expr) -> ast.expr:
        """Return a value that no later assignment changes, under a name unless it is constant."""
        if isinstance(value, ast.Constant):
            return value
        name = self._temporary()
        self._assign(name, value)
        return _read(name)

    # Names

    def _temporary(self) -> str:
        self.names += 1
        return f"value_{self.names}"

    def _slot(self, slot: str) -> str:
        if slot not in self.slots:
            self.names += 1
            self.slots[slot] = f"slot_{self.names}"
        return self.slots[slot]


def _outside(operator: str, result: ast.expr, highest: int) -> ast.expr:
    """Return whether a result leaves ``0..=highest``, in which its operands are.

    Only a difference can be too low, and only a sum or a product too high.
    """
    if operator == "-":
        return ast.Compare(result, [ast.Lt()], [ast.Constant(0)])
    return ast.Compare(result, [ast.Gt()], [ast.Constant(highest)])


def _read(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assignment(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)
