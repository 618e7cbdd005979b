"""The formulas of properties and run theorems as people read them, taken from their rules."""

import ast
from dataclasses import dataclass
from typing import Any

from prefill_spec.calls import (
    CALLS,
    OPTIONAL_ANSWERS,
    OPTIONAL_FIELDS,
    Call,
    ChunkCall,
    further_parameters,
    parameters,
)
from prefill_spec.inductions import RunTheorem
from prefill_spec.properties import NO_FAULT, Outcome, Property, last_boundary_in_reach
from prefill_spec.runs import Ending, Progress, RunPrompt, Step
from prefill_spec.simplify import facts, lines, simplified, with_name
from prefill_spec.vocabulary import Formula, last_block_boundary
from prefill_spec.written import named, node_of, optional, text

ANSWERS: dict[str, str] = {
    "chunk_len": "length",
    "split_point": "split",
    "tail_end": "is_tail_end",
    "checkpoint": "saves",
    "snapshot_depth": "depth",
}
"""What the answer of each role is called."""

BOUNDARY = "boundary"
"""What the last block boundary is called, in a formula that speaks of it often."""


@dataclass(frozen=True)
class WrittenClaim:
    """A claim in lines of text: ``then`` all hold whenever all of ``when`` do.

    ``where`` says what the names stand for that are no arguments.
    """

    when: tuple[str, ...]
    then: tuple[str, ...]
    where: dict[str, str]


@dataclass(frozen=True)
class WrittenTheorem:
    """A run theorem in lines of text.

    ``prompt`` and ``proposal`` are assumed, ``between`` holds before each answer and after the
    last one, ``answer`` of each answer, and ``then`` at the end whenever ``end`` does.
    """

    prompt: tuple[str, ...]
    proposal: tuple[str, ...]
    between: tuple[str, ...]
    answer: tuple[str, ...]
    end: tuple[str, ...]
    then: tuple[str, ...]


def written_call(role: str) -> Call:
    """Return a role's call with names for its arguments; of stops, it has the split point alone."""
    names = [name for name in (*parameters(role), *further_parameters(role)) if name != "stops"]
    values: dict[str, Any] = {
        name: optional(name) if name in OPTIONAL_FIELDS else named(name) for name in names
    }
    return CALLS[role](**values)


def written_claim(entry: Property) -> WrittenClaim:
    """Return what a property says of a call that does not fault, or that none does."""
    call = written_call(entry.role)
    name = ANSWERS[entry.role]
    answer = optional(name) if entry.role in OPTIONAL_ANSWERS else named(name)
    asked = Outcome(named("faulted"), answer) if entry.id == NO_FAULT else answer
    claim = entry.rule(call, asked)
    when = simplified(node_of(claim.when))
    nodes = [when, simplified(node_of(claim.then), facts([when]))]
    boundary = _boundary(call)
    with_boundary, count = with_name(nodes, BOUNDARY, boundary)
    is_named = count > 2
    when, then = with_boundary if is_named else nodes
    return WrittenClaim(
        tuple(lines(when)),
        tuple(lines(then)),
        {BOUNDARY: boundary} if is_named else {},
    )


def _boundary(call: Any) -> str:
    if isinstance(call, ChunkCall):
        return text(last_boundary_in_reach(call).node)
    return text(last_block_boundary(call.total, call.block_size.value).node)


def written_domain(role: str) -> tuple[str, ...]:
    """Return what holds of every scheduled call of a role, besides the range of its numbers."""
    return _written(written_call(role).domain())


def _written(formula: Formula, *known: Formula) -> tuple[str, ...]:
    return tuple(lines(simplified(node_of(formula), facts(map(_simple, known)))))


def _simple(formula: Formula) -> ast.expr:
    return simplified(node_of(formula))


PROMPT = RunPrompt(named("total"), named("start"), optional("block_size"), optional("split"))
"""The prompt of a written theorem."""

REACHED = Progress(
    named("reached"), named("answers"), named("passes"), named("is_visited"), named("is_tail")
)
"""How far the run of a written theorem has come."""

STEP = Step(
    ChunkCall(named("offset"), PROMPT.total, named("proposed"), PROMPT.block_size, PROMPT.split),
    named("length"),
    named("is_divided"),
    named("is_captured"),
)
"""An answer in the run of a written theorem."""

ENDING = Ending(REACHED, named("saves"), named("match"), named("restored"))
"""The end of the run of a written theorem."""


def written_theorem(theorem: RunTheorem) -> WrittenTheorem:
    """Return what a run theorem assumes and shows."""
    premise = theorem.premise(PROMPT)
    offer = theorem.offer(STEP)
    claim = theorem.shown_at_end(PROMPT, ENDING)
    return WrittenTheorem(
        prompt=_written(premise),
        proposal=_written(offer),
        between=_written(theorem.invariant(PROMPT, REACHED), premise),
        answer=_written(theorem.shown_by_step(PROMPT, REACHED, STEP), premise, offer),
        end=_written(claim.when, premise),
        then=_written(claim.then, premise, claim.when),
    )
