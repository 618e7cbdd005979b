"""Pairs of planners from source text, and every small call of both."""

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path
from typing import Any

from prefill_gate.sources import PlannerFile, roles_of
from prefill_proofs.comparison import Comparison
from prefill_proofs.pairs import Pair, is_call_of_both, is_changed
from prefill_proofs.role_config import PlannerConfig
from prefill_proofs.roles import Roles
from prefill_proofs.types import BoolType, OptionType
from prefill_proofs.witnesses import Witness

REFERENCE = (Path(__file__).parents[1] / "reference" / "rust" / "prefill_plan.rs").read_text()

SMALL: dict[str, tuple[int, ...]] = {
    "total": tuple(range(9)),
    "offset": tuple(range(8)),
    "proposed": tuple(range(7)),
    "block_size": (0, 1, 2, 3, 4),
    "split": (0, 1, 2, 4, 5, 7),
    "end_token": tuple(range(10)),
    "interval": (0, 1, 2, 3),
}
"""What is tried for an argument; a further input is tried with 0 to 6."""


def roles_in(text: str, config: PlannerConfig | None = None) -> Roles:
    """Read the roles of a Rust text."""
    roles = roles_of(PlannerFile("planner.rs", text.encode(), None), config or PlannerConfig())
    assert not roles.errors, roles.errors[0].shown()
    return roles


def pair_of(role: str, base: str, head: str, config: PlannerConfig | None = None) -> Pair:
    """Return the pair of two Rust texts in a role; the configuration is that of the head."""
    one, other = roles_in(base).subject(role), roles_in(head, config).subject(role)
    assert one is not None
    assert other is not None
    return Pair(one, other)


def small_calls(pair: Pair, step: int = 1) -> Iterator[Witness]:
    """Yield every small call of both, performed, or one in ``step`` of them."""
    choices: list[tuple[Any, ...]] = []
    for entry in pair.inputs:
        found: tuple[Any, ...] = SMALL.get(entry.name, tuple(range(7)))
        if isinstance(entry.type, BoolType):
            found = (False, True)
        if isinstance(entry.type, OptionType):
            found = (None, *found)
        choices.append(found)
    names = [entry.name for entry in pair.inputs]
    for numbers in islice(product(*choices), 0, None, step):
        values = dict(zip(names, numbers, strict=True))
        run = pair.run(values)
        if is_call_of_both(run):
            yield Witness(values, run)


def require_true(found: Comparison, calls: list[Witness]) -> None:
    """Require that a comparison says nothing that a call contradicts."""
    changed = [call for call in calls if is_changed(call.run.answer) is True]
    if found.verdict == "equal":
        assert changed == []
        return
    assert found.verdict == "differs"
    assert found.witness is not None
    assert found.map is not None
    again = found.pair.run(found.witness.values)
    assert is_call_of_both(again)
    assert is_changed(again.answer) is True
    for entry in found.map.unaffected:
        for call in changed:
            assert entry.condition.formula(call.run.call, call.values) is False
    for call in calls:
        inside = [cell for cell in found.map.cells if cell.contains(call)]
        assert len(inside) == 1, call.values
        is_different = is_changed(call.run.answer) is True
        assert inside[0].extent != ("nowhere" if is_different else "everywhere"), call.values
    for cell in found.map.cells:
        assert cell.extent != "unknown"
        if cell.extent == "nowhere":
            assert cell.witness is None
            continue
        assert cell.witness is not None
        assert cell.contains(cell.witness)
        assert is_changed(found.pair.run(cell.witness.values).answer) is True
