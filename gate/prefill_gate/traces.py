"""Request traces, read as a stream: JSON lines with hash ids, or CSV with prompt lengths."""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any, TextIO

from prefill_gate.errors import TraceError, UsageError
from prefill_gate.numbers import parse_usize
from prefill_proofs.language import Place
from prefill_reference.replay import Request
from prefill_spec.vocabulary import USIZE_MAX

LENGTH = "input_length"
BLOCKS = "hash_ids"
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


def _json_requests(path: str, lines: Iterable[str], hash_block: int) -> Iterator[Entry]:
    decode = json.JSONDecoder().raw_decode
    for number, line in enumerate(lines, 1):
        try:
            row, end = decode(line)
            total, blocks = row[LENGTH], row[BLOCKS]
            is_sound = (
                type(total) is int
                and 0 <= total <= USIZE_MAX
                and type(blocks) is list
                and len(blocks) == -(-total // hash_block)
                and _are_numbers(blocks)
                and (line[end:] == "\n" or not line[end:].strip())
            )
        except (ValueError, TypeError, LookupError, RecursionError):
            is_sound = False
        if is_sound:
            yield number, total, blocks
        elif not line.isspace() and line:
            column, construct, message = _complaint(line, hash_block)
            yield TraceError(Place(path, number, column), construct, message)


def _are_numbers(blocks: list[Any]) -> bool:
    """Return whether all ids are whole numbers; raises ``TypeError`` for what cannot be added.

    Their sum tells it several times as fast as their types. A bool passes for 0 or 1.
    """
    return type(sum(blocks)) is int


def _complaint(line: str, hash_block: int) -> tuple[int, str, str]:
    """Return what is wrong with a line: the column, what stands there, and why it will not do."""
    try:
        row = json.loads(line)
    except json.JSONDecodeError as error:
        return error.colno, "request", f"is not JSON: {error.msg}"
    except (ValueError, RecursionError) as error:
        return 1, "request", f"is no JSON that can be read: {error}"
    if not isinstance(row, dict):
        return 1, "request", f"needs an object with {LENGTH} and {BLOCKS}, not {_shown(row)}"
    for name in (LENGTH, BLOCKS):
        if name not in row:
            return 1, name, f"is missing; a request needs {LENGTH} and {BLOCKS}"
    total, blocks = row[LENGTH], row[BLOCKS]
    if type(total) is not int or not 0 <= total <= USIZE_MAX:
        return 1, LENGTH, f"needs a whole number of tokens in 0..=2**64-1, not {_shown(total)}"
    if not isinstance(blocks, list) or not all(isinstance(block, int) for block in blocks):
        return 1, BLOCKS, f"needs a list of whole numbers, not {_shown(blocks)}"
    needed = -(-total // hash_block)
    counts = f"{total} tokens have {needed} hash blocks of {hash_block}, not {len(blocks)}"
    return 1, BLOCKS, f"{counts}; --hash-block says how many tokens a block has"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else f"{text[:40]}..."


# CSV


def _csv_requests(path: str, lines: Iterable[str]) -> Iterator[Entry]:
    rows = csv.reader(lines)
    try:
        names = [name.strip() for name in next(rows, [])]
    except csv.Error as error:
        raise TraceError(Place(path, 1, 1), "header", f"is not CSV: {error}") from error
    if COLUMN not in names:
        formats = f"JSON lines with {LENGTH} and {BLOCKS}, or CSV with a column {COLUMN}"
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
