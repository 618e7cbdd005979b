"""Whether anything that a check reads has changed since a revision, without loading the solver.

That nothing has is said only of files whose content is the same: the sources, the files that their
text can lead to, and every place where a configuration may be. A file that was there in the
revision only counts, too.
"""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from prefill_gate.config import candidates, find_configs
from prefill_gate.errors import UsageError
from prefill_gate.folders import sources_in
from prefill_gate.git import are_same_in, files_in, require_commit
from prefill_gate.paths import path_of
from prefill_proofs.source_files import SOURCE_SUFFIXES

if TYPE_CHECKING:
    from prefill_gate.config import Config

ROOTS = ("lib", "main", "mod")
"""What files of Rust are called whose place says how the names of others are read."""


def is_unchanged(arguments: Namespace) -> bool:
    """Return whether what a check would read is the same as in the revision ``--base``.

    Raises ``UsageError`` when that cannot be asked: without a base, or of a file of a revision.
    """
    if arguments.base is None:
        raise UsageError("--changed since when? Give --base REV as well")
    require_commit(arguments.base)
    given = arguments.planner
    if given is not None and path_of(given) != Path(given):
        raise UsageError(f"--changed asks of the working tree, and {given} is in a revision")
    watched: dict[Path, None] = {}
    asked: list[Path | None] = [None if given is None else Path(given)]
    if given is not None and Path(given).is_dir():
        asked = [*sources_in(Path(given))]
        before = files_in(arguments.base, Path(given))
        sources = [path for path in before if path.suffix in SOURCE_SUFFIXES]
        if not asked or not all(path.is_file() for path in sources):
            return False
    for path in asked:
        entries = find_configs(arguments.config, path)
        configured = [entry.source for entry in entries if entry.source is not None]
        if path is None and len(configured) < len(entries):
            return False  # the check says what is missing
        sources = [path] if path is not None else configured
        places = [Path(arguments.config)] if arguments.config else _config_places(path, entries)
        watched |= dict.fromkeys(
            [*sources, *places, *_reached([*sources, *_externs(entries)], arguments.base)]
        )
    return are_same_in(arguments.base, list(watched))


def _externs(entries: Iterable[Config]) -> Iterator[Path]:
    for entry in entries:
        yield from entry.planner.externs.values()


def _config_places(planner: Path | None, entries: list[Config]) -> Iterator[Path]:
    """Yield every place of a configuration up to the one that counts."""
    for candidate in candidates(planner):
        yield candidate
        if candidate == entries[0].path:
            return


def _reached(sources: Iterable[Path], revision: str) -> set[Path]:
    """Return the sources, and the Rust files beside and below them that their text may lead to."""
    reached: set[Path] = set()
    waiting = list(sources)
    while waiting:
        path = waiting.pop()
        if path in reached:
            continue
        reached.add(path)
        if path.suffix == ".rs" and path.is_file():
            words = set(re.findall(r"\w+", path.read_text(encoding="utf-8", errors="replace")))
            words |= {path.stem, *ROOTS}
            waiting += _named(path.parent, words, set())
            waiting += _named_before(path.parent, words, revision)
    return reached


def _named(folder: Path, words: set[str], seen: set[Path]) -> Iterator[Path]:
    """Yield the Rust files that a path of words leads to: each folder on it bears a word, too."""
    if folder.resolve() in seen:
        return
    seen.add(folder.resolve())
    for beside in sorted(folder.iterdir()):
        if not _is_word(beside, words):
            continue
        if beside.is_dir():
            yield from _named(beside, words, seen)
        elif beside.suffix == ".rs":
            yield beside


def _named_before(folder: Path, words: set[str], revision: str) -> Iterator[Path]:
    """Yield the Rust files of a revision that a path of words leads to."""
    for path in files_in(revision, folder):
        steps = path.relative_to(folder).parts
        if path.suffix == ".rs" and all(_is_word(Path(step), words) for step in steps):
            yield path


def _is_word(path: Path, words: set[str]) -> bool:
    return path.stem in words or not path.stem.isascii()
