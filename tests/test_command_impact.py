"""``prefill-gate impact`` from end to end."""

import importlib.util
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from command_line import Shell
from prefill_gate import progress
from prefill_gate.errors import TraceError
from prefill_gate.impact_result import Impact, Side
from prefill_gate.policies import load_policies
from prefill_gate.traces import read_trace
from repositories import git

ROOT = Path(__file__).parent.parent
BEFORE = "before-2026-09-27"
CHATS = str(ROOT / "examples" / "traces" / "chats.jsonl")
PROMPTS = str(ROOT / "examples" / "traces" / "prompts.csv")
REFERENCE = str(ROOT / "reference" / "rust" / "prefill_plan.rs")
PLANNERS = ROOT / "tests" / "planners"

SIDE = {
    "name": "current",
    "requests": 48,
    "prompt_tokens": 719_569,
    "computed": 198_865,
    "ideal": 172_241,
    "excess": 26_624,
    "passes": 90,
    "snapshots": 39,
    "excess_per_request": {"median": 512, "p90": 1024, "p99": 1024, "maximum": 1024},
    "stalled": 0,
}


def impact(*arguments: str, trace: str = CHATS) -> tuple[str, ...]:
    return ("impact", "--trace", trace, "--block-size", "512", *arguments)


def written(folder: Path, *lines: str, name: str = "trace.jsonl") -> str:
    path = folder / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return str(path)


def request(total: int, *blocks: int) -> str:
    return json.dumps({"input_length": total, "hash_ids": blocks})


# What is printed


def test_the_object_is_the_documented_one(shell: Shell) -> None:
    report = shell.run(*impact("current", "--format", "json")).json()
    assert report["version"] == 1
    assert report["command"] == "impact"
    assert report["base"] == SIDE
    assert report["head"] is None
    assert report["skipped"] == 0
    assert report["notes"] == []
    assert report["settings"] == {
        "first": 8193,
        "next": 8192,
        "block_size": 512,
        "interval": 16,
        "hash_block": 512,
    }


def test_two_sides_are_those_that_each_has_alone(shell: Shell) -> None:
    both = shell.run(*impact(BEFORE, REFERENCE, "--format", "json")).json()
    before = shell.run(*impact(BEFORE, "--format", "json")).json()
    assert both["base"] == before["base"]
    assert both["head"] == SIDE | {"name": "prefill_plan.rs"}
    assert both["base"]["excess"] == 89_081


def test_the_requests_that_change_most_come_first(shell: Shell) -> None:
    changes = shell.run(*impact(BEFORE, "current", "--format", "json")).json()["changes"]
    assert changes[0] == {
        "trace": CHATS,
        "line": 14,
        "input_length": 26_880,
        "match": 25_088,
        "base": 24_576,
        "head": 512,
    }
    sizes = [abs(change["head"] - change["base"]) for change in changes]
    assert sizes == sorted(sizes, reverse=True)
    assert [change["line"] for change in changes[1:6]] == [4, 16, 38, 39, 44]


def test_at_most_ten_requests_are_named(shell: Shell) -> None:
    assert len(shell.run(*impact("no-split", "--format", "json")).json()["changes"]) == 10


def test_text_tells_both_sides_and_the_difference(shell: Shell) -> None:
    lines = shell.run(*impact(BEFORE, "current")).out.splitlines()
    rows = [line.split() for line in lines]
    assert ["excess", "89,081", "26,624", "-62,457", "0.299"] in rows
    assert ["90th", "percentile", "8,191", "1,024", "-7,167", "0.125"] in rows
    assert ["line", "14", "26,880", "25,088", "24,576", "512", "-24,064"] in rows
    assert any(row[:2] == ["512..1,023", "35"] and set(row[2]) == {"█"} for row in rows if row)
    assert lines[-1] == (
        f"current computes 62,457 tokens fewer than {BEFORE}, in 90 passes instead of 97"
    )


def test_text_of_one_side_tells_the_excess(shell: Shell) -> None:
    lines = shell.run(*impact("current")).out.splitlines()
    assert not any("difference" in line for line in lines)
    assert lines[-1] == "current computes 26,624 tokens more than the ideal (15.5%), in 90 passes"


def test_a_planner_against_itself_changes_nothing(shell: Shell) -> None:
    result = shell.run(*impact("current", REFERENCE))
    assert "change most" not in result.out
    assert result.out.splitlines()[-1] == (
        "prefill_plan.rs computes as many tokens as current, in 90 passes"
    )


def test_planners_of_one_name_are_called_as_they_were_given(shell: Shell) -> None:
    report = shell.run(*impact(REFERENCE, REFERENCE, "--format", "json")).json()
    assert report["base"]["name"] == report["head"]["name"] == REFERENCE


# Planners


def test_a_planner_of_a_git_revision_is_replayed(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    planner = tmp_path / "plan.rs"
    planner.write_text((PLANNERS / "before_2026_09_27.rs").read_text())
    for command in (("init", "-q"), ("add", "."), ("commit", "-q", "-m", "first")):
        git(tmp_path, *command)
    planner.write_text(Path(REFERENCE).read_text())
    report = shell.run(*impact("HEAD:plan.rs", "plan.rs", "--format", "json")).json()
    assert report["base"]["excess"] == 89_081
    assert report["head"]["excess"] == 26_624
    assert [report[side]["name"] for side in ("base", "head")] == ["HEAD:plan.rs", "plan.rs"]


def test_a_planner_in_python_is_replayed(shell: Shell) -> None:
    report = shell.run(*impact(str(PLANNERS / "reference.py"), "--format", "json")).json()
    assert report["base"] | {"name": "current"} == SIDE


def test_a_role_that_a_planner_lacks_is_said_to_be_that_of_the_shipped_one(shell: Shell) -> None:
    planner = str(ROOT / "examples" / "metrale_plan" / "after.py")
    report = shell.run(*impact(planner, "--format", "json")).json()
    assert report["base"]["name"] == "after.py (split_point, checkpoint of current)"
    assert report["base"] | {"name": "current"} == SIDE


def test_an_input_that_is_not_bound_needs_a_value(shell: Shell, tmp_path: Path) -> None:
    planner = tmp_path / "plan.py"
    planner.write_text(
        "def plan_chunk_len(offset, total, proposed, most):\n    return min(proposed, most)\n"
    )
    result = shell.run(*impact(str(planner)))
    assert result.code == 2
    assert "give most a value: --set most=VALUE" in result.err
    report = shell.run(*impact(str(planner), "--set", "most=4096", "--format", "json")).json()
    assert report["base"]["passes"] > SIDE["passes"]


def test_a_planner_that_stalls_is_refuted_and_told(shell: Shell, tmp_path: Path) -> None:
    planner = tmp_path / "plan.py"
    planner.write_text(
        "def plan_chunk_len(offset, total, proposed):\n    return proposed // (total - 5190)\n"
    )
    trace = written(tmp_path, request(100, 0), request(5190, 0, *range(1, 11)))
    result = shell.run(*impact(str(planner), "--format", "json", trace=trace))
    assert result.code == 1
    report = result.json()
    assert report["base"]["stalled"] == 2
    (note,) = report["notes"]
    assert f"requests unfinished: 2; the first: {trace}:1: the planner answers -1" in note
    assert note in " ".join(shell.run(*impact(str(planner), trace=trace)).out.split())


# Traces


def test_a_prompt_without_hash_ids_comes_cold_and_once_more_warm(
    shell: Shell, tmp_path: Path
) -> None:
    trace = written(tmp_path, "A,ContextTokens", "1,1000", "2,100", name="trace.csv")
    arguments = ("impact", "--trace", trace, "--block-size", "16", "current", "--format", "json")
    base = shell.run(*arguments).json()["base"]
    assert base["requests"] == 4
    assert base["prompt_tokens"] == 2200
    assert base["ideal"] == 1000 + (1000 - 992) + 100 + (100 - 96)
    assert base["excess"] == 16 + 16
    assert base["passes"] == 2 + 1 + 2 + 1


def test_the_shipped_prompts_are_a_trace(shell: Shell) -> None:
    report = shell.run("impact", "--trace", PROMPTS, "no-split", "current", "--format", "json")
    assert report.json()["base"]["requests"] == 24


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "request: Input data was truncated"),
        ('{"input_length": 5, "hash_ids": [1]} x', "is malformed: trailing characters (byte 38)"),
        ("[5, [1]]", "request: Expected `object`, got `array`"),
        ('{"hash_ids": [1]}', "request: Object missing required field `input_length`"),
        ('{"input_length": 5}', "request: Object missing required field `hash_ids`"),
        ('{"input_length": -1, "hash_ids": []}', "needs an input_length in 0..=2**64-1, not -1"),
        ('{"input_length": -600, "hash_ids": [1]}', "in 0..=2**64-1, not -600"),
        ('{"input_length": 1.5, "hash_ids": [1]}', "got `float` - at `$.input_length`"),
        ('{"input_length": true, "hash_ids": [1]}', "got `bool` - at `$.input_length`"),
        ('{"input_length": 18446744073709551616, "hash_ids": [1]}', "in 0..=2**64-1, not 1844"),
        ('{"input_length": 5, "hash_ids": 1}', "Expected `array`, got `int` - at `$.hash_ids`"),
        ('{"input_length": 5, "hash_ids": [[1]]}', "got `array` - at `$.hash_ids[0]`"),
        ('{"input_length": 5, "hash_ids": [1.0]}', "got `float` - at `$.hash_ids[0]`"),
        ('{"input_length": 5, "hash_ids": ["1"]}', "got `str` - at `$.hash_ids[0]`"),
        ('{"input_length": 5, "hash_ids": [null]}', "got `null` - at `$.hash_ids[0]`"),
        ('{"input_length": 5, "hash_ids": [true]}', "got `bool` - at `$.hash_ids[0]`"),
        ('{"more": ' + "[" * 99_999, "request: maximum recursion depth exceeded"),
        (request(513, 1), "request: 513 tokens have 2 hash blocks of 512, not 1"),
        (request(512, 1, 2), "request: 512 tokens have 1 hash blocks of 512, not 2"),
    ],
)
def test_a_bad_line_is_told_with_its_number_or_skipped(
    shell: Shell, tmp_path: Path, line: str, message: str
) -> None:
    trace = written(tmp_path, request(5, 0), line, request(7, 0))
    result = shell.run(*impact("current", "--format", "json", trace=trace))
    assert result.code == 2
    assert f"{trace}:2:" in result.err
    assert message in result.err
    (error,) = result.json()["errors"]
    assert (error["file"], error["line"]) == (trace, 2)
    skipping = shell.run(*impact("current", "--skip-bad", "--format", "json", trace=trace))
    assert skipping.code == 0
    report = skipping.json()
    assert (report["base"]["requests"], report["skipped"]) == (2, 1)
    assert report["notes"][0].startswith(f"bad lines skipped: 1; the first: {trace}:2:")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1", "ContextTokens: is missing: the line has 1 columns"),
        ("1,x", "ContextTokens: needs a whole number, not 'x'"),
        ("1,-5", "needs a number of at least 0, not -5"),
        ("1,", "needs a whole number, not ''"),
    ],
)
def test_a_bad_row_is_told_with_its_number_or_skipped(
    shell: Shell, tmp_path: Path, line: str, message: str
) -> None:
    trace = written(tmp_path, "A,ContextTokens", "1,40", line, name="trace.csv")
    result = shell.run(*impact("current", trace=trace))
    assert result.code == 2
    assert f"{trace}:3:1: " in result.err
    assert message in result.err
    report = shell.run(*impact("current", "--skip-bad", "--format", "json", trace=trace)).json()
    assert (report["base"]["requests"], report["skipped"]) == (2, 1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("trace.csv", "A,B\n1,2\n", "this is no trace: it needs JSON lines with input_length"),
        ("trace", "hello\n", "this is no trace"),
        ("trace.jsonl", "", "there is no request to replay"),
        ("trace.csv", "ContextTokens\n", "there is no request to replay"),
    ],
)
def test_a_file_that_is_no_trace_is_refused(
    shell: Shell, tmp_path: Path, name: str, content: str, message: str
) -> None:
    path = tmp_path / name
    path.write_text(content)
    result = shell.run(*impact("current", trace=str(path)))
    assert result.code == 2
    assert message in result.err


def test_what_a_trace_is_shows_in_its_first_line(tmp_path: Path) -> None:
    for name, lines in {
        "chats": [request(5, 0), "", request(6, 0) + " \r"],
        "prompts.txt": ["\ufeffContextTokens", "5", "", "6"],
    }.items():
        trace = written(tmp_path, *lines, name=name)
        found = list(read_trace(trace, 512, lambda _: None))
        assert [entry if isinstance(entry, TraceError) else entry[1] for entry in found] == [5, 6]


def test_a_byte_that_is_no_text_makes_a_bad_line(shell: Shell, tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    path.write_bytes(b'\xff\n{"input_length": 5, "hash_ids": [0]}\n')
    assert shell.run(*impact("current", trace=str(path))).code == 2
    assert shell.run(*impact("current", "--skip-bad", trace=str(path))).code == 0


def test_ids_that_are_no_prefixes_are_noted(shell: Shell, tmp_path: Path) -> None:
    trace = written(tmp_path, request(1024, 1, 2), request(1024, 3, 2))
    result = shell.run(*impact("current", trace=trace))
    assert result.code == 0
    assert "note: requests with a hash id that was seen behind another one: 1" in result.out


def test_a_hash_block_may_have_another_size(shell: Shell, tmp_path: Path) -> None:
    trace = written(tmp_path, request(40, 1, 2, 3))
    assert shell.run(*impact("current", trace=trace)).code == 2
    assert shell.run(*impact("current", "--hash-block", "16", trace=trace)).code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("impact", "current"), "--trace"),
        (impact("current", trace="missing.jsonl"), "cannot read missing.jsonl"),
        (impact("curent"), "there is no policy 'curent'"),
        (impact("current", "--jobs", "0"), "needs a number of at least 1"),
        (impact("current", "--jobs", "2", "--dask", "x"), "not allowed with"),
        (impact("current", "--set", "a=1"), "no planner has an input of this name"),
    ],
)
def test_bad_usage_is_told(shell: Shell, arguments: tuple[str, ...], message: str) -> None:
    result = shell.run(*arguments)
    assert result.code == 2
    assert message in result.err


# Shards


@pytest.fixture
def shards(tmp_path: Path) -> tuple[str, ...]:
    """Return the arguments of three traces: the shipped one twice, and a short one."""
    short = written(tmp_path, request(20_000, *range(40)), request(20_000, *range(40)), "bad")
    return ("impact", "--trace", CHATS, "--trace", short, "--trace", CHATS, "--block-size", "512")


def test_shards_have_caches_of_their_own_and_are_added_up(
    shell: Shell, shards: tuple[str, ...]
) -> None:
    report = shell.run(*shards, "--skip-bad", BEFORE, "current", "--format", "json").json()
    assert report["head"]["requests"] == 2 * 48 + 2
    assert report["head"]["excess"] == 2 * 26_624 + 512
    assert report["skipped"] == 1
    assert [change["line"] for change in report["changes"][:2]] == [14, 14]


def test_processes_find_what_one_finds(shell: Shell, shards: tuple[str, ...]) -> None:
    arguments = (*shards, "--skip-bad", BEFORE, REFERENCE)
    assert shell.run(*arguments, "--jobs", "2") == shell.run(*arguments)


def test_a_bad_line_in_another_process_is_told(shell: Shell, shards: tuple[str, ...]) -> None:
    result = shell.run(*shards, "current", "--jobs", "2")
    assert result.code == 2
    assert "trace.jsonl:3:1: request: JSON is malformed" in result.err


sums = st.builds(
    lambda excesses, passes: (excesses, passes),
    st.lists(st.integers(0, 5) | st.integers(0, 10**6), max_size=30),
    st.integers(0, 9),
)


@given(st.lists(sums, min_size=3, max_size=3))
def test_parts_come_to_the_same_however_they_are_joined(parts: list[Any]) -> None:
    def recorded(*chosen: int) -> Impact:
        impact = Impact([Side("side")])
        for part in chosen:
            excesses, passes = parts[part]
            for line, excess in enumerate(excesses):
                impact.record(str(part), line, 10**6, excess, [(excess, (passes, [], None))])
        return impact

    whole = recorded(0, 1, 2)
    left = recorded(0).joined(recorded(1)).joined(recorded(2))
    right = recorded(0).joined(recorded(1).joined(recorded(2)))
    for joined in (left, right):
        assert joined.sides == whole.sides
        assert joined.changes == whole.changes
        assert (joined.requests, joined.ideal) == (whole.requests, whole.ideal)


def test_percentiles_are_the_least_excess_that_covers_them() -> None:
    side = Side("side")
    side.excesses.update(range(1, 101))
    assert [side.percentile(percent) for percent in (50, 90, 99, 100)] == [50, 90, 99, 100]
    assert Side("empty").percentile(50) == 0


def test_a_planner_and_an_error_can_be_sent_to_another_process(tmp_path: Path) -> None:
    (policy,) = load_policies([REFERENCE], [])
    sent = pickle.loads(pickle.dumps(policy))
    assert sent.name == policy.name
    assert sent.chunk_len(0, 33, 20, 16, 16, True) == 16
    (error,) = read_trace(written(tmp_path, "bad"), 512, lambda _: None)
    assert isinstance(error, TraceError)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


# Dask


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="Dask is installed")
def test_without_dask_it_is_told_what_to_install(shell: Shell) -> None:
    result = shell.run(*impact("current", "--dask", "127.0.0.1:1"))
    assert result.code == 2
    assert "pip install 'prefill-gate[dask]'" in result.err


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[str]:
    """Start a scheduler and two workers as processes; return the scheduler's address."""
    pytest.importorskip("distributed", reason="Dask is not installed: prefill-gate[dask]")
    program = (
        "import sys\nfrom distributed import LocalCluster\nif __name__ == '__main__':\n"
        "    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as c:\n"
        "        print(c.scheduler_address, flush=True)\n        sys.stdin.read()\n"
    )
    script = tmp_path / "cluster.py"
    script.write_text(program)
    with subprocess.Popen(
        [sys.executable, str(script)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as started:
        assert started.stdout is not None
        yield started.stdout.readline().strip()
        started.communicate("")


@pytest.mark.filterwarnings("ignore")  # what Dask warns of is not ours to mend
def test_two_workers_of_a_cluster_find_what_one_process_finds(
    shell: Shell, shards: tuple[str, ...], cluster: str
) -> None:
    arguments = (*shards, BEFORE, REFERENCE, "--format", "json")
    here = shell.run(*arguments, "--skip-bad")
    assert here.code == 0
    assert shell.run(*arguments, "--skip-bad", "--dask", cluster).out == here.out
    bad = shell.run(*arguments, "--dask", cluster)
    assert bad.code == 2
    assert "trace.jsonl:3:1: request: JSON is malformed" in bad.err


# Progress


def test_a_bar_is_drawn_on_a_terminal_for_what_takes_long(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "MOMENT", 0)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.Progress(200) as bar:
        bar.show(50)
        bar.finish(100)
    assert capsys.readouterr().err == (
        f"\r[{'#' * 10}{'.' * 30}]  25%\r[{'#' * 20}{'.' * 20}]  50%\r\033[K"
    )


def test_no_bar_is_drawn_where_nobody_looks(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "MOMENT", 0)
    assert shell.run(*impact("current")).err == ""
