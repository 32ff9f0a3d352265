"""Cards about pages: those of others that answers rest on, and own ones that answers stopped citing or do not
credit."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from textwrap import shorten
from urllib.parse import urlsplit
from uuid import UUID

from django.conf import settings
from django.db.models import Count, Sum

from apikeys.text import marked
from visibility.detection import SourceClass, is_offer
from visibility.metrics import chance_of_fewer
from visibility.models import Cell, Citation, CitedPage, Recommendation, Run
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import Cited, Material, Seen, asked, days_of
from visibility.recommendations.priority import EDITOR, OWN_PAGE, SHOP, impact_of, priority_of
from visibility.recommendations.queue import Card
from visibility.scores.now import WEEK

CITED_PAGES, OWN_PAGES_LOST, OWN_PAGE_UNNAMED = "cited_pages", "own_pages_lost", "own_page_unnamed"
TAKING_IN = frozenset({SourceClass.REVIEW_SITE, SourceClass.NEWS, SourceClass.OTHER, SourceClass.SHOP})
"""Classes of sites whose editors or merchants may take somebody in."""
LEAST_ANSWERS = 3
MOSTLY = 2 / 3
MOST_PAGES, MOST_SHOWN = 10, 3
PLACES: Mapping[str, tuple[str, str]] = {
    "review_site": ("a review site", "review sites"),
    "community": ("a forum", "forums"),
    "news": ("a news site", "news sites"),
    "reference": ("a reference work", "reference works"),
    "video": ("a video", "videos"),
    "shop": ("a shop", "shops"),
    "competitor": ("a competitor's page", "competitors' pages"),
    "own": ("your own", "your own pages"),
    "other": ("another site", "other sites"),
}
"""Classes of sites, one and many."""
_WORDS = re.compile(r"[^\W\d_]+")
_LANGUAGE = re.compile(r"\A/[a-z]{2}(?:[-_][a-zA-Z]{2})?/")
_TELLING = 3
"""Hyphens in the end of an address that hardly another page of the site has."""
LONGEST_TITLE = 120
"""Of a page, in the title of a card."""
DAYS_BACK, DAYS_BEFORE = 28, 7
LOST_TO, BACK_AT = 0.25, 0.75
LEAST_SINCE = 2
"""Measured days since: what happened on one day alone is no loss yet."""
CHANCE = 0.001
UNNAMED, CREDITED = 0.5, 0.2


@dataclass(frozen=True, slots=True)
class LostPage:
    """An own page that `k` of `n` answers cited before and `k_since` of `n_since` since."""

    url: str
    digest: bytes
    k: int
    n: int
    k_since: int
    n_since: int

    @property
    def words(self) -> str:
        """What was counted."""
        return f"cited by {self.k} of {self.n} answers before, by {self.k_since} of {self.n_since} since"

    @property
    def line(self) -> str:
        """The page and what was counted, for a fix prompt."""
        return f"{marked(self.url)}: {self.words}"


@dataclass(frozen=True, slots=True)
class LostPages:
    """The own pages that were lost on one day, the most cited first."""

    day: date
    pages: Sequence[LostPage]

    @property
    def words(self) -> str:
        """ "6 of your pages, first …"."""
        first, number = marked(self.pages[0].url), len(self.pages)
        return f"your page {first}" if number == 1 else f"{number} of your pages, most of all {first}"


def page_evidence(url: str, text: str = "") -> dict[str, object]:
    """A page as a piece of evidence."""
    return {"kind": "page", "text": text or url, "url": url}


def is_list(page: Cited, read: CitedPage | None) -> bool:
    """Whether it names competitors, as far as it was read, or promises things to choose."""
    return bool(read and read.competitors) or is_offer(_words(page))


def whose(material: Material, page: Cited) -> str:
    """Who can change a page: a competitor, or a class of sites."""
    return f"{material.name(page.owner)}'s own" if isinstance(page.owner, UUID) else PLACES[page.source_class][0]


def kinds_of(answers: Sequence[Seen]) -> str:
    """The two classes of sites that most of these answers cite."""
    classes = Counter(kind for each in answers for kind in {page.source_class for page in each.cited})
    return " and ".join(f"{PLACES[kind][1]} (in {number})" for kind, number in classes.most_common(2))


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
    return f"{sum(each.names(None) for each in citing)} of which mention you"


def cited_pages(material: Material) -> list[Card]:
    """A card for each topic with pages that name others and not the brand, as far as they could be read. None while
    it is not sure whether answers lack the brand."""
    return [
        _cited_card(material, topic, pages, answers)
        for topic, answers in material.field.items()
        if not material.is_unsure and (pages := listed_pages(material, answers))
    ]


def pages_to_read(material: Material) -> list[Cited]:
    """The pages that a card would send somebody to, those of most answers first."""
    found: Counter[bytes] = Counter()
    pages: dict[bytes, Cited] = {}
    for answers in material.field.values():
        for page, citing in _candidates(material, answers):
            found[page.digest] += len(citing)
            pages[page.digest] = page
    return [pages[digest] for digest, _ in found.most_common()]


def closed_cited_pages(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: no page is left that answers rest on and that lacks the brand."""
    answers = material.by_topic.get(UUID(row.payload["topic"]), [])
    if len(answers) < row.payload.get("of", 0) or _candidates(material, answers):
        return None
    return "No page is left that answers rest on and that names others only."


def _candidates(material: Material, answers: Sequence[Seen]) -> list[tuple[Cited, list[Seen]]]:
    """Pages of others that enough answers cite, most of which name competitors and not the brand."""
    found = [
        (page, rows)
        for page, rows in pages_cited(answers)
        if page.owner is False
        and page.source_class in TAKING_IN
        and lists_several(material, page)
        and _is_telling(rows)
    ]
    return sorted(found, key=lambda each: (-_without(each[1]), -len(each[1]), each[0].url))


def _without(rows: Sequence[Seen]) -> int:
    """How many of the answers leave the brand out."""
    return sum(not each.names(None) for each in rows)


def lists_several(material: Material, page: Cited) -> bool:
    """Whether a brand could be added: it is no maker's site, and no page about a single brand."""
    path = _path_words(page)
    # A title may be the text of the link: one product of the list.
    words = path if is_offer(path) else _words(page)
    offered = {name for names in material.untracked.values() for name in names}
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


def listed_pages(material: Material, answers: Sequence[Seen]) -> list[tuple[Cited, list[Seen], CitedPage | None]]:
    """The candidates that were read and do not name the brand; all of them where reading pages is switched off."""
    found = _candidates(material, answers)
    read = pages_read(material, [page for page, _ in found])
    return [
        (page, rows, read.get(page.digest))
        for page, rows in found
        if (not settings.CITED_PAGES_PER_WEEK or page.digest in read) and _lacks_brand(page, read.get(page.digest))
    ][:MOST_PAGES]


def _lacks_brand(page: Cited, read: CitedPage | None) -> bool:
    """Whether it names competitors, or promises things to choose, and not the brand as far as is known."""
    return is_list(page, read) and not (read is not None and read.names_brand)


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
    counts = f"cited by {len(rows)} answers, {named} of which mention you"
    if (read is None or read.error) and 2 * named > len(rows):
        return counts
    if read is None or read.error:
        return f"{counts}; not read{f' ({read.error})' if read else ''}: look whether it names you"
    if read.names_brand:
        return f"{counts}; read {read.read_at:%Y-%m-%d}: names you"
    others = f"names {', '.join(read.competitors)}, not you" if read.competitors else "does not name you"
    return f"{counts}; read {read.read_at:%Y-%m-%d}: {others}"


def lost_pages(material: Material) -> list[LostPages]:
    """Own pages that answers stopped citing in the last four weeks, by the day of the loss, the latest first."""
    days, answers, citing, urls = _own_citations(material)
    found: dict[date, list[LostPage]] = defaultdict(list)
    for digest, by_day in citing.items():
        for place in range(1, len(days) - LEAST_SINCE + 1):
            before, since = days[max(0, place - DAYS_BEFORE) : place], days[place:]
            k, n, k_since, n_since = (
                sum(counts.get(day, 0) for day in part)
                for part, counts in ((before, by_day), (before, answers), (since, by_day), (since, answers))
            )
            on_day = by_day.get(days[place], 0) * n <= LOST_TO * k * answers[days[place]]
            if k < LEAST_ANSWERS or not on_day or k_since * n > LOST_TO * k * n_since:
                continue
            if chance_of_fewer([(k_since, n_since, k + k_since, n + n_since)]) <= CHANCE / len(citing):
                found[days[place]].append(LostPage(urls[digest], digest, k, n, k_since, n_since))
                break
    return [
        LostPages(day, sorted(found[day], key=lambda page: (-page.k / page.n, page.url)))
        for day in sorted(found, reverse=True)
    ]


def own_pages_lost(material: Material, without: Sequence[date]) -> list[Card]:
    """A card for each day of loss, except days whose loss is part of a fall."""
    return [_lost_card(material, each) for each in lost_pages(material) if each.day not in without]


def closed_own_pages_lost(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: in the last week each page is cited at least three quarters as often as before."""
    days, answers, citing, _ = _own_citations(material)
    lately = [day for day in days if day > days[-1] - WEEK]
    number = sum(answers[day] for day in lately)
    for page in row.payload["pages"]:
        by_day = citing.get(bytes.fromhex(page["digest"]), {})
        if not number or sum(by_day.get(day, 0) for day in lately) < BACK_AT * page["share"] * number:
            return None
    return "Answers cite the pages again."


def _own_citations(
    material: Material,
) -> tuple[list[date], dict[date, int], dict[bytes, dict[date, int]], dict[bytes, str]]:
    """The measured days of five weeks, the answers of each, and by own page the answers of each that cite it: of the
    same questions and engines as now."""
    last = max((each.day for each in material.answers), default=None)
    if last is None:
        return [], {}, {}, {}
    versions = {each.version for each in material.answers}
    first = last - timedelta(days=DAYS_BACK + DAYS_BEFORE)
    cells = Cell.objects.filter(brand=material.brand, competitor=None, day__gt=first, run__kind=Run.Kind.VISIBILITY)
    cells = cells.filter(version__in=versions, engine__name__in=material.engines, answers__gt=0).order_by()
    answers = dict(cells.values_list("day").annotate(Sum("answers")))
    citations = Citation.objects.filter(brand=material.brand, is_own=True, day__in=answers).order_by()
    citations = citations.filter(answer__version__in=versions, answer__engine__name__in=material.engines)
    citing: dict[bytes, dict[date, int]] = defaultdict(dict)
    urls: dict[bytes, str] = {}
    for digest, url, day, number in citations.values_list("digest", "url", "day").annotate(
        Count("answer", distinct=True)
    ):
        citing[bytes(digest)][day] = number
        urls[bytes(digest)] = url
    return sorted(answers), answers, citing, urls


def _lost_card(material: Material, lost: LostPages) -> Card:
    day = f"{lost.day.day} {lost.day:%B}"
    pages = lost.pages
    showing = [each for each in material.answers if not any(each.cites(page.digest) for page in pages)]
    priority = priority_of(material, showing, pages[0].k, pages[0].n, reach=OWN_PAGE)
    number = f"{len(pages)} pages" if len(pages) > 1 else "a page"
    return Card(
        subject=str(lost.day),
        title=f"Bring back {number} that answers cited until {day}",
        summary=f"Since {day} answers do not cite {lost.words}: {pages[0].words}.",
        priority=priority,
        impact=impact_of(priority),
        effort=Level.LOW,
        evidence=[page_evidence(page.url, page.words) for page in pages[:MOST_PAGES]],
        payload={
            "since": str(lost.day),
            "pages": [{"digest": page.digest.hex(), "share": page.k / page.n} for page in pages],
            "fixPrompt": fix_prompt(material, OWN_PAGES_LOST, [page.line for page in pages[:MOST_PAGES]], day=day),
        },
    )


def own_pages_unnamed(material: Material) -> list[Card]:
    """A card for each own page that answers cite and do not credit to the brand."""
    citing = _citing_own(material)
    cards = []
    for url, rows in citing.items():
        silent = [each for each in rows if not each.names(None)]
        if len(rows) < LEAST_ANSWERS or len(silent) < UNNAMED * len(rows):
            continue
        priority = priority_of(material, silent, len(silent), len(rows), reach=OWN_PAGE)
        words = f"{len(rows)} answers cite this page, {len(silent)} of them without your name"
        cards.append(
            Card(
                subject=url[:300],
                title=f"Cited, not named: put your name into {marked(url[:LONGEST_TITLE])}",
                summary=f"{words} ({days_of(rows)}).",
                priority=priority,
                impact=impact_of(priority),
                effort=Level.LOW,
                evidence=[page_evidence(url, words)],
                payload={
                    "of": len(rows),
                    "page": url,
                    "fixPrompt": fix_prompt(
                        material,
                        OWN_PAGE_UNNAMED,
                        [f"{words} ({days_of(rows)})."],
                        questions=asked(silent),
                        page=marked(url),
                    ),
                },
            )
        )
    return cards


def closed_own_page_unnamed(material: Material, row: Recommendation) -> str | None:
    """Why the card is over: of as many answers, at most a fifth do not name the brand."""
    rows = next((rows for url, rows in _citing_own(material).items() if url[:300] == row.subject), [])
    silent = sum(not each.names(None) for each in rows)
    if len(rows) < max(row.payload.get("of", 0), 1) or silent > CREDITED * len(rows):
        return None
    return f"{len(rows) - silent} of {len(rows)} answers that cite it name you."


def _citing_own(material: Material) -> dict[str, list[Seen]]:
    citing: dict[str, list[Seen]] = defaultdict(list)
    for answer in material.answers:
        for url in {page.url for page in answer.cited if page.owner is None}:
            citing[url].append(answer)
    return {} if material.is_unsure else citing
