# `make prove` runs the main job, `make test` everything that has to pass. Both set up what they need.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: prove test tables clean

prove: .venv/installed
	$(BIN)/prefill-gate prove

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest

# The tables of the README, from the specification.
tables: .venv/installed
	$(BIN)/python tests/readme_tables.py

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	$(BIN)/python -m compileall -q spec reference proofs gate
	touch $@

clean:
	rm -rf .venv
