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


class ConfigError(UsageError):
    """A configuration that is not understood: where, which key, what is wrong and what to do."""

    def __init__(self, place: Place, key: str, message: str) -> None:
        super().__init__(f"{place}: {key}: {message}")
        self._details = place._asdict() | {"construct": key, "message": message}

    def details(self) -> dict[str, Any]:
        """Return where the error is, the key and the message."""
        return self._details
