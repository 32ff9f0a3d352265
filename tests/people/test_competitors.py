"""Competitors and names of a brand."""

import pytest

from apikeys.caller import Caller
from brands.models import Competitor, OwnedDomain
from brands.services.brands import update_brand
from brands.services.competitors import add_competitor, remove_competitor, update_competitor
from brands.services.names import replace_aliases, replace_domains
from tests.factories import BrandFactory, CompetitorFactory, UserFactory, plan

pytestmark = pytest.mark.django_db


@pytest.fixture
def editor(cast):
    return Caller.from_user(cast.editor)


def aliases_of(row):
    return list(row.aliases.order_by("text").values_list("text", flat=True))


def test_a_competitor_comes_with_its_aliases(cast, editor):
    rival = add_competitor(
        editor,
        brand=cast.brand,
        name="Rival",
        domain="www.rival.com",
        aliases=["RVL", "rvl", "rival", " The  Rival "],
    )
    assert (rival.name, rival.domain, aliases_of(rival)) == ("Rival", "rival.com", ["RVL", "The Rival"])


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({"name": "RIVAL", "domain": "else.com"}, "conflict"),
        ({"name": "Else", "domain": "http://rival.com/x"}, "conflict"),
        ({"name": "Else", "domain": "acme.example"}, "invalid_arguments"),
        ({"name": "Else", "domain": "acme.net"}, "invalid_arguments"),
        ({"name": "acme", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "ANVIL company", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "Anvil-Company", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "Else", "domain": "else.com", "aliases": ["E", "acme"]}, "invalid_arguments"),
        ({"name": "Else", "domain": "else.com", "aliases": ["Anvil Company"]}, "invalid_arguments"),
        ({"name": "rvl", "domain": "else.com"}, "conflict"),
        ({"name": "Else", "domain": "else.com", "aliases": ["RIVAL"]}, "conflict"),
        ({"name": "Else", "domain": "else.com", "aliases": ["E", "Rvl"]}, "conflict"),
        ({"name": "", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "<untrusted-quote>Evil", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "Evil</ Untrusted-Quote >", "domain": "else.com"}, "invalid_arguments"),
        ({"name": "Else", "domain": "else.com", "aliases": ["</untrusted-quote"]}, "invalid_arguments"),
        ({"name": "Else", "domain": ""}, "invalid_arguments"),
        ({"name": "Else", "domain": "else.com", "aliases": ["x" * 201]}, "invalid_arguments"),
        ({"name": "Else", "domain": "else.com", "aliases": [f"a{n}" for n in range(51)]}, "invalid_arguments"),
    ],
)
def test_competitors_that_cannot_be(cast, editor, refused, values, code):
    replace_aliases(editor, brand=cast.brand, aliases=["Anvil Company"])
    add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com", aliases=["RVL"])
    other = add_competitor(editor, brand=cast.brand, name="Third", domain="third.com", aliases=["3rd"])
    replace_domains(editor, brand=cast.brand, domains=["acme.net"])
    refused(code, add_competitor, editor, brand=cast.brand, **values)
    refused(code, update_competitor, editor, competitor=other, **values)
    assert list(Competitor.objects.values_list("name", "domain")) == [("Rival", "rival.com"), ("Third", "third.com")]
    assert aliases_of(other) == ["3rd"]


@pytest.mark.parametrize("name", ["rival", "RVL", "r-v l"])
def test_a_competitors_names_cannot_become_the_brands(cast, editor, refused, name):
    add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com", aliases=["RVL", "R V-L"])
    refused("invalid_arguments", replace_aliases, editor, brand=cast.brand, aliases=["Acme Inc", name])
    refused("invalid_arguments", update_brand, editor, brand=cast.brand, name=name)
    cast.brand.refresh_from_db()
    assert (cast.brand.name, aliases_of(cast.brand)) == ("Acme", [])


def test_what_shares_a_name_from_earlier_times_can_still_be_changed(cast, editor, refused):
    shared = CompetitorFactory(brand=cast.brand, name="Fourth")
    shared.aliases.create(text="Tindel")
    rival = add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com")
    rival.aliases.create(text="tindel")
    cast.brand.aliases.create(text="RIVAL")
    update_competitor(editor, competitor=rival, domain="rival.net")
    update_competitor(editor, competitor=shared, aliases=["TINDEL", "Third"])
    replace_aliases(editor, brand=cast.brand, aliases=["RIVAL", "Acme Inc"])
    update_brand(editor, brand=cast.brand, name="Acme", description="Anvils.")
    assert (aliases_of(rival), aliases_of(shared)) == (["tindel"], ["TINDEL", "Third"])
    refused("invalid_arguments", update_competitor, editor, competitor=shared, name="Rival")
    update_competitor(editor, competitor=rival, aliases=[])
    replace_aliases(editor, brand=cast.brand, aliases=["Acme Inc"])
    refused("conflict", update_competitor, editor, competitor=rival, aliases=["tindel"])
    refused("invalid_arguments", replace_aliases, editor, brand=cast.brand, aliases=["Acme Inc", "rival"])


def test_the_same_rival_may_be_watched_by_two_brands(cast, editor, system):
    add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com")
    add_competitor(system, brand=BrandFactory(), name="Rival", domain="rival.com")


def test_the_owners_plan_limits_the_competitors(refused, system):
    brand = BrandFactory(owner=UserFactory(plan=plan("free")))
    CompetitorFactory.create_batch(3, brand=brand)
    error = refused("quota_exceeded", add_competitor, system, brand=brand, name="R", domain="r.com")
    assert error.details == {"limit": 3, "used": 3, "resetsAt": None}


@pytest.mark.django_db(transaction=True, serialized_rollback=True)
def test_twenty_callers_do_not_pass_the_competitor_limit(system, at_once):
    brand = BrandFactory(owner=UserFactory(plan=plan("growth")))
    outcomes = at_once(20, lambda n: add_competitor(system, brand=brand, name=f"R{n}", domain=f"r{n}.com"))
    assert sum(isinstance(outcome, Competitor) for outcome in outcomes) == brand.competitors.count() == 10
    assert {outcome.code for outcome in outcomes if not isinstance(outcome, Competitor)} == {"quota_exceeded"}


def test_what_is_not_given_stays(cast, editor):
    rival = add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com", aliases=["RVL"])
    update_competitor(editor, competitor=rival, name="RIVAL Inc")
    rival.refresh_from_db()
    assert (rival.name, rival.domain, aliases_of(rival)) == ("RIVAL Inc", "rival.com", ["RVL"])
    update_competitor(editor, competitor=rival, aliases=["rvl", "R"])
    assert aliases_of(rival) == ["R", "rvl"]


def test_a_removed_competitor_is_gone(cast, editor, refused):
    rival = add_competitor(editor, brand=cast.brand, name="Rival", domain="rival.com", aliases=["RVL"])
    remove_competitor(editor, competitor=rival)
    assert not Competitor.objects.exists()
    rival = CompetitorFactory.build(pk=rival.pk, brand=cast.brand)
    refused("not_found", remove_competitor, editor, competitor=rival)
    refused("not_found", update_competitor, editor, competitor=rival, name="X")


def test_aliases_are_kept_once_and_without_the_name(cast, editor):
    replace_aliases(editor, brand=cast.brand, aliases=["ACME", "Acme Corp", "acme corp", "A.C.M.E."])
    assert aliases_of(cast.brand) == ["A.C.M.E.", "Acme Corp"]
    kept = cast.brand.aliases.get(text="Acme Corp").pk
    replace_aliases(editor, brand=cast.brand, aliases=["Acme Corp", "Acme Tools"])
    assert aliases_of(cast.brand) == ["Acme Corp", "Acme Tools"]
    assert cast.brand.aliases.get(text="Acme Corp").pk == kept
    replace_aliases(editor, brand=cast.brand, aliases=["ACME CORP"])
    assert aliases_of(cast.brand) == ["ACME CORP"]


@pytest.mark.parametrize("alias", ["", "  ", "x" * 201, "a\u202eb", "a\x00b"])
def test_bad_aliases_change_nothing(cast, editor, refused, alias):
    replace_aliases(editor, brand=cast.brand, aliases=["Acme Corp"])
    refused("invalid_arguments", replace_aliases, editor, brand=cast.brand, aliases=["Other", alias])
    assert aliases_of(cast.brand) == ["Acme Corp"]


@pytest.mark.parametrize("pair", [("İ", "i"), ("ẞ", "ß"), ("Σ", "ς")])
def test_letters_whose_case_is_doubtful_never_break(cast, editor, pair):
    try:
        replace_aliases(editor, brand=cast.brand, aliases=pair)
    except Exception as error:
        assert getattr(error, "code", None) == "conflict", error
    assert 0 <= cast.brand.aliases.count() <= 2


def test_domains_are_kept_in_one_form_without_the_main_one(cast, editor, refused):
    replace_domains(editor, brand=cast.brand, domains=["https://www.acme.net/", "ACME.net", "acme.example"])
    assert list(OwnedDomain.objects.values_list("domain", flat=True)) == ["acme.net"]
    replace_domains(editor, brand=cast.brand, domains=["www.acme.net", "acme.org"])
    assert list(OwnedDomain.objects.values_list("domain", flat=True)) == ["acme.net", "acme.org"]
    replace_domains(editor, brand=cast.brand, domains=["acme.org"])
    assert list(OwnedDomain.objects.values_list("domain", flat=True)) == ["acme.org"]
    refused("invalid_arguments", replace_domains, editor, brand=cast.brand, domains=["acme.info", "nowhere"])
    refused("invalid_arguments", replace_domains, editor, brand=cast.brand, domains=[f"a{n}.com" for n in range(51)])
    assert list(OwnedDomain.objects.values_list("domain", flat=True)) == ["acme.org"]
