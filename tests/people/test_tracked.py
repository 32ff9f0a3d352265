"""The names of a brand and its competitors, read in one statement."""

from brands.models import CompetitorAlias, NamePolicy, OwnedDomain
from brands.services.tracked import RivalNames, read_names
from tests.factories import AliasFactory, BrandFactory, CompetitorFactory


def _fill(brand, mark=""):
    for text in ("Zeta", "Acme Inc"):
        AliasFactory(brand=brand, text=text + mark)
    for domain in ("z.example", "y.example"):
        OwnedDomain.objects.create(brand=brand, domain=mark + domain)
    rivals = [CompetitorFactory(brand=brand, name=name + mark, domain=f"{name.lower()}.example") for name in "RQ"]
    for text in ("rr", "Acme Inc"):
        CompetitorAlias.objects.create(competitor=rivals[0], text=text + mark)
    CompetitorAlias.objects.create(competitor=rivals[1], text="qq" + mark)
    NamePolicy.objects.create(brand=brand, text="ZETA" + mark, case_sensitive=True, required_near=["Übung", "y"])
    NamePolicy.objects.create(brand=brand, text="R" + mark, forbidden_near=["b"])
    return rivals


def test_all_names_come_in_one_statement_and_those_of_no_other_brand(cast, django_assert_num_queries):
    _fill(BrandFactory(), "'s")
    first, second = _fill(cast.brand)
    with django_assert_num_queries(1):
        names = read_names(cast.brand)
    assert names.aliases == ["Acme Inc", "Zeta"]
    assert names.domains == ["y.example", "z.example"]
    assert names.rivals == {
        second.pk: RivalNames("Q", "q.example", ["qq"]),
        first.pk: RivalNames("R", "r.example", ["Acme Inc", "rr"]),
    }
    assert [each.name for each in names.rivals.values()] == ["Q", "R"]
    assert names.spellings == ["Acme", "Acme Inc", "Zeta", "Q", "R", "qq", "rr"]
    shown = {
        key: (each.text, each.case_sensitive, each.required_near, each.forbidden_near)
        for key, each in names.policies.items()
    }
    assert shown == {"zeta": ("ZETA", True, ["Übung", "y"], []), "r": ("R", False, [], ["b"])}


def test_a_brand_that_has_only_its_name(cast):
    names = read_names(cast.brand)
    assert (names.spellings, names.aliases, names.domains, names.rivals, names.policies) == (["Acme"], [], [], {}, {})
