"""Titles, descriptions and feeds (DIS-07, DIS-09, DIS-10)."""

import pytest

from tests.audit.builders import address, page, site
from visibility.audit.checks.discovery.texts import columns, descriptions, feeds, titles
from visibility.audit.page import HeadLink, Meta, Text


def described(text):
    return (Meta("description", text, 5),)


class TestTitles:
    def test_two_that_differ_are_found_and_shown_in_short(self):
        long = Text("Kettles " * 100, 9)
        found = titles(site(page("/", titles=(Text("Kettles by Norrvik", 4), long))))
        assert found.words["finding"] == "1 page has several title elements that differ."
        assert len(found.evidence[0].quote) < 300

    def test_titles_of_their_own_pass(self):
        assert titles(site()).verdict == "passed"

    def test_missing_shared_and_overlong_titles_are_told_apart(self):
        shared = "All kettles by Norrvik"
        found = titles(
            site(
                page("/"),
                page("/a", title=shared, markup=({"@type": "Product"},)),
                page("/b", title=shared),
                page("/c", title=None),
                page("/d", title="x" * 71),
                page("/e", title="Kettles"),
            )
        )
        assert found.words["finding"] == (
            "1 page has no title, 2 pages share a title with another page and 2 pages have a title under 10 or over "
            "70 characters."
        )
        assert (found.verdict, found.affected, found.share) == ("failed", 5, pytest.approx(1 / 6))
        assert found.evidence[1].where == "line 4" and found.evidence[1].quote == f"<title>{shared}</title>"

    def test_versions_in_other_languages_may_share_a_title(self):
        both = tuple(
            HeadLink("alternate", address(path), 9, hreflang=code)
            for path, code in (("/us", "en-us"), ("/gb", "en-gb"))
        )
        title = "Norrvik steel kettles"
        versions = [page(path, title=title, head_links=both) for path in ("/us", "/gb")]
        assert titles(site(page("/"), *versions)).verdict == "passed"
        languages = [page("/sv", title=title, lang_declared="sv"), page("/de", title=title, lang_declared="de")]
        assert titles(site(page("/"), *languages)).verdict == "passed"

    def test_two_addresses_of_one_page_share_its_title_rightly(self):
        copies = [
            page(path, title="Norrvik steel kettles", canonical="/kettles") for path in ("/kettles", "/k?ref=1")
        ]
        assert titles(site(page("/"), *copies)).verdict == "passed"

    def test_a_title_in_chinese_is_measured_in_columns(self):
        assert columns("不锈钢电热水壶") == 14
        assert titles(site(page("/", title="不锈钢电热水壶"))).verdict == "passed"

    def test_without_pages_to_read_it_does_not_apply(self):
        assert titles(site(page("/", kind="login"))).verdict == "not_applicable"


class TestDescriptions:
    def test_descriptions_of_their_own_pass(self):
        assert descriptions(site()).verdict == "passed"

    def test_missing_and_shared_descriptions_are_told_apart(self):
        same = described("Norrvik makes kettles of steel.")
        found = descriptions(site(page("/"), page("/a", metas=same), page("/b", metas=same), page("/c", metas=())))
        assert found.words["finding"] == (
            "1 page has no description and 2 pages share a description with another page."
        )
        assert found.affected == 3

    def test_an_empty_description_is_none(self):
        assert descriptions(site(page("/", metas=described("  ")))).words["finding"] == "1 page has no description."


class TestFeeds:
    FEED = (HeadLink("alternate", address("/feed.xml"), 8, type="application/rss+xml"),)

    def test_a_feed_that_is_announced_passes(self):
        found = feeds(site(page("/", head_links=self.FEED), page("/news", kind="article")))
        assert found.verdict == "passed" and "/feed.xml" in found.because and "IndexNow" in found.because

    def test_articles_without_a_feed_are_a_finding_and_a_site_without_articles_is_none(self):
        assert feeds(site(page("/"), page("/news", kind="article"))).verdict == "failed"
        assert feeds(site()).verdict == "not_applicable"

    def test_a_version_in_another_language_is_no_feed(self):
        other = (HeadLink("alternate", address("/sv"), 8, hreflang="sv"),)
        assert feeds(site(page("/", head_links=other), page("/news", kind="article"))).verdict == "failed"
