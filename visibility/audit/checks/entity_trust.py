"""Who is behind the site: one name, profiles elsewhere, people to reach, authors, what the brand is, what it asks."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from apikeys.text.sentences import counted, joined, shortened
from visibility.audit.checks.addresses import split
from visibility.audit.checks.content import articles, content_pages, home_of
from visibility.audit.checks.domains import domain_of
from visibility.audit.checks.matching import folded, words_in
from visibility.audit.checks.nodes import all_nodes, main_nodes, texts_in
from visibility.audit.checks.pages import outcome_of
from visibility.audit.checks.phrases.phrases import not_read, phrases_of
from visibility.audit.checks.vocabulary.vocabulary import is_a
from visibility.audit.outcome import Check, Evidence, Outcome, failed, inconclusive, not_applicable, passed, theirs
from visibility.audit.page import ParsedPage, types_of
from visibility.audit.site import Site

FIRST_WORDS = 100
NO_LINK = 99
"""The depth of a page that no link led to."""
MIN_FIRST_WORDS = 20
"""A home page with less text is no text to open."""
MAX_NAMES = 10
_FORMS = re.compile(
    r"\b(?:inc|llc|ltd|limited|plc|corp|corporation|co|company|gmbh|ag|kg|ug|se|e\.?v|ohg|sas|sarl|sa|eurl|sl|slu|srl|bv|"
    r"nv|ab|as|a/s|aps|oy|oyj|pty|spa|foundation|group|holding)\b\.?",
    re.IGNORECASE,
)
_LEGAL = re.compile(
    r"\b(?:Inc\.?|LLC|Ltd\.?|Limited|PLC|plc|Corp\.?|Corporation|Foundation|Association|University|GmbH|AG|KG|UG|OHG|SE|"
    r"e\. ?V\.|eG|SAS|SARL|S\.A\.|SA|EURL|S\.L\.|SL|S\.?r\.?l\.?|B\.V\.|BV|N\.V\.|AB|A/S|ApS|Oy|Pty|S\.p\.A\.)(?!\w)"
)
_EMAIL = re.compile(r"\w\s?(?:@|\[at\]|\(at\)|\(a\))\s?\w[\w-]{0,62}(?:\.[\w-]{1,63}){1,5}", re.IGNORECASE)
_PHONE = re.compile(r"(?:\+|\b00|\(0|\b0|\(\d{3}\)|\b\d{3}[-. ]\d{3})[\d ()./-]{5,16}\d")
_SEPARATOR = re.compile(r"\s+[|–—·•:»-]\s+|\s*\|\s*")


def one_name(site: Site) -> Outcome:
    """ENT-01: the name of the brand is one in structured data, previews and titles; forms of companies and what is
    told as an alias do not make it another."""
    names: dict[str, Evidence] = {}
    for text, place in _names(site):
        if text.strip():
            names.setdefault(shortened(text.strip(), 80), place)
    if not names:
        return not_applicable("The site names its brand neither in structured data nor in previews nor in titles.")
    groups: list[list[str]] = []
    for name in list(names)[:MAX_NAMES]:
        same = next((group for group in groups if any(_same_name(name, other, site.names) for other in group)), None)
        groups.append([name]) if same is None else same.append(name)
    if len(groups) == 1:
        return passed(f"Its name is {groups[0][0]}.")
    firsts = [group[0] for group in groups]
    words = {"finding": f"The site calls itself by {len(firsts)} names: {joined([theirs(name) for name in firsts])}."}
    return failed(evidence=[names[name] for name in firsts], share=1 / len(firsts), words=words)


def _names(site: Site) -> Iterator[tuple[str, Evidence]]:
    home = site.home.parsed if site.home else None
    for page in [home] if home else []:
        for kind in ("WebSite", "Organization"):
            for placed in main_nodes(page, kind):
                for text in texts_in(placed.node, "name")[:1]:
                    yield text, Evidence(page.url, f"name of {kind}", text)
    for page in site.parsed():
        for meta in page.meta("og:site_name"):
            yield meta.content, Evidence(page.url, f"line {meta.line}", f"og:site_name: {meta.content}")
    yield from _suffix(site)


def _suffix(site: Site) -> Iterator[tuple[str, Evidence]]:
    """The first or last part of titles that most pages share."""
    titled = [(page, page.titles[0].text) for page in content_pages(site) if page.titles]
    parted = [(page, parts) for page, title in titled if len(parts := _SEPARATOR.split(title)) > 1]
    ends = Counter(part.strip() for _, parts in parted for part in {parts[0], parts[-1]})
    for text, times in ends.most_common(1):
        if times > 2 and times * 2 > len(titled):
            page = next(page for page, parts in parted if text in (parts[0].strip(), parts[-1].strip()))
            yield text, Evidence(page.url, "title", f"{text}, in {times} titles")


def _same_name(one: str, other: str, known: tuple[str, ...]) -> bool:
    plain, others = _bare(one), _bare(other)
    aliases = {_bare(name) for name in known}
    return plain in others or others in plain or {plain, others} <= aliases


def _bare(name: str) -> str:
    """A name without its form of company, marks and spaces."""
    return "".join(words_in(_FORMS.sub(" ", re.sub(r"[™®©]|\(R\)", " ", name)))) or folded(name)


def profiles(site: Site) -> Outcome:
    """ENT-02: the site names profiles of its brand on other domains, and none of them is known to be gone."""
    named: dict[str, ParsedPage] = {}
    for page in site.parsed():
        nodes = [placed.node for placed in all_nodes(page) if is_a(types_of(placed.node), "Organization", "Person")]
        links = [link.url for link in page.linked("me")] + [link.url for link in page.links if "me" in link.rel]
        for url in [*(text for node in nodes for text in texts_in(node, "sameAs")), *links]:
            named.setdefault(url, page)
    home = site.home.parsed if site.home else None
    own = domain_of(site.home_url)
    elsewhere = {url: page for url, page in named.items() if domain_of(url) not in ("", own)}
    if not elsewhere:
        if home is None:
            return inconclusive("The home page could not be read.")
        said = f"{counted(len(named), 'address')} on the site itself" if named else "no sameAs"
        return failed(
            evidence=[Evidence(home.url, "structured data", said)],
            words={"finding": "The structured data names no profile of the brand elsewhere (sameAs)."},
        )
    gone = {link.url: link.status for link in site.sampled if link.url in elsewhere and link.status in (404, 410)}
    if not gone:
        return passed(f"{counted(len(elsewhere), 'profile')} elsewhere: {', '.join(list(elsewhere)[:3])}")
    evidence = [Evidence(elsewhere[url].url, "sameAs", f"{url} answers {status}") for url, status in gone.items()]
    one = next(iter(gone))
    many = counted(len(gone), "named profile is", "named profiles are")
    words = {"finding": f"{many} gone: {theirs(one)} answers {gone[one]}."}
    return failed(evidence=evidence, share=1 - len(gone) / len(elsewhere), words=words)


def people_to_reach(site: Site) -> Outcome:
    """ENT-03: pages about the site and to contact it are linked; a legal name or an address is text."""
    pages = [page for page in site.parsed() if page.kind != "search"]
    if not pages:
        return not_applicable("No page was read.")
    lacks = [name for name in ("about", "contact") if not any(_leads_to(page, name) for page in pages)]
    reading = [page for page in pages if phrases_of(page) is not None]
    if lacks and not reading:
        return not_applicable(not_read(tuple(pages)))
    named = any(_says_who(page) for page in pages)
    if named and not lacks:
        return passed()
    said = [f"{'an' if name == 'about' else 'a'} {name} page that is linked" for name in lacks]
    said += [] if named else ["a legal name, address or email in the text"]
    evidence = Evidence(pages[0].url, "the pages read", f"{len(pages)} pages without {joined(said)}")
    share = (3 - len(said)) / 3
    return failed(evidence=[evidence], share=share, words={"finding": f"The site lacks {joined(said)}."})


def _leads_to(page: ParsedPage, kind: str) -> bool:
    if page.kind == kind or (
        kind == "contact" and any(link.href.lower().startswith(("mailto:", "tel:")) for link in page.links)
    ):
        return True
    phrases = phrases_of(page)
    if phrases is None:
        return False
    rule = phrases.pages.about if kind == "about" else phrases.pages.contact
    return any(rule.search(link.text) or rule.search(split(link.url).path.replace("/", " ")) for link in page.links)


def _says_who(page: ParsedPage) -> bool:
    text = page.visible_text
    addressed = any(is_a(types_of(placed.node), "PostalAddress", "ContactPoint") for placed in all_nodes(page))
    mailed = any(link.href.lower().startswith("mailto:") for link in page.links)
    return addressed or mailed or any(rule.search(text) is not None for rule in (_EMAIL, _LEGAL, _PHONE))


def authors(site: Site) -> Outcome:
    """ENT-04: articles name who wrote them, on the page or in structured data."""
    pages = articles(site)
    silent = [page for page in pages if not _has_author(page)]
    n = counted(len(silent), "article has", "articles have")
    evidence = [Evidence(page.url, "the page", page.titles[0].text if page.titles else page.url) for page in silent]
    words = {"finding": f"{n} no named author."} if silent else {}
    return outcome_of(len(pages), evidence, words, none="The pages read have no articles.")


def _has_author(page: ParsedPage) -> bool:
    if page.bylines or any(
        meta.content.strip() for meta in page.meta("author", "article:author", "dc.creator", "dcterms.creator")
    ):
        return True
    nodes = [placed.node for placed in all_nodes(page)]
    linked = any("author" in link.rel and link.text.strip() for link in page.links)
    return linked or any(texts_in(node, "author", "creator") for node in nodes)


def names_itself(site: Site) -> Outcome:
    """ENT-05: the title, the main heading and the first 100 words of the home page name the brand. Told, not scored:
    whether they say what it is, is for people to read."""
    home = home_of(site)
    if isinstance(home, Outcome):
        return home
    if home.words < MIN_FIRST_WORDS:
        return inconclusive(f"The home page has {counted(home.words, 'word')} of text, too few to judge.")
    main = " ".join(home.main_text.split()[:FIRST_WORDS])
    headings = [heading.text for heading in home.headings if heading.level == 1]
    above = " ".join([*(title.text for title in home.titles[:1]), *headings])
    if any(_names_brand(name, f"{above} {main}") for name in (site.brand, *site.names)):
        return passed(f"It begins: {theirs(shortened(main, 300))}")
    finding = (
        f"The home page does not name {theirs(site.brand)} in its title, main heading or first {FIRST_WORDS} words."
    )
    evidence = Evidence(home.url, f"the first {FIRST_WORDS} words", main)
    return failed(evidence=[evidence], words={"finding": finding})


def _names_brand(name: str, text: str) -> bool:
    bare = _bare(name)
    return bool(bare) and bare in "".join(words_in(re.sub(r"[™®©]", " ", text)))


def prices_in_html(site: Site) -> Outcome:
    """ENT-06: a site that sells links its page of prices. That pages show no price is told by CIT-06."""
    offers = content_pages(site, "product", "pricing")
    if not offers:
        return not_applicable("The pages read sell nothing: there is no product and no page of prices.")
    every = [page for page in site.pages if page.parsed in offers and page.parsed.kind == "pricing"]
    unlinked = [page for page in every if page.depth == NO_LINK]
    if not every:
        return not_applicable("There is no page of prices. Whether pages show prices is told by CIT-06.")
    if len(unlinked) < len(every):
        return passed()
    evidence = [Evidence(page.url, "the pages read", "no page that was read links it") for page in unlinked]
    return failed(evidence=evidence, share=0.5, words={"finding": "No page that was read links the page of prices."})


CHECKS: Mapping[str, Check] = {
    "ENT-01": one_name,
    "ENT-02": profiles,
    "ENT-03": people_to_reach,
    "ENT-04": authors,
    "ENT-05": names_itself,
    "ENT-06": prices_in_html,
}
