"""Access: what robots.txt, the server and the pages let AI crawlers do (ACC)."""

from collections.abc import Mapping, Sequence

from visibility.audit.addresses import host_of, origin_of, page_key, path_of, spread
from visibility.audit.checks.directives import ENDING, barring, directives
from visibility.audit.checks.pages import is_public, key_pages
from visibility.audit.crawlers import CRAWLERS, SEARCH, USER, Purpose
from visibility.audit.facts import AgentProbe, Site, SitePage
from visibility.audit.outcome import (
    MAX_EVIDENCE,
    Evidence,
    Outcome,
    failed,
    inconclusive,
    judged,
    not_applicable,
    passed,
)
from visibility.audit.robots import RobotsRules
from visibility.audit.sentences import Sentence, also, counted, in_a_row, listed, say, shortened, theirs

SAMPLE, MAX_MATCHES = 200, 1_000_000
"""Addresses to look at, and matches with rules of robots.txt; with many rules there are fewer addresses."""
MIN_UNQUOTABLE = 0.5
"""From this part of the main text on, data-nosnippet bars quotes of a page; for notices it is right."""
_TOKENS = {crawler.token.lower(): crawler.token for crawler in CRAWLERS}
_PURPOSES: Mapping[Purpose, str] = {"search": "Search", "user": "For users", "training": "Training"}


def search_crawlers(site: Site) -> Outcome:
    """ACC-01: crawlers of AI search may fetch the pages. All is lost where all six are barred from the home page and
    most other addresses."""
    urls = looked_at(site)
    return _rules_say_nothing(site) or _access(site, SEARCH, urls, _barred(site, SEARCH, urls))


def user_fetchers(site: Site) -> Outcome:
    """ACC-02: fetches that a user of an assistant asks for are allowed on the same pages. Addresses that are barred
    for search, too, are reported by ACC-01."""
    if outcome := _rules_say_nothing(site):
        return outcome
    urls = looked_at(site)
    searching = {url for _, url in _barred(site, SEARCH, urls)}
    barred = _barred(site, USER, urls)
    own = [(bot, url) for bot, url in barred if url not in searching]
    if barred and not own:
        return not_applicable("What is barred for them is barred for search, too: see ACC-01.")
    return _access(site, USER, urls, own)


def named_groups(site: Site) -> Outcome:
    """ACC-05: a crawler with a group of its own, for which the general group does not count, is still barred from
    what the general group closes, unless its own group bars it altogether; and no two groups run into one."""
    if outcome := _rules_say_nothing(site):
        return outcome
    rules = site.robots.rules
    closed = [rule.path for rule in rules.rules_of("*") if rule.verb == "disallow" and rule.path.startswith("/")]
    named = [agent for agent in _TOKENS if rules.names_agent(agent)]
    merged = [group for group in rules.groups if group.parted and {"*", *named} & set(group.names)]
    if not merged and not (closed and named):
        return not_applicable("robots.txt has no general rules that a group for a named AI crawler could leave out.")
    opened = {agent: paths for agent in named if (paths := _opened(rules, agent, closed[:500], site))}
    if not merged and not opened:
        return passed()
    where = site.robots.fetched.url
    lines = [group.parted[0] for group in merged]
    lines += [line for agent in opened for group in rules.groups_of(agent) for n, line in group.agents if n == agent]
    evidence = [Evidence(where, _line(line.number), shortened(line.text, 200)) for line in lines]
    as_one = leaves_out = ""
    if merged:
        names = [theirs(name) for name in dict.fromkeys(merged[0].names)]
        as_one = say(
            "The groups for {names} are read as one: no rule is between their User-agent lines.", names=names
        )
    if opened:
        agent, paths = next(iter(opened.items()))
        leaves_out = say(
            "The group for {agent} does not repeat the general rules, so it may fetch {paths}.",
            agent=_TOKENS[agent],
            paths=_paths(paths),
        )
    wrong = {name for group in merged for name in group.names} | set(opened)
    return failed(in_a_row(as_one, leaves_out), evidence, share=1 - len(wrong) / len({*named, *wrong}))


def policy(site: Site) -> Outcome:
    """ACC-08: which AI crawlers robots.txt lets in, by purpose. A policy, never a fault."""
    if outcome := _rules_say_nothing(site):
        return outcome
    parts = []
    for purpose, title in _PURPOSES.items():
        tokens = [crawler.token for crawler in CRAWLERS if crawler.purpose == purpose]
        blocked = [token for token in tokens if not site.robots.rules.allows(token, site.home_url)]
        state = f"{listed(blocked)} blocked" if len(blocked) < len(tokens) else "all blocked"
        parts.append(f"{title}: {state if blocked else 'all allowed'}")
    return passed(". ".join(parts) + ". Who blocks training crawlers stays in AI search.")


def robots_served(site: Site) -> Outcome:
    """ACC-04: robots.txt is text, or there is none; all is lost where the server answers an error, or not at all."""
    answer, rules, url = site.robots.fetched, site.robots.rules, site.robots.fetched.url
    status = str(answer.status) if answer.status else answer.error.replace("_", " ")
    if site.robots.unreachable:
        finding = say(
            "robots.txt gave no answer but {status}: crawlers must take this for “everything is disallowed”.",
            status=status,
        )
        return failed(finding, [Evidence(url, say("status"), status)], lost=1.0)
    if answer.status == 429:
        return inconclusive("robots.txt was throttled (429).")
    if answer.error:
        finding = say("robots.txt redirects without end: crawlers get no rule.")
        return failed(finding, [Evidence(url, say("redirects"), counted(len(answer.hops), "hop"))], share=0.5)
    if not answer.answered:
        return passed(f"There is no robots.txt ({status}): everything is allowed.")
    if rules.is_html:
        finding = say("robots.txt answers with a web page instead of rules: crawlers see no rule in it.")
        return failed(finding, [Evidence(url, _line(1), shortened(rules.opening, 120))])
    if rules.strange and not (rules.groups or rules.sitemaps):
        is_utf_8 = "\0" not in rules.opening
        why = say("no line of it is one") if is_utf_8 else say("it is in UTF-16 or UTF-32, and they read UTF-8")
        finding = say("robots.txt has text, and crawlers find no rule in it: {why}.", why=why)
        return failed(finding, [Evidence(url, _line(1), shortened(rules.opening.replace("\0", ""), 120))])
    if rules.cut:
        finding = say("robots.txt is longer than 500 KiB: crawlers may ignore the rules after that.")
        size = say("{bytes} bytes", bytes=answer.bytes)
        return failed(finding, [Evidence(url, say("its size"), size)], share=0.5)
    strange = [f"line {line.number}" for line in rules.strange[:5]]
    return passed(f"robots.txt can be read; not understood: {listed(strange)}." if strange else "")


def answers_crawlers(site: Site) -> Outcome:
    """ACC-03: the server answers crawlers of AI search and of assistants, by their names, as it answers us."""
    probes = [probe for probe in site.agents if probe.purpose != "training" and probe.verdict != "unknown"]
    refused = [probe for probe in probes if probe.verdict in ("refused", "different")]
    if not probes:
        return inconclusive("No page could be compared under the names of crawlers.")
    if not refused:
        training = [
            probe.agent for probe in site.agents if probe.purpose == "training" and probe.verdict == "refused"
        ]
        return passed(f"Turned away by name: {listed(training)}, which train models only." if training else "")
    searching = [probe for probe in probes if probe.agent in SEARCH]
    lost = sum(probe.agent in SEARCH for probe in refused) / len(searching) if searching else 0.0
    first = refused[0]
    finding = say(
        "The server tells crawlers apart by their names ({bots}): they {got} at {url}, where ours got the page. Only "
        "the names were theirs: a site that verifies addresses may refuse impostors and let the real ones in.",
        bots=list(dict.fromkeys(probe.agent for probe in refused)),
        got=say("got another page")
        if first.verdict == "different"
        else say("were turned away ({answer})", answer=_answer(first)),
        url=theirs(first.url),
    )
    evidence = [
        Evidence(
            probe.url,
            say("asked as {agent}", agent=probe.agent),
            _answer(probe),
            to=say("status 200, {our_words} words", our_words=probe.our_words or 0),
        )
        for probe in refused
    ]
    return failed(finding, evidence, share=1 - len(refused) / len(probes), lost=lost)


def indexable(site: Site) -> Outcome:
    """ACC-06: key pages are not taken out of search (noindex, unavailable_after). All is lost where the home page is,
    for all crawlers; a date that cannot be read is reported and costs nothing."""
    pages, at = key_pages(site), site.audited_at
    marked = [(page, mark) for page in pages if (mark := barring(page.fetched, page.parsed, at))]
    if pages and not marked and (undated := _undated(pages)):
        return undated
    keys = {page.url for page in pages}
    others = sum(1 for page in site.pages if page.url not in keys and barring(page.fetched, page.parsed, at))
    remark = f"{counted(others, 'page')} besides the key ones are noindex." if others else ""
    finding, lost = "", 0.0
    if marked:
        barred = [page for page, mark in marked if not mark.bot]
        lost = 1.0 if site.home in barred else len(barred) / len(pages)
        page, mark = marked[0]
        word = mark.word
        if mark.until:
            word = say("{word} {until}, which is over,", word=word, until=theirs(mark.until))
        if mark.bot:
            word = say("{word} for {bot}", word=word, bot=mark.bot)
        finding = say(
            "{url} is marked {word}: it cannot be shown or cited.{also}",
            url=theirs(page.url),
            word=word,
            also=also(len(marked), "more page"),
        )
    evidence = [Evidence(page.url, mark.where, mark.quote) for page, mark in marked]
    return judged(len(pages), evidence, finding, lost=lost, none="No key page was read.", remark=remark)


def _undated(pages: Sequence[SitePage]) -> Outcome | None:
    """The outcome where pages are to leave search on a date that cannot be read."""
    marks = [
        (page, mark)
        for page in pages
        for mark in directives(page.fetched, page.parsed)
        if mark.word == ENDING and mark.ends is None
    ]
    if not marks:
        return None
    page, mark = marks[0]
    finding = say(
        "{url} is marked {ending} with {until}, which is no date that crawlers read: nobody can say when it leaves "
        "search.{also}",
        url=theirs(page.url),
        ending=ENDING,
        until=theirs(mark.until),
        also=also(len({page.url for page, _ in marks}), "more page"),
    )
    evidence = [Evidence(page.url, mark.where, mark.quote, to=f"{ENDING}: 2030-12-31") for page, mark in marks]
    return failed(finding, evidence, share=1.0)


def quotable(site: Site) -> Outcome:
    """ACC-07: key pages may be quoted."""
    pages = [page for page in key_pages(site) if not barring(page.fetched, page.parsed, site.audited_at)]
    evidence = [Evidence(page.url, *mark) for page in pages if (mark := _unquotable(page))]
    finding = ""
    if evidence:
        finding = say(
            "{url} forbids quotes: Google and Apple do not use its text in AI answers.{also}",
            url=theirs(evidence[0].url),
            also=also(len(evidence), "more page"),
        )
    return judged(len(pages), evidence, finding, none="No key page that may be indexed was read.")


def let_in(site: Site) -> Outcome:
    """ACC-10: our crawler may fetch pages. Where it may not, that means nothing for AI crawlers."""
    if site.home or site.robots.unreachable:
        return passed()
    rule = site.robots.rules.deciding_rule(site.user_agent, site.home_url)
    place = _line(rule.number) if rule else "robots.txt"
    finding = say("robots.txt bars our crawler, so no page was read and robots.txt alone was checked.")
    return failed(finding, [Evidence(site.robots.fetched.url, place, rule.text if rule else "")])


def looked_at(site: Site) -> list[str]:
    """The home page and up to 199 more addresses of its host, evenly over all that are known: pages that were read,
    pages that they link, and what sitemaps list; without private ones, and those that only filter or sort."""
    home = site.home_url
    read = [page.url for page in key_pages(site)]
    entries = spread((entry.url for sitemap in site.sitemaps for entry in sitemap.text.entries), 5 * SAMPLE)
    linked = spread((link.url for page in site.parsed() for link in page.links if link.url), 5 * SAMPLE)
    public = [url for url in linked if is_public(url)]
    known = {page_key(url): url for url in [*public, *entries, *read] if host_of(url) == host_of(home)}
    known.pop(page_key(home), None)
    rules = sum(len(group.rules) for group in site.robots.rules.groups)
    return [home, *spread(known.values(), min(SAMPLE - 1, MAX_MATCHES // (rules + 1)))]


def _rules_say_nothing(site: Site) -> Outcome | None:
    """The outcome where robots.txt could not be read; else null (without robots.txt everything is allowed)."""
    if site.robots.unreachable:
        return not_applicable("robots.txt could not be fetched: see ACC-04.")
    return inconclusive("robots.txt was throttled (429).") if site.robots.fetched.status == 429 else None


def _barred(site: Site, bots: Sequence[str], urls: Sequence[str]) -> list[tuple[str, str]]:
    return [(bot, url) for url in urls for bot in bots if not site.robots.allows(bot, url)]


def _access(site: Site, bots: Sequence[str], urls: Sequence[str], barred: Sequence[tuple[str, str]]) -> Outcome:
    rules = site.robots.rules
    if not barred:
        return passed(f"{counted(len(urls), 'address', 'addresses')} looked at.")
    share = 1 - len(barred) / (len(bots) * len(urls))
    kinds = {bot for bot, _ in barred}
    closed = list(dict.fromkeys(url for _, url in barred))
    rule = rules.deciding_rule(*barred[0])
    line: str = ""
    if rule:
        number = str(rule.number)
        line = say(": rule {text} (robots.txt line {number})", text=theirs(rule.text), number=number)
    finding = say(
        "{number} of {all_bots} {who} ({bots}) may not fetch {closed} of {address} looked at, such as {url}{line}.",
        number=len(kinds),
        all_bots=len(bots),
        who=say("AI search crawlers") if bots is SEARCH else say("assistants that fetch for a user"),
        bots=[bot for bot in bots if bot in kinds],
        closed=len(closed),
        address=counted(len(urls), "address", "addresses"),
        url=theirs(closed[0]),
        line=line,
    )
    first = {url: (bot, url) for bot, url in reversed(barred)}
    evidence = [_ruled(rules, *first[url]) for url in closed[:MAX_EVIDENCE]]
    evidence += [Evidence(url, "robots.txt", say("closed")) for url in closed[MAX_EVIDENCE:]]
    all_lost = all((bot, urls[0]) in barred for bot in bots) and share < 0.5
    lost = (1.0 if all_lost else 1 - share) if bots is SEARCH else 0.0
    return failed(finding, evidence, share=share, lost=lost)


def _ruled(rules: RobotsRules, bot: str, url: str) -> Evidence:
    rule = rules.deciding_rule(bot, url)
    if rule is None:
        return Evidence(url, "robots.txt", say("closed to {bot}", bot=bot))
    to = f"Allow: {shortened(rule.path, 180)}"
    return Evidence(url, _line(rule.number), shortened(rule.text, 200), to)


def _opened(rules: RobotsRules, agent: str, closed: Sequence[str], site: Site) -> list[str]:
    """Patterns that the general group closes and the crawler may fetch; none if it is barred from the home page."""
    base = origin_of(site.home_url)
    if not rules.allows(agent, site.home_url):
        return []
    paths = {pattern: f"{base}{pattern.replace('*', 'x').rstrip('$')}" for pattern in closed}
    return [pattern for pattern, url in paths.items() if rules.allows(agent, url) and not rules.allows("*", url)]


def _line(number: int) -> Sentence:
    return say("robots.txt line {number}", number=str(number))


def _paths(paths: Sequence[str]) -> list[str] | Sentence:
    named = [theirs(path_of(path), 80) for path in paths[:3]]
    return named if len(paths) <= 3 else say("{paths} and {number} more", paths=named, number=len(paths) - 3)


def _answer(probe: AgentProbe) -> str:
    if probe.fetched.challenge:
        return say("a test for people")
    if probe.verdict == "different":
        return counted(probe.words or 0, "word")
    if probe.fetched.status:
        return say("status {status}", status=probe.fetched.status)
    return probe.fetched.error.replace("_", " ")


def _unquotable(page: SitePage) -> tuple[str, str] | None:
    """Where and how a page forbids quotes of it."""
    for mark in directives(page.fetched, page.parsed):
        if mark.word in ("nosnippet", "max-snippet:0"):
            return mark.where, mark.quote
    parsed = page.parsed
    if parsed and parsed.words and parsed.unquotable_words >= MIN_UNQUOTABLE * parsed.words:
        counts = {"unquotable_words": parsed.unquotable_words, "words": parsed.words}
        return "data-nosnippet", say("{unquotable_words} of {words} words of the main text", **counts)
    return None
