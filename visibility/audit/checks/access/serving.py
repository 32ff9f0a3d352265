"""How the server treats who asks: robots.txt, clients that are no browsers, our own crawler (ACC-03, 04, 10)."""

import re
from collections.abc import Mapping

from apikeys.text.sentences import counted, joined, one_line, shortened
from visibility.audit.checks.access.crawlers import SEARCH
from visibility.audit.checks.addresses import host_of
from visibility.audit.outcome import (
    MAX_EVIDENCE,
    Check,
    Evidence,
    Outcome,
    failed,
    inconclusive,
    not_applicable,
    passed,
    theirs,
)
from visibility.audit.page import ParsedPage
from visibility.audit.robots import RobotsRules
from visibility.audit.site import AgentProbe, Fetched, Robots, Site, SitePage

MAX_ROBOTS_BYTES = 500 * 1024
"""Crawlers may ignore what comes after."""
_NO_ANSWER = frozenset({"timeout", "connection", "no_such_host", "tls", "bad_response"})
_REFUSALS = frozenset({401, 402, 403, 429})
_CHALLENGE = re.compile(
    r"just a moment|attention required|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|"
    r"are you a robot|access denied|pardon our interruption",
    re.IGNORECASE,
)
MAX_CHALLENGE_WORDS = 120
_BOT_PAGE = re.compile(r"https?://[^\s;)]+")


def unreachable(robots: Robots) -> bool:
    """Whether crawlers must take everything for disallowed: a server error, or no answer (RFC 9309, 2.3.1.4)."""
    return robots.fetched.status >= 500 or (robots.fetched.status == 0 and robots.fetched.error in _NO_ANSWER)


def robots_served(site: Site) -> Outcome:
    """ACC-04: robots.txt is text, or there is none; all is lost where the server answers an error, or not at all."""
    answer, url = site.robots.fetched, site.robots.fetched.url
    if unreachable(site.robots):
        said = f"answered {answer.status}" if answer.status else f"did not answer ({_reason(answer)})"
        words = {"finding": f"robots.txt {said}: crawlers must take this for “everything is disallowed”."}
        evidence = Evidence(url, "status", str(answer.status) if answer.status else _reason(answer))
        return failed(evidence=[evidence], words=words, lost=1.0)
    if answer.status == 429:
        return inconclusive("robots.txt was throttled (429).")
    if answer.error == "too_many_redirects":
        words = {"finding": "robots.txt redirects without end: crawlers find no rule."}
        return failed(evidence=[Evidence(url, "redirects", f"{len(answer.hops)} and more")], share=0.5, words=words)
    if not answer.answered:
        return passed(f"There is no robots.txt ({answer.status or _reason(answer)}): everything is allowed.")
    rules = site.robots.rules
    if rules.is_html:
        words = {"finding": "robots.txt answers with a web page instead of rules: crawlers find no rule in it."}
        return failed(
            evidence=[Evidence(url, "robots.txt line 1", shortened(one_line(rules.opening), 120))], words=words
        )
    if rules.cut or answer.bytes > MAX_ROBOTS_BYTES:
        words = {"finding": "robots.txt is longer than 500 KiB: crawlers may ignore the rules after that."}
        return failed(evidence=[Evidence(url, "its size", f"{answer.bytes:,} bytes")], share=0.5, words=words)
    return _remarks(rules)


def answers_machines(site: Site) -> Outcome:
    """ACC-03: the server answers crawlers as it answers others: those of AI search and of assistants by their names,
    and ours, which does not pass for a browser; inconclusive where it refuses a client without a name too, or only
    that one."""
    if turned := [probe for probe in _asked_as_crawlers(site) if probe.verdict in ("refused", "different")]:
        return _turned_away(turned, site)
    challenged = [page for page in site.pages if _challenged(page)]
    home, control = site.home, site.probes.get("neutral client")
    control_refused = control is not None and refused(control.fetched)
    if home is None:
        return not_applicable("No page was read.")
    if refused(home.fetched) or challenged[:1] == [home]:
        if control is None or control_refused:
            return inconclusive("A client without a name was refused too.")
        return _refused_by_name([home], site)
    if challenged:
        return _refused_by_name(challenged, site)
    if control_refused and control:
        status = control.fetched.status
        return inconclusive(f"Our crawler was answered; a client without a name was refused ({status}).")
    return passed()


def let_in(site: Site) -> Outcome:
    """ACC-10: our crawler was answered. Where it was not, that says nothing about AI crawlers."""
    ua, robots = one_line(site.user_agent), site.robots.fetched
    page = _BOT_PAGE.search(ua)
    words = {"ua": ua, "bot_page": page[0] if page else "the address in its user agent"}
    if site.home and not (refused(site.home.fetched) or _challenged(site.home)):
        return passed()
    if site.home:
        said = str(site.home.fetched.status) if refused(site.home.fetched) else "a challenge"
        finding = f"The site refused our crawler ({said}); it could not be audited. "
        evidence = Evidence(site.home.url, "status", said)
    elif robots.status == 429:
        finding = "The site refused our crawler (429 for robots.txt); it could not be audited. "
        evidence = Evidence(robots.url, "status", "429")
    elif unreachable(site.robots):
        return not_applicable("robots.txt could not be fetched, so no page was asked for.")
    else:
        rules = site.robots.rules
        rule = rules.rule(ua, site.home_url) if host_of(site.home_url) else None
        finding = "robots.txt bars our crawler, so no page was read and only robots.txt was checked. "
        place = f"robots.txt line {rule.number}" if rule else "robots.txt"
        evidence = Evidence(robots.url, place, one_line(rule.text) if rule else "")
    words["finding"] = finding + "That says nothing about how it treats AI crawlers."
    return failed(evidence=[evidence], words=words)


def refused(answer: Fetched) -> bool:
    """Whether an answer turns the client away: unauthorised, payment, forbidden, throttled, or a challenge."""
    return answer.status in _REFUSALS or bool(answer.header("cf-mitigated"))


def _challenged(page: SitePage) -> bool:
    """Whether a page is a test for people instead of what stands at its address."""
    return bool(page.fetched.header("cf-mitigated")) or (page.parsed is not None and _is_challenge(page.parsed))


def _is_challenge(parsed: ParsedPage) -> bool:
    title = parsed.titles[0].text if parsed.titles else ""
    return parsed.visible_words <= MAX_CHALLENGE_WORDS and bool(_CHALLENGE.search(title))


def _asked_as_crawlers(site: Site) -> list[AgentProbe]:
    """The pages that were asked for by the names of crawlers of search and of assistants. Who blocks training stays
    in AI search."""
    return [probe for probe in site.agents if probe.purpose != "training" and probe.verdict != "unknown"]


def _turned_away(turned: list[AgentProbe], site: Site) -> Outcome:
    """By the names of crawlers other answers come than we got: what crawlers of search do not get is lost."""
    probes = _asked_as_crawlers(site)
    searching = [probe for probe in probes if probe.agent in SEARCH]
    lost = sum(probe.agent in SEARCH for probe in turned) / len(searching) if searching else 0.0
    agents = list(dict.fromkeys(probe.agent for probe in turned))
    first = turned[0]
    bots = joined(agents)
    got = "got another page" if first.verdict == "different" else f"were turned away ({_answer_to(first)})"
    who = "crawlers of AI search" if lost else "fetchers for users of assistants"
    finding = (
        f"The server tells {who} apart by their names: {bots} {got} at {theirs(first.url)}, where our crawler got "
        "the page. Only the names were theirs: a site that checks addresses may refuse impostors, and let the real "
        "ones in."
    )
    evidence = [
        Evidence(probe.url, f"asked as {probe.agent}", _answer_to(probe), to=_ours(probe)) for probe in turned
    ]
    server = one_line(first.fetched.header("server")) or "unnamed"
    words = {"finding": finding, "status": _answer_to(first), "server": server, "bots": bots}
    return failed(evidence=evidence, share=1 - len(turned) / len(probes), words=words, lost=lost)


def _answer_to(probe: AgentProbe) -> str:
    if probe.challenge:
        return "a test for people"
    if probe.verdict == "different":
        return f"{counted(probe.words or 0, 'word')}"
    return f"status {probe.status}" if probe.status else _reason(probe.fetched)


def _ours(probe: AgentProbe) -> str:
    return f"status {probe.our_status}, " + counted(probe.our_words or 0, "word")


def _refused_by_name(pages: list[SitePage], site: Site) -> Outcome:
    first = pages[0].fetched
    status = f"status {first.status}" if first.status != 200 else "a challenge"
    server = one_line(first.header("server")) or "unnamed"
    evidence = [Evidence(page.url, "status", _header_said(page.fetched)) for page in pages]
    many = counted(len(pages), "page")
    finding = f"The server answered our crawler with {status} on {many}, although robots.txt allows it."
    words = {"finding": finding, "status": status, "server": server}
    return failed(evidence=evidence, share=1 - len(pages) / max(1, len(site.pages)), words=words)


def _header_said(answer: Fetched) -> str:
    mitigated = answer.header("cf-mitigated")
    return f"{answer.status}, cf-mitigated: {one_line(mitigated)}" if mitigated else str(answer.status)


def _remarks(rules: RobotsRules) -> Outcome:
    """Passed, with what is odd in the text."""
    odd = ["it begins with a byte order mark"] if rules.bom else []
    if rules.strange:
        numbers = ", ".join(str(line.number) for line in rules.strange[:MAX_EVIDENCE])
        odd.append(f"{counted(rules.strange_lines, 'line is', 'lines are')} not understood ({numbers})")
    return passed(f"robots.txt can be read; {joined(odd)}." if odd else "")


def _reason(answer: Fetched) -> str:
    return answer.error.replace("_", " ") or "no answer"


CHECKS: Mapping[str, Check] = {"ACC-03": answers_machines, "ACC-04": robots_served, "ACC-10": let_in}
