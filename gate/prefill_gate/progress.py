"""A progress bar on a terminal, for what takes longer than a moment."""

import sys
import time
from types import TracebackType

MOMENT = 0.5
"""Seconds before a bar is drawn at all, and a tenth of them between two drawings."""

WIDTH = 40


class Progress:
    """How much of some work is done; drawn on standard error, where that is a terminal."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.finished = 0
        self._is_wanted = sys.stderr is not None and sys.stderr.isatty()
        self._is_drawn = False
        self._next = time.monotonic() + MOMENT

    def show(self, done: int) -> None:
        """Say how much of the present part is done."""
        if not self._is_wanted or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + MOMENT / 10
        share = min((self.finished + done) / max(self.total, 1), 1)
        filled = int(share * WIDTH)
        bar = "#" * filled + "." * (WIDTH - filled)
        print(f"\r[{bar}] {share:4.0%}", end="", file=sys.stderr, flush=True)
        self._is_drawn = True

    def finish(self, size: int) -> None:
        """Say that a part of this size is done."""
        self.finished += size
        self.show(0)

    def __enter__(self) -> "Progress":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Leave the line of the bar as if it had never been there."""
        if self._is_drawn:
            print("\r\033[K", end="", file=sys.stderr, flush=True)
