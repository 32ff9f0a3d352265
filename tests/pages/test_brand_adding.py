"""A brand from its name to its first scan, without an operator."""

import pytest
from django.db.models import Count
from django.test import Client
from django.urls import reverse

from brands.models import Brand, Competitor
from tests.factories import BrandFactory, PromptFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import Browser, text_of
from visibility.models import Prompt, Run, TopicChoice

pytestmark = pytest.mark.django_db
FIELDS = {
    "name": "Norrvik",
    "domain": "https://www.norrvik.example/shop",
    "description": "Bikes",
    "aliases": "Norrvik Cycles\nApple",
}


def start_address(brand, name="start-page"):
    return reverse(name, kwargs={"brand_id": brand.pk})


def test_a_person_adds_a_brand_of_their_own_and_goes_on_to_what_is_next(visit, cast):
    assert reverse("add-brand") in visit(cast.stranger, "brand-list").content.decode()
    browser = Browser(cast.stranger)
    answer = browser.submit(reverse("add-brand"), **FIELDS)
    brand = Brand.objects.get(name="Norrvik")
    assert answer.url == start_address(brand)
    assert (brand.owner, brand.domain, brand.description) == (cast.stranger, "norrvik.example", "Bikes")
    assert {alias.text for alias in brand.aliases.all()} == {"Norrvik Cycles", "Apple"}
    said = text_of(browser.open(answer.url))
    assert "Norrvik is added." in said and "“Apple” is also" in said, "a name that means more is flagged at once"


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"domain": "no domain"}, "domain", "is not a domain"),
        ({"domain": "acme.example"}, "domain", "already has a brand with the domain acme.example"),
        ({"name": "Nor\u202evik"}, "name", "invisible character"),
        ({"name": ""}, "name", "required"),
        ({"aliases": "A\u200bB"}, "__all__", "The alias contains the invisible character"),
    ],
)
def test_what_is_refused_stays_typed_and_leaves_nothing(visit, cast, changes, field, words):
    answer = visit(cast.owner, "add-brand", FIELDS | changes)
    assert answer.status_code == 400 and words in " ".join(answer.context["form"].errors[field])
    assert "Bikes</textarea>" in answer.content.decode()
    assert Brand.objects.count() == 1, "nothing half made"


def test_a_full_plan_says_so(visit, cast):
    cast.owner.plan.max_sites = 1
    cast.owner.plan.save()
    answer = visit(cast.owner, "add-brand", FIELDS)
    assert answer.status_code == 400 and "allows 1 sites; 1 are in use" in text_of(answer)


def test_nobody_adds_without_signing_in_or_a_form_of_ours(client, cast):
    assert client.get(reverse("add-brand")).url.startswith("/login/")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse("add-brand"), FIELDS).status_code == 403
    assert Brand.objects.count() == 1


def test_the_steps_follow_what_is_there(visit, cast, settings):
    brand = BrandFactory(owner=cast.stranger, description="folding bikes")
    step = lambda: visit(cast.stranger, "start-page", brand_id=brand.pk).context["step"]  # noqa: E731
    assert step() == "rivals"
    assert visit(None, "start-page", query="?next=topics", brand_id=brand.pk).context["step"] == "topics"
    refused = visit(None, "first-competitor", {"name": "Rival", "domain": "nowhere"}, brand_id=brand.pk)
    assert (
        refused.status_code == 400 and "is not a domain" in text_of(refused) and b'value="Rival"' in refused.content
    )
    visit(None, "first-competitor", {"name": "Rival", "domain": "rival.example"}, brand_id=brand.pk)
    assert Competitor.objects.get().brand == brand and step() == "topics"
    bad = visit(None, "begin-topics", {"topics": "winter bikes", "on_each": 99}, brand_id=brand.pk)
    assert bad.status_code == 400 and b"winter bikes</textarea>" in bad.content
    visit(None, "begin-topics", {"topics": "winter bikes", "on_each": 5}, brand_id=brand.pk)
    assert Prompt.objects.active().count() == 5 and step() == "scan"
    assert "No engine can answer for this brand yet" in text_of(visit(None, "start-page", brand_id=brand.pk))
    settings.EXTRA_ENGINES = ["tests.scans.engines.Steady"]
    prompts = visit(None, "prompts-page", brand_id=brand.pk)
    assert "On to the first scan" in text_of(prompts), "back from a list that was pasted"
    started = visit(None, "start-scan", {}, brand_id=brand.pk)
    run = Run.objects.get()
    assert started.redirect_chain[-1][0] == reverse("run-page", kwargs={"brand_id": brand.pk, "run_id": run.pk})
    assert step() == "done"


@pytest.mark.parametrize("name", ["first-competitor", "begin-topics"])
def test_only_those_who_may_change_the_brand_take_the_steps(visit, cast, name):
    fields = {"name": "Rival", "domain": "rival.example", "on_each": 1, "topics": "bikes"}
    where = {"brand_id": cast.brand.pk}
    PromptFactory(brand=cast.brand)
    assert "Ask its owner to make you an editor" in text_of(visit(cast.viewer, name, fields, **where))
    assert visit(cast.stranger, name, fields, **where).status_code == 404
    assert visit(staff("view_brand"), name, fields, **where).status_code == 404
    assert visit(cast.owner, name, None, **where).status_code == 405
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(cast.owner)
    assert strict.post(reverse(name, kwargs=where), fields).status_code == 403
    assert (Competitor.objects.count(), Prompt.objects.count(), Run.objects.count()) == (0, 1, 0)


def test_who_only_looks_sees_the_steps_without_forms(visit, cast):
    PromptFactory(brand=cast.brand, text="<script>alert(1)</script>")
    for person in (cast.viewer, staff("view_brand")):
        page = visit(person, "start-page", brand_id=cast.brand.pk).content.decode()
        assert 'action="/brands/' not in page and Tags(page).all("script") == []
    assert visit(cast.stranger, "start-page", brand_id=cast.brand.pk).status_code == 404


@pytest.fixture
def start(visit, cast):
    """A brand of the stranger's that sells a few things, and what begins with topics for it."""
    brand = BrandFactory(
        owner=cast.stranger, name="Norrvik", description="Folding bikes, locks, lights and e-bikes for towns."
    )

    def begin(*topics, each=2):
        return visit(cast.stranger, "begin-topics", {"topics": "\n".join(topics), "on_each": each}, brand_id=brand.pk)

    return brand, begin


def test_the_topics_that_the_description_names_are_offered_and_chosen_ones_are_own(visit, cast, start):
    brand, begin = start
    page = visit(cast.stranger, "start-page", query="?next=topics", brand_id=brand.pk)
    assert page.context["first"].initial["topics"] == ["Folding bikes", "locks", "lights", "e-bikes"]
    assert "These are from your description" in text_of(page)
    begin("folding bikes", "running_shoes", "Folding  Bikes", "lights")
    topics = dict(Prompt.objects.active().values_list("topic").annotate(Count("pk")))
    assert sorted(topics.values()) == [2, 2, 2] and {"running shoes", "lights"} < topics.keys()
    assert dict(TopicChoice.objects.values_list("topic", "is_own")) == dict.fromkeys(topics, True)
    assert "not decided" not in text_of(visit(cast.stranger, "brand-page", brand_id=brand.pk))


@pytest.mark.parametrize(
    ("topics", "words"),
    [
        ([], "This field is required"),
        ([f"kind {n}" for n in range(16)], "Write 1 to 15 topics"),
        (["bikes of Norrvik"], "“bikes of Norrvik”: Leave the brand out of the topic"),
        (["bi\u202ekes"], "invisible character"),
    ],
)
def test_topics_that_are_refused_stay_typed_and_leave_nothing(start, topics, words):
    answer = start[1](*topics)
    assert answer.status_code == 400 and words in text_of(answer)
    assert not Prompt.objects.exists() and not TopicChoice.objects.exists()


def test_prompts_are_as_many_as_the_plan_has_room_for(start, cast):
    _, begin = start
    cast.stranger.plan.max_prompts_per_site = 3
    cast.stranger.plan.save()
    assert begin("a b", "c d", "e f", "g h").status_code == 400 and not Prompt.objects.exists()
    begin("locks", "lights", each=5)
    assert Prompt.objects.count() == 2


def test_where_nobody_knows_how_to_ask_the_topic_itself_is_asked(visit, cast, start):
    brand, begin = start
    PromptFactory(brand=brand, text="自転車?", locale="ja", topic="自転車")
    begin("locks")
    assert Prompt.objects.get(topic="locks").text == "locks"
