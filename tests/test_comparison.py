"""Two planners are equal exactly when no call tells them apart, and the map says where one does."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from compared import REFERENCE, pair_of, require_true, roles_in, small_calls
from prefill_proofs import change_map
from prefill_proofs.comparison import compare
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.pairs import CHANGE, Pair
from prefill_proofs.prover import ContradictionError, prove, solver_of
from prefill_proofs.role_config import PlannerConfig, RoleConfig
from prefill_proofs.subjects import formulate
from prefill_spec.properties import properties_of

ROLES = list(ENCODINGS)
"""The roles that the shipped planner has."""

PLANNERS = Path(__file__).parent / "planners"

FLIPS = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}


def flipped() -> Iterator[tuple[str, str]]:
    """Yield the reference with one comparison flipped, after a name for the flip."""
    for found in re.finditer(r" (<=|>=|==|!=|<|>) ", REFERENCE):
        line = REFERENCE.count("\n", 0, found.start()) + 1
        for other in FLIPS[found[1]]:
            text = f"{REFERENCE[: found.start(1)]}{other}{REFERENCE[found.end(1) :]}"
            yield f"line {line}: {found[1]} to {other}", text


FLIPPED = dict(flipped())


@pytest.mark.parametrize("role", ROLES)
def test_a_planner_is_equal_to_itself(role: str) -> None:
    assert compare(*_sides(role, REFERENCE, REFERENCE)).verdict == "equal"


def test_there_are_many_comparisons() -> None:
    assert len(FLIPPED) >= 19


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.many] * (number % 3 > 0))
        for number, name in enumerate(FLIPPED)
    ],
)
def test_a_flipped_comparison_is_mapped_as_it_is(name: str) -> None:
    verdicts = []
    for role in ROLES:
        pair = pair_of(role, REFERENCE, FLIPPED[name])
        found = compare(pair.base, pair.head)
        step = 1 if found.verdict == "differs" else 13
        require_true(found, list(small_calls(pair, step)))
        verdicts.append(found.verdict)
    assert len([verdict for verdict in verdicts if verdict == "equal"]) >= 1


@pytest.mark.parametrize("path", sorted(PLANNERS.glob("*.rs")), ids=lambda path: path.stem)
def test_a_refactoring_is_equal_exactly_when_it_keeps_the_contract(path: Path) -> None:
    base, head = roles_in(REFERENCE), roles_in(path.read_text())
    for subject in head.subjects:
        wanted = [entry for entry in properties_of(subject.role) if entry.level == "deny"]
        keeps = all(found.verdict == "proved" for found in prove(subject, wanted))
        one = base.subject(subject.role)
        assert one is not None
        found = compare(one, subject)
        assert (found.verdict == "equal") == (keeps or bool(subject.missing)), subject.role
        if found.verdict == "differs":
            assert found.map is not None
            assert len(found.map.cells) <= 12


# The map, where nothing but the solver tells it apart

MINIMUM_ROWS = (
    REFERENCE.replace(
        "split => Some(split),",
        "split => { let kept = total.checked_sub(min_rows())? / block_size * block_size;"
        " let cut = split.min(kept); (cut > 0).then_some(cut) }",
    )
    + '\npub fn min_rows() -> usize { std::env::var("ROWS").unwrap().parse().unwrap() }\n'
)


@pytest.mark.parametrize("has_samples", [True, False])
def test_each_query_of_a_map_can_fail(monkeypatch: pytest.MonkeyPatch, has_samples: bool) -> None:
    # Without samples, whatever the first drafts of the map claim has to be contradicted.
    if not has_samples:
        monkeypatch.setattr(change_map, "samples", lambda _pair: ())
    asked: list[tuple[bool | None, bool | None]] = []
    proves_none = change_map._Drawing.proves_none

    def recorded(self, region, changed, is_late):
        found = proves_none(self, region, changed, is_late)
        asked.append((changed, found))
        return found

    monkeypatch.setattr(change_map._Drawing, "proves_none", recorded)
    for name in ("line 11: <= to >", "line 69: > to >=", "line 78: == to !="):
        for role in ("split_point", "tail_end", "checkpoint"):
            pair = pair_of(role, REFERENCE, FLIPPED[name])
            require_true(compare(pair.base, pair.head), list(small_calls(pair)))
    assert {(None, True), (True, True), (False, True)} <= set(asked)
    if not has_samples:
        assert {(None, None), (True, None), (False, None)} <= set(asked)


@pytest.mark.parametrize("has_samples", [True, False])
def test_nothing_changes_where_an_unknown_constant_is_small(
    monkeypatch: pytest.MonkeyPatch, has_samples: bool
) -> None:
    if not has_samples:
        monkeypatch.setattr(change_map, "samples", lambda _pair: ())
    pair = pair_of("split_point", REFERENCE, MINIMUM_ROWS)
    found = compare(pair.base, pair.head)
    require_true(found, list(small_calls(pair)))
    assert found.map is not None
    (entry,) = found.map.unaffected
    assert entry.condition.name == "min_rows <= block_size + 1"
    assert entry.beyond is not None
    assert entry.beyond.values["min_rows"] == entry.beyond.values["block_size"] + 2


# What is the same call

GIVES = "pub fn plan_chunk_len(offset: usize, total: usize, proposed: usize"


def test_what_has_one_name_and_type_is_one_input() -> None:
    base = f"{GIVES}, cap: usize) -> usize {{ proposed.min(cap) }}"
    same = f"{GIVES}, cap: usize) -> usize {{ if cap < proposed {{ cap }} else {{ proposed }} }}"
    other = f"{GIVES}, cap: u64) -> usize {{ proposed.min(cap as usize) }}"
    assert compare(*_sides("chunk_len", base, same)).verdict == "equal"
    found = compare(*_sides("chunk_len", base, other))
    assert found.verdict == "differs"
    assert [entry.name for entry in found.pair.further] == ["cap (base)", "cap (head)"]


def test_a_planner_without_blocks_is_called_whatever_they_are() -> None:
    base = f"{GIVES}, block_size: Option<usize>) -> usize {{ block_size.unwrap_or(proposed) }}"
    found = compare(*_sides("chunk_len", base, f"{GIVES}) -> usize {{ proposed }}"))
    require_true(found, list(small_calls(found.pair)))
    assert found.witness is not None
    assert found.witness.values["block_size"] is not None


def test_an_absent_block_size_is_0_to_a_side_that_takes_a_number() -> None:
    base = f"{GIVES}, block_size: Option<usize>) -> usize {{ block_size.unwrap_or(0) }}"
    one = f"{GIVES}, block_size: usize) -> usize {{ block_size }}"
    assert compare(*_sides("chunk_len", base, one)).verdict == "equal"
    assert compare(*_sides("chunk_len", one, base)).verdict == "equal"


def test_a_split_point_that_one_side_takes_as_a_number_is_there() -> None:
    base = f"{GIVES}, split: Option<usize>) -> usize {{ split.unwrap_or(7) }}"
    head = f"{GIVES}, split: usize) -> usize {{ split }}"
    assert compare(*_sides("chunk_len", base, head)).verdict == "equal"


def test_both_sides_are_called_with_what_fits_in_the_narrower_type() -> None:
    base = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {"
    head = "pub fn tail_split_point(total: u8, block_size: usize) -> Option<usize> {"
    found = compare(
        *_sides(
            "split_point",
            f"{base} (total < 300).then_some(block_size) }}",
            f"{head} Some(block_size) }}",
        )
    )
    assert found.verdict == "equal"


def test_an_expression_of_the_configuration_is_the_shared_argument() -> None:
    base = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {"
    head = "pub fn tail_split_point(total: usize, pages: usize) -> Option<usize> {"
    config = PlannerConfig({"split_point": RoleConfig(fields={"block_size": "pages * 2"})})
    pair = pair_of(
        "split_point", f"{base} Some(block_size / 2) }}", f"{head} Some(pages) }}", config
    )
    found = compare(pair.base, pair.head)
    assert found.verdict == "equal"
    wrong = pair_of("split_point", f"{base} Some(block_size) }}", f"{head} Some(pages) }}", config)
    require_true(compare(wrong.base, wrong.head), list(small_calls(wrong)))


def test_a_fault_on_either_side_or_on_both_is_a_difference() -> None:
    faults = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> {" + (
        " Some(total / block_size) }"
    )
    sound = faults.replace("total / block_size", "total.checked_div(block_size)?")
    for base, head in ((faults, sound), (sound, faults), (faults, faults)):
        found = compare(*_sides("split_point", base, head))
        require_true(found, list(small_calls(found.pair)))
        assert found.witness is not None
        assert found.witness.values["block_size"] == 0


def test_assumptions_that_leave_no_call_of_both_contradict_each_other() -> None:
    text = "pub fn tail_split_point(total: usize, block_size: usize) -> Option<usize> { None }"
    config = PlannerConfig({"split_point": RoleConfig(assume=("total > 7",))})
    other = PlannerConfig({"split_point": RoleConfig(assume=("total < 7",))})
    one = roles_in(text, config).subject("split_point")
    two = roles_in(text, other).subject("split_point")
    assert one is not None
    assert two is not None
    assert compare(one, one).verdict == "equal"
    with pytest.raises(ContradictionError):
        compare(one, two)


@pytest.mark.parametrize("role", ROLES)
def test_the_hypotheses_of_a_pair_can_hold(role: str) -> None:
    pair = pair_of(role, REFERENCE, REFERENCE)
    problem = formulate(pair)
    CHANGE.formulas(problem)
    assert solver_of(pair, problem).decide().result == "sat"


def _sides(role: str, base: str, head: str):
    pair: Pair = pair_of(role, base, head)
    return pair.base, pair.head
