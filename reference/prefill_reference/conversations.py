"""A conversation: turns that extend one prompt, through one cache. All counts are tokens."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field

from prefill_reference.cache import PrefixCache, Restore
from prefill_reference.dispatcher import Dispatch
from prefill_reference.policies import Policy
from prefill_reference.proposals import Proposals
from prefill_reference.runs import Prompt, Run, run_prompt


@dataclass(frozen=True)
class Turn:
    """One request of a conversation: its prompt, where it restored, and its run from there."""

    prompt: tuple[Hashable, ...]
    restore: Restore
    run: Run


@dataclass
class Conversation:
    """The turns so far; ``block_size`` is absent where the cache has no blocks."""

    policy: Policy
    proposals: Proposals
    block_size: int | None
    interval: int
    dispatch: Dispatch = "two-pass"
    turns: list[Turn] = field(default_factory=list)
    cache: PrefixCache = field(init=False)

    def __post_init__(self) -> None:
        self.cache = PrefixCache(self.block_size or 0)

    def say(self, tokens: Sequence[Hashable], unreproduced: int = 0) -> Turn:
        """Run the next turn: the last prompt without its ``unreproduced`` last tokens, and more.

        A chat template often renders the end of an old turn in another way than it was generated.
        """
        earlier = self.turns[-1].prompt if self.turns else ()
        prompt = (*earlier[: max(len(earlier) - unreproduced, 0)], *tokens)
        found = self.cache.lookup(prompt)
        run = run_prompt(
            self.policy,
            Prompt(len(prompt), self.block_size, self.interval, found.restored),
            self.proposals,
            self.dispatch,
        )
        self.cache.insert(prompt, run.snapshots)
        self.turns.append(Turn(prompt, found, run))
        return self.turns[-1]
