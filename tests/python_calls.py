"""Calls of functions in Python source: by Python itself, on ints, and as formulas."""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import SimpleNamespace
from typing import Any

from meanings import Meaning
from prefill_proofs.algebra import Algebra
from prefill_proofs.faults import Faults
from prefill_proofs.language import Function
from prefill_proofs.python.source import PythonSource
from prefill_proofs.symbolic import evaluate
from prefill_proofs.types import USIZE, BoolType, OptionType, Type, lifted
from reading import read_function
from symbolic_calls import FAULT, SymbolicCall, concrete_answer

Given = Mapping[str, Any]
"""A value for each input, by its name: ``x``, ``self.config.block_size``, ``len(self.queue)``."""


class PythonModule:
    """A module that Python itself runs; ``classes`` are the classes of objects by their path.

    Other objects are of no class. An object's attributes are the inputs that start with its path;
    an input of that very path says whether the object is there.
    """

    def __init__(self, source: str, classes: Mapping[str, str] | None = None) -> None:
        self.names: dict[str, Any] = {"__name__": "planner"}
        self.classes = dict(classes or {})
        exec(compile(source, "planner.py", "exec"), self.names)

    def answer(self, name: str, given: Given, kind: Type = USIZE) -> Any:
        """Return what a function answers, as its role takes it, or ``FAULT`` if it raises."""
        call = self._prepared(name, given)
        try:
            found = call()
        except Exception:
            return FAULT
        if isinstance(kind, BoolType):
            return bool(found)
        if found is None and isinstance(kind, OptionType):
            return None
        return int(found) if isinstance(found, int) else FAULT

    def _prepared(self, name: str, given: Given) -> Callable[[], Any]:
        *owners, last = name.split(".")
        scope: Any = None
        for owner in owners:
            scope = self.names[owner] if scope is None else getattr(scope, owner)
        function = self.names[last] if scope is None else inspect.getattr_static(scope, last)
        is_method = scope is not None and not isinstance(function, staticmethod)
        plain = getattr(function, "__func__", function)
        objects = Objects(self, given)
        arguments = {}
        for position, (parameter, default) in enumerate(defaults_of(plain).items()):
            if position == 0 and is_method:
                arguments[parameter] = objects.made(parameter, scope)
            elif is_given(parameter, objects.names):
                arguments[parameter] = objects.value(parameter)
            elif default is inspect.Parameter.empty:
                arguments[parameter] = SimpleNamespace()
        return lambda: plain(**arguments)


@cache
def defaults_of(function: Callable[..., Any]) -> dict[str, Any]:
    """Return the parameters of a function with their defaults."""
    parameters = inspect.signature(function).parameters
    return {name: parameter.default for name, parameter in parameters.items()}


class Objects:
    """The arguments of one call, made from its inputs."""

    def __init__(self, module: PythonModule, given: Given) -> None:
        self.module = module
        self.given = given
        self.names = tuple(given)

    def value(self, path: str) -> Any:
        parts = inside(path, self.names)
        is_object = bool(parts) or path in self.module.classes
        if path in self.given and not (is_object and self.given[path]):
            return None if is_object else self.given[path]
        if f"len({path})" in self.given:
            return [0] * self.given[f"len({path})"]
        places = sorted(int(name[1:-1]) for name in parts if name.startswith("["))
        if places:
            return tuple(self.value(f"{path}[{place}]") for place in range(max(places) + 1))
        name = self.module.classes.get(path)
        return self.made(path, SimpleNamespace if name is None else self.module.names[name])

    def made(self, path: str, kind: type) -> Any:
        """Return an object of a class, without a call of its ``__init__``."""
        maker: Any = kind
        made = maker.__new__(kind)
        for name in inside(path, self.names):
            made.__dict__[name[1:]] = self.value(path + name)
        return made


@cache
def is_given(path: str, names: tuple[str, ...]) -> bool:
    """Return whether any of some inputs is read from a path."""
    return any(re.match(rf"(len\()?{re.escape(path)}\b", name) for name in names)


@cache
def inside(path: str, names: tuple[str, ...]) -> list[str]:
    """Return ``.name`` or ``[place]`` of whatever is read from an object."""
    pattern = rf"(?:len\()?{re.escape(path)}(\.\w+|\[\d+\])"
    found = (re.match(pattern, name) for name in names)
    return list(dict.fromkeys(match[1] for match in found if match))


def read_python(source: str, name: str = "f", kind: Type = USIZE) -> Function:
    """Return the one function of a name in the planner language."""
    file = PythonSource(source.encode(), "planner.py", None, {})
    (found,) = file.find(name)
    function = read_function(file, found, kind)
    assert isinstance(function, Function)
    return function


def pinned_answer(function: Function, given: Given) -> Any:
    """Return what a function answers as formulas whose inputs are constants."""
    algebra, faults = Algebra(), Faults()
    kinds = dict(zip(function.names, (kind for _, kind in function.parameters), strict=True))
    values = {
        name: lifted(algebra, given[name], kind)
        for name, kind in {**kinds, **function.unknowns}.items()
    }
    arguments = tuple(values[name] for name in function.names)
    result = evaluate(function, arguments, values, algebra, faults)
    meaning = Meaning(algebra, {})
    return FAULT if meaning.truth(faults.faulted()) else meaning.value(result)


def require_answers(
    source: str,
    name: str,
    kind: Type,
    answers: Sequence[tuple[Given, Any]],
    classes: Mapping[str, str] | None = None,
) -> Function:
    """Require that Python and both evaluators give the answers; return the function as read."""
    module = PythonModule(source, classes)
    for given, expected in answers:
        assert module.answer(name, given, kind) == expected, f"in Python: {given}"
    function = read_python(source, name, kind)
    symbolic = SymbolicCall(function, function.unknowns)
    for given, expected in answers:
        assert concrete_answer(function, given) == expected, f"on ints: {given}"
        assert symbolic.answer(given) == expected, f"as formulas: {given}"
        assert pinned_answer(function, given) == expected, f"as formulas of constants: {given}"
    return function
