"""One planner, written three times: encodings by hand, the reference in Python, and in Rust.

The Python reference is read from its own source. Its ``require_usize`` takes any number of
arguments, which the reader refuses; one that names them stands in for it.
"""

from pathlib import Path

import pytest

from prefill_gate.sources import PlannerFile, roles_of
from prefill_proofs.comparison import compare
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.equality import differ
from prefill_proofs.prover import prove
from prefill_proofs.role_config import PlannerConfig
from prefill_proofs.roles import Roles
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.subjects import formulate
from prefill_reference import planner, usize
from prefill_spec import vocabulary
from prefill_spec.properties import no_fault_of

PYTHON = Path(planner.__file__)
RUST = Path(__file__).parents[1] / "reference" / "rust" / "prefill_plan.rs"

STAND_IN = """
def require_usize(offset=0, total=0, proposed=0, block_size=0, split=0, end_token=0, interval=0):
    for value in (offset, total, proposed, block_size, split, end_token, interval):
        if value is not None and not 0 <= value <= 2**64 - 1:
            raise ValueError
"""

EDITS = {
    "chunk_len": ("if boundary > offset:", "if boundary >= offset:"),
    "split_point": ("split if split > 0", "split if split >= 0"),
    "tail_end": ("boundary >= block_size and", "boundary > block_size and"),
    "checkpoint": ("block_index % interval == 0", "block_index % interval <= 1"),
}
"""A small mistake in each role of the Python reference."""

each_role = pytest.mark.parametrize("role", ENCODINGS)


def roles_in(path: Path, content: str, config: PlannerConfig) -> Roles:
    roles = roles_of(PlannerFile(path.name, content.encode(), path), config)
    assert roles.errors == []
    return roles


def subject_in(roles: Roles, role: str) -> SourceSubject:
    subject = roles.subject(role)
    assert subject is not None
    assert subject.unknowns == {}
    assert subject.limits == []
    return subject


@pytest.fixture(scope="module")
def config(tmp_path_factory: pytest.TempPathFactory) -> PlannerConfig:
    stand_in = tmp_path_factory.mktemp("externs") / "require_usize.py"
    stand_in.write_text(STAND_IN)
    words = Path(vocabulary.__file__)
    return PlannerConfig(
        externs={
            "require_usize": stand_in,
            "checked": Path(usize.__file__),
            "WY4": words,
            "USIZE_MAX": words,
        }
    )


@pytest.fixture(scope="module")
def in_python(config: PlannerConfig) -> Roles:
    return roles_in(PYTHON, PYTHON.read_text(), config)


@pytest.fixture(scope="module")
def in_rust() -> Roles:
    return roles_in(RUST, RUST.read_text(), PlannerConfig())


@pytest.fixture(params=["in_python", "in_rust"])
def source(request: pytest.FixtureRequest) -> Roles:
    roles: Roles = request.getfixturevalue(request.param)
    return roles


@each_role
def test_the_reference_read_from_source_answers_as_the_encoding_does(
    source: Roles, role: str
) -> None:
    subject = subject_in(source, role)
    assert differ(formulate(subject)).result == "unsat"
    (verdict,) = prove(subject, [no_fault_of(role)])
    assert verdict.verdict == "proved"


@each_role
def test_the_reference_in_python_is_equal_to_the_one_in_rust(
    in_python: Roles, in_rust: Roles, role: str
) -> None:
    found = compare(subject_in(in_python, role), subject_in(in_rust, role))
    assert found.verdict == "equal"


@each_role
def test_a_mistake_in_the_reference_is_found_different(
    config: PlannerConfig, in_rust: Roles, role: str
) -> None:
    before, after = EDITS[role]
    content = PYTHON.read_text()
    assert content.count(before) == 1
    broken = subject_in(roles_in(PYTHON, content.replace(before, after), config), role)
    assert differ(formulate(broken)).result != "unsat"
    found = compare(broken, subject_in(in_rust, role))
    assert found.verdict == "differs"
    assert found.witness is not None
