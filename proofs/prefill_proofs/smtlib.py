"""Queries as SMT-LIB 2, for any other solver and for people."""

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import z3

from prefill_proofs.algebra import Algebra
from prefill_proofs.linear import Linear
from prefill_proofs.solver import Query
from prefill_spec.vocabulary import Formula

RESERVED = frozenset(
    (
        *("_", "as", "exists", "forall", "let", "match", "par"),
        *("and", "distinct", "false", "ite", "not", "or", "true", "xor"),
        *("abs", "div", "divisible", "iand", "int.log2", "int.pow2", "mod"),
    )
)
"""Names that an input may have, and that a solver reads as something else."""

COMMENT_WIDTH = 98
"""Columns of the text in a comment."""


class _Part(NamedTuple):
    """A conjunct of a query as text, with what it speaks of; its formula keeps its number."""

    formula: Any
    text: str
    symbols: dict[str, Any]


class Writer:
    """Writes queries; what several of them share is put into text once."""

    def __init__(self) -> None:
        self._parts: dict[int, _Part] = {}

    def script(self, query: Query, comment: Sequence[str], algebra: Algebra) -> str:
        """Return a file that asks whether the formulas of a query can hold together.

        The ``comment`` stands above it, a paragraph an entry. What the ``algebra`` has named is
        explained where it is declared.
        """
        assumed, asked = map(self._written, query)
        parts = [*assumed, *asked]
        symbols = {name: kind for part in parts for name, kind in part.symbols.items()}
        known = meanings(algebra)
        goal = z3.Goal()
        goal.add(*(part.formula for part in parts))
        logic = "QF_LIA" if z3.Probe("is-qflia")(goal) else "QF_NIA"
        lines = [f"; {line}" for entry in comment for line in _wrapped(entry)]
        lines += ["", f"(set-logic {logic})"]
        lines += (_declaration(name, kind, known) for name, kind in symbols.items())
        for title, group in (("Assumed:", assumed), ("Asked for:", asked)):
            lines += [f"; {title}", *(f"(assert {part.text})" for part in group)] if group else []
        return "\n".join([*lines, "(check-sat)", ""])

    def _written(self, formulas: Iterable[Formula]) -> list[_Part]:
        """Return the conjuncts of some formulas, each once."""
        parts = [self._part(part) for formula in formulas for part in _conjuncts(formula)]
        return list({id(part): part for part in parts}.values())

    def _part(self, formula: Any) -> _Part:
        number = formula.get_id()
        found = self._parts.get(number)
        if found is None:
            symbols = dict(_symbols(formula))
            renamed = [
                (z3.Const(name, kind), z3.Const(name_of(name), kind))
                for name, kind in symbols.items()
                if name_of(name) != name
            ]
            text = z3.substitute(formula, *renamed).sexpr()
            found = self._parts[number] = _Part(formula, text, symbols)
        return found


def name_of(name: str) -> str:
    """Return a name as a solver reads it: the same, but for signs and words that mean something.

    Two names stay two: a name of our own holds a mark that no input's name can hold.
    """
    if name in RESERVED:
        return f"{name}!"
    return re.sub(r"[^\w.?!]", lambda sign: f"!{ord(sign[0]):x}!", name, flags=re.ASCII)


def meanings(algebra: Algebra) -> dict[str, str]:
    """Return what the names of an algebra stand for, but those of its inputs."""
    found = {}

    def written(form: Linear) -> str:
        return _written(form, algebra)

    def factor(form: Linear) -> str:
        text = written(form)
        return f"({text})" if " " in text else text

    for division in algebra.divisions.values():
        if division.is_atomic:
            quotient = written(division.quotient)
            dividend, divisor = factor(division.dividend), factor(division.divisor)
            found[quotient] = f"{dividend} / {divisor}, rounded down"
            if not division.divisor.is_constant:
                found[written(division.unit_multiple)] = f"{factor(division.unit)} * {quotient}"
    for entry in algebra.products.values():
        found[written(entry.result)] = f"{written(entry.left)} * {written(entry.right)}"
    return found


def _written(form: Linear, algebra: Algebra) -> str:
    terms = [
        str(algebra.atoms[atom]) if coefficient == 1 else f"{coefficient} * {algebra.atoms[atom]}"
        for atom, coefficient in form.coefficients
    ]
    if form.constant or not terms:
        terms.append(str(form.constant))
    return " + ".join(terms).replace("+ -", "- ")


def _declaration(name: str, kind: Any, known: dict[str, str]) -> str:
    written = name_of(name)
    said = known.get(name, "") if written == name else name
    comment = f" ; {_in_a_line(said)}" if said else ""
    return f"(declare-const {written} {kind}){comment}"


def _conjuncts(formula: Formula) -> Iterator[Any]:
    """Yield the conjuncts of a formula, each a Z3 truth value."""
    if formula is True:
        return
    if isinstance(formula, bool):
        yield z3.BoolVal(formula)
    elif z3.is_and(formula):
        for part in formula.children():
            yield from _conjuncts(part)
    else:
        yield formula


def _symbols(formula: Any) -> Iterator[tuple[str, Any]]:
    """Yield the name and the sort of everything that a formula leaves open, as it comes."""
    seen = set()
    waiting = [formula]
    while waiting:
        term = waiting.pop()
        if term.get_id() in seen:
            continue
        seen.add(term.get_id())
        if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED:
            yield term.decl().name(), term.sort()
        waiting += reversed(term.children())


def _wrapped(entry: str) -> list[str]:
    return textwrap.wrap(
        _in_a_line(entry), COMMENT_WIDTH, subsequent_indent="  ", break_on_hyphens=False
    )


def _in_a_line(text: str) -> str:
    """Return text without line breaks, which would end a comment."""
    return " ".join(text.split())
