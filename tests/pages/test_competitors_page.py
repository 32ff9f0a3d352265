"""The page of a brand's competitors: what it shows, who may change what, and what is refused stays typed."""

import pytest
from django.db import transaction
from django.urls import reverse

from brands.models import Competitor
from tests.factories import (
    AliasFactory,
    AnswerFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RunFactory,
)
from tests.generations import tracked_names_of
from tests.people.browser import Browser, text_of
from visibility.insights.suggestions import refresh_suggestions
from visibility.models import CompetitorSuggestion, Run
from visibility.pipeline.detect.detecting import analyse

pytestmark = pytest.mark.django_db
LIST = "1. **Trello** – boards\n2. **Asana**: <b>lists</b>\n"


@pytest.fixture
def address(cast):
    return reverse("competitors-page", kwargs={"brand_id": cast.brand.pk})


@pytest.fixture
def measured(cast):
    """A run with these texts, analysed."""

    def look(*texts):
        run = RunFactory(brand=cast.brand)
        for text in texts:
            AnswerFactory(run=run, prompt=PromptFactory(brand=cast.brand), text=text)
        Run.objects.filter(pk=run.pk).update(total=len(texts), done=len(texts))
        list(analyse(tracked_names_of(cast.brand), run, transaction.atomic))
        refresh_suggestions(cast.brand)

    return look


@pytest.fixture
def editor(cast):
    return Browser(cast.editor)


def act(browser, address, where, /, **values):
    """Send the form of the page that leads there, as its token asks; the page that follows."""
    values["csrfmiddlewaretoken"] = browser.form(address)["csrfmiddlewaretoken"][0]
    return browser.client.post(where, values, follow=True)


def suggestion_address(cast, what, name):
    found = CompetitorSuggestion.objects.get(name=name)
    return reverse(f"{what}-suggestion", kwargs={"brand_id": cast.brand.pk, "suggestion_id": found.pk})


def test_competitors_stand_with_their_figures(cast, editor, address):
    rival = CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    CompetitorFactory(brand=cast.brand, name="Silent", domain="silent.example")
    DailyScoreFactory(brand=cast.brand)
    DailyScoreFactory(brand=cast.brand, competitor=rival, score=12.5, low=5.0, high=20.0, share_of_voice=33.3)
    shown = text_of(editor.open(address))
    assert "Rival rival.example 12.5 % 5.0 to 20.0 33.3 %" in shown
    assert "Silent silent.example – not measured – not measured" in shown
    assert "2 of 25 competitors of the plan" in shown


def test_a_suggestion_shows_its_evidence_and_is_added(cast, editor, address, measured):
    measured(LIST, LIST, "Nothing.")
    page = editor.open(address)
    assert "In 2 of 3 answers, to 2 prompts, by Local search" in text_of(page)
    assert "<b>lists</b>" not in page.content.decode()
    answer = act(editor, address, suggestion_address(cast, "add", "Trello"), name="Trello", domain="trello.com")
    assert "Trello is now watched." in text_of(answer)
    assert Competitor.objects.get().domain == "trello.com"
    assert not CompetitorSuggestion.objects.filter(name="Trello").exists()


def test_a_suggestion_without_a_domain_is_refused_and_stays(cast, editor, address, measured):
    measured(LIST, LIST)
    answer = act(editor, address, suggestion_address(cast, "add", "Asana"), name="Asana", domain="")
    assert "do not show the domain of Asana" in text_of(answer)
    assert CompetitorSuggestion.objects.filter(name="Asana").exists()
    answer = act(editor, address, suggestion_address(cast, "add", "Asana"), name="Asana Inc", domain="no domain")
    page = answer.content.decode()
    assert answer.status_code == 400 and 'value="Asana Inc"' in page and 'value="no domain"' in page
    assert page.count("<details open>") == 1 and 'value="Trello"' in page, "the others stay as they are"


def test_a_dismissed_suggestion_is_gone(cast, editor, address, measured):
    measured(LIST, LIST)
    answer = act(editor, address, suggestion_address(cast, "dismiss", "Asana"))
    assert "It will not be suggested again." in text_of(answer)
    page = editor.open(address).content.decode()
    assert ">Trello</h3>" in page and ">Asana</h3>" not in page


def test_a_name_that_means_something_else_is_flagged_when_it_is_added(cast, editor, address):
    where = reverse("add-competitor", kwargs={"brand_id": cast.brand.pk})
    answer = act(editor, address, where, name="Notion", domain="notion.so", aliases="Notion Labs\nPrime")
    shown = text_of(answer)
    assert "\u201cNotion\u201d is also a plain word" in shown
    assert "\u201cPrime\u201d is also a plain word" in shown
    assert (
        shown.index("Notion is now watched")
        < shown.index("is also a plain word")
        < shown.index("Names that need care")
    )


def test_what_is_refused_stays_in_the_form(cast, editor, address):
    where = reverse("add-competitor", kwargs={"brand_id": cast.brand.pk})
    answer = act(editor, address, where, name="Rival", domain="no domain", aliases="One\nTwo")
    assert answer.status_code == 400
    page = answer.content.decode()
    assert 'value="Rival"' in page and 'value="no domain"' in page and "One\nTwo" in page
    assert "is not a domain" in text_of(answer)
    assert not Competitor.objects.exists()


def test_a_proposal_is_shown_with_its_evidence_and_accepted(cast, editor, address, measured):
    CompetitorFactory(brand=cast.brand, name="Prime", domain="prime.example")
    measured(*["We praise the Prime Minister."] * 3, "Use Prime or Acme: Prime ships fast.", "Nothing.")
    shown = text_of(editor.open(address))
    assert "Its letters occur in 4 of the newest 5 answers" in shown
    assert "Proposed from these answers" in shown
    fields = editor.form(address)
    place = fields["text"].index("Prime")
    assert (fields["forbidden_near"][place], fields["case_sensitive"]) == ("minister", ["on", "on"])
    where = reverse("name-policy", kwargs={"brand_id": cast.brand.pk})
    answer = act(editor, address, where, text="Prime", case_sensitive="on", forbidden_near="minister")
    assert "Prime: only with these capitals; not beside minister." in text_of(answer)
    assert "You said when it counts" in text_of(answer)
    assert str(cast.brand.name_policies.get()) == "Prime: only with these capitals; not beside minister"


def test_a_policy_for_no_tracked_name_is_refused(cast, editor, address):
    where = reverse("name-policy", kwargs={"brand_id": cast.brand.pk})
    assert "is not a tracked name" in text_of(act(editor, address, where, text="Nobody", case_sensitive="on"))


def test_a_refused_policy_stays_typed(cast, editor, address):
    CompetitorFactory(brand=cast.brand, name="Prime", domain="prime.example")
    where = reverse("name-policy", kwargs={"brand_id": cast.brand.pk})
    words = ", ".join(f"word{number}" for number in range(500))
    answer = act(editor, address, where, text="Prime", required_near=words, forbidden_near="minister")
    page = answer.content.decode()
    assert answer.status_code == 400 and f'value="{words}"' in page and 'value="minister"' in page
    assert not cast.brand.name_policies.exists()


@pytest.mark.parametrize("who", ["viewer", "stranger"])
def test_who_may_not_change_anything(cast, address, measured, who):
    measured(LIST, LIST)
    browser = Browser(getattr(cast, who))
    if who == "stranger":
        assert browser.client.get(address).status_code == 404
    else:
        page = browser.open(address).content.decode()
        assert "Trello" in page
        assert "<button>Add" not in page
    client = browser.client.__class__()
    client.force_login(getattr(cast, who))
    where = {"brand_id": cast.brand.pk}
    for address, values, status in (
        (reverse("add-competitor", kwargs=where), {"name": "Rival", "domain": "rival.example"}, 400),
        (suggestion_address(cast, "add", "Trello"), {"name": "Trello", "domain": "trello.com"}, 400),
        (suggestion_address(cast, "dismiss", "Trello"), {}, 302),
        (reverse("name-policy", kwargs=where), {"text": "Acme", "case_sensitive": "on"}, 400),
    ):
        assert client.post(address, values).status_code == (404 if who == "stranger" else status)
    assert not Competitor.objects.exists()
    assert CompetitorSuggestion.objects.filter(dismissed_at=None).count() == 2
    assert not cast.brand.name_policies.exists()


def test_the_page_costs_the_same_for_many_answers_and_names(
    cast, editor, address, measured, django_assert_max_num_queries
):
    CompetitorFactory(brand=cast.brand, name="Prime", domain="prime.example")
    CompetitorFactory(brand=cast.brand, name="Notion", domain="notion.example")
    measured(*[LIST] * 20)
    editor.open(address)
    with django_assert_max_num_queries(14):
        editor.open(address)


def test_the_brand_itself_stands_among_its_rivals(cast, editor, address):
    rival = CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    DailyScoreFactory(brand=cast.brand, score=40.0, low=30.0, high=50.0)
    DailyScoreFactory(brand=cast.brand, competitor=rival, score=62.5, low=55.0, high=70.0)
    AliasFactory(brand=cast.brand, text="Acme Tools")
    page = editor.open(address)
    assert "Acme (you) acme.example Acme Tools 40.0 % 30.0 to 50.0" in text_of(page)
    drawn = page.content.decode()
    assert drawn.index("Rival: 62.5 % (55.0 to 70.0)") < drawn.index("Acme: 40.0 % (30.0 to 50.0)")
    assert 'class="own-line"' in drawn


def test_suggestions_stand_ten_to_a_page(cast, editor, address, measured):
    names = ["Trello", "Asana", "Basecamp", "Wrike", "Smartsheet", "Clickup", "Airtable", "Todoist", "Hitask"]
    names += ["Nutcache", "Teamgantt", "Zenkit"]
    measured(*["\n".join(f"{place}. **{name}** – boards" for place, name in enumerate(names, 1))] * 2)
    first, second = (editor.open(f"{address}?page={number}").content.decode() for number in (1, 2))
    assert (first.count("Do not suggest it again"), second.count("Do not suggest it again")) == (10, 2)
    assert '<ol class="queue" start="11">' in second
    assert editor.open(f"{address}?page=nothing").status_code == 200


def test_a_competitor_is_removed_and_the_history_measured_without_it(cast, editor, address, measured):
    rival = CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    measured("Rival and Acme.")
    where = reverse("remove-competitor", kwargs={"brand_id": cast.brand.pk, "competitor_id": rival.pk})
    assert "Rival is no longer watched." in text_of(act(editor, address, where))
    assert not Competitor.objects.exists()
    assert "no longer watched" not in text_of(editor.open(address))


@pytest.mark.parametrize(("who", "status"), [("viewer", 302), ("stranger", 404)])
def test_a_competitor_is_removed_by_editors_only(cast, who, status):
    rival = CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    client = Browser(getattr(cast, who)).client.__class__()
    client.force_login(getattr(cast, who))
    where = reverse("remove-competitor", kwargs={"brand_id": cast.brand.pk, "competitor_id": rival.pk})
    assert client.post(where).status_code == status and Competitor.objects.exists()


def test_a_competitor_of_another_brand_is_not_removed(cast, editor):
    rival = CompetitorFactory(name="Rival", domain="rival.example")
    where = reverse("remove-competitor", kwargs={"brand_id": cast.brand.pk, "competitor_id": rival.pk})
    editor.client.handler.enforce_csrf_checks = False
    assert editor.client.post(where).status_code == 404 and Competitor.objects.exists()
