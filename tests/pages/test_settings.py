"""Settings and account: who may change what of a brand, what goes out as a file, and what a mistake says."""

import csv
import io
import json
from datetime import date

import pytest
from django.urls import reverse

from apikeys.accounts.operators import system_caller
from brands.models import Brand, Collaborator, Invitation
from tests.factories import BrandFactory, CollaboratorFactory, DailyScoreFactory, EngineFactory, UserFactory
from tests.pages.worlds import small_brand
from tests.people.browser import Browser, text_of
from visibility.imports.services import NewBrand, import_answers
from visibility.models import BrandEngine
from visibility.pages import settings as page_of_settings

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    return BrandFactory(name="Kryton", domain="kryton.example")


def page(brand):
    return reverse("brand-settings", args=[brand.pk])


def post(browser, brand, form, /, **values):
    """Send one of the forms of the page; the page that follows, as text."""
    token = browser.form(page(brand))["csrfmiddlewaretoken"]
    address = reverse(form, args=[brand.pk])
    return text_of(browser.client.post(address, {"csrfmiddlewaretoken": token, **values}, follow=True))


def test_the_owner_changes_names_sites_country_samples_and_schedule(brand):
    browser = Browser(brand.owner)
    assert "every week (we propose this)" in text_of(browser.open(page(brand)))
    values = {"name": "Kryton Locks", "aliases": "Kryton\n\n KL \n", "domain": "kryton.example", "region": "de"}
    assert "Saved." in post(browser, brand, "brand-update", **values, domains="kryton.test")
    assert "Saved." in post(browser, brand, "brand-schedule", cadence="weekly", samples="2")
    brand.refresh_from_db()
    assert (brand.name, brand.region, brand.cadence, brand.samples) == ("Kryton Locks", "DE", "weekly", 2)
    assert set(brand.names.values_list("text", flat=True)) == {"Kryton Locks", "Kryton", "KL"}
    assert set(brand.domains.values_list("domain", flat=True)) == {"kryton.example", "kryton.test"}


@pytest.mark.parametrize(
    ("form", "wrong", "sentence"),
    [
        ("brand-update", {"region": "D1"}, "is no region"),
        ("brand-update", {"domain": "nonsense"}, "is not a domain"),
        ("brand-update", {"name": " "}, "This field is required."),
        ("brand-schedule", {"samples": "99"}, "allows 1 to"),
        ("brand-schedule", {"samples": "²"}, "Enter a whole number."),
        ("brand-schedule", {"cadence": "hourly"}, "hourly is not one of the available choices"),
    ],
)
def test_a_wrong_setting_is_refused_beside_its_field(brand, form, wrong, sentence):
    right = {"name": "Kryton", "domain": "kryton.example", "cadence": "weekly", "samples": "1"}
    assert sentence in post(Browser(brand.owner), brand, form, **{**right, **wrong})


def test_what_was_typed_stays_after_a_refusal(brand):
    browser = Browser(brand.owner)
    token = browser.form(page(brand))["csrfmiddlewaretoken"]
    typed = {"csrfmiddlewaretoken": token, "name": "K", "domain": "nonsense", "description": "Typed <for> long"}
    refused = browser.client.post(reverse("brand-update", args=[brand.pk]), typed)
    assert refused.status_code == 400 and "Typed &lt;for&gt; long" in refused.content.decode()


@pytest.fixture
def ring(brand):
    """A brand called like a word, in answers that mean it, mean the word, and name a product of it."""
    texts = [
        "We like Ring for a doorbell that is easy to use.",
        "To ring the bell twice is rude.",
        "The Elden Ring game is long.",
    ]
    lines = [
        {
            "prompt": f"best bell {n}?",
            "engine": "chatgpt",
            "time": "2026-01-01T10:00:00Z",
            "topic": "bells",
            "text": text,
        }
        for n, text in enumerate(texts)
    ]
    new = NewBrand(brand.owner, "Ring", "ring.example")
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    return import_answers(system_caller("command:test"), brand=new, file=file).brand


def test_the_page_says_which_places_of_a_name_that_is_also_a_word_count(ring):
    words = text_of(Browser(ring.owner).open(page(ring)))
    assert "1 of 3 places of “Ring” in 3 answers count; the others do not: behind another name (1)" in words


def test_a_click_adds_a_longer_name_and_another_rules_a_word_out(ring):
    browser = Browser(ring.owner)
    assert "“Elden Ring” is us, too" in text_of(browser.open(page(ring)))
    assert "“Elden Ring” counts as a name, too." in post(browser, ring, "brand-name", name="Ring", also="Elden Ring")
    assert "“Ring” beside “game” does not count" in post(browser, ring, "brand-name", name="Ring", never="game")
    assert ring.names.get(text="Ring").forbidden_near == ["game"]
    assert set(ring.names.values_list("text", flat=True)) == {"Ring", "Elden Ring"}
    token = browser.form(page(ring))["csrfmiddlewaretoken"]
    nobodys = {"csrfmiddlewaretoken": token, "name": "Other", "also": "x"}
    assert browser.client.post(reverse("brand-name", args=[ring.pk]), nobodys).status_code == 404


def test_people_say_when_a_name_counts(brand):
    browser, name = Browser(brand.owner), brand.names.get(is_main=True, competitor=None)
    values = {"name": name.text, "case_sensitive": "on", "required_near": "", "forbidden_near": "Corp, Runner"}
    assert f"When “{name.text}” counts is saved." in post(browser, brand, "brand-name-policy", **values)
    name.refresh_from_db()
    assert (name.case_sensitive, name.forbidden_near) == (True, ["Corp", "Runner"])
    assert "none of these next to it: Corp, Runner" in text_of(browser.open(page(brand)))


def test_an_invalid_word_of_a_name_rule_is_refused_at_its_field(brand):
    name = brand.names.get(is_main=True, competitor=None).text
    words = post(Browser(brand.owner), brand, "brand-name-policy", name=name, forbidden_near="two words")
    assert "“two words” contains a space." in words


def test_scans_ask_the_engines_that_are_ticked_and_no_others(brand):
    browser = Browser(brand.owner)
    EngineFactory(name="chatgpt", preset="openai", model="m", is_enabled=True)
    EngineFactory(name="old", preset="", is_enabled=False)
    assert "Saved. The next scan asks these." in post(browser, brand, "brand-engines", engine=["chatgpt"])
    assert [each.engine.name for each in BrandEngine.objects.filter(brand=brand)] == ["chatgpt"]
    assert "is no AI engine that scans ask" in post(browser, brand, "brand-engines", engine=["chatgpt", "old"])
    assert "asks all AI engines" in post(browser, brand, "brand-engines")
    assert not BrandEngine.objects.filter(brand=brand).exists()


def test_the_owner_decides_who_works_on_a_brand_and_may_hand_it_over(brand):
    browser, person = Browser(brand.owner), CollaboratorFactory(brand=brand, role="editor")
    role = {"id": str(person.pk), "role": "viewer"}
    assert f"{person.user.email} is a viewer now." in post(browser, brand, "brand-person", **role)
    editor = Browser(CollaboratorFactory(brand=brand, role="editor").user)
    assert "Only the owner" in post(editor, brand, "brand-person", **role, verb="remove")
    assert "no longer sees this brand" in post(browser, brand, "brand-person", **role, verb="remove")
    assert not Collaborator.objects.filter(pk=person.pk).exists()
    elsewhere = CollaboratorFactory()
    address, token = reverse("brand-person", args=[brand.pk]), browser.form(page(brand))["csrfmiddlewaretoken"]
    for id_ in (elsewhere.pk, "x", "9" * 30):
        assert browser.client.post(address, {"csrfmiddlewaretoken": token, "id": id_}).status_code == 404
    heir = UserFactory()
    assert "Hand the link below on" in post(browser, brand, "brand-hand-over", email=heir.email)
    offer = Invitation.objects.get()
    account = Browser(heir)
    assert "You would own it and pay for it." in text_of(account.open("/account"))
    account.client.post("/account", {**account.form("/account"), "id": str(offer.pk), "verb": "accept"})
    brand.refresh_from_db()
    assert brand.owner == heir


def test_somebody_leaves_a_brand_of_others_on_the_account_page(brand):
    person = CollaboratorFactory(brand=brand, role="viewer")
    browser = Browser(person.user)
    fields = {**browser.form("/account"), "id": str(brand.pk), "verb": "leave"}
    assert "You have left the brand." in text_of(browser.client.post("/account", fields, follow=True))
    assert not brand.collaborators.exists()


def test_who_may_only_look_reads_the_settings_without_a_form(brand):
    for user in (CollaboratorFactory(brand=brand, role="viewer").user, UserFactory(is_staff=True, is_superuser=True)):
        html = Browser(user).open(page(brand)).content.decode()
        assert 'method="post"' not in html.replace('method="post" action="/sign-out"', "")
        assert "kryton.example" in html


def test_scores_and_answers_go_out_as_files_of_bounded_size(brand, monkeypatch):
    browser = Browser(brand.owner)
    DailyScoreFactory(brand=brand, date=date(2026, 1, 2))
    address = f"{page(brand)}?format=csv"
    response = browser.open(f"{address}&table=scores")
    assert response["Content-Type"].startswith("text/csv") and "attachment" in response["Content-Disposition"]
    text = b"".join(response) if response.streaming else response.content
    [row] = csv.DictReader(io.StringIO(text.decode("utf-8-sig")))
    assert (row["date"], row["score"], row["change.delta"]) == ("2026-01-02", "41.25", "3.5")
    browser.open(f"{address}&table=answers&first=2026-01-01&last=x")
    monkeypatch.setattr(page_of_settings, "MOST_EXPORTED", -1)
    refused = browser.client.get(f"{address}&table=answers", follow=True)
    assert "Choose fewer days, or take everything in one file." in text_of(refused)
    Browser(UserFactory()).open(address, status=404)


def test_a_brand_is_deleted_by_its_owner_who_writes_its_name(brand):
    editor = Browser(CollaboratorFactory(brand=brand, role="editor").user)
    assert "Only the owner" in post(editor, brand, "brand-delete", name="Kryton")
    browser = Browser(brand.owner)
    assert "write its name exactly" in post(browser, brand, "brand-delete", name="kryton")
    assert Brand.objects.filter(pk=brand.pk).exists()
    assert "are deleted" in post(browser, brand, "brand-delete", name="Kryton")
    assert not Brand.objects.filter(pk=brand.pk).exists()


def test_the_answers_offered_as_a_file_end_on_the_last_measured_day():
    measured = small_brand(UserFactory())
    assert Browser(measured.owner).form(page(measured))["last"] == ["2026-01-12"]
