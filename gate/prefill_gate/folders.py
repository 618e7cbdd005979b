"""The planner files of a folder: those that define a function of a role."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from prefill_gate.config import Config, find_configs
from prefill_gate.errors import UsageError
from prefill_gate.sources import defines_role
from prefill_proofs.role_config import name_of
from prefill_proofs.source_files import MAX_BYTES, SOURCE_SUFFIXES
from prefill_spec.calls import CALLS

CACHE_MARK = "CACHEDIR.TAG"
"""Marks a folder of what was made from sources: no source is looked for below it."""


def planners_in(folder: Path, given: str | None) -> list[str]:
    """Return the planner files at or below a folder, in the order of their names.

    ``given`` is a configuration instead of the one above each file. Hidden folders, caches and
    links to folders are passed over. Raises ``UsageError`` when there is no planner, or when the
    folder or a file of it cannot be read.
    """
    configs: dict[Path, list[Config]] = {}
    found = []
    for path in sources_in(folder):
        if path.parent not in configs:
            configs[path.parent] = find_configs(given, path)
        if _is_planner(path, configs[path.parent]):
            found.append(str(path))
    if not found:
        names = ", ".join(call.usual_name for call in CALLS.values())
        raise UsageError(f"no file below {folder} defines one of {names}; name a planner file")
    return found


def sources_in(folder: Path) -> Iterator[Path]:
    """Yield the source files at or below a folder."""

    def refuse(error: OSError) -> None:
        raise UsageError(f"cannot read {error.filename}: {error.strerror}") from error

    for place, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(
            name
            for name in folders
            if not name.startswith(".") and not Path(place, name, CACHE_MARK).exists()
        )
        for name in sorted(files):
            path = Path(place, name)
            if path.suffix in SOURCE_SUFFIXES and path.is_file():
                yield path


def _is_planner(path: Path, entries: list[Config]) -> bool:
    """Return whether a file is a configured source, or defines a function of a role.

    Most files are told by their bytes alone, whatever their size.
    """
    sources = [entry.source for entry in entries if entry.source is not None]
    if any(source.resolve() == path.resolve() for source in sources):
        return True
    return any(
        _mentions(path, entry) and defines_role(str(path), entry.planner) for entry in entries
    )


def _mentions(path: Path, entry: Config) -> bool:
    """Return whether the bytes of a file hold the name of a role's function."""
    names = [name_of(role, entry.planner.roles.get(role)) for role in CALLS]
    last_parts = [re.split(r"::|\.", name)[-1].encode() for name in names]
    wanted = re.compile(b"|".join(map(re.escape, last_parts)))
    longest = max(map(len, last_parts))
    rest = b""
    try:
        with path.open("rb") as file:
            while piece := file.read(MAX_BYTES):
                if wanted.search(rest + piece):
                    return True
                rest = piece[-longest:]
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from error
    return False
