"""What a browser makes of HTML, for tests: its words, its tags in order, and what is marked in it."""

import re
from html.parser import HTMLParser
from urllib.parse import urlsplit

from lxml.html import fragment_fromstring

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


ALLOWED = {
    "a": {"href", "title", "rel", "class"},
    "blockquote": {"dir"},
    "br": set(),
    "bdi": set(),
    "code": set(),
    "details": {"open"},
    "div": {"class", "role", "aria-label", "tabindex", "dir"},
    "em": set(),
    "hr": set(),
    "li": {"dir"},
    "mark": {"class", "title"},
    "ol": {"start", "class"},
    "p": {"dir", "class"},
    "pre": {"dir", "class"},
    "span": {"class", "dir"},
    "td": {"class", "dir"},
    "th": {"class", "dir", "scope"},
    **{f"h{level}": {"dir"} for level in range(3, 7)},
    "strong": {"class"},
    **{tag: set() for tag in ("s", "summary", "table", "tbody", "thead", "tr", "ul")},
    "article": {"class", "id"},
    "header": set(),
}
"""The tags of what pages show of others, each with its attributes. Templates and `markdown` write no others."""

CLASSES = {
    *("own", "rival", "on", "image", "raw", "scroll", "left", "right", "center", "cite", "note", "yes", "no", "said"),
    *("range", "sources", "ways", "answer", "prompt", "competitor", "review_site", "community", "news", "reference"),
    *("video", "shop", "other"),
}


def harms(html):
    """What a browser would do with this HTML besides showing it, one line each; none is what it should be."""
    root = fragment_fromstring(f"<main>{html}</main>")
    for element in root.iterdescendants():
        if not isinstance(element.tag, str) or element.tag not in ALLOWED:
            yield f"element {element.tag}"
            continue
        for name, value in element.attrib.items():
            if name not in ALLOWED[element.tag]:
                yield f"attribute {element.tag} {name}={value[:80]!r}"
            elif name == "class" and not set(value.split()) <= CLASSES:
                yield f"class {value[:80]!r}"
            elif name == "href" and not _is_harmless(value):
                yield f"address {value[:80]!r}"
        is_away = element.tag == "a" and element.get("href", "").startswith("http")
        if is_away and element.get("rel") != "nofollow noreferrer":
            yield "a link that tells whence"


def _is_harmless(href):
    """A page of the service, or one of the web that says openly which."""
    if re.fullmatch(r"/brands/[\w/.-]+(\?[\w=&-]+)?", href):
        return True
    parts = urlsplit(href)
    return bool(
        re.match(r"https?://[^\s/?#@\\]", href)
        and parts.hostname
        and parts.username is None
        and not re.search(r"[\x00-\x20\x7f\u202a-\u202e\u2066-\u2069\u200b]", href)
    )
