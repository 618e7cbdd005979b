"""The queries that proofs rest on, each as a file that says what it means."""

from collections.abc import Iterable
from functools import cache
from typing import Literal, NamedTuple

from prefill_gate.reports import Row
from prefill_proofs.algebra import Algebra
from prefill_proofs.evidence import Step, StepKind
from prefill_proofs.lemmas import LEMMAS, follow
from prefill_proofs.prover import Finding, Verdict
from prefill_proofs.run_proofs import RunVerdict
from prefill_proofs.smtlib import Writer
from prefill_proofs.solver import Query, Solver, solver_version
from prefill_proofs.subjects import Subject
from prefill_spec.vocabulary import Formula

TITLE = "prefill-gate: "
MARK = f"; {TITLE}"
"""What each of the files starts with."""

SECONDS = 5.0
"""What either solver may take for one query; the shipped planner's take tenths of it."""

MEANINGS: dict[StepKind, str] = {
    "goal": "Asks for a call on which it fails. unsat: there is none, so it is proved.",
    "equality": "Asks for a call that the function answers otherwise than the reference. unsat: "
    "there is none, so that what is proved of the reference holds of the function.",
    "reference": "Asks for a call on which it fails for the reference, which the function is equal "
    "to. unsat: there is none.",
    "base": "Asks for a run that has not begun and of which the induction fails. unsat: there is "
    "none, so its base is proved.",
    "step": "Asks for a run of which the induction holds up to a pass and fails after the next. "
    "unsat: there is none, so its step is proved.",
    "end": "Asks for a whole run of which the induction holds and the theorem fails. unsat: there "
    "is none, so the theorem follows.",
}

LEMMA = "Asks for integers on which it fails. unsat: it is true of all integers."

FOLLOWS = (
    "Asks for integers on which the lemmas hold and a fact fails that the proofs take to be known "
    "of quotients and products. unsat: every such fact follows."
)

HYPOTHESES = (
    "Asks for integers that meet all that the proofs assume. sat: there are some, so that it is "
    "not from a contradiction that the proofs follow."
)


class Proof(NamedTuple):
    """What a proved row rests on; ``about`` says what is proved, a sentence an entry."""

    role: str
    id: str
    about: tuple[str, ...]
    evidence: tuple[Step, ...]
    is_unbounded: bool


def proof_of(
    subject: Subject,
    verdict: Verdict,
    source: str,
    region: str | None = None,
    is_unbounded: bool = False,
) -> Proof:
    """Return the proof of a property: of usize, or of all natural numbers."""
    entry = verdict.property
    where = "" if region is None else f", except where {region}"
    about = (
        f"{entry.id}: {entry.statement}",
        f"Of {subject.function} in {source}, role {entry.role}, {_numbers(is_unbounded)}{where}.",
    )
    return Proof(entry.role, entry.id, about, verdict.evidence, is_unbounded)


def run_proof_of(verdict: RunVerdict, is_unbounded: bool = False) -> Proof:
    """Return the proof of a run theorem: of usize, or of all natural numbers."""
    theorem = verdict.theorem
    about = (
        f"{theorem.id}: {theorem.statement}",
        f"Of every planner that keeps {', '.join(theorem.uses)}, {_numbers(is_unbounded)}.",
    )
    return Proof("run", theorem.id, about, verdict.evidence, is_unbounded)


def pinning_proof_of(row: Row, found: Finding) -> Proof:
    """Return the proof that a role is pinned, or that other properties imply one."""
    others = ", ".join(row.details.get("uses", ("the others of its role",)))
    about = (
        f"{row.id}: {row.statement}",
        f"Of any outcome that keeps {others}, role {row.role}, {_numbers(is_unbounded=False)}.",
    )
    return Proof(*key_of(row), about, found.evidence, is_unbounded=False)


def key_of(row: Row) -> tuple[str, str]:
    """Return what tells the rows of a report apart: a property may be proved, and implied."""
    return row.role, f"{row.id}.implied" if row.verdict == "implied" else row.id


def _numbers(is_unbounded: bool) -> str:
    return "for all natural numbers" if is_unbounded else "for all 64-bit numbers"


class Question(NamedTuple):
    """A query in a file, the answer that proofs need, and the one that Z3 gave."""

    text: str
    needed: Literal["sat", "unsat"]
    z3: Literal["sat", "unsat", "unknown"]


class Questions:
    """The questions that the rows of a report rest on, by the names of their files.

    Names start with ``prefix``. Beside the steps of a proof there are three kinds: whether its
    hypotheses can be met, whether the facts of multiples follow from the lemmas, and the lemmas.
    """

    def __init__(self, writer: Writer, proofs: Iterable[Proof], prefix: str = "") -> None:
        self.by_file: dict[str, Question] = {}
        self.of_row: dict[tuple[str, str], list[str]] = {}
        self._writer = writer
        self._prefix = prefix
        self._follow = cache(follow)
        self._shared: dict[_Key, tuple[Query, str]] = {}
        for proof in proofs:
            files = self.of_row.setdefault((proof.role, proof.id), [])
            for step in proof.evidence:
                files += self._of_step(proof, step)

    def _of_step(self, proof: Proof, step: Step) -> list[str]:
        name = f"{proof.role}.{proof.id}" + ("" if step.kind == "goal" else f".{step.kind}")
        about = (*proof.about, MEANINGS[step.kind])
        own = self._free(name, proof)
        decision = step.decision
        self._add(own, about, decision.query, step.algebra, "unsat", decision.result)
        # The properties of a role share what they assume.
        base = proof.role if step.kind in ("goal", "equality") else name
        return [own, *self._of_facts(base, proof, step), self._of_hypotheses(base, proof, step)]

    def _of_facts(self, base: str, proof: Proof, step: Step) -> list[str]:
        """Add the questions about what a step takes to be known of multiples."""
        if not step.algebra.divisions and not step.algebra.products:
            return []
        title = ("what is known of quotients and products", _of_whom(proof), FOLLOWS)
        query = self._follow(step.algebra, step.is_extended)
        facts = self._share(f"{base}.facts", proof, title, query, step.algebra, "unsat")
        lemmas = []
        for lemma in LEMMAS:
            lemmas.append(f"lemma.{lemma.id}.smt2")
            if lemmas[-1] not in self.by_file:
                about = (f"lemma {lemma.id}: {lemma.statement}", LEMMA)
                self._ask(lemmas[-1], about, lemma.query(), Algebra(), "unsat")
        return [facts, *lemmas]

    def _of_hypotheses(self, base: str, proof: Proof, step: Step) -> str:
        """Add the question whether anything meets the hypotheses of a step."""
        about = ("what is assumed", _of_whom(proof), HYPOTHESES)
        query = Query(step.decision.query.hypotheses)
        return self._share(f"{base}.hypotheses", proof, about, query, step.algebra, "sat")

    def _share(
        self,
        name: str,
        proof: Proof,
        about: tuple[str, ...],
        query: Query,
        algebra: Algebra,
        needed: Literal["sat", "unsat"],
    ) -> str:
        """Return the file that asks a query, which is added unless another proof asks it too."""
        key = tuple(map(_number, query.hypotheses)), tuple(map(_number, query.parts))
        if key not in self._shared:
            file = self._free(name, proof)
            self._ask(file, about, query, algebra, needed)
            # The query is kept, so that the numbers of its formulas stay theirs.
            self._shared[key] = (query, file)
        return self._shared[key][1]

    def _free(self, name: str, proof: Proof) -> str:
        """Return a name of a file that is not taken."""
        whole = f"{self._prefix}{name}" + (".naturals" if proof.is_unbounded else "")
        number = 1
        while (
            file := f"{whole}.smt2" if number == 1 else f"{whole}.{number}.smt2"
        ) in self.by_file:
            number += 1
        return file

    def _ask(
        self,
        file: str,
        about: tuple[str, ...],
        query: Query,
        algebra: Algebra,
        needed: Literal["sat", "unsat"],
    ) -> None:
        """Add a question that Z3 has not been asked yet."""
        answer = Solver(query.hypotheses).decide(*query.parts, timeout=SECONDS).result
        self._add(file, about, query, algebra, needed, answer)

    def _add(
        self,
        file: str,
        about: tuple[str, ...],
        query: Query,
        algebra: Algebra,
        needed: Literal["sat", "unsat"],
        answer: Literal["sat", "unsat", "unknown"],
    ) -> None:
        first, *others = about
        comment = (f"{TITLE}{first}", *others, f"Z3 {solver_version()} answers {answer}.")
        text = self._writer.script(query, comment, algebra)
        self.by_file[file] = Question(text, needed, answer)


_Key = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers of a query's formulas."""


def _number(formula: Formula) -> int:
    """Return the number that Z3 gives a formula: one for all that are written alike."""
    return -int(formula) - 1 if isinstance(formula, bool) else int(formula.get_id())


def _of_whom(proof: Proof) -> str:
    """Return what a question is about that the proof is the first to ask."""
    return f"Asked for the proof of {proof.id}, and of others that share it. {proof.about[1]}"
