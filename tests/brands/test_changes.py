"""What an edit of names changed is known until history is counted with it, and the job that counts comes with it."""

import pytest
from procrastinate.contrib.django.models import ProcrastinateJob

from brands.brands import update_brand
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import Brand, NameChange
from brands.names import Changed, changed_since_counted, mark_counted, raise_detector_version, set_name_policy
from tests.factories import BrandFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand(cast):
    """A brand with an alias and a competitor, counted, and no job."""
    at = {"brand_id": cast.brand.pk}
    update_brand(cast.owner, **at, aliases=["Anvil Co"])
    add_competitor(cast.owner, **at, name="Rival", domain="rival.example", aliases=["RVL"])
    brand = Brand.objects.get()
    assert mark_counted(brand, brand.names_version)
    ProcrastinateJob.objects.all().delete()
    return Brand.objects.get()


def rival(brand):
    return {"brand_id": brand.pk, "competitor_id": brand.competitors.get().pk}


EDITS = {
    "the name": (lambda caller, brand: update_brand(caller, brand_id=brand.pk, name="Acme Corp"), "Acme, Acme Corp"),
    "an alias": (lambda caller, brand: update_brand(caller, brand_id=brand.pk, aliases=["AC"]), "AC, Anvil Co"),
    "a domain": (
        lambda caller, brand: update_brand(caller, brand_id=brand.pk, domains=["acme.net"]),
        "Acme, Anvil Co; acme.net",
    ),
    "a policy": (
        lambda caller, brand: set_name_policy(caller, brand_id=brand.pk, name="anvil-co", case_sensitive=True),
        "Anvil Co",
    ),
    "a competitor's alias": (lambda caller, brand: update_competitor(caller, **rival(brand), aliases=[]), "RVL"),
    "a competitor more": (
        lambda caller, brand: add_competitor(caller, brand_id=brand.pk, name="Third", domain="third.example"),
        "Third; third.example; Third",
    ),
    "a competitor less": (
        lambda caller, brand: remove_competitor(caller, **rival(brand)),
        "RVL, Rival; rival.example; Rival",
    ),
}


def words(changed):
    """Names; domains; competitors."""
    kinds = [", ".join(sorted(kind)) for kind in (changed.names, changed.domains, changed.competitors)]
    return "; ".join(kinds).rstrip("; ")


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_says_what_it_changed(cast, brand, edit):
    act, changed = EDITS[edit]
    act(cast.owner, brand)
    brand.refresh_from_db()
    assert words(changed_since_counted(brand)) == changed


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_enqueues_one_recount_of_the_brand(cast, brand, edit):
    EDITS[edit][0](cast.owner, brand)
    [job] = ProcrastinateJob.objects.all()
    assert (job.task_name, job.lock) == ("visibility.jobs.recount", f"brand:{brand.pk}")
    assert job.args == {"brand_id": str(brand.pk)}


def test_after_a_new_description_anything_may_have_changed(cast, brand):
    update_brand(cast.owner, brand_id=brand.pk, name="Acme Corp", description="Anvils.")
    brand.refresh_from_db()
    assert brand.is_recounting and changed_since_counted(brand) is None
    assert ProcrastinateJob.objects.count() == 1


def test_edits_since_the_last_count_are_taken_together(cast, brand):
    EDITS["the name"][0](cast.owner, brand)
    EDITS["a competitor's alias"][0](cast.owner, brand)
    brand.refresh_from_db()
    assert words(changed_since_counted(brand)) == "Acme, Acme Corp, RVL"


def test_an_edit_that_was_counted_is_known_no_more(cast, brand):
    EDITS["the name"][0](cast.owner, brand)
    brand.refresh_from_db()
    assert mark_counted(brand, brand.names_version)
    assert not NameChange.objects.exists()
    EDITS["an alias"][0](cast.owner, brand)
    brand.refresh_from_db()
    assert words(changed_since_counted(brand)) == "AC, Anvil Co"


def test_an_edit_while_history_is_counted_stays_to_be_counted(cast, brand):
    EDITS["the name"][0](cast.owner, brand)
    brand.refresh_from_db()
    EDITS["an alias"][0](cast.owner, brand)
    assert words(changed_since_counted(brand)) == "Acme, Acme Corp", "what it was read with is not the later one"
    assert not mark_counted(brand, brand.names_version)
    assert set(NameChange.objects.values_list("text", flat=True)) == {"AC", "Anvil Co"}
    brand.refresh_from_db()
    assert brand.counted_version == brand.names_version - 2 and brand.is_recounting


def test_where_nothing_changed_nothing_is_named(brand):
    assert changed_since_counted(brand) == Changed() and not brand.is_recounting


@pytest.mark.parametrize("kind", ["names", "domains", "competitors"])
def test_a_change_of_any_kind_is_one(kind):
    assert Changed(**{kind: frozenset({"x"})}) and not Changed()


def test_a_newer_detector_has_only_brands_of_older_ones_counted_again():
    older, same = BrandFactory(detector_version=1), BrandFactory(detector_version=2)
    for _ in range(2):
        raise_detector_version(2)
    versions = {brand.pk: (brand.names_version, brand.detector_version) for brand in Brand.objects.all()}
    assert versions == {older.pk: (2, 2), same.pk: (1, 2)}
