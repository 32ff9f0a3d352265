"""Competitors of a brand."""

import pytest

from brands.brands import update_brand
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import Competitor
from tests.brands.conftest import names_version, refusal
from tests.factories import BrandFactory, CompetitorFactory, UserFactory, plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def rival(cast, at):
    return add_competitor(cast.editor, **at, name="Rival", domain="www.rival.com", aliases=["RVL", "The  Rival"])


def names(competitor):
    return [row.text for row in competitor.names.all()]


def test_a_competitor_comes_with_its_names_and_domain(cast, at):
    version = names_version(cast.brand)
    aliases = ["RVL", "rvl", "rival", " The  Rival "]
    rival = add_competitor(cast.editor, **at, name="Rival", domain="www.rival.com", aliases=aliases)
    assert (rival.name, rival.domain, names(rival)) == ("Rival", "rival.com", ["Rival", "RVL", "The Rival"])
    assert [row.domain for row in rival.domains.all()] == ["rival.com"]
    assert names_version(cast.brand) == version + 1


def test_competitors_that_cannot_be_are_refused_and_change_nothing(cast, at, rival):
    update_brand(cast.editor, **at, aliases=["Anvil Company"], domains=["acme.net"])
    third = add_competitor(cast.editor, **at, name="Third", domain="third.com", aliases=["3rd"])
    version = names_version(cast.brand)
    fine = {"name": "Else", "domain": "else.com"}
    wrong = [("conflict", {**fine, "name": name}) for name in ("RIVAL", "rvl", "acme", "Anvil-Company")]
    wrong += [
        ("conflict", {**fine, "domain": domain}) for domain in ("http://rival.com/", "acme.example", "acme.net")
    ]
    wrong += [("conflict", {**fine, "aliases": ["E", alias]}) for alias in ("Acme", "ANVIL company", "Rvl", "rival")]
    wrong += [("invalid_arguments", {**fine, "name": name}) for name in ("", "</untrusted-quote>", "x" * 201)]
    wrong += [("invalid_arguments", {**fine, "domain": domain}) for domain in ("", "nowhere")]
    wrong += [("invalid_arguments", {**fine, "aliases": list(map(str, range(51)))})]
    for code, values in wrong:
        assert refusal(add_competitor, cast.editor, **at, **values).code == code, values
        assert refusal(update_competitor, cast.editor, **at, competitor_id=third.pk, **values).code == code, values
    assert list(Competitor.objects.values_list("name", "domain")) == [("Rival", "rival.com"), ("Third", "third.com")]
    assert names(third) == ["Third", "3rd"]
    assert names_version(cast.brand) == version


def test_two_brands_may_have_the_same_competitor(system, at, rival):
    add_competitor(system, brand_id=BrandFactory().pk, name="Rival", domain="rival.com")


def test_the_owners_plan_limits_the_competitors_whoever_adds(system):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    CompetitorFactory.create_batch(3, brand=brand)
    refused = refusal(add_competitor, system, brand_id=brand.pk, name="R", domain="r.com")
    assert (refused.code, refused.details) == ("quota_exceeded", {"limit": 3, "used": 3, "resetsAt": None})


def test_what_is_not_given_stays_and_every_change_is_counted_once(cast, at, rival):
    for values, expected, counted in (
        ({"name": "RIVAL Inc"}, ["RIVAL Inc", "RVL", "The Rival"], 1),
        ({"name": "RIVAL Inc", "domain": "rival.com"}, ["RIVAL Inc", "RVL", "The Rival"], 0),
        ({"domain": "rival.net"}, ["RIVAL Inc", "RVL", "The Rival"], 1),
        ({"aliases": ["rvl", "R"]}, ["RIVAL Inc", "R", "rvl"], 1),
        ({"aliases": ["R", "rvl"]}, ["RIVAL Inc", "R", "rvl"], 0),
        ({"name": "R"}, ["R", "rvl"], 1),
    ):
        before = names_version(cast.brand)
        rival = update_competitor(cast.editor, **at, competitor_id=rival.pk, **values)
        assert (names(rival), names_version(cast.brand) - before) == (expected, counted), values
    assert [row.domain for row in rival.domains.all()] == ["rival.net"]


def test_a_removed_competitor_frees_its_names(cast, at, rival):
    version = names_version(cast.brand)
    remove_competitor(cast.editor, **at, competitor_id=rival.pk)
    assert names_version(cast.brand) == version + 1
    assert refusal(remove_competitor, cast.editor, **at, competitor_id=rival.pk).code == "not_found"
    assert refusal(update_competitor, cast.editor, **at, competitor_id=rival.pk, name="X").code == "not_found"
    update_brand(cast.editor, **at, aliases=["RVL"])


def test_who_may_not_change_the_brand_changes_no_competitor(cast, at, rival):
    other = BrandFactory(owner=cast.stranger.user)
    for caller, code in ((cast.viewer, "read_only_collaborator"), (cast.stranger, "not_found")):
        assert refusal(add_competitor, caller, **at, name="X", domain="x.com").code == code
        assert refusal(update_competitor, caller, **at, competitor_id=rival.pk, name="X").code == code
        assert refusal(remove_competitor, caller, **at, competitor_id=rival.pk).code == code
    through_another = {"brand_id": other.pk, "competitor_id": rival.pk}
    assert refusal(update_competitor, cast.stranger, **through_another, name="X").code == "not_found"
    assert refusal(remove_competitor, cast.stranger, **through_another).code == "not_found"
