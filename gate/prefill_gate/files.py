"""Files that a command writes."""

import os
from pathlib import Path

from prefill_gate.errors import UsageError


def write_whole(path: Path, content: str) -> None:
    """Write a file in one step: whoever looks sees the old content or the new one.

    Raises ``UsageError`` when it cannot be written.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        if path.is_dir():
            raise IsADirectoryError(f"{path} is a folder")
        try:
            beside.write_text(content, encoding="utf-8")
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror or error}") from error
