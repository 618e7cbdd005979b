"""Profiles: what is asked of planners that are built otherwise.

A profile waives properties that such a planner breaks by design, each with its reason, and adds
those that take their place. What it does not mention is asked of it as of every planner.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from prefill_spec.table import CUSTOMARY_IDS


@dataclass(frozen=True)
class Profile:
    """A way to build a planner: what it ``waives``, with reasons by id, and what it ``adds``."""

    id: str
    statement: str
    sources: tuple[str, ...] = ()
    waives: Mapping[str, str] = field(default_factory=dict)
    adds: tuple[str, ...] = ()

    @property
    def ids(self) -> frozenset[str]:
        """The ids of the properties that have a row: asked for, or waived."""
        return CUSTOMARY_IDS | set(self.adds)


DISPATCHED = Profile(
    "dispatched",
    "a dispatcher divides the last chunk at the split point, so the planner returns it unchanged",
    (
        "https://github.com/Metrale/metrale-inference/blob/main/crates/model-engine/src/prefill_plan.rs",
    ),
)

_DIVIDES_ITS_OWN = {
    "chunk-last": "the planner divides the last chunk itself, at its mandatory stops",
    "chunk-wy4": "chunks are whole blocks or run to a stop, whatever a kernel's own step",
    "chunk-maximal": "the planner ends on blocks alone, and may take a short pass to a boundary",
}

SELF_SPLITTING = Profile(
    "self-splitting",
    "the planner divides its own last chunk at mandatory stops, and always makes progress",
    (
        "https://github.com/vllm-project/vllm/pull/40757",
        "https://github.com/vllm-project/vllm/pull/50409",
        "https://github.com/NVIDIA/Megatron-LM/pull/5952",
    ),
    _DIVIDES_ITS_OWN,
    ("chunk-stop", "chunk-rest"),
)

WAITING = Profile(
    "waiting",
    "the planner divides its own last chunk, and may answer 0 to wait for a proposal that reaches "
    "the next block boundary",
    (
        "https://github.com/vllm-project/vllm/pull/50000",
        "https://github.com/vllm-project/vllm/pull/51113",
        "https://github.com/lightseekorg/tokenspeed/pull/804",
        "https://github.com/ROCm/ATOM/pull/1771",
    ),
    _DIVIDES_ITS_OWN | {"chunk-length": "the planner may answer 0; chunk-progress says when not"},
    (*SELF_SPLITTING.adds, "chunk-progress", "chunk-aligned"),
)

MINIMUM_TAIL = Profile(
    "minimum-tail",
    "as dispatched, and the split point leaves a minimum tail for the last pass",
    DISPATCHED.sources,
    adds=("split-tail",),
)

PROFILES: dict[str, Profile] = {
    profile.id: profile for profile in (DISPATCHED, SELF_SPLITTING, WAITING, MINIMUM_TAIL)
}
"""The profiles by id, the default first."""
