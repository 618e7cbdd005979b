"""Which properties a command looks at."""

from collections.abc import Sequence
from difflib import get_close_matches

from prefill_gate.errors import UsageError
from prefill_spec.properties import PROPERTY_IDS


def require_property(property_id: str, known: Sequence[str] = PROPERTY_IDS) -> str:
    """Return a property id, or raise ``UsageError`` when there is no such property."""
    if property_id not in known:
        close = get_close_matches(property_id, known, n=1)
        hint = f"did you mean {close[0]}?" if close else "prefill-gate explain lists them"
        raise UsageError(f"there is no property {property_id!r}; {hint}")
    return property_id


def chosen_ids(given: Sequence[str] | None, known: Sequence[str] = PROPERTY_IDS) -> frozenset[str]:
    """Return the ids given on the command line, all of them where none is."""
    return frozenset(known if not given else (require_property(entry, known) for entry in given))
