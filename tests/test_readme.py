"""The README shows what is: its tables stand in the specification, its output is real."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from prefill_gate import exits
from prefill_gate.config import load_configs
from readme_tables import TABLES, with_tables

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```text\n\$ prefill-gate (.*)\n((?s:.*?))```", README)
CONFIGURATIONS = re.findall(r"```toml\n((?s:.*?))```", README)


def measured(text: str) -> str:
    """Return output without its times, and without the padding that depends on them."""
    return re.sub(r"[ -]*\b\d+(\.\d)?( ms|(?=\n))", "", re.sub(r" +ms\n-+ .*\n", "\n", text))


@pytest.mark.parametrize("name", TABLES)
def test_a_table_stands_in_the_readme_as_the_specification_has_it(name: str) -> None:
    begin, end = f"<!-- {name}: written by make tables -->\n", f"<!-- end of {name} -->\n"
    assert f"{begin}{TABLES[name]}{end}" in README, "run `make tables`"


def test_writing_the_tables_again_changes_nothing_and_mends_what_was_edited() -> None:
    assert with_tables(README) == README
    edited = README.replace("| deny |", "| warn |")
    assert edited != README
    assert with_tables(edited) == README


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
    assert len(EXAMPLES) == 6
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
