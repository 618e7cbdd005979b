"""Many calls performed on ints: what a change map is first drawn from, and what catches mutants.

Nothing rests on them but how soon something is found: whatever is said is proved, or has a witness.
"""

import random
from collections.abc import Iterator
from typing import Any

from prefill_proofs.pairs import Pair, is_call_of_both
from prefill_proofs.subjects import Subject, is_scheduled
from prefill_proofs.types import BoolType, IntType, OptionType, TupleType, Type
from prefill_proofs.witnesses import Witness
from prefill_spec.vocabulary import USIZE_MAX

BLOCK_SIZES = (16, 16, 16, 4, 8, 6, 5, 3, 2, 1, 0)
"""Block sizes, the more readable ones more often."""

SAMPLES = 500
"""So many calls are performed."""

EXTREME = 4
"""One call of a planner in so many has numbers at the end of their range."""

DRAWS = 8
"""So many calls are drawn for each that is performed: most are outside the domain."""


def samples(pair: Pair) -> Iterator[Witness]:
    """Yield calls of both, the same ones each time."""
    draw = random.Random(0)
    sizes = {entry.name: entry.type for entry in pair.inputs}[pair.block_size_input]
    choices = (*BLOCK_SIZES, None) if isinstance(sizes, OptionType) else BLOCK_SIZES
    left = SAMPLES
    for _ in range(SAMPLES * DRAWS):
        size = draw.choice(choices)
        values = {entry.name: _draw(draw, entry.type, size or 4) for entry in pair.inputs}
        values[pair.block_size_input] = size
        run = pair.run(values)
        if is_call_of_both(run):
            yield Witness(values, run)
            left -= 1
        if left == 0:
            return


def sampled_calls(subject: Subject) -> Iterator[Witness]:
    """Yield scheduled calls of one planner, the same ones each time: small and extreme ones."""
    draw = random.Random(0)
    block_size = subject.block_size_input
    left = SAMPLES
    for index in range(SAMPLES * DRAWS):
        size = draw.choice(BLOCK_SIZES)
        is_extreme = index % EXTREME == 0
        values = {
            entry.name: _draw_extreme(draw, entry.type, size or 4)
            if is_extreme
            else size
            if entry.name == block_size and draw.random() < 0.9
            else _draw(draw, entry.type, size or 4)
            for entry in subject.inputs
        }
        run = subject.run(values)
        if run.is_assumed and is_scheduled(run.call) is True:
            yield Witness(values, run)
            left -= 1
        if left == 0:
            return


def _draw_extreme(draw: random.Random, kind: Type, size: int) -> Any:
    """Return a value of a type, every other number at the end of its range."""
    match kind:
        case IntType(_, highest) if draw.random() < 0.5:
            return (USIZE_MAX if highest is None else highest) - draw.randrange(4)
        case OptionType(inner) if draw.random() < 0.8:
            return _draw_extreme(draw, inner, size)
    return _draw(draw, kind, size)


def _draw(draw: random.Random, kind: Type, size: int) -> Any:
    """Return a value of a type, its numbers often at a multiple of ``size`` or beside one."""
    match kind:
        case IntType(_, highest):
            near = draw.randrange(6) * size + draw.choice(
                (0, 0, 0, -1, 1, draw.randrange(size + 1))
            )
            return min(max(near, 0), USIZE_MAX if highest is None else highest)
        case BoolType():
            return draw.random() < 0.5
        case OptionType(inner):
            return None if draw.random() < 0.2 else _draw(draw, inner, size)
        case TupleType(items):
            return tuple(_draw(draw, item, size) for item in items)
    return None
