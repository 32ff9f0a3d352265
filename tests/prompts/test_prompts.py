"""Prompts: wordings stay on record, twins are none, quotas hold."""

import io
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from tests.scores.conftest import answers, imported
from tests.threads import at_once
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Prompt, PromptVersion, Topic
from visibility.overview.brief import read_brief
from visibility.prompts.reads import PromptFilter, list_prompts
from visibility.prompts.services import (
    PromptDraft,
    add_prompts,
    archive_prompt,
    move_prompt,
    restore_prompt,
    reword_prompt,
)
from visibility.scores.now import write_now

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


def add(brand, *texts, **fields):
    return add_prompts(SYSTEM, brand_id=brand.pk, drafts=[PromptDraft(text, **fields) for text in texts])


def refusal(call, *args, **kwargs):
    with pytest.raises(ServiceError) as refused:
        call(*args, **kwargs)
    return refused.value


def test_a_prompt_has_its_wording_and_a_topic_which_is_its_text_where_none_is_given():
    [prompt] = add(BrandFactory(), " Best   bike? ").created
    assert (prompt.text, prompt.topic.name, prompt.version) == ("Best bike?", "Best bike?", 1)
    assert PromptVersion.objects.get().text == "Best bike?"


def test_pasting_a_list_twice_adds_no_twins_whatever_case_and_spaces():
    brand = BrandFactory()
    add(brand, "Best bike?", "best  BIKE?", "Best car?", topic="things")
    again = add(brand, "BEST BIKE?", "Best car?", topic="things")
    assert (Prompt.objects.count(), len(again.created), len(again.prompts)) == (2, 0, 2)
    assert Topic.objects.count() == 1


def test_the_same_wording_in_another_locale_is_another_prompt():
    brand = BrandFactory()
    add(brand, "Best bike?", locale="en_gb")
    [other] = add(brand, "Best bike?", locale="EN-us").created
    assert other.locale == "en-US"
    assert Prompt.objects.count() == 2


def test_an_archived_prompt_comes_back_with_its_history():
    brand = BrandFactory()
    [prompt] = add(brand, "Best bike?").created
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk)
    assert not Prompt.objects.active().exists()
    assert add(brand, "Best bike?").restored == [prompt]
    assert Prompt.objects.active().get() == prompt


def test_archived_prompts_are_listed_with_the_answers_of_their_last_days():
    brand = imported(answers((1, 2), topics=("city",), texts=("Kryton is fine.",)))
    for prompt in Prompt.objects.order_by("text")[:2]:
        archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk)
    listed = list_prompts(SYSTEM, brand.pk, PromptFilter(active=False), full=False)
    assert [(row.mentioned, row.answers) for row in listed.prompts] == [(4, 4), (4, 4)]
    [sentence] = listed.summary
    assert sentence.startswith("No score of now counts 2 prompts that are archived: 8 of 8 answers")
    every = list_prompts(SYSTEM, brand.pk, PromptFilter(active=None), full=False)
    assert [row.answers for row in every.prompts] == [4, 4, 4] and "4 of 4 answers" in every.summary[0]


def test_a_new_wording_is_a_version_and_the_old_one_stays():
    brand = BrandFactory()
    [prompt] = add(brand, "Best bike?").created
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, text="Which bike is best?")
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, text="Which bike is best?")
    assert [version.text for version in PromptVersion.objects.order_by("number")] == [
        "Best bike?",
        "Which bike is best?",
    ]


def test_a_wording_of_another_active_prompt_is_refused_and_changes_nothing():
    brand = BrandFactory()
    first, second = add(brand, "one", "two").created
    assert refusal(reword_prompt, SYSTEM, brand_id=brand.pk, prompt_id=second.pk, text="ONE").code == "conflict"
    archive_prompt(SYSTEM, brand_id=brand.pk, prompt_id=second.pk)
    assert refusal(reword_prompt, SYSTEM, brand_id=brand.pk, prompt_id=second.pk, text="three").code == "conflict"
    reword_prompt(SYSTEM, brand_id=brand.pk, prompt_id=first.pk, text="two")
    assert refusal(restore_prompt, SYSTEM, brand_id=brand.pk, prompt_id=second.pk).code == "conflict"
    assert PromptVersion.objects.count() == 3


def test_a_prompt_moves_to_a_topic_that_is_made_for_it():
    brand = BrandFactory()
    [prompt] = add(brand, "Best bike?").created
    move_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, topic="Bikes")
    assert move_prompt(SYSTEM, brand_id=brand.pk, prompt_id=prompt.pk, topic="bikes").topic.name == "Bikes"


@pytest.mark.parametrize("change", ["archive", "restore", "move"])
def test_every_change_that_moves_figures_defers_their_writing(change):
    brand = BrandFactory()
    at = {"brand_id": brand.pk, "prompt_id": add(brand, "Best bike?").created[0].pk}
    if change == "restore":
        archive_prompt(SYSTEM, **at)
    with CaptureQueriesContext(connection) as captured:
        match change:
            case "archive":
                archive_prompt(SYSTEM, **at)
            case "restore":
                restore_prompt(SYSTEM, **at)
            case "move":
                move_prompt(SYSTEM, **at, topic="other")
    assert any("procrastinate_defer" in each["sql"] for each in captured)


@pytest.mark.parametrize(
    ("fields", "argument"),
    [
        ({"text": " "}, "drafts[0].text"),
        ({"text": "x" * 2_001}, "drafts[0].text"),
        ({"text": "a", "topic": "x" * 201}, "drafts[0].topic"),
        ({"text": "a", "stage": "later"}, "drafts[0].stage"),
        ({"text": "a", "intent": "?"}, "drafts[0].intent"),
        ({"text": "a", "locale": "english"}, "drafts[0].locale"),
    ],
)
def test_bad_input_names_the_draft_and_its_field(fields, argument):
    refused = refusal(add_prompts, SYSTEM, brand_id=BrandFactory().pk, drafts=[PromptDraft(**fields)])
    assert (refused.code, refused.details["argument"]) == ("invalid_arguments", argument)
    assert not Prompt.objects.exists()


def test_strangers_find_nothing_and_viewers_change_nothing():
    brand = BrandFactory()
    viewer = CollaboratorFactory(brand=brand, role="viewer").user
    for user, code in ((UserFactory(), "not_found"), (viewer, "read_only_collaborator")):
        caller = Caller.from_user(user)
        assert refusal(add_prompts, caller, brand_id=brand.pk, drafts=[PromptDraft("a")]).code == code


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_twenty_callers_at_once_pass_no_quota():
    brand = BrandFactory(owner=UserFactory(own_max_prompts_per_site=5))
    results = at_once([lambda number=number: add(brand, f"prompt {number}") for number in range(20)])
    assert sum(isinstance(result, ServiceError) for result in results) == 15
    assert Prompt.objects.active().count() == 5


def test_the_list_counts_the_answers_that_scores_count_and_says_what_else_it_has():
    def answer(prompt, text, engine="chatgpt", topic="bikes"):
        time = "2026-01-02T10:00:00Z"
        return json.dumps({"prompt": prompt, "text": text, "topic": topic, "engine": engine, "time": time})

    answers = [answer(f"Best bike for {place}?", "Kryton.") for place in ("hills", "town", "sand")]
    answers += [answer("Best bike for rain?", "Zentra."), answer("Is Kryton good?", "Kryton is.")]
    answers += [answer("Best car?", "Kryton.", topic="cars"), answer("Best bike for hills?", "None.", "gemini")]
    answers += [answer(f"Best bike for {place}?", " ", "gemini") for place in ("town", "sand")]
    brand = import_answers(
        SYSTEM, brand=NewBrand(UserFactory(), "Kryton", "k.example"), file=io.StringIO("\n".join(answers))
    ).brand
    Topic.objects.filter(brand=brand, name="cars").update(own=False)
    write_now(brand)
    listed = list_prompts(SYSTEM, brand.pk, PromptFilter(), full=False)
    assert listed.summary == [
        "Of 4 prompts that scores count, 3 of 4 answers name Kryton.",
        "No score counts 1 prompt with the name (branded): 1 of 1 answers repeat it.",
        "No score counts 1 prompt on topics that are not Kryton's own.",
    ]
    assert read_brief(SYSTEM, brand.pk).now.answers == 4
    assert [(row.text, row.branded) for row in listed.prompts[-2:]] == [
        ("Is Kryton good?", True),
        ("Best car?", False),
    ]
