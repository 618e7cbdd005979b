"""Public calls of planner functions and their answers, where that data is at hand."""

import json
from pathlib import Path
from typing import Any

import pytest

from prefill_reference import planner

FUNCTIONS = {
    "ssm_tail_boundary",
    "tail_split_point",
    "plan_chunk_len",
    "is_checkpoint_chunk_end",
    "is_prompt_tail_end",
}


@pytest.fixture(scope="module")
def vectors(shared: Path) -> list[dict[str, Any]]:
    path = shared / "data" / "vectors.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    entries = json.loads(path.read_text())["vectors"]
    return [entry for entry in entries if entry["policy"] == "current" and entry["fn"] in FUNCTIONS]


def test_there_are_vectors_for_every_function(vectors: list[dict[str, Any]]) -> None:
    assert {entry["fn"] for entry in vectors} == FUNCTIONS


def test_the_reference_answers_as_the_vectors_say(vectors: list[dict[str, Any]]) -> None:
    differences = [
        (entry, answer)
        for entry in vectors
        if (answer := getattr(planner, entry["fn"])(**entry["args"])) != entry["expect"]
    ]
    assert differences == []
