"""Proofs about whole prompts, from the properties of single calls alone.

A run theorem is an induction over the answers of a planner: a base, a step for an arbitrary
proposal, and an ending. Nothing here knows a planner. Its answers are arbitrary values of which
only the properties that the theorem ``uses`` are assumed.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, Literal

from prefill_proofs import multiples
from prefill_proofs.algebra import Algebra
from prefill_proofs.evidence import Step
from prefill_proofs.prover import VerdictKind
from prefill_proofs.solver import Solver
from prefill_proofs.types import BOOL, USIZE, OptionType, Type, in_range, symbol
from prefill_spec.calls import Call
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import PROPERTIES, Claim, Outcome
from prefill_spec.runs import Ending, Progress, RunPrompt, step_from
from prefill_spec.vocabulary import USIZE_MAX, Formula, negate


@dataclass(frozen=True)
class RunVerdict:
    """What is known of one run theorem.

    ``seconds`` is solver time, ``part`` where a proof failed, ``evidence`` that of a proof.
    """

    theorem: RunTheorem
    verdict: VerdictKind
    seconds: float
    part: str = ""
    evidence: tuple[Step, ...] = ()


@dataclass(frozen=True)
class Part:
    """One claim of an induction, with everything that its proof may assume."""

    name: Literal["base", "step", "end"]
    algebra: Algebra
    hypotheses: list[Formula]
    claim: Claim

    def assumptions(self) -> list[Formula]:
        """Return all that is assumed, the claim's own assumption included."""
        known = multiples.facts(self.algebra)
        return [*self.hypotheses, *self.algebra.definitions, *known, self.claim.when]


class _World:
    """Arbitrary values of a run, and the properties that are assumed of a planner's answers."""

    def __init__(self, uses: Collection[str], limit: int | None) -> None:
        self.algebra = Algebra()
        self.hypotheses: list[Formula] = []
        self._uses = uses
        self._limit = limit
        self.prompt = RunPrompt(
            total=self.value("total", USIZE),
            start=self.value("start", USIZE),
            block_size=self.value("block_size", OptionType(USIZE)),
            split=self.value("split", OptionType(USIZE)),
        )
        self.assume_answer(self.prompt.split_call, self.prompt.split)

    def value(self, name: str, kind: Type) -> Any:
        """Return an arbitrary value of a type."""
        found = symbol(self.algebra, name, kind)
        self.hypotheses.append(in_range(found, kind, self._limit))
        return found

    def assume_answer(self, call: Call, answer: Any) -> None:
        """Assume the used properties of a call's answer, none of which faults."""
        for entry in PROPERTIES:
            if entry.role == call.role and entry.id in self._uses:
                self.hypotheses.append(entry.claim(call, Outcome(False, answer)).formula())

    def progress(self, name: str) -> Progress:
        """Return an arbitrary progress.

        Its counts are natural numbers of any size: they count passes and fill no word.
        """
        answers = self.algebra.input(f"{name}.answers")
        passes = self.algebra.input(f"{name}.passes")
        self.hypotheses += (answers >= 0, passes >= 0)
        return Progress(
            offset=self.value(f"{name}.offset", USIZE),
            answers=answers,
            passes=passes,
            is_visited=self.value(f"{name}.is_visited", BOOL),
            is_tail=self.value(f"{name}.is_tail", BOOL),
        )


def parts_of(
    theorem: RunTheorem, uses: Collection[str], limit: int | None = USIZE_MAX
) -> list[Part]:
    """Return the claims of a theorem's induction, with the properties in ``uses`` assumed."""
    base = _World(uses, limit)
    parts = [Part("base", base.algebra, base.hypotheses, theorem.base(base.prompt))]

    world = _World(uses, limit)
    before, after = world.progress("before"), world.progress("after")
    step = step_from(
        world.prompt,
        before,
        proposed=world.value("proposed", USIZE),
        length=world.value("length", USIZE),
        is_divided=world.value("is_divided", BOOL),
        is_captured=world.value("is_captured", BOOL),
    )
    world.assume_answer(step.call, step.length)
    claim = theorem.advance(world.prompt, before, step, after)
    parts.append(Part("step", world.algebra, world.hypotheses, claim))

    last = _World(uses, limit)
    ending = Ending(
        last.progress("end"),
        saves=last.value("saves", BOOL),
        match=last.value("match", USIZE),
        restored=last.value("restored", USIZE),
    )
    interval = last.value("interval", USIZE)
    last.assume_answer(last.prompt.checkpoint_call(interval), ending.saves)
    claim = theorem.finish(last.prompt, ending)
    parts.append(Part("end", last.algebra, last.hypotheses, claim))
    return parts


def prove_run(
    theorem: RunTheorem, uses: Collection[str] | None = None, limit: int | None = USIZE_MAX
) -> RunVerdict:
    """Decide a run theorem from the properties in ``uses``, by default those that it names.

    ``limit`` is as in ``prover.prove``. A failed part is refuted only in the sense that the
    properties assumed do not entail it: some planner may keep them and break the theorem.
    """
    spent = 0.0
    evidence: tuple[Step, ...] = ()
    for part in parts_of(theorem, theorem.uses if uses is None else uses, limit):
        solver = Solver(part.assumptions())
        decision = solver.decide(negate(part.claim.then))
        spent += decision.seconds
        if decision.result != "unsat":
            verdict: VerdictKind = "refuted" if decision.result == "sat" else "inconclusive"
            return RunVerdict(theorem, verdict, spent, part.name)
        evidence += (Step(part.name, decision, part.algebra),)
    return RunVerdict(theorem, "proved", spent, evidence=evidence)
