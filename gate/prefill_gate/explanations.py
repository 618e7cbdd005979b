"""What there is to say of a property, a run theorem or a profile, in sections.

It is all taken from the specification: the formula from the rule, the failures from the public
changes that the rule refutes, the example from a call that breaks it. No solver is needed.
"""

from collections.abc import Iterator, Sequence

from prefill_gate import text
from prefill_gate.explanation_parts import LINK, glossary, labelled, mended_failures, sentence
from prefill_gate.explanation_text import Explanation, Lines, Section
from prefill_gate.reports import call_values, plain
from prefill_gate.selection import ALL_IDS, require_property
from prefill_gate.theorem_explanations import explain_theorem
from prefill_spec.calls import parameters
from prefill_spec.formulas import ANSWERS, written_claim, written_domain
from prefill_spec.profiles import PROFILES, Profile
from prefill_spec.properties import NO_FAULT, Property
from prefill_spec.public_changes import PUBLIC_CHANGES
from prefill_spec.refutations import REFUTATIONS
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.table import CUSTOMARY_IDS, EVERY_PROPERTY

KNOWN_IDS = (*ALL_IDS, *PROFILES)
"""What can be explained."""


def explanation(name: str) -> Explanation:
    """Return the explanation of an id, or raise ``UsageError`` when there is no such id."""
    require_property(name, KNOWN_IDS)
    if name in PROFILES:
        return _of_profile(PROFILES[name])
    theorems = {theorem.id: theorem for theorem in RUN_THEOREMS}
    if name in theorems:
        return explain_theorem(theorems[name])
    return _of_property([entry for entry in EVERY_PROPERTY if entry.id == name])


def _of_property(entries: Sequence[Property]) -> Explanation:
    """Return the explanation of a property; ``no-fault`` has an entry for each role."""
    entry, roles = entries[0], tuple(entry.role for entry in entries)
    further = [f"Where the configuration gives more: {entry.further}."] if entry.further else []
    if entry.is_implied:
        further.append("The other properties of its role imply it: it is a convenience.")
    return Explanation(
        entry.id,
        "property",
        entry.statement,
        (
            Section("What it says", (sentence(entry.statement), *further)),
            Section("Formula", (_claim_lines(entry), *glossary(_claim_lines(entry)))),
            Section("Why it matters", (entry.why,)),
            Section("A real failure", tuple(_failures(entry))),
            Section("Premises", tuple(_premises(entry, roles))),
            Section("How to waive it", tuple(_waiver(entry))),
            Section("Example", (_example_lines(entry.id),)),
        ),
        entry.level,
        roles,
    )


def _claim_lines(entry: Property) -> Lines:
    claim = written_claim(entry)
    return labelled(
        ("when", claim.when),
        ("then", claim.then),
        ("where", (f"{name} = {term}" for name, term in claim.where.items())),
    )


def _failures(entry: Property) -> Iterator[str]:
    """Yield what is known of planners in public that the property refutes."""
    told = mended_failures((entry.id,))
    left = [change for change in PUBLIC_CHANGES if entry.id in change.after]
    if told:
        yield from told
        yield "It refutes the planner before each change; `examples` has them in our own words."
    elif left:
        yield from (f"{change.holes} It refutes what {change.source} left." for change in left)
    elif LINK in entry.why:
        yield "No planner in `examples` is refuted for it; what is linked above is of the kind."
    else:
        yield "None is known from a public issue."


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
        yield 'With `level = "warn"` it is still run and reported, without effect on the exit code.'
    yield (
        'With `except = "CONDITION"` in place of the level, it is waived only where the condition '
        "holds."
    )
    for profile in PROFILES.values():
        if entry.id in profile.waives:
            yield f"The profile {profile.id} waives it: {profile.waives[entry.id]}."


def _example_lines(property_id: str) -> Lines:
    example = REFUTATIONS[property_id]
    answer = "a fault" if example.fault else text.value(plain(example.answer))
    return labelled(
        ("given", [text.listed(call_values(example.call))]),
        ("returns", [answer]),
        ("so", [example.message(property_id)]),
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
            Section("What it is for", (sentence(profile.statement),)),
            *([Section("What it waives", (waives,))] if waives else []),
            *([Section("What it adds", (adds,))] if adds else []),
            Section("Such planners", (profile.sources,)),
            Section(
                "How to choose it",
                ("In prefill-gate.toml:", ("[planner]", f'profile = "{profile.id}"')),
            ),
        ),
    )
