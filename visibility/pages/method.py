"""The page that says how everything is measured: the analysts' guide of the documentation, as HTML."""

import re
from functools import cache
from itertools import pairwise
from pathlib import Path

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "analysts.md"


@cache
def method_html() -> SafeString:
    """The guide as HTML. Each heading carries an id made from its words, such as `share-of-voice`, to link to."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(GUIDE.read_text(encoding="utf-8"))
    for opening, words in pairwise(tokens):
        if opening.type == "heading_open":
            opening.attrSet("id", anchor(words.content))
        for link in words.children or ():
            _keep_inside(link)
    html: str = parser.renderer.render(tokens, parser.options, {})
    # The text is our own, and raw HTML in it is escaped.
    return SafeString(html)


def anchor(heading: str) -> str:
    """The id of a heading: its words in lower case, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", heading.lower()))


def _keep_inside(token: Token) -> None:
    """Links to other files of the documentation lead nowhere on the web: they become plain text."""
    target = str(token.attrGet("href") or "")
    if token.type == "link_open" and not target.startswith(("http", "#")):
        token.tag = "span"
        token.attrs = {}
