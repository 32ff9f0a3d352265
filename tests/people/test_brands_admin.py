"""Brands, their collaborators and competitors in the staff pages."""

import re

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection

from apikeys.models import Usage
from apikeys.services.usage import period_of
from brands.models import Brand, Collaborator, Competitor
from tests.factories import (
    AnswerFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RunFactory,
    UserFactory,
    plan,
)
from tests.pages.reading import Tags
from tests.people.browser import Browser, text_of
from visibility.models import Panel, Run

pytestmark = pytest.mark.django_db
LIST, ADD = "/admin/brands/brand/", "/admin/brands/brand/add/"


def change(brand):
    return f"{LIST}{brand.pk}/change/"


def test_a_brand_is_made_with_its_names_people_and_rivals(browser, cast):
    answer = browser.submit(
        ADD,
        owner=cast.owner.email.upper(),
        name="New",
        domain="https://www.New.com/about",
        cadence="weekly",
        alias_lines="New Corp\r\n\r\nnew corp\r\nN.E.W.",
        domain_lines="new.net\r\nhttps://new.org/",
        **{
            "collaborators-TOTAL_FORMS": "1",
            "collaborators-0-user": "stranger@example.com",
            "collaborators-0-role": "viewer",
            "competitors-TOTAL_FORMS": "1",
            "competitors-0-name": "Rival",
            "competitors-0-domain": "rival.com",
            "competitors-0-alias_lines": "RVL\r\nThe Rival",
        },
    )
    assert answer.status_code == 302, text_of(answer)
    brand = Brand.objects.get(name="New")
    assert (brand.owner, brand.domain, brand.cadence, brand.samples) == (cast.owner, "new.com", "weekly", 3)
    assert list(brand.aliases.values_list("text", flat=True)) == ["N.E.W.", "New Corp"]
    assert list(brand.owned_domains.values_list("domain", flat=True)) == ["new.net", "new.org"]
    assert list(brand.collaborators.values_list("user", "role")) == [(cast.stranger.pk, "viewer")]
    assert list(brand.competitors.get().aliases.values_list("text", flat=True)) == ["RVL", "The Rival"]
    assert LogEntry.objects.filter(object_id=str(brand.pk)).count() == 1


def test_a_page_saved_as_it_is_changes_nothing(browser, cast):
    rival = CompetitorFactory(brand=cast.brand)
    rival.aliases.create(text="R")
    cast.brand.aliases.create(text="Acme Corp")
    cast.brand.owned_domains.create(domain="acme.net")
    before = [list(model.objects.order_by("pk").values()) for model in (Brand, Collaborator, Competitor)]
    assert browser.submit(change(cast.brand)).status_code == 302
    assert [list(model.objects.order_by("pk").values()) for model in (Brand, Collaborator, Competitor)] == before
    assert cast.brand.aliases.get().text == "Acme Corp"
    assert cast.brand.owned_domains.get().domain == "acme.net"
    assert rival.aliases.get().text == "R"


def test_rows_are_changed_and_removed(browser, cast):
    kept, gone = CompetitorFactory.create_batch(2, brand=cast.brand)
    fields = browser.form(change(cast.brand))
    rows = {fields[f"competitors-{n}-id"][0]: n for n in range(2)}
    people = {fields[f"collaborators-{n}-id"][0]: n for n in range(2)}
    editor = people[str(Collaborator.objects.get(user=cast.editor).pk)]
    viewer = people[str(Collaborator.objects.get(user=cast.viewer).pk)]
    answer = browser.submit(
        change(cast.brand),
        description="Tools",
        **{
            f"competitors-{rows[str(kept.pk)]}-name": "Kept",
            f"competitors-{rows[str(kept.pk)]}-alias_lines": "K",
            f"competitors-{rows[str(gone.pk)]}-DELETE": "on",
            f"collaborators-{editor}-role": "viewer",
            f"collaborators-{viewer}-DELETE": "on",
        },
    )
    assert answer.status_code == 302, text_of(answer)
    assert list(Competitor.objects.values_list("name", "domain")) == [("Kept", kept.domain)]
    assert kept.aliases.get().text == "K"
    assert list(Collaborator.objects.values_list("user", "role")) == [(cast.editor.pk, "viewer")]
    assert Brand.objects.get().description == "Tools"


def test_a_refusal_is_a_sentence_and_nothing_is_saved(browser, cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.com")
    answer = browser.submit(
        change(cast.brand),
        name="Renamed",
        alias_lines="Other",
        **{
            "competitors-TOTAL_FORMS": "2",
            "competitors-1-name": "rival",
            "competitors-1-domain": "else.com",
            "competitors-1-alias_lines": "",
        },
    )
    assert answer.status_code == 200
    assert "Rival (rival.com) is a competitor of this brand already" in text_of(answer)
    assert "Renamed" in answer.content.decode()  # what was typed is still there
    assert Brand.objects.get().name == "Acme"
    assert not cast.brand.aliases.exists()
    assert Competitor.objects.count() == 1
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"domain": "nowhere"}, "nowhere' is not a domain"),
        ({"samples": "11"}, "allows 1 to 10 samples"),
        ({"name": "a\u202eb"}, "invisible character"),
        ({"alias_lines": "x" * 201}, "at most 200"),
        ({"domain_lines": "1.2.3.4"}, "IP address"),
        ({"owner": "nobody@example.com"}, "No account has this email address"),
    ],
)
def test_bad_values_are_refused_in_the_form(browser, cast, values, sentence):
    filled = {"owner": cast.owner.email, "name": "New", "domain": "new.com", **values}
    answer = browser.submit(ADD, **filled)
    assert answer.status_code == 200
    assert sentence in text_of(answer)
    assert Brand.objects.count() == 1


def test_the_plan_limits_hold_in_the_staff_pages(browser):
    owner = UserFactory(plan=plan("free"))
    brand = BrandFactory(owner=owner)
    answer = browser.submit(ADD, owner=owner.email, name="New", domain="new.com", samples="1")
    assert "allows 1 sites; 1 are in use" in text_of(answer)
    CompetitorFactory.create_batch(3, brand=brand)
    answer = browser.submit(
        change(brand),
        **{
            "competitors-TOTAL_FORMS": "4",
            "competitors-3-name": "R",
            "competitors-3-domain": "r.com",
            "competitors-3-alias_lines": "",
        },
    )
    assert "allows 3 competitors for each site; 3 are in use" in text_of(answer)
    assert (owner.brands.count(), brand.competitors.count()) == (1, 3)


def test_the_owner_is_changed_through_transfer_only(browser, cast):
    browser.submit(change(cast.brand), owner="stranger@example.com")
    assert Brand.objects.get().owner == cast.owner
    page = f"{LIST}{cast.brand.pk}/transfer/"
    assert page in browser.open(change(cast.brand)).content.decode()
    answer = browser.submit(page, to="Stranger@example.com")
    assert answer.status_code == 302
    assert Brand.objects.get().owner == cast.stranger
    assert "owns this brand already" in text_of(browser.submit(page, to="stranger@example.com"))


def measured(brand, **run_values):
    """A brand with a run in progress of which 2 of 10 credits are spent."""
    Usage.objects.create(user=brand.owner, kind="credits", period=period_of("credits"), used=10)
    run = RunFactory(
        brand=brand,
        status=Run.Status.RUNNING,
        total=10,
        done=2,
        credits_reserved=10,
        credits_month=period_of("credits"),
        credits_account=brand.owner,
        finished_at=None,
    )
    AnswerFactory(run=run)
    DailyScoreFactory(brand=brand, panel=Panel.objects.create(brand=brand, digest="p", content={}))
    return run


def test_a_deletion_is_confirmed_counts_what_goes_and_gives_credits_back(browser, cast):
    measured(cast.brand)
    page = f"{LIST}{cast.brand.pk}/delete/"
    shown = text_of(browser.open(page))
    assert "Acme (acme.example)" in shown
    assert "Runs: 1" in shown
    assert browser.submit(page).status_code == 302
    assert not Brand.objects.exists()
    assert Usage.objects.get().used == 2


def test_many_are_deleted_through_the_services_too(browser, cast):
    measured(cast.brand)
    other = BrandFactory()
    token = browser.form(ADD)["csrfmiddlewaretoken"]
    chosen = {"action": "delete_selected", "_selected_action": [str(cast.brand.pk), str(other.pk)], "post": "yes"}
    assert browser.client.post(LIST, {**chosen, "csrfmiddlewaretoken": token}).status_code == 302
    assert not Brand.objects.exists()
    assert Usage.objects.get().used == 2


def test_staff_see_brands_by_permission_only(clerk, cast):
    assert Browser(clerk()).client.get(LIST).status_code == 403
    viewer = Browser(clerk("brands.view_brand"))
    assert "acme.example" in viewer.open(LIST).content.decode()
    page = text_of(viewer.open(change(cast.brand)))
    assert "Acme" in page
    assert viewer.client.get(f"{LIST}{cast.brand.pk}/transfer/").status_code == 403
    assert viewer.client.get(f"{LIST}{cast.brand.pk}/delete/").status_code == 403
    # Who may see prompts but not brands sees the prompts of no brand.
    prompt = PromptFactory(brand=cast.brand)
    prompts = "/admin/visibility/prompt/"
    blind = Browser(clerk("visibility.view_prompt"))
    assert prompt.text not in blind.open(prompts).content.decode()
    assert blind.client.get(f"{prompts}{prompt.pk}/change/").status_code == 302
    sighted = Browser(clerk("visibility.view_prompt", "brands.view_brand"))
    assert prompt.text in sighted.open(prompts).content.decode()


def test_people_who_are_not_staff_see_no_staff_page(cast):
    for user in (cast.owner, cast.editor):
        assert Browser(user).client.get(change(cast.brand)).status_code == 302


def test_the_pages_take_the_same_statements_for_few_and_many(browser, cast):
    def statements(url):
        seen = []
        with connection.execute_wrapper(lambda execute, *args: seen.append(1) or execute(*args)):
            browser.open(url)
        return len(seen)

    for rival in CompetitorFactory.create_batch(2, brand=cast.brand):
        rival.aliases.create(text="x")
    few = {url: statements(url) for url in (LIST, change(cast.brand))}
    BrandFactory.create_batch(20)
    for rival in CompetitorFactory.create_batch(10, brand=cast.brand):
        rival.aliases.create(text="x")
    for url, number in few.items():
        assert statements(url) <= number, url


def test_each_field_of_the_rows_below_a_brand_has_a_name(browser, cast):
    CompetitorFactory(brand=cast.brand)
    fields = Tags(browser.open(f"/admin/brands/brand/{cast.brand.pk}/change/").content.decode())
    inputs = [field for field in fields.all("input", "select", "textarea") if field.get("type") != "hidden"]
    below = [field for field in inputs if re.match(r"(competitors|collaborators)-", field.get("name", ""))]
    assert below and all(field.get("aria-label") for field in below), below
    assert "Name of competitor 1" in {field["aria-label"] for field in below}
    assert "Delete collaborator 1" in {field["aria-label"] for field in below}
