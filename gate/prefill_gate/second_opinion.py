"""What a second solver said of the queries that a report rests on."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from prefill_gate import exits


class Dissent(NamedTuple):
    """A query that does not have the answer that proofs need from both solvers."""

    file: str
    needed: str
    z3: str
    cvc5: str
    reason: str = ""

    @property
    def is_contradiction(self) -> bool:
        """Whether one of the solvers says that a proof is wrong; else it only does not know."""
        return not {self.z3, self.cvc5} <= {self.needed, "unknown"}

    def shown(self) -> str:
        """Return the dissent as text."""
        because = f" ({self.reason})" if self.reason else ""
        answers = f"Z3 answers {self.z3}, cvc5 {self.cvc5}{because}"
        return f"{self.file}: needs to be {self.needed}, {answers}"


@dataclass(frozen=True)
class SecondOpinion:
    """How far cvc5 and Z3 agree that queries have the answers that the proofs need."""

    version: str
    """That of cvc5."""
    queries: int
    dissents: list[Dissent]
    uncertified: list[str]
    """The proved rows without a certificate, each as its role and id."""

    @property
    def agreed(self) -> int:
        """The number of queries that both solvers answer as it is needed."""
        return self.queries - len(self.dissents)

    @property
    def exit_code(self) -> int:
        """The exit code: a proof of ours that is contradicted is a fault of our own."""
        if any(dissent.is_contradiction for dissent in self.dissents):
            return exits.INTERNAL
        return exits.INCONCLUSIVE if self.uncertified else exits.HOLDS

    def sentence(self) -> str:
        """Return the opinion for people."""
        if self.uncertified:
            agreed = f"cvc5 {self.version} agrees on {self.agreed} of {self.queries} queries"
            listed = ", ".join(self.uncertified)
            dissents = (entry.shown() for entry in self.dissents)
            return "; ".join([f"Not certified: {listed}", agreed, *dissents])
        if not self.queries:
            return "Nothing to certify: there is no proof"
        return f"Certified: cvc5 {self.version} agrees on all {self.queries} queries"

    def to_json(self) -> dict[str, Any]:
        """Return the opinion as the documented JSON object."""
        contradicted = [entry._asdict() for entry in self.dissents if entry.is_contradiction]
        undecided = [entry._asdict() for entry in self.dissents if not entry.is_contradiction]
        return {
            "solver": "cvc5",
            "version": self.version,
            "queries": self.queries,
            "agreed": self.agreed,
            "uncertified": self.uncertified,
            "contradicted": contradicted,
            "undecided": undecided,
        }
