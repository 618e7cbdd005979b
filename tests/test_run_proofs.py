"""The run theorems follow from the contract, and from nothing less of it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from broken_runs import BROKEN_RUNS, BrokenRun
from explorer import Exploration, Finding
from prefill_proofs.run_proofs import parts_of, prove_run
from prefill_proofs.solver import Solver
from prefill_reference.dispatcher import Dispatch
from prefill_reference.policies import CURRENT, Policy
from prefill_reference.runs import Prompt
from prefill_spec.calls import Call, CheckpointCall, ChunkCall, SplitCall
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import PROPERTIES, Outcome
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.vocabulary import USIZE_MAX, option_of

each_theorem = pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda entry: entry.id)
each_width = pytest.mark.parametrize("limit", [USIZE_MAX, None], ids=["usize", "naturals"])
each_broken = pytest.mark.parametrize(
    "broken", BROKEN_RUNS, ids=lambda entry: f"{entry.theorem.id}-without-{entry.lacks}"
)
each_use = pytest.mark.parametrize(
    ("theorem", "removed"),
    [
        pytest.param(theorem, removed, id=f"{theorem.id}-without-{removed}")
        for theorem in RUN_THEOREMS
        for removed in theorem.uses
    ],
)
resting_on_the_dispatcher = [theorem for theorem in RUN_THEOREMS if theorem.needs_dispatcher]


# The proofs.


@each_theorem
@each_width
def test_a_theorem_follows_from_the_properties_that_it_names(
    theorem: RunTheorem, limit: int | None
) -> None:
    verdict = prove_run(theorem, limit=limit)
    assert (verdict.verdict, verdict.part) == ("proved", "")


@each_use
@each_width
def test_a_theorem_is_refuted_without_any_one_of_them(
    theorem: RunTheorem, removed: str, limit: int | None
) -> None:
    uses = [entry for entry in theorem.uses if entry != removed]
    assert prove_run(theorem, uses, limit).verdict == "refuted"


@pytest.mark.parametrize("theorem", resting_on_the_dispatcher, ids=lambda entry: entry.id)
@each_width
def test_a_theorem_is_refuted_without_the_dispatcher_that_it_names(
    theorem: RunTheorem, limit: int | None
) -> None:
    assert prove_run(replace(theorem, needs_dispatcher=False), limit=limit).verdict == "refuted"


@each_theorem
@each_width
def test_no_part_of_a_proof_assumes_the_impossible(theorem: RunTheorem, limit: int | None) -> None:
    parts = parts_of(theorem, theorem.uses, limit)
    assert [part.name for part in parts] == ["base", "step", "end"]
    for part in parts:
        assert Solver(part.assumptions()).decide().result == "sat", part.name


@each_theorem
def test_more_properties_than_needed_do_no_harm(theorem: RunTheorem) -> None:
    everything = {entry.id for entry in PROPERTIES if entry.level == "deny"}
    assert prove_run(theorem, everything).verdict == "proved"


def test_a_theorem_that_is_false_is_refuted_in_the_part_that_fails() -> None:
    tiles = RUN_THEOREMS[0]
    wrong = {
        "base": replace(tiles, invariant=lambda prompt, progress: progress.offset < prompt.total),
        "step": replace(tiles, shown_by_step=lambda _prompt, _before, step: step.length > 1),
        "end": replace(
            tiles,
            shown_at_end=lambda prompt, ending: (
                RUN_THEOREMS[0]
                .finish(prompt, ending)
                ._replace(when=True, then=ending.progress.is_visited)
            ),
        ),
    }
    for part, theorem in wrong.items():
        verdict = prove_run(theorem)
        assert (verdict.verdict, verdict.part) == ("refuted", part)


# A planner for each premise: it keeps all the others, and its runs break the theorem.

TOTALS = range(14)
BLOCK_SIZES = (None, 0, 3, 4, 8)
SPLITS = (None, *range(0, 17, 2), 13)
LONG_TOTALS = range(41)
INTERVALS = range(4)


def chunk_calls() -> Iterator[ChunkCall]:
    for total in TOTALS:
        for offset in range(total + 1):
            for proposed in range(total - offset + 1):
                for block_size in BLOCK_SIZES:
                    for split in SPLITS:
                        yield ChunkCall(
                            offset, total, proposed, option_of(block_size), option_of(split)
                        )


def split_calls() -> Iterator[SplitCall]:
    for total in LONG_TOTALS:
        for block_size in (*BLOCK_SIZES, 1, 5, 16):
            yield SplitCall(total, option_of(block_size))


def checkpoint_calls() -> Iterator[CheckpointCall]:
    for call in split_calls():
        for end in range(0, call.total + 4, 1 + call.total // 20):
            for interval in INTERVALS:
                yield CheckpointCall(end, call.total, call.block_size, interval)


CALLS_OF = {"chunk_len": chunk_calls, "split_point": split_calls, "checkpoint": checkpoint_calls}


@cache
def small_calls(role: str) -> list[Call]:
    return list(CALLS_OF[role]())


@cache
def answers(policy: Policy, role: str) -> list[Outcome]:
    return [Outcome(False, answer_of(policy, call)) for call in small_calls(role)]


def answer_of(policy: Policy, call: Any) -> Any:
    """Return what a policy answers to a call, as properties read it."""
    size = call.block_size.value
    if isinstance(call, SplitCall):
        return option_of(policy.split_point(call.total, size))
    if isinstance(call, CheckpointCall):
        return policy.checkpoint(call.end_token, call.total, size, call.interval)
    block_size = size if call.block_size.present else None
    split = call.split.value if call.split.present else None
    return policy.chunk_len(call.offset, call.total, call.proposed, block_size, split, False)


@cache
def is_kept(policy: Policy, property_id: str) -> bool:
    """Return whether a policy keeps a property on every small call."""
    (entry,) = (entry for entry in PROPERTIES if entry.id == property_id)
    calls = zip(small_calls(entry.role), answers(policy, entry.role), strict=True)
    return all(entry.claim(call, outcome).formula() for call, outcome in calls)


def first_finding(
    theorem: RunTheorem, policy: Policy, dispatch: Dispatch = "two-pass"
) -> Finding | None:
    """Return where a small prompt's runs break a theorem under a policy."""
    for total in range(20):
        for block_size in (4, 8):
            prompt = Prompt(total, block_size, 0)
            exploration = Exploration(policy, prompt, dispatch, theorems=[theorem])
            for finding in exploration.explore(intervals=[0]):
                return finding
    return None


@each_broken
def test_a_planner_lacks_one_property_and_keeps_the_others(broken: BrokenRun) -> None:
    assert not is_kept(broken.policy, broken.lacks)
    for entry in broken.keeps:
        assert is_kept(broken.policy, entry), entry


@each_broken
def test_its_runs_break_the_theorem(broken: BrokenRun) -> None:
    assert first_finding(broken.theorem, broken.policy) is not None


@each_theorem
def test_the_current_planner_keeps_what_the_theorem_uses_and_does_not_break_it(
    theorem: RunTheorem,
) -> None:
    assert all(is_kept(CURRENT, entry) for entry in theorem.uses)
    assert first_finding(theorem, CURRENT) is None


@each_theorem
def test_without_its_dispatcher_the_current_planner_breaks_the_theorems_that_name_it(
    theorem: RunTheorem,
) -> None:
    found = first_finding(theorem, CURRENT, "none")
    assert (found is not None) == theorem.needs_dispatcher
