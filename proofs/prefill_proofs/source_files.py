"""Source files as bytes that are text, whatever the language."""

from pathlib import Path
from typing import NamedTuple

from prefill_proofs.language import Place
from prefill_proofs.refusals import SourceError

SOURCE_SUFFIXES = (".rs", ".py")
"""How the names of the files end that planners are read from."""

MAX_BYTES = 2**20
"""A planner's file has some hundred lines, or some thousand; past this size it is no source."""


class SourceFile(NamedTuple):
    """A source file: what messages call it, its bytes, and its path.

    A file of a git revision has none: whatever is beside it now need not have been so there.
    """

    name: str
    content: bytes
    path: Path | None


def open_source(path: Path) -> SourceFile:
    """Return a file as it is now, or raise ``SourceError`` saying why it is no source."""
    return SourceFile(str(path), read_source(path, str(path)), path)


def read_source(path: Path, name: str) -> bytes:
    """Return the bytes of a source file, or raise ``SourceError`` saying why it is none."""
    place = Place(name, 1, 1)
    try:
        if path.is_dir():
            raise SourceError(place, "directory", "name a source file, not a directory")
        if path.exists() and not path.is_file():
            raise SourceError(place, "device", "name a source file, not a pipe or a device")
        # Read once: whatever becomes of the file meanwhile, all that is said is of these bytes.
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(place, "file", f"cannot be read: {reason}") from error
    require_size(content, name)
    return content


def require_size(content: bytes, name: str) -> None:
    """Raise ``SourceError`` when a file's content is too much for a source."""
    if len(content) > MAX_BYTES:
        message = f"larger than {MAX_BYTES} bytes; name a source file"
        raise SourceError(Place(name, 1, 1), "file", message)


def check_text(content: bytes, name: str) -> None:
    """Raise ``SourceError`` when a file's content is no text."""
    place = Place(name, 1, 1)
    if not content.strip():
        raise SourceError(place, "file", "is empty; name the file that holds the planner")
    if b"\0" in content:
        raise SourceError(place, "file", "is binary; name a source file")
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        place = Place(name, line, 1)
        raise SourceError(place, "file", "is not UTF-8; save it as UTF-8") from error
