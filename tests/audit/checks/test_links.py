"""Canonical addresses, ways to key pages, broken links (DIS-04 to 06), versions in other languages (DIS-08)."""

import pytest

from tests.audit.builders import HOME, address, fetched, good_pages, links, page, site
from visibility.audit.checks.discovery.languages import valid_code, versions
from visibility.audit.checks.discovery.links import broken_links, canonicals, key_links
from visibility.audit.page import HeadLink, Link
from visibility.audit.site import Coverage


def canonical(href, url=""):
    return HeadLink("canonical", url or address(href), 9, href=href)


class TestCanonicals:
    def test_pages_that_name_themselves_pass(self):
        assert canonicals(site()).verdict == "passed"

    def test_missing_ones_are_found_and_one_in_a_header_is_there(self):
        headed = page("/b", answer=fetched("/b", headers={"link": f'<{HOME}b>; rel="canonical"'}), canonical=None)
        found = canonicals(site(page("/"), page("/a", canonical=None), headed))
        assert found.words["finding"] == "1 of 3 pages names a wrong canonical address or none: 1 page without one."
        assert found.share == pytest.approx(2 / 3)

    @pytest.mark.parametrize("href", ["/a", "a", "./", ""])
    def test_a_relative_one_is_found(self, href):
        said = page("/a", canonical=None, head_links=(canonical(href, address("/a")),))
        assert canonicals(site(page("/"), said)).verdict == ("failed" if href else "passed")

    def test_several_that_differ_are_found_and_doubles_are_not(self):
        differ = page("/a", head_links=(canonical(address("/b")),))
        assert "with several that differ" in canonicals(site(page("/"), differ)).words["finding"]
        assert canonicals(site(page("/"), page("/a", head_links=(canonical(address("/a/")),)))).verdict == "passed"

    def test_one_that_answers_an_error_is_found_and_one_that_was_refused_is_not(self):
        copy = page("/a", canonical="/gone")
        found = canonicals(site(page("/"), copy, sampled=(fetched("/gone", 404),)))
        assert found.words["finding"] == (
            "1 of 2 pages names a wrong canonical address or none: 1 page with one that answers an error. Search "
            "engines take another address for it, or none: machines that answer do not find it."
        )
        assert canonicals(site(page("/"), copy, sampled=(fetched("/gone", 403),))).verdict == "passed"

    def test_from_http_to_https_and_from_a_variant_to_its_page_is_right(self):
        variant = page("/kettle?colour=red", canonical="/kettle")
        assert canonicals(site(page("/"), page("/kettle"), variant)).verdict == "passed"
        plain = page("http://norrvik.example/a", canonical="https://norrvik.example/a")
        assert canonicals(site(page("/"), plain)).verdict == "passed"

    def test_all_pages_that_name_the_home_page_are_found_and_one_is_not(self):
        copies = [page(path, canonical="/") for path in ("/a", "/b", "/c")]
        found = canonicals(site(page("/"), *copies))
        assert (found.affected, found.share) == (3, 0.25)
        assert canonicals(site(page("/"), page("/a", canonical="/"), page("/b"), page("/c"))).verdict == "passed"

    def test_pages_that_say_to_be_others_are_lost(self):
        german = [page(f"/de/{name}", lang_detected="de", canonical=f"/{name}") for name in ("a", "b")]
        found = canonicals(site(page("/"), page("/a"), page("/b"), *german))
        assert (found.lost, found.critical) == (0.4, True)
        assert found.evidence[0].to == f'<link rel="canonical" href="{HOME}de/a">'

    def test_one_in_another_language_is_found(self):
        german = page("/de/a", canonical="/a", lang_detected="de")
        found = canonicals(site(page("/"), page("/a"), german))
        assert found.words["finding"] == (
            "1 of 3 pages names a wrong canonical address or none: 1 page with one in another language. Search "
            "engines take another address for it, or none: machines that answer do not find it."
        )


class TestKeyLinks:
    def test_linked_pages_pass(self):
        assert key_links(site()).verdict == "passed"

    def test_a_page_that_only_the_sitemap_knows_is_found_where_all_links_were_followed(self):
        lost = page("/guide", kind="article", found_by="sitemap", depth=99)
        found = key_links(site(*good_pages(), lost))
        assert found.evidence[0].url == address("/guide") and found.evidence[0].quote == "no link leads here"

    def test_with_links_that_were_not_followed_only_expected_pages_are_found(self):
        home = page("/", links=links("/", "/about", "/more"))
        guide = page("/guide", kind="article", found_by="sitemap", depth=99)
        pricing = page("/pricing", found_by="sitemap", depth=99)
        assert key_links(site(home, page("/about"), guide)).verdict == "passed"
        assert key_links(site(home, page("/about"), guide, pricing)).evidence[0].url == address("/pricing")

    def test_a_page_four_clicks_away_is_found(self):
        home = page("/", links=links("/a", "/pricing"))
        assert key_links(site(home, page("/a"), page("/pricing", depth=4))).evidence[0].quote == "4 clicks"

    def test_anchors_that_scripts_follow_count_where_a_home_page_has_no_others(self):
        scripted = tuple(Link("", f"Item {n}", 10 + n, "navigation", href="#") for n in range(3))
        found = key_links(site(page("/", links=scripted)))
        assert "3 anchors" in found.words["finding"] and found.evidence[0].quote == "#"
        elsewhere = (*scripted, *links("https://www.other.example/"))
        assert key_links(site(page("/", links=elsewhere))).verdict == "not_applicable"
        toggles = (*scripted, *links("/about"))
        assert key_links(site(page("/", links=toggles), page("/about"))).verdict == "passed"

    def test_a_home_page_alone_says_nothing(self):
        assert key_links(site(page("/"))).verdict == "not_applicable"


class TestBrokenLinks:
    def test_links_that_work_pass(self):
        assert broken_links(site()).verdict == "passed"

    def test_a_broken_one_is_shown_on_the_page_that_has_it(self):
        home = page("/", links=links("/gone", "/about"))
        known = {"sampled": (fetched("/gone", 404),), "linked_from": {address("/gone"): HOME}}
        found = broken_links(site(home, page("/about"), **known))
        assert found.words["finding"] == "1 of 2 internal addresses asked for answers with an error."
        assert (found.evidence[0].url, found.evidence[0].where) == (HOME, "line 60")
        assert found.evidence[0].quote == '<a href="/gone"> answers 404'
        assert found.share == 0.5

    def test_it_says_of_how_many(self):
        known = {"coverage": {"link": Coverage(2, 312)}, "sampled": (fetched("/gone", 404),)}
        found = broken_links(site(page("/"), page("/about"), linked_from={address("/gone"): HOME}, **known))
        assert found.words["finding"].startswith("1 of 2 internal addresses asked for (of 312 that pages link)")

    @pytest.mark.parametrize("status", [401, 402, 403, 405, 429, 0])
    def test_refused_and_throttled_ones_are_not_broken(self, status):
        assert broken_links(site(*good_pages(), page("/x", status=status))).verdict == "passed"

    def test_links_to_other_sites_and_addresses_of_the_sitemap_are_told_elsewhere(self):
        away = fetched("https://other.example/gone", 404)
        listed = page("/listed", status=404, found_by="sitemap", linked_from="")
        home = page("/", links=links("/about"))
        linked = {"linked_from": {"https://other.example/gone": HOME}, "sampled": (away,)}
        assert broken_links(site(home, page("/about"), listed, **linked)).verdict == "passed"

    def test_without_links_it_does_not_apply(self):
        assert broken_links(site(page("/"))).verdict == "not_applicable"


def version(path, code):
    return HeadLink("alternate", address(path), 9, hreflang=code, href=address(path))


class TestVersions:
    BOTH = (version("/en", "en"), version("/de", "de-AT"), version("/en", "x-default"))

    def test_versions_that_name_each_other_pass(self):
        both = [page(path, head_links=self.BOTH) for path in ("/en", "/de")]
        assert versions(site(page("/"), *both)).verdict == "passed"

    def test_without_versions_it_does_not_apply(self):
        assert versions(site()).verdict == "not_applicable"

    def test_a_page_without_itself_is_found(self):
        found = versions(site(page("/en", head_links=(version("/de", "de"),))))
        assert found.words["finding"] == (
            "Of 1 page with language versions (hreflang): 1 page without itself among its versions."
        )

    def test_a_version_that_does_not_name_it_back_is_found_where_it_names_any(self):
        alone = page("/de", head_links=(version("/de", "de"),))
        found = versions(site(page("/en", head_links=self.BOTH), alone))
        assert "1 page with a version that does not name it back" in found.words["finding"]
        assert versions(site(page("/en", head_links=self.BOTH))).verdict == "passed"

    @pytest.mark.parametrize("code", ["en", "EN-us", "zh-Hant-TW", "es-419", "x-default", "fil"])
    def test_codes_that_exist_are_valid(self, code):
        assert valid_code(code)

    @pytest.mark.parametrize("code", ["en-UK", "xx", "en_US", "english", "de-EU", "", "gb-en-us"])
    def test_codes_that_name_nothing_are_not(self, code):
        assert not valid_code(code)

    def test_versions_without_any_of_their_own_do_not_name_back(self):
        found = versions(site(page("/en", head_links=self.BOTH), page("/de")))
        assert "1 page with a version that does not name it back" in found.words["finding"]

    def test_a_version_that_answers_an_error_is_found(self):
        asked = (fetched("/de", 404),)
        found = versions(site(page("/en", head_links=self.BOTH), sampled=asked))
        assert found.evidence[0].quote.endswith(" answers 404")

    def test_two_trees_of_languages_without_any_link_are_found_and_mixed_languages_are_not(self):
        german = {"lang_detected": "de", "lang_declared": "de"}
        trees = [page(f"/de/{name}", **german) for name in ("a", "b")]
        found = versions(site(page("/"), *trees))
        assert found.words["finding"].startswith("There are pages in de and en, and no page names its versions")
        mixed = [page(f"/blog/{name}", **german) for name in ("a", "b")]
        assert versions(site(page("/"), *mixed)).verdict == "not_applicable"

    def test_a_wrong_code_is_quoted(self):
        wrong = (version("/en", "en-UK"),)
        found = versions(site(page("/en", head_links=wrong)))
        assert 'hreflang="en-UK"' in found.evidence[0].quote

    def test_a_copy_with_another_canonical_address_is_left_out(self):
        copy = page("/en?ref=1", canonical="/en", head_links=(version("/de", "de"),))
        assert versions(site(page("/"), copy)).verdict == "not_applicable"
