"""Prompts and the status of recommendations."""

import pytest

from apikeys.caller import Caller
from apikeys.operators import system_caller
from brands.models import Brand
from tests.factories import AnswerFactory, BrandFactory, PromptFactory, RecommendationFactory, UserFactory, plan
from visibility.models import Prompt, PromptVersion
from visibility.services.prompts.editing import (
    AddedPrompts,
    PromptDraft,
    add_prompts,
    archive_prompt,
    edit_prompt,
    prompt_digest,
    restore_prompt,
)
from visibility.services.recommendations.deciding import set_status

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(cast):
    return Caller.from_user(cast.editor)


def add(caller, brand, *texts, **more):
    return add_prompts(caller, brand=brand, drafts=[PromptDraft(text, **more) for text in texts])


def test_a_prompt_begins_with_its_first_version(cast, editor):
    added = add(editor, cast.brand, " Which  CRM\nis best? ", stage="decision", intent="comparison", locale="EN_gb")
    prompt = Prompt.objects.get()
    assert added == AddedPrompts([prompt], [prompt], [])
    assert (prompt.text, prompt.topic, prompt.version) == ("Which CRM is best?", "Which CRM is best?", 1)
    assert (prompt.stage, prompt.intent, prompt.locale) == ("decision", "comparison", "en-GB")
    version = PromptVersion.objects.get()
    assert (version.number, version.text, version.created_by) == (1, prompt.text, editor.actor)


def test_a_wording_that_is_there_is_returned(cast, editor):
    first = add(editor, cast.brand, "which crm?").created[0]
    again = add(editor, cast.brand, "new one?", "Which  CRM?", "NEW one?")
    assert [prompt.text for prompt in again.prompts] == ["new one?", "which crm?", "new one?"]
    assert again.prompts[1] == first
    assert len(again.created) == 1
    assert add(editor, cast.brand, "which crm?", locale="de").created  # another locale is another prompt
    assert add(system_caller("x"), BrandFactory(), "which crm?").created


def test_the_digest_is_of_wording_and_locale():
    assert prompt_digest("Which  CRM?", "") == prompt_digest("which crm?", "")
    assert len({prompt_digest("a", "de"), prompt_digest("a", ""), prompt_digest("ade", "")}) == 3


def test_an_archived_wording_comes_back_with_its_history(cast, editor):
    prompt = add(editor, cast.brand, "which crm?").created[0]
    answer = AnswerFactory(run__brand=cast.brand, prompt=prompt)
    archive_prompt(editor, prompt=prompt)
    added = add(editor, cast.brand, "which crm?")
    assert (added.created, added.restored) == ([], [prompt])
    assert Prompt.objects.get().archived_at is None
    assert prompt.answers.get() == answer


@pytest.mark.parametrize(
    ("values", "argument"),
    [
        ({"text": ""}, "text"),
        ({"text": " \n\t"}, "text"),
        ({"text": "x" * 2001}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"text": "a\x07b"}, "text"),
        ({"text": "a\u202eb"}, "text"),
        ({"text": "a\ud800b"}, "text"),
        ({"topic": "x" * 201}, "topic"),
        ({"persona": "x" * 201}, "persona"),
        ({"stage": "later"}, "stage"),
        ({"intent": "none"}, "intent"),
        ({"locale": "english"}, "locale"),
        ({"locale": "en-GB-oed-more"}, "locale"),
    ],
)
def test_bad_drafts_are_named_and_nothing_is_added(cast, editor, refused, values, argument):
    drafts = [PromptDraft("good?"), PromptDraft(**{"text": "also good?", **values})]
    error = refused("invalid_arguments", add_prompts, editor, brand=cast.brand, drafts=drafts)
    assert error.details == {"argument": f"drafts[1].{argument}"}
    assert not Prompt.objects.exists()
    prompt = add(editor, cast.brand, "good?").created[0]
    assert refused("invalid_arguments", edit_prompt, editor, prompt=prompt, **values).details["argument"] == argument


def test_long_and_foreign_texts_are_kept_whole(cast, editor):
    text = "Welches Café – 「日本」 👩‍👩‍👧 ist das beste? " + "x" * 1900
    assert add(editor, cast.brand, text).created[0].text == text
    assert Prompt.objects.get().topic == text[:200]


def test_the_quota_counts_active_prompts_all_or_none(refused, system):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    added = add(system, brand, *[f"q{n}?" for n in range(9)])
    error = refused("quota_exceeded", add, system, brand, "new1?", "new2?")
    assert error.details == {"limit": 10, "used": 9, "resetsAt": None}
    assert Prompt.objects.count() == 9
    add(system, brand, "new1?", "q0?", "q1?")  # those that are there take no room
    refused("quota_exceeded", add, system, brand, "new2?")
    archive_prompt(system, prompt=added.created[0])
    add(system, brand, "new2?")
    refused("quota_exceeded", restore_prompt, system, prompt=added.created[0])
    refused("quota_exceeded", add, system, brand, "q0?")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_twenty_callers_do_not_pass_the_prompt_limit(system, at_once):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    archived = PromptFactory.create_batch(5, brand=brand, archived_at=brand.created_at)

    def act(number):
        if number < 5:
            return restore_prompt(system, prompt=archived[number])
        return add(system, brand, f"a{number}?", f"b{number}?")

    outcomes = at_once(20, act)
    assert brand.prompts.active().count() <= 10
    assert {outcome.code for outcome in outcomes if isinstance(outcome, Exception)} == {"quota_exceeded"}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_wording_is_added_once_at_the_same_moment(system, at_once):
    brand = BrandFactory()
    outcomes = at_once(8, lambda _: add(system, brand, "which crm?"))
    assert [len(outcome.created) for outcome in outcomes].count(1) == 1
    assert len({outcome.prompts[0].pk for outcome in outcomes}) == Prompt.objects.count() == 1


def test_a_new_wording_is_a_new_version(cast, editor):
    prompt = add(editor, cast.brand, "which crm?").created[0]
    answer = AnswerFactory(run__brand=cast.brand, prompt=prompt)
    edited = edit_prompt(editor, prompt=prompt, text="which CRM is best?", stage="decision")
    assert (edited.pk, edited.version, edited.text, edited.stage) == (prompt.pk, 2, "which CRM is best?", "decision")
    assert edited.topic == "which crm?"  # still the same need
    assert list(prompt.versions.values_list("number", "text")) == [(1, "which crm?"), (2, "which CRM is best?")]
    answer.refresh_from_db()
    assert answer.version.text == "which crm?"
    assert edited.digest == prompt_digest("which CRM is best?", "")


def test_other_fields_make_no_version(cast, editor):
    prompt = add(editor, cast.brand, "which crm?").created[0]
    edited = edit_prompt(editor, prompt=prompt, topic="crm", persona="buyer", stage="", intent="")
    assert (edited.version, edited.topic, edited.persona) == (1, "crm", "buyer")
    assert PromptVersion.objects.count() == 1


def test_another_locale_is_another_version(cast, editor):
    """What was asked stays on record: answers from before keep the locale that they were asked in."""
    prompt = add(editor, cast.brand, "which crm?").created[0]
    edited = edit_prompt(editor, prompt=prompt, locale="de-at")
    assert (edited.version, edited.text, edited.locale) == (2, "which crm?", "de-AT")
    assert list(prompt.versions.values_list("number", "text", "locale")) == [
        (1, "which crm?", ""),
        (2, "which crm?", "de-AT"),
    ]
    assert edited.digest == prompt_digest("which crm?", "de-AT")
    assert edit_prompt(editor, prompt=prompt, locale="de-AT").version == 2


def test_an_edit_meets_no_other_prompt_and_no_archive(cast, editor, refused):
    prompt, other = add(editor, cast.brand, "which crm?", "which erp?").created
    refused("conflict", edit_prompt, editor, prompt=prompt, text="Which ERP?")
    assert PromptVersion.objects.filter(prompt=prompt).count() == 1
    archive_prompt(editor, prompt=other)
    refused("conflict", edit_prompt, editor, prompt=other, topic="x")
    edit_prompt(editor, prompt=prompt, text="Which ERP?")
    refused("conflict", restore_prompt, editor, prompt=other)


def test_archive_and_restore_are_repeatable(cast, editor):
    prompt = add(editor, cast.brand, "which crm?").created[0]
    archived = archive_prompt(editor, prompt=prompt).archived_at
    assert archive_prompt(editor, prompt=prompt).archived_at == archived
    assert not Prompt.objects.active().exists()
    restore_prompt(editor, prompt=prompt)
    restore_prompt(editor, prompt=prompt)
    assert Prompt.objects.active().get() == prompt


def test_adding_takes_the_same_statements_for_one_and_for_many(cast, editor, django_assert_num_queries):
    with django_assert_num_queries(7):
        add(editor, cast.brand, "one?")
    with django_assert_num_queries(7):
        add(editor, cast.brand, *[f"q{n}?" for n in range(20)])


@pytest.mark.parametrize("status", ["open", "in_progress", "done", "dismissed"])
def test_people_set_the_status(cast, editor, status):
    row = RecommendationFactory(brand=cast.brand, status="resolved")
    before = row.updated_at
    assert set_status(editor, recommendation=row, status=status, reason="so").status == status
    row.refresh_from_db()
    assert row.status == status
    assert row.updated_at > before


def test_the_same_status_changes_nothing(cast, editor):
    row = RecommendationFactory(brand=cast.brand)
    before = row.updated_at
    set_status(editor, recommendation=row, status="open")
    row.refresh_from_db()
    assert row.updated_at == before


@pytest.mark.parametrize("status", ["resolved", "closed", ""])
def test_measurement_alone_resolves(cast, editor, refused, status):
    row = RecommendationFactory(brand=cast.brand)
    refused("invalid_arguments", set_status, editor, recommendation=row, status=status)
    row.refresh_from_db()
    assert row.status == "open"


def test_a_deleted_brand_takes_no_prompts(cast, editor, refused):
    prompt = add(editor, cast.brand, "which crm?").created[0]
    Brand.objects.all().delete()
    refused("not_found", add, editor, cast.brand, "x?")
    refused("not_found", edit_prompt, editor, prompt=prompt, text="y?")
