"""Git repositories that tests make."""

import shutil
import subprocess
from pathlib import Path

import pytest


def git(folder: Path, *arguments: str) -> None:
    """Run git in a folder, whatever the user has configured; without git the test is skipped."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    identity = ("-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)
