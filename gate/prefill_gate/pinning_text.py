"""Whether the properties pin the planner, for people."""

from collections.abc import Iterator, Sequence

from prefill_gate import text
from prefill_gate.reports import PINNED, Row


def render_pinning(rows: Sequence[Row]) -> Iterator[str]:
    """Yield a table of what each property adds, where that was asked for, and what is pinned."""
    implications = [row for row in rows if row.id != PINNED]
    if implications:
        headers = ("property", "role", "what it alone forbids", "verdict", " ms")
        cells = [
            (row.id, row.role, _forbidden(row), row.verdict, f"{(row.seconds or 0) * 1000:5.1f}")
            for row in implications
        ]
        yield text.table(headers, cells, wrapped=2)
    roles = [row for row in rows if row.id == PINNED]
    proved = [row for row in roles if row.verdict == "proved"]
    if proved:
        spent = sum(row.seconds or 0 for row in proved) * 1000
        yield text.paragraph(
            "Pinned: any two planners that keep the properties of level deny agree on every call "
            f"of {', '.join(row.role for row in proved)} ({spent:.0f} ms)"
        )
    for row in roles:
        if row.verdict == "refuted":
            one, other = map(text.value, row.details["observed"])
            call = text.listed(row.details["witness"])
            yield text.paragraph(f"not pinned: {row.role}: given {call}, both {one} and {other} do")
        elif row.verdict == "inconclusive":
            yield text.paragraph(f"{row.role}: inconclusive: {row.details['reason']}")


def _forbidden(row: Row) -> str:
    if row.verdict == "implied":
        return "nothing: the other properties imply it"
    if "witness" not in row.details:
        return str(row.details["reason"])
    return f"{text.listed(row.details['witness'])}: {row.details['message']}".replace(
        text.GLUE, " "
    )
