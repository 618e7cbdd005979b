"""The replay of traces: against its definition written naively, and against single runs."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prefill_gate.impact_result import Impact, Side
from prefill_gate.impact_shards import Shard, replay_shard
from prefill_gate.policies import load_policies
from prefill_proofs import concrete
from prefill_reference.policies import BEFORE, CURRENT, NO_SPLIT, POLICIES, Policy
from prefill_reference.proposals import budgeted
from prefill_reference.replay import (
    Prefixes,
    Settings,
    matched,
    planned,
    replay_again,
    replayed,
)
from prefill_reference.runs import Prompt, run_prompt
from trace_oracle import Sums, naive_sums

ROOT = Path(__file__).parent.parent
REFERENCE = str(ROOT / "reference" / "rust" / "prefill_plan.rs")
MOONCAKE = Settings(8193, 8192, 512, 16)
HASH_BLOCK = 8

settings_drawn = st.builds(
    Settings,
    st.integers(1, 40),
    st.integers(1, 40),
    st.none() | st.integers(0, 24),
    st.integers(0, 3),
    st.just(HASH_BLOCK),
)


@st.composite
def traces(draw: st.DrawFn) -> list[tuple[int, list[int]]]:
    """Draw prompts that share prefixes: an id stands for all tokens up to the end of its block."""
    ids: dict[tuple[int, ...], int] = {}
    prompts: list[tuple[int, ...]] = [()]
    requests = []
    for _ in range(draw(st.integers(1, 6))):
        earlier = draw(st.sampled_from(prompts))
        kept = draw(st.integers(0, len(earlier)))
        grown = draw(st.lists(st.integers(0, 1), max_size=60))
        prompt = (*earlier[:kept], *grown)
        prompts.append(prompt)
        ends = range(HASH_BLOCK, len(prompt) + HASH_BLOCK, HASH_BLOCK)
        blocks = [ids.setdefault(prompt[:end], len(ids)) for end in ends]
        if prompt:
            requests.append((len(prompt), blocks))
    return requests


def sums_of(policy: Policy, settings: Settings, requests: Sequence[tuple[int, list[int]]]) -> Sums:
    prefixes = Prefixes()
    replay = replayed(planned(policy, settings), settings.hash_block)
    impact = Impact([Side(policy.name)])
    excesses = []
    for total, blocks in requests:
        shared = prefixes.add(blocks)
        match = matched(total, len(shared), settings)
        outcome = replay(blocks, total, shared, match)
        excesses.append(outcome[0])
        impact.record("trace", 1, total, match, [outcome])
    (sums,) = impact.sides
    assert sums.stalls == 0
    return Sums(
        impact.prompt_tokens,
        impact.ideal + sums.excess,
        impact.ideal,
        excesses,
        sums.passes,
        sums.snapshots,
    )


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
@given(settings=settings_drawn, requests=traces())
def test_a_replay_is_what_its_definition_says(
    policy: Policy, settings: Settings, requests: list[tuple[int, list[int]]]
) -> None:
    assert sums_of(policy, settings, requests) == naive_sums(policy, settings, requests)


@given(
    settings=settings_drawn,
    requests=st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=9), max_size=6),
    short=st.integers(0, HASH_BLOCK - 1),
)
def test_a_replay_follows_its_definition_for_ids_that_are_no_prefixes_too(
    settings: Settings, requests: list[list[int]], short: int
) -> None:
    trace = [(len(blocks) * HASH_BLOCK - short, blocks) for blocks in requests]
    assert sums_of(CURRENT, settings, trace) == naive_sums(CURRENT, settings, trace)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
@given(settings=settings_drawn, total=st.integers(0, 200), data=st.data())
def test_a_plan_is_a_run_whose_split_point_is_saved(
    policy: Policy, settings: Settings, total: int, data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, total))
    prompt = Prompt(total, settings.block_size, settings.interval, start)
    run = run_prompt(policy, prompt, budgeted(settings.first, settings.following))
    passes, depths, stall = planned(policy, settings)(total, start)
    assert stall is None
    assert passes == len(run.passes)
    assert depths == sorted({*run.snapshots} | ({run.split} & set(run.ends[:-1])))


@given(settings=settings_drawn, total=st.integers(1, 300))
@example(settings=Settings(20, 20, 16, 0, HASH_BLOCK), total=100)
def test_a_prompt_of_its_own_comes_again_as_in_a_trace_of_its_own(
    settings: Settings, total: int
) -> None:
    blocks = list(range(-(-total // HASH_BLOCK)))
    expected = naive_sums(CURRENT, settings, [(total, blocks)] * 2)
    match = matched(total, len(blocks), settings)
    cold, warm = replay_again(total, match, planned(CURRENT, settings))
    assert [cold[0], warm[0]] == expected.excesses
    assert cold[1][0] + warm[1][0] == expected.passes


def test_the_split_point_saves_whatever_the_planner_says() -> None:
    never = Policy("never", CURRENT.chunk_len, checkpoint=lambda *_: False)
    assert planned(never, Settings(64, 64, 16, 1))(100, 0) == (3, [80], None)
    assert planned(never, Settings(200, 200, 16, 1))(100, 0) == (2, [80], None)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (0, "the planner answers 0 to a proposal of 64 at token 0"),
        (65, "the planner answers 65 to a proposal of 64 at token 0"),
    ],
)
def test_an_impossible_answer_stalls_a_request(answer: int, reason: str) -> None:
    stuck = Policy("stuck", lambda *_: answer)
    assert planned(stuck, Settings(64, 64, 16, 1))(100, 0) == (0, [], reason)


def test_a_fault_stalls_a_request() -> None:
    def divides(*_: object) -> int:
        return 1 // 0

    _, _, stall = planned(Policy("faulty", divides), Settings(64, 64, 16, 1))(100, 0)
    assert stall == "the planner faults at token 0: integer division or modulo by zero"


def test_a_request_is_not_followed_for_ever() -> None:
    slow = Policy("slow", lambda *_: 1)
    passes, _, stall = planned(slow, Settings(64, 64, 16, 0))(2**63, 0)
    assert passes == 100_000
    assert stall == "100000 passes end at token 100000, short of the end"


def test_ids_that_are_no_prefixes_are_noticed() -> None:
    prefixes = Prefixes()
    for blocks in ([1, 2, 3], [1, 2, 4], [9, 8]):
        prefixes.add(blocks)
    assert prefixes.strays == 0
    prefixes.add([7, 2, 3])
    assert prefixes.strays == 1


# Public traffic


def public_trace(shared: Path) -> str:
    trace = shared / "data" / "mooncake_conversation.jsonl"
    if not trace.is_file():
        pytest.skip(f"no file {trace}")
    return str(trace)


@pytest.mark.parametrize(
    ("policy", "excess", "passes"),
    [
        (BEFORE, 8_726_014, 28_536),
        (CURRENT, 4_780_544, 28_087),
        (NO_SPLIT, 19_361_792, 20_405),
        (REFERENCE, 4_780_544, 28_087),
        (str(ROOT / "tests" / "planners" / "before_2026_09_27.rs"), 8_726_014, 28_536),
        (str(ROOT / "tests" / "planners" / "reference.py"), 4_780_544, 28_087),
    ],
    ids=lambda value: getattr(value, "name", None) or Path(str(value)).name,
)
def test_public_chats_cost_what_is_known(
    shared: Path, policy: Policy | str, excess: int, passes: int
) -> None:
    trace = public_trace(shared)
    loaded = policy if isinstance(policy, Policy) else load_policies([policy], [])[0]
    impact = replay_shard(Shard(trace, (loaded,), MOONCAKE, skips_bad=False))
    assert impact.requests == 12_031
    assert impact.prompt_tokens == 144_793_823
    assert (impact.sides[0].excess, impact.sides[0].passes) == (excess, passes)
    assert impact.strays == impact.sides[0].stalls == 0


def test_a_planner_file_is_compiled_not_interpreted(
    shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trace = public_trace(shared)
    (policy,) = load_policies([REFERENCE], [])
    monkeypatch.setattr(concrete, "run", None)
    assert replay_shard(Shard(trace, (policy,), MOONCAKE, skips_bad=False)).requests == 12_031
