"""``prefill-gate mutants``: whether the specification notices every small mistake in a planner."""

import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import replace

from prefill_gate.check import Checked, check_planner
from prefill_gate.config import Config, find_config
from prefill_gate.errors import UsageError
from prefill_gate.mutants_arguments import Shard
from prefill_gate.mutants_report import MutantRow, MutantsReport, to_json
from prefill_gate.mutants_text import render
from prefill_gate.output import emit
from prefill_gate.paths import path_of
from prefill_gate.progress import Progress
from prefill_proofs import own_source
from prefill_proofs.mutant_verdicts import Catcher, MutantVerdict, Trial
from prefill_proofs.mutations import Mutant, mutants_of

OWN_NAME = "/".join(own_source.PATH.parts[-2:])
"""What the shipped planner's file is called, wherever it is installed."""

Numbered = list[tuple[Trial, Mutant]]
"""The mutants in the order in which shards count them, each with the role that it is of."""


def run_mutants(arguments: Namespace) -> int:
    """Decide the mutants of a planner; return the exit code."""
    checked = _checked(arguments)
    report = MutantsReport(checked, arguments.shard)
    for error in checked.report.shown_errors:
        print(f"prefill-gate: {error}", file=sys.stderr)
    if not checked.report.errors:
        whole = _numbered(_trials(report))
        if not whole:
            raise UsageError(f"{report.source}: there is nothing in it that could be changed")
        numbered = _shard(whole, arguments.shard)
        verdicts = _decided(numbered, arguments.jobs)
        report.rows.extend(
            MutantRow(trial.subject, mutant, verdict)
            for (trial, mutant), verdict in zip(numbered, verdicts, strict=True)
        )
    emit(arguments.format, lambda: to_json(report), lambda: render(report))
    return report.exit_code


def _checked(arguments: Namespace) -> Checked:
    """Return the planner, with what is known of every property that is asked of it."""
    if arguments.planner is not None:
        config = find_config(arguments.config, path_of(arguments.planner))
        return check_planner(arguments.planner, config, config.ids)
    if arguments.config is not None:
        raise UsageError("--config is for a planner of yours; name its file, too")
    own = Config(planner=own_source.CONFIG)
    checked = check_planner(str(own_source.PATH), own, own.ids)
    return replace(checked, report=replace(checked.report, source=OWN_NAME))


def _trials(report: MutantsReport) -> list[Trial]:
    """Return the roles of a planner, each with the properties that can catch a mutant of it."""
    found = [
        Catcher(verdict.property, subject)
        for subject, verdict in report.checked.verdicts
        if report.can_catch(verdict.property.role, verdict.property.id)
    ]
    return [
        Trial(subject, tuple(entry for entry in found if entry.property.role == subject.role))
        for subject in report.checked.roles.subjects
    ]


def _numbered(trials: Sequence[Trial]) -> Numbered:
    return [(trial, mutant) for trial in trials for mutant in mutants_of(trial.subject.read)]


def _shard(numbered: Numbered, shard: Shard) -> Numbered:
    return numbered[shard.number - 1 :: shard.shards]


def _decided(numbered: Numbered, jobs: int) -> list[MutantVerdict]:
    """Return the verdicts on all mutants, at most ``jobs`` of them decided at a time."""
    with Progress(len(numbered)) as progress:
        found = []
        for verdict in _in_turn(numbered) if jobs == 1 else _in_processes(numbered, jobs):
            found.append(verdict)
            progress.finish(1)
        return found


def _in_turn(numbered: Numbered) -> Iterator[MutantVerdict]:
    return (trial.decide(mutant.read) for trial, mutant in numbered)


def _in_processes(numbered: Numbered, jobs: int) -> Iterator[MutantVerdict]:
    from concurrent.futures import ProcessPoolExecutor  # here, for it is slow to load

    pool = ProcessPoolExecutor(jobs, initializer=_begin, initargs=(numbered, _frames()))
    try:
        yield from pool.map(_decide, range(len(numbered)))
    finally:
        pool.shutdown(cancel_futures=True)


def _frames() -> int:
    return sys.getrecursionlimit()


_mutants: Numbered = []
"""What a process of the pool decides mutants of: those that it was begun with."""


def _begin(numbered: Numbered, frames: int) -> None:
    sys.setrecursionlimit(frames)
    _mutants[:] = numbered


def _decide(number: int) -> MutantVerdict:
    trial, mutant = _mutants[number]
    return trial.decide(mutant.read)
