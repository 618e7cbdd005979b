"""``diff --trace``: what the review says of real traffic."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Result, Shell
from pages import Page, require_sound
from prefill_gate import traffic_chart
from prefill_gate.impact_result import Impact, Side
from prefill_gate.main import main

ROOT = Path(__file__).parents[1]
CHATS = str(ROOT / "examples" / "traces" / "chats.jsonl")
BEFORE = str(ROOT / "tests" / "planners" / "before_2026_09_27.rs")
REFERENCE = str(ROOT / "reference" / "rust" / "prefill_plan.rs")

SPLIT = "def tail_split_point(total, block_size):\n    return None\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def diff(shell: Shell, *arguments: str, trace: str = CHATS) -> Result:
    written = ("--html", "page.html", "--markdown", "comment.md")
    return shell.run("diff", *arguments, *written, "--trace", trace, "--block-size", "512")


def section(page: Path) -> str:
    text = page.read_text()
    require_sound(text)
    found = re.search(r'<section aria-labelledby="traffic">.*?</section>', text, re.S)
    assert found is not None
    return found[0]


def rows(html: str) -> list[list[str]]:
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row) for row in re.findall("<tr>.*", html)]


# What is shown


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("written")
    files = ("--html", str(folder / "page.html"), "--markdown", str(folder / "comment.md"))
    replayed = ("--trace", CHATS, "--block-size", "512")
    assert main(["diff", BEFORE, REFERENCE, *files, *replayed]) == 0
    return folder


def test_the_page_shows_what_impact_prints(shell: Shell, written: Path) -> None:
    printed = shell.run("impact", BEFORE, REFERENCE, "--trace", CHATS, "--block-size", "512").out
    shown = rows(section(written / "page.html"))
    for label in ("computed", "excess", "passes", "snapshots saved", "90th percentile", "line 14"):
        row = next(row for row in shown if row[0] == label)
        assert f"{' '.join(row)}\n" in re.sub(" +", " ", printed)
    assert ["excess", "89,081", "26,624", "-62,457", "0.299"] in shown


def test_each_size_of_excess_has_a_bar_for_both_sides(written: Path) -> None:
    text = section(written / "page.html")
    bars = re.findall(r'<rect class="(\w+)" x="0" y="\d+" width="([\d.]+)%"', text)
    widths = {name: [float(width) for side, width in bars if side == name] for name, _ in bars}
    counts = rows(text.partition("Requests by their excess")[2].partition("</table>")[0])[1:]
    assert ["512..1,023", "35", "42"] in counts
    for name, column in (("base", 1), ("head", 2)):
        drawn = [int(row[column]) for row in counts if row[0] != "0" and row[column] != "0"]
        assert widths[name] == pytest.approx([count / 42 * 80 for count in drawn], abs=0.01)


def test_the_chart_is_told_to_who_cannot_see_it(written: Path) -> None:
    page = Page((written / "page.html").read_text())
    (chart,) = (entry for entry in page.all("svg") if entry.attributes.get("class") == "chart")
    for name in chart.attributes["aria-labelledby"].split():
        assert name in page.ids()
    assert "computes 62,457 tokens fewer than BASE" in page.said("desc")
    assert "#traffic" in [address for _, address in page.addresses()]


def test_the_chart_has_the_colours_of_the_page(written: Path) -> None:
    style = Page((written / "page.html").read_text()).said("style")
    assert ".chart text { font: .8125rem" in style
    for side in traffic_chart.SIDES:
        assert re.search(rf"\.chart \.{side} {{ fill: var\(--\w+\) }}", style)


def test_the_comment_has_the_totals_and_a_line(written: Path) -> None:
    lines = (written / "comment.md").read_text().partition("#### On real traffic")[2].splitlines()
    assert "| excess | 89,081 | 26,624 | -62,457 | 0.299 |" in lines
    assert lines[-1] == (
        "HEAD prefill_plan.rs computes 62,457 tokens fewer than BASE before_2026_09_27.rs, "
        "in 90 passes instead of 97."
    )


def test_requests_without_excess_have_no_bar() -> None:
    base, head = Side("BASE"), Side("HEAD")
    base.excesses.update({0: 100})
    head.excesses.update({0: 100})
    assert "<rect" not in traffic_chart.draw(Impact([base, head]))
    head.excesses.update({5: 1})
    assert traffic_chart.draw(Impact([base, head])).count("<rect") == 1


# Planners


def test_a_role_that_a_planner_lacks_is_said_to_be_that_of_the_shipped_one(
    shell: Shell, folder: Path
) -> None:
    (folder / "plan.py").write_text(SPLIT)
    assert diff(shell, REFERENCE, "plan.py").code == 0
    assert "HEAD plan.py (chunk_len, checkpoint of current)" in section(folder / "page.html")


def test_a_planner_that_stalls_is_refuted_and_told(shell: Shell, folder: Path) -> None:
    (folder / "plan.py").write_text(
        "def plan_chunk_len(offset, total, proposed):\n    return proposed // (total - 5190)\n"
    )
    (folder / "trace.csv").write_text("ContextTokens\n100\n")
    result = diff(shell, REFERENCE, "plan.py", trace="trace.csv")
    assert result.code == 1
    for said in (result.err, section(folder / "page.html"), (folder / "comment.md").read_text()):
        assert "leaves requests unfinished: 2; the first: trace.csv:2: the planner answers" in said


def test_an_input_that_is_not_bound_needs_a_value(shell: Shell, folder: Path) -> None:
    (folder / "plan.py").write_text(
        "def plan_chunk_len(offset, total, proposed, most):\n    return min(proposed, most)\n"
    )
    result = diff(shell, REFERENCE, "plan.py")
    assert result.code == 2
    assert "give most a value: --set most=VALUE" in result.err
    assert sorted(path.name for path in folder.iterdir()) == ["plan.py"]
    assert diff(shell, REFERENCE, "plan.py", "--set", "most=4096").code == 0


def test_the_configuration_of_the_diff_is_that_of_the_replay(shell: Shell, folder: Path) -> None:
    (folder / "plan.py").write_text(SPLIT.replace("tail_split_point", "cut"))
    (folder / "other.toml").write_text('contract = 1\n[planner.roles]\nsplit_point = "cut"\n')
    assert diff(shell, "plan.py", "plan.py", "--config", "other.toml").code == 0
    assert "BASE plan.py (chunk_len, checkpoint of current)" in section(folder / "page.html")


# Usage


def test_a_trace_needs_a_page_or_a_comment(shell: Shell) -> None:
    result = shell.run("diff", BEFORE, REFERENCE, "--trace", CHATS)
    assert (result.code, result.out) == (2, "")
    assert "--trace is for a page or a comment: give --html FILE or --markdown FILE" in result.err


def test_a_bad_line_is_told_or_skipped(shell: Shell, folder: Path) -> None:
    (folder / "trace.csv").write_text("ContextTokens\n100\nx\n")
    result = diff(shell, REFERENCE, REFERENCE, trace="trace.csv")
    assert result.code == 2
    assert "trace.csv:3:1: ContextTokens: needs a whole number" in result.err
    assert not (folder / "page.html").exists()
    assert diff(shell, REFERENCE, REFERENCE, "--skip-bad", trace="trace.csv").code == 0
    assert "Note: bad lines skipped: 1" in section(folder / "page.html")


def test_a_trace_without_requests_is_refused(shell: Shell, folder: Path) -> None:
    (folder / "trace.csv").write_text("ContextTokens\n")
    result = diff(shell, REFERENCE, REFERENCE, trace="trace.csv")
    assert result.code == 2
    assert "there is no request to replay" in result.err


def test_without_a_trace_nothing_of_it_is_loaded_or_shown(folder: Path) -> None:
    program = (
        "import sys; from prefill_gate.main import main; main(sys.argv[1:]); "
        "sys.exit(bool({'msgspec', 'prefill_gate.impact_words'} & set(sys.modules)))"
    )
    words = ["diff", BEFORE, REFERENCE, "--html", "page.html", "--markdown", "comment.md"]
    done = subprocess.run([sys.executable, "-c", program, *words], check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
    for name in ("page.html", "comment.md"):
        assert "real traffic" not in (folder / name).read_text().lower()
