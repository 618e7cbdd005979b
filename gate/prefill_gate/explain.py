"""``prefill-gate explain``: what a property, a run theorem or a profile means."""

from prefill_gate import text
from prefill_gate.explanation_text import as_json, as_markdown, as_text
from prefill_gate.explanations import KNOWN_IDS, explanation
from prefill_gate.output import emit


def run_explain(name: str | None, form: str) -> int:
    """Print one explanation in full, or a line for each; return the exit code."""
    entries = [explanation(each) for each in ([name] if name else KNOWN_IDS)]
    emit(
        form,
        lambda: {"version": 1, "command": "explain", "entries": [*map(as_json, entries)]},
        lambda: as_text(entries[0]) if name else _listed(),
    )
    return 0


def _listed() -> str:
    entries = map(explanation, KNOWN_IDS)
    rows = [(entry.id, entry.level or entry.kind, entry.statement) for entry in entries]
    hint = "prefill-gate explain ID says more of each"
    return f"{text.table(('id', 'level', 'what it says'), rows, wrapped=2)}\n\n{hint}"


def help_text(name: str) -> str:
    """Return the explanation of an id as plain text of a fixed width, for files."""
    with text.laid_out_for(100):
        return as_text(explanation(name))


def help_markdown(name: str) -> str:
    """Return the explanation of an id as Markdown."""
    return as_markdown(explanation(name))
