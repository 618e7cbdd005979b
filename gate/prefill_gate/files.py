"""Files that a command writes."""

import os
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
