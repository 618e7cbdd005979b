"""What a configuration says of the roles of a planner."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from prefill_proofs.language import Place
from prefill_proofs.types import BOOL, USIZE, OptionType, Type
from prefill_spec.calls import CALLS

INPUT_TYPES: dict[str, Type] = {
    "usize": USIZE,
    "bool": BOOL,
    "usize | None": OptionType(USIZE),
    "bool | None": OptionType(BOOL),
}
"""The types that a configuration may declare for an input."""


@dataclass(frozen=True)
class RoleConfig:
    """What the configuration says of one role.

    ``function`` is a name or path; ``fields`` gives an expression over the function's inputs for a
    parameter of the role, and ``stops`` those for further stops; ``assume`` are conditions on the
    inputs, and ``regions`` those under which a property is excepted, by its id; ``inputs`` gives
    the types of inputs whose source does not say them. ``place`` is where it says so, and
    ``places`` where each of these texts stands, the name of an input being the text of its type.
    """

    function: str | None = None
    fields: Mapping[str, str] = field(default_factory=dict)
    stops: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    regions: Mapping[str, str] = field(default_factory=dict)
    inputs: Mapping[str, str] = field(default_factory=dict)
    place: Place = field(default_factory=lambda: Place("prefill-gate.toml", 1, 1))
    places: Mapping[str, Place] = field(default_factory=dict)

    def place_of(self, text: str) -> Place:
        """Return where a text stands, as near as is known."""
        return self.places.get(text, self.place)


@dataclass(frozen=True)
class PlannerConfig:
    """What the configuration says of a planner."""

    roles: Mapping[str, RoleConfig] = field(default_factory=dict)
    externs: Mapping[str, Path] = field(default_factory=dict)


def name_of(role: str, config: RoleConfig | None) -> str:
    """Return the name or path of a role's function."""
    return config.function if config and config.function else CALLS[role].usual_name
