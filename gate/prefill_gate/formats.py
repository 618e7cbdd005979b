"""The forms that the result of a check can have, and where each of them goes."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from prefill_gate import text
from prefill_gate.errors import UsageError
from prefill_gate.files import write_whole

if TYPE_CHECKING:
    from prefill_gate.reports import Report

FORMATS = ("text", "json", "github", "sarif", "junit", "markdown")

JOB_SUMMARY = "GITHUB_STEP_SUMMARY"
"""The variable that names the file whose Markdown GitHub shows on the page of a job."""

FILE_COLUMNS = 100
"""How wide the text in a file is."""


class Output(NamedTuple):
    """A file that is to hold the result in a form."""

    form: str
    path: Path


def require_distinct(outputs: Sequence[Output]) -> None:
    """Raise ``UsageError`` when two results would go to one file."""
    seen: dict[str, Output] = {}
    for output in outputs:
        other = seen.setdefault(os.path.realpath(output.path), output)
        if other is not output:
            forms = f"{other.form} and {output.form}"
            raise UsageError(f"--output: {output.path} cannot hold {forms}; name two files")


def rendered(form: str, reports: Sequence[Report]) -> str:
    """Return reports in one of the ``FORMATS``, as a file holds them."""
    with text.laid_out_for(FILE_COLUMNS):
        return _rendered(form, reports)


def _rendered(form: str, reports: Sequence[Report]) -> str:
    # Imported here: most checks need one form only.
    match form:
        case "text":
            from prefill_gate.properties_text import render_all

            errors = [error for report in reports for error in report.shown_errors]
            return "\n\n".join([*errors, render_all(reports)]) + "\n"
        case "json":
            from prefill_gate.reports import all_to_json

            return json.dumps(all_to_json(reports), indent=1) + "\n"
        case "github":
            from prefill_gate import format_github

            return format_github.render(reports)
        case "sarif":
            from prefill_gate import format_sarif

            return format_sarif.render(reports)
        case "junit":
            from prefill_gate import format_junit

            return format_junit.render(reports)
        case _:
            from prefill_gate import format_markdown

            return format_markdown.render(reports)


def publish(
    reports: Sequence[Report], form: str, outputs: Sequence[Output], is_quiet: bool
) -> None:
    """Write the files that were asked for and the job summary, then print the reports.

    Raises ``UsageError`` when a file cannot be written; nothing is printed then.
    """
    for output in outputs:
        write_whole(output.path, rendered(output.form, reports))
    _summarise(reports)
    if form != "text":
        print(rendered(form, reports), end="")
        return
    from prefill_gate.properties_text import render_all

    said = render_all(reports, is_quiet)
    if said:
        print(said)


def publish_unchanged(form: str, base: str, is_quiet: bool) -> None:
    """Say that nothing has changed since a revision: nothing was proved, and no file is written.

    A report without findings would close those that an earlier check has filed.
    """
    said = f"nothing that is checked has changed since {base}"
    if form == "json":
        from prefill_gate.output import unchanged_to_json

        print(unchanged_to_json(base, said), end="")
    elif form in ("text", "github", "markdown") and not is_quiet:
        print(f"prefill-gate: {said}")


def publish_error(
    form: str, outputs: Sequence[Output], planner: str | None, details: dict[str, Any]
) -> None:
    """Say that a check came to no verdict wherever its result was to go.

    ``details`` are what is known of the error, as members of the documented JSON object. A file
    that cannot be written is named on standard error.
    """
    from prefill_gate.output import ERROR_MEMBERS, error_to_json
    from prefill_gate.reports import Report

    report = Report(
        "check",
        planner or "prefill-gate check",
        [],
        errors=[dict.fromkeys(ERROR_MEMBERS) | details],
        shown_errors=[details["message"]],
    )

    def told(form: str) -> str:
        return error_to_json("check", details) if form == "json" else rendered(form, [report])

    for output in outputs:
        try:
            write_whole(output.path, told(output.form))
        except Exception as error:
            # A form that fails itself keeps the error out of no other file.
            if str(error) != details["message"]:
                print(f"prefill-gate: {error}", file=sys.stderr)
    _summarise([report])
    if form != "text":
        print(told(form), end="")


def _summarise(reports: Sequence[Report]) -> None:
    """Append the reports to the job summary, where there is one.

    Nobody asked for it, so that it cannot be written changes no exit code.
    """
    place = os.environ.get(JOB_SUMMARY)
    if not place:
        return
    try:
        with Path(place).open("a", encoding="utf-8", errors="backslashreplace") as summary:
            summary.write(rendered("markdown", reports) + "\n")
    except OSError as error:
        said = f"cannot write the job summary {place}: {error.strerror}"
        print(f"prefill-gate: {said}", file=sys.stderr)
