"""Topics: only owners and editors decide which are the brand's own."""

import pytest

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from tests.factories import BrandFactory, CollaboratorFactory
from visibility.models import Topic
from visibility.topics.services import decide_own_topics, decide_topic, get_or_add_topics

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


def test_a_decision_says_who_made_it_and_can_be_taken_back():
    brand = BrandFactory()
    topic = get_or_add_topics(brand, ["Bikes"])["bikes"]
    editor = Caller.from_user(CollaboratorFactory(brand=brand).user)
    decide_topic(editor, brand_id=brand.pk, topic_id=topic.pk, own=False)
    topic.refresh_from_db()
    assert (topic.own, topic.decided_by) == (False, editor.actor)
    decide_topic(editor, brand_id=brand.pk, topic_id=topic.pk, own=None)
    topic.refresh_from_db()
    assert topic.own is None


def test_viewers_and_other_brands_topics_are_refused():
    brand = BrandFactory()
    topic = get_or_add_topics(brand, ["Bikes"])["bikes"]
    viewer = Caller.from_user(CollaboratorFactory(brand=brand, role="viewer").user)
    for caller, brand_id, code in (
        (viewer, brand.pk, "read_only_collaborator"),
        (SYSTEM, BrandFactory().pk, "not_found"),
    ):
        with pytest.raises(ServiceError) as refusal:
            decide_topic(caller, brand_id=brand_id, topic_id=topic.pk, own=True)
        assert refusal.value.code == code


def test_naming_those_that_are_sold_decides_on_all():
    brand = BrandFactory()
    get_or_add_topics(brand, ["Bikes", "Cars"])
    decide_own_topics(SYSTEM, brand_id=brand.pk, names=["bikes"])
    assert dict(Topic.objects.values_list("name", "own")) == {"Bikes": True, "Cars": False}


def test_topics_are_one_whatever_their_case():
    brand = BrandFactory()
    get_or_add_topics(brand, ["Bikes"])
    get_or_add_topics(brand, ["BIKES", "bikes "])
    assert Topic.objects.count() == 1
