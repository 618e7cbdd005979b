"""A check as SARIF 2.1.0: a rule for each property, a result for each finding.

A waived property was not run and has no result.
"""

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

from prefill_gate import __version__
from prefill_gate.explain import help_markdown, help_text
from prefill_gate.findings import SEVERITIES, deciding_line, findings, told_of
from prefill_gate.paths import path_in_repository
from prefill_gate.reports import Report, Row
from prefill_spec.properties import Property
from prefill_spec.table import EVERY_PROPERTY, EVERY_PROPERTY_ID

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)

FINGERPRINT = "propertyRoleFunction/v1"
"""A finding is the same one as long as its property, role, function, file and planner are."""


def render(reports: Sequence[Report]) -> str:
    """Return a log with one run, that of all planners."""
    errors = [error for report in reports for error in report.errors]
    warnings = [warning for report in reports for warning in report.warnings]
    run = {
        "tool": {"driver": _driver()},
        "invocations": [
            {
                "executionSuccessful": not errors,
                "toolExecutionNotifications": [
                    *map(_notification, errors),
                    *({"level": "warning", "message": {"text": said}} for said in warnings),
                ],
            }
        ],
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, row) for report, row in findings(reports)],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _driver() -> dict[str, Any]:
    firsts = {entry.id: entry for entry in reversed(EVERY_PROPERTY)}
    rules = [_rule(firsts[name]) for name in EVERY_PROPERTY_ID]
    return {"name": "prefill-gate", "version": __version__, "rules": rules}


def _rule(entry: Property) -> dict[str, Any]:
    return {
        "id": entry.id,
        "shortDescription": {"text": entry.statement},
        "fullDescription": {"text": entry.why},
        "help": {"text": help_text(entry.id), "markdown": help_markdown(entry.id)},
        "defaultConfiguration": {"level": SEVERITIES[entry.level]},
    }


def _result(report: Report, row: Row) -> dict[str, Any]:
    # What is not decided fails the check, too, and SARIF has no level for results of other kinds.
    path = path_in_repository(report.source)
    located = _location(path, {"startLine": deciding_line(row)})
    located["logicalLocations"] = [{"fullyQualifiedName": row.function, "kind": "function"}]
    result = {
        "ruleId": row.id,
        "ruleIndex": EVERY_PROPERTY_ID.index(row.id),
        "kind": "fail",
        "level": "note" if row.is_old else SEVERITIES[row.level],
        "message": {"text": "\n".join(told_of(row))},
        "locations": [located],
        "partialFingerprints": {FINGERPRINT: _fingerprint(report, row, path)},
        "properties": {
            "planner": report.title,
            "role": row.role,
            "verdict": row.verdict,
            **row.details,
            **({} if row.region is None else {"except": row.region}),
        },
    }
    if row.base is not None:
        result["baselineState"] = "unchanged" if row.is_old else "new"
    if row.lines:
        steps = [
            _location(path, {"startLine": line.number, "snippet": {"text": line.words}})
            for line in row.lines
        ]
        flow = {"locations": [{"location": step} for step in steps]}
        result["codeFlows"] = [{"threadFlows": [flow]}]
    return result


def _fingerprint(report: Report, row: Row, path: str) -> str:
    parts = (row.id, row.role, str(row.function), path, report.name or "")
    return hashlib.sha256(os.fsencode("\n".join(parts))).hexdigest()


def _notification(error: dict[str, Any]) -> dict[str, Any]:
    if error["file"] is None:
        return {"level": "error", "message": {"text": error["message"]}}
    region = {"startLine": error["line"], "startColumn": error["column"]}
    return {
        "level": "error",
        "message": {"text": f"{error['construct']}: {error['message']}"},
        "locations": [_location(path_in_repository(error["file"]), region)],
    }


def _location(path: str, region: dict[str, Any]) -> dict[str, Any]:
    if PurePath(path).is_absolute():
        artifact = {"uri": PurePath(path).as_uri()}
    else:
        artifact = {"uri": quote(os.fsencode(path)), "uriBaseId": "%SRCROOT%"}
    return {"physicalLocation": {"artifactLocation": artifact, "region": region}}
