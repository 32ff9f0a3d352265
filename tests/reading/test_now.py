"""What *now* is: of each engine its latest counted day, through every door."""

import random
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from uuid import UUID

import pytest
from django.core.cache import cache

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from brands.services.access import readable_brand
from tests.factories import BrandFactory, CompetitorFactory, DailyScoreFactory, PromptFactory
from tests.scans.history import DAY, TEXTS, ended_run
from visibility.measured.ages import age
from visibility.measured.basis import BrandState, Reason, StoredDay, StoredEngine, decide, window_of
from visibility.measured.now import count_now, read_now
from visibility.measured.reading import read_bases, read_basis
from visibility.models import DailyScore, EngineConfig, Recommendation
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.competitors.listing import competitors_of
from visibility.services.content.opportunities import content_report
from visibility.services.overview.brief import site_brief
from visibility.services.overview.portfolio import portfolio
from visibility.services.prompts.detail import prompt_competitor_results, prompt_detail
from visibility.services.prompts.editing import archive_prompt
from visibility.services.prompts.listing import prompts_of
from visibility.services.reading.figures import figures_and_changes
from visibility.services.reading.scores import visibility_scores

FIRST, SECOND = DAY.date(), DAY.date() + timedelta(days=1)
LATEST = date(2026, 3, 31)
STATE = BrandState(UUID(int=1), "daily", LATEST, None, False, False)
RIVALS = ["Rival is good."] * 4 + ["Acme is good."]


def stored(days_ago, **engines):
    """A measured day: each engine with its score, None where it was asked and did not count."""
    items = [StoredEngine(name, score, 20) for name, score in engines.items()]
    return StoredDay(LATEST - timedelta(days=days_ago), items, [UUID(int=100 + days_ago)])


def shown(basis):
    return {each.engine: (LATEST - each.day).days for each in basis.engines}


class TestDeciding:
    def test_each_engine_has_its_latest_counted_day(self):
        days = [stored(0, chat=50.0, sonar=None), stored(2, sonar=20.0, chat=10.0), stored(5, sonar=1.0, quill=3.0)]
        basis = decide(STATE, days, {"chat", "sonar", "quill"})
        assert shown(basis) == {"chat": 0, "quill": 5, "sonar": 2}
        assert not basis.is_latest_day

    @pytest.mark.parametrize(("cadence", "days"), [("manual", 14), ("daily", 14), ("weekly", 14), ("monthly", 46)])
    def test_the_window_is_fourteen_days_or_one_and_a_half_intervals(self, cadence, days):
        assert window_of(replace(STATE, cadence=cadence)) == LATEST - timedelta(days=days)
        assert window_of(replace(STATE, latest=None)) is None

    def test_the_latest_day_is_now_where_it_has_all(self):
        assert decide(STATE, [stored(0, chat=50.0), stored(1, chat=40.0)], {"chat"}).is_latest_day

    @pytest.mark.parametrize(
        "state",
        [
            replace(STATE, archived_at=datetime(2026, 3, 31, 9, tzinfo=UTC)),
            replace(STATE, archived_at=datetime(2026, 3, 1, 9, tzinfo=UTC), has_imports=True),
        ],
    )
    def test_what_may_have_changed_since_is_counted_again(self, state):
        assert not decide(state, [stored(0, chat=50.0)], {"chat"}).is_latest_day

    def test_an_engine_that_is_not_in_use_any_more_is_left_out_and_named(self):
        basis = decide(STATE, [stored(0, chat=50.0, quill=10.0)], {"chat"})
        assert shown(basis) == {"chat": 0}
        assert [(each.engine, each.reason) for each in basis.left_out] == [("quill", Reason.NOT_IN_USE)]
        assert not basis.is_latest_day

    def test_engines_stay_until_others_have_taken_their_place(self):
        assert shown(decide(STATE, [stored(0, chat=50.0)], {"sonar"})) == {"chat": 0}

    def test_an_engine_that_never_counted_is_named_with_its_day(self):
        basis = decide(STATE, [stored(0, chat=50.0), stored(3, sonar=None)], {"chat", "sonar"})
        [left] = basis.left_out
        assert (left.engine, left.reason, left.day) == ("sonar", Reason.TOO_FEW_ANSWERS, LATEST - timedelta(days=3))

    def test_local_search_gives_way_where_another_engine_is_there(self):
        basis = decide(STATE, [stored(0, chat=50.0), stored(1, **{"local-search": 90.0})], {"chat", "local-search"})
        assert [each.engine for each in basis.compared] == ["chat"]
        alone = decide(STATE, [stored(1, **{"local-search": 90.0})], {"local-search"})
        assert [each.engine for each in alone.compared] == ["local-search"]


def test_a_day_says_its_age_where_it_matters():
    assert age(LATEST, LATEST, LATEST) == age(LATEST, LATEST, LATEST + timedelta(days=14)) == ""
    assert age(LATEST, LATEST, LATEST + timedelta(days=15)) == "measured 15 days ago"
    assert age(LATEST - timedelta(days=1), LATEST, LATEST) == "measured 1 day before the latest measured day"


@pytest.fixture
def mixed(cast, rival, wordings):
    """chat was asked on the first day, sonar on the second: 2 of 5 and 1 of 5 answers name the brand."""
    ended_run(cast.brand, wordings, texts=TEXTS, engine="chat")
    ended_run(cast.brand, wordings, texts=RIVALS, engine="sonar", day=1)
    return cast.brand


def scores_of(caller, brand, **more):
    return visibility_scores(caller, brand_id=brand.pk, first=FIRST, last=SECOND, **more)


@pytest.mark.django_db
class TestDoors:
    def test_scores_show_each_engine_on_its_own_day(self, mixed, owner):
        found = scores_of(owner, mixed)
        assert [(each.engine, each.as_of, each.score) for each in found.by_engine] == [
            ("chat", FIRST, 40.0), ("sonar", SECOND, 20.0),
        ]  # fmt: skip
        assert (found.now.score, found.now.date, found.now.answers) == (30.0, SECOND, 10)
        assert found.now.based_on == "chat as of 10 Mar 2026, sonar as of 11 Mar 2026"
        assert found.now.low < 30 < found.now.high
        assert [item.score for item in found.trend] == [40.0, 20.0], "the trend stays by day"
        assert {share.name: share.score for share in found.share_of_voice} == {"Acme": 30.0, "Rival": 60.0}

    def test_every_door_tells_of_both_engines(self, mixed, owner, wordings):
        brief = site_brief(owner, brand_id=mixed.pk)
        assert brief.now == scores_of(owner, mixed).now
        assert {each.engine for one in (*brief.strengths, *brief.weaknesses) for each in one.engines} == {
            "chat", "sonar",
        }  # fmt: skip
        for item in prompts_of(owner, brand_id=mixed.pk).prompts:
            assert [(each.engine, each.as_of, each.answers) for each in item.engines] == [
                ("chat", FIRST, 1), ("sonar", SECOND, 1),
            ]  # fmt: skip
        detail = prompt_detail(owner, prompt_id=wordings[0].pk).prompt
        assert (detail.named, detail.answers) == (1, 2)
        results = prompt_competitor_results(owner, prompt_id=wordings[0].pk)
        assert [each.engine for each in results.subjects[0].engines] == ["chat", "sonar"]
        gaps = competitor_gaps(owner, brand_id=mixed.pk).gaps
        assert {each.engine for gap in gaps for each in gap.engines} == {"chat", "sonar"}
        for item in content_report(owner, brand_id=mixed.pk).opportunities:
            assert {each.engine: each.as_of for each in item.engines} == {"chat": FIRST, "sonar": SECOND}
        [rival] = competitors_of(owner, brand_id=mixed.pk).competitors
        assert rival.score == 60.0
        *_, standing = figures_and_changes(owner, readable_brand(owner, mixed.pk))
        assert [each.as_of for each in standing.subjects[0].engines] == [FIRST, SECOND]
        assert portfolio(owner).sites[0].visibility.score == 30.0

    def test_recommendations_are_made_of_both_engines_answers(self, cast, rival):
        asked = [PromptFactory(brand=cast.brand, topic="anvils") for _ in range(6)]
        ended_run(cast.brand, asked, texts=["Rival is good.", *RIVALS], engine="chat")
        ended_run(cast.brand, asked, texts=["Rival is good."] * 6, engine="sonar", day=1)
        rows = Recommendation.objects.filter(brand=cast.brand, kind="topic_gap")
        assert rows.exists()
        for row in rows:
            assert {each["engine"]: each["as_of"] for each in row.payload["engines"]} == {
                "chat": FIRST.isoformat(), "sonar": SECOND.isoformat(),
            }  # fmt: skip
            assert "on 10 Mar 2026" in row.summary, "an earlier day is told"

    def test_only_prompts_that_are_active_today_count(self, mixed, owner, wordings):
        archive_prompt(owner, prompt=wordings[0])
        found = scores_of(owner, mixed)
        assert [(each.engine, each.score, each.answers) for each in found.by_engine] == [
            ("chat", 25.0, 4), ("sonar", 25.0, 4),
        ]  # fmt: skip

    def test_an_engine_whose_prompts_are_all_archived_is_named_apart(self, cast, rival, wordings, owner):
        others = [PromptFactory(brand=cast.brand) for _ in range(5)]
        ended_run(cast.brand, wordings, texts=TEXTS, engine="chat")
        ended_run(cast.brand, others, texts=RIVALS, engine="sonar", day=1)
        found = scores_of(owner, cast.brand).now
        assert [(row.engine, row.not_asked_yet) for row in found.engines] == [("chat", 5), ("sonar", 5)]
        assert found.not_asked_yet == 0, "each was asked by one of them"
        for prompt in others:
            archive_prompt(owner, prompt=prompt)
        found = scores_of(owner, cast.brand).now
        assert [(row.engine, row.score) for row in found.engines] == [("chat", 40.0)]
        [left] = found.left_out
        assert (left.engine, left.reason, left.as_of, left.answers) == ("sonar", "prompts_archived", SECOND, 5)

    def test_a_known_engine_is_never_said_not_to_be_asked(self, mixed, owner):
        found = visibility_scores(owner, brand_id=mixed.pk, first=SECOND, last=SECOND, engine="chat")
        assert [(each.engine, each.as_of) for each in found.by_engine] == [("chat", FIRST)]
        DailyScoreFactory(brand=mixed, date=FIRST - timedelta(days=90), engines=[
            {"engine": "old", "score": 10.0, "low": 5.0, "high": 20.0, "answers": 5}
        ])  # fmt: skip
        assert scores_of(owner, mixed, engine="old").by_engine == []
        with pytest.raises(ServiceError, match=r"No engine of this name was ever asked.*chat, old, sonar"):
            scores_of(owner, mixed, engine="claude")

    def test_an_enabled_engine_with_old_figures_alone_is_named_with_its_last_day(self, mixed, owner):
        for name in ("chat", "sonar", "old"):
            EngineConfig.objects.create(name=name, provider="openai", model="m", enabled=True)
        DailyScoreFactory(brand=mixed, date=FIRST - timedelta(days=90), engines=[
            {"engine": "old", "score": 10.0, "low": 5.0, "high": 20.0, "answers": 5}
        ])  # fmt: skip
        [left] = scores_of(owner, mixed).now.left_out
        assert (left.engine, left.reason, left.as_of) == ("old", "too_old", FIRST - timedelta(days=90))
        EngineConfig.objects.filter(name="chat").update(enabled=False)
        found = scores_of(owner, mixed).now
        assert [each.engine for each in found.engines] == ["sonar"]
        assert {each.engine: each.reason for each in found.left_out} == {"chat": "not_in_use", "old": "too_old"}

    def test_the_change_is_told_by_engine_never_as_now_minus_a_day(self, mixed, owner, wordings):
        ended_run(mixed, wordings, texts=TEXTS, engine="chat", day=2)
        change = scores_of(owner, mixed).now.change
        assert (change.verdict, change.delta) == ("not_comparable", None)
        assert [cause.code for cause in change.causes] == ["engines"]
        own = {each.engine: each for each in change.by_engine}
        assert (own["chat"].since, own["chat"].delta, own["chat"].verdict) == (FIRST, 0.0, "cannot_detect")
        assert [cause.code for cause in own["sonar"].causes] == ["no_score"]


@pytest.mark.django_db
@pytest.mark.parametrize("seed", range(6))
def test_where_all_engines_have_the_latest_day_now_is_that_day_exactly(cast, rival, wordings, seed):
    """Whatever the answers: what is counted for now and what is stored of the day are the same, digit for digit."""
    chance = random.Random(seed)
    CompetitorFactory(brand=cast.brand, name="Other", domain="other.example")
    for engine in ("chat", "sonar", "local-search")[: 1 + seed % 3]:
        for _ in range(chance.randint(1, 3)):
            ended_run(
                cast.brand, wordings, texts=[chance.choice([*TEXTS, "Other."]) for _ in wordings], engine=engine
            )
    basis = read_basis(cast.brand.pk)
    assert basis.is_latest_day
    taken = read_now(cast.brand, basis).rows
    counted = count_now([cast.brand], {cast.brand.pk: basis})[cast.brand.pk].rows
    ignored = ("id", "_state", "panel_id", "generation_id", "runs")
    for row, other in zip(taken, counted, strict=True):
        stored_values, counted_values = (
            {name: value for name, value in vars(each).items() if name not in ignored} for each in (row, other)
        )
        assert str(stored_values.pop("competitor_id")) == str(counted_values.pop("competitor_id"))
        assert stored_values == counted_values
        assert sorted(row.runs) == sorted(other.runs)


@pytest.mark.django_db
def test_many_mixed_brands_cost_as_many_statements_as_one(cast, owner, statements):
    def measured_brand():
        brand = BrandFactory(owner=cast.owner)
        CompetitorFactory(brand=brand, name="Rival")
        prompts = [PromptFactory(brand=brand) for _ in range(5)]
        ended_run(brand, prompts, engine="chat")
        ended_run(brand, prompts, engine="sonar", day=1)
        return brand

    brands = [measured_brand()]
    portfolio(owner)
    few_again = statements(portfolio, owner)
    cache.clear()
    few = statements(portfolio, owner)
    brands += [measured_brand() for _ in range(3)]
    assert statements(portfolio, owner) == few <= 30
    assert statements(portfolio, owner) == few_again < few
    shown = {site.id: site.visibility for site in portfolio(owner).sites}
    for brand in brands:
        assert shown[brand.pk].score == read_now(brand).own.score is not None


@pytest.mark.django_db
def test_a_stranger_sees_nothing_of_it(cast, mixed):
    with pytest.raises(ServiceError, match="Nothing is here"):
        scores_of(Caller.from_user(cast.stranger), mixed)
    assert read_bases([UUID(int=5)])[UUID(int=5)].latest is None
    assert DailyScore.objects.filter(brand=mixed).exists()
