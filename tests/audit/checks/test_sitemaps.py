"""Sitemaps: that there is one, what it lists, when it says that pages changed (DIS-01 to DIS-03)."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.audit.builders import HOME, changed, fetched, good_pages, page, robots, site, sitemap
from visibility.audit.checks.discovery.sitemaps import changes, listed_pages, readable_sitemap

DAY = datetime(2026, 2, 1, tzinfo=UTC)


class TestReadableSitemap:
    def test_one_that_can_be_read_passes_wherever_it_stands(self):
        assert readable_sitemap(site()).verdict == "passed"
        elsewhere = sitemap("/", "/about", url="https://cdn.example/norrvik.xml")
        assert readable_sitemap(site(sitemaps=(elsewhere,))).verdict == "passed"
        said = "2 of 2 addresses are on another host than the sitemap (norrvik.example)."
        assert readable_sitemap(site(sitemaps=(replace(elsewhere, problem=said),))).verdict == "passed"
        foreign = sitemap("/", "https://other.example/a", problem=said.replace("2 of 2", "1 of 2"))
        assert readable_sitemap(site(sitemaps=(foreign,))).verdict == "failed"
        guessed = sitemap("/", listed_in="guess")
        assert readable_sitemap(site(sitemaps=(guessed,))).because == "1 address is listed."

    def test_an_index_with_its_files_passes(self):
        index = sitemap(kind="index", url="/index.xml")
        assert readable_sitemap(site(sitemaps=(index, sitemap("/", listed_in="index")))).verdict == "passed"

    def test_without_one_it_fails(self):
        missing = sitemap(fetched=fetched("/sitemap.xml", 404), listed_in="guess", kind="")
        for known in ((), (missing,)):
            found = readable_sitemap(site(sitemaps=known, robots=robots(None)))
            assert (found.verdict, found.share) == ("failed", 0.0)
            assert found.words["finding"].startswith("No sitemap was found")

    def test_a_web_page_at_the_usual_address_is_no_sitemap_and_no_fault_of_one(self):
        page_there = sitemap(listed_in="guess", kind="")
        assert readable_sitemap(site(sitemaps=(page_there,))).words["finding"].startswith("No sitemap was found")

    def test_one_that_robots_txt_names_and_that_is_not_there_is_found(self):
        gone = sitemap(fetched=fetched("/old.xml", 404), kind="")
        found = readable_sitemap(site(sitemaps=(gone, sitemap("/"))))
        assert (found.verdict, found.share) == ("failed", 0.5)
        assert found.words["finding"] == f"The sitemap “{HOME}old.xml” is named in robots.txt and answered 404."

    def test_one_with_a_problem_or_too_many_addresses_or_of_another_site_is_found(self):
        for one, said in (
            (sitemap("/", problem="It is not XML: line 3."), "It is not XML: line 3"),
            (sitemap("/", total=50_001), "50,001 addresses"),
            (sitemap("/", fetched=fetched("/s.xml", bytes=60_000_000)), "60,000,000 bytes"),
            (sitemap("https://staging.example/a", "http://localhost/b"), "only addresses of another site"),
        ):
            assert said in readable_sitemap(site(sitemaps=(one,))).words["finding"]

    def test_one_that_robots_txt_names_by_a_relative_address_is_told(self):
        outcome = readable_sitemap(site(sitemaps=(sitemap("/", written="/sitemap.xml"),)))
        assert outcome.verdict == "failed"
        assert (
            f"“{HOME}sitemap.xml” is named in robots.txt by a relative address (/sitemap.xml)"
            in outcome.words["finding"]
        )

    def test_addresses_with_and_without_www_are_of_one_site(self):
        assert readable_sitemap(site(sitemaps=(sitemap("https://www.norrvik.example/a"),))).verdict == "passed"

    @pytest.mark.parametrize("status", [429, 503, 0])
    def test_one_that_was_throttled_says_nothing(self, status):
        busy = sitemap(fetched=fetched("/sitemap.xml", status, error="" if status else "timeout"), kind="")
        assert readable_sitemap(site(sitemaps=(busy,))).verdict == "inconclusive"


class TestListedPages:
    def listed(self, *pages, sampled=()):
        urls = [each.fetched.url for each in pages] + [each.url for each in sampled]
        return site(*pages, sampled=sampled, sitemaps=(sitemap(*urls),))

    def test_pages_that_can_be_read_pass(self):
        assert listed_pages(self.listed(*good_pages(), sampled=(fetched("/x"),))).verdict == "passed"

    def test_dead_redirected_barred_and_copied_ones_are_counted(self):
        moved = page("/old", answer=fetched("/old", hops=[("/old", 301)], final_url="/new"))
        copy = page("/copy", canonical="/about")
        found = listed_pages(
            self.listed(page("/"), moved, copy, page("/n", robots="noindex"), sampled=(fetched("/dead", 404),))
        )
        assert found.words["finding"] == (
            "Of 5 addresses sampled from the 5 of the sitemap 4 should not be in it: 1 redirected elsewhere, 1 with "
            "another canonical address, 1 marked noindex and 1 answered 404."
        )
        assert found.share == pytest.approx(1 / 5)

    def test_http_www_and_slashes_are_one_page(self):
        led = page(
            "/a", answer=fetched("/a", hops=[("/a", 301)], final_url="/a/"), canonical="https://www.norrvik.example/a"
        )
        assert listed_pages(self.listed(page("/"), led)).verdict == "passed"

    def test_addresses_that_the_crawl_knows_in_another_form_are_looked_at(self):
        crawl = (page("/"), page("/a", robots="noindex"))
        listed = sitemap("http://www.norrvik.example/", "http://www.norrvik.example/a/")
        found = listed_pages(site(*crawl, sitemaps=(listed,)))
        assert (found.share, found.urls) == (0.5, ("http://www.norrvik.example/a/",))

    def test_the_sample_is_taken_from_all_parts_of_the_sitemap(self):
        crawl = [page("/"), *(page(f"/{at}", robots="noindex" if at >= 30 else None) for at in range(1, 40))]
        found = listed_pages(self.listed(*crawl))
        assert found.words["finding"].startswith("Of 20 addresses sampled from the 40 of the sitemap 5 should")

    @pytest.mark.parametrize("status", [0, 401, 403, 429, 503])
    def test_refused_and_throttled_ones_say_nothing(self, status):
        assert listed_pages(self.listed(page("/"), sampled=(fetched("/x", status),))).verdict == "passed"
        assert listed_pages(self.listed(page("/", status=status))).verdict == "not_applicable"

    def test_without_a_sitemap_it_does_not_apply(self):
        assert listed_pages(site(sitemaps=())).verdict == "not_applicable"


class TestChanges:
    def test_times_of_their_own_pass(self):
        assert changes(site()).verdict == "passed"

    def test_one_time_for_five_addresses_tells_nothing_and_for_four_it_may(self):
        same = [changed(f"/{n}", DAY) for n in range(5)]
        found = changes(site(sitemaps=(sitemap(*same),)))
        assert found.words["finding"] == "lastmod is the same on all 5 addresses of the sitemap."
        assert changes(site(sitemaps=(sitemap(*same[:4]),))).verdict == "passed"

    def test_missing_and_future_times_are_counted(self):
        some = sitemap("/a", changed("/b", None), changed("/c", datetime(2027, 1, 1, tzinfo=UTC)))
        found = changes(site(sitemaps=(some,)))
        assert found.words["finding"] == (
            "Of the dates of change (lastmod) in the sitemap, 1 address has one in the future and 1 address has none "
            "that can be read."
        )
        assert found.share == pytest.approx(1 / 3)

    def test_a_time_without_a_zone_and_one_of_today_are_fine(self):
        today = sitemap(changed("/a", datetime(2026, 3, 1, 23)), changed("/b", datetime(2026, 3, 2, 1, tzinfo=UTC)))
        assert changes(site(sitemaps=(today,))).verdict == "passed"

    def test_without_an_xml_sitemap_it_does_not_apply(self):
        assert changes(site(sitemaps=(sitemap("/a", kind="text"),))).verdict == "not_applicable"
