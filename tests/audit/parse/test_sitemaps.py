"""Sitemaps: what they list, what is wrong with them, and that none can do harm."""

import gzip
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from visibility.audit.parse import sitemaps
from visibility.audit.parse.sitemaps import MAX_CHILDREN, MAX_ENTRIES, read_time

URL = "https://norrvik.example/sitemap.xml"


def read_sitemap(body, url, size=1 << 16, **told):
    """What is read of a body that comes in pieces of this size."""
    return sitemaps.read_sitemap((body[at : at + size] for at in range(0, len(body), size)), url, **told)


def urlset(*entries):
    return f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(entries)}</urlset>'.encode()


def entry(path="/a", lastmod=""):
    return f"<url><loc>https://norrvik.example{path}</loc>{f'<lastmod>{lastmod}</lastmod>' if lastmod else ''}</url>"


def test_the_saved_sitemaps(reference_data):
    folder = reference_data / "site-audit/sitemaps"
    plain = (folder / "sitemap.xml").read_bytes()
    read = read_sitemap(plain, "https://www.sitemaps.org/sitemap.xml")
    assert (read.kind, read.total, len(read.entries), read.problem) == ("urlset", 84, 84, "")
    assert read.entries[0].lastmod == datetime(2016, 11, 21, tzinfo=UTC)
    zipped = (folder / "sitemap.xml.gz").read_bytes()
    assert read_sitemap(zipped, "https://www.sitemaps.org/sitemap.xml.gz").entries == read.entries
    atom = read_sitemap((folder / "feed1.atom").read_bytes(), "http://example.org/feed")
    assert (atom.kind, atom.entries[0].url) == ("feed", "http://example.org/2003/12/13/atom03")
    assert atom.entries[0].lastmod == datetime(2003, 12, 13, 18, 30, 2, tzinfo=UTC)
    rss = read_sitemap((folder / "feed2.rss").read_bytes(), "http://www.example.com/feed")
    assert (rss.kind, rss.total, rss.problem) == ("feed", 1, "")
    assert rss.entries[0].lastmod == datetime(2009, 9, 6, 16, 20, tzinfo=UTC)
    assert read_sitemap((folder / "feed.json").read_bytes(), URL).problem.startswith("The file is neither XML")


def test_the_sitemap_of_a_whole_site(reference_data):
    body = (reference_data / "site-audit/sites/nutch/sitemap.xml").read_bytes()
    read = read_sitemap(body, "https://nutch.apache.org/sitemap.xml")
    assert (read.kind, read.total, read.problem) == ("urlset", 35, "")


def test_an_index_lists_files_and_a_text_lists_addresses():
    index = b"<sitemapindex><sitemap><loc>/one.xml</loc></sitemap><sitemap><loc>https://norrvik.example/two.xml.gz</loc></sitemap></sitemapindex>"
    read = read_sitemap(index, URL)
    assert (read.kind, read.children) == (
        "index",
        ("https://norrvik.example/one.xml", "https://norrvik.example/two.xml.gz"),
    )
    assert (read.entries, read.total) == ((), 2)
    text = read_sitemap(b"\xef\xbb\xbfhttps://norrvik.example/a\r\nhttps://norrvik.example/b\n", URL)
    assert (text.kind, [entry.url for entry in text.entries]) == (
        "text",
        ["https://norrvik.example/a", "https://norrvik.example/b"],
    )


@pytest.mark.parametrize(
    ("body", "problem"),
    [
        (b"", "empty"),
        (b"<!DOCTYPE html><title>404</title>", "HTML page"),
        (b"<html><body>", "HTML page"),
        (b"<foo/>", "no sitemap"),
        (b"just words", "neither XML"),
        (urlset(), "lists no address"),
        (b"<urlset><url><loc>https://norrvik.example/a</loc></url><url", "broken"),
        (urlset(entry(), "<url><loc>https://other.example/b</loc></url>"), "1 of 2 addresses are on another host"),
        (
            b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><urlset><url><loc>&b;</loc></url></urlset>',
            "entities",
        ),
        (
            b'<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><urlset><url><loc>&f;</loc></url></urlset>',
            "entities",
        ),
    ],
)
def test_what_is_wrong_is_told(body, problem):
    assert problem in read_sitemap(body, URL).problem


def test_the_good_entries_of_a_broken_file_are_kept():
    read = read_sitemap(urlset(entry("/a"), entry("/b"))[:-30], URL)
    assert [entry.url for entry in read.entries][:1] == ["https://norrvik.example/a"]


def test_what_we_cut_ourselves_is_not_broken(monkeypatch):
    body = urlset(*(entry(f"/{number}") for number in range(400)))
    cut = read_sitemap(body[:-200], URL, cut=True)
    assert (cut.kind, "cut the rest" in cut.problem, "broken" in cut.problem) == ("urlset", True, False)
    broken = read_sitemap(body.replace(b"</loc>", b"</lock>")[:-200], URL, cut=True)
    assert "broken" in broken.problem
    monkeypatch.setattr(sitemaps, "MAX_BYTES", 10_000)
    for sent in (body, gzip.compress(body), b"".join(f"{URL}?{number}\n".encode() for number in range(400))):
        read = read_sitemap(sent, URL, size=97)
        assert 100 < read.total < 400
        assert f"({read.total} addresses) and cut the rest" in read.problem


def test_a_damaged_or_empty_packed_file_is_told():
    packed = gzip.compress(urlset(*(entry(f"/{number}") for number in range(400))))
    assert "cannot be unpacked" in read_sitemap(packed[:-30], URL).problem
    assert "cannot be unpacked" in read_sitemap(packed[:400] + bytes(99), URL).problem
    assert "empty" in read_sitemap(gzip.compress(b" "), URL).problem


def test_entries_above_the_bound_are_counted_and_not_kept():
    read = read_sitemap(urlset(*(entry(f"/{number}") for number in range(50_001))), URL)
    assert (read.total, MAX_ENTRIES <= len(read.entries) < 2 * MAX_ENTRIES) == (50_001, True)
    assert "50,001" in read.problem
    first, last = read.entries[0].url, read.entries[-1].url
    assert (first, last[:26]) == ("https://norrvik.example/0", "https://norrvik.example/49")
    index = b"<sitemapindex>" + b"<sitemap><loc>/a</loc></sitemap>" * 700 + b"</sitemapindex>"
    assert len(read_sitemap(index, URL).children) == MAX_CHILDREN


def test_no_file_of_the_machine_is_read(tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("swordfish")
    body = (
        f'<!DOCTYPE urlset SYSTEM "file://{secret}"><urlset><url><loc>https://norrvik.example/</loc></url></urlset>'
    )
    assert "swordfish" not in str(read_sitemap(body.encode(), URL))


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-03-04", datetime(2026, 3, 4, tzinfo=UTC)),
        ("2026-03", datetime(2026, 3, 1, tzinfo=UTC)),
        ("2026", datetime(2026, 1, 1, tzinfo=UTC)),
        ("2026-03-04T10:00:00+02:00", datetime(2026, 3, 4, 8, tzinfo=UTC)),
        ("2026-03-04T10:00:00Z", datetime(2026, 3, 4, 10, tzinfo=UTC)),
        ("Wed, 04 Mar 2026 10:00:00 +0000", datetime(2026, 3, 4, 10, tzinfo=UTC)),
        ("yesterday", None),
        ("2026-13-45", None),
        ("", None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_times(text, moment):
    assert read_time(text) == moment


PIECES = st.sampled_from(
    ["<urlset>", "</urlset>", "<url>", "</url>", "<loc>", "</loc>", "https://a.example/", "<lastmod>", "2026-01-01",
     "&amp;", "&x;",
     "<rss>", "<item><link>", "<entry><link href='x'/>", "<?xml version='1.0' encoding='utf-16'?>", "<![CDATA[",
     "]]>", "\x00", "http://["]
)  # fmt: skip


@given(st.lists(PIECES | st.text(max_size=6), max_size=40))
def test_no_sitemap_raises(pieces):
    read = read_sitemap("".join(pieces).encode("utf-8", "replace"), URL)
    assert read.total >= len(read.entries)


@given(st.binary(max_size=200))
def test_no_bytes_raise(body):
    read_sitemap(body, URL)
