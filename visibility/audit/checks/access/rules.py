"""What the rules of robots.txt let AI crawlers do (ACC-01, 02, 05, 08)."""

from collections.abc import Mapping, Sequence

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.access.crawlers import CRAWLERS, SEARCH, USER, Purpose
from visibility.audit.checks.access.serving import unreachable
from visibility.audit.checks.addresses import host_of, page_key, path_of, split, spread
from visibility.audit.checks.pages import also, is_public, key_pages
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed, theirs
from visibility.audit.robots import RobotsLine, RobotsRules
from visibility.audit.site import Site

SAMPLE = 200
MAX_NAMED = 5
"""Paths that a sentence names."""
_NAMED = tuple(crawler.token.lower() for crawler in CRAWLERS)
_PURPOSES: Mapping[Purpose, str] = {"search": "Search", "user": "For users", "training": "Training"}


def search_crawlers(site: Site) -> Outcome:
    """ACC-01: crawlers of AI search may fetch the pages; where all six are kept from the home page and from most of
    what was looked at, all is lost."""
    return _access(site, SEARCH, counts=True)


def user_fetchers(site: Site) -> Outcome:
    """ACC-02: fetches that a user of an assistant asks for are allowed on the same pages. What a rule bars for
    search, too, is told by ACC-01."""
    return _access(site, USER, counts=False)


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
        names = joined([theirs(_token(name)) for name in dict.fromkeys(merged[0].names)])
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


def looked_at(site: Site) -> list[str]:
    """The home page and up to 199 more addresses of its host, evenly over all that are known: pages that were read,
    pages that they link, and what sitemaps list; without private ones, and those that only filter or sort."""
    home = _home(site)
    read = [page.url for page in key_pages(site)]
    listed = spread((entry.url for sitemap in site.sitemaps for entry in sitemap.entries), 5 * SAMPLE)
    linked = [link.url for page in site.parsed() for link in page.links if link.url and is_public(link.url)]
    known = {page_key(url): url for url in [*linked, *listed, *read] if host_of(url) == host_of(home)}
    known.pop(page_key(home), None)
    return [home, *spread(known.values(), SAMPLE - 1)]


def _access(site: Site, bots: Sequence[str], *, counts: bool) -> Outcome:
    if outcome := _untold(site):
        return outcome
    rules, urls = site.robots.rules, looked_at(site)
    barred = [(bot, url) for url in urls for bot in bots if not rules.allowed(bot, url)]
    if not counts:
        doubles = {(rules.rule(bot, url), url) for _, url in barred for bot in SEARCH if not rules.allowed(bot, url)}
        others = [(bot, url) for bot, url in barred if (rules.rule(bot, url), url) not in doubles]
        if barred and not others:
            return not_applicable("The rules that bar them bar crawlers of search, too: see ACC-01.")
        barred = others
    if not barred:
        return passed(f"{counted(len(urls), 'address', 'addresses')} looked at.")
    share = 1 - len(barred) / (len(bots) * len(urls))
    kept_out = [bot for bot in bots if any(bot == one for one, _ in barred)]
    closed = list(dict.fromkeys(url for _, url in barred))
    first_bot, first_url = barred[0]
    rule = rules.rule(first_bot, first_url)
    words = {
        "n": f"{len(kept_out)}",
        "of": f"{len(bots)}",
        "many": _of_all(len(closed), len(urls)),
        "url": one_line(first_url),
        "line": shortened(one_line(rule.text), 200) if rule else "",
        "lineno": str(rule.number) if rule else "?",
        "bots": joined(kept_out),
        "paths": _listed([path_of(url) for url in closed]),
    }
    all_lost = all((bot, urls[0]) in barred for bot in bots) and share < 0.5
    evidence = list(dict.fromkeys(_ruled(rules, bot, url) for bot, url in barred))
    return failed(evidence=evidence, share=share, words=words, lost=counts * (1.0 if all_lost else 1 - share))


def _of_all(number: int, every: int) -> str:
    if number == every:
        return "the one address" if every == 1 else f"any of the {every} addresses"
    return f"{number} of the {every} addresses"


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
    line = shortened(one_line(rule.text), 200)
    return Evidence(url, f"robots.txt line {rule.number}", line, to=f"Allow: {shortened(one_line(rule.path), 180)}")


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
