"""The bounds of a page or other file, before and while it is parsed."""

import re
from typing import Literal

MAX_TAG_BYTES = 256 * 1024
"""One tag with its attributes; parsers take minutes for a tag of 120,000 attributes."""
MAX_DEPTH = 1_000
"""Elements inside each other; browsers stop at 512."""
MAX_ELEMENTS = 150_000
"""Elements and comments of a page; real pages of several MB have about 20,000."""
CPU_SECONDS = 6
"""Of processor time for one page or small file."""
SITEMAP_TIMES = 4
"""A sitemap, of up to 50 MB, may take so many times what a page may."""
MEMORY = 1024**3
"""Address space of the process that reads, in bytes."""
MAX_ANSWER = 32 * 1024**2
"""Bytes of an answer of the process that reads."""
READ, UNPARSED = b"+", b"-"
"""How an answer of that process begins: with a fact, or with why there is none."""


Bound = Literal["too_deep", "tag_too_large", "too_slow"]


class TooMuch(Exception):
    """A page goes beyond a bound: the reason as `Unparsed` names it, and a sentence for people."""

    def __init__(self, reason: Bound, detail: str) -> None:
        super().__init__(detail)
        self.reason: Bound = reason
        self.detail = detail


# As the tokenizer of HTML reads: a quote opens a value after `=` only, and lasts until the next one like it;
# comments and scripts are text until their end.
_TAG = re.compile(
    rb"<(?:!--(?:.*?-->|.*)"
    rb"|(?P<raw>script|style|textarea|title)(?=[\s/>])(?:[^>=]++|=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|))*+"
    rb"|[A-Za-z](?:[^>=]++|=\s*+(?:\"[^\"]*+(?:\"|\Z)|'[^']*+(?:'|\Z)|))*+)",
    re.IGNORECASE | re.DOTALL,
)
_LONG_VALUE = re.compile(rb"\"[^\"]{1024,}+\"|'[^']{1024,}+'")


def check_tags(body: bytes) -> None:
    """Refuse a page that has a tag above the bound, in one pass over its bytes and before any parser sees it.

    Long values of attributes (pictures written into the page) do not count: it is many attributes that take parsers
    minutes. Raises TooMuch.
    """
    position = 0
    while tag := _TAG.search(body, position):
        position = tag.end()
        written = tag[0] if position - tag.start() > MAX_TAG_BYTES and not tag[0].startswith(b"<!--") else b""
        if written and len(_LONG_VALUE.sub(b"", written)) > MAX_TAG_BYTES:
            kilobytes = MAX_TAG_BYTES // 1024
            raise TooMuch("tag_too_large", f"A tag is longer than {kilobytes} KB, at byte {tag.start():,}.")
        if raw := tag["raw"]:
            end = re.compile(rb"</" + raw, re.IGNORECASE).search(body, position)
            position = end.start() + 1 if end else len(body)
