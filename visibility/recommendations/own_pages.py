"""Cards about own pages: those that answers stopped citing, and those that they cite and do not credit."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Sum

from apikeys.text import marked
from visibility.counts.reader import select_between
from visibility.counts.window import WINDOW_DAYS
from visibility.metrics import chance_of_fewer
from visibility.models import Citation, Recommendation
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import Material, Seen, asked, days_of
from visibility.recommendations.priority import OWN_PAGE, impact_of, priority_of
from visibility.recommendations.queue import Card
from visibility.recommendations.sources import LEAST_ANSWERS, LONGEST_TITLE, MOST_PAGES, page_evidence

OWN_PAGES_LOST, OWN_PAGE_UNNAMED = "own_pages_lost", "own_page_unnamed"
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
    lately = [day for day in days if day > days[-1] - timedelta(days=WINDOW_DAYS)]
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
    cells = select_between(material.brand, first + timedelta(days=1)).cells.filter(competitor=None, answers__gt=0)
    cells = cells.filter(version__in=versions, engine__name__in=material.engines).order_by()
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
