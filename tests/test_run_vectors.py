"""Public facts about whole prompts, where that data is at hand."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prefill_reference.cache import PrefixCache, block_match, common_prefix, restore
from prefill_reference.policies import CURRENT, POLICIES, Policy
from prefill_reference.proposals import budgeted, listed
from prefill_reference.runs import Prompt, Run, run_prompt

INTERVAL = 16


@pytest.fixture(scope="module")
def vectors(shared: Path) -> list[dict[str, Any]]:
    path = shared / "data" / "vectors.json"
    if not path.is_file():
        pytest.skip(f"no file {path}")
    found: list[dict[str, Any]] = json.loads(path.read_text())["vectors"]
    return found


def of(vectors: list[dict[str, Any]], function: str) -> Iterator[dict[str, Any]]:
    """Yield the vectors of a function, of which there is at least one."""
    found = [entry for entry in vectors if entry["fn"] == function]
    assert found
    yield from found


def run_of(policy: Policy, arguments: dict[str, Any]) -> Run:
    """Return the run that a vector describes."""
    prompt = Prompt(arguments["total"], arguments["block_size"], INTERVAL)
    return run_prompt(policy, prompt, budgeted(arguments["first"], arguments["next"]))


def spans(run: Run) -> list[list[int]]:
    """Return where each pass starts and ends."""
    return [[entry.start, entry.end] for entry in run.passes]


def test_whole_prompts_have_the_passes_of_the_vectors(vectors: list[dict[str, Any]]) -> None:
    for entry in of(vectors, "run_chunks"):
        run = run_of(POLICIES[entry["policy"]], entry["args"])
        assert spans(run) == entry["expect"]
        assert run.snapshots == entry.get("saves_interval16", run.snapshots)


def test_whole_prompts_without_a_split_point_too(vectors: list[dict[str, Any]]) -> None:
    without_split = replace(CURRENT, split_point=lambda _total, _block_size: None)
    for entry in of(vectors, "run_chunks_no_split"):
        assert spans(run_of(without_split, entry["args"])) == entry["expect"]


def test_a_warm_request_restores_where_the_vectors_say(vectors: list[dict[str, Any]]) -> None:
    for entry in of(vectors, "cold_then_warm"):
        total, block_size = entry["args"]["total"], entry["args"]["block_size"]
        run = run_of(POLICIES[entry["policy"]], entry["args"])
        found = restore(block_match(total, total, block_size), total, run.snapshots)
        expected = entry["expect"]
        assert (found.match, found.restored) == (expected["matched"], expected["snapshot"])
        assert found.replayed == expected.get("replay", found.replayed)


def test_a_lookup_matches_whole_blocks(vectors: list[dict[str, Any]]) -> None:
    entries = [
        entry for entry in of(vectors, "radix_lookup") if not entry["args"].get("subblock", False)
    ]
    assert entries
    for entry in entries:
        arguments = entry["args"]
        inserted, request = (
            range(*map(int, arguments[name].split("..")))
            for name in ("inserted_tokens", "lookup_tokens")
        )
        cache = PrefixCache(arguments["block_size"])
        cache.insert(inserted, [])
        assert cache.matched_blocks(request) == len(entry["expect"]["matched_blocks"])
        assert common_prefix(inserted, request) == len(request)


def test_slices_end_where_the_vectors_say(vectors: list[dict[str, Any]]) -> None:
    for function in ("run_slices", "run_slices_saves"):
        for entry in of(vectors, function):
            arguments = entry["args"]
            prompt = Prompt(arguments["total"], arguments["block_size"], INTERVAL)
            run = run_prompt(CURRENT, prompt, listed([arguments["slice"]]))
            found = run.ends if function == "run_slices" else run.snapshots
            assert [end for end in found if end <= arguments["until"]] == entry["expect"]
