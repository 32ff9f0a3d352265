"""Adding one prompt, pasting many, changing one: what is refused stays typed, and history stays clear."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import PromptFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import Browser, text_of
from tests.scans.history import asked_run, end
from visibility.models import Prompt, PromptVersion
from visibility.services.prompts.pasting import MAX_LINES

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"


@pytest.fixture
def at(cast):
    return {"brand_id": cast.brand.pk}


@pytest.fixture
def room(cast):
    """The plan of the brand has room for so many active prompts."""

    def set_limit(number):
        cast.owner.plan.max_prompts_per_site = number
        cast.owner.plan.save()

    return set_limit


def test_one_prompt_is_added_with_all_its_fields(visit, cast, at):
    fields = {"text": "Which  lock is safe?", "topic": "locks", "stage": "decision", "intent": "comparison"}
    page = visit(cast.editor, "add-prompt", fields | {"persona": "a commuter", "locale": "en_gb"}, **at)
    assert "1 prompt added. The next scan asks it." in text_of(page)
    kept = Prompt.objects.values("text", "topic", "stage", "intent", "persona", "locale", "version").get()
    assert kept == fields | {"text": "Which lock is safe?", "persona": "a commuter", "locale": "en-GB", "version": 1}
    assert PromptVersion.objects.get().created_by == f"user:{cast.editor.pk}"


@pytest.mark.parametrize(
    ("fields", "field", "words"),
    [
        ({"text": ""}, "text", "This field is required"),
        ({"text": "Which\u200block?"}, "text", "invisible character U+200B"),
        ({"text": "x" * 2001}, "text", "at most 2000"),
        ({"text": "Which?", "locale": "klingon!"}, "locale", "is not a known locale"),
        ({"text": "Which?", "topic": "lo\u202ecks"}, "topic", "invisible character"),
        ({"text": "Which?", "stage": "nonsense"}, "stage", "not one of the available choices"),
    ],
)
def test_what_is_refused_stays_typed_with_the_reason_at_its_field(visit, cast, at, fields, field, words):
    answer = visit(cast.owner, "add-prompt", {"persona": "a commuter", **fields}, **at)
    assert answer.status_code == 400 and not Prompt.objects.exists()
    assert words in " ".join(answer.context["one"].errors[field])
    assert 'value="a commuter"' in answer.content.decode() and words in text_of(answer)


def test_what_is_asked_already_is_said_and_what_was_archived_comes_back(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock?")
    asked = visit(cast.owner, "add-prompt", {"text": "which  LOCK?"}, **at)
    assert asked.status_code == 400 and "This is asked already" in text_of(asked)
    Prompt.objects.update(archived_at=timezone.now())
    again = visit(cast.owner, "add-prompt", {"text": "Which lock?"}, **at)
    assert "1 prompt restored from the archive" in text_of(again)
    assert Prompt.objects.get().archived_at is None


def test_a_full_plan_refuses_one_more_and_keeps_it_typed(visit, cast, at, room):
    room(0)
    page = visit(cast.owner, "add-prompt", {"text": "Which lock?"}, **at)
    assert page.status_code == 400 and "allows 0 active prompts" in text_of(page)
    assert "Which lock?</textarea>" in page.content.decode()


def test_a_list_is_added_line_by_line(visit, cast, at):
    text = "Which lock is safe?\r\n\r\n  Which lock is light?\tlocks\tDecision\tcomparison\tcommuter\tde-at\r\n"
    page = visit(cast.editor, "paste-prompts", {"text": text, "topic": "bikes", "locale": "en"}, **at)
    assert page.redirect_chain[-1][0] == reverse("prompts-page", kwargs=at)
    assert "2 prompts added. The next scan asks them." in text_of(page)
    kept = Prompt.objects.values_list("text", "topic", "stage", "intent", "persona", "locale").order_by("text")
    assert list(kept) == [
        ("Which lock is light?", "locks", "decision", "comparison", "commuter", "de-AT"),
        ("Which lock is safe?", "bikes", "", "", "", "en"),
    ]


def test_bad_lines_are_named_and_kept_and_the_others_are_added(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock is old?")
    bad = [
        "Which\u200block?",
        "x" * 2001,
        "Which?\tlocks\tnonsense",
        "\tlocks",
        "a\tb\tdecision\t\t\t\tmore",
        HOSTILE * 99,
    ]
    lines = ["Which lock is new?", *bad, "which lock is OLD?", "Which lock is  new?", "Which lock is third?"]
    answer = visit(cast.owner, "paste-prompts", {"text": "\n".join(lines), "persona": "a commuter"}, **at)
    said = text_of(answer)
    assert answer.status_code == 400 and "2 prompts added" in said
    assert "6 lines were not added" in said and "2 lines are asked already" in said
    for number, reason in {
        2: "invisible character U+200B",
        3: "has 2001 characters",
        4: "'nonsense' is not a known stage",
        5: "The first cell is empty",
        6: "The line has 7 cells",
        7: "has 2475 characters",
        8: "This is asked already.",
        9: "This is the same as line 1.",
    }.items():
        assert reason in said.split(f"Line {number}: ")[1].split("Line ")[0], number
    many = answer.context["many"]
    assert many["text"].value().split("\n") == bad, "exactly what was refused stays in the field"
    assert many["persona"].value() == "a commuter"
    assert Tags(answer.content.decode()).all("script") == []
    assert set(Prompt.objects.values_list("text", flat=True)) == {
        "Which lock is old?",
        "Which lock is new?",
        "Which lock is third?",
    }


def test_what_the_plan_has_no_room_for_stays_in_the_field(visit, cast, at, room):
    room(2)
    answer = visit(cast.owner, "paste-prompts", {"text": "A?\nB?\nC?\nD?"}, **at)
    assert answer.context["many"]["text"].value() == "C?\nD?"
    assert "allows 2 active prompts for each site" in text_of(answer)
    assert Prompt.objects.active().count() == 2


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": " \n \t \n"}, "There is no line to add"),
        ({"text": "\n".join(map(str, range(MAX_LINES + 1)))}, "at most 5,000 are added at once"),
        ({"text": "A?", "locale": "klingon!"}, "is not a known locale"),
    ],
)
def test_a_list_that_cannot_be_taken_is_kept_whole(visit, cast, at, fields, words):
    answer = visit(cast.owner, "paste-prompts", fields, **at)
    assert answer.status_code == 400 and words in text_of(answer)
    assert answer.context["many"]["text"].value() == fields["text"] and not Prompt.objects.exists()


def test_a_long_list_takes_few_statements(visit, cast, at, room, django_assert_max_num_queries):
    room(10_000)
    visit(cast.owner, "add-prompts", **at)
    with django_assert_max_num_queries(60):
        visit(
            None, "paste-prompts", {"text": "\n".join(f"Which lock, {n}?" for n in range(2000))}, follow=False, **at
        )
    assert Prompt.objects.active().count() == 2000


def test_another_wording_is_a_new_version_and_the_page_says_what_that_means(visit, cast, at):
    prompt = PromptFactory(brand=cast.brand, text="Which lock?", topic="locks")
    end(asked_run(cast.brand, [prompt], texts=["Acme."]))
    where = at | {"prompt_id": prompt.pk}
    page = text_of(visit(cast.editor, "edit-prompt", **where))
    assert "The score counts the old wording until the new one is asked." in page
    address = reverse("edit-prompt", kwargs=where)
    browser = Browser(cast.editor)
    answer = browser.submit(address, text="Which lock is safe?", topic="safe locks")
    assert answer.url == reverse("prompt-page", kwargs=where)
    assert "Saved as wording 2." in text_of(browser.open(answer.url))
    prompt.refresh_from_db()
    assert (prompt.text, prompt.topic, prompt.version) == ("Which lock is safe?", "safe locks", 2)
    listed = visit(None, "prompts-page", **at).context["page"].object_list
    assert (listed[0].named, listed[0].answers) == (1, 1), "as the page said: the old wording counts"
    page = text_of(visit(None, "edit-prompt", **where))
    assert page.index("Which lock is safe? since") < page.index("Which lock? since")


def test_another_topic_alone_keeps_the_wording(visit, cast, at):
    prompt = PromptFactory(brand=cast.brand, text="Which lock?")
    address = reverse("edit-prompt", kwargs=at | {"prompt_id": prompt.pk})
    browser = Browser(cast.owner)
    answer = browser.submit(address, topic="locks", stage="decision")
    prompt.refresh_from_db()
    assert (prompt.topic, prompt.stage, prompt.version) == ("locks", "decision", 1)
    assert "The wording is the same" in text_of(browser.open(answer.url))


def test_a_change_by_somebody_else_is_not_overwritten(visit, cast, at):
    prompt = PromptFactory(brand=cast.brand, text="Which lock?")
    where = at | {"prompt_id": prompt.pk}
    visit(cast.owner, "edit-prompt", {"text": "Which bike lock?", "seen_version": 1}, **where)
    late = visit(cast.editor, "edit-prompt", {"text": "Which good lock?", "seen_version": 1}, **where)
    assert late.status_code == 400 and "it is now “Which bike lock?”" in text_of(late)
    assert late.context["form"]["text"].value() == "Which good lock?", "what was typed is kept"
    prompt.refresh_from_db()
    assert prompt.text == "Which bike lock?"
    fields = {tag["name"]: tag.get("value") for tag in Tags(late.content.decode()).all("input") if "name" in tag}
    assert fields["seen_version"] == "2", "whoever has read it may save"
    visit(None, "edit-prompt", {"text": "Which good lock?", "seen_version": "2"}, **where)
    prompt.refresh_from_db()
    assert prompt.text == "Which good lock?"


def test_a_wording_of_another_prompt_is_refused(visit, cast, at):
    PromptFactory(brand=cast.brand, text="Which lock?")
    prompt = PromptFactory(brand=cast.brand, text="Which bike?")
    fields = {"text": "Which lock?", "seen_version": 1}
    answer = visit(cast.owner, "edit-prompt", fields, **at, prompt_id=prompt.pk)
    assert answer.status_code == 400 and "Another active prompt of this brand has this wording" in text_of(answer)


def test_archived_prompts_are_not_edited(visit, cast, at):
    prompt = PromptFactory(brand=cast.brand, archived_at=timezone.now())
    page = visit(cast.owner, "edit-prompt", **at, prompt_id=prompt.pk)
    assert "This prompt is archived" in text_of(page) and b"<textarea" not in page.content
    fields = {"text": "Which lock?", "seen_version": 1}
    assert visit(None, "edit-prompt", fields, **at, prompt_id=prompt.pk).status_code == 400
    prompt.refresh_from_db()
    assert prompt.version == 1


@pytest.mark.parametrize("name", ["add-prompt", "paste-prompts", "edit-prompt"])
def test_only_those_who_may_change_the_brand_write(visit, cast, at, name):
    prompt = PromptFactory(brand=cast.brand, text="Which lock?")
    where = at | ({"prompt_id": prompt.pk} if name == "edit-prompt" else {})
    fields = {"text": "Which other lock?", "seen_version": 1}
    assert "Ask its owner to make you an editor" in text_of(visit(cast.viewer, name, fields, **where))
    assert visit(cast.stranger, name, fields, **where).status_code == 404
    assert visit(staff(), name, fields, **where).status_code == 404
    assert visit(staff("view_brand"), name, fields, **where).status_code in (400, 404)
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse(name, kwargs=where), fields).status_code == 403
    assert list(Prompt.objects.values_list("text", "version")) == [("Which lock?", 1)]


def test_who_only_looks_gets_no_form(visit, cast, at):
    prompt = PromptFactory(brand=cast.brand, text="Which lock?")
    for person in (cast.viewer, staff("view_brand")):
        for name, where in (("add-prompts", at), ("edit-prompt", at | {"prompt_id": prompt.pk})):
            page = visit(person, name, **where)
            assert page.status_code == 200 and b"<textarea" not in page.content
            assert "You may read this brand but not change it" in text_of(page)
    for name, where in (("add-prompts", at), ("edit-prompt", at | {"prompt_id": prompt.pk})):
        assert visit(cast.stranger, name, **where).status_code == 404
    other = PromptFactory(brand__owner=cast.owner)
    assert visit(cast.owner, "edit-prompt", **at, prompt_id=other.pk).status_code == 404
