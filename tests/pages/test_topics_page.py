"""The question which topics a brand sells: whom it is asked, what an answer changes, where it is changed later."""

import pytest
from django.test import Client
from django.urls import reverse

from apikeys.caller import Caller
from brands.models import Brand
from tests.factories import BrandFactory, CompetitorFactory, PromptFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from tests.scans.history import asked_run, end
from visibility.models import Generation, Prompt, Recommendation, TopicChoice
from visibility.services.topics.deciding import choose_topics, topic_decisions

pytestmark = pytest.mark.django_db
QUESTION = "which do you sell?"
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


BRAND_PAGES = ("brand-page", "prompts-page", "runs-page", "sources-page", "brand-settings", "start-page")


def test_the_question_stands_first_on_every_page_until_all_are_decided(visit, cast, at):
    for name in BRAND_PAGES:
        page = text_of(visit(cast.owner, name, **at))
        assert f"3 of 3 topics are not decided: {QUESTION} Until you decide they count in your score." in page, name
    visit(cast.editor, "choose-topics", said(winter_bikes="yes", locks="no"), **at)
    page = text_of(visit(cast.owner, "prompts-page", **at))
    assert "1 of 3 topics is not decided: do you sell it? Until you decide it counts in your score." in page
    visit(cast.editor, "choose-topics", said(cargo_bikes="yes"), **at)
    assert chosen() == {"winter bikes": True, "locks": False, "cargo bikes": True}
    assert {choice.decided_by for choice in TopicChoice.objects.all()} == {f"user:{cast.editor.pk}"}
    for name in (*BRAND_PAGES, "topics-page"):
        assert "not decided:" not in text_of(visit(cast.owner, name, **at)), name


def test_who_may_not_decide_reads_that_nobody_has(visit, cast, at):
    for person in (cast.viewer, staff("view_brand")):
        page = visit(person, "brand-page", **at)
        asked = "3 of 3 topics are not decided: which does Acme sell? Until its owner or an editor decides they count"
        assert asked in text_of(page) and "<form" not in page.content.decode().split("</header>")[1]


def test_one_click_takes_all_proposals(visit, cast, at):
    Brand.objects.update(description="Cargo bikes and bike locks.")
    page = visit(cast.owner, "brand-page", **at)
    assert "cargo bikes : yours . Your description says “Cargo bikes”." in text_of(page)
    assert "Take all 2 proposals" in text_of(page)
    section = page.content.decode().split('class="question"')[1].split("</section>")[0]
    fields = {
        tag["name"]: tag["value"]
        for tag in Tags(section.split(">", 1)[1]).all("input")
        if "topic" in tag["name"] or "sells" in tag["name"]
    }
    visit(cast.owner, "choose-topics", fields, **at)
    assert chosen() == {"cargo bikes": True, "locks": True}
    assert "proposal" not in text_of(visit(cast.owner, "brand-page", **at))


def test_without_proposals_it_says_where_they_would_come_from(visit, cast, at):
    page = text_of(visit(cast.owner, "topics-page", **at))
    assert "Nothing is proposed for them. Proposals follow from your description and the audit of your site" in page


def test_each_can_be_own_not_own_and_undecided_again(visit, cast, at):
    visit(cast.owner, "choose-topics", said(winter_bikes="yes", locks="no"), **at)
    tags = Tags(visit(cast.owner, "topics-page", **at).content.decode())
    ticked = sorted(radio["value"] for radio in tags.all("input") if "checked" in radio)
    assert ticked == ["no", "open", "yes"]
    assert len(tags.all("legend")) == len(tags.all("fieldset")) == 3
    again = visit(cast.owner, "choose-topics", said(winter_bikes="open", locks="no", cargo_bikes="open"), **at)
    assert "1 topic changed" in text_of(again) and chosen() == {"locks": False}


@pytest.mark.parametrize(("rest", "is_own"), [("no", False), ("yes", True), ("nonsense", None)])
def test_all_that_are_left_are_decided_at_once(visit, cast, at, rest, is_own):
    fields = said(winter_bikes="yes", locks="open", cargo_bikes="open") | {"rest": rest}
    visit(cast.owner, "choose-topics", fields, **at)
    left = {} if is_own is None else {"locks": is_own, "cargo bikes": is_own}
    assert chosen() == {"winter bikes": True, **left}


def test_what_follows_is_said(visit, cast, at):
    page = text_of(visit(cast.owner, "choose-topics", said(locks="yes"), **at))
    assert "1 topic changed. Your figures stay as they are" in page
    page = text_of(visit(cast.owner, "choose-topics", said(locks="no"), **at))
    assert "1 topic changed. The whole history is counted again: new figures follow in about a minute" in page
    assert Generation.objects.filter(brand=cast.brand, state=Generation.State.BUILDING).exists()


def test_prompts_on_other_topics_are_asked_until_they_are_archived(visit, cast, at, settings):
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    assert "Asked in vain" not in text_of(visit(cast.owner, "topics-page", **at))
    page = text_of(visit(cast.owner, "choose-topics", said(locks="no", winter_bikes="no"), **at))
    assert "2 prompts are still asked on 2 topics that are not yours: 6 credits of each scan" in page
    refused = visit(cast.viewer, "archive-topics", {}, **at)
    assert "Ask its owner to make you an editor" in text_of(refused)
    assert Prompt.objects.filter(brand=cast.brand).active().count() == 3
    page = text_of(visit(cast.editor, "archive-topics", {}, **at))
    assert "2 prompts archived" in page and "Asked in vain" not in page
    assert Prompt.objects.filter(brand=cast.brand).active().get().topic == "cargo bikes"


def test_viewers_read_what_is_known_and_choose_nothing(visit, cast, at):
    page = visit(cast.viewer, "topics-page", **at)
    assert "locks : not decided: it counts in the score (mentioned in 0 of 1 answers)" in text_of(page)
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
    assert "Nothing was changed" in text_of(visit(cast.owner, "choose-topics", {"topic-1": "locks"}, **at))


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
    assert "not decided" not in visit(cast.owner, "prompts-page", **at).content.decode()
    assert "There is no topic yet" in text_of(visit(cast.owner, "topics-page", **at))
    PromptFactory(brand=cast.brand, text="Which lock?", topic="locks")
    assert "The one topic that is asked about is not decided" in text_of(visit(cast.owner, "prompts-page", **at))
    visit(cast.owner, "choose-topics", said(locks="no"), **at)
    assert chosen() == {"locks": False}
    assert "not decided" not in visit(cast.owner, "prompts-page", **at).content.decode()


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
