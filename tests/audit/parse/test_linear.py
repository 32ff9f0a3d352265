"""Whatever a site sends is read in time linear in its size: the processor time of a text is compared with that of
twice the text, for each reader and each thing that a text may repeat."""

import time

import pytest

from tests.amounts import PROOFS, some
from visibility.audit.page import Unparsed
from visibility.audit.parse.child import ParsingChild
from visibility.audit.parse.parsing import parse_page
from visibility.audit.parse.robots import MAX_BYTES, parse_robots
from visibility.audit.parse.sitemaps import MAX_BYTES as SITEMAP_BYTES
from visibility.audit.parse.sitemaps import read_sitemap
from visibility.audit.parse.texts import read_text

URL = "https://norrvik.example/file"
MOST = 2.6
"""How many times as long twice the text may take; four where time grows with the square."""
FLOOR = 0.02
"""Seconds of processor time: what is less is noise."""

DELIMITERS = (
    "\n", " ", "\t", "\r\n", "<", "<!DOCTYPE ", "[", "](", "[a", "&", "&amp;", "&#", "&a;", ":", ";", '"', "'", "{",
    "}", "(", ")", "<!--", "-->", "<![CDATA[", "]]>", "<a>", "<p>", "<div>", "</p>", "<a href=", "<b ", "=", "#", "*",
    "/", "\\", "//", "/*", "*/", "a", "1", "1.", "1,", "€", "€ 1", "$1 ", "-", "–", ".", ", ", "a b ", "A. ", "By A ",
    "|", "1 May 2026 ", "2026-01-01 ", "@", "x@", "http://", "license:", "Sitemap:", "User-agent: *\n", "\\u", '\\"',
    "Disallow: /*\n", "é", "\u00ad", "%", "<br>", "<td>", "<li>a", "<h1>a", "<script>", "<style>", "<title>",
    "<meta ", "<span itemprop=a>", "<time>", "von A ", "?", "! ", "_", '{"a":', "[1,", '"a",', "<svg>", "<table>",
    "</div>",
    "<select>", "<url><loc>https://norrvik.example/a</loc></url>", "<url>", "<loc>", "<?a ", "<?a b?>", "<!ENTITY ",
)  # fmt: skip
PLACES = {
    "page": ("", ""),
    "text": ("<html><body><main><p>", "</p></main>"),
    "JSON-LD": ('<script type="application/ld+json">', "</script><p>a"),
    "text of JSON-LD": ('<script type="application/ld+json">{"name": "', '"}</script><p>a'),
    "comment of JSON-LD": ('<script type="application/ld+json">{"a": 1, /*', "</script><p>a"),
    "wrapped JSON-LD": ('<script type="application/ld+json">/*<![CDATA[*/', "/*]]>*/</script><p>a"),
    "address": ('<p><a href="', '">x</a>'),
    "style": ('<div style="', '">x</div>'),
    "class": ('<div class="', '">x</div>'),
    "title": ("<title>", "</title><p>a"),
    "comment": ("<!--", "--><p>a"),
    "script": ("<script>", "</script><p>a"),
    "description": ('<meta name=description content="', '"><p>a'),
    "date": ('<meta name=date content="', '"><p>a'),
    "byline": ("<p class=byline>", "</p>"),
    "tag": ("<p ", ">a"),
}
"""Where of a page the repetition stands."""


def page(body):
    return parse_page(body, url=URL, content_type="text/html")


def sitemap(body):
    return read_sitemap((body[at : at + 65_536] for at in range(0, len(body), 65_536)), URL)


READERS = [
    *((f"page, {place}", page, 24_000, *around) for place, around in PLACES.items()),
    ("robots.txt", parse_robots, MAX_BYTES // 4, "", ""),
    ("robots.txt, rule", parse_robots, MAX_BYTES // 4, "User-agent: *\nDisallow: /", ""),
    ("small file", read_text, 65_536 // 2, "", ""),
    ("sitemap", sitemap, 400_000, "", ""),
    ("sitemap, list", sitemap, 400_000, "<urlset>", ""),
    ("sitemap, address", sitemap, 400_000, "<urlset><url><loc>", ""),
]


@pytest.mark.parametrize(("name", "read", "size", "before", "after"), READERS, ids=[name for name, *_ in READERS])
def test_time_is_linear_in_the_size_of_what_is_read(name, read, size, before, after):
    read(f"{before}a{after}".encode())  # what is loaded at first use
    slow = {}
    for again in some(DELIMITERS, 1 if "page" not in name else 3):
        texts = [f"{before}{again * (n // len(again))}{after}".encode() for n in (size, 2 * size)]
        # Where a busy machine got in between, once more.
        for _ in range(3):
            once, twice = (seconds(read, text) for text in texts)
            if twice < FLOOR or twice <= MOST * once:
                break
        else:
            slow[again] = (round(once, 3), round(twice, 3))
    assert slow == {}


def seconds(read, text):
    began = time.process_time()
    read(text)
    return time.process_time() - began


@pytest.mark.parametrize(
    ("kind", "size", "again"),
    [
        ("robots", MAX_BYTES, "\n"),
        ("robots", MAX_BYTES, "a:\n"),
        ("robots", MAX_BYTES, "User-agent: a\nDisallow: /*a$\n"),
        ("text", 65_536, "["),
        ("text", 65_536, '{"a":'),
        ("sitemap", 4 * 2**20, "<!DOCTYPE"),
        *(("sitemap", SITEMAP_BYTES if PROOFS else 2**22, again) for again in ("\n", "<url><loc>/a</loc></url>")),
    ],
)
def test_a_file_as_long_as_it_may_be_is_read_within_the_limits_of_the_child(child, kind, size, again):
    before = "<urlset>" if kind == "sitemap" and again.startswith("<url") else ""
    said = getattr(child, kind)((before + again * (size // len(again))).encode(), url=URL)
    assert not isinstance(said, Unparsed), said


@pytest.fixture(scope="module")
def child():
    with ParsingChild() as child:
        yield child
