"""Planner files: from a path, or from a git revision."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from prefill_gate.paths import name_in_revision, path_of
from prefill_proofs.language import Place
from prefill_proofs.refusals import SourceError
from prefill_proofs.role_config import PlannerConfig, name_of
from prefill_proofs.source_files import SourceFile, open_source, read_source, require_size
from prefill_spec.calls import CALLS

if TYPE_CHECKING:
    from prefill_proofs.roles import Roles, Source


@dataclass(frozen=True)
class PlannerFile:
    """The content of a planner file; ``path`` is absent for one of a git revision."""

    name: str
    content: bytes
    path: Path | None

    def lines(self) -> list[str]:
        """Return the lines of the content, counted as the reader of its language does."""
        text = self.content.decode()
        return text.split("\n") if is_rust(self.name) else re.split(r"\r\n|\r|\n", text)

    def sha256(self) -> str:
        """Return the hash of the content, in hexadecimal."""
        import hashlib  # here, for it is slow to load and seldom asked for

        return hashlib.sha256(self.content).hexdigest()


def open_planner(given: str) -> PlannerFile:
    """Return the file that ``PATH`` or ``REV:PATH`` names, or raise ``SourceError``."""
    path = path_of(given)
    if str(path) != str(Path(given)):
        return PlannerFile(given, _from_git(given), None)
    return PlannerFile(given, read_source(path, given), path)


def _from_git(given: str) -> bytes:
    from prefill_gate.git import show  # here, for it is slow to load and seldom asked for

    revision, _, inside = given.partition(":")
    content, said = show(revision, inside)
    if content is None:
        raise SourceError(Place(given, 1, 1), "git revision", said)
    require_size(content, given)
    return content


def _opener(planner: PlannerFile) -> Callable[[Path], SourceFile]:
    """Return what opens the other files of a planner: where it is in a revision, they are, too."""
    if planner.path is not None:
        return open_source
    return partial(_open_in, planner.name.partition(":")[0])


def _open_in(revision: str, path: Path) -> SourceFile:
    name = name_in_revision(revision, path)
    return SourceFile(name, _from_git(name), None)


def is_rust(name: str) -> bool:
    """Return whether a planner file's name is that of a Rust file."""
    return name.endswith(".rs")


def roles_of(planner: PlannerFile, config: PlannerConfig) -> Roles:
    """Read the roles of a planner file; what cannot be read is among their errors."""
    from prefill_proofs.roles import Roles, read_roles  # here, for it loads the solver

    try:
        source = _source(planner, config)
    except SourceError as error:
        return Roles(errors=[error], failed=[])
    return read_roles(source, config, planner.name)


def defines_role(given: str, config: PlannerConfig) -> bool:
    """Return whether a planner file defines a function of a role, or cannot be read."""
    try:
        source = _source(open_planner(given), config)
        return any(source.find(name_of(role, config.roles.get(role))) for role in CALLS)
    except SourceError:
        return True


def _source(planner: PlannerFile, config: PlannerConfig) -> Source:
    """Return a file as a source of functions; each reader is loaded where it is needed."""
    given = (planner.content, planner.name, planner.path, config.externs, _opener(planner))
    if is_rust(planner.name):
        from prefill_proofs.rust.source import RustSource

        _require_no_types(config)
        return RustSource(*given)
    if planner.name.endswith(".py"):
        from prefill_proofs.python.source import PythonSource

        return PythonSource(*given)
    message = "is no planner file; its name has to end in .rs or .py"
    raise SourceError(Place(planner.name, 1, 1), "file", message)


def _require_no_types(config: PlannerConfig) -> None:
    for role, said in config.roles.items():
        for name in said.inputs:
            message = "a Rust file says the types of its inputs itself; remove it"
            construct = f"planner.roles.{role}.inputs"
            raise SourceError(said.place_of(name), construct, message)
