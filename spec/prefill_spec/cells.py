"""The conditions that a reviewer sorts the calls of a role by.

An *axis* is a list of cells, each a name and a condition on a call. Every call is in exactly one
cell of each axis: the first whose condition holds. The conditions run on ints and on terms.
"""

from collections.abc import Callable, Collection
from typing import Any, NamedTuple

from prefill_spec.calls import Call, CheckpointCall, ChunkCall, DepthCall, SplitCall, TailEndCall
from prefill_spec.properties import is_last, last_boundary_in_reach, reaches_boundary
from prefill_spec.vocabulary import (
    WY4,
    Formula,
    Term,
    all_of,
    divides,
    floor_to,
    is_tail_end,
    last_block_boundary,
    negate,
    quotient,
    remainder,
)


class Cell(NamedTuple):
    """One of the conditions of an axis: its name, that of its opposite, and a formula."""

    name: str
    opposite: str
    condition: Callable[[Any], Formula]


class Axis(NamedTuple):
    """Cells in order; the last one takes every call that is left."""

    cells: tuple[Cell, ...]

    def formulas(self, call: Call) -> list[Formula]:
        """Return for each cell whether the call is in it: exactly one holds."""
        found: list[Formula] = []
        left: Formula = True
        for cell in self.cells:
            condition = cell.condition(call)
            found.append(all_of(left, condition))
            left = all_of(left, negate(condition))
        return found


def name_of(names: list[tuple[str, str]], chosen: Collection[int]) -> str:
    """Return a name for some of the cells of an axis, from the name and opposite of each."""
    left = [opposite for cell, (_, opposite) in enumerate(names) if cell not in chosen]
    return left[0] if len(left) == 1 else " or ".join(names[cell][0] for cell in sorted(chosen))


def _rest(_call: Call) -> Formula:
    return True


def _token_is_on_boundary(call: Call, token: Term) -> Formula:
    size = call.block_size.value
    return all_of(size > 0, remainder(token, size) == 0)


def _total_is_on_boundary(call: Call) -> Formula:
    return _token_is_on_boundary(call, call.total)


BLOCK_SIZE = Axis(
    (
        Cell("no block size", "a block size", lambda call: negate(call.block_size.present)),
        Cell("block size 0", "no block size 0", lambda call: call.block_size.value == 0),
        Cell("a positive block size", "no block size or block size 0", _rest),
    )
)

TOTAL_ON_BOUNDARY = Axis(
    (
        Cell(
            "the total on a block boundary", "the total off the boundaries", _total_is_on_boundary
        ),
        Cell("the total off the boundaries", "the total on a block boundary", _rest),
    )
)


# Of chunk_len


def _is_split_inside(call: ChunkCall) -> Formula:
    return all_of(call.offset < call.split.value, call.split.value < call.proposed_end)


def _ends_on_boundary(call: ChunkCall) -> Formula:
    return call.proposed_end == last_boundary_in_reach(call)


CHUNK_AXES = (
    Axis(
        (
            Cell("an empty proposal", "a proposal", lambda call: call.proposed == 0),
            Cell("a last chunk", "an empty proposal or a chunk that is not last", is_last),
            Cell("a chunk that is not last", "an empty proposal or a last chunk", _rest),
        )
    ),
    Axis(
        (
            Cell("no split point", "a split point", lambda call: negate(call.split.present)),
            Cell(
                "a split point behind the offset",
                "no split point behind the offset",
                lambda call: call.split.value < call.offset,
            ),
            Cell(
                "a split point at the offset",
                "no split point at the offset",
                lambda call: call.split.value == call.offset,
            ),
            Cell(
                "a split point inside the chunk",
                "no split point inside the chunk",
                _is_split_inside,
            ),
            Cell(
                "a split point at or past the proposed end",
                "no split point at or past the proposed end",
                _rest,
            ),
        )
    ),
    BLOCK_SIZE,
    Axis(
        (
            Cell(
                "no block boundary in the chunk",
                "a block boundary in the chunk",
                lambda call: negate(reaches_boundary(call)),
            ),
            Cell(
                "the proposed end on a block boundary",
                "the proposed end off the boundaries",
                _ends_on_boundary,
            ),
            Cell(
                "a block boundary inside the chunk and the proposed end off the boundaries",
                "no block boundary in the chunk or the proposed end on one",
                _rest,
            ),
        )
    ),
    Axis(
        (
            Cell(
                "less than 4 tokens proposed",
                "at least 4 tokens proposed",
                lambda call: call.proposed < WY4,
            ),
            Cell(
                "a multiple of 4 tokens proposed",
                "no multiple of 4 tokens proposed",
                lambda call: divides(WY4, call.proposed),
            ),
            Cell(
                "more than 4 tokens and no multiple of 4 proposed",
                "less than 4 tokens or a multiple of 4 proposed",
                _rest,
            ),
        )
    ),
    Axis(
        (
            Cell(
                "the offset on a block boundary",
                "the offset off the boundaries",
                lambda call: _token_is_on_boundary(call, call.offset),
            ),
            Cell("the offset off the boundaries", "the offset on a block boundary", _rest),
        )
    ),
    Axis(
        (
            Cell(
                "a block size that is no multiple of 4",
                "no block size but multiples of 4",
                lambda call: negate(divides(WY4, call.block_size.value)),
            ),
            Cell(
                "no block size but multiples of 4", "a block size that is no multiple of 4", _rest
            ),
        )
    ),
)


# Of split_point


def _has_at_most(call: SplitCall, blocks: int) -> Formula:
    return call.total <= blocks * call.block_size.value


SPLIT_AXES = (
    BLOCK_SIZE,
    Axis(
        (
            Cell(
                "a prompt of at most a block",
                "a prompt of more than a block",
                lambda call: _has_at_most(call, 1),
            ),
            Cell(
                "a prompt of more than a block and at most two",
                "a prompt of at most a block or more than two",
                lambda call: _has_at_most(call, 2),
            ),
            Cell("a prompt of more than two blocks", "a prompt of at most two blocks", _rest),
        )
    ),
    TOTAL_ON_BOUNDARY,
)


# Of tail_end and checkpoint


def _is_last_boundary(call: TailEndCall | CheckpointCall) -> Formula:
    size = call.block_size.value
    return all_of(size > 0, call.end_token == last_block_boundary(call.total, size))


def _is_tail_end(call: TailEndCall | CheckpointCall) -> Formula:
    return is_tail_end(call.end_token, call.total, call.block_size.value)


END = Axis(
    (
        Cell(
            "an end on the last block boundary",
            "no end on the last block boundary",
            _is_last_boundary,
        ),
        Cell(
            "an end one block below the last boundary",
            "no end one block below the last boundary",
            _is_tail_end,
        ),
        Cell(
            "an end on another block boundary",
            "a prompt-tail end or an end off the boundaries",
            lambda call: _token_is_on_boundary(call, call.end_token),
        ),
        Cell("an end off the boundaries", "an end on a block boundary", _rest),
    )
)

TAIL_END_AXES = (
    BLOCK_SIZE,
    END,
    Axis(
        (
            Cell(
                "an end past the total",
                "an end at most at the total",
                lambda call: call.end_token > call.total,
            ),
            Cell("an end at most at the total", "an end past the total", _rest),
        )
    ),
    TOTAL_ON_BOUNDARY,
)


def _is_in_block_0(call: CheckpointCall) -> Formula:
    return call.end_token < call.block_size.value


def _is_on_interval(call: CheckpointCall) -> Formula:
    size = call.block_size.value
    return all_of(size > 0, remainder(quotient(call.end_token, size), call.interval) == 0)


CHECKPOINT_AXES = (
    BLOCK_SIZE,
    Axis(
        (
            Cell("an end in block 0", "no end in block 0", _is_in_block_0),
            Cell("no end in block 0", "an end in block 0", _rest),
        )
    ),
    END,
    Axis(
        (
            Cell("interval 0", "a positive interval", lambda call: call.interval == 0),
            Cell("an end on the interval", "interval 0 or an end off it", _is_on_interval),
            Cell("an end off the interval", "interval 0 or an end on it", _rest),
        )
    ),
    TOTAL_ON_BOUNDARY,
)


def _crosses_boundary(call: DepthCall) -> Formula:
    size = call.block_size.value
    return all_of(size > 0, floor_to(call.prefix + call.length, size) > call.prefix)


DEPTH_AXES = (
    BLOCK_SIZE,
    Axis(
        (
            Cell("a boundary past the prefix", "no boundary past the prefix", _crosses_boundary),
            Cell("no boundary past the prefix", "a boundary past the prefix", _rest),
        )
    ),
    Axis(
        (
            Cell(
                "a pass to the end of the prompt",
                "a pass before the end of the prompt",
                lambda call: call.prefix + call.length == call.total,
            ),
            Cell("a pass before the end of the prompt", "a pass to the end of the prompt", _rest),
        )
    ),
    Axis(
        (
            Cell(
                "a prefix on a boundary",
                "a prefix off the boundaries",
                lambda call: _token_is_on_boundary(call, call.prefix),
            ),
            Cell("a prefix off the boundaries", "a prefix on a boundary", _rest),
        )
    ),
    TOTAL_ON_BOUNDARY,
)

AXES: dict[str, tuple[Axis, ...]] = {
    "chunk_len": CHUNK_AXES,
    "split_point": SPLIT_AXES,
    "tail_end": TAIL_END_AXES,
    "checkpoint": CHECKPOINT_AXES,
    "snapshot_depth": DEPTH_AXES,
}
"""The axes of each role; every call of the role is in one cell of each."""
