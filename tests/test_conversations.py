"""Conversations through the cache: any turns, any proposals, and what each of them replays."""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from prefill_reference.cache import common_prefix
from prefill_reference.conversations import Conversation, Turn
from prefill_reference.policies import BEFORE, CURRENT
from prefill_reference.proposals import dense, listed
from prefill_reference.runs import run_prompt
from prefill_spec.vocabulary import floor_to

BLOCK_SIZES = (None, 0, 1, 3, 4, 16)


class Conversations(RuleBasedStateMachine):
    """A conversation under the current policy, with an unused token for each new one."""

    conversation: Conversation
    next_token: int

    @initialize(
        block_size=st.sampled_from(BLOCK_SIZES),
        interval=st.integers(0, 3),
        proposals=st.lists(st.integers(1, 70), min_size=1, max_size=6),
        dispatch=st.sampled_from(["two-pass", "in-pass"]),
    )
    def open(self, block_size, interval, proposals, dispatch) -> None:  # type: ignore[no-untyped-def]
        self.conversation = Conversation(CURRENT, listed(proposals), block_size, interval, dispatch)
        self.next_token = 0

    @property
    def turns(self) -> list[Turn]:
        return self.conversation.turns

    @property
    def block_size(self) -> int:
        return self.conversation.block_size or 0

    @rule(length=st.integers(1, 120), unreproduced=st.integers(0, 5))
    def say(self, length: int, unreproduced: int) -> None:
        tokens = range(self.next_token, self.next_token + length)
        self.next_token += length
        self.conversation.say(tokens, unreproduced)

    @precondition(lambda self: self.turns)
    @rule()
    def repeat(self) -> None:
        turn = self.conversation.say(())
        if self.block_size:
            assert turn.restore.replayed <= 2 * self.block_size

    @precondition(lambda self: len(self.turns) > 1)
    @rule()
    def a_turn_restores_what_the_one_before_saved(self) -> None:
        before, turn = self.turns[-2:]
        shared = common_prefix(before.prompt, turn.prompt)
        split = before.run.split
        if split is not None and split <= turn.restore.match <= shared:
            assert turn.restore.restored >= split

    @invariant()
    def every_run_prefills_the_rest_of_its_prompt(self) -> None:
        for turn in self.turns:
            assert turn.run.stall is None
            assert turn.run.offset == len(turn.prompt)
            assert turn.run.prompt.start == turn.restore.restored

    @invariant()
    def a_restore_is_at_or_below_a_match_of_whole_blocks(self) -> None:
        for turn in self.turns:
            match, restored, replayed = turn.restore
            assert restored <= match < len(turn.prompt)
            assert match == floor_to(match, self.block_size)
            assert replayed == len(turn.prompt) - restored

    @invariant()
    def only_saved_state_of_the_same_tokens_is_restored(self) -> None:
        for index, turn in enumerate(self.turns):
            depth = turn.restore.restored
            assert depth == 0 or any(
                depth in earlier.run.snapshots and earlier.prompt[:depth] == turn.prompt[:depth]
                for earlier in self.turns[:index]
            )


def test_any_conversation_restores_what_it_may() -> None:
    run_state_machine_as_test(
        Conversations, settings=settings(max_examples=60, stateful_step_count=12)
    )


def conversation(policy=CURRENT) -> Conversation:  # type: ignore[no-untyped-def]
    return Conversation(policy, dense(8192, 1), block_size=16, interval=16)


def test_the_first_turn_is_cold() -> None:
    turn = conversation().say(range(1000))
    assert turn.restore == (0, 0, 1000)


def test_a_repeated_turn_replays_its_tail() -> None:
    replayed = []
    for policy in (BEFORE, CURRENT):
        talk = conversation(policy)
        talk.say(range(32_772))
        replayed.append(talk.say(()).restore.replayed)
    assert replayed == [8195, 20]


def test_a_turn_that_extends_the_prompt_restores_at_its_split_point() -> None:
    talk = conversation()
    talk.say(range(32_772))
    turn = talk.say(range(100_000, 100_500))
    assert turn.restore == (32_768, 32_752, 520)


def test_a_turn_that_does_not_reproduce_the_last_tokens_still_restores_there() -> None:
    talk = conversation()
    talk.say(range(32_772))
    turn = talk.say(range(100_000, 100_500), unreproduced=5)
    assert turn.restore.match == 32_752
    assert turn.restore.restored == 32_752


def test_a_repeated_restored_turn_saves_the_same_depths() -> None:
    talk = conversation()
    first = talk.say(range(32_772))
    again = talk.say(())
    assert again.run.snapshots == []
    cold = run_prompt(CURRENT, first.run.prompt, talk.proposals)
    assert cold.snapshots == first.run.snapshots
