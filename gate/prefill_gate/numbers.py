"""Numbers on a command line."""

import argparse
import math

from prefill_spec.vocabulary import USIZE_MAX

PROPERTY_SECONDS = 10.0
"""What deciding one property may take, unless it is said otherwise."""


def usize(text: str) -> int:
    """Return a number in 0..=2**64-1, or raise the error that the command line reports."""
    try:
        return parse_usize(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def parse_usize(text: str) -> int:
    """Return a number in 0..=2**64-1, or raise ``ValueError`` that names the text."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        raise ValueError(f"needs a whole number, not {text!r}")
    if text.startswith("-"):
        raise ValueError(f"needs a number of at least 0, not {text}")
    # A number of more than 20 digits is out of range, and int() would refuse thousands of them.
    if len(digits.lstrip("0")) > len(str(USIZE_MAX)) or int(digits) > USIZE_MAX:
        raise ValueError(f"needs a number of at most 2**64-1, not {text:.30}")
    return int(digits)


def positive(text: str) -> int:
    """Return a number in 1..=2**64-1, or raise an error that names the text."""
    number = usize(text)
    if number == 0:
        raise argparse.ArgumentTypeError("needs a number of at least 1, not 0")
    return number


def seconds(text: str) -> float:
    """Return a positive number of seconds, or raise an error that names the text."""
    try:
        found = float(text)
    except ValueError:
        found = math.nan
    if not 0 < found < math.inf:
        raise argparse.ArgumentTypeError(f"needs a number of seconds above 0, not {text!r}")
    return found


def optional_usize(text: str) -> int | None:
    """Return a number in 0..=2**64-1, or ``None`` for the word ``none``."""
    return None if text == "none" else usize(text)
