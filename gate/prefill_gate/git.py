"""What git knows: files as they were in a revision, and whether they are the same now."""

import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from prefill_gate.errors import UsageError
from prefill_gate.paths import name_in_revision


def run_git(*arguments: str, given: str = "") -> subprocess.CompletedProcess[bytes]:
    """Run git in this folder, with text on its standard input; it may fail.

    Raises ``UsageError`` when there is no git.
    """
    try:
        return subprocess.run(
            ["git", *arguments], input=os.fsencode(given), capture_output=True, check=False
        )
    except OSError as error:
        raise UsageError(f"git cannot be run: {error.strerror}") from error


def show(revision: str, path: str) -> tuple[bytes | None, str]:
    """Return the content of a file in a revision, or ``None`` and what git says of it.

    The path is one from this folder, as in a shell, or else from the top, as git has it; one that
    starts with a dot is from this folder alone.
    """
    paths = [path] if path.startswith(("./", "../")) else [f"./{path}", path]
    for shown in paths:
        done = run_git("show", "--end-of-options", f"{revision}:{shown}")
        if done.returncode == 0:
            return done.stdout, ""
    said = done.stderr.decode(errors="replace").strip().splitlines()
    return None, said[-1] if said else f"git show ended with {done.returncode}"


def files_in(revision: str, folder: Path) -> list[Path]:
    """Return the files at or below a folder in a revision; none where git does not keep it."""
    listing = ("ls-tree", "-r", "-z", "--name-only", "--end-of-options", revision)
    listed = run_git("-C", str(folder), *listing)
    names = listed.stdout.split(b"\0")[:-1] if listed.returncode == 0 else []
    return [folder / os.fsdecode(name) for name in names]


def require_commit(revision: str) -> None:
    """Raise ``UsageError`` when git has no such commit here."""
    commit = f"{revision}^{{commit}}"
    if run_git("rev-parse", "--verify", "--quiet", "--end-of-options", commit).returncode != 0:
        hint = "fetch it first (in a CI job, with its history: fetch-depth: 0)"
        raise UsageError(f"--base: git has no commit {revision} here; {hint}")


def are_same_in(revision: str, paths: Sequence[Path]) -> bool:
    """Return whether files are now what they were in a revision, or are there in neither.

    Their content is compared, whatever the index says. A file that git cannot tell is another one.
    """
    if any("\n" in str(path) for path in paths):
        return False
    there = [path for path in paths if path.exists()]
    # As it is in the folder: what git would make of it before it keeps it is not what is read.
    hashed = run_git("hash-object", "--no-filters", "--stdin-paths", given=_lines(map(str, there)))
    names = [name_in_revision(revision, path) for path in paths]
    stored = run_git("cat-file", "--batch-check=%(objectname)", given=_lines(names))
    if hashed.returncode != 0 or stored.returncode != 0:
        return False
    now = dict(zip(there, _lines_of(hashed.stdout), strict=True))
    return all(
        then == now.get(path, f"{name} missing")
        for path, name, then in zip(paths, names, _lines_of(stored.stdout), strict=True)
    )


def _lines(texts: Iterable[str]) -> str:
    return "".join(f"{text}\n" for text in texts)


def _lines_of(output: bytes) -> list[str]:
    return os.fsdecode(output).split("\n")[:-1]
