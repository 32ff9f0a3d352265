"""Text without scripts, statuses, encryption, speed, errors, weight and detours (REN-01 to REN-07)."""

import pytest

from tests.audit.builders import HOME, fetched, good_pages, page, probe, probes, site
from visibility.audit.checks.rendering import (
    direct,
    encrypted,
    has_text,
    missing_pages,
    mostly_text,
    quick,
    without_errors,
)
from visibility.audit.page import Meta, Unparsed
from visibility.audit.parse.parsing import parse_page
from visibility.audit.site import Probe

EMPTY = '<div id="root"> is empty'
SHELL = {"client_rendered": EMPTY, "words": 3, "visible_words": 3, "main_text": "Norrvik"}


class TestHasText:
    def test_pages_with_text_pass(self):
        assert has_text(site()).verdict == "passed"

    def test_a_home_page_that_scripts_write_is_critical(self):
        found = has_text(site(page("/", **SHELL), *good_pages()[1:]))
        assert (found.verdict, found.critical, found.share) == ("failed", True, 0.75)
        assert found.words["n"] == "3 words" and found.words["because"] == EMPTY
        assert found.evidence[0].quote == EMPTY

    def test_another_page_that_scripts_write_takes_its_part(self):
        found = has_text(site(page("/"), page("/app", **SHELL)))
        assert (found.verdict, found.lost) == ("failed", 0.5)

    def test_a_short_page_that_the_server_wrote_is_none(self):
        assert has_text(site(page("/", words=20, visible_words=20))).verdict == "passed"

    def test_an_empty_element_beside_text_is_none(self):
        for words in (25, 300):
            assert has_text(site(page("/", client_rendered=EMPTY, words=words))).verdict == "passed"
        assert has_text(site(page("/", client_rendered=EMPTY, words=24))).critical

    def test_data_in_script_elements_writes_no_page(self):
        body = b'<html><body><script type="application/ld+json">{"@type": "Product"}</script></body></html>'
        assert parse_page(body, url=HOME, content_type="text/html", is_home=True).client_rendered == ""

    def test_login_and_search_pages_and_pages_that_were_cut_are_left_out(self):
        others = [page("/login", **SHELL), page("/search", **SHELL), page("/big", cut=True, **SHELL)]
        assert has_text(site(page("/"), *others)).verdict == "passed"
        assert has_text(site(page("/", kind="login", **SHELL))).verdict == "not_applicable"


class TestMissingPages:
    @pytest.mark.parametrize("status", [404, 410, 400])
    def test_an_answer_that_says_so_passes(self, status):
        assert missing_pages(site(probes=probes(missing_page=probe("/x", status)))).verdict == "passed"

    def test_a_page_in_its_place_is_found(self):
        found = missing_pages(site(probes=probes(missing_page=probe("/x", 200))))
        assert (found.verdict, found.words["said"]) == ("failed", "answered 200")

    def test_a_way_to_the_home_page_is_found(self):
        led = fetched("/x", hops=[("/x", 302)], final_url="/")
        found = missing_pages(site(probes=probes(missing_page=Probe(led))))
        assert (found.verdict, found.words["said"]) == ("failed", "led to another page")

    def test_an_error_of_the_server_is_found(self):
        assert missing_pages(site(probes=probes(missing_page=probe("/x", 500)))).verdict == "failed"

    @pytest.mark.parametrize("status", [0, 401, 403, 429])
    def test_a_refusal_says_nothing(self, status):
        assert missing_pages(site(probes=probes(missing_page=probe("/x", status)))).verdict == "inconclusive"
        assert missing_pages(site(probes={})).verdict == "inconclusive"


class TestEncrypted:
    def test_https_with_a_way_there_passes(self):
        assert encrypted(site()).verdict == "passed"
        closed = Probe(fetched("http://norrvik.example/", 0, error="connection"))
        assert encrypted(site(probes=probes(plain_http=closed))).verdict == "passed"
        assert encrypted(site(probes={})).verdict == "passed"

    def test_a_site_without_https_is_found(self):
        found = encrypted(site(page("http://norrvik.example/"), home_url="http://norrvik.example/"))
        assert (found.verdict, found.share) == ("failed", 0.0)

    def test_plain_http_that_answers_itself_is_found(self):
        plain = Probe(fetched("http://norrvik.example/"))
        found = encrypted(site(probes=probes(plain_http=plain)))
        assert found.words["finding"] == "The address with http:// does not lead to https://."
        assert found.share == pytest.approx(2 / 3)

    def test_a_twin_host_that_serves_the_home_page_is_found(self):
        twin = Probe(fetched("https://www.norrvik.example/"))
        found = encrypted(site(probes=probes(other_host=twin)))
        assert (found.verdict, found.affected) == ("failed", 1) and "www.norrvik.example" in found.words["finding"]

    def test_a_second_host_with_the_same_pages_is_found_and_a_subdomain_is_none(self):
        twin = page("/about", answer=fetched("https://www.norrvik.example/about"))
        found = encrypted(site(page("/"), twin))
        assert "“www.norrvik.example” serves the site as well as “norrvik.example”" in found.words["finding"]
        blog = page("/blog", answer=fetched("https://blog.norrvik.example/"))
        assert encrypted(site(page("/"), blog)).verdict == "passed"

    def test_a_bad_certificate_of_a_page_is_found(self):
        bad = page("/a", answer=fetched("/a", 0, error="tls"))
        assert "1 page has a bad certificate" in encrypted(site(page("/"), bad)).words["finding"]


class TestQuick:
    def timed(self, *seconds):
        return site(*(page(f"/{n}", answer=fetched(f"/{n}", first_byte_seconds=s)) for n, s in enumerate(seconds)))

    def test_the_median_decides(self):
        assert quick(self.timed(0.2, 0.2, 0.3, 9, 9)).verdict == "passed"
        found = quick(self.timed(0.2, 0.2, 1.0, 9, 9))
        assert (found.verdict, found.share, found.words["x"]) == ("failed", 0.5, "1,000 ms")
        assert [each.quote for each in found.evidence] == ["9,000 ms", "9,000 ms", "1,000 ms"]
        assert quick(self.timed(2, 2, 3, 3, 3)).share == 0.0

    def test_four_pages_are_too_few(self):
        assert quick(self.timed(9, 9, 9, 9)).verdict == "not_applicable"


class TestWithoutErrors:
    def test_pages_that_answer_pass_and_missing_ones_are_told_elsewhere(self):
        assert without_errors(site(page("/"), page("/gone", status=404), page("/x", status=403))).verdict == "passed"

    def test_errors_throttling_and_delays_are_counted_by_kind(self):
        late = page("/late", answer=fetched("/late", 0, error="timeout"))
        found = without_errors(
            site(page("/"), page("/a", status=500), page("/b", status=500), page("/c", status=429), late)
        )
        assert (found.words["n"], found.words["of"]) == ("4", "5 addresses")
        assert found.words["kinds"] == "2 answered 500, 1 answered 429 and 1 took too long"
        assert found.share == pytest.approx(1 / 5)

    def test_sampled_addresses_count_and_none_twice(self):
        found = without_errors(site(page("/"), sampled=(fetched("/x", 502), fetched("/x", 502), fetched("/y"))))
        assert (found.words["n"], found.words["of"]) == ("1", "3 addresses")

    def test_a_page_that_no_parser_can_read_is_found_and_a_document_is_not(self):
        deep = page("/deep", unparsed=Unparsed("x", "too_deep", "It is nested too deep."))
        pdf = page("/a.pdf", unparsed=Unparsed("x", "not_html"))
        found = without_errors(site(page("/"), deep, pdf))
        assert found.words["kinds"] == "1 could not be read (too deep)"

    def test_an_address_that_we_may_not_fetch_is_no_error(self):
        ours = page("/in", answer=fetched("/in", 0, error="refused_address"))
        assert without_errors(site(page("/"), ours)).verdict == "passed"


class TestMostlyText:
    def test_a_heavy_page_with_little_text_is_found(self):
        found = mostly_text(site(page("/"), page("/heavy", html_bytes=900_000)))
        assert (found.verdict, found.share) == ("failed", 0.5)
        assert found.words["size"] == "900 KB" and found.evidence[0].quote == "900,000 bytes, 1,568 of text"

    def test_a_light_page_with_little_text_and_a_heavy_one_with_much_are_none(self):
        light = page("/light", html_bytes=60_000, main_text="Kettles.")
        long = page("/long", html_bytes=900_000, main_text="kettle " * 3_000)
        assert mostly_text(site(page("/"), light, long)).verdict == "passed"

    def test_a_page_that_was_cut_is_reported_as_cut(self):
        found = mostly_text(
            site(page("/"), page("/cut", html_bytes=4_000_000, main_text="kettle " * 9_000, cut=True))
        )
        assert "longer than what is read" in found.words["words"] and found.evidence[0].quote.endswith(", cut")

    def test_a_page_that_scripts_write_is_told_elsewhere(self):
        assert mostly_text(site(page("/", html_bytes=900_000, **SHELL))).verdict == "not_applicable"


class TestDirect:
    def test_up_to_two_redirects_pass(self):
        twice = page("/a", answer=fetched("/a", hops=[("/a", 301), ("/b", 301)], final_url="/c"))
        assert direct(site(page("/"), twice)).verdict == "passed"

    def test_three_are_found_and_endless_ones(self):
        hops = [("/a", 301), ("/b", 302), ("/c", 301)]
        found = direct(site(page("/"), page("/a", answer=fetched("/a", hops=hops, final_url="/d"))))
        assert (found.verdict, found.words["how"]) == ("failed", "takes 3 redirects")
        assert found.evidence[0].quote == "301 → 302 → 301"
        loop = fetched("/loop", 0, error="too_many_redirects")
        assert direct(site(page("/"), sampled=(loop,))).words["how"] == "never arrives"

    def test_a_refresh_to_another_page_is_found_and_one_of_the_same_page_is_not(self):
        away = (Meta("refresh", "0; url=https://norrvik.example/new", 4),)
        found = direct(site(page("/"), page("/old", metas=away)))
        assert found.words["how"] == "sends on by a refresh in the page" and found.evidence[0].where == "line 4"
        for content in ("300", "0; url=https://norrvik.example/live", "60;url=/live"):
            again = (Meta("refresh", content, 4),)
            assert direct(site(page("/"), page("/live", metas=again))).verdict == "passed"
