import json, pytest
from tests.factories import UserFactory, make_key
from tests.mcp.conftest import *
from tests.mcp.worlds import real_site
@pytest.mark.django_db
def test_show(agent):
    owner=UserFactory(); b=real_site(owner,"Garmin"); key=make_key(owner=owner)[1]
    for t in ("get_buyer_criteria","get_positioning_claims","get_review_themes","get_voice_profile"):
        d=agent.data(key,t,siteId=str(b.pk)); print(t,len(json.dumps(d))//4,json.dumps(d,indent=1,ensure_ascii=False)[:1800])
    d=agent.data(key,"get_buyer_criteria",siteId=str(b.pk),detail="full",limit=1); print(json.dumps(d,indent=1,ensure_ascii=False)[:3000])
    assert 0
