import pytest, json
from tests.factories import UserFactory, make_key
from tests.mcp.conftest import Agent, whole_endpoint
from tests.mcp.worlds import crowded_site
pytestmark = pytest.mark.django_db
def test_it(capsys, db):
    agent=Agent(whole_endpoint()); owner = UserFactory(); key=make_key(owner=owner)[1]
    crowded_site(owner)
    with capsys.disabled():
        for a in ({"words":"a\0b"},{"competitor":"a\0b","about":"standing"},{"engine":"a\0b","about":"standing"},{"topic":"\ud800","about":"standing"},{"question":"\0 \ud800 x"},{"words":"' | & ! :* <-> ("},{"words":"!!!"},{"words":"\u202eabc"},{"from":"0001-01-01","to":"9999-12-31","about":"change"},{"from":"9999-12-31","about":"change"},{"to":"0001-01-05","about":"change"},{"limit":1,"about":"topics"}):
            r=agent.call(key,"ask",{"question":"?",**a}); print(a, r.content[0].text[:260])
