"""Cards on falls of the score, and the pages that answers stopped citing at the same time."""

from datetime import date

from apikeys.text import marked
from visibility.counts.words import engine_name
from visibility.models import ChangeRecord, Recommendation
from visibility.models.recommendations import Level
from visibility.recommendations.fix_prompts import fix_prompt
from visibility.recommendations.material import Material
from visibility.recommendations.own_pages import LostPages, lost_pages
from visibility.recommendations.priority import impact_of
from visibility.recommendations.queue import Card
from visibility.recommendations.sources import page_evidence

FALL = "fall"
SAME_EVENT_DAYS = 1
MOST_PARTS = 3
TOPIC_POINTS = 30
"""Points that a topic loses in a fall, from which on its gap is part of the fall."""


def falls(material: Material) -> list[Card]:
    """One card for each fall that has not recovered: of the score, or of one engine where the score did not fall
    at the same time. The pages that answers stopped citing then are part of it."""
    last = max((answer.day for answer in material.answers), default=None)
    records = ChangeRecord.objects.filter(brand=material.brand, delta__lt=0).open()
    rows = list(records.filter(reported_until__gte=last).order_by("engine", "-began")) if last else []
    whole = [row.began for row in rows if not row.engine]
    alone = [row for row in rows if not row.engine or not any(_is_near(row.began, day) for day in whole)]
    lost = lost_pages(material)
    return [
        _fall_card(material, row, next((each for each in lost if _is_near(each.day, row.began)), None))
        for row in alone
    ]


def is_same_event(card: Card, day: date) -> bool:
    """Whether pages that were lost on a day are part of the card of a fall."""
    return _is_near(date.fromisoformat(card.payload["since"]), day)


def _is_near(one: date, other: date) -> bool:
    return abs((one - other).days) <= SAME_EVENT_DAYS


def fallen_topics(material: Material) -> set[str]:
    """The topics that lost so much in a fall that has not recovered that it would make a gap."""
    records = ChangeRecord.objects.filter(brand=material.brand, delta__lt=0).open()
    parts = (part for record in records for part in record.parts.get("topics", []) if part["key"])
    return {part["key"] for part in parts if part["before"] - part["after"] >= TOPIC_POINTS}


def closed_fall(material: Material, row: Recommendation) -> str | None:
    """Why the card of a fall is over, if it is."""
    records = ChangeRecord.objects.filter(brand=material.brand)
    began, _, engine = row.subject.partition(" ")
    record = records.filter(began=began, engine=engine).first()
    if record is None or record.is_open:
        return None
    return f"The score has recovered since {record.state_since}."


def _fall_card(material: Material, record: ChangeRecord, lost: LostPages | None) -> Card:
    day = f"{record.began.day} {record.began:%B}"
    points, of_engine = (
        abs(record.delta),
        f" of {engine_name(record.engine.rpartition(' ')[0])}" if record.engine else "",
    )
    parts = _parts(material, record)
    pages = f"On the same day answers stopped citing {lost.words}." if lost else ""
    share = points / record.before if record.before else 1.0
    priority = max(60, min(89, round(100 * share**0.5)))
    first = f"The score{of_engine} fell from {record.before:.0f} to {record.after:.0f} % on {day}."
    return Card(
        subject=f"{record.began} {record.engine}".strip(),
        title=f"Win back the {points:.0f} points lost on {day}{of_engine}",
        summary=" ".join(part for part in (first, pages, parts) if part),
        priority=priority,
        impact=impact_of(priority),
        effort=Level.LOW if lost else Level.MEDIUM,
        evidence=[
            {"kind": "figure", "text": first},
            *(page_evidence(page.url, page.words) for page in (lost.pages if lost else ())),
        ],
        payload={
            "since": str(record.began),
            "lostPages": len(lost.pages) if lost else 0,
            "fixPrompt": fix_prompt(
                material,
                FALL,
                [first, pages, parts, *(page.line for page in (lost.pages if lost else ()))],
                points=f"{points:.0f}",
                day=day,
            ),
        },
    )


def _parts(material: Material, record: ChangeRecord) -> str:
    """What the fall is made of: the topics with the largest parts, and competitors that moved at the same time."""
    names = {str(pk): marked(topic.name) for pk, topic in material.topics.items()}
    parts = [each for each in record.parts.get("topics", []) if each["key"] in names and each["points"] < 0]
    shown = ", ".join(f"{names[each['key']]} down {abs(each['points']):.0f}" for each in parts[:MOST_PARTS])
    rivals = {str(pk): name for pk, name in material.competitors.items()}
    moved = [each for each in record.context.get("competitors", []) if each["key"] in rivals]
    also = ", ".join(f"{rivals[each['key']]} {each['before']:.0f} → {each['after']:.0f} %" for each in moved[:2])
    sentences = [f"By topic: {shown}." if shown else "", f"At the same time: {also}." if also else ""]
    return " ".join(sentence for sentence in sentences if sentence)
