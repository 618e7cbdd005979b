"""Building Z3 formulas quickly.

Z3's own Python operators look up contexts and sorts on each call, which costs more than the solving
does here; these go straight to its C interface. A formula is a Python bool or a Z3 truth value, and
constants are folded away.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import z3
from z3 import z3core

from prefill_spec.vocabulary import Formula

_CONTEXT = z3.main_ctx()
_REF = _CONTEXT.ref()


def _array(parts: list[Any]) -> Any:
    return (z3.Ast * len(parts))(*(part.ast for part in parts))


def conjunction(parts: Iterable[Formula]) -> Formula:
    """Return the conjunction of the parts."""
    kept = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if not kept:
        return True
    if len(kept) == 1:
        return kept[0]
    return z3.BoolRef(z3core.Z3_mk_and(_REF, len(kept), _array(kept)), _CONTEXT)


def disjunction(parts: Iterable[Formula]) -> Formula:
    """Return the disjunction of the parts."""
    kept = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if not kept:
        return False
    if len(kept) == 1:
        return kept[0]
    return z3.BoolRef(z3core.Z3_mk_or(_REF, len(kept), _array(kept)), _CONTEXT)


def negation(part: Formula) -> Formula:
    """Return the opposite of a formula."""
    if isinstance(part, bool):
        return not part
    if z3core.Z3_get_decl_kind(_REF, z3core.Z3_get_app_decl(_REF, part.ast)) == z3.Z3_OP_NOT:
        return z3.BoolRef(z3core.Z3_get_app_arg(_REF, part.ast, 0), _CONTEXT)
    return z3.BoolRef(z3core.Z3_mk_not(_REF, part.ast), _CONTEXT)


def implication(assumption: Formula, conclusion: Formula) -> Formula:
    """Return the formula that fails only where the assumption holds and the conclusion does not."""
    if assumption is True:
        return conclusion
    return disjunction((negation(assumption), conclusion))


def equivalence(left: Formula, right: Formula) -> Formula:
    """Return the formula that holds where both sides hold or neither does."""
    if isinstance(left, bool):
        return right if left else negation(right)
    if isinstance(right, bool):
        return left if right else negation(left)
    return z3.BoolRef(z3core.Z3_mk_iff(_REF, left.ast, right.ast), _CONTEXT)


def literals(part: Formula) -> frozenset[int]:
    """Return the conjuncts of a formula, each as a number; that of its opposite has the other sign.

    Kept with the formula, which is asked again and again.
    """
    if isinstance(part, bool):
        return frozenset()
    found: frozenset[int] | None = getattr(part, "conjuncts", None)
    if found is None:
        kind = z3core.Z3_get_decl_kind(_REF, z3core.Z3_get_app_decl(_REF, part.ast))
        if kind == z3.Z3_OP_AND:
            found = frozenset().union(*map(literals, part.children()))
        elif kind == z3.Z3_OP_NOT:
            found = frozenset({-part.arg(0).get_id()})
        else:
            found = frozenset({part.get_id()})
        part.conjuncts = found
    return found


def exclude_each_other(left: Formula, right: Formula) -> bool:
    """Return whether one formula has a conjunct of which the other has the opposite."""
    others = literals(right)
    return any(-literal in others for literal in literals(left))


@cache
def integer(value: int) -> Any:
    """Return the Z3 numeral of an int."""
    return z3.IntVal(value)


def linear_sum(parts: list[Any]) -> Any:
    """Return the sum of at least one Z3 integer."""
    if len(parts) == 1:
        return parts[0]
    return z3.ArithRef(z3core.Z3_mk_add(_REF, len(parts), _array(parts)), _CONTEXT)


def scaled(coefficient: int, part: Any) -> Any:
    """Return a Z3 integer times a constant."""
    if coefficient == 1:
        return part
    return z3.ArithRef(z3core.Z3_mk_mul(_REF, 2, _array([integer(coefficient), part])), _CONTEXT)


def at_most(left: Any, right: Any) -> Any:
    """Return ``left <= right`` of two Z3 integers."""
    return z3.BoolRef(z3core.Z3_mk_le(_REF, left.ast, right.ast), _CONTEXT)


def equal(left: Any, right: Any) -> Any:
    """Return ``left == right`` of two Z3 integers."""
    return z3.BoolRef(z3core.Z3_mk_eq(_REF, left.ast, right.ast), _CONTEXT)


def selection(condition: Any, first: Any, second: Any) -> Any:
    """Return the first Z3 integer where the condition holds, else the second."""
    return z3.ArithRef(z3core.Z3_mk_ite(_REF, condition.ast, first.ast, second.ast), _CONTEXT)
