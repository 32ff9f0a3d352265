"""Structured data (SCH), and who is behind the site (ENT).

Only a contradiction is a finding of SCH-04: facts that the text does not show at all (a rating drawn as stars, a
price written by a script) are left to other checks, and a page that was cut or that scripts write is not judged.
"""

import html
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from itertools import islice

from visibility.audit.addresses import domain_of, split
from visibility.audit.checks.pages import content_pages
from visibility.audit.facts import Markup, ParsedPage, Site
from visibility.audit.markup import Node, main_nodes, nodes_in, numbers_of, texts_of, types_of, values_of
from visibility.audit.outcome import Evidence, Outcome, at_line, failed, inconclusive, judged, not_applicable, passed
from visibility.audit.sentences import Sentence, counted, in_a_row, of_this_kind, say, shortened, theirs

ORGANIZATIONS = re.compile(
    r"(?:Organization|Corporation|Business|Store|Restaurant|Hotel|NGO|Airline|Brand|Shop|Agency|Project|Person)$"
)
"""Endings of the types of publishers; a person may be one, too."""
ARTICLES = re.compile(r"(?:Article|Posting|HowTo|Review|Report|Blog|Page|Recipe|Dataset|Video.*|Event|Book|Course)$")
OFFERED = frozenset({"Product", "ProductGroup", "SoftwareApplication", "Service", "Event", "Book", "Course", "Offer"})
NAMED = frozenset({"Product", "ProductGroup", "SoftwareApplication", "Service", "Event", "Book", "Course", "Movie"})
SAYS = ("name", "url", "logo", "sameAs")
MIN_NAME_SHARED = 0.34
"""The page must have this part of a name's words, or the name is of something else."""
MAX_THINGS = 50
NEAR = Decimal("0.02")
TAXES = tuple(Decimal(percent) / 100 for percent in (5, 7, 8, 10, 18, 19, 20, 21, 22, 23, 24, 25, 27))
"""Rates of value added tax: prices that differ by one are net and gross."""
THOUSANDTHS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
"""Currencies with three decimals: a point on the page may come before decimals or thousands."""
_WORD = re.compile(r"\w+")
_RATING = re.compile(r"(?<![\d.,])([0-5](?:[.,]\d{1,2})?)\s?(?:/|out of|von|sur|de|di)\s?5(?![\d.,]*\d|\s?%)")
_FORMS = re.compile(
    r"\b(?:inc|llc|ltd|limited|plc|corp|corporation|co|company|gmbh|ag|kg|ug|se|sas|sarl|sa|bv|ab)\b\.?"
)
_SEPARATOR = re.compile(r"\s+[|–—·•:»-]\s+|\s*\|\s*")


def readable_blocks(site: Site) -> Outcome:
    """SCH-01: each block of JSON-LD is strict JSON with a context."""
    blocks = [
        (page, number, block)
        for page in site.parsed()
        for number, block in enumerate((each for each in page.markup if each.syntax == "json-ld"), start=1)
    ]
    broken = [(page, number, block, why) for page, number, block in blocks if (why := _unreadable(block))]
    finding = ""
    if broken:
        page, number, block, why = broken[0]
        finding = say(
            "On {url} block {number} of JSON-LD cannot be read: {why} (line {line}). {broken} of {block} in all.",
            url=theirs(page.url),
            number=number,
            why=theirs(why),
            line=str(block.error_line or block.line),
            broken=len(broken),
            block=counted(len(blocks), "block"),
        )
    evidence = [
        at_line(page.url, block.error_line or block.line, say("block {number}: {why}", number=number, why=why))
        for page, number, block, why in broken
    ]
    return judged(len(blocks), evidence, finding, wrong=len(broken), none="The pages read have no JSON-LD.")


def _unreadable(block: Markup) -> str:
    typed = any("@type" in node or "@graph" in node for node in block.nodes)
    without = typed and not any("@context" in node for node in block.nodes)
    return block.error or (say("it has no @context, so that its types mean nothing") if without else "")


def publisher(site: Site) -> Outcome:
    """SCH-02: the home page names who publishes the site, and the site."""
    home = site.home.parsed if site.home else None
    if home is None:
        return inconclusive("The home page could not be read.")
    nodes = list(nodes_in([block.nodes for block in home.markup]))
    makers = [node for node in nodes if any(ORGANIZATIONS.search(name) for name in types_of(node))]
    named = any("WebSite" in types_of(node) and texts_of(node, "name") for node in nodes)
    lacks = min(([name for name in SAYS if not values_of(node.get(name))] for node in makers), key=len, default=None)
    parts = [] if lacks is not None else [say("no Organization in JSON-LD or microdata")]
    parts += [say("an Organization without {lacks}", lacks=lacks)] if lacks else []
    parts += [] if named else [say("no WebSite with a name in JSON-LD or microdata")]
    if not parts:
        return passed()
    have = named + (0 if lacks is None else 1 + len(SAYS) - len(lacks))
    types = sorted({name for node in nodes for name in types_of(node)})
    there = say("types there: {types}", types=", ".join(types)[:200]) if types else say("none")
    evidence = Evidence(home.url, say("structured data"), there)
    return failed(say("The home page has {parts}.", parts=parts), [evidence], share=have / (2 + len(SAYS)))


def types_of_kind(site: Site) -> Outcome:
    """SCH-03: a page that sells has a product or an offer in its structured data, an article has an article."""
    pages = [*content_pages(site, "product"), *(page for page in content_pages(site, "pricing") if page.prices)]
    pages += [page for page in content_pages(site, "article") if page.dates]
    lacking = [(page, lack) for page in pages if (lack := _lacks_type(page))]
    evidence = [Evidence(page.url, say("structured data"), lack) for page, lack in lacking]
    finding = ""
    if lacking:
        page, lack = lacking[0]
        finding = in_a_row(say("{url} {lack}.", url=theirs(page.url), lack=lack), of_this_kind(len(lacking)))
    return judged(len(pages), evidence, finding, none="No product, price or article is on the pages read.")


def _lacks_type(page: ParsedPage) -> str:
    nodes = list(nodes_in([block.nodes for block in page.markup]))
    types = {name for node in nodes for name in types_of(node)}
    if page.kind == "article":
        is_one = any(ARTICLES.search(name) and name != "WebPage" for name in types)
        return "" if is_one else say("is an article, and its structured data names none")
    offers = any("offers" in node or types_of(node) & {"Offer", "AggregateOffer"} for node in nodes)
    if any(price.main for price in page.prices) and not offers:
        return say("shows a price, and its structured data names no Offer")
    if types & OFFERED:
        return ""
    return say("offers something, and its structured data names no Product, Service or Offer")


def agreement(site: Site) -> Outcome:
    """SCH-04: names, prices and ratings of structured data are those of the visible text."""
    pages = [page for page in content_pages(site) if page.markup and not page.cut and not page.client_rendered]
    facts = [(page, fact) for page in pages for fact in _compared(page)]
    wrong = [(page, *fact) for page, fact in facts if fact[3]]
    if not facts:
        return not_applicable("No structured data names anything that the text of its page speaks of.")
    if not wrong:
        return passed(f"{counted(len(facts), 'fact')} of structured data are those of the text.")
    page, _, what, declared, shown, _ = wrong[0]
    finding = say(
        "Structured data and page say different things in {number} of {fact}: on {url} the {what} is {declared} in "
        "the structured data, and {shown} on the page.",
        number=len(wrong),
        fact=counted(len(facts), "fact"),
        url=theirs(page.url),
        what=what,
        declared=theirs(declared, 120),
        shown=theirs(shown, 120),
    )
    if re.match(r"\d+\.\d{3}\b", declared):
        finding = in_a_row(finding, say("In structured data a point parts decimals, never thousands."))
    evidence = [at_line(page.url, line, _differing(*fact), to) for page, line, *fact, to in wrong]
    return failed(finding, evidence, share=1 - len(wrong) / len(facts))


def _differing(what: str, declared: str, shown: str) -> Sentence:
    shown = shown if isinstance(shown, Sentence) else shortened(shown, 120)
    return say("{what} {declared}; the page says {shown}", what=what, declared=shortened(declared, 120), shown=shown)


Compared = tuple[int, str, str, str, str]
"""A fact that both structured data and the text have: the line of its block, its name, the declared value, the value
of the text (empty where they agree), and what should be declared."""


def _compared(page: ParsedPage) -> Iterator[Compared]:
    things = [(block, node) for block in page.markup for node in main_nodes(block.nodes) if types_of(node) & NAMED]
    if len(things) > MAX_THINGS or not things:
        return
    words = set(_words(page.visible_text))
    for block, node in things:
        yield from _name(page, block, node, words)
        yield from _rating(page, block, node)
    yield from _price(page, things)


def _name(page: ParsedPage, block: Markup, node: Node, words: set[str]) -> Iterator[Compared]:
    names = texts_of(node, "name")
    heading = next((heading.text for heading in page.headings if heading.level == 1), "")
    parts = set(_words(names[0])) if len(names) == 1 else set()
    if parts and heading:
        same = len(parts & words) / len(parts) >= MIN_NAME_SHARED or "".join(_words(names[0])) in "".join(words)
        yield block.line, say("name"), names[0], "" if same else heading, say("name {heading}", heading=heading)


def _price(page: ParsedPage, things: list[tuple[Markup, Node]]) -> Iterator[Compared]:
    """One fact for the whole page: of several offers, one that agrees is enough."""
    offers = ((block, offer) for block, node in things for offer in nodes_in(values_of(node.get("offers"))))
    every = (
        (block, offer, number)
        for block, offer in offers
        for name in ("price", "lowPrice", "highPrice")
        for number in numbers_of(offer.get(name))
    )
    amounts = list(islice(every, MAX_THINGS))
    main = next((price for price in page.prices if price.main), None)
    if not amounts or main is None or main.currency in THOUSANDTHS:
        return
    currencies = {currency.upper() for _, offer, _ in amounts for currency in texts_of(offer, "priceCurrency")}
    if currencies and main.currency not in currencies:
        return
    shown = {Decimal(price.amount) for price in page.prices}
    agrees = any(_is_shown(number, shown, page.visible_text) for _, _, number in amounts)
    block, offer, number = amounts[0]
    declared = " ".join([str(number), *texts_of(offer, "priceCurrency")[:1]])
    to = say("price {amount} {currency}", amount=main.amount, currency=main.currency)
    yield block.line, say("price"), declared, "" if agrees else main.written, to


def _is_shown(amount: Decimal, shown: set[Decimal], text: str) -> bool:
    """Whether an amount is among the prices of the text: as it is, in whole units or hundredths, or with or without
    a tax; or, unless it has three decimals (4.588 in a text can be thousands), written anywhere in the text."""
    forms = {amount, amount.to_integral_value(), amount * 100, amount / 100}
    if forms & shown or any(abs(amount * (1 + rate) - price) < NEAR for rate in TAXES for price in shown):
        return True
    if any(abs(amount / (1 + rate) - price) < NEAR for rate in TAXES for price in shown):
        return True
    exponent = amount.as_tuple().exponent
    return exponent != -3 and re.search(rf"(?<![\d.,]){re.escape(f'{amount:f}')}(?![\d])", text) is not None


def _rating(page: ParsedPage, block: Markup, node: Node) -> Iterator[Compared]:
    shown = [Decimal(match[1].replace(",", ".")) for match in _RATING.finditer(page.visible_text)]
    for rating in [each for each in values_of(node.get("aggregateRating")) if isinstance(each, dict)][:1]:
        values, best = numbers_of(rating.get("ratingValue")), numbers_of(rating.get("bestRating")) or [Decimal(5)]
        if values and shown and best[0] == 5:
            same = any(abs(values[0] - each) < Decimal("0.1") or each == round(values[0]) for each in shown)
            same = same or str(values[0]) in page.visible_text
            text = "" if same else say("{shown} of 5", shown=str(shown[0]))
            yield block.line, say("rating"), str(values[0]), text, f"ratingValue {shown[0]}"


def _words(text: str) -> list[str]:
    """The words of a text as people compare them: entities, accents and case do not matter."""
    return _WORD.findall(unicodedata.normalize("NFKC", html.unescape(text)).casefold())


def one_name(site: Site) -> Outcome:
    """ENT-01: the name of the brand is one in structured data, previews and titles; forms of companies and known
    aliases do not make it another."""
    names: dict[str, Evidence] = {}
    for text, place in _names(site):
        if text.strip():
            names.setdefault(shortened(text, 80), place)
    groups: list[list[str]] = []
    for name in list(names)[:10]:
        same = next((group for group in groups if any(_same_name(name, each, site.names) for each in group)), None)
        groups.append([name]) if same is None else same.append(name)
    if not groups:
        return not_applicable("The site names its brand neither in structured data nor in previews nor in titles.")
    if len(groups) == 1:
        return passed(f"Its name is {groups[0][0]}.")
    firsts = [group[0] for group in groups]
    quoted = [theirs(name) for name in firsts]
    finding = say("The site calls itself by {number} names: {names}.", number=len(firsts), names=quoted)
    return failed(finding, [names[name] for name in firsts], share=1 / len(firsts))


def _names(site: Site) -> Iterator[tuple[str, Evidence]]:
    home = site.home.parsed if site.home else None
    for block in home.markup if home else ():
        for node in main_nodes(block.nodes):
            if types_of(node) & {"WebSite", "Organization", "Corporation"} and home:
                for text in texts_of(node, "name")[:1]:
                    yield text, at_line(home.url, block.line, say("name {text}", text=text))
    for page in site.parsed():
        for meta in page.meta("og:site_name"):
            yield meta.content, at_line(page.url, meta.line, f"og:site_name: {meta.content}")
    titled = [(page, _SEPARATOR.split(page.title)) for page in content_pages(site) if page.title]
    ends = Counter(part.strip() for _, parts in titled if len(parts) > 1 for part in {parts[0], parts[-1]})
    for text, times in ends.most_common(1):
        if times > 2 and times * 2 > len(titled):
            quote = say("{text}, in {times} titles", text=text, times=times)
            yield text, Evidence(site.home_url, say("titles"), quote)


def _same_name(one: str, other: str, known: tuple[str, ...]) -> bool:
    plain, others, aliases = _bare(one), _bare(other), {_bare(name) for name in known}
    return plain in others or others in plain or {plain, others} <= aliases


def _bare(name: str) -> str:
    """A name without its form of company, marks and spaces."""
    folded = re.sub(r"[™®©]", " ", name).casefold()
    return "".join(_words(_FORMS.sub(" ", folded))) or folded


def profiles(site: Site) -> Outcome:
    """ENT-02: the site names profiles of its brand on other domains."""
    home, own = site.home.parsed if site.home else None, domain_of(site.home_url)
    if home is None:
        return inconclusive("The home page could not be read.")
    nodes = (node for page in site.parsed() for block in page.markup for node in nodes_in(block.nodes))
    urls = [url for node in nodes for url in texts_of(node, "sameAs")]
    urls += [link.url for page in site.parsed() for link in page.linked("me")]
    elsewhere = [url for url in dict.fromkeys(urls) if domain_of(url) not in ("", own)]
    if elsewhere:
        return passed(f"{counted(len(elsewhere), 'profile')} elsewhere.")
    finding = say("The structured data names no profile of the brand elsewhere (sameAs).")
    return failed(finding, [Evidence(home.url, say("structured data"), say("no sameAs"))])


def people_to_reach(site: Site) -> Outcome:
    """ENT-03: pages about the site and to contact it are linked, or a mail address or phone number is."""
    pages = site.parsed()
    if not pages:
        return not_applicable("No page was read.")
    hrefs = [link.href.lower() for page in pages for link in page.links]
    mailed = any(href.startswith(("mailto:", "tel:")) for href in hrefs)
    paths = " ".join(split(link.url).path.lower() for page in pages for link in page.links)
    has = {
        say("about page"): any(page.kind == "about" for page in pages) or "about" in paths or "impressum" in paths,
        say("contact page or mail address"): mailed
        or any(page.kind == "contact" for page in pages)
        or "contact" in paths,
    }
    lacks = [name for name, is_there in has.items() if not is_there]
    if not lacks:
        return passed()
    quote = say("{page} without {lacks}", page=counted(len(pages), "page"), lacks=lacks)
    evidence = Evidence(pages[0].url, say("the pages read"), quote)
    return failed(say("No {lacks} is linked.", lacks=lacks), [evidence], share=1 - len(lacks) / len(has))
