"""Reads of what a set of answers cites."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.db.models import Count, Exists, Max, Min, OuterRef, Q, QuerySet

from brands.models import Brand
from visibility.counts.reader import Selection
from visibility.models import Answer, Citation, Mention
from visibility.sources.resources import SourceDomain

LONGEST_PAGE = 300
"""Characters of an address that is shown beside its domain."""


def cited_domains(brand: Brand, answers: QuerySet[Answer]) -> list[SourceDomain]:
    """The domains that these answers of a brand cite, those in most of them first; first seen in any answer of it."""
    columns = {
        "answers": Count("answer", distinct=True),
        "pages": Count("digest", distinct=True),
        "competitor": Max("competitor__name"),
    }
    named = {f"of_{name}": column for name, column in columns.items()}
    citations = Citation.objects.filter(answer__in=answers).order_by()
    cited = citations.values("domain", "source_class").annotate(**named)
    pages = citations.values_list("domain", "digest").annotate(number=Count("answer", distinct=True), page=Min("url"))
    top_pages = {domain: (page, number) for domain, _, number, page in pages.order_by("number", "-page")}
    of_answers = answers.count()
    seen = Citation.objects.filter(brand=brand, domain__in=[row["domain"] for row in cited]).order_by()
    first_seen = dict(seen.values_list("domain").annotate(first=Min("day")))
    rows = [
        SourceDomain(
            domain=row["domain"],
            source_class=row["source_class"],
            of_answers=of_answers,
            first_seen=first_seen[row["domain"]],
            top_page=page if len(page := top_pages[row["domain"]][0]) <= LONGEST_PAGE else None,
            top_page_answers=top_pages[row["domain"]][1],
            **{name: row[f"of_{name}"] for name in columns},
        )
        for row in cited
    ]
    return sorted(rows, key=lambda row: (-row.answers, row.domain))


@dataclass(frozen=True, slots=True)
class CitedSite:
    """A site that so many of the answers of now (`of`) cite, `naming` of which mention the brand."""

    domain: str
    source_class: str
    citing: int
    naming: int
    of: int


def cited_sites(now: Selection) -> list[CitedSite]:
    """The sites that answers of now cite, those in most answers first, and how often the brand is mentioned there;
    without prompts that name it."""
    of = sum(each.answers for each in now.scored.sums if each.subject is None)
    mentions = Mention.objects.filter(answer=OuterRef("answer"), competitor=None).visible()
    cited = Citation.objects.filter(answer__in=now.scored.answers).order_by().annotate(is_naming=Exists(mentions))
    rows = [
        CitedSite(domain, source_class, citing, naming, of)
        for domain, source_class, citing, naming in cited.values_list("domain", "source_class").annotate(
            citing=Count("answer", distinct=True), naming=Count("answer", distinct=True, filter=Q(is_naming=True))
        )
    ]
    return sorted(rows, key=lambda row: (-row.citing, row.domain))


def citations_by_class(sites: Collection[CitedSite]) -> list[tuple[str, int]]:
    """How often answers cite each class of sites, the most cited first; a site counts once for each answer."""
    kinds = Counter[str]()
    for each in sites:
        kinds[each.source_class] += each.citing
    return kinds.most_common()
