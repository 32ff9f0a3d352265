"""What the rules of robots.txt let AI crawlers do (ACC-01, 02, 05, 08)."""

from collections.abc import Mapping, Sequence

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.access.crawlers import CRAWLERS, SEARCH, USER, Purpose
from visibility.audit.checks.access.serving import unreachable
from visibility.audit.checks.addresses import host_of, path_of, split, spread
from visibility.audit.checks.pages import also, key_pages
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed
from visibility.audit.robots import RobotsLine, RobotsRules
from visibility.audit.site import Site

SAMPLE = 10
MAX_NAMED = 5
"""Paths that a sentence names."""
_NAMED = tuple(crawler.token.lower() for crawler in CRAWLERS)
_PURPOSES: Mapping[Purpose, str] = {"search": "Search", "user": "For users", "training": "Training"}


def search_crawlers(site: Site) -> Outcome:
    """ACC-01: crawlers of AI search may fetch the home page and ten others; critical where all six are kept from the
    home page and from most of what was looked at."""
    return _access(site, SEARCH, critical=True)


def user_fetchers(site: Site) -> Outcome:
    """ACC-02: fetches that a user of an assistant asks for are allowed on the same pages."""
    return _access(site, USER, critical=False)


def named_groups(site: Site) -> Outcome:
    """ACC-05: a crawler with a group of its own, for which the general group does not hold, is still kept from what
    the general group closes, unless its own group bars it from the home page; and no two groups run into one."""
    if outcome := _untold(site):
        return outcome
    rules = site.robots.rules
    closed = [rule.path for rule in rules.rules("*") if rule.verb == "disallow"]
    named = [agent for agent in _NAMED if rules.named(agent)]
    merged = [group for group in rules.groups if group.parted and {"*", *named} & set(group.names)]
    if not merged and not (closed and named):
        return not_applicable("robots.txt has no general rules that a group for a named AI crawler could leave out.")
    opened = {agent: paths for agent in named if (paths := _opened(rules, agent, closed, site))}
    if not merged and not opened:
        return passed()
    evidence = [_line(site, group.parted[0]) for group in merged]
    evidence += [_line(site, line) for agent in opened for line in _lines_of(rules, agent)]
    words = {
        "bot": "each crawler named",
        "paths": "what the general group closes",
        "more": also(len(opened), "crawler", "crawlers"),
    }
    if opened:
        bot, paths = next(iter(opened.items()))
        words |= {"bot": _token(bot), "paths": _listed(paths)}
    if merged:
        names = joined([_token(one_line(name)) for name in dict.fromkeys(merged[0].names)])
        words["finding"] = (
            f"The groups for {names} are read as one, as no rule stands between their User-agent lines: what is "
            "meant for one of them holds for all."
        )
    wrong = {name for group in merged for name in group.names} | set(opened)
    share = 1 - len(wrong) / len({*named, *wrong})
    return failed(evidence=evidence, share=share, words=words)


def policy(site: Site) -> Outcome:
    """ACC-08: which AI crawlers robots.txt lets in, by purpose. A policy, never a fault."""
    if outcome := _untold(site):
        return outcome
    rules = site.robots.rules
    parts = []
    for purpose, title in _PURPOSES.items():
        tokens = [crawler.token for crawler in CRAWLERS if crawler.purpose == purpose]
        blocked = [token for token in tokens if not rules.allowed(token, _home(site))]
        parts.append(f"{title}: {_standing(tokens, blocked)}")
    return passed(". ".join(parts) + ". Who blocks training crawlers stays in AI search.")


def sampled(site: Site) -> list[str]:
    """The home page and up to ten more addresses of its host: key pages that were read, and what sitemaps list."""
    home = _home(site)
    read = [page.url for page in key_pages(site)]
    listed = [entry.url for sitemap in site.sitemaps for entry in sitemap.entries]
    own = [url for url in read if host_of(url) == host_of(home) and url != home]
    known = {home, *own}
    others = [url for url in listed if host_of(url) == host_of(home) and url not in known]
    half = SAMPLE // 2
    chosen = [*spread(own, max(half, SAMPLE - len(others))), *spread(others, max(half, SAMPLE - len(own)))]
    return list(dict.fromkeys([home, *chosen]))[: SAMPLE + 1]


def _access(site: Site, bots: Sequence[str], *, critical: bool) -> Outcome:
    if outcome := _untold(site):
        return outcome
    rules, urls = site.robots.rules, sampled(site)
    barred = [(bot, url) for bot in bots for url in urls if not rules.allowed(bot, url)]
    if not barred:
        return passed()
    share = 1 - len(barred) / (len(bots) * len(urls))
    kept_out = list(dict.fromkeys(bot for bot, _ in barred))
    first_bot, first_url = barred[0]
    rule = rules.rule(first_bot, first_url)
    words = {
        "n": f"{len(kept_out)}",
        "of": f"{len(bots)}",
        "url": one_line(first_url),
        "line": shortened(one_line(rule.text), 200) if rule else "",
        "lineno": str(rule.number) if rule else "?",
        "bots": joined(kept_out),
        "paths": _listed([path_of(url) for _, url in barred]),
    }
    all_out = all((bot, urls[0]) in barred for bot in bots) and share < 0.5
    evidence = list(dict.fromkeys(_ruled(rules, bot, url) for bot, url in barred))
    return failed(evidence=evidence, share=share, words=words, critical=critical and all_out)


def _untold(site: Site) -> Outcome | None:
    """Why the rules say nothing; null where they do (a site without robots.txt allows everything)."""
    if unreachable(site.robots):
        return not_applicable("robots.txt could not be fetched: see “robots.txt is served correctly”.")
    if site.robots.fetched.status == 429:
        return inconclusive("robots.txt was throttled (429).")
    return None if _home(site) else inconclusive("The address of the home page cannot be read.")


def _home(site: Site) -> str:
    """The address of the home page; empty where it is none."""
    known = [site.home.url] if site.home else []
    return next((url for url in [*known, site.home_url] if host_of(url)), "")


def _ruled(rules: RobotsRules, bot: str, url: str) -> Evidence:
    rule = rules.rule(bot, url)
    if rule is None:
        return Evidence(url, "robots.txt", f"closed to {bot}")
    return Evidence(url, f"robots.txt line {rule.number}", shortened(one_line(rule.text), 200))


def _opened(rules: RobotsRules, agent: str, closed: Sequence[str], site: Site) -> list[str]:
    """What the general group closes and the crawler may fetch; nothing for one that is barred from the home page."""
    parts = split(_home(site))
    base = f"{parts.scheme}://{parts.netloc}"
    if not rules.allowed(agent, _home(site)):
        return []
    paths = {pattern: pattern.replace("*", "x").rstrip("$") for pattern in closed if pattern.startswith("/")}
    return [
        pattern
        for pattern, path in paths.items()
        if rules.allowed(agent, base + path) and not rules.allowed("*", base + path)
    ]


def _lines_of(rules: RobotsRules, agent: str) -> list[RobotsLine]:
    """The line that names the crawler first."""
    return [line for group in rules.of(agent) for name, line in group.agents if name == agent][:1]


def _line(site: Site, line: RobotsLine) -> Evidence:
    return Evidence(site.robots.fetched.url, f"robots.txt line {line.number}", shortened(one_line(line.text), 200))


def _standing(tokens: Sequence[str], blocked: Sequence[str]) -> str:
    if not blocked:
        return f"all {len(tokens)} allowed"
    if len(blocked) == len(tokens):
        return f"all {len(tokens)} blocked"
    return f"{joined(blocked)} blocked, {counted(len(tokens) - len(blocked), 'other')} allowed"


def _token(agent: str) -> str:
    """The crawler's name as its vendor writes it."""
    return next((crawler.token for crawler in CRAWLERS if crawler.token.lower() == agent), agent)


def _listed(paths: Sequence[str]) -> str:
    distinct = [shortened(one_line(path), 80) for path in dict.fromkeys(paths)]
    if len(distinct) > MAX_NAMED:
        distinct[MAX_NAMED:] = [f"{len(distinct) - MAX_NAMED} more"]
    return joined(distinct)


CHECKS: Mapping[str, Check] = {
    "ACC-01": search_crawlers,
    "ACC-02": user_fetchers,
    "ACC-05": named_groups,
    "ACC-08": policy,
}
