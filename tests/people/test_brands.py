"""Brands: create, change, transfer, delete."""

from datetime import date, timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone

from apikeys.caller import Caller
from apikeys.models import Plan
from brands.models import Brand, Collaborator, Invitation
from brands.services.access import lock_brand
from brands.services.brands import create_brand, delete_brand, transfer_brand, update_brand
from brands.services.collaborators import add_collaborator, remove_collaborator, set_role
from brands.services.names import replace_domains
from tests.audit.stored import audited, crawled
from tests.evidence.handmade import store
from tests.factories import (
    AliasFactory,
    AnswerFactory,
    BrandFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
    RecommendationFactory,
    RunFactory,
    UserFactory,
    plan,
)
from tests.generations import tracked_names_of
from visibility.models import (
    Answer,
    BrandEvidence,
    ChangeRecord,
    Citation,
    DayCount,
    EngineConfig,
    Mention,
    Panel,
    Preference,
    Prompt,
    RawBody,
    Run,
    RunScore,
    SourceSighting,
    UntrackedName,
)

pytestmark = pytest.mark.django_db


def test_a_brand_is_made_for_oneself(cast):
    brand = create_brand(
        Caller.from_user(cast.owner), owner=cast.owner, name=" New\tName ", domain="https://new.com/"
    )
    fresh = Brand.objects.get(pk=brand.pk)
    assert (fresh.owner, fresh.name, fresh.domain, fresh.cadence) == (cast.owner, "New Name", "new.com", "manual")
    assert (fresh.samples, fresh.next_run_at) == (3, None)


def test_a_brand_is_not_made_for_others(cast, refused):
    caller = Caller.from_user(cast.editor)
    refused("invalid_arguments", create_brand, caller, owner=cast.owner, name="New", domain="new.com")


def test_the_plan_limits_the_sites(system, refused):
    owner = UserFactory(plan=plan("free"))
    create_brand(system, owner=owner, name="One", domain="one.com")
    error = refused("quota_exceeded", create_brand, system, owner=owner, name="Two", domain="two.com")
    assert error.details == {"limit": 1, "used": 1, "resetsAt": None}
    assert owner.brands.count() == 1


@pytest.mark.parametrize("state", [{"plan": None}, {"is_active": False}])
def test_an_account_without_plan_or_deactivated_gets_no_site(system, refused, state):
    owner = UserFactory(**state)
    code = "quota_exceeded" if "plan" in state else "conflict"
    refused(code, create_brand, system, owner=owner, name="One", domain="one.com")


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_twenty_callers_do_not_pass_the_site_limit(system, at_once):
    owner = UserFactory(plan=plan("growth"))
    outcomes = at_once(20, lambda n: create_brand(system, owner=owner, name=f"N{n}", domain=f"n{n}.com"))
    assert sum(isinstance(outcome, Brand) for outcome in outcomes) == owner.brands.count() == 5
    assert {outcome.code for outcome in outcomes if not isinstance(outcome, Brand)} == {"quota_exceeded"}


def test_a_domain_is_used_once_by_an_owner(system, cast, refused):
    error = refused("conflict", create_brand, system, owner=cast.owner, name="A", domain="http://WWW.Acme.example")
    assert error.details == {"argument": "domain"}
    create_brand(system, owner=cast.stranger, name="Another Acme", domain="acme.example")


@pytest.mark.parametrize(
    ("values", "argument"),
    [
        ({"name": ""}, "name"),
        ({"name": "x" * 201}, "name"),
        ({"domain": "nowhere"}, "domain"),
        ({"description": "x" * 5_001}, "description"),
        ({"description": "a\x00b"}, "description"),
        ({"cadence": "hourly"}, "cadence"),
        ({"samples": 0}, "samples"),
        ({"samples": 11}, "samples"),
    ],
)
def test_bad_values_are_named_and_nothing_changes(system, cast, refused, values, argument):
    assert refused("invalid_arguments", update_brand, system, brand=cast.brand, **values).details == {
        "argument": argument
    }
    new = {"name": "New", "domain": "new.com", **values}
    refused("invalid_arguments", create_brand, system, owner=cast.owner, **new)
    assert Brand.objects.count() == 1
    assert Brand.objects.get().name == "Acme"


@pytest.mark.parametrize(
    ("change", "argument"),
    [
        (lambda system, brand: update_brand(system, brand=brand, name="RIVAL"), "name"),
        (lambda system, brand: update_brand(system, brand=brand, domain="https://www.rival.example/"), "domain"),
        (
            lambda system, brand: replace_domains(system, brand=brand, domains=["a.com", "rival.example"]),
            "domain",
        ),
    ],
)
def test_a_brand_does_not_take_what_names_its_competitor(system, cast, refused, change, argument):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    error = refused("invalid_arguments", change, system, cast.brand)
    assert error.details["argument"] == argument
    cast.brand.refresh_from_db()
    assert (cast.brand.name, cast.brand.domain) == ("Acme", "acme.example")
    assert not cast.brand.owned_domains.exists()


def test_only_what_is_given_changes(cast):
    before = Brand.objects.values().get()
    update_brand(Caller.from_user(cast.editor), brand=cast.brand, description="Tools\n\nfor all")
    described = {"description": "Tools\n\nfor all", "names_version": before["names_version"] + 1}
    assert Brand.objects.values().get() == {**before, **described}


def test_a_new_cadence_gives_up_the_old_slot(system, cast):
    slot = timezone.now() + timedelta(days=3)
    Brand.objects.update(cadence="weekly", next_run_at=slot)
    update_brand(system, brand=cast.brand, cadence="weekly")
    assert Brand.objects.get().next_run_at == slot
    update_brand(system, brand=cast.brand, cadence="daily")
    assert Brand.objects.values_list("cadence", "next_run_at").get() == ("daily", None)


def test_samples_above_a_smaller_plan_are_kept_until_changed(system, cast, refused):
    Brand.objects.update(samples=8)
    Plan.objects.filter(tier="scale").update(max_samples=4)
    update_brand(system, brand=cast.brand, name="Acme Corp", samples=8)
    assert Brand.objects.get().samples == 8
    refused("invalid_arguments", update_brand, system, brand=cast.brand, samples=7)
    update_brand(system, brand=cast.brand, samples=4)


def test_a_transfer_moves_everything_and_adjusts_the_people(cast):
    PromptFactory(brand=cast.brand)
    run = RunFactory(brand=cast.brand, status=Run.Status.RUNNING, credits_account=cast.owner)
    transfer_brand(Caller.from_user(cast.owner), brand=cast.brand, to=cast.editor)
    brand = Brand.objects.get()
    assert brand.owner == cast.editor
    assert list(brand.collaborators.values_list("user__email", "role")) == [("viewer@example.com", "viewer")]
    assert not Brand.objects.restrict(Caller.from_user(cast.owner), "view").exists()
    assert brand.prompts.count() == 1
    run.refresh_from_db()
    assert run.credits_account == cast.owner  # what was reserved stays with who reserved it


def test_a_transfer_needs_room_a_free_domain_and_another_active_owner(system, cast, refused):
    full = UserFactory(plan=plan("free"))
    BrandFactory(owner=full)
    refused("quota_exceeded", transfer_brand, system, brand=cast.brand, to=full)
    BrandFactory(owner=cast.stranger, domain="acme.example")
    refused("conflict", transfer_brand, system, brand=cast.brand, to=cast.stranger)
    refused("conflict", transfer_brand, system, brand=cast.brand, to=cast.owner)
    refused("conflict", transfer_brand, system, brand=cast.brand, to=UserFactory(is_active=False))
    assert Brand.objects.get(pk=cast.brand.pk).owner == cast.owner
    assert cast.brand.collaborators.count() == 2


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_transfers_to_and_from_at_the_same_moment_pass_no_limit(system, at_once):
    one, other = UserFactory(plan=plan("growth")), UserFactory(plan=plan("growth"))
    brands = BrandFactory.create_batch(5, owner=one) + BrandFactory.create_batch(4, owner=other)
    at_once(9, lambda n: transfer_brand(system, brand=brands[n], to=other if n < 5 else one))
    assert one.brands.count() + other.brands.count() == 9
    assert max(one.brands.count(), other.brands.count()) <= 5


def full_brand(brand):
    """A brand with a row of every kind below it."""
    competitor = CompetitorFactory(brand=brand)
    competitor.aliases.create(text="R")
    AliasFactory(brand=brand)
    Invitation.objects.create(brand=brand, email="invited@example.com", invited_by=brand.owner)
    brand.owned_domains.create(domain="acme.net")
    brand.name_policies.create(text="Acme", case_sensitive=True)
    brand.pages.create(url="https://acme.example/", title="t", text="t")
    run = RunFactory(brand=brand, status=Run.Status.RUNNING)
    answer = AnswerFactory(run=run)
    RawBody.objects.create(answer=answer, body=b"x")
    derived = {"generation_id": tracked_names_of(brand).generation, "answer": answer}
    RunScore.objects.create(generation_id=derived["generation_id"], run=run)
    Mention.objects.create(**derived, competitor=competitor, start=0, end=4, text="Acme", rank=1, rule="name")
    Citation.objects.create(**derived, url="u", url_digest="d", domain="acme.example", position=1)
    engine, _ = EngineConfig.objects.get_or_create(name="chat", defaults={"provider": "openai", "model": "m"})
    brand.chosen_engines.create(engine=engine)
    panel = Panel.objects.create(brand=brand, digest="p", content={})
    DailyScoreFactory(brand=brand, panel=panel, date=date(2026, 1, 1))
    DailyScoreFactory(brand=brand, panel=panel, competitor=competitor, date=date(2026, 1, 1))
    DayCount.of_all_generations.create(
        generation_id=derived["generation_id"], brand=brand, date=date(2026, 1, 1), content=b""
    )
    ChangeRecord.of_all_generations.create(
        **{"generation_id": derived["generation_id"], "brand": brand, "of": "score", "direction": "down"},
        **{"began": date(2026, 1, 2), "known_by": "confirmed", "known_on": date(2026, 1, 3), "state": "holds"},
        **{"state_since": date(2026, 1, 2), "before": 50, "before_first": date(2026, 1, 1), "before_days": 1},
        **{"before_last": date(2026, 1, 1), "after": 40, "after_day": date(2026, 1, 3), "delta": -10},
        told_until=date(2026, 1, 31),
    )
    answer.name_judgements.create(
        name="Acme", domain="acme.example", rule="judge-1", engine="chat", asked_at=timezone.now()
    )
    RecommendationFactory(brand=brand, first_seen_run=run, last_seen_run=run)
    UntrackedName.objects.create(**derived, lead="other", name="Other", start=0)
    Preference.objects.create(**derived, side="brand", rule="verdict")
    seen = {"first_seen": timezone.now(), "last_seen": timezone.now()}
    brand.competitor_suggestions.create(key="other", name="Other", answers=2, of_answers=2, prompts=1, **seen)
    crawled(audited(brand, failing=["ACC-06"]))
    brand.drafts.create(format="article", title="A page", markdown="Words.", writer={"kind": "embedded"})
    imported = brand.review_imports.create(file="reviews.csv")
    brand.reviews.create(source=imported, key="k", text="Good.")
    brand.proofs.create(topic="earbuds")
    brand.topic_choices.create(topic="earbuds", is_own=True)
    brand.left_out_topics.create(topic="toasters")
    BrandEvidence.objects.create(brand=brand)
    store(brand, "criteria", ())
    SourceSighting.of_all_generations.create(
        generation_id=derived["generation_id"], domain="acme.example", owner="own", day=date(2026, 1, 1)
    )


def rows_below_brands():
    return {
        relation.related_model.__name__: relation.related_model._base_manager.count()
        for relation in Brand._meta.related_objects
    }


def test_a_deletion_takes_everything_below_and_nothing_beside(cast):
    full_brand(cast.brand)
    assert all(rows_below_brands().values()), "a kind of row is missing in the test"
    beside = BrandFactory(owner=cast.owner)
    full_brand(beside)
    both = rows_below_brands()
    delete_brand(Caller.from_user(cast.owner), brand=cast.brand)
    assert list(Brand.objects.all()) == [beside]
    halved = {name: count // 2 for name, count in both.items() if name != "Collaborator"}
    assert rows_below_brands() == {**halved, "Collaborator": 0}
    assert Mention.objects.count() == Citation.objects.count() == RawBody.objects.count() == 1
    assert cast.owner.is_active


def test_a_deleted_brand_is_not_found(cast, system, refused):
    delete_brand(system, brand=cast.brand)
    refused("not_found", update_brand, system, brand=cast.brand, name="X")
    refused("not_found", delete_brand, system, brand=cast.brand)


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_a_deletion_while_workers_write_leaves_nothing_and_fails_nobody_else(cast, system, at_once):
    prompts = [PromptFactory(brand=cast.brand) for _ in range(4)]
    versions = [prompt.versions.get() for prompt in prompts]
    run = RunFactory(brand=cast.brand, status=Run.Status.RUNNING)
    generation = tracked_names_of(cast.brand).generation

    def act(number):
        if number == 4:
            return delete_brand(system, brand=cast.brand)
        written = 0
        for sample in range(1, 200):
            with transaction.atomic():
                lock_brand(cast.brand)  # as all do that plan or import answers
                answer = Answer.objects.create(
                    run=run,
                    brand=cast.brand,
                    prompt=prompts[number],
                    version=versions[number],
                    engine="e",
                    sample=sample,
                    position=1_000 * number + sample,
                    state="answered",
                )
            found = {"start": 0, "end": 1, "text": "A", "rank": 1, "rule": "name"}
            Mention.objects.create(generation_id=generation, answer=answer, **found)
            written += 1
        return written

    outcomes = at_once(5, act)
    assert outcomes[4] is None
    assert not Brand.objects.exists()
    assert not Answer.objects.exists()
    assert not Mention.objects.exists()
    assert not Prompt.objects.exists()
    connection.check_constraints()


def test_collaborators_come_change_and_go(cast):
    owner = Caller.from_user(cast.owner)
    add_collaborator(owner, brand=cast.brand, user=cast.stranger)
    assert Brand.objects.restrict(Caller.from_user(cast.stranger), "change").exists()
    set_role(owner, brand=cast.brand, user=cast.stranger, role="viewer")
    assert not Brand.objects.restrict(Caller.from_user(cast.stranger), "change").exists()
    assert Brand.objects.restrict(Caller.from_user(cast.stranger), "view").exists()
    remove_collaborator(owner, brand=cast.brand, user=cast.stranger)
    remove_collaborator(owner, brand=cast.brand, user=cast.stranger)
    assert not Brand.objects.restrict(Caller.from_user(cast.stranger), "view").exists()


def test_collaborators_that_cannot_be(cast, refused):
    owner = Caller.from_user(cast.owner)
    refused("conflict", add_collaborator, owner, brand=cast.brand, user=cast.owner)
    refused("conflict", add_collaborator, owner, brand=cast.brand, user=cast.editor)
    refused("conflict", add_collaborator, owner, brand=cast.brand, user=UserFactory(is_active=False))
    refused("invalid_arguments", add_collaborator, owner, brand=cast.brand, user=cast.stranger, role="owner")
    refused("invalid_arguments", set_role, owner, brand=cast.brand, user=cast.editor, role="admin")
    refused("not_found", set_role, owner, brand=cast.brand, user=cast.stranger, role="viewer")
    assert Collaborator.objects.count() == 2
