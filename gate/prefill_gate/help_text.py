"""The help text of a property, for whoever sees a finding of it."""

from prefill_spec.properties import Property


def help_of(entry: Property) -> list[str]:
    """Return what a property says, why it matters, and where to read more, in paragraphs."""
    further = f"Where the configuration gives more: {entry.further}."
    return [
        f"What it says: {entry.statement}.",
        *([further] if entry.further else []),
        f"Why it matters: {entry.why}",
        f"prefill-gate explain {entry.id} says how to waive it.",
    ]
