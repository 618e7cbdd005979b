"""What there is to say of a run theorem, in sections."""

from collections.abc import Iterator

from prefill_gate import text
from prefill_gate.explanation_parts import LINK, glossary, labelled, mended_failures, sentence
from prefill_gate.explanation_text import Explanation, Lines, Section
from prefill_gate.reports import plain
from prefill_spec.example_runs import EXAMPLE_RUNS
from prefill_spec.formulas import written_theorem
from prefill_spec.inductions import RunTheorem
from prefill_spec.runs import CALLER_ASSUMPTION, RUN_ROLES
from prefill_spec.table import EVERY_PROPERTY


def explain_theorem(theorem: RunTheorem) -> Explanation:
    """Return the explanation of a run theorem."""
    formula = _formula_lines(theorem)
    return Explanation(
        theorem.id,
        "run theorem",
        theorem.statement,
        (
            Section("What it says", (sentence(theorem.statement),)),
            Section("Formula", (formula, *glossary(formula))),
            Section("Why it matters", (theorem.why,)),
            Section("A real failure", tuple(_failures(theorem))),
            Section("Premises", tuple(_premises(theorem))),
            Section(
                "How to waive it",
                (
                    "It has no level, and never changes the exit code. Waive a property that it "
                    "rests on, with a reason, and it is reported as lost.",
                ),
            ),
            Section("Example", (_example_lines(theorem),)),
        ),
    )


def _formula_lines(theorem: RunTheorem) -> Lines:
    written = written_theorem(theorem)
    return labelled(
        ("prompt", written.prompt),
        ("each proposal", written.proposal),
        ("each answer", written.answer),
        ("between them", written.between),
        ("at the end, when", written.end),
        ("at the end, then" if written.end else "at the end", written.then),
    )


def _premises(theorem: RunTheorem) -> Iterator[str]:
    yield (
        f"It rests on {', '.join(theorem.uses)}, and on no-fault of {', '.join(RUN_ROLES)}. It is "
        "proved from these by induction, with what holds between answers as its invariant, so "
        "that every planner which keeps them has it."
    )
    yield f"Assumed: {CALLER_ASSUMPTION}."
    if theorem.needs_dispatcher:
        yield (
            "Assumed: the dispatcher divides every last chunk that spans the split point, or "
            "captures the state inside it."
        )
    yield (
        "It is lost where one of these properties does not hold, is waived, or is known for some "
        "calls only."
    )


def _example_lines(theorem: RunTheorem) -> Lines:
    example = EXAMPLE_RUNS[theorem.id]
    prompt = example.prompt
    given = {
        "total": prompt.total,
        "start": prompt.start,
        "block_size": plain(prompt.block_size),
        "split": plain(prompt.split),
    }
    answers = (f"{length} of {proposed} proposed" for proposed, length in example.answers)
    return labelled(
        ("given", [text.listed(given)]),
        ("answers", [", ".join(answers)]),
        ("so", [example.message()]),
        ("lacks", [f"{example.lacks}: {example.cause()}"]),
    )


def _failures(theorem: RunTheorem) -> Iterator[str]:
    """Yield what is known of planners in public that lack what the theorem rests on."""
    told = mended_failures(theorem.uses)
    if told:
        yield from told
        yield "The planner before each change lacks a property that the theorem rests on."
    else:
        linked = [
            entry.id for entry in EVERY_PROPERTY if entry.id in theorem.uses and LINK in entry.why
        ]
        yield (
            "No planner in `examples` lacks what it rests on; what is linked in the explanation of "
            f"{', '.join(linked)} is of the kind."
        )
