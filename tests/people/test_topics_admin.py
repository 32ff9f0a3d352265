"""Topics in the staff pages: decided from the brand's page, by staff who may."""

import re

import pytest

from tests.factories import PromptFactory
from tests.pages.reading import staff
from tests.people.browser import Browser, text_of
from visibility.models import TopicChoice

pytestmark = pytest.mark.django_db


@pytest.fixture
def address(cast):
    cast.brand.description = "Locks."
    cast.brand.save()
    for topic in ("locks", "<b>lights</b>"):
        PromptFactory(brand=cast.brand, text=f"Which {topic} are best?", topic=topic)
    return f"/admin/brands/brand/{cast.brand.pk}/topics/"


def test_each_topic_is_decided_with_what_is_proposed(browser, address, operator):
    page = browser.open(address)
    assert "Proposed: own. Your description says “Locks”." in text_of(page)
    assert "&lt;b&gt;lights&lt;/b&gt;" in page.content.decode()
    names = list(dict.fromkeys(re.findall(r'name="(topic-[0-9a-f]+)"', page.content.decode())))
    answer = browser.submit(address, **dict(zip(names, ("not_own", "own"), strict=True)))
    assert answer.status_code == 302
    assert dict(TopicChoice.objects.values_list("topic", "is_own")) == {"<b>lights</b>": False, "locks": True}
    assert set(TopicChoice.objects.values_list("decided_by", flat=True)) == {f"user:{operator.pk}"}
    assert "2 topics changed" in text_of(browser.open(answer.url))
    browser.submit(address, **dict.fromkeys(names, "undecided"))
    assert not TopicChoice.objects.exists()
    refused = browser.submit(address, **dict.fromkeys(names, "nonsense"))
    assert refused.status_code == 200 and not TopicChoice.objects.exists()


@pytest.mark.parametrize(
    "codenames", [(), ("view_brand",), ("view_brand", "view_topicchoice"), ("change_topicchoice",)]
)
def test_staff_without_the_permission_decide_nothing(address, codenames):
    client = Browser(staff(*codenames)).client
    assert client.get(address).status_code in (403, 404)
    assert client.post(address, {}).status_code in (403, 404)
