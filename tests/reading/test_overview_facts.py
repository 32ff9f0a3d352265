"""What the first screen of a brand adds to its score: sources and topics, as the other services count them."""

import pytest

from apikeys.caller import Caller
from tests.recommendations.planting import RealAnswers
from tests.scans.history import rescored
from visibility.services.overview.page import brand_overview
from visibility.services.reading.sources import source_report
from visibility.services.reading.topics import topic_report
from visibility.services.topics.deciding import choose_topics, topic_decisions


@pytest.fixture
def garmin(reference_data, db):
    return RealAnswers(reference_data).imported("Garmin")


def measured(brand):
    return brand_overview(Caller.from_user(brand.owner), brand, most_to_do=3).measured


def test_sites_are_counted_as_the_sources_of_the_brand_are(garmin, django_assert_max_num_queries):
    caller = Caller.from_user(garmin.owner)
    counted = source_report(caller, brand_id=garmin.pk).sources
    cited = measured(garmin).cited
    rows = [(site.domain, site.cls, site.answers, site.named) for site in cited.top]
    assert rows == [(site.domain, site.cls, site.answers, site.named) for site in counted[:3]]
    least = next(site for site in counted if site.domain == cited.least.domain)
    assert (least.answers, least.named) == (cited.least.answers, cited.least.named)
    assert all(cited.least.named / cited.least.answers <= site.named / site.answers for site in counted[:3])


def test_figures_are_of_the_topics_that_the_brand_sells_and_all_topics_stand_beside(garmin, client):
    caller = Caller.from_user(garmin.owner)
    assert measured(garmin).now.score == pytest.approx(5.88, abs=0.01)
    undecided = [topic.key for topic in topic_decisions(caller, brand_id=garmin.pk).undecided]
    assert len(undecided) == 17
    choose_topics(caller, brand_id=garmin.pk, choices={topic: topic == "running-watch-400" for topic in undecided})
    rescored(garmin)
    own = measured(garmin)
    assert [(row.topic, row.own.named, row.own.answers) for row in own.topics] == [
        ("running watches under $400", 20, 20)
    ]
    assert (own.now.score, own.now.answers, own.now.topics) == (100.0, 20, 1)
    assert own.now.all_topics.score == pytest.approx(5.88, abs=0.01) and own.now.all_topics.topics == 17
    assert dict(own.now.own_topics) == {"own": 1, "not_own": 16, "undecided": 0}
    client.force_login(garmin.owner)
    page = client.get(f"/brands/{garmin.pk}").content.decode()
    assert "Over all topics: <strong>5.9 %</strong>" in page and "16 topics that" in page


def test_topics_stand_beside_the_best_rival_as_the_report_of_topics_has_them(garmin):
    rows = {row.topic: row for row in measured(garmin).topics}
    for item in topic_report(Caller.from_user(garmin.owner), brand_id=garmin.pk).topics:
        own, rival = item.subjects[:2]
        assert (rows[item.topic].own.named, rows[item.topic].rival.named) == (own.named, rival.named)
