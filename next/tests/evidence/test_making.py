import pytest

from tests.factories import UserFactory
from tests.mcp.worlds import real_site
from visibility.evidence.making import make_evidence
from visibility.evidence.reads import criteria_of

pytestmark = pytest.mark.django_db


def test_try():
    brand = real_site(UserFactory(), "Garmin")
    import time
    t = time.time()
    make_evidence(brand)
    print(time.time() - t)
    for c in criteria_of(brand):
        print(c.topic, c.label, c.labelled, c.mentioned, c.of, c.engines, c.winner, [(w.subject, w.answers, w.quote.text) for w in c.winners][:2], c.quotes[:1])
    assert 0
