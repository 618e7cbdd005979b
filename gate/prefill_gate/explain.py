"""``prefill-gate explain``: what a property or a profile means."""

from prefill_gate import text
from prefill_gate.selection import ALL_IDS, require_property
from prefill_spec.profiles import PROFILES, Profile
from prefill_spec.properties import Property
from prefill_spec.run_theorems import RUN_THEOREM_IDS, RUN_THEOREMS
from prefill_spec.table import CUSTOMARY_IDS, EVERY_PROPERTY, EVERY_PROPERTY_ID


def run_explain(name: str | None) -> int:
    """Print one property or profile in full, or a line for each; return the exit code."""
    if name is None:
        rows: list[tuple[str, str, str]] = [
            (entry.id, entry.level, entry.statement) for entry in map(first_of, EVERY_PROPERTY_ID)
        ]
        rows += [(theorem.id, "run", theorem.statement) for theorem in RUN_THEOREMS]
        rows += [(profile.id, "profile", profile.statement) for profile in PROFILES.values()]
        print(text.table(("property", "level", "what it says"), rows, wrapped=2))
        return 0
    require_property(name, (*ALL_IDS, *PROFILES))
    if name in RUN_THEOREM_IDS:
        return _explain_run(name)
    if name in PROFILES:
        return _explain_profile(PROFILES[name])
    entry = first_of(name)
    roles = ", ".join(other.role for other in EVERY_PROPERTY if other.id == name)
    waiver = f'{name} = {{ level = "off", reason = "why it does not apply" }}'
    parts = [
        f"{name} ({entry.level}; role {roles})",
        text.paragraph(f"What it says: {entry.statement}."),
        text.paragraph(f"Why it matters: {entry.why}"),
    ]
    if entry.further:
        parts.insert(2, text.paragraph(f"Where the configuration gives more: {entry.further}."))
    if name not in CUSTOMARY_IDS:
        adding = " or ".join(profile.id for profile in PROFILES.values() if name in profile.adds)
        parts.append(text.paragraph(f"It is asked for by the profile {adding}, or by its level."))
    parts.append(f"To waive it, in prefill-gate.toml:\n\n  [properties]\n  {waiver}")
    print("\n\n".join(parts))
    return 0


def _explain_profile(profile: Profile) -> int:
    waived = [text.paragraph(f"{name}: {why}", "  ") for name, why in profile.waives.items()]
    added = [text.paragraph(f"{name}: {first_of(name).statement}", "  ") for name in profile.adds]
    parts = [
        f"{profile.id} (profile)",
        text.paragraph(f"What it is for: {profile.statement}."),
        *(["\n".join(["It waives", *waived])] if waived else []),
        *(["\n".join(["It adds", *added])] if added else []),
        "\n".join(["Such planners:", *(f"  {source}" for source in profile.sources)]),
        f'To choose it, in prefill-gate.toml:\n\n  [planner]\n  profile = "{profile.id}"',
    ]
    print("\n\n".join(parts))
    return 0


def _explain_run(theorem_id: str) -> int:
    (theorem,) = (entry for entry in RUN_THEOREMS if entry.id == theorem_id)
    parts = [
        f"{theorem_id} (whole prompts)",
        text.paragraph(f"What it says: {theorem.statement}."),
        text.paragraph(f"Why it matters: {theorem.why}"),
        text.paragraph(f"It rests on {', '.join(theorem.uses)}, and on no-fault of their roles."),
    ]
    print("\n\n".join(parts))
    return 0


def first_of(property_id: str) -> Property:
    """Return the property of an id; ``no-fault`` says the same for each role."""
    return next(entry for entry in EVERY_PROPERTY if entry.id == property_id)
