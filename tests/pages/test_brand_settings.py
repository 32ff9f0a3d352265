"""Settings of a brand: its names, its scans, and its end; who may change what, and what is refused stays typed."""

import pytest
from django.urls import reverse

from brands.models import Brand
from tests.factories import AliasFactory, CompetitorFactory, PromptFactory, RunFactory
from tests.pages.reading import Tags, staff
from tests.people.browser import text_of
from tests.scans.history import asked_run, end
from visibility.models import EngineConfig, Run
from visibility.services.engines.configuring import chosen_names

pytestmark = pytest.mark.django_db
HOSTILE = "<script>alert(1)</script>"
NAMES = {
    "name": "Acme",
    "domain": "acme.example",
    "description": "Anvils",
    "aliases": "Acme Tools\nApple",
    "domains": "acme.test",
}
SCANS = {"cadence": "weekly", "samples": 5, "judges_names": "on"}


@pytest.fixture
def at(cast):
    return {"brand_id": cast.brand.pk}


@pytest.fixture
def engines(db):
    return [EngineConfig.objects.create(name=name, provider="openai-chat", model="m", enabled=True) for name in "ab"]


def test_names_are_saved_and_new_ones_that_mean_more_are_flagged(visit, cast, at):
    AliasFactory(brand=cast.brand, text="Old name")
    said = text_of(visit(cast.editor, "save-names", NAMES, **at))
    brand = Brand.objects.get(pk=cast.brand.pk)
    assert {alias.text for alias in brand.aliases.all()} == {"Acme Tools", "Apple"}
    assert [row.domain for row in brand.owned_domains.all()] == ["acme.test"] and brand.description == "Anvils"
    assert "Stored answers are analysed again" in said and "“Apple” is also" in said
    version = brand.names_version
    again = text_of(visit(None, "save-names", NAMES, **at))
    assert "analysed again with it" not in again and Brand.objects.get(pk=brand.pk).names_version == version
    assert "Names that need care" in again and "“Apple” is also" in again, "the page goes on telling"


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": "Rival"}, "Rival is a name of the competitor Rival"),
        ({"aliases": "RIVAL"}, "is a name of the competitor"),
        ({"domain": "rival.example"}, "is the domain of a competitor"),
        ({"domains": "not a domain"}, "is not a domain"),
        ({"aliases": "\n".join(f"alias {n}" for n in range(51))}, "51 aliases are too many"),
        ({"name": ""}, "This field is required"),
    ],
)
def test_refused_names_stay_typed_and_nothing_is_half_saved(visit, cast, at, changes, words):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    before = Brand.objects.values().get()
    answer = visit(cast.owner, "save-names", NAMES | changes, **at)
    assert answer.status_code == 400 and words in text_of(answer)
    assert "Anvils</textarea>" in answer.content.decode()
    assert Brand.objects.values().get() == before and not cast.brand.aliases.exists()


def test_names_that_somebody_else_changed_meanwhile_are_not_overwritten_unseen(visit, cast, at):
    def seen(page):
        (mark,) = [tag["value"] for tag in Tags(page.content.decode()).all("input") if tag.get("name") == "seen_mark"]
        return mark

    opened = seen(visit(cast.owner, "brand-settings", **at))
    assert visit(cast.editor, "save-names", NAMES | {"seen_mark": opened}, follow=False, **at).status_code == 302
    mine = NAMES | {"aliases": "", "description": "Better anvils", "seen_mark": opened}
    answer = visit(cast.owner, "save-names", mine, **at)
    assert answer.status_code == 400
    assert "It is now: name Acme; other names Acme Tools, Apple; domain" in text_of(answer)
    assert "Better anvils</textarea>" in answer.content.decode()
    assert cast.brand.aliases.count() == 2
    again = visit(cast.owner, "save-names", mine | {"seen_mark": seen(answer)}, follow=False, **at)
    assert again.status_code == 302 and not cast.brand.aliases.exists(), "who has read it may save"


def test_scans_are_saved_within_the_plan(visit, cast, at, engines):
    page = visit(cast.owner, "save-scans", SCANS | {"engines": ["b"]}, **at)
    said, brand = text_of(page), Brand.objects.get(pk=cast.brand.pk)
    assert (brand.cadence, brand.samples, brand.judges_names) == ("weekly", 5, True)
    assert chosen_names(brand) == ["b"] and "Saved. The next scan follows it." in said
    assert "No engine decides names yet" in said
    ticked = [
        tag["value"]
        for tag in Tags(page.content.decode()).all("input")
        if tag.get("name") == "engines" and "checked" in tag
    ]
    assert ticked == ["b"]
    visit(None, "save-scans", {"cadence": "manual", "samples": 2}, **at)
    brand.refresh_from_db()
    assert (chosen_names(brand), brand.judges_names) == ([], False)


def test_engines_are_called_as_everywhere_and_as_the_operator_describes_them(visit, cast, at, engines):
    EngineConfig.objects.filter(name="b").update(label="new pages first")
    assert "b: new pages first" in text_of(visit(cast.owner, "brand-settings", **at))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"samples": 101}, "allows 1 to"),
        ({"samples": 0}, "greater than or equal to 1"),
        ({"cadence": "hourly"}, "not one of the available choices"),
        ({"engines": ["nobody"]}, "not one of the available choices"),
    ],
)
def test_refused_scans_stay_typed(visit, cast, at, engines, changes, words):
    before = Brand.objects.values().get()
    answer = visit(cast.owner, "save-scans", SCANS | changes, **at)
    assert answer.status_code == 400 and words in text_of(answer)
    assert Brand.objects.values().get() == before


def test_samples_above_a_smaller_plan_are_kept(visit, cast, at):
    Brand.objects.update(samples=50)
    cast.owner.plan.max_samples = 3
    cast.owner.plan.save()
    visit(cast.owner, "save-scans", {"cadence": "daily", "samples": 50}, **at)
    assert Brand.objects.get().cadence == "daily"


def test_who_only_looks_reads_the_settings_and_gets_no_form(visit, cast, at):
    AliasFactory(brand=cast.brand, text=HOSTILE)
    Brand.objects.update(description=HOSTILE)
    for person in (cast.viewer, staff("view_brand")):
        page = visit(person, "brand-settings", **at)
        assert 'action="/brands/' not in page.content.decode() and Tags(page.content.decode()).all("script") == []
        assert HOSTILE in text_of(page) and cast.owner.email in text_of(page)
    assert Tags(visit(cast.owner, "brand-settings", **at).content.decode()).all("script") == []


def test_a_viewer_is_told_why_nothing_is_saved(visit, cast, at):
    for name, fields in (("save-names", NAMES), ("save-scans", SCANS)):
        assert "Ask its owner to make you an editor" in text_of(visit(cast.viewer, name, fields, **at))


def test_settings_take_few_statements(visit, cast, at, engines, django_assert_max_num_queries):
    end(asked_run(cast.brand, [PromptFactory(brand=cast.brand)], texts=["Apple and Acme."]))
    visit(cast.owner, "save-names", NAMES, **at)
    with django_assert_max_num_queries(12):
        visit(None, "brand-settings", **at)


def test_a_brand_is_deleted_once_its_name_is_typed_and_its_tables_are_offered_first(visit, cast, at):
    run = RunFactory(brand=cast.brand, status=Run.Status.QUEUED, finished_at=None)
    page = visit(cast.owner, "delete-brand", **at)
    html = page.content.decode()
    assert html.index(reverse("table-csv", kwargs=at | {"table": "answers"})) < html.index("Delete for good")
    for link in (tag["href"] for tag in Tags(html).all("a") if tag["href"].endswith(".csv")):
        assert b"".join(page.client.get(link).streaming_content), "each file is there before"
    for wrong in ("acme", "", "Acme Inc"):
        refused = visit(None, "delete-brand", {"name": wrong}, **at)
        assert refused.status_code == 400 and Brand.objects.exists()
    said = text_of(visit(None, "delete-brand", {"name": "Acme"}, **at))
    assert "Acme is deleted" in said
    assert not Brand.objects.exists() and not Run.objects.filter(pk=run.pk).exists()


def test_only_the_owner_deletes(visit, cast, at):
    for person in (cast.editor, cast.viewer, staff("view_brand")):
        assert visit(person, "delete-brand", **at).status_code == 403
        assert visit(person, "delete-brand", {"name": "Acme"}, **at).status_code == 403
        assert reverse("delete-brand", kwargs=at) not in visit(person, "brand-settings", **at).content.decode()
    assert visit(cast.stranger, "delete-brand", {"name": "Acme"}, **at).status_code == 404
    assert Brand.objects.exists()
