"""The sources that answers cite, and those where the brand is absent."""

from collections.abc import Mapping

from visibility.resources.sources import SourceItem, SourceReport
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, step, unmeasured
from visibility.services.ask.types import Step, Value
from visibility.services.reading.sources import source_report

MAX_RIVALS = 3


def told_of_sources(context: QuestionContext) -> Told:
    """How many answers cite anything, then the domains that most cite."""
    report = _report(context)
    if report.as_of is None:
        return unmeasured(context)
    first = fact(
        "sources" if report.sources else "no_sources",
        **_scope(context, report),
        top=report.sources[0].domain if report.sources else None,
        topAnswers=report.sources[0].answers if report.sources else None,
    )
    return Told([first, *_facts(context, report)], _unknown(context) if report.sources else None)


def told_of_absent_sources(context: QuestionContext) -> Told:
    """The domains whose answers name a competitor and never the brand, those that most answers cite first."""
    report = _report(context, absent=True)
    if report.as_of is None:
        return unmeasured(context)
    first = fact(
        "absent_sources" if report.sources else "no_absent_sources",
        **_scope(context, report),
        count=len(report.sources) + report.more,
        domains=[source.domain for source in report.sources[:3]],
    )
    return Told([first, *_facts(context, report)], _unknown(context) if report.sources else None)


def _report(context: QuestionContext, *, absent: bool = False) -> SourceReport:
    about = context.about
    topics = about.narrowing.topics if about.narrowing else ()
    return source_report(
        context.caller,
        brand_id=context.brand.pk,
        topic=topics[0] if len(topics) == 1 else None,
        engine=about.engines[0] if len(about.engines) == 1 else None,
        absent=absent,
    )


def _scope(context: QuestionContext, report: SourceReport) -> dict[str, Value]:
    topic = context.place["topic"] if report.topic else None
    return {
        "subject": context.brand.name,
        "topic": topic,
        "engine": report.engine,
        "answers": report.answers,
        "citing": report.citing,
        "day": report.as_of,
    }


def _facts(context: QuestionContext, report: SourceReport) -> list[Fact]:
    scope = _scope(context, report)
    place = {"topic": scope["topic"], "engine": scope["engine"]}
    return [_fact(source, place) for source in report.sources[:MOST]]


def _fact(source: SourceItem, place: Mapping[str, Value]) -> Fact:
    page = source.pages[0] if source.pages else None
    others: list[Value] = [
        {"subject": rival.name, "competitor": str(rival.competitor), "count": rival.answers}
        for rival in source.competitors[:MAX_RIVALS]
    ]
    return fact(
        "source",
        *(rival.competitor for rival in source.competitors[:MAX_RIVALS]),
        domain=source.domain,
        **place,
        kind=source.cls,
        answers=source.answers,
        ofAnswers=source.of_answers,
        named=source.named,
        others=others,
        page=page.url if page else None,
        pageAnswers=page.answers if page else None,
        since=source.first_seen,
    )


def _unknown(context: QuestionContext) -> Step:
    """Whether being there would change an answer: its text shows what it took from the source."""
    narrowing = context.about.narrowing
    if narrowing and narrowing.prompts:
        return step("get_prompt_detail", "effect_of_source", {"promptId": str(min(narrowing.prompts))})
    return site_step("get_content_opportunities", "effect_of_source", context.brand)
