"""SCH-04: structured data says what the page says.

Only a contradiction is a finding: what the page does not show in its text at all (a rating that stars draw, a price
that a script writes) is left to other checks, and a page that was cut or that scripts write is not judged.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from apikeys.text.sentences import shortened
from visibility.audit.checks.content import content_pages
from visibility.audit.checks.matching import declared_number, folded, numbers_in, words_in
from visibility.audit.checks.nodes import Node, Placed, main_nodes, nodes_in, texts_in
from visibility.audit.outcome import Evidence, Outcome, failed, not_applicable, passed, theirs
from visibility.audit.page import ParsedPage
from visibility.audit.site import Site

NAMED = ("Product", "SoftwareApplication", "Service", "Event", "Recipe", "Book", "Course", "Movie")
MIN_NAME_SHARED = 0.34
"""The part of a name's words that the page must have; below it, it speaks of something else."""
MIN_ANSWER_SHARED = 0.3
"""The part of an answer's runs of three words that the page must have."""
MIN_ANSWER_WORDS = 8
MAX_THINGS = 50
"""Things, offers and questions of a page that are compared."""
BEST = 5
THOUSANDTHS = frozenset({"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"})
"""Currencies with three decimals: whether a point parts thousands cannot be told."""
NEAR = Decimal("0.02")
FULL_TEXT = 399_000
"""Characters of visible text above which the page may go on."""
TAXES = tuple(
    Decimal(percent) / 100 for percent in ("5", "7", "10", "18", "19", "20", "21", "22", "23", "24", "25", "27")
)
"""Rates of value added tax: prices that differ by one are net and gross."""
_THOUSANDTH = re.compile(r"\d+\.\d{3}\b")
_POINT = " In structured data a point parts decimals, never thousands."
_RATING = re.compile(
    r"(?<![\d.,])([0-5](?:[.,]\d{1,2})?)\s?(?:/|out of|von|sur|de|av|di|of)\s?5(?![\d.,]*\d|\s?%)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Compared:
    """A fact of structured data that the page speaks of, too: what it says there where it says another thing, and
    what the structured data should say then."""

    placed: Placed
    what: str
    said: str
    page_says: str = ""
    to: str = ""


def agreement(site: Site) -> Outcome:
    """Names, prices, answers and ratings of structured data are those of the visible text."""
    pages = [page for page in content_pages(site) if page.markup and _whole(page)]
    compared = [(page, fact) for page in pages for fact in _compare(page)]
    if not compared:
        return not_applicable("No structured data names anything that the text of its page speaks of.")
    wrong = [(page, fact) for page, fact in compared if fact.page_says]
    if not wrong:
        return passed(f"{len(compared)} names, prices, answers and ratings of structured data are in the text.")
    page, first = wrong[0]
    a, b = shortened(first.said, 120), shortened(first.page_says, 120)
    n = f"{len(wrong)} of {len(compared)} facts"
    words = {
        "finding": f"Structured data and page say different things in {n}: on {theirs(page.url)} the {first.what} is "
        f"{theirs(a)} in the structured data, and {theirs(b)} on the page.{_POINT * bool(_THOUSANDTH.match(a))}"
    }
    evidence = [
        Evidence(
            page.url,
            f"line {fact.placed.markup.line}",
            f"{fact.what} {shortened(fact.said, 120)}; the page says {shortened(fact.page_says, 120)}",
            to=shortened(fact.to, 120),
        )
        for page, fact in wrong
    ]
    return failed(evidence=evidence, share=1 - len(wrong) / len(compared), words=words)


def _whole(page: ParsedPage) -> bool:
    return not page.cut and not page.client_rendered and len(page.visible_text) < FULL_TEXT


@dataclass(frozen=True, slots=True)
class _Text:
    """The visible text of a page in the forms that facts are looked for in, each made once."""

    folded: str
    words: tuple[str, ...]
    squeezed: str
    numbers: frozenset[Decimal]


def _text(page: ParsedPage) -> _Text:
    words = tuple(words_in(page.visible_text))
    return _Text(folded(page.visible_text), words, "".join(words), frozenset(numbers_in(page.visible_text)))


def _compare(page: ParsedPage) -> Iterator[_Compared]:
    things = main_nodes(page, *NAMED)[:MAX_THINGS]
    lists = main_nodes(page, "FAQPage", "QAPage")[:MAX_THINGS]
    if not things and not lists:
        return
    text = _text(page)
    for placed in things:
        yield from _name(page, placed, text)
        yield from _rating(page, placed, text)
    yield from _price(page, things, text)
    for placed in lists:
        yield from _answers(placed, text, _runs(text.words) | _runs(words_in(page.main_text)))


def _name(page: ParsedPage, placed: Placed, text: _Text) -> Iterator[_Compared]:
    names = texts_in(placed.node, "name")
    heading = next((heading.text for heading in page.headings if heading.level == 1 and heading.text.strip()), "")
    parts = words_in(names[0]) if len(names) == 1 else []
    if not parts or not heading:
        return
    shared = len(set(parts).intersection(text.words)) / len(set(parts))
    same = shared >= MIN_NAME_SHARED or "".join(parts) in text.squeezed
    yield _Compared(placed, "name", names[0], "" if same else heading, f"name {heading}")


def _price(page: ParsedPage, things: list[Placed], text: _Text) -> Iterator[_Compared]:
    """One fact for the whole page: of several offers, any that stands there will do."""
    offers = [(placed, offer) for placed in things for offer in _offers(placed.node)][:MAX_THINGS]
    amounts = [(placed, offer, value) for placed, offer in offers for value in _amounts(placed, offer)]
    main = [price for price in page.prices if price.main]
    if not amounts or not main:
        return
    currencies = {currency.upper() for _, offer, _ in amounts for currency in texts_in(offer, "priceCurrency")}
    visible = {price.currency for price in main}
    if (currencies and not currencies & visible) or visible & THOUSANDTHS:
        return
    prices = {value for price in page.prices for value in numbers_in(price.amount)}
    placed, offer, value = amounts[0]
    agrees = any(_is_written(amount, text.numbers, prices) for _, _, amount in amounts)
    money = " ".join([str(value), *texts_in(offer, "priceCurrency")[:1]])
    instead = main[0].written or f"{main[0].amount} {main[0].currency}"
    to = f"price {main[0].amount} {main[0].currency}"
    yield _Compared(placed, "price", money, "" if agrees else instead, to)


def _offers(node: Node) -> list[Node]:
    offers = nodes_in(node, "offers")
    return [
        part
        for offer in offers
        for part in (offer, *nodes_in(offer, "offers"), *nodes_in(offer, "priceSpecification"))
    ]


def _amounts(placed: Placed, offer: Node) -> list[Decimal]:
    """The amounts of an offer. JSON is read in one way; microdata may be the visible text, which is read in each."""
    texts = texts_in(offer, "price", "lowPrice", "highPrice")
    values = [value for text in texts if (value := declared_number(text))]
    if placed.markup.syntax == "microdata":
        values += [value for text in texts for value in sorted(numbers_in(text))]
    return values


def _is_written(amount: Decimal, numbers: frozenset[Decimal], prices: set[Decimal]) -> bool:
    """Whether an amount is in the text: as it is, in whole units or hundredths, or with a tax added or taken off. One
    with three decimals is looked for among prices only: 4.588 in a text can be thousands."""
    if amount.as_tuple().exponent == -3:
        numbers = frozenset()
    whole = {amount, amount.to_integral_value(), amount * 100, amount / 100}
    taxed = {amount * (1 + rate) for rate in TAXES} | {amount / (1 + rate) for rate in TAXES}
    return bool(whole & (numbers | prices)) or any(abs(value - price) < NEAR for value in taxed for price in prices)


def _rating(page: ParsedPage, placed: Placed, text: _Text) -> Iterator[_Compared]:
    ratings = [Decimal(match[1].replace(",", ".")) for match in _RATING.finditer(page.visible_text)]
    for rating in nodes_in(placed.node, "aggregateRating")[:1]:
        said = next(iter(texts_in(rating, "ratingValue")), "")
        value, best = declared_number(said), next(iter(texts_in(rating, "bestRating")), "5")
        if value is None or not ratings or declared_number(best) != BEST:
            continue
        agrees = any(abs(value - rated) < Decimal("0.1") or rated == round(value) for rated in ratings)
        agrees = agrees or value in text.numbers
        yield _Compared(placed, "rating", said, "" if agrees else f"{ratings[0]} of {BEST}")


def _answers(placed: Placed, text: _Text, said: set[tuple[str, ...]]) -> Iterator[_Compared]:
    for question in nodes_in(placed.node, "mainEntity")[:MAX_THINGS]:
        wording = next(iter(texts_in(question, "name", "text")), "")
        for answer in nodes_in(question, "acceptedAnswer")[:1]:
            words = words_in(next(iter(texts_in(answer, "text")), ""))
            if len(words) < MIN_ANSWER_WORDS or not wording or folded(wording) not in text.folded:
                continue
            runs = _runs(words)
            same = len(runs & said) >= MIN_ANSWER_SHARED * len(runs)
            quote = f"{wording} {' '.join(words[:20])}"
            yield _Compared(placed, "answer", quote, "" if same else "another answer or none")


def _runs(words: Sequence[str]) -> set[tuple[str, ...]]:
    return set(zip(words, words[1:], words[2:], strict=False))
