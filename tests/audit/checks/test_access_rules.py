"""What robots.txt lets AI crawlers do (ACC-01, ACC-02, ACC-05, ACC-08)."""

from dataclasses import replace

import pytest

from tests.audit.builders import HOME, fetched, links, page, robots, site, sitemap
from visibility.audit.checks.access.crawlers import CRAWLERS, SEARCH, USER
from visibility.audit.checks.access.rules import looked_at, named_groups, policy, search_crawlers, user_fetchers
from visibility.audit.outcome import Evidence

CLOSED = "User-agent: *\nDisallow: /\n"
TRAINING = "User-agent: GPTBot\nUser-agent: ClaudeBot\nUser-agent: Google-Extended\nUser-agent: CCBot\nDisallow: /\n"


class TestSearchCrawlers:
    def test_open_rules_no_rules_and_no_file_pass(self):
        for text in ("User-agent: *\nAllow: /\n", "", "# nothing here\n"):
            assert search_crawlers(site(robots=text)).verdict == "passed"
        assert search_crawlers(site(robots=robots(None))).verdict == "passed"
        assert search_crawlers(site(robots=robots(None, 403))).verdict == "passed"

    def test_a_site_that_bars_all_six_loses_all_by_the_rule_and_its_line(self):
        found = search_crawlers(site(robots="# hello\n\n" + CLOSED))
        assert (found.verdict, found.lost, found.share) == ("failed", 1.0, 0.0)
        assert found.words["n"] == "6" and found.words["line"] == "Disallow: /" and found.words["lineno"] == "4"
        assert found.evidence[0] == Evidence(HOME, "robots.txt line 4", "Disallow: /", "Allow: /", pages=4)

    def test_without_a_page_robots_txt_alone_tells(self):
        found = search_crawlers(site(no_pages=True, robots=CLOSED, sitemaps=(), probes={}))
        assert (found.verdict, found.lost) == ("failed", 1.0)

    def test_barring_training_crawlers_only_is_no_fault(self):
        assert search_crawlers(site(robots=TRAINING)).verdict == "passed"

    def test_one_crawler_kept_out_takes_its_part(self):
        found = search_crawlers(site(robots="User-agent: PerplexityBot\nDisallow: /\n"))
        assert (found.verdict, found.lost, found.share) == ("failed", pytest.approx(1 / 6), pytest.approx(5 / 6))
        assert (found.words["n"], found.words["bots"]) == ("1", "PerplexityBot")

    def test_paths_that_no_key_page_has_may_be_closed(self):
        text = "User-agent: *\nDisallow: /cart\nDisallow: /*?sort=\nDisallow: /search\n"
        assert search_crawlers(site(robots=text)).verdict == "passed"

    def test_all_six_kept_from_some_pages_lose_these(self):
        found = search_crawlers(site(robots="User-agent: *\nDisallow: /pricing\n"))
        assert (found.verdict, found.lost, found.words["paths"]) == ("failed", 0.25, "/pricing")

    def test_a_home_page_barred_alone_is_one_page(self):
        found = search_crawlers(site(robots="User-agent: *\nDisallow: /$\n"))
        assert (found.verdict, found.lost) == ("failed", 0.25)

    def test_rules_that_cannot_be_had_are_told_by_another_check(self):
        assert search_crawlers(site(robots=robots("", 503))).verdict == "not_applicable"
        assert search_crawlers(site(robots=robots("", 429))).verdict == "inconclusive"

    def test_a_listed_address_that_is_closed_is_found_though_we_could_not_read_it(self):
        listed = sitemap(HOME, "/news/a", "/news/b")
        found = search_crawlers(site(robots="User-agent: *\nDisallow: /news/\n", sitemaps=(listed,)))
        assert found.words["paths"] == "/news/a and /news/b"

    def test_the_rules_of_one_host_say_nothing_of_another(self):
        listed = sitemap("https://shop.norrvik.example/blocked/a")
        assert (
            search_crawlers(site(robots="User-agent: *\nDisallow: /blocked/\n", sitemaps=(listed,))).verdict
            == "passed"
        )

    def test_a_whole_catalogue_counts_whether_a_sitemap_or_links_name_it(self):
        paths = [f"/catalogue/{n}" for n in range(40)]
        listed = site(sitemaps=(sitemap(*paths),), robots="User-agent: *\nDisallow: /catalogue/\n")
        linking = page("/", links=links(*paths, "/cart", "/catalogue/1?sort=price", "/catalogue/list.pdf"))
        linked = replace(listed, pages=(linking, *listed.pages[1:]), sitemaps=())
        for known in (listed, linked):
            assert search_crawlers(known).lost == pytest.approx(40 / 44)

    def test_of_many_addresses_200_are_looked_at_evenly(self):
        chosen = looked_at(site(sitemaps=(sitemap(*(f"/p{n}" for n in range(4_000))),)))
        assert len(chosen) == 200 and chosen[0] == HOME and any("/p3" in url for url in chosen)


class TestUserFetchers:
    def test_what_bars_crawlers_of_search_too_is_told_once(self):
        assert user_fetchers(site(robots=CLOSED)).verdict == "not_applicable"

    def test_each_of_them_is_looked_at(self):
        for bot in USER:
            found = user_fetchers(site(robots=f"User-agent: {bot}\nDisallow: /\n"))
            assert (found.verdict, found.words["bots"], found.critical) == ("failed", bot, False)

    def test_open_rules_pass_and_unreachable_ones_say_nothing(self):
        assert user_fetchers(site()).verdict == "passed"
        assert user_fetchers(site(robots=robots("", 0, error="timeout"))).verdict == "not_applicable"


class TestNamedGroups:
    GENERAL = "User-agent: *\nDisallow: /admin/\nDisallow: /*?session=\n\n"

    def test_a_group_that_leaves_out_what_the_general_one_closes_is_found(self):
        found = named_groups(site(robots=self.GENERAL + "User-agent: OAI-SearchBot\nAllow: /\n"))
        assert (found.verdict, found.words["bot"]) == ("failed", "OAI-SearchBot")
        assert found.words["paths"] == "/admin/ and /*?session="
        assert found.evidence[0].where == "robots.txt line 5"

    def test_a_group_that_repeats_them_or_closes_everything_is_not(self):
        for group in ("User-agent: OAI-SearchBot\nDisallow: /admin/\nDisallow: /*?session=\n", TRAINING):
            assert named_groups(site(robots=self.GENERAL + group)).verdict == "passed"

    def test_groups_of_crawlers_that_are_none_of_ai_are_left_alone(self):
        text = self.GENERAL + "User-agent: AhrefsBot\nAllow: /\n"
        assert named_groups(site(robots=text)).verdict == "not_applicable"

    def test_without_general_rules_there_is_nothing_to_leave_out(self):
        assert named_groups(site(robots="User-agent: GPTBot\nAllow: /\n")).verdict == "not_applicable"
        assert named_groups(site(robots=robots(None))).verdict == "not_applicable"

    def test_groups_that_run_into_one_are_found(self):
        found = named_groups(site(robots="User-agent: *\nCrawl-delay: 10\n\nUser-agent: GPTBot\nDisallow: /\n"))
        assert found.verdict == "failed"
        assert found.words["finding"].startswith("The groups for “*” and “GPTBot” are read as one")
        assert found.evidence[0].where == "robots.txt line 2"

    def test_the_share_counts_the_crawlers_that_are_named(self):
        both = "User-agent: OAI-SearchBot\nAllow: /\n\nUser-agent: GPTBot\nDisallow: /\n"
        assert named_groups(site(robots=self.GENERAL + both)).share == 0.5


class TestPolicy:
    def test_what_is_closed_is_told_by_purpose_and_never_a_fault(self):
        found = policy(site(robots=TRAINING))
        assert found.verdict == "passed"
        assert "Search: all" in found.because and "allowed" in found.because
        assert "Training: GPTBot, ClaudeBot, Google-Extended and CCBot blocked" in found.because
        assert policy(site(robots=CLOSED)).verdict == "passed"

    def test_rules_that_cannot_be_had_tell_no_policy(self):
        assert policy(site(robots=robots("", 500))).verdict == "not_applicable"


def test_the_table_names_each_crawler_once_and_those_that_are_checked():
    tokens = [each.token for each in CRAWLERS]
    assert len({token.lower() for token in tokens}) == len(tokens)
    assert {each.token for each in CRAWLERS if each.purpose == "search"} >= set(SEARCH)
    assert {each.token for each in CRAWLERS if each.purpose == "user"} >= set(USER)
    assert all(each.page.startswith("https://") for each in CRAWLERS if each.page)


def test_the_tokens_are_those_of_the_public_list(reference_data):
    """All but plain search engines, which that list leaves out."""
    listed = (reference_data / "site-audit/ai-robots/robots.json").read_text().lower()
    missing = [each.token for each in CRAWLERS if f'"{each.token.lower()}"' not in listed]
    assert set(missing) <= {"Googlebot", "bingbot", "Bravebot"}


def test_an_answer_of_another_host_keeps_its_rules():
    home = page("/", answer=fetched("/", final_url="https://www.norrvik.example/"))
    assert looked_at(site(home, sitemaps=()))[0] == "https://www.norrvik.example/"
