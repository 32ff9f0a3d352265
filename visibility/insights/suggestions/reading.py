"""Reads who leads the entries of a brand's newest answers, gathered by company: as many statements for one name as
for all of them."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Case, CharField, Count, F, Max, Min, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber

from visibility.detection.rivals.makers import OWNED, common_words, company_name, makers_of
from visibility.detection.rivals.suggesting import name_key
from visibility.detection.types import SourceClass
from visibility.models import Answer, Citation, UntrackedName

LEADS = 200
"""First words that are looked at: those that most answers have."""
MIN_ANSWERS = 2
"""A name that a single answer recommends may be made up."""
PLACES = 9
"""Newest places of each that are kept: an answer may have several."""
TOPICS = 5

_Rows = QuerySet[UntrackedName, Any]
_ByMaker = QuerySet[Any, Any]
"""Rows of untracked names with the key of their `maker`."""


@dataclass(slots=True)
class Candidate:
    """What the newest runs say of one company, under the first word of its name; `names` are those of that word in
    how many answers each, `domains` those that are spelt as it is."""

    key: str
    answers: int
    prompts: int
    first_seen: datetime
    last_seen: datetime
    name: str = ""
    domains: dict[str, int] = field(default_factory=dict)
    engines: list[str] = field(default_factory=list)
    topics: list[tuple[str, int]] = field(default_factory=list)
    places: list[tuple[UUID, int]] = field(default_factory=list)


def read_candidates(rows: _Rows, runs: Sequence[UUID]) -> list[Candidate]:
    """The companies that several answers offer, those of most answers first; `rows` are the names of these runs."""
    names, makers = _makers(rows)
    by_maker = _by_maker(rows, names, makers)
    figures = by_maker.values_list("maker").annotate(
        answers=Count("answer", distinct=True),
        prompts=Count("answer__prompt", distinct=True),
        first=Min("answer__answered_at"),
        last=Max("answer__answered_at"),
    )
    candidates = {
        maker: Candidate(maker, *counted) for maker, *counted in figures.order_by("-answers", "-prompts", "maker")
    }
    cited = _cited(runs)
    called = {_called(domain) for domain in cited}
    common = common_words(names)
    for maker, candidate in candidates.items():
        candidate.name = company_name(names[maker], common, called)
    _add_domains(candidates, by_maker, cited)
    _add_places(candidates, by_maker)
    return list(candidates.values())


def _makers(rows: _Rows) -> tuple[Mapping[str, Mapping[str, int]], Mapping[str, str]]:
    """The names by first word in how many answers each, without words of tracked subjects, and whose models the first
    words are."""
    of_answers = Count("answer", distinct=True)
    leading = rows.filter(is_tracked=False).order_by().values_list("lead").annotate(answers=of_answers)
    answers = dict(leading.filter(answers__gte=MIN_ANSWERS).order_by("-answers", "lead")[:LEADS])
    behind_tracked = rows.filter(is_tracked=True, lead__in=list(answers)).order_by().values_list("lead")
    for lead, count in behind_tracked.annotate(of_answers):
        if count >= OWNED * (answers[lead] + count):
            del answers[lead]
    names: dict[str, dict[str, int]] = defaultdict(dict)
    of_leads = rows.filter(is_tracked=False, lead__in=list(answers)).order_by()
    for lead, name, count in of_leads.values_list("lead", "name").annotate(of_answers):
        names[lead][name] = count
    return names, makers_of(names, answers)


def _by_maker(rows: _Rows, leads: Mapping[str, Any], makers: Mapping[str, str]) -> _ByMaker:
    """The rows of these first words, each with the one of its maker as `maker`."""
    models = [When(lead=model, then=Value(maker)) for model, maker in sorted(makers.items())]
    maker = Case(*models, default=F("lead"), output_field=CharField())
    by_maker: _ByMaker = rows.filter(is_tracked=False, lead__in=list(leads)).order_by().annotate(maker=maker)
    return by_maker


def _cited(runs: Sequence[UUID]) -> Mapping[str, int]:
    """The domains of nobody's that the runs' answers cite, with how many do; without those of known publications."""
    answers = Answer.objects.filter(run__in=runs).counting()
    citations = Citation.objects.filter(
        answer__in=answers.values("pk"), owner=Citation.Owner.OTHER, cls=SourceClass.OTHER
    )
    return dict(citations.order_by().values_list("domain").annotate(Count("answer", distinct=True)))


def _called(domain: str) -> str:
    return name_key(domain.split(".")[0])


def _add_domains(candidates: Mapping[str, Candidate], by_maker: _ByMaker, cited: Mapping[str, int]) -> None:
    """Those that the answers link to or cite and that are spelt as the company or its first word."""
    spelt = {maker: {maker, name_key(candidate.name)} for maker, candidate in candidates.items()}
    linked = by_maker.exclude(domain="").values_list("maker", "domain").annotate(Count("answer", distinct=True))
    for maker, domain, count in linked:
        if _called(domain) in spelt[maker]:
            candidates[maker].domains[domain] = count
    makers: dict[str, set[str]] = defaultdict(set)
    for maker, keys in spelt.items():
        for key in keys:
            makers[key].add(maker)
    for domain, count in cited.items():
        for maker in makers.get(_called(domain), ()):
            domains = candidates[maker].domains
            domains[domain] = max(count, domains.get(domain, 0))


def _add_places(candidates: Mapping[str, Candidate], by_maker: _ByMaker) -> None:
    """Where they are offered: on which engines and topics, and in which answers, the newest first."""
    for maker, engine in by_maker.order_by("answer__engine").values_list("maker", "answer__engine").distinct():
        candidates[maker].engines.append(engine)
    topics = by_maker.exclude(answer__prompt__topic="").values_list("maker", "answer__prompt__topic")
    for maker, topic, count in topics.annotate(answers=Count("answer", distinct=True)).order_by(
        "-answers", "answer__prompt__topic"
    ):
        if len(candidates[maker].topics) < TOPICS:
            candidates[maker].topics.append((topic, count))
    newest = Window(RowNumber(), partition_by="maker", order_by=[F("answer__answered_at").desc(), F("pk").asc()])
    examples = by_maker.annotate(number=newest).filter(number__lte=PLACES).order_by("number")
    for maker, answer, start in examples.values_list("maker", "answer_id", "start"):
        candidates[maker].places.append((answer, start))
