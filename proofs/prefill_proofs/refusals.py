"""Source that cannot be read: what, where, and what to do."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # Not at run time: the language loads the solver, and whoever only refuses needs none.
    from prefill_proofs.language import Place

EXCERPT = 80
"""So many characters of a line are shown to either side of a construct."""


def suggestion(word: str, known: Iterable[str]) -> str:
    """Return a question about the nearest of the known words, or nothing when none is near."""
    close = get_close_matches(word, list(known), n=1)
    return f"did you mean {close[0]}?" if close else ""


class TooLargeError(Exception):
    """A function that comes to too much once its calls are written out."""


class SourceError(Exception):
    """A construct outside the planner language, or a file that is no source at all.

    ``construct`` is its name, ``message`` says what is wrong and what to do, and ``line_text`` is
    the line of the source, when there is one.
    """

    def __init__(self, place: Place, construct: str, message: str, line_text: str = "") -> None:
        super().__init__(f"{place}: {construct}: {message}")
        self.place = place
        self.construct = construct
        self.message = message
        self.line_text = line_text

    def shown(self) -> str:
        """Return the message, with the source line and a caret under the construct."""
        if not self.line_text.strip():
            return str(self)
        caret = self.place.column - 1
        start = max(caret - EXCERPT, 0)
        shown = self.line_text[start : caret + EXCERPT]
        before = self.line_text[start:caret]
        indent = "".join("\t" if character == "\t" else " " for character in before)
        return f"{self}\n  {shown}\n  {indent}^"
