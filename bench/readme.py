"""The short table in the README: between two marks, and written by the benchmark alone."""

FIRST, LAST = "<!-- bench: first line -->", "<!-- bench: last line -->"


def with_summary(text: str, summary: str) -> str:
    """Return the README's text with another table between the marks.

    Raises ``ValueError`` where a mark is missing.
    """
    before, first, rest = text.partition(FIRST)
    _, last, after = rest.partition(LAST)
    if not first or not last:
        raise ValueError(f"README.md needs the lines {FIRST} and {LAST}")
    return f"{before}{FIRST}\n{summary}\n{LAST}{after}"


def summary_of(text: str) -> str:
    """Return the table that stands between the marks."""
    return text.partition(FIRST)[2].partition(LAST)[0].strip("\n")
