"""On which line of a TOML file a key stands, which ``tomllib`` does not tell."""

import re
import tomllib
from collections.abc import Iterator
from typing import Any

Keys = tuple[str | int, ...]
"""The way to a value: the names of tables and keys, and the index in an array of tables."""

_STRINGS_AND_COMMENTS = re.compile(
    r'"""(?:\\.|.)*?"""(?!")|\'\'\'.*?\'\'\'(?!\')'
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*',
    re.DOTALL,
)
_PART = r"""(?:[\w-]+|"(?:\\.|[^"\\])*"|'[^']*')"""
_DOTTED = rf"({_PART}(?:\s*\.\s*{_PART})*)"
_HEADER = re.compile(rf"\s*(\[\[?)\s*{_DOTTED}\s*\]\]?\s*")
_KEY = re.compile(rf"\s*{_DOTTED}\s*=")


class TomlLines:
    """The lines of a file that parses: each header and each key at the start of a line is known.

    What stands deeper, in an inline table or an array, is on the first line of its key that has it.
    """

    def __init__(self, content: str) -> None:
        self._lines = content.split("\n")
        self._entries = list(_entries(content))

    def line_of(self, keys: Keys, text: str = "") -> int:
        """Return the line of a key, or of a text in its value; 1 when it is not found."""
        found: Keys = ()
        line = 1
        for path, number in self._entries:
            if path[: len(keys)] == keys:
                found, line = keys, number
                break
            if len(path) > len(found) and keys[: len(path)] == path:
                found, line = path, number
        wanted = text or str(keys[-1] if len(found) < len(keys) else "")
        end = min((number for _, number in self._entries if number > line), default=None)
        inside = enumerate(self._lines[line - 1 : end and end - 1], line)
        return next((number for number, content in inside if wanted in content), line)


def _entries(content: str) -> Iterator[tuple[Keys, int]]:
    """Yield the way to each header and key, with its line."""
    table: Keys = ()
    lengths: dict[Keys, int] = {}
    depth = 0
    plain = _STRINGS_AND_COMMENTS.sub(_without_lines, content).split("\n")
    for number, line in enumerate(plain, 1):
        header = _HEADER.fullmatch(line)
        if depth == 0 and header is not None:
            table = ()
            for part in _parts(header[2]):
                table = (*table, part)
                if table in lengths:
                    table = (*table, lengths[table] - 1)
            if header[1] == "[[":
                array = table[:-1] if isinstance(table[-1], int) else table
                lengths[array] = lengths.get(array, 0) + 1
                table = (*array, lengths[array] - 1)
            yield table, number
            continue
        key = _KEY.match(line)
        if depth == 0 and key is not None:
            yield (*table, *_parts(key[1])), number
        bare = _STRINGS_AND_COMMENTS.sub("", line)
        depth += sum(map(bare.count, "[{")) - sum(map(bare.count, "]}"))


def _without_lines(token: re.Match[str]) -> str:
    """Return a string of one line as it is, the line ends of a longer one, nothing of a comment."""
    if token[0].startswith(("#", '"""', "'''")):
        return "\n" * token[0].count("\n")
    return token[0]


def _parts(dotted: str) -> list[str]:
    """Return the names of a dotted key."""
    found: list[str] = []
    table: Any = tomllib.loads(f"{dotted} = 0")
    while isinstance(table, dict):
        ((name, table),) = table.items()
        found.append(name)
    return found
