"""What a browser makes of HTML, for tests: its words, its tags in order, and what is marked in it."""

import re
from html.parser import HTMLParser

from tests.pages.reading import Tags

BLOCKS = {
    "p",
    "li",
    "tr",
    "td",
    "th",
    "pre",
    "blockquote",
    "hr",
    "br",
    "h4",
    "h5",
    "h6",
    "h1",
    "h2",
    "h3",
    "ul",
    "ol",
}


class Shown(HTMLParser):
    """Reads HTML that opens and closes in order: `text` with its white space as one space, `tags` with their
    attributes, and `marks` as pairs of the title and the text of each, what goes on elsewhere included."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.marks, self._parts, self._open = [], [], [], []
        self.feed(html)
        self.close()
        assert self._open == [], f"left open: {self._open}"

    @property
    def text(self):
        return re.sub(r"\s+", " ", "".join(self._parts)).strip()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        if tag not in Tags.VOID:
            self._open.append(tag)
        if tag in BLOCKS:
            self._parts.append(" ")
        if tag == "img":
            self._parts.append(attributes.get("alt", ""))
        if tag == "mark" and "title" in attributes:
            self.marks.append([attributes["title"], ""])

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag in BLOCKS:
            self._parts.append(" ")

    def handle_data(self, data):
        self._parts.append(data)
        if "mark" in self._open:
            self.marks[-1][1] += data
