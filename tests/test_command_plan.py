"""``prefill-gate plan``, end to end."""

import time
from pathlib import Path
from xml.etree import ElementTree

import pytest

from command_line import Shell

STORY = ("--total", "32772", "--first", "8193", "--next", "8192", "--block-size", "16")
BEFORE = "before-2026-09-27"
ONE_CHUNK = ("--total", "8193")
HUGE = ("--total", str(2**60), "--first", str(2**50), "--next", str(2**50))


def test_before_2026_09_27_restores_at_24577_and_replays_8195(shell: Shell) -> None:
    result = shell.run("plan", *STORY, "--policy", BEFORE)
    assert (result.code, result.err) == (0, "")
    notes = result.out.splitlines()[-2:]
    assert notes == [
        f"{BEFORE}: split point 32752: inside the pass from 24577 to 32769, no snapshot saved",
        f"{BEFORE}: a warm request matches 32768, restores at 24577 and replays 8195 tokens",
    ]


def test_current_restores_at_32752_and_replays_20(shell: Shell) -> None:
    result = shell.run("plan", *STORY, "--policy", "current")
    assert (result.code, result.err) == (0, "")
    notes = result.out.splitlines()[-2:]
    assert notes == [
        "current: split point 32752: snapshot saved",
        "current: a warm request matches 32768, restores at 32752 and replays 20 tokens",
    ]


def test_the_defaults_are_the_story_under_the_current_policy(shell: Shell) -> None:
    assert shell.run("plan", "--total", "32772").out == shell.run("plan", *STORY).out


def test_the_json_has_the_documented_shape(shell: Shell) -> None:
    result = shell.run("plan", *STORY, "--format", "json")
    assert (result.code, result.err) == (0, "")
    assert result.json() == {
        "version": 1,
        "command": "plan",
        "prompt": {
            "total": 32_772,
            "first": 8193,
            "next": 8192,
            "block_size": 16,
            "interval": 16,
            "start": 0,
            "dispatch": "two-pass",
        },
        "policy": "current",
        "split": 32_752,
        "captures": [],
        "passes": [
            {"start": start, "end": end, "length": end - start, "reason": reason, "snapshot": saved}
            for start, end, reason, saved in (
                (0, 8192, "block boundary", True),
                (8192, 16_384, "proposal", True),
                (16_384, 24_576, "proposal", True),
                (24_576, 32_752, "split point", True),
                (32_752, 32_772, "prompt end", False),
            )
        ],
        "warm": {"match": 32_768, "restored": 32_752, "replayed": 20},
        "stall": None,
        "against": None,
    }


def test_what_is_absent_is_null(shell: Shell) -> None:
    report = shell.run("plan", *STORY, "--block-size", "none", "--format", "json").json()
    assert report["prompt"]["block_size"] is None
    assert report["split"] is None
    assert report["warm"] == {"match": 0, "restored": 0, "replayed": 32_772}


def test_two_policies_are_laid_out_against_each_other(shell: Shell) -> None:
    arguments = ("plan", *STORY, "--policy", BEFORE, "--against", "current")
    result = shell.run(*arguments)
    assert result.code == 0
    assert result.out.splitlines()[-1] == (f"current replays 20 tokens, {BEFORE} 8195: 8175 more")
    report = shell.run(*arguments, "--format", "json").json()
    alone = shell.run("plan", *STORY, "--format", "json").json()
    assert report["policy"] == BEFORE
    assert report["against"] == {key: alone[key] for key in report["against"]}
    assert report["against"].keys() == {"policy", "split", "captures", "passes", "warm", "stall"}


def test_a_policy_against_itself_replays_the_same(shell: Shell) -> None:
    result = shell.run("plan", *STORY, "--against", "current")
    assert result.out.splitlines()[-1] == "current and current replay the same 20 tokens"


@pytest.mark.parametrize(
    ("common", "match", "restored"),
    [(0, 0, 0), (8191, 8176, 0), (8192, 8192, 8192), (32_767, 32_752, 32_752)],
)
def test_a_warm_request_may_match_less(
    shell: Shell, common: int, match: int, restored: int
) -> None:
    report = shell.run("plan", *STORY, "--warm", str(common), "--format", "json").json()
    assert report["warm"] == {
        "match": match,
        "restored": restored,
        "replayed": 32_772 - restored,
    }


def test_a_restored_start_counts_as_a_snapshot(shell: Shell) -> None:
    arguments = (*STORY, "--start", "24576", "--warm", "30000")
    report = shell.run("plan", *arguments, "--format", "json").json()
    assert report["passes"][0]["start"] == 24_576
    assert report["warm"] == {"match": 30_000, "restored": 24_576, "replayed": 8196}


@pytest.mark.parametrize(
    ("dispatch", "ends", "captures", "note"),
    [
        ("two-pass", [8176, 8193], [], "snapshot saved"),
        ("in-pass", [8193], [8176], "captured inside a pass, snapshot saved"),
        ("none", [8193], [], "inside the pass from 0 to 8193, no snapshot saved"),
    ],
)
def test_a_last_chunk_that_spans_the_split_point_is_run_in_three_ways(
    shell: Shell, dispatch: str, ends: list[int], captures: list[int], note: str
) -> None:
    arguments = ("plan", *ONE_CHUNK, "--dispatch", dispatch)
    report = shell.run(*arguments, "--format", "json").json()
    assert [entry["end"] for entry in report["passes"]] == ends
    assert report["captures"] == captures
    lost = dispatch == "none"
    assert report["warm"]["restored"] == (0 if lost else 8176)
    assert f"current: split point 8176: {note}" in shell.run(*arguments).out.splitlines()


# The drawing.


@pytest.mark.parametrize(
    "arguments",
    [
        STORY,
        (*STORY, "--policy", BEFORE, "--against", "current"),
        (*STORY, "--block-size", "none"),
        (*ONE_CHUNK, "--dispatch", "none"),
        (*ONE_CHUNK, "--dispatch", "in-pass"),
        (*HUGE,),
        ("--total", "33", "--start", "5"),
        ("--total", "0"),
        ("--total", str(2**64 - 1), "--first", str(2**64 - 1)),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("columns", ["60", "110", "300"])
def test_the_drawing_is_plain_and_ends_with_its_lines(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = shell.run("plan", *arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out.isascii()
    for line in result.out.splitlines():
        assert line == line.rstrip()
        assert all(sign.isprintable() for sign in line)


def test_the_tail_is_magnified(shell: Shell) -> None:
    lines = shell.run("plan", *STORY).out.splitlines()
    tail = lines[lines.index("Its tail, tokens 32708 to 32772") :]
    prefill = next(line for line in tail if line.startswith("  prefill"))
    warm = next(line for line in tail if line.startswith("  warm"))
    assert prefill.count("#") == 1
    assert prefill.index("#") == warm.index("x")


def test_a_lost_snapshot_is_not_drawn(shell: Shell) -> None:
    lost, kept = (
        shell.run("plan", *ONE_CHUNK, "--dispatch", dispatch).out.splitlines()
        for dispatch in ("none", "two-pass")
    )
    assert not any("#" in line for line in lost if line.startswith("  prefill"))
    assert all("#" in line for line in kept if line.startswith("  prefill"))


def test_long_lists_of_passes_are_cut_short(shell: Shell) -> None:
    result = shell.run("plan", *HUGE)
    assert "1002 more" in result.out
    assert len(result.out.splitlines()) < 60


# Long prompts.


@pytest.mark.parametrize("more", [(), ("--format", "json"), ("--policy", BEFORE)])
def test_2_to_the_60_tokens_are_laid_out_at_once(shell: Shell, more: tuple[str, ...]) -> None:
    started = time.perf_counter()
    result = shell.run("plan", *HUGE, *more)
    assert time.perf_counter() - started < 1
    assert (result.code, result.err) == (0, "")


def test_too_many_passes_are_refused(shell: Shell) -> None:
    result = shell.run("plan", "--total", str(2**60), "--next", "8192")
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("prefill-gate: current: the prompt needs more than 100000 answers")
    assert result.err.endswith("propose more with --next\n")


# The picture.


def test_a_picture_is_written_beside_the_report(shell: Shell, tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    picture.write_text("old")
    plain = shell.run("plan", *STORY, "--against", BEFORE)
    drawn = shell.run("plan", *STORY, "--against", BEFORE, "--svg", str(picture))
    assert drawn == plain
    assert ElementTree.parse(picture).getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert list(tmp_path.iterdir()) == [picture]


def test_a_picture_that_cannot_be_written_leaves_nothing_behind(
    shell: Shell, tmp_path: Path
) -> None:
    taken = tmp_path / "folder"
    taken.mkdir()
    for target in (tmp_path / "missing" / "plan.svg", taken):
        result = shell.run("plan", *STORY, "--svg", str(target))
        assert (result.code, result.out) == (2, "")
        assert result.err.startswith(f"prefill-gate: cannot write {target}: ")
        assert len(result.err.splitlines()) == 1
    assert list(tmp_path.rglob("*")) == [taken]


def test_a_plan_that_is_refused_leaves_the_old_picture(shell: Shell, tmp_path: Path) -> None:
    picture = tmp_path / "plan.svg"
    picture.write_text("old")
    assert shell.run("plan", "--total", str(2**60), "--svg", str(picture)).code == 2
    assert picture.read_text() == "old"
    assert list(tmp_path.iterdir()) == [picture]


# What cannot be laid out.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "--total"),
        (("--total", "x"), "argument --total: needs a whole number, not 'x'"),
        (("--total", "-1"), "argument --total: needs a number of at least 0, not -1"),
        (("--total", str(2**64)), "argument --total: needs a number of at most 2**64-1"),
        (("--total", "9" * 5000), "argument --total: needs a number of at most 2**64-1"),
        ((*STORY, "--first", "0"), "argument --first: needs a number of at least 1, not 0"),
        ((*STORY, "--next", "0"), "argument --next: needs a number of at least 1, not 0"),
        ((*STORY, "--block-size", "1.5"), "argument --block-size: needs a whole number"),
        ((*STORY, "--interval", ""), "argument --interval: needs a whole number, not ''"),
        ((*STORY, "--start", "32773"), "--start 32773 is past the prompt's end, --total 32772"),
        ((*STORY, "--warm", "32773"), "--warm 32773 is past the prompt's end, --total 32772"),
        ((*STORY, "--policy", "curent"), "there is no policy 'curent'; did you mean current?"),
        ((*STORY, "--policy", "zzz"), f"there is no policy 'zzz'; there are {BEFORE}, current"),
        ((*STORY, "--against", "zzz"), "there is no policy 'zzz'"),
        ((*STORY, "--dispatch", "three-pass"), "argument --dispatch: invalid choice"),
        ((*STORY, "--planner", "missing.rs"), "missing.rs"),
        ((*STORY, "--policy", BEFORE, "--planner", "a.rs"), "not allowed with"),
    ],
)
def test_bad_usage_is_said_in_one_line(shell: Shell, arguments: tuple[str, ...], said: str) -> None:
    result = shell.run("plan", *arguments)
    assert (result.code, result.out) == (2, "")
    assert said in result.err
    assert len(result.err.splitlines()) == 1
    assert len(result.err) < 200


def test_bad_usage_is_said_as_json_too(shell: Shell) -> None:
    result = shell.run("plan", *STORY, "--policy", "zzz", "--format", "json")
    assert result.code == 2
    report = result.json()
    assert (report["version"], report["command"], report["verdict"]) == (1, "plan", "error")
    assert "there is no policy 'zzz'" in report["errors"][0]["message"]
