"""The README shows what is: its tables stand in the specification, its output is real."""

import re
import shlex
from pathlib import Path

import pytest

from command_line import Shell
from prefill_gate import exits
from prefill_gate.config import load_configs
from prefill_spec.properties import PROPERTIES
from prefill_spec.run_theorems import RUN_THEOREMS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```text\n\$ prefill-gate (.*)\n((?s:.*?))```", README)
CONFIGURATIONS = re.findall(r"```toml\n((?s:.*?))```", README)


def measured(text: str) -> str:
    """Return output without its times, and without the padding that depends on them."""
    return re.sub(r"[ -]*\b\d+(\.\d)?( ms|(?=\n))", "", re.sub(r" +ms\n-+ .*\n", "\n", text))


@pytest.mark.parametrize("entry", PROPERTIES, ids=lambda entry: f"{entry.role}-{entry.id}")
def test_every_property_stands_in_the_readme(entry) -> None:
    assert f"| `{entry.id}` | {entry.statement} | {entry.level} |" in README


@pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)
def test_every_run_theorem_stands_in_the_readme(theorem) -> None:
    row = f"| `{theorem.id}` | {theorem.statement} | {', '.join(theorem.uses)} |"
    assert row in README


def test_every_exit_code_stands_in_the_readme() -> None:
    for code in (exits.HOLDS, exits.REFUTED, exits.UNUSABLE, exits.INCONCLUSIVE, exits.INTERNAL):
        assert f"\n| {code} | " in README


@pytest.mark.parametrize("content", CONFIGURATIONS)
def test_a_configuration_of_the_readme_is_understood(tmp_path: Path, content: str) -> None:
    path = tmp_path / "prefill-gate.toml"
    path.write_text(content)
    assert load_configs(path)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 2
    assert len(CONFIGURATIONS) == 2


@pytest.mark.parametrize(("command", "shown"), EXAMPLES)
def test_what_the_readme_shows_is_what_is_printed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, command: str, shown: str
) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("COLUMNS", "100")
    printed = measured(shell.run(*shlex.split(command)).out)
    for part in shown.split("\n...\n"):
        assert measured(part.strip("\n") + "\n").strip("\n") in printed
