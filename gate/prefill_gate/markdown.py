"""Words for Markdown, in a line or in a cell of a table."""

import re

from prefill_gate.source_lines import visible
from prefill_gate.text import GLUE

_SIGNS = re.compile(r"([\\`*\[\]<|~&]|(?<!\w)_|_(?!\w))")
"""What means something to Markdown, or to HTML inside it, in the middle of a line."""


def plain(words: str) -> str:
    """Return words that Markdown takes for nothing else."""
    return _SIGNS.sub(r"\\\1", visible(words.replace(GLUE, " ")))


def code(words: str) -> str:
    """Return words as code, as they are, also inside a table."""
    shown = visible(words.replace(GLUE, " "))
    longest = max((len(run) for run in re.findall("`+", shown)), default=0)
    fence = "`" * (longest + 1)
    inside = f" {shown} " if longest else shown
    return f"{fence}{inside}{fence}".replace("|", "\\|")
