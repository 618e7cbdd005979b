"""A Rust file as a source of planner functions."""

from collections.abc import Mapping
from pathlib import Path

from prefill_proofs.language import Function, Place, Unknown
from prefill_proofs.rust.modules import Crate, Definition
from prefill_proofs.rust.reader import RustReader
from prefill_proofs.rust.syntax import parse_rust


class RustSource:
    """The functions of one Rust file.

    Raises ``SourceError`` when the content is no Rust; ``externs`` says where paths that leave the
    file are defined.
    """

    def __init__(
        self, content: bytes, name: str, path: Path | None, externs: Mapping[str, Path]
    ) -> None:
        self._crate = Crate(parse_rust(content, name, path), externs)
        self._reader = RustReader(self._crate)

    @property
    def assumptions(self) -> list[str]:
        """What was taken for granted in reading."""
        if not self._crate.uses_built_in:
            return []
        return ["ssm_tail_boundary is the built-in one, for its own source is not at hand"]

    def find(self, name: str) -> list[Definition]:
        """Return the functions of a name or ``a::b`` path."""
        return self._crate.functions_named(name)

    def names(self) -> list[str]:
        """Return the names of the file's functions, each with its module or type."""
        return self._crate.function_names()

    def place(self, candidate: Definition) -> Place:
        """Return where a function stands."""
        return candidate.file.place(candidate.node)

    def read(self, candidate: Definition) -> Function | Unknown:
        """Return a function in the planner language, or raise ``SourceError``."""
        return self._reader.function(candidate)

    def expression(self, candidate: Definition, text: str, where: Place) -> Function:
        """Return an expression over a function's parameters, or raise ``SourceError``."""
        return self._reader.expression(candidate, text, where)
