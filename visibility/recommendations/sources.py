"""The pages of others that answers rest on, and the cards that send somebody to them."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from textwrap import shorten
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings

from apikeys.text import marked
from visibility.detection import SourceClass, is_offer
from visibility.models import CitedPage, Recommendation
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import Cited, Material, Seen, asked
from visibility.recommendations.priority import EDITOR, SHOP, impact_of, priority_of
from visibility.recommendations.queue import Card

CITED_PAGES = "cited_pages"
TAKING_IN = frozenset(
    {SourceClass.REVIEW_SITE, SourceClass.NEWS, SourceClass.OTHER, SourceClass.SHOP, SourceClass.COMMUNITY}
)
"""Classes of sites whose editors, merchants or members may take somebody in."""
LEAST_ANSWERS, LEAST_BEHIND = 3, 2
WORTH_IT = 1 / 6
"""The part of a topic's answers that pages without the brand are behind, for them to have a card."""
MOSTLY = 2 / 3
MOST_PAGES, MOST_SHOWN = 10, 3
PLACES: Mapping[str, str] = {
    "review_site": "a review site",
    "community": "a forum",
    "news": "a news site",
    "shop": "a shop",
    "other": "another site",
}
"""How the classes of sites in TAKING_IN are called."""
_SEARCH = re.compile(r"(?:^|&)(?:q|k|query|search|keywords?)=")
"""In the address of a page that answers a search: nobody can be added to it."""
_WORDS = re.compile(r"[^\W\d_]+")
_LANGUAGE = re.compile(r"\A/[a-z]{2}(?:[-_][a-zA-Z]{2})?/")
_TELLING = 3
"""Hyphens in the end of an address that hardly another page of the site has."""
LONGEST_TITLE = 120
"""Of a page, in the title of a card."""


def page_evidence(url: str, text: str = "") -> dict[str, object]:
    """A page as a piece of evidence."""
    return {"kind": "page", "text": text or url, "url": url}


def is_list(page: Cited, read: CitedPage | None) -> bool:
    """Whether it names competitors, as far as it was read, or promises things to choose."""
    return bool(read and read.competitors) or is_offer(_words(page))


def address_of(page: Cited) -> str:
    """A page as a sentence shows it."""
    return marked(page.url.removeprefix("https://").partition("?")[0][:LONGEST_TITLE])


def most_cited(
    answers: Sequence[Seen], matters: Callable[[Cited], bool], least: int = LEAST_ANSWERS
) -> list[tuple[Cited, list[Seen]]]:
    """The pages that most of some answers cite, `least` at least, one a site, of those that matter."""
    found: dict[str, tuple[Cited, list[Seen]]] = {}
    for page, rows in sorted(pages_cited(answers), key=lambda each: (-len(each[1]), each[0].url)):
        if len(rows) >= least and matters(page):
            found.setdefault(page.domain, (page, rows))
    return list(found.values())[:MOST_SHOWN]


def pages_cited(answers: Sequence[Seen]) -> list[tuple[Cited, list[Seen]]]:
    """The pages that some answers cite, each with those that do; one in several languages is one page."""
    citing: dict[str, dict[int, Seen]] = defaultdict(dict)
    pages: dict[str, Cited] = {}
    for answer in answers:
        for page in answer.cited:
            key = same_page(page)
            citing[key][answer.pk] = answer
            pages[key] = max(pages.get(key, page), page, key=_readable)
    return [(page, list(citing[key].values())) for key, page in pages.items()]


def _readable(page: Cited) -> tuple[bool, int, str]:
    """More is better to show: an address without a language, and a title, which some answers leave out."""
    return not _LANGUAGE.match(urlsplit(page.url).path), len(page.title), page.url


def same_page(page: Cited) -> str:
    """What the translations of a page share: the end of the address if it is telling, else it without a language."""
    parts = urlsplit(page.url)
    end = parts.path.rpartition("/")[2]
    if end.count("-") >= _TELLING:
        return f"{page.domain} {end}"
    return f"{page.domain} {_LANGUAGE.sub('/', parts.path)}?{parts.query}"


def pages_read(material: Material, pages: Collection[Cited]) -> dict[bytes, CitedPage]:
    """What is known of these pages that were read."""
    rows = CitedPage.objects.filter(brand=material.brand, digest__in=[page.digest for page in pages])
    return {bytes(page.digest): page for page in rows}


def presence(page: CitedPage | None, citing: Sequence[Seen]) -> str:
    """Whether the brand is on a page, or while it is not read how many of the answers that cite it mention it."""
    if page is not None and page.names_brand is not None:
        return "you are on it" if page.names_brand else "you are not on it"
    return f"{sum(each.names(None) for each in citing)} of these answers mention you"


def cited_pages(material: Material) -> list[Card]:
    """A card for each topic with pages that name others and not the brand, as far as they could be read. None while
    it is not sure whether answers lack the brand."""
    return [
        _cited_card(material, topic, pages, answers)
        for topic, answers in material.field.items()
        if not material.is_unsure and (pages := _pages_without_brand(material, answers))
    ]


def pages_to_read(material: Material) -> list[Cited]:
    """The pages that a card would send somebody to, those behind most answers without the brand first."""
    found: Counter[bytes] = Counter()
    pages: dict[bytes, Cited] = {}
    for answers in material.field.values():
        for page, _, number in _behind(material, answers, [each for each in answers if not each.may_name_brand]):
            found[page.digest] += number
            pages[page.digest] = page
    return [pages[digest] for digest, _ in found.most_common()]


def lists_behind(
    material: Material, answers: Sequence[Seen], missing: Collection[Seen]
) -> list[tuple[Cited, list[Seen], int, CitedPage | None]]:
    """The lists of several brands, and threads of forums, that two or more of some answers (`missing`, of `answers`)
    cite: page, all that cite it, how many of these are missing, and the page as it was read."""
    found = _behind(material, answers, missing)
    read = pages_read(material, [page for page, *_ in found])
    known = ((*each, read.get(each[0].digest)) for each in found)
    return [each for each in known if each[0].source_class == SourceClass.COMMUNITY or is_list(each[0], each[3])]


def _behind(
    material: Material, answers: Sequence[Seen], missing: Collection[Seen]
) -> list[tuple[Cited, list[Seen], int]]:
    """The same, whether or not they are lists."""
    lacking = set(missing)
    found = (
        (page, rows, sum(each in lacking for each in rows))
        for page, rows in pages_cited(answers)
        if page.owner is False and page.source_class in TAKING_IN and lists_several(material, page)
    )
    several = [each for each in found if each[2] >= LEAST_BEHIND]
    return sorted(several, key=lambda each: (-each[2], -len(each[1]), each[0].url))


def closed_cited_pages(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: no page is left that answers rest on and that lacks the brand."""
    answers = material.by_topic.get(UUID(row.payload["topic"]), [])
    left = _behind(material, answers, [each for each in answers if not each.names(None)])
    if len(answers) < row.payload.get("of", 0) or any(_is_telling(rows) for _, rows, _ in left):
        return None
    return "No page is left that answers rest on and that names others only."


def _without(rows: Sequence[Seen]) -> int:
    """How many of the answers leave the brand out."""
    return sum(not each.names(None) for each in rows)


def lists_several(material: Material, page: Cited) -> bool:
    """Whether a brand could be added: it is no maker's site, no page about a single brand, and no search."""
    if _SEARCH.search(urlsplit(page.url).query) or "/search" in urlsplit(page.url).path:
        return False
    path = _path_words(page)
    # A title may be the text of the link: one product of the list.
    words = path if is_offer(path) else _words(page)
    offered = {row.subject for row in material.untracked}
    about = {name for name in (*material.competitors.values(), *offered) if name.casefold() in words.casefold()}
    return page.domain not in material.domains_of_untracked and len(about) != 1


def _words(page: Cited) -> str:
    """Its title and the words of its address: many answers cite without a title."""
    return f"{page.title} {_path_words(page)}"


def _path_words(page: Cited) -> str:
    return " ".join(_WORDS.findall(urlsplit(page.url).path))


def _is_telling(rows: Sequence[Seen]) -> bool:
    """Whether enough of the answers that cite a page, of two engines or prompts, name others and not the brand."""
    others = [each for each in rows if each.stances and not each.may_name_brand]
    sorts = {(each.engine, each.prompt) for each in others}
    return len(others) >= max(LEAST_ANSWERS, MOSTLY * len(rows)) and len(sorts) > 1


def _pages_without_brand(
    material: Material, answers: Sequence[Seen]
) -> list[tuple[Cited, list[Seen], CitedPage | None]]:
    """The lists that were read and do not name the brand; all of them where reading pages is switched off. None where
    they are behind few of the answers."""
    lacking = [each for each in answers if not each.names(None)]
    found = [
        (page, rows, read)
        for page, rows, _, read in lists_behind(material, answers, lacking)
        if _is_telling(rows) and (read is not None or not settings.CITED_PAGES_PER_WEEK)
        if not (read and read.names_brand)
    ]
    behind = {each.pk for _, rows, _ in found for each in rows}
    return found[:MOST_PAGES] if len(behind) >= WORTH_IT * len(answers) else []


def _cited_card(
    material: Material,
    topic: UUID,
    pages: Sequence[tuple[Cited, list[Seen], CitedPage | None]],
    answers: Sequence[Seen],
) -> Card:
    touched = {each.pk for _, rows, _ in pages for each in rows}
    showing = [each for each in answers if each.pk in touched]
    missing = sum(not each.names(None) for each in showing)
    (first, rows, read), number = pages[0], len(pages)
    is_shop = first.source_class == SourceClass.SHOP
    priority = priority_of(material, showing, missing, len(showing), reach=SHOP if is_shop else EDITOR)
    name = material.topic_name(topic)
    # The title may be the text of the link: one product of the list.
    called = shorten(first.title, LONGEST_TITLE, placeholder="…") if is_offer(first.title) else ""
    where = f"{marked(called)} ({marked(first.domain)})" if called else address_of(first)
    more = f" and {number - 1} more page{'s' * (number > 2)}" if number > 1 else ""
    verb = "Get your products into" if is_shop else "Get listed on"
    if read is None or read.error:
        verb = "Check whether you are on"
    dated = f" (changed {read.changed_on})" if read and read.changed_on else ""
    state = f"We read it{dated}: you are not on it." if read and not read.error else "We could not read it."
    evidence = [page_evidence(page.url, plain_line(rows, read)) for page, rows, read in pages]
    return Card(
        subject=str(topic),
        title=f"{verb} {where}{more}",
        summary=f"{_without(rows)} of {len(rows)} answers on {name} that cite it do not mention you. {state}",
        priority=priority,
        impact=impact_of(priority),
        effort=Level.MEDIUM if is_shop else Level.HIGH,
        evidence=evidence,
        payload={
            "topic": str(topic),
            "k": len(answers) - missing,
            "of": len(answers),
            "fixPrompt": fix_prompt(
                material,
                CITED_PAGES,
                [f"{missing} of {len(showing)} answers on {name} that cite these pages do not mention us."],
                questions=asked(showing),
                pages=evidence,
            ),
        },
    )


def plain_line(rows: Sequence[Seen], read: CitedPage | None) -> str:
    named = sum(each.names(None) for each in rows)
    counts = f"cited by {len(rows)} answers, of which {named} mention you"
    if (read is None or read.error) and 2 * named > len(rows):
        return counts
    if read is None or read.error:
        return f"{counts}; not read{f' ({read.error})' if read else ''}: look whether it names you"
    if read.names_brand:
        return f"{counts}; read {read.read_at:%Y-%m-%d}: names you"
    others = f"names {', '.join(read.competitors)}, not you" if read.competitors else "does not name you"
    return f"{counts}; read {read.read_at:%Y-%m-%d}: {others}"
