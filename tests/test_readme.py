"""The README shows what is: its tables stand in the specification, its output is real."""

import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

from prefill_gate import exits
from prefill_gate.config import load_configs
from prefill_spec.depth_properties import DEPTH_PROPERTIES
from prefill_spec.further_properties import FURTHER_PROPERTIES
from prefill_spec.profiles import PROFILES
from prefill_spec.properties import NO_FAULT, PROPERTIES
from prefill_spec.run_theorems import RUN_THEOREMS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```text\n\$ prefill-gate (.*)\n((?s:.*?))```", README)
FURTHER = [entry for entry in (*FURTHER_PROPERTIES, *DEPTH_PROPERTIES) if entry.id != NO_FAULT]
CHANGES = tomllib.loads((ROOT / "examples" / "examples.toml").read_text())["example"]
CONFIGURATIONS = re.findall(r"```toml\n((?s:.*?))```", README)


def measured(text: str) -> str:
    """Return output without its times, and without the padding that depends on them."""
    return re.sub(r"[ -]*\b\d+(\.\d)?( ms|(?=\n))", "", re.sub(r" +ms\n-+ .*\n", "\n", text))


def shown(ids: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in ids)


@pytest.mark.parametrize("entry", PROPERTIES, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_every_property_stands_in_the_readme(entry) -> None:
    assert f"| `{entry.id}` | {entry.statement} | {entry.level} |" in README


@pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)
def test_every_run_theorem_stands_in_the_readme(theorem) -> None:
    row = f"| `{theorem.id}` | {theorem.statement} | {', '.join(theorem.uses)} |"
    assert row in README


@pytest.mark.parametrize("entry", FURTHER, ids=lambda entry: entry.id)
def test_every_further_property_stands_in_the_readme(entry) -> None:
    assert f"| `{entry.id}` | {entry.statement} | {entry.level} |" in README


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.id)
def test_every_profile_stands_in_the_readme(profile) -> None:
    waives, adds = (
        ", ".join(f"`{name}`" for name in ids) for ids in (profile.waives, profile.adds)
    )
    assert f"| `{profile.id}` | {profile.statement} | {waives} | {adds} |" in README


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change["id"])
def test_every_example_stands_in_the_readme_with_its_verdicts(change) -> None:
    before, after = (
        ", ".join(f"`{name}`" for name in change[side]) for side in ("before", "after")
    )
    row = f"| [{change['id']}]({change['source']}) | {change['broke']} | {before} "
    assert f"{row}| {after or 'nothing'} |" in README


def test_every_exit_code_stands_in_the_readme() -> None:
    for code in (exits.HOLDS, exits.REFUTED, exits.UNUSABLE, exits.INCONCLUSIVE, exits.INTERNAL):
        assert f"\n| {code} | " in README


@pytest.mark.parametrize("content", CONFIGURATIONS)
def test_a_configuration_of_the_readme_is_understood(tmp_path: Path, content: str) -> None:
    folder = tmp_path / "server" / "planner"
    folder.mkdir(parents=True)
    path = folder / "prefill-gate.toml"
    path.write_text(content)
    for extern in re.findall(r'= "(\.\./.*\.rs)"', content):
        (folder / extern).parent.mkdir(parents=True, exist_ok=True)
        (folder / extern).touch()
    assert load_configs(path)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 5
    assert len(CONFIGURATIONS) == 4


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_what_the_readme_shows_is_what_is_printed(command: str, shown: str) -> None:
    # A process of its own: which of several witnesses is found depends on what was asked before.
    code = "import sys; from prefill_gate.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", code, *shlex.split(command)],
        cwd=ROOT,
        env={**os.environ, "COLUMNS": "100"},
        capture_output=True,
        text=True,
        check=False,
    )
    printed = measured(done.stdout)
    for part in shown.split("\n...\n"):
        assert measured(part.strip("\n") + "\n").strip("\n") in printed
