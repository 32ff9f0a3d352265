"""Own pages that were cited day after day and are cited no more."""

import numpy as np
import pytest

from tests.amounts import some
from tests.asking.world import BRANDS
from tests.factories import CompetitorFactory, PromptFactory
from tests.recommendations.planting import RealAnswers, opened
from tests.recommendations.test_cited_pages import digest
from tests.scans.history import ended_run
from tests.simulate.losses import Citations, false_losses, seen_losses
from visibility.insights.recommendations.kinds.own_page_lost import OwnPagesLost
from visibility.insights.recommendations.material import Material
from visibility.metrics.losses import find_losses

KIND = OwnPagesLost()
OURS, OTHER = "https://acme.example/guide", "https://acme.example/news"
THEIRS = "https://pcmag.com/best"


def losses(*shares, cells=8, tests=4):
    cited = np.array([shares]) * cells
    return find_losses(cited, np.full(cited.shape, float(cells)), tests)


@pytest.mark.parametrize(
    ("shares", "began"),
    [
        ([1.0] * 7 + [0.0, 0.0], 7),
        ([1.0] * 7 + [0.0], -1),  # one day is not confirmed
        ([1.0] * 7 + [0.0, 1.0], -1),
        ([1.0] * 2 + [0.0] * 2, -1),  # too few days before
        ([0.75] * 6 + [0.0] * 3, 6),
        ([1.0] * 7 + [0.5, 0.5], -1),  # fewer, not lost
        ([1.0, 0.0] * 4 + [0.0] * 2, -1),  # never cited steadily
        ([0.125] * 7 + [0.0] * 2, -1),  # too rare to tell
        ([1.0] * 7 + [0.0] * 7, 7),
        ([0.5] * 30, -1),
    ],
)
def test_a_loss_is_steady_before_nothing_after_and_confirmed(shares, began):
    assert losses(*shares).began[0] == began


def test_more_subjects_need_more_evidence():
    shares = [0.5] * 4 + [0.0] * 2
    assert losses(*shares, tests=1).began[0] == 4 and losses(*shares, tests=500).began[0] == -1


@pytest.mark.parametrize(
    ("shares", "recovered"),
    [([1.0] * 7 + [0.75] * 2, True), ([1.0] * 7 + [0.5] * 2, False), ([0.0] * 9, False), ([1.0] * 4, False)],
)
def test_it_is_back_with_three_quarters_of_its_best_days(shares, recovered):
    assert losses(*shares).recovered[0] == recovered


@pytest.mark.parametrize("wander", [(0.0, 0.0), (0.3, 0.0), (0.3, 0.5), (0.3, 0.9)])
def test_histories_without_a_change_open_hardly_any(wander):
    plan = Citations(topics=3, pages=2, wander=wander[0], memory=wander[1])
    assert false_losses(7, plan, 150) <= 0.06


def test_a_page_that_is_lost_is_seen_within_a_week():
    assert seen_losses(7, Citations(topics=3, pages=1, rate=0.8, lost=15), 60) >= 0.75


@pytest.fixture
def wordings(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return [
        PromptFactory(brand=cast.brand, text=f"which one is good, number {n}?", topic=f"t{n // 6}") for n in range(12)
    ]


def history(brand, wordings, *days):
    """A measured day for each: which addresses the answers of the first topic cite."""
    for number, urls in enumerate(days):
        cited = [urls] * 6 + [[THEIRS]] * 6
        ended_run(brand, wordings, day=number, texts=["Rival is good."] * 12, cited=cited)


def standings(brand):
    return {row.subject: row.standing.value for row in KIND.observe(Material(brand))}


@pytest.mark.django_db
def test_a_planted_loss_is_found_with_its_days_and_closes_when_the_page_is_cited_again(cast, wordings):
    history(cast.brand, wordings, *[[OURS]] * 5, [THEIRS], [THEIRS])
    rows = opened(KIND, cast.brand)
    assert set(rows) == {digest(OURS)}, "the page stands for its topic"
    [(row, words)] = rows.values()
    assert row.topic == "t0" and row.factors.engines == 1
    assert words.title == (
        "Win back the citations of your acme.example page on “t0”: 0 of 12 answers cite it, since 15 Mar 2026"
    )
    assert words.evidence[0].url == OURS
    assert "14 Mar 2026: 6 of 12; 15 Mar 2026: 0 of 12" in words.evidence[1].text
    ended_run(cast.brand, wordings, day=7, texts=["Rival."] * 12, cited=[[OURS]] * 6 + [[THEIRS]] * 6)
    assert standings(cast.brand)[digest(OURS)] == "between"
    [between] = [row for row in KIND.observe(Material(cast.brand)) if row.subject == digest(OURS)]
    assert between.details is None, "no day can be told anew: what was written when it opened stays"
    ended_run(cast.brand, wordings, day=8, texts=["Rival."] * 12, cited=[[OURS]] * 6 + [[THEIRS]] * 6)
    assert standings(cast.brand)[digest(OURS)] == "closed"


@pytest.mark.django_db
def test_without_the_loss_nothing_opens(cast, wordings):
    history(cast.brand, wordings, *[[OURS]] * 7)
    assert set(standings(cast.brand).values()) == {"closed"}


@pytest.mark.django_db
def test_where_pages_take_turns_the_domain_is_lost_on_its_topic(cast, wordings):
    history(cast.brand, wordings, *[[OURS], [OTHER]] * 3, [THEIRS], [THEIRS])
    [(subject, (row, words))] = opened(KIND, cast.brand).items()
    assert subject.startswith("topic:") and row.topic == "t0"
    assert words.title.startswith("Win back the citations of acme.example on “t0”: 0 of 6 answers cite it")


@pytest.mark.django_db
def test_another_model_is_another_measurement(cast, wordings):
    for number in range(7):
        run_cited = [[OURS]] * 6 if number < 5 else [[THEIRS]] * 6
        engine = "chat" if number < 5 else "other"
        ended_run(
            cast.brand, wordings, day=number, texts=["Rival."] * 12, cited=run_cited + [[THEIRS]] * 6, engine=engine
        )
    assert "open" not in standings(cast.brand).values()


@pytest.mark.django_db
def test_one_day_is_no_history(cast, wordings):
    history(cast.brand, wordings, [OURS])
    assert standings(cast.brand) == {}


@pytest.mark.django_db
@pytest.mark.parametrize("name", some(BRANDS, len(BRANDS)))
def test_what_is_lost_in_a_week_of_real_answers_is_found(reference_data, name):
    """The real answers on four topics as seven days, which cite an own page of each topic until the fifth."""
    answers = RealAnswers(reference_data)
    topics = answers.topics(name)
    pages = {topic: f"https://www.{BRANDS[name][0]}/guides/{topic}" for topic in topics}
    # One answer of each engine to each question; engines number their samples apart.
    records = [record for topic in topics for record in answers.on(topic)]
    asked = list({(record["engine"], record["prompt"]): record for record in records}.values())
    answers.records = [
        {
            **record,
            "time": f"2025-05-{10 + day}T10:00:00Z",
            "citations": record["citations"] + ([{"url": pages[record["topic"]], "title": ""}] if day < 5 else []),
        }
        for day in range(7)
        for record in asked
    ]
    rows = opened(KIND, answers.imported(name))
    assert set(rows) == {digest(url) for url in pages.values()}
    for url in pages.values():
        row, words = rows[digest(url)]
        assert words.evidence[0].url == url and "since 15 May 2025" in words.title
        assert row.factors.engines == 2
