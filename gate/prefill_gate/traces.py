"""Request traces, read as a stream: JSON lines with hash ids, or CSV with prompt lengths."""

import csv
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import TextIO

import msgspec

from prefill_gate.errors import TraceError, UsageError
from prefill_gate.numbers import parse_usize
from prefill_proofs.language import Place
from prefill_reference.replay import Request
from prefill_spec.vocabulary import USIZE_MAX

COLUMN = "ContextTokens"

LINES_A_STEP = 512
"""How many lines are read before it is said how far the reading is."""

Entry = Request | TraceError
"""What a line comes to: a request, or what is wrong with it."""


def read_trace(path: str, hash_block: int, said: Callable[[int], None]) -> Iterator[Entry]:
    """Yield what the lines of a trace come to; ``said`` is told how many bytes are read.

    Raises ``UsageError`` for a file that cannot be read, and ``TraceError`` for one that is not a
    trace at all.
    """
    try:
        # A byte that is no text makes a bad line, not an end to the reading.
        with open(path, encoding="utf-8-sig", errors="replace", newline="") as file:
            lines = chain.from_iterable(_in_steps(file, said))
            first = next(lines, "")
            lines = chain([first], lines)
            if _is_json(path, first):
                yield from _json_requests(path, lines, hash_block)
            else:
                yield from _csv_requests(path, lines)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror or error}") from error


def _in_steps(file: TextIO, said: Callable[[int], None]) -> Iterator[list[str]]:
    while lines := list(islice(file, LINES_A_STEP)):
        said(file.buffer.tell())
        yield lines


def _is_json(path: str, first: str) -> bool:
    """Return whether a trace is JSON lines: its name says so, or else its first line."""
    suffix = Path(path).suffix
    if suffix in (".csv", ".json", ".jsonl", ".ndjson"):
        return suffix != ".csv"
    return first.lstrip().startswith("{")


# JSON lines


class _Row(msgspec.Struct):
    """What a line has to hold, whatever else is there; named as the public traces name it."""

    input_length: int
    hash_ids: list[int]


def _json_requests(path: str, lines: Iterable[str], hash_block: int) -> Iterator[Entry]:
    decode = msgspec.json.Decoder(_Row).decode
    for number, line in enumerate(lines, 1):
        try:
            row = decode(line)
        except (msgspec.DecodeError, RecursionError) as error:
            if line and not line.isspace():
                yield _bad_line(path, number, str(error))
            continue
        total, blocks = row.input_length, row.hash_ids
        if 0 <= total <= USIZE_MAX and len(blocks) == -(-total // hash_block):
            yield number, total, blocks
        else:
            yield _bad_line(path, number, _complaint(total, len(blocks), hash_block))


def _complaint(total: int, blocks: int, hash_block: int) -> str:
    """Return what is wrong with a length of so many hash blocks."""
    if not 0 <= total <= USIZE_MAX:
        return f"needs an input_length in 0..=2**64-1, not {total}"
    needed = -(-total // hash_block)
    counts = f"{total} tokens have {needed} hash blocks of {hash_block}, not {blocks}"
    return f"{counts}; --hash-block says how many tokens a block has"


def _bad_line(path: str, number: int, message: str) -> TraceError:
    return TraceError(Place(path, number, 1), "request", message)


# CSV


def _csv_requests(path: str, lines: Iterable[str]) -> Iterator[Entry]:
    rows = csv.reader(lines)
    try:
        names = [name.strip() for name in next(rows, [])]
    except csv.Error as error:
        raise TraceError(Place(path, 1, 1), "header", f"is not CSV: {error}") from error
    if COLUMN not in names:
        formats = f"JSON lines with input_length and hash_ids, or CSV with a column {COLUMN}"
        raise TraceError(Place(path, 1, 1), "header", f"this is no trace: it needs {formats}")
    column = names.index(COLUMN)
    while True:
        try:
            row = next(rows, None)
            if row is None:
                return
            if row:
                yield rows.line_num, parse_usize(row[column].strip()), None
        except IndexError:
            yield _bad_row(
                path, rows.line_num, f"is missing: the line has {len(row or ())} columns"
            )
        except (ValueError, csv.Error) as error:
            yield _bad_row(path, rows.line_num, str(error))


def _bad_row(path: str, number: int, message: str) -> TraceError:
    return TraceError(Place(path, number, 1), COLUMN, message)
