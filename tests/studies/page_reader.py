"""Reads a page as a strict browser would: what is in it, what it points to, and whether its tags match."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

EMPTY = {"meta", "link", "br", "img", "hr", "input"}


@dataclass
class Page(HTMLParser):
    """A page that has been read."""

    tags: list = field(default_factory=list)
    headings: list = field(default_factory=list)
    ids: list = field(default_factory=list)
    references: list = field(default_factory=list)
    words: list = field(default_factory=list)
    mistakes: list = field(default_factory=list)

    def __post_init__(self):
        super().__init__(convert_charrefs=True)
        self.open = []

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self.ids += [attributes["id"]] if "id" in attributes else []
        for name in ("href", "src", "xlink:href", "action", "poster", "srcset"):
            if name in attributes:
                self.references.append(attributes[name])
        if tag in {"h1", "h2", "h3", "h4"} and "nav" not in self.open:
            self.headings.append(int(tag[1]))
        if tag not in EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in EMPTY:
            self.open.pop()

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(tag)

    def handle_data(self, data):
        if not {"style", "script"} & set(self.open):
            self.words.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.words).split())

    def all(self, tag, **wanted):
        return [a for t, a in self.tags if t == tag and all(a.get(k) == v for k, v in wanted.items())]


def read_page(text: str) -> Page:
    """Read a page to its end."""
    page = Page()
    page.feed(text.replace("<wbr>", ""))  # a place where a line may break, inside a word
    page.close()
    page.mistakes += page.open
    return page
