"""``prefill-gate explain``: what a property means."""

from prefill_gate import text
from prefill_gate.selection import require_property
from prefill_spec.properties import PROPERTIES, PROPERTY_IDS, Property
from prefill_spec.run_theorems import RUN_THEOREM_IDS, RUN_THEOREMS


def run_explain(property_id: str | None) -> int:
    """Print one property in full, or a line for each; return the exit code."""
    if property_id is None:
        rows: list[tuple[str, str, str]] = [
            (entry.id, entry.level, entry.statement) for entry in map(first_of, PROPERTY_IDS)
        ]
        rows += [(theorem.id, "run", theorem.statement) for theorem in RUN_THEOREMS]
        print(text.table(("property", "level", "what it says"), rows, wrapped=2))
        return 0
    require_property(property_id)
    if property_id in RUN_THEOREM_IDS:
        return _explain_run(property_id)
    entry = first_of(property_id)
    roles = ", ".join(other.role for other in PROPERTIES if other.id == property_id)
    waiver = f'{property_id} = {{ level = "off", reason = "why it does not apply" }}'
    parts = [
        f"{property_id} ({entry.level}; role {roles})",
        text.paragraph(f"What it says: {entry.statement}."),
        text.paragraph(f"Why it matters: {entry.why}"),
        f"To waive it, in prefill-gate.toml:\n\n  [properties]\n  {waiver}",
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
    return next(entry for entry in PROPERTIES if entry.id == property_id)
