"""What the reference's check of its arguments comes to where their types already say it.

The reference refuses, by name, whatever is no ``usize``. A planner that is read from source is
only ever given values of its inputs' types: there the check always passes.
"""


def require_usize(
    *,
    offset: int | None = None,
    total: int | None = None,
    proposed: int | None = None,
    block_size: int | None = None,
    split: int | None = None,
    end_token: int | None = None,
    interval: int | None = None,
) -> None:
    """Accept the arguments, as the reference's own function of this name does for a ``usize``."""
