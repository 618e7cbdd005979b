"""Every call is in one cell of each axis, on ints and as formulas, and has words for a change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compared import REFERENCE, pair_of, small_calls
from prefill_proofs.solver import Solver
from prefill_proofs.subjects import REFERENCE as SUBJECTS
from prefill_proofs.subjects import formulate
from prefill_spec.calls import CALLS, CheckpointCall, ChunkCall, SplitCall, TailEndCall
from prefill_spec.cells import AXES, name_of
from prefill_spec.changes import Reply, change
from prefill_spec.strategies import calls_of
from prefill_spec.vocabulary import all_of, negate, option_of

EVERY_ROLE = (
    REFERENCE
    + """
pub fn snapshot_depth(
    prefix: usize, length: usize, total: usize, block_size: usize,
) -> Option<usize> {
    (prefix + length < total).then_some(prefix + length - block_size)
}
"""
)
"""The reference, with a function for the role that it has not."""


@pytest.mark.parametrize("role", CALLS)
@given(data=st.data())
def test_every_call_is_in_exactly_one_cell_of_each_axis(role: str, data: st.DataObject) -> None:
    call = data.draw(calls_of(role))
    for axis in AXES[role]:
        found = axis.formulas(call)
        assert all(type(formula) is bool for formula in found)
        assert found.count(True) == 1


@pytest.mark.parametrize("role", CALLS)
def test_every_cell_has_small_calls(role: str) -> None:
    found = {
        (number, axis.formulas(call.run.call).index(True))
        for call in small_calls(pair_of(role, EVERY_ROLE, EVERY_ROLE))
        for number, axis in enumerate(AXES[role])
    }
    everything = {
        (number, cell) for number, axis in enumerate(AXES[role]) for cell in range(len(axis.cells))
    }
    # The other roles take a block size that is always there, in this planner.
    assert everything - found <= ({(0, 0)} if role != "chunk_len" else set())


@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda subject: subject.role)
def test_a_cell_means_the_same_as_a_formula(subject) -> None:
    # Pinned to one call, the formula of a cell can hold exactly when the call is in it.
    pair = pair_of(subject.role, REFERENCE, REFERENCE)
    for witness in list(small_calls(pair, 97))[:40]:
        problem = formulate(pair, dict(witness.values))
        for axis in AXES[subject.role]:
            on_ints = axis.formulas(witness.run.call)
            for formula, expected in zip(axis.formulas(problem.call), on_ints, strict=True):
                wrong = negate(formula) if expected else formula
                solver = Solver([*problem.hypotheses, *problem.algebra.definitions])
                assert solver.decide(all_of(wrong)).result == "unsat"


@pytest.mark.parametrize("role", CALLS)
def test_every_cell_has_a_name_and_an_opposite_of_its_own(role: str) -> None:
    for axis in AXES[role]:
        names = [cell.name for cell in axis.cells]
        assert len({*names}) == len(names)
        assert all(cell.opposite != cell.name for cell in axis.cells)


def test_some_cells_are_named_by_what_they_leave_out() -> None:
    names = [("low", "not low"), ("middle", "not middle"), ("high", "not high")]
    assert name_of(names, {1}) == "middle"
    assert name_of(names, {0, 1}) == "not high"
    assert name_of([*names, ("top", "not top")], {0, 2}) == "low or high"


CHUNK = ChunkCall(32, 200, 50, option_of(16), option_of(48))


@pytest.mark.parametrize(
    ("call", "base", "head", "words"),
    [
        (CHUNK, 48, 16, "the chunk ends at the split point 48, was the block boundary 80"),
        (CHUNK, 17, 50, "the chunk ends at the proposed end 82, was 49"),
        (CHUNK, 168, 0, "the chunk is empty, was the end of the prompt 200"),
        (CHUNK, 0, 17, "the chunk ends at 49, was empty"),
        (SplitCall(9, option_of(2)), None, 4, "the split point is 4, was none"),
        (SplitCall(9, option_of(2)), 4, None, "there is no split point, was 4"),
        (TailEndCall(4, 9, option_of(2)), True, False, "the end 4 is no prompt-tail end, was one"),
        (TailEndCall(4, 9, option_of(2)), False, True, "the end 4 is a prompt-tail end, was none"),
        (
            CheckpointCall(4, 9, option_of(2), 3),
            True,
            False,
            "the end 4 saves no snapshot, did before",
        ),
        (
            CheckpointCall(4, 9, option_of(2), 3),
            False,
            True,
            "the end 4 saves a snapshot, did not before",
        ),
    ],
)
def test_a_change_has_words(call, base, head, words: str) -> None:
    if call.role == "split_point":
        base, head = option_of(base), option_of(head)
    assert change(call, Reply(base), Reply(head)) == words


def test_a_fault_has_words() -> None:
    fault = Reply(None, "a - b, line 3")
    assert (
        change(CHUNK, Reply(16), fault) == "the call faults (a - b, line 3), was the split point 48"
    )
    said = change(CHUNK, fault, Reply(16))
    assert said == "the chunk ends at the split point 48, was a fault before (a - b, line 3)"
    both = change(CHUNK, fault, fault)
    assert both == "the call faults (a - b, line 3), and did before (a - b, line 3)"
