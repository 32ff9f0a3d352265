"""Prompts as buyers ask: from an engine, from searches, from a person's assistant; checked, never from a template."""

import json

import pytest

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.text import marked
from tests.engines.writer import scripted_writer
from tests.factories import BrandFactory
from visibility.content.prompts import prepare_prompts, prepare_wording, wished_topic
from visibility.content.questions import Wishes
from visibility.models import Answer, Prompt, Review, Topic


def generate(caller, brand, *, dry_run=False, **wishes):
    return prepare_prompts(caller, brand_id=brand.pk, wishes=Wishes(**wishes), dry_run=dry_run)()


def texts(found):
    return [each.text for each in found.prompts]


@pytest.fixture
def fresh(db):
    """A brand for which nothing was done yet."""
    return BrandFactory(name="Kryton", domain="kryton.example", description="Quiet locks for doors and sheds.")


@pytest.fixture
def maker(fresh):
    return Caller.from_user(fresh.owner)


def test_searches_that_read_like_a_person_are_prompts_as_they_are(owner, advised):
    searches = ["best e-bike Malmo winter", "what is the best bike for a rainy city", 'site:x.com "bike"']
    Answer.objects.filter(brand=advised.brand).update(searches=searches)
    made = generate(owner, advised.brand, stage="decision")
    assert texts(made) == ["what is the best bike for a rainy city"] and made.writer.kind == "none"
    assert made.prompts[0].because == "engines searched for it in 24 answers"
    assert Prompt.objects.get(stage="decision").topic.name == "bikes"


def test_a_dry_run_adds_nothing_and_says_what_a_scan_then_costs(owner, advised):
    Answer.objects.filter(brand=advised.brand).update(searches=["what is the best bike for a rainy city"])
    before = Prompt.objects.count()
    dry = generate(owner, advised.brand, dry_run=True)
    assert Prompt.objects.count() == before and {each.id for each in dry.prompts} == {None}
    assert (dry.effect.prompts_before, dry.effect.prompts_after) == (4, 5)


def test_without_an_engine_and_searches_it_says_so_with_the_prompt_to_copy(owner, advised):
    Review.objects.create(brand=advised.brand, digest=b"1", text="The chain broke after a week.")
    made = generate(owner, advised.brand)
    assert made.prompts == [] and "No engine that writes is set up" in made.why_none
    for part in ("- bikes", "- Which bikes would you buy for wish 0?", "The chain broke after a week.", "120 km"):
        assert part in made.prompt_to_copy
    assert marked("The chain broke after a week.") in made.prompt_to_copy.marked


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Which bikes would you buy for wish 0?", "a prompt already"),
        ("which BIKES would you buy, for wish 0", "a prompt already"),
        ("Is a Kryton bike good in winter?", "names a brand"),
        ("Is Zentra good in winter?", "names a brand"),
        ("Which bike is light? And which is cheap?", "more than one thing"),
        ("Bikes?", "no question of 3 words"),
        (f"Which bike {'is good ' * 40}?", "200 characters"),
        ("Welches Fahrrad ist für die Stadt am besten?", "not in English"),
    ],
)
def test_what_buyers_would_not_ask_is_refused_with_the_reason(owner, advised, text, reason):
    made = generate(owner, advised.brand, reply=text, dry_run=True)
    assert made.prompts == [] and reason in made.refused[0].reason


def test_the_answer_of_an_assistant_is_checked_and_added(owner, advised):
    reply = "Here you are:\n1. Which bike is good in winter?\n- Which bike is good in winter?\n2) Is Zentra light?"
    made = generate(owner, advised.brand, reply=reply)
    assert texts(made) == ["Which bike is good in winter?"]
    assert {each.reason for each in made.refused} >= {"it names a brand: such prompts never count"}
    assert Prompt.objects.filter(text="Which bike is good in winter?", topic__name="bikes").exists()


def test_a_new_brand_gets_its_first_prompts_from_an_assistant(maker, fresh):
    asked = generate(maker, fresh)
    assert "Quiet locks for doors and sheds." in asked.prompt_to_copy and "two or three words" in asked.prompt_to_copy
    reply = json.dumps({"prompts": [{"text": "Which lock is quiet at night?", "topic": "quiet locks"}]})
    assert texts(generate(maker, fresh, reply=f"Sure: {reply}")) == ["Which lock is quiet at night?"]
    assert Topic.objects.get(brand=fresh).name == "quiet locks"


def test_a_new_brand_gets_its_first_prompts_from_an_engine(maker, fresh, monkeypatch):
    good = {"prompts": [{"text": "Which lock is quiet at night?", "topic": "quiet locks"}]}
    with scripted_writer(monkeypatch, [good]) as asked:
        made = generate(maker, fresh)
    assert texts(made) == ["Which lock is quiet at night?"] and made.writer.engine == "scribe"
    assert marked("Quiet locks for doors and sheds.") in asked[0]


def test_a_first_topic_may_have_any_name_and_later_ones_are_those_that_there_are(maker, fresh):
    assert wished_topic(maker, fresh.pk, " quiet  locks ") == "quiet locks"
    Topic.objects.create(brand=fresh, name="doors")
    with pytest.raises(ServiceError) as error:
        wished_topic(maker, fresh.pk, "quiet locks")
    assert error.value.code == "invalid_arguments"


def test_of_a_brand_that_says_nothing_nothing_is_written(maker, fresh):
    fresh.description = ""
    fresh.save()
    made = generate(maker, fresh)
    assert made.prompt_to_copy is None and "say it in the site's description" in made.why_none


def test_an_engine_is_asked_again_where_nothing_that_it_wrote_passes(owner, advised, monkeypatch):
    foreign = {"prompts": [{"text": "Is Zentra good for me?"}]}
    good = {"prompts": [{"text": "Which bike has a battery for winter?", "topic": "bikes"}]}
    with scripted_writer(monkeypatch, [foreign, good]) as asked:
        made = generate(owner, advised.brand)
    assert texts(made) == ["Which bike has a battery for winter?"] and "names a brand" in asked[1]


def test_an_instruction_needs_an_engine_that_writes(owner, advised, monkeypatch):
    prompt = Prompt.objects.filter(brand=advised.brand).first()
    call = {"brand_id": advised.brand.pk, "prompt": prompt, "instruction": "shorter"}
    with pytest.raises(ServiceError) as error:
        prepare_wording(owner, **call)
    assert error.value.code == "no_engine_configured"
    with scripted_writer(monkeypatch, [{"text": "Which bike for a wish?"}]):
        worded = prepare_wording(owner, **call)()
    assert (worded.text, worded.version) == ("Which bike for a wish?", 2)
