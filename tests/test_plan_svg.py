"""The picture of a plan: well-formed, self-contained, small, and no words on top of others."""

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prefill_gate.plan_canvas import FONT, WIDTH, Label, arrange, arrange_freely, text_width
from prefill_gate.plan_layout import Layout, Request, lay_out
from prefill_gate.plan_svg import draw
from prefill_reference.dispatcher import DISPATCHES
from prefill_reference.policies import BEFORE, CURRENT, Policy
from prefill_reference.runs import Prompt
from prefill_spec.vocabulary import USIZE_MAX

SVG = "{http://www.w3.org/2000/svg}"
STORY = Request(Prompt(32_772, 16, 16), 8193, 8192, "two-pass", 32_772)
LOST = replace(STORY, prompt=Prompt(8193, 16, 16), common=8193, dispatch="none")
STALLING = Policy("stalling", lambda *_call: 0)
REQUESTS = {
    "story": STORY,
    "short": replace(STORY, prompt=Prompt(33, 16, 16), common=33),
    "too short to split": replace(STORY, prompt=Prompt(5, 16, 16), common=5),
    "empty": replace(STORY, prompt=Prompt(0, 16, 16), common=0),
    "no blocks": replace(STORY, prompt=Prompt(32_772, None, 16)),
    "blocks of 1": replace(STORY, prompt=Prompt(50, 1, 0), following=7, first=7, common=50),
    "no dispatcher": LOST,
    "in one pass": replace(LOST, dispatch="in-pass"),
    "a start": replace(STORY, prompt=Prompt(200, 16, 16, 33), first=33, following=32, common=100),
    "a start at the end": replace(STORY, prompt=Prompt(40, 16, 16, 40), common=40),
    "many passes": replace(STORY, prompt=Prompt(32_772, 4096, 16), following=4),
    "2**60": replace(
        STORY, prompt=Prompt(2**60, 16, 16), first=2**50, following=2**50, common=2**60
    ),
    "usize": replace(
        STORY, prompt=Prompt(USIZE_MAX, 2**58, 1, 2**58), first=USIZE_MAX, common=USIZE_MAX
    ),
}
each_request = pytest.mark.parametrize("name", REQUESTS)


class Words(NamedTuple):
    """A text of a picture, and the box around it."""

    words: str
    left: float
    right: float
    bottom: float

    @property
    def top(self) -> float:
        """The top of the box."""
        return self.bottom - FONT

    def overlaps(self, other: "Words") -> bool:
        """Return whether two boxes have a place in common."""
        return (
            self.left < other.right
            and other.left < self.right
            and self.top < other.bottom
            and other.top < self.bottom
        )


def layouts_of(request: Request) -> list[Layout]:
    return [lay_out(request, policy) for policy in (BEFORE, CURRENT)]


def words_in(picture: str) -> Iterator[Words]:
    """Yield the texts of a picture, each as wide as its font makes it."""
    for element in ElementTree.fromstring(picture).iter(f"{SVG}text"):
        words = element.text or ""
        width = 0.602 * FONT * len(words)
        before = {"start": 0.0, "middle": width / 2, "end": width}
        left = float(element.attrib["x"]) - before[element.attrib.get("text-anchor", "start")]
        yield Words(words, left, left + width, float(element.attrib["y"]) + 2)


def assert_is_clean(layouts: Sequence[Layout]) -> None:
    picture = draw(layouts)
    root = ElementTree.fromstring(picture)
    assert root.tag == f"{SVG}svg"
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    words = list(words_in(picture))
    for entry in words:
        assert entry.left >= 0, entry
        assert entry.right <= width, entry
        assert 0 <= entry.top < entry.bottom <= height, entry
    for first, second in combinations(words, 2):
        assert not first.overlaps(second), (first, second)
    for box in root.iter(f"{SVG}rect"):
        assert float(box.attrib["width"]) > 0
        assert float(box.attrib["x"]) + float(box.attrib["width"]) <= width
        assert float(box.attrib["y"]) + float(box.attrib["height"]) <= height


@each_request
def test_a_picture_is_clean_and_small(name: str) -> None:
    layouts = layouts_of(REQUESTS[name])
    assert_is_clean(layouts)
    for layout in layouts:
        assert_is_clean([layout])
        assert len(draw([layout])) < 20_000


@each_request
def test_a_picture_needs_nothing_else(name: str) -> None:
    picture = draw(layouts_of(REQUESTS[name]))
    assert picture.count("http") == 1  # the name space
    assert not re.search(r"<(script|image|foreignObject|use)|@import|url\(|\bon\w+=", picture)


@settings(max_examples=60)
@given(st.data())
def test_a_picture_of_any_plan_is_clean(data: st.DataObject) -> None:
    scale = data.draw(st.sampled_from([1, 10, 1000, 2**40, 2**50]))
    total = data.draw(st.integers(1, 200)) * scale + data.draw(st.integers(0, scale))
    block_size = data.draw(st.sampled_from([None, 1, 4, 16, 3 * scale, 16 * scale]))
    start = min(data.draw(st.integers(0, 40)) * scale, total)
    proposals = st.integers(scale, 100 * scale)
    assert_is_clean(
        layouts_of(
            Request(
                Prompt(total, block_size, data.draw(st.integers(0, 3)), start),
                data.draw(proposals),
                data.draw(proposals),
                data.draw(st.sampled_from(DISPATCHES)),
                data.draw(st.integers(0, total)),
            )
        )
    )


def test_the_story_is_told_in_its_picture() -> None:
    words = {entry.words for entry in words_in(draw(layouts_of(STORY)))}
    assert {
        "before-2026-09-27",
        "current",
        "split point 32752, no snapshot",
        "split point 32752",
        "match 32768",
        "restored 32752",
        "replays 8195",
        "replays 20",
        "split point 32752: inside the pass from 24577 to 32769, no snapshot saved",
        "a warm request matches 32768, restores at 24577 and replays 8195 tokens",
        "a warm request matches 32768, restores at 32752 and replays 20 tokens",
        "current replays 20 tokens, before-2026-09-27 8195: 8175 more",
    } <= words


def test_a_lost_snapshot_is_shown_where_it_was_lost() -> None:
    words = [entry.words for entry in words_in(draw([lay_out(LOST, CURRENT)]))]
    assert "split point 8176, no snapshot" in words
    assert "replays 8193" in words


def test_a_capture_is_shown_inside_its_pass() -> None:
    words = [entry.words for entry in words_in(draw([lay_out(REQUESTS["in one pass"], CURRENT)]))]
    assert "split point 8176, captured" in words
    assert "captured inside a pass" in words


def test_a_stalled_run_says_so() -> None:
    layout = lay_out(STORY, STALLING)
    assert_is_clean([layout])
    assert any(entry.words.startswith("stalled: ") for entry in words_in(draw([layout])))


def test_a_planner_of_any_name_gives_a_well_formed_picture() -> None:
    policy = replace(CURRENT, name='a&b <"quoted">\x00\udcff.rs')
    words = [entry.words for entry in words_in(draw([lay_out(STORY, policy)]))]
    assert 'a&b <"quoted">??.rs' in words


def test_a_long_name_is_broken_into_lines() -> None:
    assert_is_clean([lay_out(STORY, replace(CURRENT, name="folder/" * 60))])


def test_many_passes_are_drawn_at_once() -> None:
    layout = lay_out(REQUESTS["2**60"], CURRENT)
    started = time.perf_counter()
    picture = draw([layout])
    assert time.perf_counter() - started < 0.5
    assert "1002 more" in picture


# Labels.


def test_labels_without_room_are_left_out_unless_needed() -> None:
    first, second = Label(400, "first"), Label(401, "second")
    assert [placed.label for placed in arrange([first, second], 1)] == [first]
    needed = replace(second, needed=True)
    assert [placed.row for placed in arrange([first, needed], 1)] == [0, 1]


def test_a_label_stays_inside_the_picture() -> None:
    for x in (0, WIDTH):
        (placed,) = arrange([Label(x, "a label at the edge")], 1)
        assert 0 <= placed.left < placed.right <= WIDTH
        assert placed.right - placed.left == text_width("a label at the edge")


def test_needed_labels_take_the_order_in_which_no_line_crosses_words() -> None:
    labels = [Label(415, "a long label" * 3, needed=True), Label(400, "1", needed=True)]
    upper, lower = sorted(arrange_freely(labels, 3), key=lambda placed: placed.row)
    assert not upper.left <= lower.label.x <= upper.right
    assert arrange_freely([], 3) == []
