"""Running witnesses on the compiled planner, where a Rust compiler is there."""

import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prefill_gate.playback import rust_call, rust_value
from prefill_gate.reports import plain
from prefill_gate.sources import PlannerFile
from prefill_proofs.prover import Verdict
from prefill_proofs.rust.modules import BUILT_IN
from prefill_proofs.source_subjects import SourceSubject
from prefill_proofs.types import BoolType, OptionType

COMPILE_SECONDS = 60
RUN_SECONDS = 10


@dataclass(frozen=True)
class Compiled:
    """What the compiled planner did on one witness: agreed, or why it was not asked."""

    agrees: bool | None
    said: str


class DisagreementError(Exception):
    """The compiled planner answers otherwise than the source was read: our reading is wrong."""


def run_compiled(
    planner: PlannerFile, verdicts: list[tuple[SourceSubject, Verdict]]
) -> list[Compiled]:
    """Run each witness on the compiled planner, with overflow checks on.

    Raises ``DisagreementError`` when the compiled planner answers otherwise.
    """
    rustc = shutil.which("rustc")
    if rustc is None:
        return [Compiled(None, "not asked: rustc is not installed")] * len(verdicts)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "main.rs"
        calls = "\n".join(
            f'    println!("{{:?}}", std::panic::catch_unwind(|| {_call(subject, verdict)}));'
            for subject, verdict in verdicts
        )
        main = f"\nfn main() {{\n    std::panic::set_hook(Box::new(|_| {{}}));\n{calls}\n}}\n"
        program.write_bytes(planner.content + _built_in(planner.content) + main.encode())
        binary = Path(folder) / "main"
        flags = ["--edition=2024", "-A", "warnings", "-C", "overflow-checks=on", "-o", str(binary)]
        done = subprocess.run(
            [rustc, *flags, str(program)],
            capture_output=True,
            text=True,
            timeout=COMPILE_SECONDS,
            check=False,
        )
        if done.returncode != 0:
            reason = next(
                (line for line in done.stderr.splitlines() if line.startswith("error")),
                "rustc fails",
            )
            return [Compiled(None, f"does not compile by itself: {reason}")] * len(verdicts)
        ran = subprocess.run(
            [str(binary)], capture_output=True, text=True, timeout=RUN_SECONDS, check=False
        )
    lines = ran.stdout.splitlines()
    return [
        _compared(subject, verdict, line)
        for (subject, verdict), line in zip(verdicts, lines, strict=True)
    ]


def _built_in(content: bytes) -> bytes:
    """Return the planner's crate that the gate knows of, where the file calls into it."""
    found = re.search(rb"(\w+)::ssm_tail_boundary", content)
    if found is None or found[1] in (b"crate", b"self", b"super"):
        return b""
    return b"\nmod %s {%s}\n" % (found[1], BUILT_IN.encode())


def _call(subject: SourceSubject, verdict: Verdict) -> str:
    assert verdict.witness is not None
    return rust_call(subject, verdict.witness.values, subject.function)


def _compared(subject: SourceSubject, verdict: Verdict, line: str) -> Compiled:
    assert verdict.witness is not None
    if subject.unknowns:
        return Compiled(None, f"not asked: {', '.join(subject.unknowns)} cannot be set")
    run = verdict.witness.run
    panicked = line.startswith("Err(")
    shown = re.sub(r"^Ok\((.*)\)$", r"\1", line)
    expected = "a panic" if run.fault is not None else _debug(subject, plain(run.answer))
    if panicked != (run.fault is not None) or (not panicked and shown != expected):
        found = "a panic" if panicked else shown
        raise DisagreementError(
            f"{subject.function} compiled gives {found} where its source was read as {expected}"
        )
    return Compiled(True, "the compiled planner does the same")


def _debug(subject: SourceSubject, value: Any) -> str:
    kind = subject.read.result
    if isinstance(kind, OptionType | BoolType):
        return rust_value(value, kind)
    return str(value)
