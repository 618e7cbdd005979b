"""CrossHair: a contract for each question, and what ``crosshair check`` says of it."""

import ast
import re
from typing import Any, Literal, NamedTuple

from bench.questions import Question
from prefill_proofs.types import BoolType, Input, IntType, OptionType, Type
from prefill_spec.vocabulary import USIZE_MAX

Found = Literal["proved", "refuted", "undecided"]

_CONTRACT = '''"""A contract, written by bench/crosshair.py."""

from typing import Optional

from bench.questions import Question, load

QUESTION = Question{question}
PROPERTY, PLANNER = QUESTION.property, load(QUESTION)


def contract({parameters}) -> bool:
    """
{conditions}
    pre: PLANNER.is_scheduled({values})
    post: _
    """
    return PLANNER.holds(PROPERTY, {values})
'''


def contract(question: Question, inputs: tuple[Input, ...]) -> str:
    """Return a module with a function whose contract is that the property holds.

    Its parameters are the planner's inputs, each within its type.
    """
    names = [f"input_{number}" for number in range(len(inputs))]
    given = list(zip(names, inputs, strict=True))
    return _CONTRACT.format(
        question=tuple(question),
        parameters=", ".join(f"{name}: {_annotation(entry.type)}" for name, entry in given),
        values="{" + ", ".join(f"{entry.name!r}: {name}" for name, entry in given) + "}",
        conditions="\n".join(
            f"    pre: {bounds}" for name, entry in given if (bounds := _bounds(name, entry.type))
        ),
    )


def _annotation(kind: Type) -> str:
    match kind:
        case IntType():
            return "int"
        case BoolType():
            return "bool"
        case OptionType(inner):
            return f"Optional[{_annotation(inner)}]"
    raise TypeError(f"no annotation for {kind}")


def _bounds(name: str, kind: Type) -> str:
    match kind:
        case IntType(_, highest):
            return f"0 <= {name} <= {USIZE_MAX if highest is None else highest}"
        case OptionType(inner):
            return f"{name} is None or {_bounds(name, inner)}"
    return ""


class Said(NamedTuple):
    """What CrossHair says: the arguments are those of a counterexample."""

    found: Found
    arguments: tuple[Any, ...] = ()


def read_output(output: str) -> Said:
    """Return what the output of ``crosshair check --report_all`` says of one contract.

    Raises ``ValueError`` for an error of another kind: that is a fault of the contract.
    """
    if "info: Confirmed over all paths." in output:
        return Said("proved")
    call = re.search(r"error: false when calling contract\((.*?)\)(?: \(which|\s*$)", output, re.M)
    if call:
        return Said("refuted", _arguments(call[1]))
    if "error:" in output:
        raise ValueError(output)
    return Said("undecided")


def _arguments(text: str) -> tuple[Any, ...]:
    """Return the values of positional and named arguments, in the order of the parameters."""
    call = ast.parse(f"contract({text})", mode="eval").body
    assert isinstance(call, ast.Call)
    named = {
        int((keyword.arg or "").removeprefix("input_")): ast.literal_eval(keyword.value)
        for keyword in call.keywords
    }
    places = enumerate(map(ast.literal_eval, call.args))
    return tuple(value for _, value in sorted({**dict(places), **named}.items()))
