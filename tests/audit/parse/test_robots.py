"""robots.txt against the verdicts of Google's own matcher, and what a finding needs of it."""

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from visibility.audit.parse import robots as reading
from visibility.audit.parse.robots import MAX_BYTES
from visibility.audit.robots import RobotsLine, token
from visibility.audit.site import Fetched, Robots
from visibility.pipeline.audit import rules as obeying

SITE = "https://norrvik.example"


def parse_robots(text):
    return reading.parse_robots(text.encode("utf-8", "replace"))


def test_all_verdicts_of_googles_matcher(reference_data):
    folder = reference_data / "site-audit/robots"
    rules, wrong, asked = {}, [], 0
    with (folder / "gold.tsv").open() as gold:
        for row in csv.DictReader(gold, delimiter="\t"):
            name = row["file"]
            if name not in rules:
                rules[name] = reading.parse_robots((folder / name).read_bytes())
            asked += 1
            allowed = rules[name].allowed(row["agent"], row["url"])
            deciding = rules[name].rule(row["agent"], row["url"])
            if allowed != (row["allowed"] == "1") or (not allowed and deciding is None):
                wrong.append(row)
    assert asked == 1_424
    assert wrong == []


TEXT = """\ufeffUser-agent: GPTBot
Crawl-delay: 2

User-agent: *
Disallow: /private   # not for anyone
Allow: /private/press
Sitemap: https://norrvik.example/sitemap.xml
Content-Signal: search=yes, ai-train=no
Disalow: /typo
Nonsense here and there

User-agent: ClaudeBot
User-agent: PerplexityBot
Disallow: /
"""


def test_the_line_that_decides_is_told_as_it_is_written():
    rules = parse_robots(TEXT)
    assert not rules.allowed("OAI-SearchBot", f"{SITE}/private/a")
    rule = rules.rule("OAI-SearchBot", f"{SITE}/private/a")
    assert (rule.number, rule.text, rule.verb) == (5, "Disallow: /private   # not for anyone", "disallow")
    assert rules.rule("OAI-SearchBot", f"{SITE}/private/press/1").number == 6
    assert rules.rule("OAI-SearchBot", f"{SITE}/open") is None
    assert rules.rule("PerplexityBot/1.0", f"{SITE}/open").number == 14
    assert not rules.allowed("anyone", f"{SITE}/typo")


def test_of_two_rules_that_match_the_longer_decides():
    rules = parse_robots("User-agent: *\nDisallow: /a\nDisallow: /a/b")
    assert rules.rule("GPTBot", f"{SITE}/a/b/c").number == 3


def test_a_line_that_is_no_rule_does_not_end_a_group():
    rules = parse_robots(TEXT)
    assert rules.groups[0].names == ("gptbot", "*")
    assert rules.groups[0].parted == [RobotsLine(2, "Crawl-delay: 2")]
    assert not rules.allowed("GPTBot", f"{SITE}/private")
    assert rules.crawl_delay("GPTBot") == 2.0
    assert rules.groups[1].parted == []


def test_what_else_it_says():
    rules = parse_robots(TEXT)
    assert rules.sitemaps == [f"{SITE}/sitemap.xml"]
    assert [line.number for line in rules.others] == [8]
    assert [line.number for line in rules.strange] == [10]
    assert (rules.named("claudebot"), rules.named("OAI-SearchBot")) == (True, False)
    assert (rules.cut, rules.is_html) == (False, False)


@pytest.mark.parametrize(
    ("text", "url", "allowed"),
    [
        ("", "/a", True),
        ("User-agent: *\nDisallow:", "/a", True),
        ("User-agent: *\nDisallow: /", "/robots.txt", True),
        ("User-agent: *\nDisallow: /a\nAllow: /a", "/a", True),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf", False),
        ("User-agent: *\nDisallow: /*.pdf$", "/x.pdf?y", True),
        ("User-agent: *\nDisallow: /a%3cd", "/a%3Cd", False),
        ("User-agent: *\nDisallow: /ü", "/%C3%BC", False),
        ("Disallow: /", "/a", True),
        ("User-agent: bot\nDisallow: /\n\nUser-agent: bot\nAllow: /open", "/open", True),
        ("User-agent: bot\r\nDisallow: /\r\n", "/a", False),
        ("User-agent: bot\rDisallow: /", "/a", False),
        ("User-agent: *\nDisallow: /\n\nUser-agent: bot\nDisallow: /x", "/a", True),
        ("User-agent: bo\nDisallow: /", "/a", True),
        ("user-agent: BOT/2.1\ndisallow: /", "/a", False),
    ],
)
def test_rules_hold_as_rfc_9309_says(text, url, allowed):
    assert parse_robots(text).allowed("bot", SITE + url) is allowed


def test_a_page_of_html_has_no_rules():
    rules = parse_robots("<!DOCTYPE html><title>Not found</title>\nUser-agent: *\nDisallow: /")
    assert (rules.is_html, rules.groups) == (True, [])
    assert rules.allowed("GPTBot", SITE)


def test_what_stands_beyond_500_kib_does_not_hold():
    padding = "# " + "x" * 98 + "\n"
    text = padding * (MAX_BYTES // len(padding) + 1) + "User-agent: *\nDisallow: /"
    rules = parse_robots(text)
    assert (rules.cut, rules.allowed("GPTBot", f"{SITE}/a")) == (True, True)


def test_a_token_is_the_name_before_the_version():
    assert token("GPTBot/1.1 (+https://openai.com/gptbot)") == "gptbot"


LINES = st.sampled_from(
    ["User-agent: *", "User-agent: GPTBot", "Disallow: /", "Allow: /a", "Disallow: /*b$", "Crawl-delay: x",
     "Sitemap: /s", "#",
     "Disallow", ":", "User-agent:", "Allow: /%zz", "Disallow: /\ud7ff", "\u2028", "Disallow: " + "/*" * 30]
)  # fmt: skip


@given(st.lists(LINES | st.text(max_size=30), max_size=30), st.text(max_size=20))
def test_no_robots_txt_raises_and_a_refusal_has_its_line(lines, path):
    rules = parse_robots("\n".join(lines))
    url = f"{SITE}/{path}"
    if not rules.allowed("GPTBot", url):
        assert rules.rule("GPTBot", url).verb == "disallow"


@given(st.lists(LINES, max_size=12))
def test_comments_and_empty_lines_change_nothing(lines):
    plain = parse_robots("\n".join(lines))
    noisy = parse_robots("\ufeff" + "\r\n\r\n# note\r\n".join(lines))
    for path in ("/", "/a", "/ab", "/x"):
        assert plain.allowed("GPTBot", SITE + path) == noisy.allowed("GPTBot", SITE + path)


MANY_RULES = "User-agent: *\n" + "".join(f"Disallow: /*a{number}*b\n" for number in range(20_000))


def test_many_rules_are_matched_once_for_all_crawlers_that_share_them(monkeypatch):
    """500 KiB of wildcards take ten milliseconds an address, and the checks ask for a dozen crawlers."""
    rules = parse_robots(MANY_RULES)
    asked = []
    can_fetch = Protego.can_fetch
    monkeypatch.setattr(Protego, "can_fetch", lambda self, *args: asked.append(args) or can_fetch(self, *args))
    for agent in ("GPTBot", "ClaudeBot", "PerplexityBot"):
        assert rules.allowed(agent, "https://shop.example/kettles")
    assert len(asked) == 1


def test_of_very_many_rules_only_so_many_addresses_are_looked_up(monkeypatch):
    monkeypatch.setattr(obeying, "MAX_MATCHES", 60_000)
    fetched = Fetched(url="https://shop.example/robots.txt", status=200)
    rules = obeying.Rules(Robots(fetched, parse_robots(MANY_RULES)), "Ours/1.0")
    urls = [f"https://shop.example/{number}" for number in range(5)]
    assert [url for url in urls if rules.allow(url)] == urls[:3] and rules.allow(urls[0])
