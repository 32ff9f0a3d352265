"""What forms post may be anything: an act refuses it or finds nothing, and never fails."""

import uuid

import pytest
from django.urls import get_resolver, reverse

from tests.factories import BrandFactory

pytestmark = pytest.mark.django_db
GARBAGE = ("", "x/y", "\x00", "../..", "é" * 3_000, str(uuid.uuid4()), f"recommendation:{uuid.uuid4()}", "-1", "on")
FIELDS = (
    "id",
    "opportunity",
    "verb",
    "name",
    "domain",
    "text",
    "topic",
    "own",
    "role",
    "email",
    "prompts",
    "reply",
    "engines",
)


def acts() -> list[str]:
    """The names of all addresses that forms of a brand post to."""
    patterns = get_resolver("visibility.pages.urls").url_patterns
    return [pattern.name for pattern in patterns if "/do/" in str(pattern.pattern)]


@pytest.mark.parametrize("act", acts())
@pytest.mark.parametrize(
    "garbage", [GARBAGE[1:3], pytest.param(GARBAGE, marks=pytest.mark.proof)], ids=["some", "all"]
)
def test_an_act_bears_whatever_is_posted(client, act, garbage):
    brand = BrandFactory()
    client.force_login(brand.owner)
    client.raise_request_exception = False
    address = reverse(act, args=[brand.pk])
    posted = [{}, *(dict.fromkeys(FIELDS, value) for value in garbage)]
    answered = {str(form)[:40]: client.post(address, form).status_code for form in posted}
    assert max(answered.values()) < 500, answered
