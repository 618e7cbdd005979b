"""What planners are called, as paths."""

import os
from pathlib import Path


def path_of(given: str) -> Path:
    """Return the path that ``PATH`` or ``REV:PATH`` names."""
    revision, colon, inside = given.partition(":")
    return Path(inside if colon and revision and not Path(given).exists() else given)


def name_in_revision(revision: str, path: Path) -> str:
    """Return what a file is called in a git revision: this very file, seen from this folder."""
    inside = Path(os.path.relpath(path)).as_posix()
    return f"{revision}:{inside}" if inside.startswith("../") else f"{revision}:./{inside}"


def path_in_repository(given: str) -> str:
    """Return the path that ``PATH`` or ``REV:PATH`` names, from the top of the repository.

    The top is the nearest folder above this one that git keeps, or else this one. The path of a
    file outside it is absolute.
    """
    here = Path.cwd()
    top = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), here)
    path = path_of(given)
    # A file of a revision need not be there; git looks for it from this folder, then from the top.
    found = next((from_ / path for from_ in (here, top) if (from_ / path).exists()), here / path)
    absolute = found.parent.resolve() / found.name
    return (absolute.relative_to(top) if absolute.is_relative_to(top) else absolute).as_posix()
