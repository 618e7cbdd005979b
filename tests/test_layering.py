"""Arrows between the packages point one way only."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

ALLOWED = {
    "prefill_spec": {"prefill_spec"},
    "prefill_reference": {"prefill_reference", "prefill_spec"},
    "prefill_proofs": {"prefill_proofs", "prefill_spec", "prefill_reference"},
    "prefill_gate": {"prefill_gate", "prefill_spec", "prefill_reference", "prefill_proofs"},
}
SOLVERS = {"z3", "cvc5"}
FOLDERS = {name: ROOT / name.removeprefix("prefill_") / name for name in ALLOWED}

each_package = pytest.mark.parametrize("package", ALLOWED)


def imports_of(package: str) -> Iterator[tuple[Path, str]]:
    """Yield the modules that a package imports, by the files that do."""
    for path in sorted(FOLDERS[package].rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                yield from ((path, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                yield path, "." * node.level + (node.module or "")


@each_package
def test_every_package_is_where_its_name_says(package: str) -> None:
    assert (FOLDERS[package] / "__init__.py").is_file()


@each_package
def test_a_package_imports_only_what_lies_below_it(package: str) -> None:
    wrong = [
        (path.name, module)
        for path, module in imports_of(package)
        if module.startswith("prefill_") and module.split(".")[0] not in ALLOWED[package]
    ]
    assert wrong == []


@each_package
def test_imports_inside_the_house_are_absolute(package: str) -> None:
    assert [entry for entry in imports_of(package) if entry[1].startswith(".")] == []


@pytest.mark.parametrize("package", ["prefill_spec", "prefill_reference", "prefill_gate"])
def test_only_the_proofs_know_a_solver(package: str) -> None:
    wrong = [entry for entry in imports_of(package) if entry[1].split(".")[0] in SOLVERS]
    assert wrong == []


def test_the_reference_takes_only_words_from_the_specification() -> None:
    modules = {module for _, module in imports_of("prefill_reference")}
    taken = {module for module in modules if module.startswith("prefill_spec")}
    assert taken <= {"prefill_spec.vocabulary"}


def test_hypothesis_is_needed_by_the_strategies_alone() -> None:
    users = {
        path.name
        for package in ALLOWED
        for path, module in imports_of(package)
        if module.split(".")[0] == "hypothesis"
    }
    assert users == {"strategies.py"}


def test_the_reference_runs_without_loading_a_solver() -> None:
    program = "import sys, prefill_reference.planner; sys.exit('z3' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == 0
