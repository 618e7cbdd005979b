"""Which properties a command looks at."""

from collections.abc import Sequence

from prefill_gate.errors import UsageError
from prefill_proofs.refusals import suggestion
from prefill_spec.profiles import DISPATCHED
from prefill_spec.run_theorems import RUN_THEOREM_IDS
from prefill_spec.table import EVERY_PROPERTY_ID

ALL_IDS = (*EVERY_PROPERTY_ID, *RUN_THEOREM_IDS)
"""The ids of the properties of calls, then those of the run theorems."""


def require_property(property_id: str, known: Sequence[str] = ALL_IDS) -> str:
    """Return a property id, or raise ``UsageError`` when there is no such property."""
    if property_id not in known:
        hint = suggestion(property_id, known) or "prefill-gate explain lists them"
        raise UsageError(f"there is no property {property_id!r}; {hint}")
    return property_id


def chosen_ids(
    given: Sequence[str] | None, customary: frozenset[str] = DISPATCHED.ids
) -> frozenset[str]:
    """Return the ids given on the command line; where none is, the customary and the theorems."""
    if not given:
        return customary | set(RUN_THEOREM_IDS)
    return frozenset(map(require_property, given))
