"""The topics of a brand: how everybody stands on each."""

from datetime import date
from typing import Any
from uuid import UUID

from apikeys.caller import Caller
from apikeys.db.snapshot import snapshot
from apikeys.errors import ServiceError, invalid
from apikeys.scopes import Scope
from apikeys.text.sentences import shortened
from apikeys.text.untrusted import quoted
from brands.models import Brand
from brands.services.access import readable_brand
from visibility.detection.types import BRAND
from visibility.measured.generations import not_own_topics
from visibility.measured.reading import read_basis
from visibility.measured.topic_table import (
    TopicDay,
    TopicRow,
    TopicTable,
    read_topic_days,
    read_topic_table,
    subject_names,
)
from visibility.measured.topics import Topic, Topics, read_topics
from visibility.metrics.topics import TopicFigures
from visibility.metrics.types import Estimate, rounded
from visibility.resources.steps import NextStep, called, next_step
from visibility.resources.topics import TopicDay as TopicDayResource
from visibility.resources.topics import TopicEngine, TopicItem, TopicReport, TopicScores, TopicSubject
from visibility.services.reading.asked_engines import require_asked

MAX_LISTED = 20
MAX_LETTERS = 80
"""Topics that a refusal lists, and how much of the name of each."""
NOT_OWN = (
    "This topic is marked as none of the site's own: it is asked and not counted. Its owner or an editor changes "
    "that on the page Topics."
)
ONE_TOPIC = (
    "One topic says nothing of others: an interval for prompts like these, and a tested change, need four topics or "
    "more, and are told of the whole site. The panel interval is that of exactly these prompts asked again."
)


@snapshot()
def topic_report(caller: Caller, *, brand_id: UUID, engine: str | None = None) -> TopicReport:
    """The table topic × brand × engine of now. Requires read:visibility. Raises not_found, and invalid_arguments for
    an engine that was never asked."""
    caller.require(Scope.READ_VISIBILITY)
    brand = readable_brand(caller, brand_id)
    basis = read_basis(brand.pk)
    if engine is not None:
        require_asked(brand.pk, engine, [row.engine for row in basis.engines])
    table = read_topic_table(basis, subject_names(brand), engine=engine)
    return TopicReport(
        site=brand.pk,
        as_of=basis.latest,
        topics=topic_items(table),
        next_step=None if table.rows else _how_to_get_topics(brand, table),
    )


def topic_named(brand: Brand, name: str) -> str:
    """The topic of the brand's prompts that is meant by a name, as it is stored; for a prompt that states none its
    id. See `meant_topic`."""
    return meant_topic(read_topics(brand.pk), name).key


def meant_topic(topics: Topics, name: str) -> Topic:
    """The topic that is meant by a name; case, dashes, spaces and plurals make no difference, and a part of a name is
    enough where no other has it. Raises invalid_arguments, which lists the topics that there are."""
    topic = topics.meant_by(name)
    if topic is None:
        raise _unknown(topics)
    return topic


def named_topic(brand_id: UUID, name: str | None) -> Topic | None:
    """The topic that is meant by a name, where one is asked for; errors as `meant_topic`. One statement at most."""
    return None if name is None else meant_topic(read_topics(brand_id), name)


def topic_items(table: TopicTable, most: int | None = None) -> list[TopicItem]:
    """The rows of the table as they look from outside, of more than `most` those at either end."""
    rows = list(table.rows)
    if most is not None and len(rows) > most:
        rows[most // 2 : most // 2 - most] = []
    return [topic_item(table, row) for row in rows]


def topic_item(table: TopicTable, row: TopicRow) -> TopicItem:
    """One topic with everybody's figures: the brand first, then whom most answers name."""
    rivals = [subject for subject in row.figures if subject != BRAND]
    rivals.sort(key=lambda subject: (-row.figures[subject].named, list(table.names).index(subject)))
    return TopicItem(
        topic=row.topic.name,
        prompts=row.own.prompts,
        subjects=[_subject(subject, table.names[subject], row.figures[subject]) for subject in (BRAND, *rivals)],
    )


def topic_scores(table: TopicTable, name: str, *, first: date, last: date, engine: str | None = None) -> TopicScores:
    """The topic of that name with everybody's figures now, and the brand's own on the measured days. Raises
    invalid_arguments where there is none, or more than one, or it is not the brand's own."""
    topic = meant_topic(table.topics, name)
    days = read_topic_days(table.basis.brand, table.topics, topic, first=first, last=last, engine=engine)
    return TopicScores(**dict(_item(table, topic)), trend=[_day(day) for day in days], no_change=ONE_TOPIC)


def named_item(table: TopicTable, name: str) -> TopicItem:
    """The topic of that name with everybody's figures now; without subjects where it is not answered. Raises
    invalid_arguments where there is none, or more than one, or it is not the brand's own."""
    return _item(table, meant_topic(table.topics, name))


def _item(table: TopicTable, topic: Topic) -> TopicItem:
    row = table.row(topic.key)
    if row is None and topic.key in not_own_topics(table.basis.brand):
        raise invalid("topic", NOT_OWN)
    return topic_item(table, row) if row else TopicItem(topic=topic.name, prompts=0, subjects=[])


def _day(topic_day: TopicDay) -> TopicDayResource:
    figures = topic_day.figures
    return TopicDayResource(date=topic_day.day, named=figures.named, answers=figures.answers, **_rates(figures.score))


def _rates(score: Estimate) -> dict[str, Any]:
    return {
        "score": rounded(score.value),
        "panel_low": rounded(score.low),
        "panel_high": rounded(score.high),
        "no_interval": score.reason,
    }


def _subject(subject: str, name: str, figures: TopicFigures) -> TopicSubject:
    return TopicSubject(
        competitor=None if subject == BRAND else UUID(subject),
        name=name,
        named=figures.named,
        answers=figures.answers,
        **_rates(figures.score),
        engines=[
            TopicEngine(engine=engine, named=naming.named, answers=naming.answers)
            for engine, naming in figures.engines.items()
            if naming.answers
        ],
    )


def _how_to_get_topics(brand: Brand, table: TopicTable) -> NextStep:
    if not table.topics.wordings:
        return next_step("generate_prompts", "There are no prompts yet: write some first.", siteId=str(brand.pk))
    return next_step(
        "run_visibility_scan",
        "No answer to a prompt that does not name the site is measured now: a scan brings answers.",
        siteId=str(brand.pk),
    )


def _unknown(topics: Topics) -> ServiceError:
    """The refusal of a name that no topic has, or more than one."""
    names = [topic.name for topic in topics.topics if topic.active]
    if not names:
        return invalid(
            "topic", f"This site has no topics yet: {called('generate_prompts')} writes prompts. Leave topic out."
        )
    listed = ", ".join(quoted(shortened(name, MAX_LETTERS)) for name in names[:MAX_LISTED])
    rest = len(names) - MAX_LISTED
    more = f" and {rest} more, which {called('list_prompts')} shows" if rest > 0 else ""
    return invalid("topic", f"No one topic of this site is called so. Choose from: {listed}{more}; or leave it out.")
