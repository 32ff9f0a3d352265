"""Directives of pages and headers: index, quote, use (ACC-06, ACC-07, ACC-09)."""

import pytest

from tests.audit.builders import HOME, fetched, good_pages, page, probe, probes, site
from visibility.audit.checks.access.directives import declarations, indexable, quotable
from visibility.audit.checks.directives import barring, directives
from visibility.audit.page import Meta


def headed(url, **headers):
    return page(url, answer=fetched(url, headers=headers))


class TestIndexable:
    def test_pages_that_say_nothing_pass(self):
        assert indexable(site()).verdict == "passed"
        assert indexable(site(page("/", robots="index, follow, max-snippet:-1"))).verdict == "passed"

    @pytest.mark.parametrize("content", ["noindex", "NOINDEX, nofollow", "none", "follow,noindex"])
    def test_a_home_page_marked_so_is_critical(self, content):
        found = indexable(site(page("/", robots=content), *good_pages()[1:]))
        assert (found.verdict, found.critical, found.share) == ("failed", True, 0.75)
        assert found.evidence[0].where == "line 7" and found.evidence[0].url == HOME

    def test_a_header_bars_as_well(self):
        found = indexable(site(headed("/", **{"x-robots-tag": "noarchive, noindex"})))
        assert found.critical and found.evidence[0].where == "header x-robots-tag"
        assert found.evidence[0].quote == "X-Robots-Tag: noarchive, noindex"

    def test_what_bars_one_crawler_is_a_finding_and_not_critical(self):
        found = indexable(site(headed("/", **{"x-robots-tag": "googlebot: noindex"})))
        assert (found.verdict, found.critical) == ("failed", False)
        assert found.words["directive"] == "noindex for googlebot"
        assert not indexable(site(page("/", metas=(Meta("bingbot", "noindex", 3),)))).critical

    def test_what_bars_others_than_search_is_none(self):
        assert indexable(site(headed("/", **{"x-robots-tag": "otherbot: noindex, nofollow"}))).verdict == "passed"
        assert indexable(site(page("/", metas=(Meta("googlebot-news", "noindex", 3),)))).verdict == "passed"

    def test_a_time_in_a_header_is_not_a_crawler(self):
        said = directives(fetched(headers={"x-robots-tag": "unavailable_after: 25 Jun 2030 15:00:00 PST"}), None)
        assert [(each.bot, each.word) for each in said] == [("", "unavailable_after:25jun203015:00:00pst")]

    @pytest.mark.parametrize(
        "path", ["/login", "/search", "/privacy", "/cart", "/my-account/", "/de/warenkorb", "/tag/steel"]
    )
    def test_private_and_legal_pages_are_rightly_kept_out(self, path):
        found = indexable(site(page("/"), page(path, robots="noindex")))
        assert (found.verdict, found.because) == ("passed", "1 page that is no key page is noindex.")

    def test_a_page_that_the_home_page_links_is_key_and_a_deeper_one_of_no_kind_is_not(self):
        assert indexable(site(page("/"), page("/community/", robots="noindex"))).verdict == "failed"
        assert indexable(site(page("/"), page("/community/", robots="noindex", depth=3))).verdict == "passed"
        assert indexable(site(page("/"), page("/shop?sort=price", robots="noindex"))).verdict == "passed"

    def test_a_product_page_is_key_however_deep(self):
        found = indexable(site(page("/"), page("/p/kettle", kind="product", robots="noindex", depth=4)))
        assert (found.verdict, found.lost, found.share) == ("failed", 0.5, 0.5)

    def test_without_a_key_page_it_does_not_apply(self):
        assert indexable(site(page("/", status=500))).verdict == "not_applicable"


class TestQuotable:
    @pytest.mark.parametrize("content", ["nosnippet", "max-snippet:0", "max-snippet: 0"])
    def test_a_page_that_forbids_quotes_is_found(self, content):
        found = quotable(site(page("/"), page("/about", robots=content)))
        assert (found.verdict, found.share) == ("failed", 0.5)

    @pytest.mark.parametrize("content", ["max-snippet:-1", "max-snippet:160", "nofollow", "noimageindex"])
    def test_a_bound_or_another_directive_is_not(self, content):
        assert quotable(site(page("/"), page("/about", robots=content))).verdict == "passed"

    def test_text_that_may_not_be_quoted_counts_from_half_of_the_page_on(self):
        assert quotable(site(page("/", words=400, unquotable_words=250))).verdict == "failed"
        assert quotable(site(page("/", words=400, unquotable_words=40))).verdict == "passed"

    def test_a_page_that_may_not_be_indexed_is_told_elsewhere(self):
        assert quotable(site(page("/", robots="noindex, nosnippet"))).verdict == "not_applicable"


class TestDeclarations:
    NO = "User-agent: *\nContent-Signal: search=yes, ai-train=no\nAllow: /\n"

    def test_one_declaration_or_none_cannot_disagree(self):
        assert declarations(site()).verdict == "not_applicable"
        assert declarations(site(robots=self.NO)).verdict == "not_applicable"

    def test_two_that_agree_pass(self):
        reserved = probe("/.well-known/tdmrep.json", 200, '[{"location": "/", "tdm-reservation": 1}]')
        found = declarations(site(robots=self.NO, probes=probes(tdmrep=reserved)))
        assert found.verdict == "passed" and "2 declarations" in found.because

    def test_two_that_disagree_are_both_quoted(self):
        found = declarations(site(headed("/", **{"content-usage": "train-ai=y"}), robots=self.NO))
        assert found.verdict == "failed"
        assert [each.where for each in found.evidence] == ["header content-usage", "robots.txt line 2"]
        assert found.words["b"] == "Content-Signal: search=yes, ai-train=no"

    def test_each_channel_is_read(self):
        open_to_all = "User-agent: *\nContent-Usage: train-ai=y\n"
        metas = (Meta("tdm-reservation", "1", 4),)
        assert declarations(site(page("/", metas=metas), robots=open_to_all)).verdict == "failed"
        assert declarations(site(page("/", robots="noai"), robots=open_to_all)).verdict == "failed"
        assert declarations(site(headed("/", **{"tdm-reservation": "0"}), robots=self.NO)).verdict == "failed"

    def test_a_file_that_is_none_says_nothing(self):
        for text in (
            "<html>",
            "[" * 100_000,
            '"tdm-reservation"',
            "[1, null]",
            '[{"location": "/api", "tdm-reservation": 1}]',
        ):
            known = probes(tdmrep=probe("/.well-known/tdmrep.json", 200, text))
            assert declarations(site(robots=self.NO, probes=known)).verdict == "not_applicable"


def test_a_directive_for_all_comes_before_one_for_some():
    answer = fetched(headers={"x-robots-tag": "googlebot: noindex"})
    said = page("/", robots="noindex").parsed
    assert barring(answer, said).where == "line 7"
