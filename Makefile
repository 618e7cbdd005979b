# `make prove` runs the main job, `make test` everything that has to pass, `make bench` the comparison with other
# tools. Each sets up what it needs.

PYTHON ?= python3
BIN := .venv/bin

.PHONY: prove test tables bench bench-quick clean

prove: .venv/installed
	$(BIN)/prefill-gate prove

test: .venv/installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy --num-workers auto
	$(BIN)/pytest

# The tables of the README, from the specification.
tables: .venv/installed
	$(BIN)/python tests/readme_tables.py

bench: .venv/compared
	$(BIN)/python -m bench

bench-quick: .venv/compared
	$(BIN)/python -m bench --quick

.venv/compared: .venv/installed
	$(BIN)/pip install --quiet --editable '.[bench]'
	touch $@

.venv/installed: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --editable '.[dev]'
	$(BIN)/python -m compileall -q spec reference proofs gate
	touch $@

clean:
	rm -rf .venv
