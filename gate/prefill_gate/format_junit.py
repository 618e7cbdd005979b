"""A check as JUnit XML: a suite for each planner, a case for each property and role.

A refutation that is a warning only, or is as it was in the base, is a skipped case: the format has
no other word for a failure that fails nothing.
"""

from collections.abc import Sequence
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from prefill_gate.findings import deciding_line, reason_of, setting_of
from prefill_gate.paths import path_in_repository
from prefill_gate.properties_text import finding
from prefill_gate.reports import Report, Row
from prefill_gate.source_lines import visible

OUTCOMES = {"failure": "failures", "error": "errors", "skipped": "skipped"}
"""What a case can have come to beside success, and how a suite counts it."""


def render(reports: Sequence[Report]) -> str:
    """Return the document."""
    root = Element("testsuites", name="prefill-gate")
    for report in reports:
        suite = SubElement(root, "testsuite", name=visible(report.title))
        for error in report.errors:
            # A message may have several lines, and no sign may be one that XML does not know.
            construct = error["construct"] or "prefill-gate"
            case = SubElement(suite, "testcase", classname="source", name=visible(construct))
            where = "" if error["file"] is None else f"{error['file']}:{error['line']}: "
            SubElement(case, "error", type="source", message=visible(where + error["message"]))
        for row in report.rows:
            _add_case(suite, report, row)
        _count(suite)
        if report.warnings:
            SubElement(suite, "system-out").text = "\n".join(map(visible, report.warnings))
    _count(root)
    ElementTree.indent(root)
    document: bytes = ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)
    return document.decode() + "\n"


def _add_case(suite: Element, report: Report, row: Row) -> None:
    case = SubElement(suite, "testcase", classname=row.role, name=row.id)
    case.set("time", f"{row.seconds or 0:.6f}")
    line = deciding_line(row)
    if line is not None:
        case.set("file", visible(path_in_repository(report.source)))
        case.set("line", str(line))
    if row.region is not None:
        SubElement(case, "system-out").text = visible(setting_of(row))
    outcome = _outcome(row)
    if outcome is None:
        return
    found = SubElement(case, outcome, type=row.shown_verdict, message=visible(reason_of(row)))
    if row.verdict == "refuted":
        found.text = "\n".join(map(visible, finding(row).split("\n")))


def _outcome(row: Row) -> str | None:
    """Return what a case came to, ``None`` where the property is proved."""
    if row.verdict == "proved":
        return None
    if row.level != "deny" or row.is_old:
        return "skipped"
    return {"refuted": "failure", "inconclusive": "error"}.get(row.verdict, "skipped")


def _count(element: Element) -> None:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for outcome, plural in OUTCOMES.items():
        element.set(plural, str(len(list(element.iter(outcome)))))
    element.set("time", f"{sum(float(case.get('time', 0)) for case in cases):.6f}")
