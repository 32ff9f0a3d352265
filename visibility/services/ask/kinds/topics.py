"""On which topics the brand is strong, and on which weak."""

from collections.abc import Sequence

from visibility.resources.topics import TopicItem
from visibility.services.ask.fact import MOST, Fact, QuestionContext, Told, fact, site_step, unmeasured
from visibility.services.ask.kinds.figures import told_of_score
from visibility.services.ask.types import Step, Value
from visibility.services.reading.topics import topic_report

SHOWN = 3
"""Topics of each end that are told."""


def told_of_topics(context: QuestionContext) -> Told:
    """The strongest and the weakest topics, then the figures of each of these; of one that is named its own."""
    if context.about.narrowing:
        return told_of_score(context)
    engines = context.about.engines
    engine = engines[0] if len(engines) == 1 else None
    report = topic_report(context.caller, brand_id=context.brand.pk, engine=engine)
    topics = [topic for topic in report.topics if topic.subjects and topic.subjects[0].answers]
    if not topics:
        return unmeasured(context)
    ordered = sorted(topics, key=lambda topic: -_share(topic))
    if len(ordered) == 1:
        return Told([_fact(context, ordered[0], engine)], _unknown(context))
    strongest = [topic for topic in ordered if _share(topic) == _share(ordered[0])]
    weakest = [topic for topic in reversed(ordered) if _share(topic) == _share(ordered[-1])]
    first = fact(
        "topics" if len(strongest) < len(ordered) else "topics_alike",
        subject=context.brand.name,
        engine=engine,
        count=len(ordered),
        day=report.as_of,
        strongest=[_row(topic) for topic in strongest[:SHOWN]],
        weakest=[_row(topic) for topic in weakest[:SHOWN]],
        moreStrongest=len(strongest[SHOWN:]) or None,
        moreWeakest=len(weakest[SHOWN:]) or None,
    )
    return Told([first, *(_fact(context, topic, engine) for topic in _ends(ordered))], _unknown(context))


def _ends(ordered: Sequence[TopicItem]) -> list[TopicItem]:
    """The weakest first: they are what there is to do."""
    weakest = list(reversed(ordered))[:SHOWN]
    return [*weakest, *(topic for topic in ordered[: MOST - SHOWN] if topic not in weakest)]


def _fact(context: QuestionContext, topic: TopicItem, engine: str | None) -> Fact:
    """One topic, and who is named most on it where that is another, to those who may know."""
    rivals = [subject for subject in topic.subjects[1:] if subject.named and subject in topic.subjects]
    leader = max(rivals, key=lambda subject: subject.named / (subject.answers or 1), default=None)
    may_tell = leader is not None and any(subject.id == leader.competitor for subject in context.counts.subjects)
    others: list[Value] = []
    if leader is not None and may_tell:
        others = [
            {
                "subject": leader.name,
                "competitor": str(leader.competitor),
                "named": leader.named,
                "answers": leader.answers,
                "score": leader.score,
            }
        ]
    refs = [leader.competitor] if others and leader else []
    return fact("topic", *refs, engine=engine, others=others, prompts=topic.prompts, **_row(topic))


def _row(topic: TopicItem) -> dict[str, Value]:
    own = topic.subjects[0]
    return {"topic": topic.topic, "subject": own.name, "named": own.named, "answers": own.answers, "score": own.score}


def _share(topic: TopicItem) -> float:
    """The mean of the engines; of all answers where that is not known."""
    own = topic.subjects[0]
    return own.score / 100 if own.score is not None else own.named / (own.answers or 1)


def _unknown(context: QuestionContext) -> Step:
    return site_step("get_competitor_gaps", "why_not_measured", context.brand)
