"""Which properties a command looks at."""

from collections.abc import Sequence

from prefill_gate.errors import UsageError
from prefill_proofs.refusals import suggestion
from prefill_spec.properties import PROPERTY_IDS
from prefill_spec.run_theorems import RUN_THEOREM_IDS

ALL_IDS = (*PROPERTY_IDS, *RUN_THEOREM_IDS)
"""The ids of the properties of calls, then those of the run theorems."""


def require_property(property_id: str, known: Sequence[str] = ALL_IDS) -> str:
    """Return a property id, or raise ``UsageError`` when there is no such property."""
    if property_id not in known:
        hint = suggestion(property_id, known) or "prefill-gate explain lists them"
        raise UsageError(f"there is no property {property_id!r}; {hint}")
    return property_id


def chosen_ids(given: Sequence[str] | None) -> frozenset[str]:
    """Return the ids given on the command line, all of them where none is."""
    return frozenset(ALL_IDS if not given else map(require_property, given))
