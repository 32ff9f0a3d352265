"""Keeps the suggestions of a brand in step with its newest runs."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Max, Min, QuerySet, Window
from django.db.models.functions import RowNumber

from apikeys.text.untrusted import clean
from brands.models import Brand
from brands.services.policies import tracked_names
from visibility.detection.rivals.makers import common_name, common_words
from visibility.detection.rivals.suggesting import name_key, said_at
from visibility.insights.suggestions.gathering import newest_runs
from visibility.models import Answer, CompetitorSuggestion, UntrackedName

MOST = 50
"""Suggestions of one brand: those that most answers name."""
MIN_ANSWERS = 2
"""A name that a single answer recommends may be made up."""
EXAMPLES = 3

_DERIVED = (
    "name", "domain", "answers", "of_answers", "prompts", "engines", "first_seen", "last_seen", "quote", "examples",
)  # fmt: skip


@dataclass(slots=True)
class _Candidate:
    """What the newest runs say of one first word."""

    key: str
    answers: int
    prompts: int
    first_seen: datetime
    last_seen: datetime
    names: dict[str, int] = field(default_factory=dict)
    domains: dict[str, int] = field(default_factory=dict)
    engines: list[str] = field(default_factory=list)
    places: list[tuple[UUID, int]] = field(default_factory=list)


@transaction.atomic
def refresh_suggestions(brand: Brand) -> None:
    """Derive the suggestions anew from the current generation; names of older runs are forgotten.

    Dismissed ones stay dismissed, whatever comes. Call it under the lock of the brand's row. Can be repeated.
    """
    runs = newest_runs(brand.pk)
    rows = UntrackedName.objects.filter(answer__brand=brand)
    rows.exclude(answer__run__in=runs).delete()
    candidates = _read(rows)
    common = common_words({candidate.key: candidate.names for candidate in candidates})
    named = {candidate.key: common_name(candidate.names, common) for candidate in candidates}
    tracked = set(map(name_key, tracked_names(brand)))
    untracked = [
        candidate for candidate in candidates if tracked.isdisjoint({candidate.key, name_key(named[candidate.key])})
    ][:MOST]
    of_answers = Answer.objects.filter(run__in=runs, state=Answer.State.ANSWERED).count()
    _write(brand, untracked, named, of_answers)


def _read(rows: QuerySet[UntrackedName]) -> list[_Candidate]:
    """The first words that several answers have, those of most answers first."""
    leading = (
        rows.order_by()
        .values_list("lead")
        .annotate(
            answers=Count("answer", distinct=True),
            prompts=Count("answer__prompt", distinct=True),
            first=Min("answer__answered_at"),
            last=Max("answer__answered_at"),
        )
        .filter(answers__gte=MIN_ANSWERS)
        .order_by("-answers", "-prompts", "lead")[: 2 * MOST]
    )
    candidates = {lead: _Candidate(lead, *figures) for lead, *figures in leading}
    of_leads = rows.filter(lead__in=list(candidates)).order_by()
    for lead, name, number in of_leads.values_list("lead", "name").annotate(Count("answer", distinct=True)):
        candidates[lead].names[name] = number
    domain_rows = of_leads.exclude(domain="").values_list("lead", "domain").annotate(Count("answer", distinct=True))
    for lead, domain, number in domain_rows:
        candidates[lead].domains[domain] = number
    for lead, engine in of_leads.order_by("answer__engine").values_list("lead", "answer__engine").distinct():
        candidates[lead].engines.append(engine)
    newest = Window(RowNumber(), partition_by="lead", order_by=[F("answer__answered_at").desc(), F("pk").asc()])
    examples = of_leads.annotate(number=newest).filter(number__lte=EXAMPLES).order_by("number")
    for lead, answer, start in examples.values_list("lead", "answer_id", "start"):
        candidates[lead].places.append((answer, start))
    return list(candidates.values())


def _write(brand: Brand, candidates: Sequence[_Candidate], named: Mapping[str, str], of_answers: int) -> None:
    stored = {
        row.key: row for row in CompetitorSuggestion.objects.filter(brand=brand).select_for_update(of=("self",))
    }
    quotes = _quotes({candidate.places[0] for candidate in candidates})
    created: list[CompetitorSuggestion] = []
    changed: list[CompetitorSuggestion] = []
    for candidate in candidates:
        row = stored.pop(candidate.key, None)
        (changed if row else created).append(row := row or CompetitorSuggestion(brand=brand, key=candidate.key))
        row.name = named[candidate.key]
        row.domain = _clear_domain(candidate.domains)
        row.answers, row.of_answers, row.prompts = candidate.answers, of_answers, candidate.prompts
        row.engines = candidate.engines
        row.first_seen = min(row.first_seen or candidate.first_seen, candidate.first_seen)
        row.last_seen = candidate.last_seen
        row.quote = quotes.get(candidate.places[0], "")
        row.examples = list(dict.fromkeys(str(answer) for answer, _ in candidate.places))
    CompetitorSuggestion.objects.bulk_create(created)
    CompetitorSuggestion.objects.bulk_update(changed, _DERIVED)
    stale_ids = [row.pk for row in stored.values() if row.dismissed_at is None]
    CompetitorSuggestion.objects.filter(pk__in=stale_ids).delete()


def _quotes(places: set[tuple[UUID, int]]) -> dict[tuple[UUID, int], str]:
    """What is said at each place, one answer's text at a time."""
    starts: dict[UUID, list[int]] = defaultdict(list)
    for answer, start in places:
        starts[answer].append(start)
    texts = Answer.objects.filter(pk__in=starts).order_by().values_list("pk", "text")
    return {
        (answer, start): clean(said_at(text, start))
        for answer, text in texts.iterator(chunk_size=20)
        for start in starts[answer]
    }


def _clear_domain(domains: Mapping[str, int]) -> str:
    """The domain that more answers cite than all others together; empty where there is none."""
    best = max(domains, key=lambda domain: (domains[domain], domain), default="")
    return best if best and 2 * domains[best] > sum(domains.values()) else ""
