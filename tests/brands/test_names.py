"""Names, domains and policies: each belongs to one, in one form, and every change of them is counted once."""

import pytest

from brands.brands import update_brand
from brands.competitors import add_competitor
from brands.models import Competitor
from brands.names import TrackedName, claim, names_of, set_name_policy, spelling_key
from tests.brands.conftest import names_version, refusal

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand(cast):
    """A brand with a competitor."""
    add_competitor(cast.owner, brand_id=cast.brand.pk, name="Prime", domain="prime.example", aliases=["Prime Co"])
    return cast.brand


def names(brand):
    return [row.text for row in brand.names.filter(competitor=None)]


def domains(brand):
    return [row.domain for row in brand.domains.filter(competitor=None)]


def test_aliases_are_there_once_and_without_the_name(cast, brand):
    at = {"brand_id": brand.pk}
    update_brand(cast.editor, **at, aliases=["ACME", "Acme  Corp", "acme-corp", "A.C.M.E."])
    assert names(brand) == ["Acme", "A.C.M.E.", "Acme Corp"]
    row = brand.names.get(text="Acme Corp").pk
    update_brand(cast.editor, **at, aliases=["ACME-CORP", "Acme Tools"])
    assert names(brand) == ["Acme", "ACME-CORP", "Acme Tools"]
    assert brand.names.get(text="ACME-CORP").pk == row
    update_brand(cast.editor, **at, aliases=[])
    assert names(brand) == ["Acme"]


def test_domains_are_there_once_in_one_form_and_without_the_main_one(cast, brand):
    update_brand(cast.editor, brand_id=brand.pk, domains=["https://www.acme.net/", "ACME.net", "acme.example"])
    assert domains(brand) == ["acme.example", "acme.net"]
    update_brand(cast.editor, brand_id=brand.pk, domains=["acme.org"])
    assert domains(brand) == ["acme.example", "acme.org"]


def test_what_cannot_be_changes_nothing(cast, brand):
    at = {"brand_id": brand.pk}
    update_brand(cast.editor, **at, aliases=["Acme Corp"])
    version = names_version(brand)
    for alias in ("", "  ", "x" * 201, "a\u202eb", "a\x00b", "<untrusted-quote>Evil", "</ Untrusted-Quote"):
        refused = refusal(update_brand, cast.editor, **at, aliases=["Other", alias])
        assert refused.code == "invalid_arguments", alias
    for many in (
        refusal(update_brand, cast.editor, **at, aliases=[f"a{n}" for n in range(51)]),
        refusal(update_brand, cast.editor, **at, domains=[f"a{n}.com" for n in range(51)]),
    ):
        assert many.code == "invalid_arguments"
        assert "at most 50" in many.message
    assert refusal(update_brand, cast.editor, **at, domains=["acme.info", "x"]).details == {"argument": "domains"}
    assert (names(brand), domains(brand)) == (["Acme", "Acme Corp"], ["acme.example"])
    assert names_version(brand) == version


def test_a_name_of_a_competitor_is_refused_with_who_has_it(cast, brand):
    competitor = brand.competitors.get()
    for taken in ("prime", "PRIME-CO"):
        refused = refusal(update_brand, cast.editor, brand_id=brand.pk, aliases=["Acme Corp", taken])
        assert refused.code == "conflict"
        assert refused.details == {"argument": "aliases", "competitorId": str(competitor.pk)}
        assert "the competitor Prime" in refused.message
        assert "remove it there" in refused.message
    refused = refusal(update_brand, cast.editor, brand_id=brand.pk, domains=["www.prime.example"])
    assert (refused.code, refused.details["argument"]) == ("conflict", "domains")
    assert names(brand) == ["Acme"]


def test_saving_the_same_again_counts_as_no_change(cast, brand):
    at = {"brand_id": brand.pk}
    policy = {"name": "Prime", "case_sensitive": True, "required_near": ["video"], "forbidden_near": ["rib"]}
    for change in (
        lambda: update_brand(cast.editor, **at, aliases=["Acme Corp", "ACM"]),
        lambda: update_brand(cast.editor, **at, domains=["acme.net", "acme.org"]),
        lambda: set_name_policy(cast.editor, **at, **policy),
    ):
        for counted in (1, 0):
            before = names_version(brand)
            change()
            assert names_version(brand) - before == counted


def test_letters_whose_case_is_doubtful_or_grows_are_one_name_or_two_and_never_a_failure(cast, brand):
    for aliases, count in ((["İ", "i"], 2), (["ẞ", "ß", "ss"], 1), (["Σ", "ς"], 1), (["ΐ" * 200], 1)):
        update_brand(cast.editor, brand_id=brand.pk, aliases=aliases)
        assert len(names(brand)) - 1 == count, aliases


def test_a_policy_is_set_replaced_and_removed(cast, brand):
    at = {"brand_id": brand.pk}
    row = set_name_policy(cast.editor, **at, name="prime", case_sensitive=True, required_near=["video", "video"])
    assert (row.text, row.case_sensitive, row.required_near, row.forbidden_near) == ("Prime", True, ["video"], [])
    row = set_name_policy(cast.editor, **at, name="Prime", forbidden_near=["Minister"])
    assert (row.case_sensitive, row.required_near, row.forbidden_near) == (False, [], ["Minister"])
    row = set_name_policy(cast.editor, **at, name="Prime")
    assert row.forbidden_near == []


def test_a_policy_that_cannot_be_is_refused(cast, brand):
    for argument, value in (
        ("name", "Unknown"),
        ("name", ""),
        ("required_near", ["two words"]),
        ("required_near", ["x" * 51]),
        ("forbidden_near", [str(number) for number in range(31)]),
    ):
        values = {"name": "Prime", argument: value}
        refused = refusal(set_name_policy, cast.editor, brand_id=brand.pk, **values)
        assert (refused.code, refused.details) == ("invalid_arguments", {"argument": argument})


def test_a_policy_stays_with_its_name_when_others_change(cast, brand):
    set_name_policy(cast.editor, brand_id=brand.pk, name="Acme", case_sensitive=True)
    update_brand(cast.editor, brand_id=brand.pk, aliases=["Acme Corp"])
    assert names_of(brand).brand.names[0] == TrackedName("Acme", True, (), ())


def test_all_names_are_read_together_in_two_statements(cast, brand, django_assert_num_queries):
    add_competitor(cast.owner, brand_id=brand.pk, name="Anvil", domain="anvil.example")
    update_brand(cast.editor, brand_id=brand.pk, domains=["acme.net"])
    brand.refresh_from_db()
    with django_assert_num_queries(2):
        everything = names_of(brand)
    assert everything.version == brand.names_version
    assert everything.brand.competitor is None
    assert everything.brand.domains == ("acme.example", "acme.net")
    assert [[name.text for name in other.names] for other in everything.competitors] == [
        ["Anvil"],
        ["Prime", "Prime Co"],
    ]
    assert [other.domains for other in everything.competitors] == [("anvil.example",), ("prime.example",)]
    assert {other.competitor for other in everything.competitors} == {row.pk for row in brand.competitors.all()}


def test_a_viewer_changes_no_name_and_a_stranger_finds_none(cast, brand):
    for caller, code in ((cast.viewer, "read_only_collaborator"), (cast.stranger, "not_found")):
        for service, values in (
            (update_brand, {"aliases": [], "domains": []}),
            (set_name_policy, {"name": "Acme"}),
        ):
            assert refusal(service, caller, brand_id=brand.pk, **values).code == code


def test_spellings_that_are_found_in_the_same_places_are_one():
    assert spelling_key("Coca-Cola") == spelling_key("COCA COLA")
    assert spelling_key("monday.com") != spelling_key("Monday")


def test_as_many_and_as_long_names_domains_and_words_as_are_allowed(cast, brand):
    at = {"brand_id": brand.pk}
    update_brand(cast.editor, **at, name="n" * 200, aliases=[f"{n:0200}" for n in range(50)])
    update_brand(cast.editor, **at, domains=[f"a{n}.com" for n in range(50)])
    assert (len(names(brand)), len(domains(brand))) == (51, 51)
    row = set_name_policy(cast.editor, **at, name="Prime", required_near=[f"{n:050}" for n in range(30)])
    assert len(row.required_near) == 30


def test_of_several_names_that_are_taken_the_refusal_names_the_one_and_its_argument(cast, brand):
    refused = refusal(add_competitor, cast.owner, brand_id=brand.pk, name="Acme", domain="third.example")
    assert refused.details == {"argument": "name", "competitorId": None}
    assert "is a name of the brand itself" in refused.message
    refused = refusal(add_competitor, cast.owner, brand_id=brand.pk, name="Third", domain="acme.example")
    assert refused.details == {"argument": "domain", "competitorId": None}
    assert "is a domain of the brand itself" in refused.message


def test_the_domain_of_a_competitor_changes_what_all_its_names_mean(cast, brand):
    competitor = brand.competitors.get()
    changed = claim(brand, Competitor(pk=competitor.pk, brand=brand, name="Prime", domain="prime.test"))
    assert (changed.names, changed.domains) == ({"Prime", "Prime Co"}, {"prime.example", "prime.test"})
    assert not changed.competitors


@pytest.mark.parametrize(
    "policy", [{"case_sensitive": True}, {"required_near": ["video"]}, {"forbidden_near": ["rib"]}], ids=str
)
def test_each_part_of_a_policy_alone_is_a_change(cast, brand, policy):
    before = names_version(brand)
    set_name_policy(cast.editor, brand_id=brand.pk, name="Prime", **policy)
    assert names_version(brand) == before + 1
