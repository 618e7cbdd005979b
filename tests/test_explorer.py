"""Every run of every small prompt keeps the run theorems, and broken planners do not."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from explorer import Exploration, Finding
from prefill_reference.dispatcher import DISPATCHES, Dispatch
from prefill_reference.policies import BEFORE, CURRENT, Policy
from prefill_reference.runs import Prompt
from prefill_spec.properties import PROPERTY_IDS
from prefill_spec.run_theorems import RUN_THEOREM_IDS, RUN_THEOREMS

BLOCK_SIZES = (None, *range(13))
FEW_BLOCK_SIZES = (None, 0, 1, 3, 4, 8)
FEW_TOKENS = 24


def small_prompts(block_size: int | None, highest: int = FEW_TOKENS) -> Iterator[Prompt]:
    """Yield the small prompts of a block size, from every start."""
    for total in range(highest + 1):
        for start in range(total + 1):
            yield Prompt(total, block_size, 0, start)


def findings(policy: Policy, dispatch: Dispatch = "two-pass") -> list[Finding]:
    """Return what fails for a policy on small prompts."""
    return [
        finding
        for block_size in FEW_BLOCK_SIZES
        for total in range(FEW_TOKENS + 1)
        for finding in Exploration(policy, Prompt(total, block_size, 0), dispatch).explore()
    ]


def broken(policy: Policy, dispatch: Dispatch = "two-pass") -> set[str]:
    """Return the theorems that fail for a policy on small prompts."""
    return {finding.theorem for finding in findings(policy, dispatch)}


@pytest.mark.parametrize("block_size", BLOCK_SIZES)
def test_every_run_of_every_prompt_keeps_the_theorems(
    block_size: int | None, explore_tokens: int
) -> None:
    for total in range(explore_tokens + 1):
        assert Exploration(CURRENT, Prompt(total, block_size, 0)).explore() == []


@pytest.mark.parametrize("block_size", FEW_BLOCK_SIZES)
def test_so_does_every_run_from_every_start(block_size: int | None) -> None:
    for prompt in small_prompts(block_size):
        assert Exploration(CURRENT, prompt).explore() == []


@pytest.mark.parametrize("block_size", FEW_BLOCK_SIZES)
def test_so_does_every_run_with_the_capture_inside_a_pass(block_size: int | None) -> None:
    for prompt in small_prompts(block_size, 16):
        assert Exploration(CURRENT, prompt, "in-pass").explore() == []


def test_every_interval_saves_at_the_split_point() -> None:
    saved = [theorem for theorem in RUN_THEOREMS if theorem.id == "run-snapshot-saved"]
    for total in range(65):
        for block_size in (1, 3, 4, 16):
            done = Prompt(total, block_size, 0, start=total)  # the statement is not about the run
            exploration = Exploration(CURRENT, done, theorems=saved)
            assert exploration.explore(intervals=range(18)) == []


def test_the_explorer_offers_everything_and_reaches_every_token() -> None:
    exploration = Exploration(CURRENT, Prompt(40, None, 0), theorems=RUN_THEOREMS[:1])
    exploration.explore()
    assert exploration.states == 40
    assert exploration.steps == 40 * 41 // 2


def test_a_state_has_the_most_answers_of_any_path() -> None:
    tight = replace(
        RUN_THEOREMS[1],
        invariant=lambda prompt, progress: progress.answers < prompt.total,
    )
    exploration = Exploration(CURRENT, Prompt(9, None, 0), theorems=[tight])
    assert len(exploration.explore()) == 1


# Negative controls: each must be caught, and by these theorems.

RESTORES = {"run-split-visited", "run-warm-restores", "run-replay"}


def answering(chunk_len: Callable[..., int]) -> Policy:
    """Return the current policy with another rule for the length of a chunk."""
    return replace(CURRENT, chunk_len=chunk_len)


def test_the_old_policy_keeps_neither_the_grid_nor_the_snapshot() -> None:
    assert broken(BEFORE) == RESTORES | {"run-block-ends"}


def test_a_dispatcher_that_never_splits_loses_the_snapshot() -> None:
    assert broken(CURRENT, "none") == RESTORES


@pytest.mark.parametrize("dispatch", DISPATCHES)
def test_the_tiling_and_the_end_of_a_run_need_no_dispatcher(dispatch: Dispatch) -> None:
    assert not broken(CURRENT, dispatch) & {"run-tiles", "run-terminates"}


def test_a_planner_without_progress_breaks_the_tiling() -> None:
    found = broken(answering(lambda *_call: 0))
    assert found >= {"run-tiles", "run-terminates"}
    assert "run-split-visited" in found


def test_a_planner_past_the_end_breaks_the_tiling() -> None:
    found = broken(answering(lambda _offset, _total, proposed, *_rest: proposed + 1))
    assert found >= {"run-tiles", "run-terminates"}


def test_a_planner_deaf_to_the_split_point_loses_the_snapshot() -> None:
    def deaf(*call: int) -> int:
        offset, total, proposed, block_size, _split, first_pass = call
        return CURRENT.chunk_len(offset, total, proposed, block_size, None, bool(first_pass))

    assert broken(answering(deaf)) == RESTORES


def test_a_planner_that_leaves_the_grid_breaks_the_block_ends() -> None:
    def off_grid(*call: int) -> int:
        offset, total, proposed, _block_size, split, first_pass = call
        return CURRENT.chunk_len(offset, total, proposed, None, split, bool(first_pass))

    assert broken(answering(off_grid)) == {"run-block-ends"}


def test_a_planner_without_split_points_loses_the_warm_restore() -> None:
    policy = replace(CURRENT, split_point=lambda _total, _block_size: None)
    assert broken(policy) == {"run-warm-restores", "run-replay"}


def test_a_snapshot_rule_deaf_to_the_tail_saves_nothing_at_the_split_point() -> None:
    policy = replace(CURRENT, checkpoint=lambda *_call: False)
    assert broken(policy) == {"run-snapshot-saved", "run-warm-restores", "run-replay"}


def test_a_split_point_one_block_too_deep_cannot_be_restored() -> None:
    def too_deep(total: int, block_size: int) -> int | None:
        split = CURRENT.split_point(total, block_size)
        return None if split is None else split + block_size

    found = broken(replace(CURRENT, split_point=too_deep))
    assert "run-snapshot-saved" in found


# The theorems as data.


def test_every_theorem_names_properties_that_there_are() -> None:
    for theorem in RUN_THEOREMS:
        assert set(theorem.uses) < set(PROPERTY_IDS)
        assert len(set(theorem.uses)) == len(theorem.uses)


def test_no_theorem_has_the_name_of_a_property() -> None:
    assert not set(RUN_THEOREM_IDS) & set(PROPERTY_IDS)
    assert len(set(RUN_THEOREM_IDS)) == len(RUN_THEOREMS)


def test_the_controls_break_every_theorem() -> None:
    controls = [
        broken(BEFORE),
        broken(answering(lambda *_call: 0)),
        broken(replace(CURRENT, checkpoint=lambda *_call: False)),
    ]
    assert set().union(*controls) == set(RUN_THEOREM_IDS)
