"""The parts that explanations of properties and of run theorems have in common."""

import re
from collections.abc import Iterable, Iterator, Sequence

from prefill_gate.explanation_text import Lines
from prefill_spec.public_changes import PUBLIC_CHANGES

LINK = "https://"
"""What an address starts with."""

MOST_FAILURES = 3
"""So many failures are told; the others are only named."""


def sentence(words: str) -> str:
    """Return words as a sentence."""
    return f"{words[0].upper()}{words[1:]}."


def labelled(*groups: tuple[str, Iterable[str]]) -> Lines:
    """Return groups of lines with the label of each before its first line."""
    filled = {label: tuple(lines) for label, lines in groups}
    size = max(len(label) for label, lines in filled.items() if lines) + 2
    return tuple(
        f"{'' if index else label:{size}}{line}"
        for label, lines in filled.items()
        for index, line in enumerate(lines)
    )


GLOSSARY = {
    "floor": "floor(x, n) is the last multiple of n at or below x.",
    "divides": "divides(n, x) says that x is a multiple of n; only 0 is one of 0.",
    "reached": "reached is the token that the run has come to.",
    "answers": "answers counts what the planner was asked, and passes what was run of it: two for "
    "an answer that the dispatcher divides.",
    "is_divided": "is_divided says that the dispatcher divides the answer at the split point.",
    "is_visited": "is_visited says that a pass has ended at the split point, or captured the state "
    "there.",
    "is_tail": "is_tail says that a proposal has reached the end of the prompt.",
    "match": "match is how many tokens the next request matches, in whole blocks, and restored "
    "how many it restores.",
}
"""What the words of formulas mean that are no arguments."""


def glossary(lines: Lines) -> Iterator[str]:
    """Yield what the words in the lines of a formula mean."""
    words = set(re.findall(r"\w+", " ".join(lines)))
    yield from (meaning for word, meaning in GLOSSARY.items() if word in words)


def mended_failures(ids: Sequence[str]) -> list[str]:
    """Return what broke before the public changes that mended one of the properties.

    The first ones are told, of the others and of those that mended it in part there is the address.
    """
    mended = [change for change in PUBLIC_CHANGES if set(ids) & {*change.mended}]
    told = [f"{change.broke} {change.source}" for change in mended[:MOST_FAILURES]]
    others = dict.fromkeys(
        change.source
        for change in PUBLIC_CHANGES
        if set(ids) & {*change.before} and change not in mended[:MOST_FAILURES]
    )
    more = [f"Broken as well before {', '.join(others)}"] if told and others else []
    return told + more
