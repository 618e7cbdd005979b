"""What a run was measured on: the machine, the versions and the date."""

import datetime
import os
import platform
from importlib.metadata import version
from pathlib import Path

PACKAGES = ("prefill-gate", "z3-solver", "tree-sitter-rust", "crosshair-tool", "hypothesis")


def described() -> str:
    """Return the lines that say it."""
    versions = ", ".join(f"{name} {version(name)}" for name in PACKAGES)
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    return (
        f"Machine: {_processor()}, {os.cpu_count()} cores, {platform.system()}"
        f" {platform.machine()}.\n"
        f"Versions: Python {platform.python_version()}, {versions}.\nDate: {day}."
    )


def _processor() -> str:
    """Return the name of the processor, where the system tells it."""
    path = Path("/proc/cpuinfo")
    lines = path.read_text().splitlines() if path.is_file() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or "unknown processor"
