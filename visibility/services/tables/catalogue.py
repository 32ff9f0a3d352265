"""Every table that can be taken along as a file, by the name that its address has."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Generic, TypeVar

from apikeys.caller import Caller
from apikeys.resources import Resource
from brands.models import Brand
from visibility.resources.audits import Finding
from visibility.resources.brands import RunResource, TrendItem
from visibility.resources.change_records import ChangeRecord
from visibility.resources.competitors import CompetitorItem
from visibility.resources.gaps import CompetitorGap
from visibility.resources.portfolio import AccountQuotas, SiteFigures
from visibility.resources.prompts import PromptItem
from visibility.resources.recommendations import RecommendationResource
from visibility.resources.sources import SourceItem
from visibility.resources.suggestions import CompetitorSuggestionResource
from visibility.resources.tables import (
    AskedAnswer,
    CitationOfAnswer,
    EngineOfDay,
    MentionOfAnswer,
    ResultOfPrompt,
    SubjectOfTopic,
)
from visibility.resources.voice import BuyerCriterion, PositioningClaim, ReviewTheme
from visibility.resources.writing import DraftSummary, Opportunity, SearchMade
from visibility.services.overview.portfolio import portfolio
from visibility.services.tables import answers, reports

Of = TypeVar("Of")


@dataclass(frozen=True, slots=True)
class Table(Generic[Of]):
    """The rows of one table, each a resource; `of` is what they belong to: a brand, or nothing for an account.

    `without` are fields, by their names outside, whose rows have a table of their own.
    """

    resource: type[Resource]
    rows: Callable[[Caller, Of], Iterable[Resource]]
    without: tuple[str, ...] = ()


def _sites(caller: Caller, _: None) -> list[SiteFigures]:
    return portfolio(caller).sites


def _usage(caller: Caller, _: None) -> list[AccountQuotas]:
    account = portfolio(caller).account
    return [account] if account else []


BRAND_TABLES: Mapping[str, Table[Brand]] = MappingProxyType(
    {
        "trend": Table(TrendItem, reports.trend, without=("engines", "changeRecords")),
        "changes": Table(ChangeRecord, reports.changes),
        "engines": Table(EngineOfDay, reports.days_by_engine),
        "topics": Table(SubjectOfTopic, reports.topics),
        "prompts": Table(PromptItem, reports.prompts, without=("engines",)),
        "results": Table(ResultOfPrompt, reports.results),
        "answers": Table(AskedAnswer, answers.asked_answers),
        "mentions": Table(MentionOfAnswer, answers.mentions),
        "citations": Table(CitationOfAnswer, answers.citations),
        "sources": Table(SourceItem, reports.sources),
        "competitors": Table(CompetitorItem, reports.competitors),
        "suggestions": Table(CompetitorSuggestionResource, reports.suggestions),
        "gaps": Table(CompetitorGap, reports.gaps),
        "recommendations": Table(RecommendationResource, reports.recommendations),
        "runs": Table(RunResource, reports.runs),
        "findings": Table(Finding, reports.findings),
        "claims": Table(PositioningClaim, reports.claims),
        "criteria": Table(BuyerCriterion, reports.criteria),
        "themes": Table(ReviewTheme, reports.themes),
        "opportunities": Table(Opportunity, reports.opportunities),
        "drafts": Table(DraftSummary, reports.drafts),
        "searches": Table(SearchMade, reports.searches),
    }
)
ACCOUNT_TABLES: Mapping[str, Table[None]] = MappingProxyType(
    {"portfolio": Table(SiteFigures, _sites), "usage": Table(AccountQuotas, _usage)}
)
