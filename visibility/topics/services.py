"""Writes of topics."""

from collections.abc import Collection, Iterable
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from apikeys.accounts.caller import Caller
from apikeys.errors import conflict, invalid, not_found
from apikeys.text import clean_line
from brands.access import editable_brand
from brands.later import defer_for_brand
from brands.models import Brand
from brands.trail import What, note, note_all
from visibility.models import Prompt, Topic
from visibility.models.prompts import LONGEST_TOPIC
from visibility.topics.proposals import propose_topics

MOST_NAMED = 100
OWN = {True: gettext_noop("yours"), False: gettext_noop("not yours"), None: gettext_noop("undecided")}
"""The decisions on a topic in the words of the trail."""


def get_or_add_topics(brand: Brand, names: Iterable[str]) -> dict[str, Topic]:
    """The topics of a locked brand by these names, in lower case; those that it lacks are added, undecided."""
    wanted = {name.lower(): name for name in (clean_line("topic", name, longest=LONGEST_TOPIC) for name in names)}
    known = {topic.name.lower(): topic for topic in brand.topics.all()}
    missing = [Topic(brand=brand, name=name) for key, name in wanted.items() if key not in known]
    Topic.objects.bulk_create(missing)
    return known | {topic.name.lower(): topic for topic in missing}


@transaction.atomic
def decide_topic(caller: Caller, *, brand_id: UUID, topic_id: UUID, own: bool | None) -> Topic:
    """Say whether the brand sells what a topic is about; None takes a decision back.

    A topic that is not own leaves every figure and list, for the whole history. Raises not_found,
    read_only_collaborator.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    topic: Topic | None = brand.topics.filter(pk=topic_id).first()
    if topic is None:
        raise not_found()
    _decide(caller, brand, [topic], own)
    defer_for_brand("rescore", brand.pk)
    return topic


@transaction.atomic
def decide_own_topics(caller: Caller, *, brand_id: UUID, names: Collection[str]) -> None:
    """Say that the brand sells what these topics are about, and nothing of its others.

    Raises invalid_arguments for a name that is no topic, with those that there are.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    topics = {topic.name.lower(): topic for topic in brand.topics.all()}
    wanted = {name.strip().lower() for name in names}
    if unknown := sorted(wanted - topics.keys()):
        listed = ", ".join(sorted(topic.name for topic in topics.values())) or "none"
        raise invalid(
            "topic",
            gettext("{unknown} is no topic of {name}. Its topics are: {listed}.").format(
                unknown=unknown[0], name=brand.name, listed=listed
            ),
        )
    _decide(caller, brand, [topic for key, topic in topics.items() if key in wanted], own=True)
    _decide(caller, brand, [topic for key, topic in topics.items() if key not in wanted], own=False)
    defer_for_brand("rescore", brand.pk)


@transaction.atomic
def name_own_topics(caller: Caller, *, brand_id: UUID, names: Collection[str]) -> None:
    """Say what the brand sells, as topics; those that it lacks are added. Others go if nothing was ever asked
    about them.

    Raises not_found, read_only_collaborator, invalid_arguments for a bad name and for more than 100.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    if len(names) > MOST_NAMED:
        raise invalid(
            "topics",
            gettext("{number} topics are more than {most}. Begin with those that matter most.").format(
                number=len(names), most=MOST_NAMED
            ),
        )
    topics = get_or_add_topics(brand, names)
    wanted = [topics[clean_line("topic", name, longest=LONGEST_TOPIC).lower()] for name in names]
    _decide(caller, brand, [topic for topic in wanted if not topic.own], own=True)
    others = brand.topics.filter(prompts=None).exclude(pk__in=[topic.pk for topic in wanted])
    note_all(caller, brand, What.TOPIC, [(topic.name, OWN[topic.own], "") for topic in others])
    others.delete()
    defer_for_brand("rescore", brand.pk)


@transaction.atomic
def decide_as_proposed(caller: Caller, *, brand_id: UUID, topic_id: UUID) -> Topic:
    """Decide a topic as `propose_topics` has it; as `decide_topic`, and conflict where nothing is proposed."""
    proposal = propose_topics(caller, brand_id).get(topic_id)
    if proposal is None:
        raise conflict(gettext("Nothing is proposed for this topic. Decide it yourself."))
    return decide_topic(caller, brand_id=brand_id, topic_id=topic_id, own=proposal.own)


@transaction.atomic
def undo_pooling(caller: Caller, *, brand_id: UUID) -> int:
    """Give each prompt of the brand's pooled topics a topic of its own again; returns how many prompts that are.

    The decision on a pooled topic goes over to each of them. Raises not_found, read_only_collaborator.
    """
    brand = editable_brand(caller, brand_id, lock=True)
    prompts = list(Prompt.objects.filter(brand=brand, topic__pooled=True).select_related("topic"))
    brand.topics.filter(pooled=True).update(pooled=False)
    topics = get_or_add_topics(brand, [prompt.text[:LONGEST_TOPIC] for prompt in prompts])
    for prompt in prompts:
        before, prompt.topic = prompt.topic, topics[" ".join(prompt.text[:LONGEST_TOPIC].split()).lower()]
        if before.own is not None and prompt.topic.own is None:
            Topic.objects.filter(pk=prompt.topic.pk).update(
                own=before.own, decided_by=before.decided_by, decided_at=before.decided_at
            )
    Prompt.objects.bulk_update(prompts, ["topic"])
    if prompts:
        note(caller, brand, What.TOPIC, gettext_noop("put together"), gettext_noop("one for each prompt"))
    defer_for_brand("rescore", brand.pk)
    return len(prompts)


def _decide(caller: Caller, brand: Brand, topics: Collection[Topic], own: bool | None) -> None:
    note_all(caller, brand, What.TOPIC, [(topic.name, OWN[topic.own], OWN[own]) for topic in topics])
    Topic.objects.filter(pk__in=[topic.pk for topic in topics]).update(
        own=own, decided_by=caller.actor, decided_at=timezone.now()
    )
