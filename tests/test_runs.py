"""Whole prompts: proposals, the planner's answers, the dispatcher, snapshots, the warm request."""

import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prefill_reference.cache import PrefixCache, Restore, block_match, restore
from prefill_reference.dispatcher import Dispatch, Dispatched, dispatch_chunk
from prefill_reference.policies import BEFORE, CURRENT, POLICIES, Policy
from prefill_reference.proposals import budgeted, dense, listed
from prefill_reference.runs import Prompt, Run, TooManyAnswersError, run_prompt
from prefill_spec.strategies import BLOCK_SIZES
from prefill_spec.vocabulary import USIZE_MAX

LONG = Prompt(total=32_772, block_size=16, interval=16)
DENSE = dense(prefill_budget=8192, max_batch_size=1)


def warm(run: Run) -> Restore:
    """Return where the byte-identical request restores after a run."""
    total = run.prompt.total
    match = block_match(total, total, run.prompt.block_tokens)
    return restore(match, total, run.snapshots)


# The story.


def test_before_2026_09_27_the_chunk_ends_sit_one_token_past_the_boundaries() -> None:
    run = run_prompt(BEFORE, LONG, DENSE)
    assert run.ends == [8193, 16_385, 24_577, 32_769, 32_772]
    assert run.snapshots == [8193, 16_385, 24_577, 32_769]


def test_before_2026_09_27_the_split_point_falls_inside_the_second_to_last_chunk() -> None:
    run = run_prompt(BEFORE, LONG, DENSE)
    second_to_last = run.passes[-2]
    assert run.split == 32_752
    assert second_to_last.start < run.split < second_to_last.end
    assert run.split not in run.snapshots


def test_before_2026_09_27_the_warm_request_replays_8195_tokens() -> None:
    run = run_prompt(BEFORE, LONG, DENSE)
    assert max(run.snapshots) == 32_769  # deeper than the match
    assert warm(run) == Restore(match=32_768, restored=24_577, replayed=8195)


def test_the_current_policy_ends_on_the_boundaries_and_at_the_split_point() -> None:
    run = run_prompt(CURRENT, LONG, DENSE)
    assert run.ends == [8192, 16_384, 24_576, 32_752, 32_772]
    assert run.snapshots == [8192, 16_384, 24_576, 32_752]


def test_under_the_current_policy_the_warm_request_replays_20_tokens() -> None:
    run = run_prompt(CURRENT, LONG, DENSE)
    assert warm(run) == Restore(match=32_768, restored=32_752, replayed=20)


def test_the_story_is_the_same_whoever_runs_the_cache() -> None:
    tokens = [1000 + index * 7919 % 150_000 for index in range(LONG.total)]
    for policy, replayed in ((BEFORE, 8195), (CURRENT, 20)):
        cache = PrefixCache(16)
        cache.insert(tokens, run_prompt(policy, LONG, DENSE).snapshots)
        assert cache.lookup(tokens).replayed == replayed


def test_the_policies_are_named_by_their_dates() -> None:
    assert list(POLICIES) == ["before-2026-09-27", "current", "no-split"]


# Proposals.


def test_a_dense_serve_offers_a_whole_batch_on_top_for_the_first_chunk() -> None:
    assert [DENSE(answered, 20_000) for answered in range(3)] == [8193, 8192, 8192]


def test_a_proposal_is_capped_to_what_remains() -> None:
    assert DENSE(0, 5) == 5
    assert DENSE(4, 8191) == 8191
    assert listed([7])(0, 3) == 3


def test_listed_proposals_end_with_the_last_one_again_and_again() -> None:
    proposals = listed([3, 9, 4])
    assert [proposals(answered, 100) for answered in range(5)] == [3, 9, 4, 4, 4]


@pytest.mark.parametrize("wrong", [(0, 1), (1, 0), (-1, 8)])
def test_a_proposal_of_no_token_is_refused(wrong: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="at least 1 token"):
        budgeted(*wrong)
    with pytest.raises(ValueError, match="at least 1 token"):
        listed(wrong)


def test_a_list_of_no_proposals_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1 token"):
        listed([])


# The dispatcher.


@pytest.mark.parametrize(
    ("dispatch", "expected"),
    [
        ("two-pass", Dispatched((16, 40), None)),
        ("in-pass", Dispatched((40,), 16)),
        ("none", Dispatched((40,), None)),
    ],
)
def test_a_last_chunk_that_spans_the_split_point(dispatch: Dispatch, expected: Dispatched) -> None:
    assert dispatch_chunk(8, 40, 40, 16, dispatch) == expected


@pytest.mark.parametrize("dispatch", ["two-pass", "in-pass", "none"])
@pytest.mark.parametrize(
    ("offset", "end", "split"),
    [(16, 40, 16), (17, 40, 16), (0, 40, None), (0, 40, 40), (0, 39, 16), (0, 40, 0)],
)
def test_any_other_chunk_is_one_pass(
    dispatch: Dispatch, offset: int, end: int, split: int | None
) -> None:
    assert dispatch_chunk(offset, end, 40, split, dispatch) == Dispatched((end,), None)


def test_an_in_pass_capture_saves_what_the_second_pass_would() -> None:
    prompt = Prompt(total=8193, block_size=16, interval=16)
    two_pass = run_prompt(CURRENT, prompt, DENSE)
    in_pass = run_prompt(CURRENT, prompt, DENSE, "in-pass")
    assert two_pass.ends == [8176, 8193]
    assert in_pass.ends == [8193]
    assert in_pass.captures == [8176]
    assert in_pass.snapshots == two_pass.snapshots == [8176]


def test_a_path_that_never_splits_loses_the_snapshot() -> None:
    run = run_prompt(CURRENT, Prompt(total=8193, block_size=16, interval=16), DENSE, "none")
    assert run.ends == [8193]
    assert run.snapshots == []
    assert warm(run) == Restore(match=8192, restored=0, replayed=8193)


# Prompts of every kind.


@pytest.mark.parametrize("block_size", [None, 0])
def test_a_prompt_without_blocks_has_no_split_point_no_snapshot_and_no_match(
    block_size: int | None,
) -> None:
    run = run_prompt(CURRENT, replace(LONG, block_size=block_size), DENSE)
    assert run.split is None
    assert run.ends == [8192, 16_384, 24_576, 32_768, 32_772]
    assert run.snapshots == []
    assert warm(run) == Restore(0, 0, 32_772)


@pytest.mark.parametrize("total", [1, 16, 17, 32])
def test_a_prompt_too_short_to_split_is_one_pass(total: int) -> None:
    run = run_prompt(CURRENT, Prompt(total, 16, 16), DENSE)
    assert run.split is None
    assert run.ends == [total]


def test_an_empty_prompt_has_no_pass() -> None:
    run = run_prompt(CURRENT, Prompt(0, 16, 16), DENSE)
    assert (run.ends, run.answers, run.offset) == ([], 0, 0)


def test_a_run_that_starts_at_the_end_has_no_pass() -> None:
    assert run_prompt(CURRENT, Prompt(40, 16, 16, start=40), DENSE).ends == []


def test_a_restored_start_off_a_boundary_still_visits_the_split_point() -> None:
    run = run_prompt(CURRENT, replace(LONG, start=24_577), listed([4096]))
    assert run.ends == [28_669, 32_749, 32_752, 32_772]
    assert 32_752 in run.snapshots


def test_a_start_past_the_total_is_refused() -> None:
    with pytest.raises(ValueError, match="start 5 is past the total 4"):
        Prompt(4, 16, 16, start=5)


@pytest.mark.parametrize("field", ["total", "block_size", "interval", "start"])
def test_a_prompt_is_measured_in_usize(field: str) -> None:
    with pytest.raises(ValueError, match=f"{field} must be an int"):
        replace(LONG, **{field: -1})


# Runs that cannot go on.


def answering(length: int) -> Policy:
    """Return a policy whose every chunk has the same length."""
    return Policy("constant", lambda *_arguments: length)


def test_an_answer_of_no_token_stalls_the_run() -> None:
    run = run_prompt(answering(0), LONG, DENSE)
    assert run.stall is not None
    assert run.stall.message == (
        "at token 0 the planner answers 0 to a proposal of 8193: no progress"
    )
    assert (run.ends, run.answers) == ([], 1)


def test_an_answer_past_the_proposal_stalls_the_run() -> None:
    run = run_prompt(answering(8193), LONG, DENSE)
    assert run.ends == [8193]
    assert run.stall is not None
    assert run.stall.message == (
        "at token 8193 the planner answers 8193 to a proposal of 8192: past the proposal"
    )


@pytest.mark.parametrize("role", ["chunk_len", "split_point", "checkpoint"])
def test_a_planner_that_faults_stalls_the_run(role: str) -> None:
    def fault(*_arguments: object) -> int:
        raise ZeroDivisionError("a / 0")

    run = run_prompt(replace(CURRENT, **{role: fault}), LONG, DENSE)
    assert run.stall is not None
    assert run.stall.message == "the planner faults at token 0: a / 0"
    assert run.stall.answer is None


def test_a_prompt_of_2_to_the_60_takes_its_thousand_passes_at_once() -> None:
    started = time.perf_counter()
    run = run_prompt(CURRENT, Prompt(2**60, 16, 16), budgeted(2**50, 2**50))
    assert len(run.ends) == 1025
    assert warm(run).replayed == 32
    assert time.perf_counter() - started < 1


def test_a_run_of_too_many_answers_is_refused() -> None:
    with pytest.raises(TooManyAnswersError, match="more than 10 answers"):
        run_prompt(CURRENT, LONG, listed([64]), max_answers=10)


def test_as_many_answers_as_allowed_are_enough() -> None:
    assert run_prompt(answering(4), Prompt(40, 16, 0), listed([4]), max_answers=10).ends[-1] == 40


# Any run.


@st.composite
def prompts(draw: st.DrawFn) -> Prompt:
    block_size = draw(st.sampled_from([None, *BLOCK_SIZES]))
    base = draw(st.sampled_from([0, USIZE_MAX - 10_000]))
    total = base + draw(st.integers(0, 10_000))
    start = draw(st.integers(max(total - 10_000, 0), total))
    return Prompt(total, block_size, draw(st.integers(0, 5)), start)


@given(
    st.sampled_from([BEFORE, CURRENT]),
    prompts(),
    st.lists(st.integers(1, 5000), min_size=1, max_size=10).map(lambda them: [*them, 997]),
    st.sampled_from(["two-pass", "in-pass", "none"]),
)
def test_the_passes_tile_the_prompt(
    policy: Policy, prompt: Prompt, proposals: list[int], dispatch: Dispatch
) -> None:
    run = run_prompt(policy, prompt, listed(proposals), dispatch)
    assert run.stall is None
    assert [entry.start for entry in run.passes] == [prompt.start, *run.ends][: len(run.ends)]
    assert run.offset == prompt.total
    assert all(entry.length > 0 for entry in run.passes)
    assert len(run.passes) <= run.answers + 1
    assert prompt.total not in run.snapshots
