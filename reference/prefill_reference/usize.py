"""Arithmetic on ``usize`` as Rust does it with overflow checks on."""

from prefill_spec.vocabulary import USIZE_MAX


def require_usize(**arguments: int | None) -> None:
    """Raise ``ValueError`` naming the first argument that is neither a ``usize`` nor absent.

    A bool or a float is refused too: both pass for numbers in Python and mean a caller's mistake.
    """
    for name, value in arguments.items():
        if value is not None and (type(value) is not int or not 0 <= value <= USIZE_MAX):
            raise ValueError(f"{name} must be an int in 0..=2**64-1, not {value!r}")


def checked(value: int, operation: str) -> int:
    """Return an intermediate result, or raise ``OverflowError`` where Rust would panic."""
    if not 0 <= value <= USIZE_MAX:
        raise OverflowError(f"{operation} leaves usize: {value}")
    return value
