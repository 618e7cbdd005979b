"""An input may have any name, that of an atom of the algebra included."""

import pytest

from prefill_proofs.algebra import Algebra
from prefill_proofs.encodings import tail_split_point
from prefill_proofs.faults import Faults
from prefill_proofs.prover import prove
from prefill_proofs.subjects import Encoded, Run, Values, concrete_call, role_inputs, symbolic_call
from prefill_proofs.terms import choose
from prefill_proofs.types import USIZE, Input
from prefill_spec.calls import SplitCall
from prefill_spec.properties import properties_of
from prefill_spec.vocabulary import Option, Term, quotient


class RightOnlyForOneGuess:
    """A split point that is misplaced unless a further input is the number of whole blocks."""

    role = "split_point"
    function = "right_only_for_one_guess"
    block_size_input = "block_size"
    bound_inputs = frozenset({"total", "block_size"})

    def __init__(self, guess: str) -> None:
        self._guess = guess
        self.inputs = (*role_inputs(self.role), Input(guess, USIZE))

    def _split(self, call: SplitCall, guess: Term, faults: Faults) -> Option[Term]:
        split = tail_split_point(call, faults)
        is_right = guess == quotient(call.total - 1, call.block_size.value)
        return Option(split.present, choose(is_right, split.value, split.value + 1))

    def encode(self, values: Values, faults: Faults, *_: Algebra) -> Encoded:
        call = symbolic_call(self.role, values)
        return Encoded(call, self._split(call, values[self._guess], faults))

    def run(self, values: Values) -> Run:
        call = concrete_call(self.role, values)
        return Run(call, self._split(call, values[self._guess], Faults()))


NAMES = ["guess", *(f"{letter}{number}" for letter in "qmvp" for number in range(8))]


@pytest.mark.parametrize("letter", "qmvp")
def test_an_atom_is_never_the_input_of_its_name(letter: str) -> None:
    algebra = Algebra()
    inputs = [algebra.input(f"{letter}{number}") for number in range(8, 16)]
    _ = (inputs[0] // inputs[1], inputs[2] * inputs[3])
    _ = choose(inputs[4] <= 0, inputs[5], inputs[6]) // inputs[7]
    names = [str(atom) for atom in algebra.atoms]
    assert len(names) == len(set(names))


def test_a_wrong_planner_is_refuted_whatever_its_inputs_are_called() -> None:
    entries = [entry for entry in properties_of("split_point") if entry.id == "split-aligned"]
    verdicts = {name: prove(RightOnlyForOneGuess(name), entries)[0].verdict for name in NAMES}
    assert verdicts == dict.fromkeys(NAMES, "refuted")
