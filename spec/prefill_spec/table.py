"""The whole table of properties: the eighteen, and those that only some planners are asked for."""

from prefill_spec.calls import CALLS
from prefill_spec.depth_properties import DEPTH_PROPERTIES
from prefill_spec.further_properties import FURTHER_PROPERTIES
from prefill_spec.properties import PROPERTIES, Property

EVERY_PROPERTY: tuple[Property, ...] = tuple(
    entry
    for role in CALLS
    for entry in (*PROPERTIES, *FURTHER_PROPERTIES, *DEPTH_PROPERTIES)
    if entry.role == role
)
"""Every property, in the order of reports."""

EVERY_PROPERTY_ID: tuple[str, ...] = tuple(dict.fromkeys(entry.id for entry in EVERY_PROPERTY))
"""The ids, each once."""

CUSTOMARY_IDS: frozenset[str] = frozenset(entry.id for entry in (*PROPERTIES, *DEPTH_PROPERTIES))
"""The ids that every profile asks for, of the roles that a planner has, unless it waives them."""


def every_property_of(role: str) -> tuple[Property, ...]:
    """Return every property of a role, in order; ``role`` is a key of ``CALLS``."""
    return tuple(entry for entry in EVERY_PROPERTY if entry.role == role)
