"""The question which topics a brand sells: whom it is asked, what an answer changes, where it is changed later."""

import pytest
from django.test import Client
from django.urls import reverse

from apikeys.caller import Caller
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from tests.scans.history import asked_run, end
from visibility.models import Prompt, Recommendation, TopicChoice
from visibility.services.topics.deciding import choose_topics, topic_decisions

pytestmark = pytest.mark.django_db
QUESTION = "Which of these do you sell?"
HOSTILE = "<script>alert(1)</script>"
ANSWERED = {"winter bikes": "Velmora is best.", "cargo bikes": "Acme is best, then Velmora.", "locks": "Velmora."}


@pytest.fixture
def measured(cast):
    """Answers name the brand on cargo bikes alone."""
    CompetitorFactory(brand=cast.brand, name="Velmora")
    prompts = [PromptFactory(brand=cast.brand, text=f"Which {topic} are best?", topic=topic) for topic in ANSWERED]
    end(asked_run(cast.brand, prompts, texts=list(ANSWERED.values())))
    return cast.brand


@pytest.fixture
def at(measured):
    return {"brand_id": measured.pk}


def said(**choices):
    """The fields of the form: what is said of each topic, whose name has _ for a space."""
    fields = {}
    for number, (topic, answer) in enumerate(choices.items()):
        fields |= {f"topic-{number}": topic.replace("_", " "), f"sells-{number}": answer}
    return fields


def chosen():
    return dict(TopicChoice.objects.values_list("topic", "is_own"))


def test_those_who_may_answer_are_asked_of_all_that_nobody_decided_at_once(visit, cast, at):
    for person in (cast.owner, cast.editor):
        page = visit(person, "prompts-page", **at).content.decode()
        asked = page.split(QUESTION)[1].split("</section>")[0]
        assert all(topic in asked for topic in ANSWERED)
        assert asked.count('type="radio"') == 6 and "checked" not in asked
    for person in (cast.viewer, staff("view_brand")):
        assert QUESTION not in visit(person, "prompts-page", **at).content.decode()


def test_the_page_of_the_brand_leads_those_who_may_answer_to_the_question(visit, cast, at):
    for person in (cast.owner, cast.editor):
        page = text_of(visit(person, "brand-page", **at))
        assert "they count all the same, until you say which you sell" in page
    for person in (cast.viewer, staff("view_brand")):
        assert "say which you sell" not in text_of(visit(person, "brand-page", **at))


def test_the_question_is_gone_once_it_is_answered(visit, cast, at, django_capture_on_commit_callbacks):
    assert QUESTION in visit(cast.owner, "prompts-page", **at).content.decode()
    with django_capture_on_commit_callbacks(execute=True):
        page = visit(cast.editor, "choose-topics", said(winter_bikes="yes", locks="no", cargo_bikes="yes"), **at)
    assert "3 topics changed" in text_of(page)
    assert chosen() == {"winter bikes": True, "locks": False, "cargo bikes": True}
    assert {choice.decided_by for choice in TopicChoice.objects.all()} == {f"user:{cast.editor.pk}"}
    assert QUESTION not in visit(cast.owner, "prompts-page", **at).content.decode()
    assert "say which you sell" not in text_of(visit(cast.owner, "brand-page", **at))


def test_what_was_left_open_is_asked_again(visit, cast, at):
    visit(cast.owner, "choose-topics", {**said(winter_bikes="yes"), "topic-7": "locks"}, **at)
    assert chosen() == {"winter bikes": True}
    asked = visit(cast.owner, "prompts-page", **at).content.decode().split(QUESTION)[1].split("</section>")[0]
    assert "locks" in asked and "winter" not in asked


def test_it_is_changed_later_on_the_page_of_topics(visit, cast, at):
    visit(cast.owner, "choose-topics", said(winter_bikes="yes"), **at)
    page = visit(cast.owner, "topics-page", **at)
    assert "you said so; named in 0 of 1 answers" in text_of(page)
    assert "not decided: it counts; named in 1 of 1 answers" in text_of(page)
    tags = Tags(page.content.decode())
    ticked = [radio["value"] for radio in tags.all("input") if "checked" in radio]
    assert ticked == ["yes"], "winter bikes; the others are not decided"
    assert len(tags.all("legend")) == len(tags.all("fieldset")) == 3
    again = visit(cast.owner, "choose-topics", said(winter_bikes="no"), **at)
    assert "1 topic changed" in text_of(again) and chosen() == {"winter bikes": False}


def test_viewers_read_what_is_known_and_choose_nothing(visit, cast, at):
    page = visit(cast.viewer, "topics-page", **at)
    assert "locks : not decided: it counts (named in 0 of 1 answers)" in text_of(page)
    assert 'action="/brands/' not in page.content.decode()
    refused = visit(cast.viewer, "choose-topics", said(locks="yes"), **at)
    assert "Ask its owner to make you an editor" in text_of(refused)
    for person in (cast.stranger, staff()):
        assert visit(person, "topics-page", **at).status_code == 404
    for person in (cast.stranger, staff(), staff("view_brand")):
        assert visit(person, "choose-topics", said(locks="yes"), **at).status_code == 404
    assert chosen() == {}


def test_choosing_takes_a_form_of_ours(cast, at):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    address = reverse("choose-topics", kwargs=at)
    assert strict.post(address, said(locks="yes")).status_code == 403
    assert strict.get(address).status_code == 405
    assert chosen() == {}


def test_a_topic_that_there_is_not_leaves_all_as_it_was(visit, cast, at):
    page = visit(cast.owner, "choose-topics", said(locks="yes", nonsense="yes"), **at)
    assert "One of these topics is gone" in text_of(page) and chosen() == {}
    assert "Nothing was chosen" in text_of(visit(cast.owner, "choose-topics", {"topic-1": "locks"}, **at))


def test_topics_of_others_stay_theirs(cast, measured, refused):
    other = BrandFactory(owner=cast.owner)
    refused(
        "invalid_arguments", choose_topics, Caller.from_user(cast.owner), brand_id=other.pk, choices={"locks": True}
    )
    assert chosen() == {}


def test_the_same_choice_again_changes_nothing(cast, owner, measured):
    assert choose_topics(owner, brand_id=measured.pk, choices={"locks": True}) == 1
    before = TopicChoice.objects.values().get()
    assert choose_topics(owner, brand_id=measured.pk, choices={"locks": True}) == 0
    assert TopicChoice.objects.values().get() == before


def test_it_is_asked_before_anything_is_measured_but_not_of_prompts_that_name_the_brand(visit, cast):
    at = {"brand_id": cast.brand.pk}
    PromptFactory(brand=cast.brand, text="Is Acme good?", topic="Acme itself")
    assert QUESTION not in visit(cast.owner, "prompts-page", **at).content.decode()
    assert "There is no topic yet" in text_of(visit(cast.owner, "topics-page", **at))
    PromptFactory(brand=cast.brand, text="Which lock?", topic="locks")
    assert QUESTION in visit(cast.owner, "prompts-page", **at).content.decode()
    visit(cast.owner, "choose-topics", said(locks="no"), **at)
    assert chosen() == {"locks": False}
    assert QUESTION not in visit(cast.owner, "prompts-page", **at).content.decode()


def test_of_many_topics_other_pages_lead_to_the_page_of_them(visit, cast):
    CompetitorFactory(brand=cast.brand, name="Velmora")
    prompts = [PromptFactory(brand=cast.brand, text=f"Which {n}?", topic=f"kind {n}") for n in range(21)]
    end(asked_run(cast.brand, prompts, texts=["Velmora is best."] * 21))
    page = visit(cast.owner, "prompts-page", brand_id=cast.brand.pk)
    assert "Choose among 21 topics" in text_of(page)
    assert visit(None, "topics-page", brand_id=cast.brand.pk).content.decode().count('type="radio"') == 42


def test_names_of_topics_stay_words(visit, cast, measured, owner):
    prompt = PromptFactory(brand=cast.brand, text=f"Which {HOSTILE}?", topic=HOSTILE)
    rest = list(Prompt.objects.filter(brand=cast.brand).exclude(pk=prompt.pk))
    end(asked_run(cast.brand, [prompt, *rest], texts=["Velmora."] * 4, day=1))
    assert HOSTILE in {topic.key for topic in topic_decisions(owner, brand_id=measured.pk).topics}
    for name in ("topics-page", "prompts-page"):
        page = visit(cast.owner, name, brand_id=measured.pk).content.decode()
        assert Tags(page).all("script") == [] and "&lt;script&gt;" in page
    visit(cast.owner, "choose-topics", {"topic-1": HOSTILE, "sells-1": "no"}, brand_id=measured.pk)
    assert chosen() == {HOSTILE: False}


def test_the_queue_follows_at_once(visit, cast):
    CompetitorFactory(brand=cast.brand, name="Velmora")
    prompts = [PromptFactory(brand=cast.brand, text=f"Which lock, {n}?", topic="locks") for n in range(20)]
    end(asked_run(cast.brand, prompts, texts=["Velmora is best."] * 20))
    gaps = Recommendation.objects.filter(kind="topic_gap", topic="locks")
    assert gaps.get().status == "open", "what nobody has decided counts"
    visit(cast.owner, "choose-topics", said(locks="no"), brand_id=cast.brand.pk)
    assert gaps.get().status == "resolved" and gaps.get().status_reason
