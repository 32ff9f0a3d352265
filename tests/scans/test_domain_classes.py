"""Operators say of which class a domain is, and all history is analysed again."""

import pytest

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from tests.factories import UserFactory
from tests.people.browser import Browser, text_of
from tests.scans.history import figures, fresh, rescored
from visibility.models import Citation, DomainClass, Generation
from visibility.pipeline.generations.planning import outdated_brands, plan_outdated
from visibility.services.engines import domain_classes
from visibility.services.engines.domain_classes import classify_domain, unclassify_domain

pytestmark = pytest.mark.django_db
ADD = "/admin/visibility/domainclass/add/"


def classes():
    """The class of each cited domain, in the order of domains."""
    return list(Citation.objects.order_by("domain").values_list("domain", "owner", "cls").distinct())


class TestHistory:
    def test_the_class_holds_in_all_history_and_again_when_it_is_taken_back(self, brand, history, system):
        before = classes()
        assert before == [("acme.example", "own", "own"), ("shop.example", "other", "other")]
        row = classify_domain(system, domain="https://www.shop.example/x", cls="shop")
        assert classes() == before, "until all is analysed"
        rescored(brand)
        assert classes() == [before[0], ("shop.example", "other", "shop")]
        assert figures(brand) == fresh(brand)
        classify_domain(system, domain="shop.example", cls="news")
        rescored(brand)
        assert classes() == [before[0], ("shop.example", "other", "news")]
        unclassify_domain(system, row=row)
        rescored(brand)
        assert classes() == before

    def test_whose_own_a_domain_is_stays_as_it_is(self, brand, history, system):
        before = classes()
        classify_domain(system, domain="acme.example", cls="news")
        rescored(brand)
        assert classes() == before

    def test_it_is_noticed_once_for_every_brand(self, brand, history, system):
        classify_domain(system, domain="shop.example", cls="shop")
        assert list(outdated_brands()) == [brand]
        assert plan_outdated() == 1
        assert not outdated_brands().exists()
        building = Generation.objects.get(state="building")
        assert building.names["classes"] == {"shop.example": "shop"}

    def test_what_is_taken_back_before_anyone_noticed_costs_nothing(self, brand, history, system):
        unclassify_domain(system, row=classify_domain(system, domain="shop.example", cls="shop"))
        assert plan_outdated() == 0

    def test_what_is_taken_back_while_it_is_built_is_given_up(self, brand, history, system):
        row = classify_domain(system, domain="shop.example", cls="shop")
        plan_outdated()
        unclassify_domain(system, row=row)
        plan_outdated()
        assert sorted(Generation.objects.values_list("state", flat=True)) == ["current", "retired"]
        assert not outdated_brands().exists()


class TestWriting:
    @pytest.mark.parametrize(
        ("values", "argument"),
        [
            ({"domain": "shop.example", "cls": "own"}, "cls"),
            ({"domain": "shop.example", "cls": "competitor"}, "cls"),
            ({"domain": "shop.example", "cls": "magazine"}, "cls"),
            ({"domain": "co.uk", "cls": "news"}, "domain"),
            ({"domain": "no domain", "cls": "news"}, "domain"),
        ],
    )
    def test_bad_input_is_told(self, system, values, argument):
        with pytest.raises(ServiceError) as caught:
            classify_domain(system, **values)
        assert (caught.value.code, caught.value.details["argument"]) == (ErrorCode.INVALID_ARGUMENTS, argument)
        assert not DomainClass.objects.exists()

    def test_only_operators_may(self, cast, system):
        row = classify_domain(system, domain="shop.example", cls="shop")
        for act in (
            lambda caller: classify_domain(caller, domain="b.example", cls="shop"),
            lambda caller: unclassify_domain(caller, row=row),
        ):
            with pytest.raises(ServiceError) as caught:
                act(Caller.from_user(cast.owner))
            assert caught.value.code == ErrorCode.NOT_AVAILABLE
        assert DomainClass.objects.count() == 1

    def test_there_is_room_for_so_many(self, system, monkeypatch):
        monkeypatch.setattr(domain_classes, "MAX_DOMAINS", 1)
        classify_domain(system, domain="a.example", cls="shop")
        classify_domain(system, domain="a.example", cls="news")
        with pytest.raises(ServiceError) as caught:
            classify_domain(system, domain="b.example", cls="shop")
        assert caught.value.code == ErrorCode.CONFLICT


class TestStaffPages:
    @pytest.fixture
    def browser(self):
        return Browser(UserFactory(is_staff=True, is_superuser=True))

    def test_a_class_is_given_changed_and_taken_back(self, browser):
        assert browser.submit(ADD, domain="https://Shop.example/x", cls="shop").status_code == 302
        row = DomainClass.objects.get()
        assert (row.domain, row.cls) == ("shop.example", "shop")
        page = f"/admin/visibility/domainclass/{row.pk}"
        assert browser.submit(f"{page}/change/", cls="news").status_code == 302
        row.refresh_from_db()
        assert (row.domain, row.cls) == ("shop.example", "news")
        assert browser.submit(f"{page}/delete/").status_code == 302
        assert not DomainClass.objects.exists()

    def test_what_the_service_refuses_is_told(self, browser):
        assert "not a domain" in text_of(browser.submit(ADD, domain="co.uk", cls="shop"))
