"""``--smt2`` and ``--certify``: what proofs rest on, as files and for a second solver.

A refuted property needs no second opinion: its witness was run on ints.
"""

import shutil
import sys
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from prefill_gate.errors import UsageError
from prefill_gate.files import write_folder
from prefill_gate.queries import MARK, SECONDS, Proof, Question, Questions, key_of
from prefill_gate.reports import Report, Row
from prefill_gate.second_opinion import Dissent, SecondOpinion
from prefill_proofs.certify import Answer, ask_cvc5, cvc5_version
from prefill_proofs.smtlib import Writer


def certified(
    reports: Sequence[tuple[Report, Sequence[Proof]]], arguments: Namespace
) -> list[Report]:
    """Write what the proofs of some reports rest on, and return the reports with a second opinion.

    Files that are not asked for are kept only where the solvers do not agree. Raises ``UsageError``
    when the folder cannot be written, or when there is no cvc5 to certify them.
    """
    if arguments.certify and cvc5_version() is None:
        raise UsageError("--certify needs cvc5: pip install 'prefill-gate[certify]'")
    writer = Writer()
    asked = [
        Questions(writer, proofs, f"{number}." if len(reports) > 1 else "")
        for number, (_, proofs) in enumerate(reports, start=1)
    ]
    by_file = {name: entry for questions in asked for name, entry in questions.by_file.items()}
    contents = {name: question.text for name, question in by_file.items()}
    if arguments.smt2 is not None:
        write_folder(arguments.smt2, contents, MARK)
    if not arguments.certify:
        return [report for report, _ in reports]
    folder = arguments.smt2 or Path(tempfile.mkdtemp(prefix="prefill-gate-"))
    dissents: dict[str, Dissent] = {}
    try:
        if arguments.smt2 is None:
            for name, content in contents.items():
                (folder / name).write_text(content, encoding="utf-8")
        answers = ask_cvc5([folder / name for name in by_file], SECONDS)
        dissents = _dissents(by_file, folder, answers)
    finally:
        if arguments.smt2 is None and not dissents:
            shutil.rmtree(folder)
    for dissent in dissents.values():
        print(f"prefill-gate: {dissent.shown()}", file=sys.stderr)
    return [
        _seconded(report, questions, dissents)
        for (report, _), questions in zip(reports, asked, strict=True)
    ]


def _dissents(
    by_file: Mapping[str, Question], folder: Path, answers: Sequence[Answer]
) -> dict[str, Dissent]:
    """Return the queries that do not have the answer that is needed from both solvers."""
    return {
        name: Dissent(
            str(folder / name), question.needed, question.z3, answer.result, answer.reason
        )
        for (name, question), answer in zip(by_file.items(), answers, strict=True)
        if {question.z3, answer.result} != {question.needed}
    }


def _seconded(report: Report, questions: Questions, dissents: Mapping[str, Dissent]) -> Report:
    """Return a report with the opinion of cvc5, and with no proof that cvc5 contradicts."""
    mine = [dissent for name, dissent in dissents.items() if name in questions.by_file]
    version = cvc5_version()
    assert version is not None
    rows, pinning = (
        [_seconded_row(row, questions, dissents) for row in rows]
        for rows in (report.rows, report.pinning)
    )
    uncertified = [
        ".".join(key_of(row)) for row in (*rows, *pinning) if not row.details.get("certified", True)
    ]
    opinion = SecondOpinion(version, len(questions.by_file), mine, uncertified)
    return replace(report, rows=rows, pinning=pinning, second_opinion=opinion)


def _seconded_row(row: Row, questions: Questions, dissents: Mapping[str, Dissent]) -> Row:
    """Return a proved row as certified or not; one that is contradicted is proved no more."""
    if row.verdict not in ("proved", "implied"):
        return row
    files = questions.of_row.get(key_of(row), [])
    found = [dissents[file] for file in files if file in dissents]
    details = row.details | {"certified": bool(files) and not found}
    for dissent in found:
        if dissent.is_contradiction:
            reason = f"its proof is contradicted: {dissent.shown()}"
            return replace(
                row, verdict="inconclusive", scope=None, details=details | {"reason": reason}
            )
    return replace(row, details=details)
