"""What there is to say of a property, a run theorem or a profile, in sections.

It is all taken from the specification: the formula from the rule, the failures from the public
changes that the rule refutes, the example from a call that breaks it. No solver is needed.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from prefill_gate import text
from prefill_gate.explanation_text import Explanation, Lines, Section
from prefill_gate.reports import call_values, plain
from prefill_gate.selection import ALL_IDS, require_property
from prefill_spec.broken_runs import BROKEN_RUNS
from prefill_spec.calls import parameters
from prefill_spec.formulas import ANSWERS, written_claim, written_domain, written_theorem
from prefill_spec.inductions import RunTheorem
from prefill_spec.profiles import PROFILES, Profile
from prefill_spec.properties import NO_FAULT, Property
from prefill_spec.public_changes import PUBLIC_CHANGES
from prefill_spec.refutations import REFUTATIONS
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import CALLER_ASSUMPTION, RUN_ROLES
from prefill_spec.table import CUSTOMARY_IDS, EVERY_PROPERTY

LINK = "https://"

KNOWN_IDS = (*ALL_IDS, *PROFILES)
"""What can be explained."""

MOST_FAILURES = 3
"""So many failures are told; the others are only named."""


def explanation(name: str) -> Explanation:
    """Return the explanation of an id, or raise ``UsageError`` when there is no such id."""
    require_property(name, KNOWN_IDS)
    if name in PROFILES:
        return _of_profile(PROFILES[name])
    theorems = {theorem.id: theorem for theorem in RUN_THEOREMS}
    if name in theorems:
        return _of_theorem(theorems[name])
    return _of_property([entry for entry in EVERY_PROPERTY if entry.id == name])


def _of_property(entries: Sequence[Property]) -> Explanation:
    """Return the explanation of a property; ``no-fault`` has an entry for each role."""
    entry, roles = entries[0], tuple(entry.role for entry in entries)
    further = [f"Where the configuration gives more: {entry.further}."] if entry.further else []
    return Explanation(
        entry.id,
        "property",
        entry.statement,
        (
            Section("What it says", (_sentence(entry.statement), *further)),
            Section("Formula", (_claim_lines(entry), *_glossary(_claim_lines(entry)))),
            Section("Why it matters", (entry.why,)),
            Section("A real failure", tuple(_failures(entry))),
            Section("Premises", tuple(_premises(entry, roles))),
            Section("How to waive it", tuple(_waiver(entry))),
            Section("Example", (_example_lines(entry.id),)),
        ),
        entry.level,
        roles,
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."


def _labelled(*groups: tuple[str, Iterable[str]]) -> Lines:
    """Return groups of lines with the label of each before its first line."""
    filled = [(label, list(lines)) for label, lines in groups]
    size = max(len(label) for label, lines in filled if lines) + 2
    return tuple(
        f"{label:{size}}{line}"
        for name, lines in filled
        for label, line in zip_longest([name][: len(lines)], lines, fillvalue="")
    )


def _claim_lines(entry: Property) -> Lines:
    claim = written_claim(entry)
    return _labelled(
        ("when", claim.when),
        ("then", claim.then),
        ("where", (f"{name} = {term}" for name, term in claim.where.items())),
    )


GLOSSARY = {
    "floor": "floor(x, n) is the last multiple of n at or below x.",
    "divides": "divides(n, x) says that x is a multiple of n; only 0 is one of 0.",
    "reached": "reached is the token that the run has come to.",
    "answers": "answers counts what the planner was asked, and passes what was run of it: two for "
    "an answer that the dispatcher divides.",
    "is_divided": "is_divided says that the dispatcher divides the answer at the split point.",
    "is_visited": "is_visited says that a pass has ended at the split point, or captured the state "
    "there.",
    "is_tail": "is_tail says that a proposal has reached the end of the prompt.",
    "match": "match is how many tokens the next request matches, in whole blocks, and restored "
    "how many it restores.",
}
"""What the words of formulas mean that are no arguments."""


def _glossary(lines: Lines) -> Iterator[str]:
    words = set(re.findall(r"\w+", " ".join(lines)))
    yield from (meaning for word, meaning in GLOSSARY.items() if word in words)


def _failures(entry: Property) -> Iterator[str]:
    """Yield what is known of planners in public that the property refutes."""
    told = _mended((entry.id,))
    left = [change for change in PUBLIC_CHANGES if entry.id in change.after]
    if told:
        yield from told
        yield "It refutes the planner before each change; examples has them in our own words."
    elif left:
        yield from (f"{change.holes} It refutes what {change.source} left." for change in left)
    elif LINK in entry.why:
        yield "No planner in examples is refuted for it; what is linked above is of the kind."
    else:
        yield "None is known from a public issue."


def _theorem_failures(theorem: RunTheorem) -> Iterator[str]:
    """Yield what is known of planners in public that lack what the theorem rests on."""
    told = _mended(theorem.uses)
    if told:
        yield from told
        yield "The planner before each change lacks a property that the theorem rests on."
    else:
        linked = [
            entry.id for entry in EVERY_PROPERTY if entry.id in theorem.uses and LINK in entry.why
        ]
        yield (
            "No planner in examples lacks what it rests on; what is linked in the explanation of "
            f"{', '.join(linked)} is of the kind."
        )


def _mended(ids: Sequence[str]) -> list[str]:
    """Return what broke before the public changes that mended one of the properties.

    The first ones are told, of the others and of those that mended it in part there is the address.
    """
    mended = [change for change in PUBLIC_CHANGES if set(ids) & {*change.mended}]
    told = [f"{change.broke} {change.source}" for change in mended[:MOST_FAILURES]]
    others = dict.fromkeys(
        change.source
        for change in PUBLIC_CHANGES
        if set(ids) & {*change.before} and change not in mended[:MOST_FAILURES]
    )
    more = [f"Broken as well before {', '.join(others)}"] if told and others else []
    return told + more


def _premises(entry: Property, roles: Sequence[str]) -> Iterator[str | Lines]:
    yield "It speaks of every call whose numbers fit in 64 bits:"
    yield tuple(line for role in roles for line in _call_lines(role))
    yield "An absent block size counts as 0." + (
        "" if entry.id == NO_FAULT else " Calls that fault are left to no-fault."
    )
    if entry.id not in CUSTOMARY_IDS:
        adding = " or ".join(
            profile.id for profile in PROFILES.values() if entry.id in profile.adds
        )
        yield f"It is asked for by the profile {adding}, or by its level."
    resting = _theorems_on(entry)
    if resting:
        yield (
            "These run theorems rest on it, and are lost where it does not hold or is waived: "
            f"{', '.join(resting)}."
        )
    else:
        yield "No run theorem rests on it."


def _call_lines(role: str) -> Lines:
    call = f"{role}({', '.join(parameters(role))}) -> {ANSWERS[role]}"
    return (call, *(f"    {line}" for line in written_domain(role)))


def _theorems_on(entry: Property) -> list[str]:
    """Return the ids of the run theorems that rest on a property."""
    return [
        theorem.id for theorem in RUN_THEOREMS if entry.id == NO_FAULT or entry.id in theorem.uses
    ]


def waiver(property_id: str) -> Lines:
    """Return the lines of a configuration that turn a property off."""
    return (
        "[properties]",
        f'{property_id} = {{ level = "off", reason = "why it does not apply" }}',
    )


def _waiver(entry: Property) -> Iterator[str | Lines]:
    yield "In prefill-gate.toml:"
    yield waiver(entry.id)
    if entry.level == "warn":
        yield "It only warns as it is, without effect on the exit code."
    else:
        yield 'With level = "warn" it is still run and reported, without effect on the exit code.'
    yield (
        'With except = "CONDITION" in place of the level, it is waived only where the condition '
        "holds."
    )
    for profile in PROFILES.values():
        if entry.id in profile.waives:
            yield f"The profile {profile.id} waives it: {profile.waives[entry.id]}."


def _example_lines(property_id: str) -> Lines:
    example = REFUTATIONS[property_id]
    answer = "a fault" if example.fault else text.value(plain(example.answer))
    return _labelled(
        ("given", [text.listed(call_values(example.call))]),
        ("returns", [answer]),
        ("so", [example.message(property_id)]),
    )


def _of_theorem(theorem: RunTheorem) -> Explanation:
    formula = _theorem_lines(theorem)
    return Explanation(
        theorem.id,
        "run theorem",
        theorem.statement,
        (
            Section("What it says", (_sentence(theorem.statement),)),
            Section("Formula", (formula, *_glossary(formula))),
            Section("Why it matters", (theorem.why,)),
            Section("A real failure", tuple(_theorem_failures(theorem))),
            Section("Premises", tuple(_theorem_premises(theorem))),
            Section(
                "How to waive it",
                (
                    "It has no level, and never changes the exit code. Waive a property that it "
                    "rests on, with a reason, and it is reported as lost.",
                ),
            ),
            Section("Example", (_run_lines(theorem),)),
        ),
    )


def _theorem_lines(theorem: RunTheorem) -> Lines:
    written = written_theorem(theorem)
    return _labelled(
        ("prompt", written.prompt),
        ("each proposal", written.proposal),
        ("each answer", written.answer),
        ("between them", written.between),
        ("at the end, when", written.end),
        ("at the end, then" if written.end else "at the end", written.then),
    )


def _theorem_premises(theorem: RunTheorem) -> Iterator[str]:
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


def _run_lines(theorem: RunTheorem) -> Lines:
    example = BROKEN_RUNS[theorem.id]
    prompt = example.prompt
    given = {
        "total": prompt.total,
        "start": prompt.start,
        "block_size": plain(prompt.block_size),
        "split": plain(prompt.split),
    }
    answers = (f"{length} of {proposed} proposed" for proposed, length in example.answers)
    return _labelled(
        ("given", [text.listed(given)]),
        ("answers", [", ".join(answers)]),
        ("so", [example.message()]),
        ("lacks", [f"{example.lacks}: {example.cause()}"]),
    )


def _of_profile(profile: Profile) -> Explanation:
    statements = {entry.id: entry.statement for entry in EVERY_PROPERTY}
    waives = tuple(f"{name}: {why}" for name, why in profile.waives.items())
    adds = tuple(f"{name}: {statements[name]}" for name in profile.adds)
    return Explanation(
        profile.id,
        "profile",
        profile.statement,
        (
            Section("What it is for", (_sentence(profile.statement),)),
            *([Section("What it waives", (waives,))] if waives else []),
            *([Section("What it adds", (adds,))] if adds else []),
            Section("Such planners", (profile.sources,)),
            Section(
                "How to choose it",
                ("In prefill-gate.toml:", ("[planner]", f'profile = "{profile.id}"')),
            ),
        ),
    )
