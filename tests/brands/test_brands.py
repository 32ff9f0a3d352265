"""Brands: create, change, hand over, delete."""

from datetime import timedelta

import psycopg
import pytest
from django.apps import apps
from django.db import OperationalError
from django.utils import timezone

from apikeys.models import IdempotentCall, Plan
from brands import brands
from brands.brands import create_brand, delete_brand, transfer_brand, update_brand
from brands.models import Brand
from brands.names import names_of
from tests.brands.conftest import names_version, refusal
from tests.brands.test_restrict import MODELS, OF_NO_BRAND, Rows
from tests.factories import BrandFactory, CompetitorFactory, RunFactory, UserFactory, plan

pytestmark = pytest.mark.django_db


def test_a_brand_is_made_for_oneself_with_the_rows_of_its_name_and_domain(cast):
    user = cast.stranger.user
    brand = create_brand(cast.stranger, owner=user, name=" New\tName ", domain="https://new.com/", region="de")
    brand = Brand.objects.get(pk=brand.pk)
    assert (brand.owner, brand.name, brand.domain, brand.region) == (user, "New Name", "new.com", "DE")
    assert (brand.cadence, brand.samples, brand.next_run_at, brand.names_version) == ("manual", 3, None, 1)
    names = names_of(brand).brand
    assert ([name.text for name in names.names], names.domains) == (["New Name"], ("new.com",))


def test_a_brand_is_not_made_for_others(cast):
    refused = refusal(create_brand, cast.editor, owner=cast.brand.owner, name="New", domain="new.com")
    assert refused.code == "invalid_arguments"


def test_the_plan_limits_the_sites_and_the_samples(system):
    owner = UserFactory(plan=plan("free"), own_max_samples=2)
    assert create_brand(system, owner=owner, name="One", domain="one.com").samples == 2
    refused = refusal(create_brand, system, owner=owner, name="Two", domain="two.com")
    assert (refused.code, refused.details) == ("quota_exceeded", {"limit": 1, "used": 1, "resetsAt": None})
    for owner, code in ((UserFactory(plan=None), "quota_exceeded"), (UserFactory(is_active=False), "conflict")):
        assert refusal(create_brand, system, owner=owner, name="One", domain="one.com").code == code


def test_an_owner_has_one_brand_of_a_domain(cast, system):
    owner, domain = cast.brand.owner, "http://WWW.Acme.example"
    refused = refusal(create_brand, system, owner=owner, name="Other", domain=domain)
    assert (refused.code, refused.details) == ("conflict", {"argument": "domain"})
    other = create_brand(system, owner=owner, name="Other", domain="other.com")
    assert refusal(update_brand, system, brand_id=other.pk, domain=domain).details == {"argument": "domain"}
    create_brand(cast.stranger, owner=cast.stranger.user, name="Acme", domain=domain)


def test_bad_values_are_named_and_nothing_changes(cast, system):
    before = Brand.objects.values().get()
    bad = [("name", ""), ("name", "x" * 201), ("domain", "nowhere"), ("description", "x" * 5_001)]
    bad += [("description", "a\x00b"), ("cadence", "hourly"), ("samples", 0), ("samples", 11), ("region", "Germany")]
    for argument, value in bad:
        fields = {"name": "New", "domain": "new.com", argument: value}
        for refused in (
            refusal(update_brand, system, brand_id=cast.brand.pk, **{argument: value}),
            refusal(create_brand, system, owner=cast.brand.owner, **fields),
        ):
            assert (refused.code, refused.details) == ("invalid_arguments", {"argument": argument})
    assert Brand.objects.values().get() == before


def test_only_what_is_given_changes(cast):
    before = Brand.objects.values().get()
    update_brand(cast.editor, brand_id=cast.brand.pk, region="at", samples=5)
    assert Brand.objects.values().get() == {**before, "region": "AT", "samples": 5}


def test_a_new_name_and_domain_take_over_what_was_the_brands_own(cast):
    at = {"brand_id": cast.brand.pk}
    update_brand(cast.editor, **at, aliases=["Anvil Co", "ACM"], domains=["acme.net"])
    kept = cast.brand.names.get(text="Anvil Co").pk
    version = names_version(cast.brand)
    brand = update_brand(cast.editor, **at, name="anvil-co", domain="acme.net")
    assert brand.names_version == names_version(brand) == version + 1
    names = names_of(brand).brand
    assert ([name.text for name in names.names], names.domains) == (["anvil-co", "ACM"], ("acme.net",))
    assert brand.names.get(is_main=True).pk == kept


def test_what_answers_are_searched_for_is_counted_once_and_nothing_else(cast):
    CompetitorFactory(brand=cast.brand)
    changes = [{"name": "Acme Corp", "domain": "acme.net", "description": "Anvils."}, {"description": "Tools."}]
    others = [{"cadence": "daily"}, {"samples": 4}, {"region": "DE"}, {"name": "Acme Corp", "domain": "www.acme.net"}]
    for counted, values in [(1, changes[0]), (0, changes[0]), (1, changes[1]), *((0, other) for other in others)]:
        before = names_version(cast.brand)
        update_brand(cast.editor, brand_id=cast.brand.pk, **values)
        assert names_version(cast.brand) - before == counted, values


def test_a_brand_does_not_take_what_names_its_competitor(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    for argument, value in (("name", "RIVAL"), ("domain", "https://www.rival.example/")):
        refused = refusal(update_brand, cast.editor, brand_id=cast.brand.pk, **{argument: value})
        assert (refused.code, refused.details["argument"]) == ("conflict", argument)
        assert "the competitor Rival" in refused.message
    cast.brand.refresh_from_db()
    assert (cast.brand.name, cast.brand.domain) == ("Acme", "acme.example")


def test_a_new_cadence_gives_up_the_old_slot(cast, system):
    slot = timezone.now() + timedelta(days=3)
    Brand.objects.update(cadence="weekly", next_run_at=slot)
    assert update_brand(system, brand_id=cast.brand.pk, cadence="weekly").next_run_at == slot
    update_brand(system, brand_id=cast.brand.pk, cadence="daily")
    assert Brand.objects.values_list("cadence", "next_run_at").get() == ("daily", None)


def test_samples_above_a_smaller_plan_stay_until_they_are_changed(cast, system):
    Brand.objects.update(samples=8)
    Plan.objects.filter(tier="scale").update(max_samples=4)
    assert update_brand(system, brand_id=cast.brand.pk, name="Acme Corp", samples=8).samples == 8
    assert refusal(update_brand, system, brand_id=cast.brand.pk, samples=7).code == "invalid_arguments"


def test_a_transfer_moves_everything_and_adjusts_the_people(cast):
    RunFactory(brand=cast.brand)
    cast.brand.invitations.create(email="invited@example.com", invited_by=cast.brand.owner)
    transfer_brand(cast.owner, brand_id=cast.brand.pk, to=cast.editor.user)
    brand = Brand.objects.get()
    assert brand.owner == cast.editor.user
    assert [row.user for row in brand.collaborators.all()] == [cast.viewer.user]
    assert not Brand.objects.restrict(cast.owner, "view").exists()
    assert brand.runs.count() == 1
    assert not brand.invitations.exists()


def test_a_transfer_needs_room_a_free_domain_and_another_active_owner(cast, system):
    full = BrandFactory(owner=UserFactory(plan=plan("free"))).owner
    has_domain = BrandFactory(domain="acme.example").owner
    wrong = {full: "quota_exceeded"}
    wrong |= dict.fromkeys([has_domain, cast.brand.owner, UserFactory(is_active=False)], "conflict")
    for to, code in wrong.items():
        assert refusal(transfer_brand, system, brand_id=cast.brand.pk, to=to).code == code
    assert Brand.objects.get(pk=cast.brand.pk).owner == cast.brand.owner
    assert cast.brand.collaborators.count() == 2


def test_only_the_owner_hands_over_or_deletes(cast, system):
    for act in (
        lambda caller: delete_brand(caller, brand_id=cast.brand.pk),
        lambda caller: transfer_brand(caller, brand_id=cast.brand.pk, to=cast.viewer.user),
    ):
        assert refusal(act, cast.editor).code == "read_only_collaborator"
        assert refusal(act, cast.stranger).code == "not_found"


def test_a_deletion_takes_everything_below_the_brand_and_nothing_else(cast, system):
    other = BrandFactory(owner=cast.brand.owner)
    below = [model for model in MODELS if model.__name__ not in OF_NO_BRAND]
    for brand in (cast.brand, other):
        rows = Rows(brand)
        for model in below:
            rows.of(model)
        call = {"user": brand.owner, "tool": "t", "key": str(brand.pk), "digest": "", "token": brand.pk}
        IdempotentCall.objects.create(**call, subject=brand.pk, lease_until=timezone.now())
    people = apps.get_model("apikeys", "User").objects.count()
    delete_brand(cast.owner, brand_id=cast.brand.pk)
    for model in below:
        path = "pk" if model is Brand else getattr(model, "brand_path", "brand")
        assert set(model.objects.values_list(path, flat=True)) == {other.pk}, model
    assert IdempotentCall.objects.get().subject == other.pk
    assert apps.get_model("apikeys", "User").objects.count() == people
    assert refusal(delete_brand, system, brand_id=cast.brand.pk).code == "not_found"


def test_values_at_their_limits_are_allowed(cast, system):
    owner = UserFactory(plan=plan("growth"), own_max_samples=7)
    values = {"name": "x" * 200, "description": "x" * 5_000, "region": " de ", "cadence": "monthly", "samples": 7}
    brand = create_brand(system, owner=owner, domain="new.com", **values)
    assert (len(brand.name), len(brand.description), brand.region, brand.samples) == (200, 5_000, "DE", 7)
    assert update_brand(system, brand_id=brand.pk, samples=1, region="").samples == 1
    assert Brand.objects.values_list("samples", "region").get(pk=brand.pk) == (1, "")


@pytest.mark.parametrize(("allowed", "samples"), [(2, 2), (3, 3), (9, 3)])
def test_without_a_number_a_brand_has_three_samples_or_as_many_as_the_plan_allows(system, allowed, samples):
    owner = UserFactory(plan=plan("scale"), own_max_samples=allowed)
    assert create_brand(system, owner=owner, name="New", domain="new.com").samples == samples


@pytest.mark.parametrize(
    ("error", "attempts"),
    [(psycopg.errors.DeadlockDetected, 10), (psycopg.errors.ForeignKeyViolation, 10), (psycopg.errors.DiskFull, 1)],
)
def test_a_deletion_that_loses_a_race_is_tried_ten_times_and_any_other_failure_once(
    cast, system, monkeypatch, error, attempts
):
    tried = []

    def fail(brand_id):
        tried.append(brand_id)
        raise OperationalError("lost") from error()

    monkeypatch.setattr(brands, "forget", fail)
    with pytest.raises(OperationalError):
        delete_brand(system, brand_id=cast.brand.pk)
    assert len(tried) == attempts and Brand.objects.filter(pk=cast.brand.pk).exists()
