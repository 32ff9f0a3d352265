"""Rendering: whether a client without scripts gets the page (REN)."""

from collections import Counter

from visibility.audit.addresses import host_of, same_site, split
from visibility.audit.checks.pages import readable
from visibility.audit.facts import Fetched, ParsedPage, Site
from visibility.audit.outcome import Evidence, Outcome, failed, inconclusive, judged, not_applicable, passed
from visibility.audit.sentences import Sentence, also, counted, in_a_row, say, theirs

MIN_WORDS = 25
"""A page with so many words of main text is no empty shell, whatever scripts add."""


def has_text(site: Site) -> Outcome:
    """REN-01: the text of pages is in their HTML. All is lost where that of the home page is not. Other pages that
    only lead elsewhere are no pages of their own."""
    home = site.home.parsed if site.home else None
    pages = [page for page in readable(site) if not page.cut and (page is home or not _only_leads_on(page))]
    shells = [(page, why) for page in pages if (why := _shell(page))]
    evidence = [Evidence(page.url, say("the body of the page"), why) for page, why in shells]
    finding, lost = "", 0.0
    if shells:
        first, why = shells[0]
        lost = 1.0 if first is home else len(shells) / len(pages)
        finding = say(
            "{page} has {words} ({why}): crawlers that run no scripts see an empty page.{also}",
            page=say("The home page") if first is home else theirs(first.url),
            words=say("{word} of text", word=counted(first.words, "word")) if first.words else say("no text"),
            why=why,
            also=also(len(shells), "more page"),
        )
    return judged(len(pages), evidence, finding, lost=lost)


def _only_leads_on(page: ParsedPage) -> bool:
    return bool(page.leads_to) and page.visible_words < MIN_WORDS


def _shell(page: ParsedPage) -> str:
    """What shows that a page has no text of its own; empty where it has."""
    if _only_leads_on(page):
        return say("it only leads to {leads_to} by a meta refresh", leads_to=theirs(page.leads_to))
    return page.sentence("client_rendered") if page.words < MIN_WORDS else ""


def missing_pages(site: Site) -> Outcome:
    """REN-02: an address where nothing can be answers 404."""
    probe = site.probes.get("missing page")
    if probe is None or probe.fetched.status in (0, 401, 403, 429) or probe.fetched.status >= 500:
        return inconclusive("An address where nothing can be gave no clear answer.")
    answer = probe.fetched
    if 400 <= answer.status < 500:
        return passed()
    what = say("led to another page") if answer.hops else say("answered {status}", status=answer.status)
    quote = f"{answer.status}, {answer.final_url}" if answer.hops else str(answer.status)
    finding = say("An address that cannot exist {what}, not 404.", what=what)
    return failed(finding, [Evidence(answer.url, say("status"), quote, to="404")])


def encrypted(site: Site) -> Outcome:
    """REN-03: pages come by HTTPS with a good certificate, plain HTTP leads there, and one host serves them all."""
    home = site.home
    if home is None:
        return not_applicable("No page was read.")
    if split(home.url).scheme != "https":
        return failed(say("The site is not served by HTTPS."), [Evidence(home.url, say("address"), home.url)])
    faults: list[tuple[Sentence, Evidence]] = []
    plain = site.probes.get("plain http")
    if plain and plain.fetched.answered and split(plain.fetched.final_url).scheme == "http":
        to = say("a permanent redirect (301) to https://")
        faults.append((say("The address with http:// does not lead to https://."), _status(plain.fetched, to)))
    broken = [page.fetched for page in site.pages if page.fetched.error == "tls"]
    if broken:
        page_has = counted(len(broken), "page has", "pages have")
        faults.append((say("{page_has} a bad certificate.", page_has=page_has), _status(broken[0])))
    other = site.probes.get("other host")
    answers = [page.fetched for page in site.pages] + ([other.fetched] if other else [])
    own = host_of(home.url)
    twins = [
        answer
        for answer in answers
        if answer.answered and host_of(answer.final_url) != own and same_site(answer.final_url, home.url)
    ]
    if twins:
        text = say(
            "{final_url} serves the site as well as {own}, so that pages are twice.",
            final_url=theirs(host_of(twins[0].final_url)),
            own=theirs(own),
        )
        to = say("a permanent redirect (301) to the same path on {own}", own=own)
        faults.append((text, _status(twins[0], to)))
    if not faults:
        return passed()
    finding = in_a_row(*(text for text, _ in faults))
    return failed(finding, [evidence for _, evidence in faults], share=1 - len(faults) / 3)


def legible(site: Site) -> Outcome:
    """REN-04: the characters of pages can be read with the charset that they declare."""
    pages = readable(site)
    wrong = [page for page in pages if page.illegible]
    evidence = [
        Evidence(page.url, say("its charset"), page.sentence("illegible"), to="charset=utf-8") for page in wrong
    ]
    finding = ""
    if wrong:
        first = wrong[0]
        finding = say(
            "{url}: its characters cannot be read: {illegible}.{also}",
            url=theirs(first.url),
            illegible=first.sentence("illegible"),
            also=also(len(wrong), "more page"),
        )
    return judged(len(pages), evidence, finding)


def without_errors(site: Site) -> Outcome:
    """REN-05: pages answer without errors of the server, throttling and delays, and can be read within bounds."""
    faults = {page.fetched.url: fault for page in site.pages if (fault := _failure(page.fetched))}
    for page in site.pages:
        if page.unparsed and page.unparsed.reason != "not_html":
            why = page.unparsed.reason.replace("_", " ")
            faults[page.fetched.url] = say("could not be read ({why})", why=why)
    finding = say(
        "{number} of {page} failed: {kinds}.",
        number=len(faults),
        page=counted(len(site.pages), "page"),
        kinds=[say("{number} {kind}", number=n, kind=kind) for kind, n in Counter(faults.values()).most_common()],
    )
    return judged(len(site.pages), [Evidence(url, say("status"), fault) for url, fault in faults.items()], finding)


def _status(answer: Fetched, to: str = "") -> Evidence:
    return Evidence(answer.url, say("status"), answer.error or str(answer.status), to)


def _failure(answer: Fetched) -> str:
    """How an address failed; empty where it did not."""
    if answer.challenge:
        return say("asked for a proof of being human")
    if answer.status >= 500 or answer.status == 429:
        return say("answered {status}", status=answer.status)
    if answer.error:
        if answer.error == "timeout":
            return say("took too long")
        return say("gave no answer ({error})", error=answer.error.replace("_", " "))
    return ""
