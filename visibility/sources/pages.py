"""Reads of cited pages, of one site or one answer, with the brands on them as far as they were read."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db.models import Count, Max, Q

from brands.models import Brand
from visibility.counts.reader import Selection
from visibility.detection.canonical import canonical_url
from visibility.models import Answer, Citation, CitedPage, Mention


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read on a page of others: whether it mentions the brand (None: it could not be read), and which
    competitors it mentions."""

    read_at: datetime
    error: str
    names_brand: bool | None
    competitors: Sequence[str]
    changed_on: date | None


@dataclass(frozen=True, slots=True)
class Page:
    """A page that so many answers cite, `naming` of which mention the brand (None: of one answer it is not counted).
    `reading` is None where nobody has read it yet."""

    url: str
    title: str
    domain: str
    source_class: str
    answers: int
    reading: Reading | None
    naming: int | None = None


def cited_pages(now: Selection, **only: str) -> list[Page]:
    """The pages that answers of now cite, those in most answers first, and how often the brand is mentioned there;
    without prompts that name it. `only`: of which `domain` or `source_class`."""
    keys = list(now.scored.answers.values_list("pk", flat=True))
    mentions = Mention.objects.filter(answer__in=keys, competitor=None).visible()
    naming = Q(answer__in=list(mentions.values_list("answer", flat=True).distinct()))
    cited = Citation.objects.filter(answer__in=keys, **only).order_by()
    rows = list(
        cited.values("url", "digest", "domain", "source_class").annotate(
            number=Count("answer", distinct=True),
            own=Count("answer", distinct=True, filter=naming),
            newest=Max("title"),
        )
    )
    readings = _readings(now.brand, [bytes(row["digest"]) for row in rows])
    pages = [
        Page(row["url"], row["newest"], row["domain"], row["source_class"], row["number"], reading, row["own"])
        for row in rows
        for reading in [readings.get(bytes(row["digest"]))]
    ]
    return sorted(pages, key=lambda page: (-page.answers, page.url))


def sources_of_answer(brand: Brand, answer: int) -> list[Page]:
    """What one answer cites, in its order."""
    cited = list(Citation.objects.filter(answer=answer, brand=brand).order_by("position"))
    readings = _readings(brand, [bytes(each.digest) for each in cited])
    return [
        Page(each.url, each.title, each.domain, each.source_class, 1, readings.get(bytes(each.digest)))
        for each in cited
    ]


def source_numbers(brand: Brand, answer: int, pages: Sequence[Page]) -> dict[int, int]:
    """Which of `pages` (counted from 1) each source number in an answer's text stands for. Engines may give one page
    several numbers."""
    places = {page.url: place for place, page in enumerate(pages, start=1)}
    given = Answer.objects.filter(brand=brand, pk=answer).values_list("sources", flat=True).first() or []
    urls = [canonical_url(str(source.get("url", ""))) for source in given]
    return {number: places[url] for number, url in enumerate(urls, start=1) if url in places}


def _readings(brand: Brand, digests: Sequence[bytes]) -> dict[bytes, Reading]:
    rows = CitedPage.objects.filter(brand=brand, digest__in=digests)
    return {
        bytes(row.digest): Reading(row.read_at, row.error, row.names_brand, row.competitors, row.changed_on)
        for row in rows
    }
