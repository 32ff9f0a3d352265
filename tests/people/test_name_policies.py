"""When names that also mean something else count: who says so, where it is shown, and that it holds."""

import pytest

from brands.models import NamePolicy
from brands.services.policies import set_name_policy
from brands.services.tracked import read_names
from tests.factories import CompetitorFactory
from tests.people.browser import text_of
from visibility.measured.names import vocabulary_of
from visibility.services.competitors.names import name_flags

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand(cast):
    CompetitorFactory(brand=cast.brand, name="Prime", domain="prime.example")
    return cast.brand


def test_a_policy_is_set_replaced_and_removed(system, brand):
    policy = set_name_policy(
        system,
        brand=brand,
        text="prime",
        case_sensitive=True,
        required_near=["video", "video"],
        forbidden_near=["rib"],
    )
    assert (policy.text, policy.required_near, policy.forbidden_near) == ("Prime", ["video"], ["rib"])
    set_name_policy(system, brand=brand, text="Prime", forbidden_near=["Minister"])
    assert str(brand.name_policies.get()) == "Prime: not beside Minister"
    assert set_name_policy(system, brand=brand, text="Prime") is None
    assert not NamePolicy.objects.exists()


@pytest.mark.parametrize(
    "values",
    [
        {"text": "Unknown", "case_sensitive": True},
        {"text": "", "case_sensitive": True},
        {"text": "Prime", "required_near": ["two words"]},
        {"text": "Prime", "required_near": ["x" * 51]},
        {"text": "Prime", "forbidden_near": [str(number) for number in range(31)]},
    ],
)
def test_a_policy_that_cannot_hold_is_refused(system, brand, refused, values):
    refused("invalid_arguments", set_name_policy, system, brand=brand, **values)
    assert not NamePolicy.objects.exists()


def test_a_policy_is_a_part_of_the_lexicon(system, brand):
    before = vocabulary_of(brand)
    set_name_policy(system, brand=brand, text="PRIME", case_sensitive=True)
    after = vocabulary_of(brand)
    assert after.stamp != before.stamp, "answers are analysed again"
    [prime] = [name for name in after.names if name.text == "Prime"]
    assert prime.policy.case_sensitive
    set_name_policy(system, brand=brand, text="Prime")
    assert vocabulary_of(brand).stamp == before.stamp


def test_names_that_mean_something_else_are_told(brand):
    flags = name_flags(read_names(brand))
    assert flags["Prime"].kind == "word"
    assert "plain word" in flags["Prime"].reason


def test_policies_and_flags_in_the_staff_pages(browser, brand):
    page = f"/admin/brands/brand/{brand.pk}/"
    assert "\u201cPrime\u201d is also a plain word" in text_of(browser.client.get(f"{page}change/"))
    answer = browser.submit(f"{page}policy/", text="Prime", case_sensitive="on", required_near="video\r\nAmazon")
    assert answer.status_code == 302, text_of(answer)
    assert "Prime: only with these capitals; in a line with video, Amazon" in text_of(
        browser.client.get(f"{page}change/")
    )
    assert "is not a tracked name" in text_of(browser.submit(f"{page}policy/", text="Nobody"))


def test_a_new_name_that_means_something_else_is_told_when_it_is_saved(browser, brand):
    page = f"/admin/brands/brand/{brand.pk}/change/"
    answer = browser.submit(page, alias_lines="Notion\nXqzw")
    assert answer.status_code == 302, text_of(answer)
    shown = text_of(browser.client.get(page))
    assert "\u201cNotion\u201d is also a plain word" in shown.split("Names that mean something else, too")[0]
    browser.submit(page, alias_lines="Notion\nXqzw\nYqzw")
    shown = text_of(browser.client.get(page)).split("Names that mean something else, too")
    assert "Notion\u201d is also" not in shown[0], "it was told before"
    assert "Notion\u201d is also a plain word" in shown[1]
    assert "Proposed: Notion: only with these capitals." in shown[1]
