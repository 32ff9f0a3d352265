"""What the answers of now cite."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import not_found
from apikeys.scopes import Scope
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.detection.types import SourceClass
from visibility.measured.basis import Basis, EngineDay
from visibility.measured.facts import BrandFacts
from visibility.measured.found import read_brand_facts, read_found
from visibility.measured.reading import read_basis
from visibility.measured.sources import (
    FirstDays,
    PageWords,
    Source,
    Sources,
    Tally,
    find_sources,
    read_citing_answers,
    read_first_days,
    read_page_words,
)
from visibility.resources.sources import (
    CitingAnswer,
    SourceDetail,
    SourceEngine,
    SourceItem,
    SourcePage,
    SourceReport,
    SourceSubject,
    SourceSummary,
    SourceTopic,
)
from visibility.resources.steps import NextStep, by_people, next_step
from visibility.services.reading.asked_engines import require_asked
from visibility.services.reading.cited_pages import MAX_RIVALS
from visibility.services.reading.topics import named_topic

MAX_SOURCES = 50
"""Of a full report; the doors show fewer."""
MAX_PAGES = 10
"""Of one source among others."""
MAX_PAGES_OF_ONE = 100
MAX_ANSWERS = 100
"""That cite one source, of those that are listed with it."""
SIDES = (SourceClass.OWN, SourceClass.COMPETITOR)
"""The classes of sites that belong to one of those who are compared: nobody is absent there by what others write."""


@snapshot()
def source_report(
    caller: Caller,
    *,
    brand_id: UUID,
    topic: str | None = None,
    engine: str | None = None,
    absent: bool = False,
    cls: SourceClass | None = None,
    skip: int = 0,
    most: int | None = MAX_SOURCES,
) -> SourceReport:
    """The sources of the answers of now to questions that do not name the brand, so many at `most` (None: all) after
    those that are to be skipped; of one class only, where `cls` says it; `absent`: only sites of others whose answers
    name a competitor and never the brand.

    Requires read:prompts. Raises not_found, and invalid_arguments for a topic or an engine that there is not. It
    costs the same number of statements for one source and for thousands.
    """
    brand = _brand(caller, brand_id)
    basis = read_basis(brand.pk)
    engines = _engines(brand, basis, engine)
    meant = named_topic(brand.pk, topic)
    if not engines:
        return _empty(brand, basis, meant.name if meant else None, engine)
    subject = read_brand_facts(brand, basis)
    sources = _sources(basis, engines, subject, meant.key if meant else None)
    of_class = [source for source in sources.sources if cls in (None, source.cls)]
    listed = _absent(of_class) if absent else of_class
    return SourceReport(
        site=brand.pk,
        as_of=basis.latest,
        topic=meant.name if meant else None,
        engine=engine,
        answers=sources.looked_at.answers,
        citing=sources.citing,
        sources=_items(brand, engines, subject, sources.looked_at, listed[skip:][:most]),
        more=len(listed[skip:]) - len(listed[skip:][:most]),
        next_step=None if listed else _how_to_get_some(brand, sources),
    )


@snapshot()
def source_detail(caller: Caller, *, brand_id: UUID, domain: str) -> SourceDetail:
    """One cited domain with its pages, and the answers of now that cite it, to whichever question. A domain that
    many share is one source for the brand, one for competitors and one for all others.

    Requires read:prompts. Raises not_found, also for a domain that no answer of now cites.
    """
    brand = _brand(caller, brand_id)
    basis = read_basis(brand.pk)
    if not basis.compared:
        raise not_found()
    subject = read_brand_facts(brand, basis)
    sources = _sources(basis, basis.compared, subject)
    listed = [source for source in sources.sources if source.domain == domain]
    naming = {answer.id for answer in read_found(basis.engines).answers if answer.brand_named}
    answers = read_citing_answers(basis.compared, domain, MAX_ANSWERS, naming)
    if not listed and not answers:
        raise not_found()
    return SourceDetail(
        site=brand.pk,
        as_of=basis.latest,
        domain=domain,
        sources=_items(brand, basis.compared, subject, sources.looked_at, listed, MAX_PAGES_OF_ONE),
        answers=[CitingAnswer.model_validate(answer) for answer in answers],
    )


def top_sources(
    brand: Brand, basis: Basis, subject: BrandFacts, most: int, topic: str | None = None
) -> list[SourceSummary]:
    """In short the sources that most answers of now cite, so many at most; with a topic, as stored, of that alone."""
    sources = _sources(basis, basis.compared, subject, topic)
    listed = sources.sources[:most]
    first_days = read_first_days(brand, listed)
    return [_summary(source, subject, sources.looked_at, first_days) for source in listed]


def _brand(caller: Caller, brand_id: UUID) -> Brand:
    caller.require(Scope.READ_PROMPTS)
    return readable_brand(caller, brand_id)


def _sources(basis: Basis, engines: Sequence[EngineDay], subject: BrandFacts, topic: str | None = None) -> Sources:
    findings = read_found(basis.engines)
    answers = (
        answer
        for answer in findings.of(engines)
        if answer.prompt in subject.prompts and topic in (None, subject.prompts[answer.prompt].topic)
    )
    return find_sources(answers, subject.prompts, findings.cited)


def _absent(sources: Sequence[Source]) -> list[Source]:
    """Sites of others without the brand, those first whose answers name competitors most often."""
    missing = [source for source in sources if source.tally.is_absent and source.cls not in SIDES]
    return sorted(missing, key=lambda source: -source.tally.gaps)


def _engines(brand: Brand, basis: Basis, engine: str | None) -> Sequence[EngineDay]:
    """Those that are looked at; none where nothing of the one that is asked for is part of now."""
    if engine is None:
        return basis.compared
    require_asked(brand.pk, engine, [engine_day.engine for engine_day in basis.engines])
    return [engine_day for engine_day in basis.engines if engine_day.engine == engine]


@dataclass(frozen=True, slots=True)
class _Shown:
    """What is read of the sources that are listed alone."""

    first_days: FirstDays
    words: Mapping[str, PageWords]


def _items(
    brand: Brand,
    engines: Sequence[EngineDay],
    subject: BrandFacts,
    looked_at: Tally,
    listed: Sequence[Source],
    most: int = MAX_PAGES,
) -> list[SourceItem]:
    pages = [page for source in listed for page in source.ranked_pages[:most]]
    read = _Shown(read_first_days(brand, listed, pages), read_page_words(engines, pages))
    return [_item(source, subject, looked_at, read, most) for source in listed]


def _item(source: Source, subject: BrandFacts, looked_at: Tally, read: _Shown, most: int) -> SourceItem:
    tally = source.tally
    named_topics = {prompt.topic for prompt in subject.prompts.values() if prompt.topic != str(prompt.id)}
    topics = sorted(named_topics & tally.topics.keys(), key=lambda topic: (-tally.topics[topic], topic))
    pages = source.ranked_pages
    return SourceItem(
        **dict(_summary(source, subject, looked_at, read.first_days, most=len(tally.rivals))),
        engines=[
            SourceEngine(engine=engine, answers=tally.engines[engine], of_answers=looked_at.engines[engine])
            for engine in sorted(looked_at.engines)
        ],
        topics=[
            SourceTopic(
                topic=subject.topic_name(topic), answers=tally.topics[topic], of_answers=looked_at.topics[topic]
            )
            for topic in topics
        ],
        pages=[
            SourcePage(
                url=read.words[page.digest].url,
                title=read.words[page.digest].title,
                cls=page.cls,
                answers=source.pages[page].answers,
                named=source.pages[page].named,
                first_seen=_first_day(read.first_days, (page.domain, page.owner, page.digest), source.pages[page]),
            )
            for page in pages[:most]
        ],
        more_pages=len(pages[most:]),
    )


def _summary(
    source: Source,
    subject: BrandFacts,
    looked_at: Tally,
    first_days: FirstDays,
    most: int = MAX_RIVALS,
) -> SourceSummary:
    rivals = sorted(source.tally.rivals.items(), key=lambda pair: (-pair[1], subject.competitors[pair[0]]))
    return SourceSummary(
        domain=source.domain,
        cls=source.cls,
        answers=source.tally.answers,
        of_answers=looked_at.answers,
        named=source.tally.named,
        gaps=source.tally.gaps,
        competitors=[
            SourceSubject(competitor=rival, name=subject.competitors[rival], answers=answers)
            for rival, answers in rivals[:most]
        ],
        first_seen=_first_day(first_days, (source.domain, source.owner, ""), source.tally),
    )


def _first_day(first_days: FirstDays, key: tuple[str, str, str], tally: Tally) -> date:
    """The first day on record; what a worker of an earlier release has analysed is known by the answers of now."""
    return min(first_days.get(key, tally.day), tally.day)


def _empty(brand: Brand, basis: Basis, topic: str | None, engine: str | None) -> SourceReport:
    """Before the first measured day, and of an engine of which now shows nothing."""
    return SourceReport(
        site=brand.pk,
        as_of=basis.latest,
        topic=topic,
        engine=engine,
        answers=0,
        citing=0,
        sources=[],
        more=0,
        next_step=next_step(
            "run_visibility_scan", "No answers are measured now: a scan asks the engines.", siteId=str(brand.pk)
        ),
    )


def _how_to_get_some(brand: Brand, sources: Sources) -> NextStep:
    if not sources.looked_at.answers:
        return next_step(
            "list_prompts",
            "No prompt without the site's name was answered here: see which there are, and add some.",
            siteId=str(brand.pk),
        )
    if not sources.citing:
        return by_people("These answers cite nothing. Engines that search the web do: the operator can enable one.")
    return next_step(
        "get_competitor_gaps",
        "No cited site of others names competitors alone. Gaps show the prompts where competitors stand instead.",
        siteId=str(brand.pk),
    )
