"""Functions read from a source by themselves, without a configuration."""

from typing import Any

from prefill_proofs.language import Function, Unknown
from prefill_proofs.roles import Asked, Source
from prefill_proofs.types import USIZE, Type


def read_function(source: Source, candidate: Any, result: Type = USIZE) -> Function | Unknown:
    """Return a function that a source has found."""
    return source.read(candidate, Asked(result, (), (), (), {})).function
