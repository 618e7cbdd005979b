"""``diff --html`` and ``diff --markdown``: what a reviewer is shown."""

import html
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from command_line import Shell
from compared import REFERENCE, pair_of
from pages import Page, require_sound
from prefill_gate import review_html, review_markdown
from prefill_gate.diff_report import DiffReport
from prefill_gate.pictures import Pictures
from prefill_gate.review import EXTENTS, NO_PICTURE, Review, verdict_sentence
from prefill_gate.source_lines import SourceLine, changed_lines
from prefill_gate.text import laid_out_for, width
from prefill_proofs.change_map import ChangeMap, MapCell
from prefill_proofs.comparison import Comparison, compare

ROOT = Path(__file__).parents[1]
FILE = ROOT / "reference" / "rust" / "prefill_plan.rs"
PLANNERS = ROOT / "tests" / "planners"
BEFORE = PLANNERS / "before_2026_09_27.rs"
MINIMUM_TAIL = PLANNERS / "minimum_tail.rs"

EMPTY_AT_SPLIT = REFERENCE.replace("offset < at", "offset <= at")
STALLING = REFERENCE.replace("short if short < WY4 => short", "short if short < WY4 => 0")


class Written:
    """What one ``diff`` wrote: the page, read, and the comment."""

    def __init__(self, shell: Shell, folder: Path, base: object, head: object) -> None:
        page, comment = folder / "page.html", folder / "comment.md"
        written = ("--html", str(page), "--markdown", str(comment))
        self.result = shell.run("diff", str(base), str(head), *written)
        assert self.result.code == 0, self.result.err
        self.text = page.read_text()
        self.page = require_sound(self.text)
        self.comment = comment.read_text()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "base.rs").write_text(REFERENCE)
    (tmp_path / "head.rs").write_text(EMPTY_AT_SPLIT)
    return tmp_path


# The policy before 2026-09-27


@pytest.fixture
def story(shell: Shell, folder: Path) -> Written:
    return Written(shell, folder, BEFORE, FILE)


def test_the_map_separates_block_rounding_from_the_split_stop(story: Written) -> None:
    rows = re.findall(r'<th scope="row">(a chunk.*?)</th>', story.text)
    assert len(rows) == 3
    split, rounding, fours = rows
    assert "a split point inside the chunk, no block boundary in the chunk" in split
    assert "a block boundary inside the chunk and the proposed end off the boundaries" in rounding
    assert "no multiple of 4 proposed" in fours
    assert story.text.count(">changed always</span>") == 2
    assert "the chunk ends at the split point 1, was the proposed end 2" in story.text


def test_the_picture_shows_why_the_warm_request_was_slow(story: Written) -> None:
    (first, *_) = story.text.split("<figure>")[1:]
    assert "8195: 8175 more" in first
    assert "32772 tokens, blocks of 16" in first
    assert "split point 32752: inside the pass from 24577 to 32769, no snapshot saved" in first
    assert "matches 32768, restores at 24577 and replays 8195 tokens" in first
    assert "restores at 32752 and replays 20 tokens" in first
    assert ">replays 8195<" in first
    assert story.page.said("title").count("BASE before_2026_09_27.rs against HEAD") == 3


def test_the_comment_says_the_same_in_short(story: Written) -> None:
    lines = story.comment.splitlines()
    assert lines[0] == "### prefill-gate diff: differs"
    assert lines[2].startswith("HEAD differs from BASE in chunk_len; is equal to it in split_point")
    assert sum(line.startswith("| a chunk") for line in lines) == 3
    assert (
        "- **gained** `chunk-split-stop` (chunk_len): before: the chunk ends at 2" in story.comment
    )
    assert "2 of 5 cells are proved unchanged." in lines
    drawing = story.comment.partition("```text\n")[2].partition("```")[0]
    assert "replays 8195 tokens" in drawing
    assert "  blocks  --" in drawing
    assert max(map(len, drawing.splitlines())) <= 100


def test_text_and_json_stay_on_standard_output(shell: Shell, folder: Path) -> None:
    printed = shell.run("diff", "base.rs", "head.rs", "--html", "page.html").out
    assert printed.startswith("chunk_len: differs\n")
    assert printed.endswith("base.rs -> head.rs: differs. Roles: 3 equal, 1 differs\n")
    assert shell.run(
        "diff", "base.rs", "head.rs", "--markdown", "comment.md", "--format", "json"
    ).json()
    assert sorted(path.name for path in folder.iterdir()) == [
        "base.rs",
        "comment.md",
        "head.rs",
        "page.html",
    ]


# A minimum tail


def test_a_minimum_tail_is_explained(shell: Shell, folder: Path) -> None:
    written = Written(shell, folder, FILE, MINIMUM_TAIL)
    condition = "min_tail_rows <= block_size + 1"
    assert f"Nothing changes where <code>{html.escape(condition)}</code>" in written.text
    assert f"- Nothing changes where `{condition}`." in written.comment
    pictures = written.text.split("<figure>")[1:]
    assert any(">split point 32<" in shown and ">split point 16<" in shown for shown in pictures)
    for name in ("split-replay", "run-replay"):
        row = re.search(
            rf'<tr>\n<th scope="row"><a href="#explain-{name}">.*?</tr>', written.text, re.S
        )
        assert row is not None
        assert '<span class="word lost">lost</span>' in row[0]
        assert f"- **lost** `{name}`" in written.comment
    assert "Unknown constants, any value assumed: min_tail_rows." in written.text


# Everything else on the page


def test_every_property_of_the_table_is_explained_on_the_page(story: Written) -> None:
    table = story.text.partition('<table class="properties">')[2].partition("</table>")[0]
    named = re.findall(r'<a href="#explain-([a-z0-9-]+)">', table)
    assert len(named) == len(re.findall("<tr>", table)) - 1 > 25
    assert {f"explain-{name}" for name in named} <= set(story.page.ids())
    assert '<a href="https://github.com/vllm-project/vllm/pull/40757">' in story.text
    assert "It rests on" in story.text


def test_both_sources_stand_on_the_page_with_changed_lines(story: Written) -> None:
    removed, added = story.page.said("del"), story.page.said("ins")
    assert "if first_pass || offset + proposed >= total || proposed < WY4 {" in removed
    assert "+ let on_grid = match block_size {" in added
    assert "pub fn tail_split_point" in story.page.said("code")
    assert "pub fn tail_split_point" not in removed + added


def test_the_page_is_light_and_dark_and_fits_a_phone(story: Written) -> None:
    style = story.page.said("style")
    assert "color-scheme: light dark" in style
    assert "@media (prefers-color-scheme: dark)" in style
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in story.text
    assert "max-width: 40rem" in style


def test_the_page_forbids_itself_to_load_anything(story: Written) -> None:
    policies = [entry.attributes for entry in story.page.all("meta")]
    (policy,) = (entry["content"] for entry in policies if "http-equiv" in entry)
    assert policy == "default-src 'none'; style-src 'unsafe-inline'"


def test_equal_planners_have_a_page_too(shell: Shell, folder: Path) -> None:
    written = Written(shell, folder, "base.rs", "base.rs")
    assert (
        "HEAD is equal to BASE in chunk_len, split_point, tail_end and checkpoint" in written.text
    )
    assert "The two sources are the same, line for line." in written.text
    assert written.page.all("svg") == []
    assert "| calls |" not in written.comment


def test_a_planner_that_stalls_is_pictured(shell: Shell, folder: Path) -> None:
    (folder / "head.rs").write_text(STALLING)
    written = Written(shell, folder, "base.rs", "head.rs")
    assert "stalled: at token" in written.text.split("<figure>")[1]


def test_an_example_with_a_split_point_of_its_own_is_pictured_with_it(
    shell: Shell, folder: Path
) -> None:
    written = Written(shell, folder, "base.rs", "head.rs")
    origin = r"its split point \(\d\) in place of the planners&#39; own"
    assert re.search(origin, written.text)
    assert "no progress" in written.text


def test_an_example_that_no_run_can_show_says_why(shell: Shell, folder: Path) -> None:
    (folder / "base.py").write_text("def tail_split_point(total, block_size):\n    return None\n")
    (folder / "head.py").write_text(
        "def tail_split_point(total, block_size, more):\n"
        "    return None if more == 0 else more\n\n\n"
        "def plan_chunk_len(offset, total, proposed, block_size, split, other):\n"
        "    return proposed if other == 1 else other\n"
    )
    written = Written(shell, folder, "base.py", "head.py")
    said = "it gives other no value, which a run needs"
    assert said in written.text
    assert said in written.comment
    assert NO_PICTURE in written.text
    assert NO_PICTURE in written.comment
    assert "Only in HEAD, not compared: chunk_len." in written.text


# Hostile and odd sources


def test_what_a_planner_says_is_never_read_as_markup(shell: Shell, folder: Path) -> None:
    hostile = "<script>alert(1)</script>"
    name = "<script>x`|&amp;.rs"
    (folder / name).write_text(f"// {hostile} \u202e ]]> --> </style>\n{EMPTY_AT_SPLIT}")
    written = Written(shell, folder, "base.rs", name)
    assert "<script" not in written.text
    assert f"+ // {hostile} \\u202e ]]> --> </style>" in written.page.said("ins")
    assert name in written.page.said("h1") + written.page.said("code")
    assert "`` <script>x`\\|&amp;.rs ``" in written.comment
    assert "<script>" not in re.sub(r"(`+).*?\1", "", written.comment, flags=re.S)


def test_a_name_that_closes_a_fence_stays_inside(shell: Shell, folder: Path) -> None:
    (folder / "```.rs").write_text(STALLING)
    written = Written(shell, folder, "base.rs", "```.rs")
    assert "\n````text\n" in written.comment


def test_signs_that_cannot_be_printed_are_written_out() -> None:
    (line, *_) = changed_lines("a\u202eb\tc\x00\r\n", "other\n")
    assert line == SourceLine("removed", 1, None, "a\\u202eb\tc\\u0000")


def test_lines_far_from_a_change_are_left_out() -> None:
    base = [f"line {number}" for number in range(200)]
    head = [*base[:100], "new", *base[101:]]
    found = changed_lines("\n".join(base), "\n".join(head))
    assert [entry.words for entry in found if entry.kind == "gap"] == [
        "60 lines as they were",
        "59 lines as they were",
    ]
    assert [entry.words for entry in found if entry.kind in ("added", "removed")] == [
        "line 100",
        "new",
    ]
    assert changed_lines("a\n", "a\n") == []


# Reports of any size


def report_with(count: int, extent: str = "everywhere") -> DiffReport:
    pair = pair_of("chunk_len", REFERENCE, EMPTY_AT_SPLIT)
    found = compare(pair.base, pair.head)
    assert found.witness is not None
    cells = [
        MapCell(
            (f"condition {number}", "and <another> | one"), extent, found.witness, lambda _: True
        )
        for number in range(count)
    ]
    cells.append(MapCell(("the rest",), "nowhere", None, lambda _: True))
    return DiffReport("base.rs", "head.rs", [found._replace(map=ChangeMap(cells, []))])


def test_a_map_of_any_size_is_shown_whole() -> None:
    for count in (0, 1, 5, 40):
        review = Review(report_with(count), Pictures([], []), [])
        page = require_sound(review_html.render(review))
        assert page.said("th").count("and <another> | one") == count
        assert f"1 of {count + 1} cells are proved unchanged" in page.said("summary")
        comment = review_markdown.render(review)
        assert comment.count("and \\<another> \\| one | changed always | ") == count


@pytest.mark.parametrize("extent", EXTENTS)
def test_every_extent_has_words(extent: str) -> None:
    review = Review(report_with(2, extent), Pictures([], []), [])
    shown = require_sound(review_html.render(review)).said("body")
    assert EXTENTS[extent] in shown.lower()
    is_undecided = "some calls could not be decided of chunk_len" in verdict_sentence(review.report)
    assert is_undecided == (extent == "unknown")


def test_what_could_not_be_decided_is_said_so() -> None:
    pair = pair_of("chunk_len", REFERENCE, REFERENCE)
    undecided = Comparison(pair, "inconclusive", reason="the solver gave up: <timeout>")
    report = DiffReport("base.rs", "head.rs", [undecided])
    assert verdict_sentence(report) == "nothing could be decided of chunk_len."
    review = Review(report, Pictures([], []), [])
    assert "the solver gave up: <timeout>" in require_sound(review_html.render(review)).said("p")
    assert "the solver gave up: \\<timeout>" in review_markdown.render(review)


# Files


@pytest.mark.parametrize("option", ["--html", "--markdown"])
def test_a_folder_that_is_missing_is_bad_usage(shell: Shell, folder: Path, option: str) -> None:
    before = sorted(folder.rglob("*"))
    result = shell.run("diff", "base.rs", "head.rs", option, "gone/page")
    assert (result.code, result.out) == (2, "")
    assert "cannot write gone/page" in result.err
    assert sorted(folder.rglob("*")) == before


def test_nothing_is_written_of_a_planner_that_cannot_be_read(shell: Shell, folder: Path) -> None:
    (folder / "page.html").write_text("older")
    result = shell.run("diff", "base.rs", "gone.rs", "--html", "page.html", "--markdown", "new.md")
    assert result.code == 2
    assert (folder / "page.html").read_text() == "older"
    assert not (folder / "new.md").exists()


def test_the_templates_are_part_of_the_package() -> None:
    folder = files("prefill_gate") / "templates"
    assert {entry.name for entry in folder.iterdir()} == {
        "review.html",
        "review.css",
        "traffic.html",
    }


def test_templates_are_loaded_for_a_page_alone(folder: Path) -> None:
    program = (
        "import sys; from prefill_gate.main import main; main(sys.argv[1:]); "
        "sys.exit('jinja2' in sys.modules)"
    )
    for words in (["check", "base.rs"], ["diff", "base.rs", "head.rs", "--markdown", "new.md"]):
        done = subprocess.run(
            [sys.executable, "-c", program, *words], check=False, capture_output=True
        )
        assert done.returncode == 0, done.stderr
    assert (folder / "new.md").is_file()


def test_text_is_laid_out_for_the_width_that_is_asked_for() -> None:
    before = width()
    with laid_out_for(73):
        assert width() == 73
    assert width() == before


def test_the_reader_of_pages_refuses_what_is_not_whole() -> None:
    for broken in ("<p>", "<p><b></p></b>", "<br/>", "</p>"):
        with pytest.raises((AssertionError, IndexError)):
            Page(broken)
