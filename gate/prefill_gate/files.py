"""Files that a command writes."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from prefill_gate.errors import UsageError
from prefill_proofs.source_files import SOURCE_SUFFIXES

READ_SUFFIXES = (*SOURCE_SUFFIXES, ".toml")
"""How the names of the files end that planners and what is said of them are read from."""


def write_whole(path: Path, content: str) -> None:
    """Write a file in one step: whoever looks sees the old content or the new one.

    What UTF-8 has no bytes for, as in the name of a file that is no text, is written out.
    Raises ``UsageError`` when it cannot be written, and for a file that is read: a result is none.
    """
    try:
        target = Path(os.path.realpath(path))  # what a link names, not the link, is replaced
        if target.exists() and not target.is_file():
            raise OSError("it is a folder or a device")
        if target.suffix in READ_SUFFIXES:
            raise OSError("it is a source or a configuration; give the file another name")
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            beside.write_text(content, encoding="utf-8", errors="backslashreplace")
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def write_folder(path: Path, contents: Mapping[str, str], mark: str) -> None:
    """Write a folder of files in one step; what is there before is replaced if it is ours.

    Ours are files that start with the ``mark``. Raises ``UsageError`` when there is anything else,
    or when the folder cannot be written.
    """
    target = Path(os.path.realpath(path))
    beside, before = (
        target.with_name(f".{target.name}.{os.getpid()}.{end}") for end in ("part", "before")
    )
    try:
        _require_ours(target, mark)
        try:
            beside.mkdir()
            for name, content in contents.items():
                (beside / name).write_text(content, encoding="utf-8")
            if target.exists():
                target.rename(before)
            beside.rename(target)
        finally:
            if before.exists() and not target.exists():
                before.rename(target)
            for folder in (beside, before):
                shutil.rmtree(folder, ignore_errors=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error


def _require_ours(folder: Path, mark: str) -> None:
    """Raise ``OSError`` when a folder holds anything but files that start with a mark."""
    if not folder.exists():
        return
    for entry in sorted(folder.iterdir()):
        with entry.open("rb") as file:
            if file.read(len(mark)) != mark.encode():
                raise OSError(f"{entry.name} is there, and not of prefill-gate; name a new folder")
