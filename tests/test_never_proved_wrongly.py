"""Every small input of every planner: what is proved holds there, and witnesses reproduce."""

import random
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from prefill_gate.sources import PlannerFile, roles_of
from prefill_proofs.prover import prove
from prefill_proofs.role_config import PlannerConfig
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BoolType, Input, OptionType
from prefill_proofs.witnesses import is_refuted_by
from prefill_spec.properties import properties_of

PLANNERS = Path(__file__).parent / "planners"

VALUES: dict[str, tuple[int, ...]] = {
    "total": tuple(range(11)),
    "offset": tuple(range(10)),
    "proposed": tuple(range(11)),
    "block_size": (0, 1, 3, 4, 5),
    "split": tuple(range(9)),
    "end_token": tuple(range(11)),
    "interval": (0, 1, 2, 3),
}
"""What is tried for an input, by the last part of its name; any other input is tried with 0 and 7.
Three blocks, two steps of 4 and both sides of either fit in."""

SOME_INPUTS = 200


class Edit(NamedTuple):
    """One line of a planner edited, and a property that the edit breaks."""

    planner: str
    before: str
    after: str
    breaks: str


EDITS = [
    Edit("options", "boundary > offset", "boundary >= offset", "chunk-length"),
    Edit("options", "offset < at && at < grid", "offset < at && at <= grid + 1", "chunk-grid"),
    Edit("options", "end >= total", "end > total", "chunk-last"),
    Edit("options", "length / STEP * STEP", "length", "chunk-wy4"),
    Edit("options", "total.checked_sub(1)?", "Some(total)?", "split-restorable"),
    Edit("matching", "(blocks - 1) * size", "(blocks - 2) * size", "split-aligned"),
    Edit("matching", "(0, _) => return 0", "(0, _) => return 1", "chunk-empty"),
    Edit("matching", "index % every == 0", "index % every == 1", "snapshot-interval"),
    Edit(
        "matching", "(size, _, true) => end_token >= size", "(_, _, true) => true", "snapshot-never"
    ),
    Edit("masks_and_shifts", "const MASK: usize = !3", "const MASK: usize = !7", "chunk-length"),
    Edit("masks_and_shifts", "(at > offset)", "(at >= offset)", "chunk-length"),
    Edit("modules", "at < stop", "at > stop", "chunk-split-stop"),
    Edit("modules", "floor(end, size) > offset", "floor(end, size) > offset + 1", "chunk-grid"),
    Edit("modules", "Some(last - block_size)", "Some(last - block_size - 1)", "split-aligned"),
    Edit("closures", "token.min(grid)", "token.max(grid)", "chunk-split-stop"),
    Edit("closures", "0..4 => length", "0..6 => length", "chunk-wy4"),
    Edit("tuples", "low < at && at < high", "low < at", "chunk-length"),
    Edit("tuples", "if last >= size", "if last > size", "tail-end"),
    Edit("rounding", "end.div_ceil(size) - 1", "end.div_ceil(size)", "chunk-length"),
    Edit("early_returns", "if split == 0", "if split == 1", "split-aligned"),
    Edit("early_returns", "total.max(1)", "total", "snapshot-interval"),
    Edit("shadowing", "rest %= 4", "rest %= 2", "chunk-wy4"),
    Edit("checked", "boundary > offset", "boundary + 1 > offset", "chunk-length"),
]


def subjects_of(name: str, content: str) -> list[SourceSubject]:
    roles = roles_of(PlannerFile(f"{name}.rs", content.encode(), None), PlannerConfig())
    assert roles.errors == []
    return roles.subjects


def tried(entry: Input) -> list[Any]:
    if isinstance(entry.type, BoolType):
        return [False, True]
    found: list[Any] = list(VALUES.get(entry.name.rpartition(".")[2].lstrip("_"), (0, 7)))
    return [None, *found] if isinstance(entry.type, OptionType) else found


def small_inputs(subject: SourceSubject, count: int | None) -> Iterator[dict[str, Any]]:
    """Yield every combination of small inputs in the domain, or ``count`` of them."""
    names = [entry.name for entry in subject.inputs]
    every = [
        dict(zip(names, values, strict=True))
        for values in product(*map(tried, subject.inputs))
        if subject.role != "chunk_len" or is_scheduled(dict(zip(names, values, strict=True)))
    ]
    yield from every if count is None else random.Random(1).sample(every, min(count, len(every)))


def is_scheduled(values: dict[str, Any]) -> bool:
    return bool(values["offset"] + values["proposed"] <= values["total"])


def require_true_verdicts(subject: SourceSubject, count: int | None) -> set[str]:
    """Hold the verdicts of a subject against runs on ints; return the ids of those refuted."""
    verdicts = prove(subject, properties_of(subject.role))
    proved = [entry.property for entry in verdicts if entry.verdict == "proved"]
    for values in small_inputs(subject, count):
        run = subject.run(values)
        for entry in proved:
            assert not is_refuted_by(entry, run), f"{entry.id} is proved, and fails at {values}"
    refuted = [entry for entry in verdicts if entry.verdict == "refuted"]
    for verdict in refuted:
        assert verdict.witness is not None
        assert is_refuted_by(verdict.property, subject.run(verdict.witness.values))
    assert len(proved) + len(refuted) == len(verdicts), "a property is inconclusive"
    return {verdict.property.id for verdict in refuted}


@pytest.fixture
def input_count(request: pytest.FixtureRequest) -> int | None:
    return None if request.config.getoption("--many") else SOME_INPUTS


@pytest.mark.parametrize("path", sorted(PLANNERS.glob("*.rs")), ids=lambda path: path.stem)
def test_no_small_input_breaks_what_is_proved(path: Path, input_count: int | None) -> None:
    for subject in subjects_of(path.stem, path.read_text()):
        require_true_verdicts(subject, input_count)


@pytest.mark.parametrize("edit", EDITS, ids=lambda edit: f"{edit.planner}: {edit.after}")
def test_a_mistake_of_one_line_is_refuted_and_nothing_else_wrongly_proved(
    edit: Edit, input_count: int | None
) -> None:
    content = (PLANNERS / f"{edit.planner}.rs").read_text()
    assert content.count(edit.before) >= 1
    subjects = subjects_of(edit.planner, content.replace(edit.before, edit.after, 1))
    (subject,) = (
        entry
        for entry in subjects
        if any(found.id == edit.breaks for found in properties_of(entry.role))
    )
    assert edit.breaks in require_true_verdicts(subject, input_count)
