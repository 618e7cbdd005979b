"""How long something may take, wherever the time goes: in the solver, or in building formulas."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_DEADLINE: ContextVar[float | None] = ContextVar("deadline", default=None)


class OutOfTimeError(Exception):
    """The time that was given has passed: nothing is known of what was being decided."""

    def __init__(self) -> None:
        super().__init__("the time ran out")


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Let what is done take so many seconds of the clock; ``None`` sets no limit of its own.

    Raises ``OutOfTimeError`` when they have passed.
    """
    outer = _DEADLINE.get()
    own = None if seconds is None else time.monotonic() + seconds
    ends = [end for end in (outer, own) if end is not None]
    before = _DEADLINE.set(min(ends, default=None))
    try:
        yield
    finally:
        _DEADLINE.reset(before)


def check() -> None:
    """Raise ``OutOfTimeError`` when the time has passed. Whatever may take long calls it."""
    end = _DEADLINE.get()
    if end is not None and time.monotonic() > end:
        raise OutOfTimeError


def at_most(seconds: float) -> float:
    """Return so many seconds, or what is left where that is less.

    Raises ``OutOfTimeError`` when nothing is left.
    """
    check()
    end = _DEADLINE.get()
    return seconds if end is None else min(seconds, end - time.monotonic())
