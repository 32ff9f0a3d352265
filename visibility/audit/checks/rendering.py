"""Whether a client without scripts gets the page: text, statuses, encryption, speed, detours (REN-01 to 07)."""

from collections import Counter
from collections.abc import Mapping
from statistics import median

from apikeys.text.sentences import counted, joined, one_line
from visibility.audit.checks.addresses import host_of, joined_to, same_page, same_site, split
from visibility.audit.checks.pages import also, outcome_of, readable
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed
from visibility.audit.page import ParsedPage
from visibility.audit.site import Fetched, Site

MIN_WORDS = 25
"""A page with so many words of main text has its text, however short, whatever else scripts add."""
MIN_TIMED = 5
QUICK, SLOW = 0.8, 2.5
"""Seconds to the first byte; no vendor publishes a threshold."""
MIN_TEXT_SHARE = 0.008
"""The least tenth of ordinary shop pages is below."""
MIN_HEAVY = 100_000
"""Bytes; a smaller page costs no reader anything."""
CUT = " (it is longer than what is read of a page: only its beginning was)"
MAX_HOPS = 2
_FAILURES = frozenset({"timeout", "connection", "tls", "bad_response", "too_large"})


def has_text(site: Site) -> Outcome:
    """REN-01: the text of pages is in their HTML; without that of the home page, all is lost."""
    pages = [page for page in readable(site) if not page.cut]
    shells = [page for page in pages if page.client_rendered and page.words < MIN_WORDS]
    if not shells:
        return outcome_of(len(pages), [], {})
    home, first = site.home, shells[0]
    all_lost = home is not None and any(page is home.parsed for page in shells)
    evidence = [Evidence(page.url, "the body of the page", one_line(page.client_rendered)) for page in shells]
    words = {
        "url": one_line(first.url),
        "n": counted(first.words, "word"),
        "because": one_line(first.client_rendered),
        "pages": counted(len(shells), "page"),
    }
    return outcome_of(len(pages), evidence, words, lost=1.0 if all_lost else len(shells) / len(pages))


def missing_pages(site: Site) -> Outcome:
    """REN-02: an address where nothing can be answers 404."""
    probe = site.probes.get("missing page")
    if probe is None or probe.fetched.status in (0, 401, 403, 429):
        return inconclusive("An address where nothing can be gave no clear answer.")
    answer = probe.fetched
    if 400 <= answer.status < 500:
        return passed()
    said = "led to another page" if answer.status == 200 and answer.hops else f"answered {answer.status}"
    quote = f"{answer.status}, {answer.final_url}" if answer.hops else str(answer.status)
    evidence = Evidence(answer.url, "status", quote, to="404")
    return failed(evidence=[evidence], words={"said": said})


def encrypted(site: Site) -> Outcome:
    """REN-03: pages come by HTTPS with a good certificate, plain HTTP leads there, and one host serves them all."""
    home = site.home
    if home is None:
        return not_applicable("No page was read.")
    if split(home.url).scheme != "https":
        evidence = Evidence(home.url, "address", one_line(home.url))
        return failed(evidence=[evidence], words={"finding": "The site is not served by HTTPS."})
    faults: list[tuple[str, Evidence]] = []
    plain = site.probes.get("plain http")
    if plain and plain.fetched.answered and split(plain.fetched.final_url).scheme == "http":
        faults.append(("The address with http:// does not lead to https://", _status(plain.fetched)))
    broken = [page.fetched for page in site.pages if page.fetched.error == "tls"]
    if broken:
        faults.append((f"{counted(len(broken), 'page has', 'pages have')} a bad certificate", _status(broken[0])))
    other = site.probes.get("other host")
    answers = [page.fetched for page in site.pages] + ([other.fetched] if other else [])
    twins = [answer for answer in answers if answer.answered and _on_twin_host(answer, home.url)]
    if twins:
        twin, own = host_of(twins[0].final_url), host_of(home.url)
        text = f"“{twin}” serves the site as well as “{own}” and does not lead there, so that pages stand twice"
        to = f"a permanent redirect (301) to the same path on {own}"
        faults.append((text, Evidence(twins[0].final_url, "status", str(twins[0].status), to=to)))
    if not faults:
        return passed()
    finding = ". ".join(text for text, _ in faults) + "."
    return failed(
        evidence=[evidence for _, evidence in faults], share=1 - len(faults) / 3, words={"finding": finding}
    )


def quick(site: Site) -> Outcome:
    """REN-04: the median time to the first byte of five pages or more."""
    timed = sorted(
        (page.fetched for page in site.pages if page.fetched.answered), key=lambda a: -a.first_byte_seconds
    )
    if len(timed) < MIN_TIMED:
        return not_applicable(f"Fewer than {MIN_TIMED} pages answered.")
    middle = median(answer.first_byte_seconds for answer in timed)
    if middle <= QUICK:
        return passed(f"The median time to the first byte is {_shown(middle)}.")
    slow = [answer for answer in timed if answer.first_byte_seconds > QUICK]
    evidence = [Evidence(answer.url, "first byte", _shown(answer.first_byte_seconds)) for answer in slow]
    return failed(evidence=evidence, share=0.0 if middle > SLOW else 0.5, words={"x": _shown(middle)})


def without_errors(site: Site) -> Outcome:
    """REN-05: pages and sampled addresses answer without errors of the server, throttling and delays, and can be
    read."""
    answers = {answer.url: answer for answer in (*site.sampled, *(page.fetched for page in site.pages))}
    faults = {answer.url: fault for answer in answers.values() if (fault := _failure(answer))}
    for page in site.pages:
        if page.unparsed and page.unparsed.reason != "not_html" and page.fetched.answered:
            faults.setdefault(page.fetched.url, f"could not be read ({page.unparsed.reason.replace('_', ' ')})")
    kinds = Counter(faults.values())
    words = {
        "n": f"{len(faults):,}",
        "of": counted(len(answers), "address", "addresses"),
        "kinds": joined([f"{number} {kind}" for kind, number in kinds.most_common()]) if kinds else "",
    }
    return outcome_of(len(answers), [Evidence(url, "status", fault) for url, fault in faults.items()], words)


def mostly_text(site: Site) -> Outcome:
    """REN-06: of a heavy page's HTML, a part worth mentioning is text; no page is longer than what is read."""
    pages = [page for page in readable(site) if page.html_bytes and not page.client_rendered]
    heavy = [page for page in pages if page.cut or _is_heavy(page)]
    first = heavy[0] if heavy else None
    words = {
        "url": one_line(first.url) if first else "",
        "size": f"{round(first.html_bytes / 1000):,} KB" if first else "",
        "words": counted(first.visible_words, "word") + CUT * first.cut if first else "",
        "more": also(len(heavy)),
    }
    evidence = [
        Evidence(
            page.url, "its size", f"{page.html_bytes:,} bytes, {_text_bytes(page):,} of text" + ", cut" * page.cut
        )
        for page in heavy
    ]
    return outcome_of(len(pages), evidence, words)


def direct(site: Site) -> Outcome:
    """REN-07: addresses lead to their pages in two redirects or fewer, and not by a refresh in the page."""
    answers = {answer.url: answer for answer in (*site.sampled, *(page.fetched for page in site.pages))}
    evidence = []
    for answer in answers.values():
        if answer.error == "too_many_redirects":
            evidence.append(Evidence(answer.url, "redirects", "they go round, or on and on"))
        elif len(answer.hops) > MAX_HOPS:
            evidence.append(Evidence(answer.url, "redirects", " → ".join(str(hop.status) for hop in answer.hops)))
    evidence += [
        Evidence(page.url, f"line {line}", content) for page in site.parsed() for line, content in _refreshes(page)
    ]
    words = {"url": one_line(evidence[0].url) if evidence else "", "how": _detour(evidence[0]) if evidence else ""}
    words["more"] = also(len(evidence), "address", "addresses")
    return outcome_of(len(answers), evidence, words)


def _status(answer: Fetched) -> Evidence:
    return Evidence(answer.url, "status", answer.error or str(answer.status))


def _on_twin_host(answer: Fetched, home: str) -> bool:
    """Whether an answer is of the home page's host with `www.` added or left out."""
    return host_of(answer.final_url) != host_of(home) and same_site(answer.final_url, home)


def _failure(answer: Fetched) -> str:
    """How an address failed; empty where it did not."""
    if answer.status >= 500 or answer.status == 429:
        return f"answered {answer.status}"
    if not answer.status and answer.error in _FAILURES:
        return "took too long" if answer.error == "timeout" else f"gave no answer ({answer.error.replace('_', ' ')})"
    return ""


def _is_heavy(page: ParsedPage) -> bool:
    return page.html_bytes >= MIN_HEAVY and _text_share(page) < MIN_TEXT_SHARE


def _shown(seconds: float) -> str:
    return f"{round(1000 * seconds):,} ms"


def _text_share(page: ParsedPage) -> float:
    return _text_bytes(page) / max(1, page.html_bytes)


def _text_bytes(page: ParsedPage) -> int:
    """Of the visible text: what an extractor keeps of a shop's page is far less."""
    text = max(page.visible_text, page.main_text, key=len)
    return len(text.encode(errors="replace"))


def _refreshes(page: ParsedPage) -> list[tuple[int, str]]:
    """Refreshes that send on to another page."""
    refreshes = []
    for meta in page.meta("refresh"):
        _, _, target = meta.content.partition("=")
        if target.strip() and not same_page(joined_to(page.url, target.strip().strip("'\"")), page.url):
            refreshes.append((meta.line, f'<meta http-equiv="refresh" content="{one_line(meta.content)}">'))
    return refreshes[:1]


def _detour(evidence: Evidence) -> str:
    if evidence.where != "redirects":
        return "sends on by a refresh in the page"
    return "never arrives" if "→" not in evidence.quote else f"takes {evidence.quote.count('→') + 1} redirects"


CHECKS: Mapping[str, Check] = {
    "REN-01": has_text,
    "REN-02": missing_pages,
    "REN-03": encrypted,
    "REN-04": quick,
    "REN-05": without_errors,
    "REN-06": mostly_text,
    "REN-07": direct,
}
