"""Explanations as plain text, Markdown and JSON."""

from dataclasses import dataclass
from itertools import pairwise
from textwrap import dedent
from typing import Any

from prefill_gate import text
from prefill_gate.markdown import plain

Lines = tuple[str, ...]
"""Lines that are shown as they are; a ``str`` is a paragraph."""


@dataclass(frozen=True)
class Section:
    """A heading, and paragraphs and lines under it."""

    title: str
    parts: tuple[str | Lines, ...]


@dataclass(frozen=True)
class Explanation:
    """An entry of the specification in full; only a property has a ``level`` and ``roles``."""

    id: str
    kind: str
    statement: str
    sections: tuple[Section, ...]
    level: str | None = None
    roles: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The id, and what it is."""
        if self.level is None:
            return f"{self.id} ({self.kind})"
        word = "role" if len(self.roles) == 1 else "roles"
        return f"{self.id} ({self.level}; {word} {', '.join(self.roles)})"


def as_text(entry: Explanation) -> str:
    """Return an explanation as plain text, laid out for the width."""
    sections = (f"{section.title}\n{_section_text(section)}" for section in entry.sections)
    return "\n\n".join([entry.title, *sections])


def _section_text(section: Section) -> str:
    """Return paragraphs one below the other, and lines set off from them."""
    shown = _part_text(section.parts[0])
    for before, part in pairwise(section.parts):
        is_set_off = not isinstance(before, str) or not isinstance(part, str)
        shown += ("\n\n" if is_set_off else "\n") + _part_text(part)
    return shown


def _part_text(part: str | Lines) -> str:
    if isinstance(part, str):
        return text.paragraph(part, "  ")
    return "\n".join(text.paragraph(line, "    ", " " * (_start(line) + 2)) for line in part)


def _start(line: str) -> int:
    """Return the column where a line's words start, after its label."""
    return line.rfind("  ") + 2 if "  " in line else 0


def as_markdown(entry: Explanation) -> str:
    """Return the sections of an explanation as Markdown."""
    return "\n\n".join(
        part
        for section in entry.sections
        for part in (f"### {section.title}", *map(_part_markdown, section.parts))
    )


def _part_markdown(part: str | Lines) -> str:
    if isinstance(part, str):
        # Names of code stand between backticks already.
        return plain(part).replace("\\`", "`")
    return "\n".join(["```text", *part, "```"]).replace(text.GLUE, " ")


def as_json(entry: Explanation) -> dict[str, Any]:
    """Return an explanation as JSON has it, each section as plain text of a fixed width."""
    with text.laid_out_for(100):
        sections = {section.title: dedent(_section_text(section)) for section in entry.sections}
    return {
        "id": entry.id,
        "kind": entry.kind,
        "level": entry.level,
        "roles": list(entry.roles),
        "statement": entry.statement,
        "sections": sections,
    }
