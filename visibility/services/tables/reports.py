"""The rows of tables that are made of the reports that tools and pages show, all of them instead of the first."""

from collections.abc import Iterator
from datetime import date

from django.utils import timezone

from apikeys.caller import Caller
from brands.models import Brand
from brands.services.tracked import read_names
from visibility.measured.change_records import in_order
from visibility.models import ChangeRecord as StoredChange
from visibility.models import Run
from visibility.resources.audits import Finding
from visibility.resources.brands import RUN_FIELDS, RunResource, TrendItem
from visibility.resources.change_records import ChangeRecord
from visibility.resources.competitors import CompetitorItem
from visibility.resources.gaps import CompetitorGap
from visibility.resources.prompts import PromptItem
from visibility.resources.recommendations import RecommendationResource
from visibility.resources.sources import SourceItem
from visibility.resources.suggestions import CompetitorSuggestionResource
from visibility.resources.tables import EngineOfDay, ResultOfPrompt, SubjectOfTopic
from visibility.resources.voice import BuyerCriterion, PositioningClaim, ReviewTheme
from visibility.resources.writing import DraftSummary, Opportunity, SearchMade
from visibility.services.audits.reports import audit_findings
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.competitors.listing import competitors_in
from visibility.services.content.opportunities import content_report
from visibility.services.evidence.voice import buyer_criteria, positioning_claims, review_themes
from visibility.services.prompts.listing import prompts_of
from visibility.services.reading import reporting
from visibility.services.reading.change_records import change_record
from visibility.services.reading.sources import source_report
from visibility.services.reading.topics import topic_report
from visibility.services.reading.withheld import run_for

_FIRST_DAY = date(1970, 1, 1)


def trend(caller: Caller, brand: Brand) -> list[TrendItem]:
    """Every measured day, oldest first."""
    return reporting.trend(caller, brand_id=brand.pk, first=_FIRST_DAY, last=timezone.now().date()).trend


def changes(caller: Caller, brand: Brand) -> Iterator[ChangeRecord]:
    """Every change on record, told now or not: of the score, then of engines, then of topics, the latest first."""
    for row in in_order(StoredChange.objects.restrict(caller, "view").filter(brand=brand)):
        yield change_record(row)


def days_by_engine(caller: Caller, brand: Brand) -> Iterator[EngineOfDay]:
    """Every measured day with each of its engines, oldest first."""
    for day in trend(caller, brand):
        for figures in day.engines:
            yield EngineOfDay(date=day.date, **dict(figures))


def prompts(caller: Caller, brand: Brand) -> list[PromptItem]:
    """Every prompt that people keep, archived ones too."""
    return prompts_of(caller, brand_id=brand.pk, active=None).prompts


def results(caller: Caller, brand: Brand) -> Iterator[ResultOfPrompt]:
    """Of every prompt the result of each engine that answered it now."""
    for prompt in prompts(caller, brand):
        for result in prompt.engines:
            yield ResultOfPrompt(prompt=prompt.id, text=prompt.text, topic=prompt.topic, **dict(result))


def sources(caller: Caller, brand: Brand) -> list[SourceItem]:
    """Every domain that answers of now cite, most often first."""
    return source_report(caller, brand_id=brand.pk, most=None).sources


def competitors(_: Caller, brand: Brand) -> list[CompetitorItem]:
    """Every competitor with its figures now."""
    return competitors_in(read_names(brand)).competitors


def suggestions(_: Caller, brand: Brand) -> list[CompetitorSuggestionResource]:
    """Every name that answers offer and nobody watches, most often first."""
    return competitors_in(read_names(brand)).suggestions


def topics(caller: Caller, brand: Brand) -> Iterator[SubjectOfTopic]:
    """Every topic with everybody's figures now."""
    for topic in topic_report(caller, brand_id=brand.pk).topics:
        for subject in topic.subjects:
            yield SubjectOfTopic(topic=topic.topic, prompts=topic.prompts, **dict(subject))


def gaps(caller: Caller, brand: Brand) -> list[CompetitorGap]:
    """Every prompt with answers that name competitors and not the brand."""
    return competitor_gaps(caller, brand_id=brand.pk, most=None).gaps


def recommendations(caller: Caller, brand: Brand) -> list[RecommendationResource]:
    """The whole queue, of every status."""
    return reporting.recommendations(caller, brand_id=brand.pk, status=None, known=True).recommendations


def runs(caller: Caller, brand: Brand) -> Iterator[RunResource]:
    """Every run of every kind, newest first."""
    rows = Run.objects.restrict(caller, "view").filter(brand=brand).order_by("-created_at", "-pk")
    for row in rows.values(*RUN_FIELDS):
        yield run_for(caller, row)


def findings(caller: Caller, brand: Brand) -> list[Finding]:
    """What the latest finished audit found."""
    return audit_findings(caller, brand_id=brand.pk).findings


def claims(caller: Caller, brand: Brand) -> list[PositioningClaim]:
    """What the brand's pages claim, and what answers say of it."""
    return positioning_claims(caller, brand_id=brand.pk).claims


def criteria(caller: Caller, brand: Brand) -> list[BuyerCriterion]:
    """What answers to buying questions judge by."""
    return buyer_criteria(caller, brand_id=brand.pk).criteria


def themes(caller: Caller, brand: Brand) -> list[ReviewTheme]:
    """What reviews speak of."""
    return review_themes(caller, brand_id=brand.pk).themes


def opportunities(caller: Caller, brand: Brand) -> list[Opportunity]:
    """What to write."""
    return content_report(caller, brand_id=brand.pk).opportunities


def drafts(caller: Caller, brand: Brand) -> list[DraftSummary]:
    """What was written, newest first."""
    return content_report(caller, brand_id=brand.pk).drafts


def searches(caller: Caller, brand: Brand) -> list[SearchMade]:
    """What engines searched for."""
    return content_report(caller, brand_id=brand.pk).searches
