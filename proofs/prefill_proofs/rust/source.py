"""A Rust file as a source of planner functions."""

from collections.abc import Callable, Mapping
from pathlib import Path

from prefill_proofs.language import Function, Place, Unknown
from prefill_proofs.refusals import SourceError
from prefill_proofs.roles import BUILT_IN_TAKEN, Asked, Read, Text, input_hint, leaves
from prefill_proofs.rust.modules import Crate, Definition
from prefill_proofs.rust.reader import RustReader
from prefill_proofs.rust.syntax import parse_rust
from prefill_proofs.source_files import SourceFile, open_source


class RustSource:
    """The functions of one Rust file.

    Raises ``SourceError`` when the content is no Rust; ``externs`` says where paths that leave the
    file are defined, and ``open_file`` gives those files.
    """

    def __init__(
        self,
        content: bytes,
        name: str,
        path: Path | None,
        externs: Mapping[str, Path],
        open_file: Callable[[Path], SourceFile] = open_source,
    ) -> None:
        self._crate = Crate(parse_rust(content, name, path), externs, open_file)
        self._reader = RustReader(self._crate)

    @property
    def assumptions(self) -> list[str]:
        """What was taken for granted in reading."""
        if not self._crate.uses_built_in:
            return []
        return [BUILT_IN_TAKEN]

    def find(self, name: str) -> list[Definition]:
        """Return the functions of a name or ``a::b`` path."""
        return self._crate.functions_named(name)

    def names(self) -> list[str]:
        """Return the names of the file's functions, each with its module or type."""
        return self._crate.function_names()

    def place(self, candidate: Definition) -> Place:
        """Return where a function stands."""
        return candidate.file.place(candidate.node)

    def read(self, candidate: Definition, asked: Asked) -> Read:
        """Return a function in the planner language, with the expressions that are asked for.

        Raises ``SourceError`` for what is outside the language.
        """
        function = self._reader.function(candidate)

        def found(texts: tuple[Text, ...]) -> dict[str, Function]:
            if isinstance(function, Unknown):
                return {}
            return {text: self._expression(candidate, function, text, at) for text, at in texts}

        return Read(function, found(asked.expressions), found(asked.conditions))

    def _expression(
        self, candidate: Definition, function: Function, text: str, where: Place
    ) -> Function:
        """Return an expression over a function's parameters; an error names the nearest one."""
        try:
            return self._reader.expression(candidate, text, where)
        except SourceError as error:
            parameters = zip(function.names, function.parameters, strict=True)
            inputs = [leaf.name for name, (_, kind) in parameters for leaf in leaves(name, kind)]
            message = f"{error.message}{input_hint(text, inputs)}"
            raise SourceError(error.place, error.construct, message, error.line_text) from error
