"""Files that a command writes."""

import os
from pathlib import Path

from prefill_gate.errors import UsageError


def write_whole(path: Path, content: str) -> None:
    """Write a file in one step: whoever looks sees the old content or the new one.

    What UTF-8 has no bytes for, as in the name of a file that is no text, is written out.
    Raises ``UsageError`` when it cannot be written.
    """
    try:
        target = Path(os.path.realpath(path))  # what a link names, not the link, is replaced
        if target.exists() and not target.is_file():
            raise OSError("it is a folder or a device")
        beside = target.with_name(f".{target.name}.{os.getpid()}.part")
        try:
            beside.write_text(content, encoding="utf-8", errors="backslashreplace")
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error
