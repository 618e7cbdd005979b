"""``prefill-gate diff``: whether two planners are equal, or where they differ."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from prefill_gate import exits
from prefill_gate.check import Checked, check_planner
from prefill_gate.config import find_config, find_configs
from prefill_gate.diff_report import DiffReport, PropertyChange, to_json
from prefill_gate.diff_text import render
from prefill_gate.errors import UsageError
from prefill_gate.files import write_whole
from prefill_gate.numbers import PROPERTY_SECONDS
from prefill_gate.output import emit
from prefill_gate.paths import name_in_revision, path_of
from prefill_gate.reports import error_of
from prefill_gate.selection import chosen_ids
from prefill_proofs.comparison import Comparison, compare
from prefill_proofs.language import Place
from prefill_proofs.prover import ContradictionError
from prefill_proofs.refusals import SourceError
from prefill_spec.calls import CALLS


def run_diff(arguments: Namespace) -> int:
    """Compare two planner files; return the exit code.

    The files that were asked for are written before anything is printed, unless a planner cannot be
    read: then there is nothing to write.
    """
    if arguments.traces and arguments.html is None and arguments.markdown is None:
        message = "--trace is for a page or a comment: give --html FILE or --markdown FILE, or"
        raise UsageError(f"{message} replay it with prefill-gate impact")
    before, after = (_checked(name, arguments) for name in names_of(arguments))
    report = diff_planners(before, after, arguments.timeout)
    for error in report.shown_errors:
        print(f"prefill-gate: {error}", file=sys.stderr)
    code = report.exit_code(arguments.exit_code)
    if not report.errors:
        code = exits.worst((code, _write_reviews(arguments, report, before, after)))
    emit(arguments.format, lambda: to_json(report), lambda: render(report, arguments.quiet))
    return code


def _write_reviews(
    arguments: Namespace, report: DiffReport, before: Checked, after: Checked
) -> int:
    """Write the page and the comment that were asked for; return the exit code of the replay.

    What they need is loaded here only.
    """
    if arguments.html is None and arguments.markdown is None:
        return exits.HOLDS
    from prefill_gate.review import review_of

    review = review_of(report, before, after)
    if arguments.traces:
        from prefill_gate.review_traffic import replay_traffic

        review = replace(review, traffic=replay_traffic(arguments, before, after))
    if arguments.html is not None:
        from prefill_gate import review_html

        write_whole(arguments.html, review_html.render(review))
    if arguments.markdown is not None:
        from prefill_gate import review_markdown

        write_whole(arguments.markdown, review_markdown.render(review))
    return exits.HOLDS if review.traffic is None else review.traffic.exit_code()


def names_of(arguments: Namespace) -> tuple[str, str]:
    """Return what the two planners are called, each ``PATH`` or ``REV:PATH``.

    A revision alone stands for the configured planner there; the other one is in the working tree.
    """
    if arguments.head is not None:
        return arguments.base, arguments.head
    revision = arguments.base
    if Path(revision).exists() or ":" in revision:
        raise UsageError(f"{revision} is compared with what? Name a second planner, or a REV alone")
    sources = [entry.source for entry in find_configs(arguments.config, None) if entry.source]
    if len(sources) != 1:
        raise UsageError("name two planners, or give the source of one in prefill-gate.toml")
    return name_in_revision(revision, sources[0]), os.path.relpath(sources[0])


def diff_planners(before: Checked, after: Checked, timeout: float = PROPERTY_SECONDS) -> DiffReport:
    """Compare every role that two planner files share, and the properties that they keep.

    Comparing a role may take ``timeout`` seconds, and drawing its map as long.
    """
    report = DiffReport(
        before.planner.name,
        after.planner.name,
        errors=[*before.report.errors, *after.report.errors],
        shown_errors=[*before.report.shown_errors, *after.report.shown_errors],
    )
    if report.errors:
        return report
    try:
        report.comparisons += _comparisons(before, after, timeout)
    except SourceError as error:
        report.errors.append(error_of(error))
        report.shown_errors.append(error.shown())
        return report
    compared = {entry.pair.role for entry in report.comparisons}
    for checked, only in ((before, report.only_base), (after, report.only_head)):
        only += [entry.role for entry in checked.roles.subjects if entry.role not in compared]
    report.properties += _property_changes(before, after)
    found = [*before.report.assumptions, *after.report.assumptions]
    report.assumptions += dict.fromkeys(found)
    unknown = {*before.report.unknown_constants, *after.report.unknown_constants}
    report.unknown_constants += sorted(unknown)
    return report


def _checked(name: str, arguments: Namespace) -> Checked:
    """Return a planner with every property that its configuration asks for, waived ones too."""
    found = find_config(arguments.config, path_of(name))
    return check_planner(name, found, chosen_ids(None, found.ids), arguments.timeout, True)


def _comparisons(before: Checked, after: Checked, timeout: float) -> Iterator[Comparison]:
    found = 0
    for role in CALLS:
        base, head = before.roles.subject(role), after.roles.subject(role)
        if base is None or head is None:
            continue
        found += 1
        try:
            yield compare(base, head, timeout)
        except ContradictionError as error:
            message = "the assumptions of the two sides leave no call that both can be given"
            raise SourceError(head.read.place, f"role {role}", message) from error
    if not found:
        place = Place(after.planner.name, 1, 1)
        raise SourceError(place, "nothing to compare", "there is no role that both planners play")


def _property_changes(before: Checked, after: Checked) -> Iterator[PropertyChange]:
    """Yield what became of each property and run theorem that either side is known to break."""
    rows = {(row.id, row.role): row for row in before.report.rows}
    for row in after.report.rows:
        base = rows.get((row.id, row.role))
        if base is not None and row.verdict != "skipped" and base.verdict != "skipped":
            yield PropertyChange(base, row)
