"""Errors that are the user's to mend."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prefill_proofs.language import Place


class UsageError(Exception):
    """Bad usage: what is wrong and what to do, in one line."""

    def details(self) -> dict[str, Any]:
        """Return what is known of the error, as members of the documented JSON object."""
        return {"message": str(self)}


class PlacedError(UsageError):
    """Something that is not understood: where, what it is, what is wrong and what to do."""

    def __init__(self, place: Place, construct: str, message: str) -> None:
        super().__init__(f"{place}: {construct}: {message}")
        self._arguments = (place, construct, message)

    def __reduce__(self) -> tuple[type[PlacedError], tuple[Place, str, str]]:
        """Say how to make the error again, in the process that asked for what failed."""
        return type(self), self._arguments

    def details(self) -> dict[str, Any]:
        """Return where the error is, what it is of, and the message."""
        place, construct, message = self._arguments
        return place._asdict() | {"construct": construct, "message": message}


class ConfigError(PlacedError):
    """A key of a configuration that is not understood."""


class TraceError(PlacedError):
    """A line of a trace that is no request."""
