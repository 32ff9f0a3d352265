"""What the first screen of a brand adds to its score: sources and topics, as the other services count them."""

import pytest

from apikeys.caller import Caller
from tests.recommendations.planting import RealAnswers
from visibility.models import TopicChoice
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


def test_own_topics_are_told_once_all_are_decided_and_the_score_stays(
    garmin, client, django_capture_on_commit_callbacks
):
    own = measured(garmin).own_topics
    assert (own.own, own.topics, own.undecided, own.named, own.answers) == (1, 17, 16, 20, 20)
    assert own.place_words == "first of 4 brands" and own.are_told and not own.are_decided
    caller = Caller.from_user(garmin.owner)
    before = measured(garmin).now.score
    undecided = topic_decisions(caller, brand_id=garmin.pk).undecided
    with django_capture_on_commit_callbacks(execute=True):
        choose_topics(caller, brand_id=garmin.pk, choices={topic.key: False for topic in undecided})
    after = measured(garmin)
    assert after.own_topics.are_decided and after.own_topics.undecided == 0 and after.now.score == before
    assert TopicChoice.objects.filter(brand=garmin, is_own=False).count() == 16
    client.force_login(garmin.owner)
    page = client.get(f"/brands/{garmin.pk}").content.decode()
    assert "<strong>20 of 20</strong> answers, <strong>first of 4 brands</strong>. On all 17 topics" in page
    assert "its score is <strong>5.9 %</strong>" in page and "say which you sell" not in page


def test_topics_stand_beside_the_best_rival_as_the_report_of_topics_has_them(garmin):
    rows = {row.topic: row for row in measured(garmin).topics}
    for item in topic_report(Caller.from_user(garmin.owner), brand_id=garmin.pk).topics:
        own, rival = item.subjects[:2]
        assert (rows[item.topic].own.named, rows[item.topic].rival.named) == (own.named, rival.named)
    assert [row.topic for row in rows.values() if row.is_own] == ["running watches under $400"]
