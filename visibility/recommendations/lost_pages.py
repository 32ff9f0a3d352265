"""Own pages that answers stopped citing."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from django.db.models import Count, Sum

from visibility.counts.reader import select_between
from visibility.counts.window import WINDOW_DAYS
from visibility.metrics import chance_of_fewer
from visibility.models import Citation
from visibility.recommendations.facts import Facts

LEAST_ANSWERS = 3
DAYS_BACK, DAYS_BEFORE = 28, 7
LOST_TO, BACK_AT = 0.25, 0.75
LEAST_SINCE = 2
"""Measured days since: what happened on one day alone is no loss yet."""
CHANCE = 0.001


@dataclass(frozen=True, slots=True)
class LostPage:
    """An own page that `k` of `n` answers cited before and `k_since` of `n_since` since."""

    url: str
    digest: bytes
    k: int
    n: int
    k_since: int
    n_since: int


@dataclass(frozen=True, slots=True)
class LostPages:
    """The own pages that were lost on one day, the most cited first."""

    day: date
    pages: Sequence[LostPage]


def lost_pages(facts: Facts) -> list[LostPages]:
    """Own pages that answers stopped citing in the last four weeks, by the day of the loss, the latest first."""
    days, answers, citing, urls = _own_citations(facts)
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


def are_back(facts: Facts, shares: Mapping[str, float]) -> bool:
    """Whether in the last week each of these pages (by the hex of its digest) is cited at least three quarters as
    often as the part of answers that cited it before."""
    days, answers, citing, _ = _own_citations(facts)
    last = [day for day in days if day > days[-1] - timedelta(days=WINDOW_DAYS)]
    number = sum(answers[day] for day in last)
    by_page = {digest: citing.get(bytes.fromhex(digest), {}) for digest in shares}
    return number > 0 and all(
        sum(by_page[digest].get(day, 0) for day in last) >= BACK_AT * share * number
        for digest, share in shares.items()
    )


def _own_citations(
    facts: Facts,
) -> tuple[list[date], dict[date, int], dict[bytes, dict[date, int]], dict[bytes, str]]:
    """The measured days of five weeks, the answers of each, and by own page the answers of each that cite it: of the
    same questions and engines as now."""
    last = max((each.day for each in facts.answers), default=None)
    if last is None:
        return [], {}, {}, {}
    versions = {each.version for each in facts.answers}
    first = last - timedelta(days=DAYS_BACK + DAYS_BEFORE)
    cells = select_between(facts.brand, first + timedelta(days=1)).cells.filter(competitor=None, answers__gt=0)
    cells = cells.filter(version__in=versions, engine__name__in=[*facts.by_engine]).order_by()
    answers = dict(cells.values_list("day").annotate(Sum("answers")))
    citations = Citation.objects.filter(brand=facts.brand, is_own=True, day__in=answers).order_by()
    citations = citations.filter(answer__version__in=versions, answer__engine__name__in=[*facts.by_engine])
    citing: dict[bytes, dict[date, int]] = defaultdict(dict)
    urls: dict[bytes, str] = {}
    for digest, url, day, number in citations.values_list("digest", "url", "day").annotate(
        Count("answer", distinct=True)
    ):
        citing[bytes(digest)][day] = number
        urls[bytes(digest)] = url
    return sorted(answers), answers, citing, urls
