"""robots.txt itself, clients that are no browsers, our own crawler (ACC-03, ACC-04, ACC-10)."""

import pytest

from tests.audit.builders import agent, fetched, good_pages, page, probe, probes, robots, site
from visibility.audit.checks.access.serving import answers_machines, let_in, robots_served
from visibility.audit.page import Text

CHALLENGE = {"headers": {"cf-mitigated": "challenge", "server": "cloudflare"}}


class TestRobotsServed:
    def test_text_and_none_pass(self):
        for given in (robots(), robots(None), robots(None, 403), robots(None, 410), robots("", 200)):
            assert robots_served(site(robots=given)).verdict == "passed"

    @pytest.mark.parametrize("status", [500, 502, 503])
    def test_an_error_of_the_server_is_critical(self, status):
        found = robots_served(site(robots=robots("", status)))
        assert (found.verdict, found.critical, found.share) == ("failed", True, 0.0)
        assert f"answered {status}" in found.words["finding"] and found.evidence[0].quote == str(status)

    @pytest.mark.parametrize("reason", ["timeout", "connection", "bad_response", "tls"])
    def test_no_answer_is_critical(self, reason):
        found = robots_served(site(robots=robots("", 0, error=reason)))
        assert found.critical and f"did not answer ({reason.replace('_', ' ')})" in found.words["finding"]

    def test_redirects_without_end_are_a_fault_and_not_critical(self):
        found = robots_served(site(robots=robots("", 0, error="too_many_redirects")))
        assert (found.verdict, found.critical) == ("failed", False)

    def test_an_address_that_we_may_not_fetch_is_no_fault_of_the_server(self):
        assert robots_served(site(robots=robots("", 0, error="refused_address"))).verdict == "passed"

    def test_a_web_page_in_its_place_is_found(self):
        found = robots_served(site(robots="\ufeff<!DOCTYPE html>\n<html><body>Norrvik</body></html>"))
        assert (found.verdict, found.critical) == ("failed", False)
        assert found.evidence[0].where == "robots.txt line 1"

    def test_a_file_longer_than_crawlers_read_is_found(self):
        found = robots_served(site(robots="User-agent: *\n" + "Disallow: /x\n" * 50_000))
        assert found.share == 0.5 and "500 KiB" in found.words["finding"]

    def test_odd_lines_and_a_byte_order_mark_are_told(self):
        found = robots_served(site(robots="\ufeffUser-agent: *\nAllow: /\nNonsense: yes\nFoo\n"))
        assert found.verdict == "passed"
        assert "byte order mark" in found.because and "2 lines are not understood (3, 4)" in found.because

    def test_a_throttled_one_says_nothing(self):
        assert robots_served(site(robots=robots("", 429))).verdict == "inconclusive"


class TestAnswersMachines:
    def test_a_server_that_answers_us_passes(self):
        assert answers_machines(site()).verdict == "passed"

    def test_refusing_us_but_not_a_client_without_a_name_is_found(self):
        found = answers_machines(site(page("/", answer=fetched("/", 403, headers={"server": "AcmeWall"}))))
        assert found.verdict == "failed"
        assert (found.words["status"], found.words["server"]) == ("status 403", "AcmeWall")

    def test_crawlers_of_search_that_are_refused_by_name_are_lost_and_it_says_that_only_the_name_was_theirs(self):
        refused = [agent(name, verdict="refused", status=403) for name in ("OAI-SearchBot", "PerplexityBot")]
        others = [agent(name) for name in ("Claude-SearchBot", "Googlebot", "bingbot", "Applebot")]
        found = answers_machines(site(agents=(*refused, *others)))
        assert (found.verdict, found.lost, found.critical) == ("failed", pytest.approx(2 / 6), True)
        assert "OAI-SearchBot and PerplexityBot were turned away (status 403)" in found.words["finding"]
        assert "Only the names were theirs" in found.words["finding"]
        assert (found.evidence[0].where, found.evidence[0].to) == ("asked as OAI-SearchBot", "status 200, 300 words")

    def test_fetchers_for_users_lose_no_pages_and_training_is_a_policy(self):
        found = answers_machines(
            site(agents=(agent("ChatGPT-User", verdict="refused", status=403), agent("bingbot")))
        )
        assert (found.verdict, found.lost) == ("failed", 0.0)
        assert answers_machines(site(agents=(agent("GPTBot", verdict="refused", status=403),))).verdict == "passed"
        assert answers_machines(site(agents=(agent("bingbot", verdict="unknown", status=429),))).verdict == "passed"

    def test_refusing_both_is_inconclusive(self):
        known = probes(neutral_client=probe("/", 403))
        assert answers_machines(site(page("/", status=403), probes=known)).verdict == "inconclusive"
        assert answers_machines(site(page("/", status=403), probes={})).verdict == "inconclusive"

    def test_refusing_only_the_client_without_a_name_is_inconclusive(self):
        assert answers_machines(site(probes=probes(neutral_client=probe("/", 403)))).verdict == "inconclusive"

    def test_a_challenge_on_some_pages_is_found_by_header_or_title(self):
        title = (Text("Just a moment...", 3),)
        shut = page("/kettle", titles=title, visible_words=20)
        marked = page("/pot", answer=fetched("/pot", 403, **CHALLENGE))
        found = answers_machines(site(*good_pages(), shut, marked))
        assert found.words["status"] == "a challenge" and "on 2 pages" in found.words["finding"]
        assert found.evidence[1].quote == "403, cf-mitigated: challenge"

    def test_an_article_with_such_a_title_is_no_challenge(self):
        article = page("/blog", kind="article", title="Access denied: how locks work")
        assert answers_machines(site(page("/"), article)).verdict == "passed"

    def test_a_page_for_members_is_no_refusal_of_machines(self):
        assert (
            answers_machines(site(page("/"), page("/members", status=401), page("/x", status=403))).verdict
            == "passed"
        )


class TestLetIn:
    def test_an_answered_crawler_passes(self):
        assert let_in(site()).verdict == "passed"

    @pytest.mark.parametrize("status", [401, 403, 429])
    def test_a_refusal_is_told_with_who_to_let_in(self, status):
        found = let_in(site(page("/", status=status)))
        assert f"({status})" in found.words["finding"] and "says nothing about" in found.words["finding"]
        assert found.words["bot_page"] == "https://visibility.example/bot"
        assert found.words["ua"].startswith("BrandVisibilityBot")

    def test_robots_txt_that_bars_us_is_quoted(self):
        found = let_in(site(no_pages=True, robots="User-agent: *\nDisallow: /\n"))
        assert found.verdict == "failed" and found.evidence[0].where == "robots.txt line 2"
        assert found.evidence[0].quote == "Disallow: /"

    def test_a_throttled_robots_txt_is_a_refusal_and_a_broken_one_is_none(self):
        assert "429" in let_in(site(no_pages=True, robots=robots("", 429))).words["finding"]
        assert let_in(site(no_pages=True, robots=robots("", 500))).verdict == "not_applicable"
