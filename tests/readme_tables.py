"""Writes the tables of the README from the specification: ``python tests/readme_tables.py``."""

import re
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from prefill_spec.profiles import PROFILES
from prefill_spec.properties import PROPERTIES, PROPERTY_IDS, Property
from prefill_spec.public_changes import PUBLIC_CHANGES
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.table import EVERY_PROPERTY

README = Path(__file__).parents[1] / "README.md"
BETWEEN = r"(?<=<!-- {name}: written by make tables -->\n)(?s:.*?)(?=<!-- end of {name} -->)"


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table, a line for each row."""
    lines = [headers, ["---"] * len(headers), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def shown(ids: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in ids)


def properties(entries: Iterable[Property]) -> str:
    rows = {entry.id: (f"`{entry.id}`", entry.statement, entry.level) for entry in entries}
    return table(("property", "statement", "level"), rows.values())


TABLES: dict[str, str] = {
    "properties": properties(PROPERTIES),
    "further properties": properties(
        entry for entry in EVERY_PROPERTY if entry.id not in PROPERTY_IDS
    ),
    "profiles": table(
        ("profile", "for planners where", "waives", "adds"),
        (
            (f"`{profile.id}`", profile.statement, shown(profile.waives), shown(profile.adds))
            for profile in PROFILES.values()
        ),
    ),
    "changes": table(
        ("change", "what broke", "refuted before", "refuted after"),
        (
            (
                f"[{change.id}]({change.source})",
                change.broke,
                shown(change.before),
                shown(change.after) or "nothing",
            )
            for change in PUBLIC_CHANGES
        ),
    ),
    "run theorems": table(
        ("theorem", "statement", "rests on (and on `no-fault`)"),
        ((f"`{entry.id}`", entry.statement, shown(entry.uses)) for entry in RUN_THEOREMS),
    ),
}
"""The tables by the names in their markers."""


def with_tables(readme: str) -> str:
    """Return a README with its tables as the specification has them."""
    for name, rows in TABLES.items():
        marked = re.compile(BETWEEN.format(name=name))
        readme, count = marked.subn(rows.replace("\\", r"\\"), readme)
        if count != 1:
            sys.exit(
                f"{README}: the markers of the table {name!r} stand there {count} times, not once"
            )
    return readme


if __name__ == "__main__":
    README.write_text(with_tables(README.read_text(encoding="utf-8")), encoding="utf-8")
