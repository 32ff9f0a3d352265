"""Reading topics by the engine that writes, and taking in what a person's assistant has read: the same checks."""

import logging
from dataclasses import dataclass
from datetime import timedelta
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.accounts.usage import require_left
from apikeys.errors import ErrorCode, ServiceError, conflict, invalid
from apikeys.models import Usage
from brands.access import editable_brand
from brands.later import defer_advise, defer_read
from brands.models import Brand
from visibility.models import Reading, Statement
from visibility.reading.checks import Checked, check_reply
from visibility.reading.passages import Material, Source
from visibility.reading.reads import last_readings
from visibility.reading.task import VERSION, Reply, instructions, parse_reply
from visibility.runs.engines import Reached
from visibility.runs.writing import Written, write, writing_engine

EVERY = timedelta(days=7)
MOST_FAILURES = 3
"""Topics in one round for which the engine wrote nothing of use, before the round ends."""
NO_ENGINE = gettext_noop(
    "No engine that writes is set up. Copy the prompt of a topic into an assistant of yours, "
    "and paste its reply here."
)
CHANGED = gettext_noop("The answers have changed since that prompt was copied. Copy it again.")
logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Taken:
    """A reading that a person pasted, and what became of its rows."""

    reading: Reading
    checked: Checked


def read_topics(brand: Brand, *, by: str = "") -> int:
    """Have the engine that writes read the topics and reviews of a brand that were not read for a week, those not
    read for longest first; `by` an actor's hand also the others. Returns how many it read.

    What was read last, by whomever, is not read again. Every reading is stored as it comes; where a quota or limit
    on money is reached, the rest waits for the next round. Not inside a transaction.
    """
    reached = writing_engine()
    if reached is None or not (brand.is_read or by):
        return 0
    source, last = Source(brand), last_readings(brand)
    since = {topic: last.get(topic.pk if topic else None) for topic in source.topics()}
    due = [topic for topic, reading in since.items() if by or _is_due(reading)]
    due.sort(key=lambda topic: reading.made_at.timestamp() if (reading := since[topic]) else 0)
    number = failures = 0
    for topic in due:
        material = source.material(topic)
        if not material.texts or _is_read(material, since[topic]):
            continue
        try:
            number += _read(reached, material, by)
        except ServiceError as error:
            logger.warning("%s of %s was not read: %s", topic or "Reviews", brand.pk, error.message)
            failures += 1
            if error.code != ErrorCode.UPSTREAM_UNAVAILABLE or failures == MOST_FAILURES:
                break
    return number


def _is_due(last: Reading | None) -> bool:
    return last is None or last.version != VERSION or last.made_at < timezone.now() - EVERY


def _is_read(material: Material, last: Reading | None) -> bool:
    """Whether these texts are those that were read last."""
    return last is not None and last.version == VERSION and sorted(last.read) == material.read


def _read(reached: Reached, material: Material, by: str) -> bool:
    """Ask the engine, and store what passes; False where topic or competitors were deleted meanwhile."""
    reply, written = write(reached, material.brand, instructions(material), Reply, lambda reply: None)
    try:
        _store(material, check_reply(material, reply), written, by)
    except IntegrityError:
        logger.warning("%s changed while it was read", material.topic)
        return False
    return True


@transaction.atomic
def _store(material: Material, checked: Checked, written: Written | None, by: str) -> Reading:
    reading = Reading.objects.create(
        brand=material.brand,
        topic=material.topic,
        reader=written.engine if written else "",
        model=written.model[:100] if written else "",
        version=VERSION,
        read=material.read,
        refused=len(checked.refused),
        made_by=by[:100],
    )
    Statement.objects.bulk_create(
        Statement(
            reading=reading,
            answer_id=row.pk if material.topic else None,
            review_id=None if material.topic else row.pk,
            competitor_id=row.subject,
            facet=row.facet,
            value=row.value,
            heading=row.heading,
            start=row.start,
            end=row.end,
        )
        for row in checked.kept
    )
    return reading


@transaction.atomic
def take_in(caller: Caller, *, brand_id: UUID, topic: UUID | None, text: str) -> Taken:
    """Store what an assistant returned for the prompt of a topic, or of the reviews, as far as it passes the checks;
    then advice is made again.

    Raises not_found, read_only_collaborator, invalid_arguments (no reply, or there is nothing to read), conflict (the
    answers are others by now).
    """
    brand = editable_brand(caller, brand_id, lock=True)
    reply = parse_reply(text)
    source = Source(brand)
    topics = {each.pk if each else None: each for each in source.topics()}
    material = source.material(topics[topic]) if topic in topics else None
    if material is None or not material.texts:
        raise invalid("topic", gettext("There is nothing to read: no answer of now on it names you or a competitor."))
    if reply.batch and reply.batch != material.batch:
        raise conflict(gettext(CHANGED))
    checked = check_reply(material, reply)
    reading = _store(material, checked, None, caller.actor)
    defer_advise(brand.pk)
    return Taken(reading, checked)


@transaction.atomic
def read_now(caller: Caller, brand_id: UUID) -> None:
    """Enqueue the reading of all topics with new answers by the engine that writes.

    Raises not_found, read_only_collaborator, no_engine_configured, quota_exceeded.
    """
    brand = editable_brand(caller, brand_id)
    if writing_engine() is None:
        raise ServiceError(ErrorCode.NO_ENGINE_CONFIGURED, gettext(NO_ENGINE))
    require_left(brand.owner, Usage.Kind.WRITER_CALLS, 1)
    defer_read(brand.pk, caller.actor)


@transaction.atomic
def switch(caller: Caller, brand_id: UUID, on: bool) -> Brand:
    """Have the engine that writes read the brand's answers once a week, or no more.

    Raises not_found, read_only_collaborator, no_engine_configured.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    if on and writing_engine() is None:
        raise ServiceError(ErrorCode.NO_ENGINE_CONFIGURED, gettext(NO_ENGINE))
    brand.is_read = on
    brand.save(update_fields=["is_read"])
    return brand
