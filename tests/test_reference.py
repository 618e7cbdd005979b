"""Known values and edges of the Python reference."""

import pytest

from prefill_reference.planner import (
    is_checkpoint_chunk_end,
    is_prompt_tail_end,
    plan_chunk_len,
    ssm_tail_boundary,
    tail_split_point,
)
from prefill_spec.vocabulary import USIZE_MAX


@pytest.mark.parametrize(
    ("total", "block_size", "boundary"),
    [
        (0, 0, None),
        (100, 0, None),
        (0, 16, None),
        (1, 1, None),
        (2, 1, 1),
        (16, 16, None),
        (17, 16, 16),
        (32, 16, 16),
        (33, 16, 32),
        (USIZE_MAX, 1, USIZE_MAX - 1),
        (USIZE_MAX, USIZE_MAX - 1, USIZE_MAX - 1),
        (USIZE_MAX, USIZE_MAX, None),
    ],
)
def test_the_tail_boundary_is_the_last_one_strictly_under_the_total(
    total: int, block_size: int, boundary: int | None
) -> None:
    assert ssm_tail_boundary(total, block_size) == boundary


@pytest.mark.parametrize(
    ("total", "block_size", "split"),
    [
        (32772, 16, 32752),
        (32768, 16, 32736),
        (32, 16, None),
        (33, 16, 16),
        (48, 16, 16),
        (49, 16, 32),
        (100, 0, None),
        (0, 16, None),
        (2, 1, None),
        (3, 1, 1),
        (USIZE_MAX, 1, USIZE_MAX - 2),
        (USIZE_MAX, 2**63 - 1, 2**63 - 1),
        (USIZE_MAX, 2**63, None),
    ],
)
def test_the_split_point_is_one_block_below_the_last_boundary(
    total: int, block_size: int, split: int | None
) -> None:
    assert tail_split_point(total, block_size) == split


@pytest.mark.parametrize(
    ("offset", "total", "proposed", "block_size", "split", "length"),
    [
        (0, 32772, 8193, 16, 32752, 8192),
        (24576, 32772, 8192, 16, 32752, 8176),
        (0, 100, 10, 16, None, 8),
        (0, 100, 3, 16, None, 3),
        (0, 100, 4, 16, None, 4),
        (8193, 32772, 8191, None, None, 8188),
        (8193, 32772, 8191, 0, None, 8188),
    ],
)
def test_a_chunk_that_is_not_last_ends_on_the_grid_and_at_the_split(
    offset: int, total: int, proposed: int, block_size: int | None, split: int | None, length: int
) -> None:
    assert plan_chunk_len(offset, total, proposed, block_size, split) == length


@pytest.mark.parametrize(
    ("offset", "total", "proposed"),
    [(0, 300, 300), (8192, 8195, 3), (0, 1, 1), (299, 300, 5), (0, USIZE_MAX, USIZE_MAX)],
)
def test_a_last_chunk_is_returned_unchanged(offset: int, total: int, proposed: int) -> None:
    assert plan_chunk_len(offset, total, proposed, 16, 272) == proposed


def test_an_empty_proposal_gives_an_empty_chunk() -> None:
    assert plan_chunk_len(0, 100, 0, 16, None) == 0
    assert plan_chunk_len(USIZE_MAX, USIZE_MAX, 0, 16, None) == 0


def test_a_chunk_that_starts_at_the_split_point_is_not_stopped_by_it() -> None:
    assert plan_chunk_len(16, 100, 32, 16, 16) == 32
    assert plan_chunk_len(15, 100, 33, 16, 16) == 1


def test_a_chunk_may_end_at_the_far_edge_of_usize() -> None:
    assert plan_chunk_len(USIZE_MAX - 9, USIZE_MAX, 8, 1, None) == 8


def test_a_proposed_end_past_usize_is_an_overflow() -> None:
    with pytest.raises(OverflowError, match=rf"^offset \+ proposed leaves usize: {2**64}$"):
        plan_chunk_len(USIZE_MAX, USIZE_MAX, 1, None, None)


@pytest.mark.parametrize(
    ("end_token", "total", "block_size", "interval", "saves"),
    [
        (32768, 32772, 16, 0, True),
        (32752, 32772, 16, 0, True),
        (32736, 32772, 16, 0, False),
        (32736, 32772, 16, 3, True),
        (32736, 32772, 16, 4, False),
        (8192, 32772, 0, 16, False),
        (0, 10, 16, 1, False),
        (15, 32772, 16, 1, False),
        (16, 32772, 16, 1, True),
        (33, 1000, 16, 2, True),
        (USIZE_MAX, USIZE_MAX, 1, 1, True),
    ],
)
def test_an_end_saves_at_the_tail_or_on_the_interval_but_never_in_block_0(
    end_token: int, total: int, block_size: int, interval: int, saves: bool
) -> None:
    assert is_checkpoint_chunk_end(end_token, total, block_size, interval) is saves


@pytest.mark.parametrize(
    ("end_token", "total", "block_size", "is_tail"),
    [
        (32768, 32772, 16, True),
        (32752, 32772, 16, True),
        (32736, 32772, 16, False),
        (32512, 32772, 16, False),
        (0, 10, 16, True),
        (0, 0, 16, True),
        (16, 0, 16, False),
        (0, 0, 0, False),
        (16, 32, 16, True),
        (0, 32, 16, True),
        (32, 32, 16, False),
        (USIZE_MAX - 1, USIZE_MAX, 1, True),
    ],
)
def test_a_tail_end_is_one_of_the_two_places_where_a_match_lands(
    end_token: int, total: int, block_size: int, is_tail: bool
) -> None:
    assert is_prompt_tail_end(end_token, total, block_size) is is_tail


FUNCTIONS = {
    ssm_tail_boundary: ("total", "block_size"),
    tail_split_point: ("total", "block_size"),
    plan_chunk_len: ("offset", "total", "proposed", "block_size", "split"),
    is_checkpoint_chunk_end: ("end_token", "total", "block_size", "interval"),
    is_prompt_tail_end: ("end_token", "total", "block_size"),
}


@pytest.mark.parametrize("value", [True, False, 1.0, -1, 2**64, "1"], ids=repr)
@pytest.mark.parametrize(
    ("function", "argument"),
    [(function, name) for function, names in FUNCTIONS.items() for name in names],
    ids=lambda part: part if isinstance(part, str) else part.__name__,
)
def test_an_argument_that_is_no_usize_is_refused_by_name(function, argument, value) -> None:
    arguments = dict.fromkeys(FUNCTIONS[function], 1) | {argument: value}
    with pytest.raises(ValueError, match=rf"^{argument} must be an int in .*, not {value!r}$"):
        function(**arguments)
