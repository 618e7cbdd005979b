"""What explanations are made of: examples that are wrong as they say, and words that hold."""

import re
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from prefill_gate.config import load_configs
from prefill_gate.explain import help_markdown, help_text
from prefill_gate.explanation_text import Explanation, Lines
from prefill_gate.explanations import KNOWN_IDS, explanation, waiver
from prefill_gate.selection import ALL_IDS
from prefill_proofs.encodings import ENCODINGS
from prefill_proofs.faults import Faults
from prefill_proofs.prover import prove
from prefill_proofs.subjects import HandEncoded, is_scheduled, run_on_ints
from prefill_proofs.terms import choose
from prefill_spec.calls import Call, ChunkCall, parameters
from prefill_spec.example_runs import EXAMPLE_RUNS
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import NO_FAULT, PROPERTIES, PROPERTY_IDS, Outcome, Property
from prefill_spec.public_changes import PUBLIC_CHANGES
from prefill_spec.refutations import REFUTATIONS
from prefill_spec.run_theorems import RUN_THEOREM_IDS, RUN_THEOREMS
from prefill_spec.runs import (
    divides_every_spanning,
    divides_only_spanning,
    follows,
    is_finished,
)
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID
from prefill_spec.vocabulary import (
    USIZE_MAX,
    Formula,
    Option,
    all_of,
    any_of,
    iff,
    negate,
    option_of,
)

HEADINGS = [
    "What it says",
    "Formula",
    "Why it matters",
    "A real failure",
    "Premises",
    "How to waive it",
    "Example",
]
FURTHER = [entry for entry in EVERY_PROPERTY if entry.id not in PROPERTY_IDS]

each_id = pytest.mark.parametrize("name", KNOWN_IDS)
each_property = pytest.mark.parametrize(
    "entry",
    [entry for entry in EVERY_PROPERTY if entry.role == REFUTATIONS[entry.id].call.role],
    ids=lambda entry: entry.id,
)
each_theorem = pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)


def parts_of(entry: Explanation, title: str) -> list[str | Lines]:
    (found,) = (section.parts for section in entry.sections if section.title == title)
    return [*found]


# The words.


@pytest.mark.parametrize("name", ALL_IDS)
def test_every_property_and_theorem_has_every_section(name: str) -> None:
    entry = explanation(name)
    assert [section.title for section in entry.sections] == HEADINGS
    assert all(section.parts for section in entry.sections)
    assert all(part for section in entry.sections for part in section.parts)


@each_id
def test_every_id_in_an_explanation_exists(name: str) -> None:
    heads = {each.split("-")[0] for each in EVERY_PROPERTY_ID} | {"run"}
    words = re.findall(rf"(?<![\w/-])(?:{'|'.join(heads)})-[a-z0-9-]+", help_markdown(name))
    assert set(words) <= {*KNOWN_IDS}


@each_id
def test_every_link_in_an_explanation_is_well_formed(name: str) -> None:
    links = re.findall(r"https?:[^\s),]*", help_markdown(name))
    for link in links:
        assert re.fullmatch(
            r"https://github\.com/[\w.-]+/[\w.-]+/(pull|issues|blob)/[\w./-]+\w", link
        )


@each_id
def test_plain_text_and_markdown_have_the_same_words(name: str) -> None:
    def words(shown: str) -> list[str]:
        return re.sub(r"```text|```|###|\\(?=[<>*\[\]_|~&])", "", shown).split()

    plain, markdown = help_text(name), help_markdown(name)
    assert words(plain) == [*explanation(name).title.split(), *words(markdown)]
    assert "\N{NO-BREAK SPACE}" not in plain + markdown
    assert all(len(line) <= 100 or "https://" in line for line in plain.splitlines())


@pytest.mark.parametrize("name", EVERY_PROPERTY_ID)
def test_the_waiver_of_an_explanation_is_a_configuration(tmp_path: Path, name: str) -> None:
    path = tmp_path / "prefill-gate.toml"
    path.write_text("\n".join(waiver(name)))
    (config,) = load_configs(path)
    assert config.level_of(name) == "off"
    assert config.reason_of(name) == "why it does not apply"


@pytest.mark.parametrize("theorem", RUN_THEOREMS, ids=lambda theorem: theorem.id)
def test_a_property_names_the_theorems_that_rest_on_it(theorem: RunTheorem) -> None:
    for name in EVERY_PROPERTY_ID:
        rests = theorem.id in str(parts_of(explanation(name), "Premises"))
        assert rests == (name == NO_FAULT or name in theorem.uses), name


@pytest.mark.parametrize("name", EVERY_PROPERTY_ID)
def test_the_failures_of_a_property_are_those_of_the_examples(name: str) -> None:
    said = " ".join(map(str, parts_of(explanation(name), "A real failure")))
    before = {change.source for change in PUBLIC_CHANGES if name in change.before}
    after = {change.source for change in PUBLIC_CHANGES if name in change.after}
    is_mended = any(name in change.mended for change in PUBLIC_CHANGES)
    assert {*re.findall(r"https://[^\s,]*", said)} == (before if is_mended else after)
    if not before | after:
        assert "None is known" in said or "https://" in explanation(name).sections[2].parts[0]


@each_theorem
def test_the_failures_of_a_theorem_are_those_of_planners_that_lack_a_property_of_it(
    theorem: RunTheorem,
) -> None:
    said = " ".join(map(str, parts_of(explanation(theorem.id), "A real failure")))
    lacking = {change.source for change in PUBLIC_CHANGES if {*theorem.uses} & {*change.before}}
    assert {*re.findall(r"https://[^\s,]*", said)} == lacking
    assert ("No planner in `examples`" in said) == (not lacking)


def test_words_of_a_formula_are_told_where_they_stand_in_it_and_nowhere_else() -> None:
    assert "reached the end of the prompt" in help_text("run-block-ends")
    assert "reached the end of the prompt" not in help_text("tail-end")


def test_an_explanation_loads_no_solver() -> None:
    program = "import sys; from prefill_gate.main import main; main(['explain', 'chunk-grid']); "
    done = subprocess.run(
        [sys.executable, "-c", f"{program}sys.exit('z3' in sys.modules)"],
        check=False,
        capture_output=True,
    )
    assert done.returncode == 0


def answers_without(call: ChunkCall, left_out: str) -> list[int]:
    """Return the lengths that keep what a block end follows from, but for one property."""
    kept = {"chunk-split-stop", "chunk-grid", "chunk-maximal"} - {left_out}
    rules = [entry for entry in EVERY_PROPERTY if entry.id in kept]
    return [
        length
        for length in range(1, call.proposed + 1)
        if all(entry.claim(call, Outcome(False, length)).formula() for entry in rules)
    ]


def off_the_grid(left_out: str) -> list[tuple[ChunkCall, int]]:
    """Return small calls with answers that break chunk-block-end and keep the others."""
    (block_end,) = (entry for entry in EVERY_PROPERTY if entry.id == "chunk-block-end")
    return [
        (call, length)
        for size, offset, proposed in product((4, 8), (0, 4, 8), range(1, 14))
        for split in (None, *range(0, 24, size))
        for call in [ChunkCall(offset, 24, proposed, option_of(size), option_of(split))]
        for length in answers_without(call, left_out)
        if block_end.claim(call, Outcome(False, length)).formula() is False
    ]


def test_a_block_end_follows_from_three_properties_and_from_no_two_of_them() -> None:
    assert off_the_grid(left_out="") == []
    for name in ("chunk-split-stop", "chunk-grid", "chunk-maximal"):
        assert off_the_grid(left_out=name), name
        assert name in explanation("chunk-block-end").sections[2].parts[0]


# The examples of properties.


def test_every_property_has_an_example_and_so_has_every_theorem() -> None:
    assert tuple(REFUTATIONS) == EVERY_PROPERTY_ID
    assert tuple(EXAMPLE_RUNS) == RUN_THEOREM_IDS


@each_property
def test_an_example_is_refuted_on_ints_by_its_own_property(entry: Property) -> None:
    example = REFUTATIONS[entry.id]
    claim = entry.claim(example.call, Outcome(example.fault is not None, example.answer))
    assert is_scheduled(example.call) is True
    assert claim.when is True
    assert claim.then is False


def test_the_operation_of_the_example_of_a_fault_leaves_the_range() -> None:
    example = REFUTATIONS[NO_FAULT]
    assert example.fault is not None
    assert not 0 <= eval(example.fault, {"total": example.call.total}) <= USIZE_MAX


def is_example(call: Call, example: Call) -> Formula:
    """Return whether a call, of ints or of terms, is the one of an example."""
    tests = []
    for name in parameters(call.role):
        ours, given = getattr(call, name), getattr(example, name)
        if isinstance(given, Option):
            tests.append(iff(ours.present, given.present))
            ours, given = ours.value, given.value
        tests.append(ours == given)
    return all_of(*tests)


def planner_of(entry: Property) -> HandEncoded:
    """Return the reference, but for one call: there it does what the property's example does."""
    example = REFUTATIONS[entry.id]

    def broken(call: Call, faults: Faults) -> object:
        usual = ENCODINGS[entry.role](call, faults)
        is_there = is_example(call, example.call)
        if example.fault is not None:
            faults.subtract(call.total, 1, when=is_there)
            return usual
        return _chosen(is_there, example.answer, usual)

    return HandEncoded(entry.role, "broken", broken, run_on_ints(broken))


def _chosen(condition: Formula, first: Any, second: Any) -> Any:
    if isinstance(first, Option):
        return Option(*(_chosen(condition, *pair) for pair in zip(first, second, strict=True)))
    if isinstance(first, bool):
        return any_of(all_of(condition, first), all_of(negate(condition), second))
    return choose(condition, first, second)


@pytest.mark.parametrize(
    "entry",
    [entry for entry in PROPERTIES if entry.role == REFUTATIONS[entry.id].call.role],
    ids=lambda entry: entry.id,
)
def test_the_prover_finds_the_one_call_at_which_a_planner_does_as_the_example(
    entry: Property,
) -> None:
    (verdict,) = prove(planner_of(entry), [entry])
    assert verdict.verdict == "refuted"
    assert verdict.witness is not None
    # The reference itself is refuted for what only warns, at other calls as well.
    if entry.level == "deny":
        assert verdict.witness.run.call == REFUTATIONS[entry.id].call


@pytest.mark.parametrize("entry", FURTHER, ids=lambda entry: entry.id)
def test_the_prover_refutes_a_planner_that_always_answers_as_the_example(entry: Property) -> None:
    answer = REFUTATIONS[entry.id].answer

    def stuck(_call: Call, _faults: Faults) -> object:
        return answer

    subject = HandEncoded(entry.role, "stuck", stuck, run_on_ints(stuck))
    (verdict,) = prove(subject, [entry])
    assert verdict.verdict == "refuted"


# The examples of run theorems.


@each_theorem
def test_an_example_run_is_a_run_and_breaks_its_theorem(theorem: RunTheorem) -> None:
    example = EXAMPLE_RUNS[theorem.id]
    prompt, ending = example.prompt, example.ending()
    assert theorem.premise(prompt)
    for before, step, after in example.moves():
        assert theorem.offer(step)
        assert divides_only_spanning(step)
        assert divides_every_spanning(step) or not theorem.needs_dispatcher
        assert follows(before, step, after)
    shown = [theorem.shown_by_step(prompt, move.before, move.step) for move in example.moves()]
    at_end = theorem.shown_at_end(prompt, ending)
    if all(shown):
        assert is_finished(prompt, ending.progress)
        assert at_end.when
        assert not at_end.then


@each_theorem
def test_the_planner_of_an_example_run_lacks_one_property_of_its_theorem(
    theorem: RunTheorem,
) -> None:
    example = EXAMPLE_RUNS[theorem.id]
    assert example.lacks in theorem.uses
    broken = [name for name in theorem.uses if example.broken_calls(name)]
    assert broken == [example.lacks]
    assert all(is_scheduled(call) for call, _ in example.calls())


@each_theorem
def test_what_is_said_of_an_example_run_has_its_numbers(theorem: RunTheorem) -> None:
    said = EXAMPLE_RUNS[theorem.id].message()
    assert "{" not in said
    assert said in str(parts_of(explanation(theorem.id), "Example"))
