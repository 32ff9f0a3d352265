"""Topics: only owners and editors decide which are the brand's own."""

import json
from collections import Counter

import pytest

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from tests.factories import BrandFactory, CollaboratorFactory
from tests.reference import reference_file
from visibility.models import Page, Topic
from visibility.prompts.services import PromptDraft, add_prompts
from visibility.topics.pooling import pool
from visibility.topics.proposals import propose_topics
from visibility.topics.services import decide_as_proposed, decide_own_topics, decide_topic, get_or_add_topics

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


def test_what_the_brand_says_of_itself_proposes_its_topics_and_what_answers_say_does_not():
    brand = BrandFactory(description="GPS running watches, for runners who travel with laptops.")
    texts = {"watches": "best running watch under 400", "laptops": "best laptop under 1000", "tvs": "best TV"}
    drafts = [PromptDraft(text, topic) for topic, text in texts.items()]
    add_prompts(SYSTEM, brand_id=brand.pk, drafts=drafts)
    topics = {topic.name: topic for topic in brand.topics.all()}
    [(topic_id, proposal)] = propose_topics(SYSTEM, brand.pk).items()
    assert (topic_id, proposal.own) == (topics["watches"].pk, True)
    assert proposal.because == "The description says “GPS running watches”."
    for number in range(5):
        url = f"https://www.{brand.domain}/{number}"
        Page.objects.create(brand=brand, url=url, title="Laptops", text="We make laptops and much more. " * 60)
    Page.objects.create(brand=brand, url="https://other.example/", title="TV", text="TV")
    proposed = {topic: each.own for topic, each in propose_topics(SYSTEM, brand.pk).items()}
    assert proposed == {topics["watches"].pk: True, topics["laptops"].pk: True, topics["tvs"].pk: False}
    decide_as_proposed(SYSTEM, brand_id=brand.pk, topic_id=topics["tvs"].pk)
    assert Topic.objects.get(name="tvs").own is False
    assert topics["tvs"].pk not in propose_topics(SYSTEM, brand.pk), "it is decided"
    with pytest.raises(ServiceError, match="Nothing is proposed"):
        decide_as_proposed(SYSTEM, brand_id=brand.pk, topic_id=topics["tvs"].pk)


@pytest.mark.parametrize(("name", "right", "number"), [("answers", 67, 68), ("eight-topics", 28, 32)])
def test_real_wordings_without_topics_come_to_theirs(name, right, number):
    lines = reference_file(f"real-answers/{name}.jsonl").read_text().splitlines()
    topic_of = {row["prompt"]: row["topic"] for row in map(json.loads, lines)}
    largest: dict[str, int] = {}
    for wordings in pool(list(topic_of)):
        [(topic, count)] = Counter(topic_of[wording] for wording in wordings).most_common(1)
        largest[topic] = max(count, largest.get(topic, 0))
    assert len(topic_of) == number
    assert sum(largest.values()) >= right
