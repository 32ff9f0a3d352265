import pytest, time
from tests.factories import UserFactory
from tests.mcp.worlds import crowded_site
import visibility.scores.pivot as p
pytestmark = pytest.mark.django_db
def test_it(capsys, db):
    b=crowded_site(UserFactory(), days=1, topics=40, wordings=4)
    spent={}
    def timed(name):
        f=getattr(p,name)
        def g(*a,**k):
            t=time.perf_counter(); r=f(*a,**k); spent[name]=spent.get(name,0)+time.perf_counter()-t; return r
        setattr(p,name,g)
    for n in ("measure","find_leads","_counts"): timed(n)
    with capsys.disabled():
        t=time.perf_counter(); c=p.count_period(b); print("count",time.perf_counter()-t, len(c.rows))
        for by in (["subject"],["subject","topic"],["topic"]):
            spent.clear(); t=time.perf_counter(); r=p.pivot(c,by); print(by,len(r),round(time.perf_counter()-t,2),{k:round(v,2) for k,v in spent.items()})
