"""Competitors at the agent door: a site is no competitor of itself."""

import pytest

from tests.factories import CompetitorFactory
from tests.mcp.conftest import give_evidence, make_prompt


@pytest.mark.parametrize("is_measured", [True, False])
def test_a_site_is_not_in_its_own_list_of_competitors(agent, key, cast, is_measured):
    CompetitorFactory(brand=cast.brand, name="Globex")
    if is_measured:
        give_evidence(cast.brand, make_prompt(cast.brand))
    listed = agent.plain(key, "list_competitors", siteId=str(cast.brand.pk))
    assert [each["name"] for each in listed["competitors"]] == ["Globex"]
    assert (listed["site"] is not None) is is_measured
