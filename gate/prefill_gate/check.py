"""``prefill-gate check``: the contract of a planner, from its own source."""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from prefill_gate import exits
from prefill_gate.config import Config, find_configs, matching
from prefill_gate.decide import Decided, decide_role, needless_waivers
from prefill_gate.errors import ConfigError, UsageError
from prefill_gate.formats import publish, require_distinct
from prefill_gate.numbers import PROPERTY_SECONDS
from prefill_gate.paths import path_of
from prefill_gate.reports import Report, Row, RunLine, error_of, idle_row, row_of
from prefill_gate.run_rows import inherited_rows
from prefill_gate.selection import chosen_ids
from prefill_gate.sources import PlannerFile, is_rust, open_planner, roles_of
from prefill_proofs.language import Place
from prefill_proofs.prover import Verdict
from prefill_proofs.refusals import SourceError
from prefill_proofs.role_config import RoleConfig
from prefill_proofs.roles import Roles
from prefill_proofs.source_subjects import SourceSubject
from prefill_spec.calls import CALLS, UNANNOUNCED_ROLES
from prefill_spec.properties import NO_FAULT
from prefill_spec.run_theorems import RUN_THEOREMS
from prefill_spec.runs import CALLER_ASSUMPTION
from prefill_spec.table import every_property_of

if TYPE_CHECKING:
    from prefill_gate.queries import Proof


@dataclass(frozen=True)
class Checked:
    """A planner file with what was found about it."""

    planner: PlannerFile
    config: Config
    roles: Roles
    report: Report
    verdicts: list[tuple[SourceSubject, Verdict]]


def run_check(arguments: Namespace) -> int:
    """Check a planner file; return the exit code."""
    require_distinct(arguments.outputs)
    if arguments.base is not None:
        from prefill_gate.git import require_commit

        require_commit(arguments.base)
    found = [_checked(source, entry, arguments) for source, entry in _asked(arguments)]
    for checked in found:
        if arguments.rustc:
            _ask_compiler(checked)
        for error in checked.report.shown_errors:
            print(f"prefill-gate: {error}", file=sys.stderr)
    reports = [checked.report for checked in found]
    if arguments.certify or arguments.smt2 is not None:
        from prefill_gate.certify import certified

        reports = certified([(each.report, _proofs(each)) for each in found], arguments)
    publish(reports, arguments.format, arguments.outputs, arguments.quiet)
    if arguments.playback:
        out = sys.stdout if arguments.format == "text" else sys.stderr
        for checked in found:
            _print_playback(checked, arguments, out)
    return exits.worst(report.exit_code for report in reports)


def _checked(source: str, entry: Config, arguments: Namespace) -> Checked:
    """Return one planner, beside the same one in the base where one is given."""
    chosen = chosen_ids(arguments.properties, entry.ids)
    checked = check_planner(source, entry, chosen, arguments.timeout)
    if arguments.base is None or checked.report.errors:
        return checked
    from prefill_gate.base import beside_base

    return beside_base(checked, arguments.base, chosen, arguments.timeout)


def _asked(arguments: Namespace) -> list[tuple[str, Config]]:
    """Return the planner files that are asked for, each with what the configuration says of it."""
    given, config = arguments.planner, arguments.config
    if given is None:
        return [(_source_of(entry), entry) for entry in find_configs(config, None)]
    if not Path(given).is_dir():
        return _configured(given, config)
    from prefill_gate.folders import planners_in

    sources = planners_in(Path(given), config)
    return [asked for source in sources for asked in _configured(source, config)]


def _configured(given: str, config: str | None) -> list[tuple[str, Config]]:
    path = path_of(given)
    return [(given, entry) for entry in matching(find_configs(config, path), path)]


def _source_of(entry: Config) -> str:
    if entry.path is None:
        raise UsageError("name a planner file, or give its source in prefill-gate.toml")
    if entry.source is None:
        message = 'is not given; write source = "..", or name a planner file'
        raise ConfigError(entry.place, "planner.source", message)
    return os.path.relpath(entry.source)  # as the other commands call it


def _refuted(checked: Checked) -> list[tuple[SourceSubject, Verdict]]:
    return [entry for entry in checked.verdicts if entry[1].verdict == "refuted"]


def _proofs(checked: Checked) -> list[Proof]:
    """Return the proofs of a report's rows, those of the inherited theorems among them."""
    from prefill_gate.queries import proof_of, run_proof_of
    from prefill_proofs.run_proofs import prove_run

    if checked.report.errors:
        return []
    rows = {(row.role, row.id): row for row in checked.report.rows if row.verdict == "proved"}
    source = checked.report.source
    proofs = []
    for subject, verdict in checked.verdicts:
        row = rows.get((subject.role, verdict.property.id))
        if row is not None:
            proofs.append(proof_of(subject, verdict, source, row.region))
    proofs += [
        run_proof_of(prove_run(theorem)) for theorem in RUN_THEOREMS if ("run", theorem.id) in rows
    ]
    return proofs


def _ask_compiler(checked: Checked) -> None:
    """Run every witness on the compiled planner too, and note what it did."""
    from prefill_gate.rustc import run_compiled

    if not is_rust(checked.planner.name):
        raise UsageError(f"--rustc compiles Rust, and {checked.planner.name} is none")
    refuted = _refuted(checked)
    for (_, verdict), compiled in zip(refuted, run_compiled(checked.planner, refuted), strict=True):
        for row in checked.report.rows:
            if (row.role, row.id) == (verdict.property.role, verdict.property.id):
                row.details["rustc"] = {"agrees": compiled.agrees, "message": compiled.said}
                row.notes.append(f"rustc    {compiled.said}")


def _print_playback(checked: Checked, arguments: Namespace, out: TextIO) -> None:
    from prefill_gate.playback import PYTEST_HEAD, Playback

    # The configuration of a planner that was not named need not be the one above it.
    config = arguments.config if arguments.planner else str(checked.config.path)
    waived = {row.role for row in checked.report.rows if row.verdict == "waived"}
    entries = [
        Playback(checked.planner.name, config, subject, verdict, subject.role not in waived)
        for subject, verdict in _refuted(checked)
    ]
    if not entries:
        return
    if is_rust(checked.planner.name):
        print("\n" + "\n\n".join(entry.rust_test() for entry in entries), file=out)
    python = "\n\n\n".join([PYTEST_HEAD, *(entry.pytest_test() for entry in entries)])
    print(f"\n{python}", file=out)


def check_planner(
    given: str,
    config: Config,
    chosen: frozenset[str],
    timeout: float = PROPERTY_SECONDS,
    is_idle_allowed: bool = False,
) -> Checked:
    """Prove the chosen properties of every role of a planner file.

    A property that takes more than ``timeout`` seconds is inconclusive. That there is nothing to
    prove is an error, unless it is allowed.
    """
    errors: list[SourceError] = []
    try:
        planner = open_planner(given)
        roles = roles_of(planner, config.planner)
        errors += roles.errors
    except SourceError as error:
        planner, roles = PlannerFile(given, b"", None), Roles()
        errors.append(error)
    used = {use for theorem in RUN_THEOREMS if theorem.id in chosen for use in theorem.uses}
    wanted = chosen | used | ({NO_FAULT} if used else set())
    rows: list[Row] = []
    decided: list[Decided] = []
    for role in CALLS:
        entries = [entry for entry in every_property_of(role) if entry.id in wanted]
        subject = roles.subject(role)
        if subject is None:
            is_lacking = roles.subjects and role not in roles.failed
            if role in UNANNOUNCED_ROLES and role not in config.planner.roles:
                continue
            rows += [idle_row(entry, "skipped") for entry in entries if is_lacking]
            continue
        asked_for = [entry for entry in entries if config.level_of(entry.id) != "off"]
        said = config.planner.roles.get(role, RoleConfig())
        found = decide_role(subject, asked_for, said, timeout)
        errors += found.errors
        decided += found.by_id.values()
        rows += [
            decided_row(found.by_id[entry.id], config, planner)
            if entry.id in found.by_id
            else idle_row(entry, "waived", subject.function, config.reason_of(entry.id))
            for entry in entries
            if entry.id in found.by_id or entry not in asked_for
        ]
    if decided and not errors:
        rows += inherited_rows(rows, roles, chosen)
    asked = [row for row in rows if row.id in chosen]
    is_idle = all(row.verdict in ("skipped", "waived") for row in asked)
    if is_idle and not is_idle_allowed and not errors:
        place = Place(given, 1, 1)
        message = "every property asked for is waived, or its role is not there"
        errors.append(SourceError(place, "nothing to prove", message))
    report = Report(
        command="check",
        source=given,
        name=config.name,
        rows=rows,
        unknown_constants=sorted({name for entry in roles.subjects for name in entry.unknowns}),
        assumptions=_assumptions(roles, rows),
        warnings=list(needless_waivers(decided)),
        source_hash=planner.sha256 if planner.content else None,
        unread=roles.failed,
        errors=[error_of(error) for error in errors],
        shown_errors=[error.shown() for error in errors],
    )
    verdicts = [(found.subject, found.verdict) for found in decided]
    return Checked(planner, config, roles, report, verdicts)


def decided_row(found: Decided, config: Config, planner: PlannerFile) -> Row:
    """Return the row of what was decided, with the lines that a witness comes through."""
    subject, verdict = found.subject, found.verdict
    entry = verdict.property
    level = config.level_of(entry.id)
    is_as_usual = level == entry.level and found.region is None
    reason = None if is_as_usual else config.reason_of(entry.id)
    row = row_of(subject, verdict, level, reason, found.region)
    if verdict.witness is not None:
        source = planner.lines()
        numbers = subject.lines_run(verdict.witness.values, planner.name)
        lines = tuple(RunLine(number, source[number - 1]) for number in numbers)
        return replace(row, place=subject.read.place, lines=lines)
    return replace(row, place=subject.read.place)


def _assumptions(roles: Roles, rows: list[Row]) -> list[str]:
    found = ["usize has 64 bits"] if roles.subjects else []
    if any(row.role == "run" for row in rows):
        found.append(CALLER_ASSUMPTION)
    found += roles.assumptions
    for subject in roles.subjects:
        found += [f"{subject.function}: {limit}" for limit in subject.limits]
    return found
