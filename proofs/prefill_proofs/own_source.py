"""The shipped planner's own source: the Python reference, read as any other planner is."""

from pathlib import Path

from prefill_proofs import trusted_types
from prefill_proofs.role_config import PlannerConfig
from prefill_reference import planner, usize
from prefill_spec import vocabulary

PATH = Path(planner.__file__)
"""The file that defines the four roles."""

CONFIG = PlannerConfig(
    externs={
        "require_usize": Path(trusted_types.__file__),
        "checked": Path(usize.__file__),
        "WY4": Path(vocabulary.__file__),
        "USIZE_MAX": Path(vocabulary.__file__),
    }
)
"""Where the names that it imports are defined."""
