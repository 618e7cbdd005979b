"""Reads a page as a browser does, and refuses what a browser would only mend."""

from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import pairwise
from typing import NamedTuple

VOID = {"meta", "br"}
"""The elements without an end that pages have."""

FOREIGN_VOID = {"rect", "path"}
"""The elements of a picture that close themselves."""


class Element(NamedTuple):
    """An element as it starts."""

    tag: str
    attributes: dict[str, str]


class Page(HTMLParser):
    """A page that was read whole: its elements in order, and the words in each kind of them."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[Element] = []
        self.words: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in FOREIGN_VOID, f"<{tag}/>"
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        for tag in set(self.open):
            self.words.setdefault(tag, []).append(data)

    def said(self, tag: str) -> str:
        """Return the words in every element of a kind, with single spaces between them."""
        return " ".join(" ".join(self.words.get(tag, [])).split())

    def all(self, *tags: str) -> list[Element]:
        """Return the elements of some kinds."""
        return [element for element in self.elements if element.tag in tags]

    def ids(self) -> list[str]:
        """Return the names that a link can lead to."""
        return [element.attributes["id"] for element in self.elements if "id" in element.attributes]

    def addresses(self) -> Iterator[tuple[str, str]]:
        """Yield the elements that lead or load, each with its address."""
        for tag, attributes in self.elements:
            for name in ("href", "src", "xlink:href", "data", "action"):
                if name in attributes:
                    yield tag, attributes[name]


def require_sound(text: str) -> Page:
    """Require what every page has to be: whole, self-contained and accessible; return it read."""
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>\n")
    assert page.all("html")[0].attributes == {"lang": "en"}
    assert len(page.ids()) == len(set(page.ids()))
    for tag, address in page.addresses():
        assert tag == "a", f"<{tag}> loads {address}"
        assert address.startswith(("#", "https://github.com/")), address
        assert not address.startswith("#") or address[1:] in page.ids(), address
    assert page.all("script", "link", "img", "iframe", "object", "form") == []
    assert "url(" not in page.said("style")
    assert "@import" not in page.said("style")
    for tag, attributes in page.elements:
        handlers = [name for name in attributes if name.startswith("on")]
        assert handlers == [], f"<{tag}>"
        assert "style" not in attributes
    assert all(header.attributes["scope"] in ("col", "row") for header in page.all("th"))
    levels = [int(element.tag[1]) for element in page.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    pictures = page.all("svg")
    assert all(picture.attributes["role"] == "img" for picture in pictures)
    assert len(page.all("title")) == len(pictures) + 1
    return page
