"""What is written from rows is what the resource itself would write; what is stored has the names of its fields."""

import json
from dataclasses import fields
from datetime import date
from uuid import UUID

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from apikeys.db import written as writing
from apikeys.db.written import RowWriter, written
from apikeys.resources import FOR_AGENTS
from apikeys.text.untrusted import marked
from visibility.engines.surfaces import Surface
from visibility.insights.recommendations.kind import Factors
from visibility.insights.recommendations.types import EngineTally, Payload
from visibility.insights.recommendations.wording import EvidenceText
from visibility.measured import stored
from visibility.measured.stored import as_stored
from visibility.resources import brands, changes, figures, recommendations
from visibility.resources.brands import BrandList, Trend, TrendItem
from visibility.resources.portfolio import SiteScore
from visibility.resources.recommendations import Evidence, RecommendationList
from visibility.resources.scores import VisibilityScores
from visibility.resources.topics import TopicItem
from visibility.services.reading.statements import DAY

RUN = "0198a3f2-5b1c-7c3e-9d54-2f6a8b7c1d0e"
KEPT = [
    (stored.EngineScore, brands.EngineScore),
    (stored.LocaleScore, brands.LocaleScore),
    (stored.Cause, changes.Cause),
    (stored.EngineChange, changes.EngineChange),
    (stored.CommonChange, changes.CommonChange),
    (stored.Confirmation, changes.Confirmation),
    (stored.Monitor, changes.Monitor),
    (stored.Change, changes.Change),
    (stored.MetricChange, changes.MetricChange),
    (stored.Figure, figures.Figure),
    (stored.AllTopics, brands.AllTopicsScore),
    (stored.FurtherFigures, figures.FurtherFigures),
    (stored.EngineDetails, figures.EngineDetails),
    (stored.ScoreDetails, figures.ScoreDetails),
    (EngineTally, recommendations.EngineCount),
    (EvidenceText, Evidence),
    (Factors, recommendations.PriorityFactors),
]

percents = st.none() | st.floats(0, 100)
words = st.text(max_size=8) | st.sampled_from(["share_of_voice", "minimum_detectable", "null", '":', "é\n\u2028"])
causes = st.lists(st.builds(stored.Cause, st.sampled_from(["engines", "model", "no_score"]), words), max_size=2)
verdicts = st.sampled_from(["moved", "within_noise", "cannot_detect", "not_comparable"])
days = st.dates(date(1970, 1, 1), date(2100, 12, 31))
counts = st.integers(0, 10**6)
change_figures = {
    "since": days, "delta": percents, "low": percents, "high": percents, "verdict": verdicts,
    "minimum_detectable": percents,
}  # fmt: skip
engines = st.lists(
    st.builds(
        stored.EngineScore, engine=words, models=st.lists(words, max_size=2), answers=counts,
        surface=st.sampled_from([surface.value for surface in Surface]),
        no_interval=st.sampled_from([None, "too_few_topics", "asked_once"]),
        **{field.name: percents for field in fields(stored.EngineScore)
           if field.name not in ("engine", "models", "answers", "surface", "no_interval")},
    ),
    max_size=2,
)  # fmt: skip
locales = st.lists(
    st.builds(
        stored.LocaleScore, locale=st.none() | words, engines=st.lists(words, max_size=2),
        **{field.name: counts if field.name in ("prompts", "topics", "answers") else percents
           for field in fields(stored.LocaleScore) if field.name not in ("locale", "engines")},
    ),
    max_size=2,
)  # fmt: skip
all_topics = st.builds(
    stored.AllTopics,
    **{field.name: counts if field.name in ("prompts", "topics", "answers") else percents
       for field in fields(stored.AllTopics)},
)  # fmt: skip
shifts = {"delta": percents, "low": percents, "high": percents}
spans = st.none() | st.builds(stored.ChangeFigures, **change_figures)
confirmations = st.none() | st.builds(
    stored.Confirmation, state=st.sampled_from(["confirmed", "open", "too_few_days", "not_confirmed", "none"]),
    moved_on=st.none() | days, pooled_days=counts, **shifts,
)  # fmt: skip
monitors = st.none() | st.builds(
    stored.Monitor, raised=st.booleans(), looks=counts, since=st.none() | days, **shifts
)  # fmt: skip
day_changes = st.none() | st.builds(
    stored.Change, **change_figures, causes=causes,
    common=st.none() | st.builds(stored.CommonChange, **change_figures, engines=st.lists(words, max_size=2),
                                 prompts=counts, rest=percents),
    by_engine=st.lists(st.builds(stored.EngineChange, **change_figures, engine=words, causes=causes,
                                 week=spans, month=spans, confirmation=confirmations, monitor=monitors),
                       max_size=2),
)  # fmt: skip


def value_of(name):
    """A strategy for a column of a day."""
    if name in ("prompts", "topics", "answers", "failed"):
        return counts
    known = {"date": days, "comparable": st.none() | st.booleans(), "engines": engines, "change": day_changes,
             "by_locale": st.none() | locales, "all_topics": st.none() | all_topics,
             "change_week": spans, "change_month": spans, "confirmation": confirmations, "monitor": monitors,
             "runs": st.lists(st.uuids().map(str), max_size=2)}  # fmt: skip
    return known.get(name, percents)


@given(st.lists(st.fixed_dictionaries({name: value_of(name) for name in DAY.fields}), max_size=2))
def test_a_trend_is_written_as_its_resource_writes_it(trend):
    plain = [{**item, **{name: as_stored(item[name]) for name in DAY.stored}} for item in trend]
    rows = [
        [
            json.dumps(item[name]) if name in DAY.stored and item[name] is not None else item[name]
            for name in DAY.fields
        ]
        for item in plain
    ]
    checked = Trend(brand=UUID(RUN), trend=plain)
    body = written(Trend, brand=UUID(RUN), trend=[DAY.item(row) for row in rows])
    assert json.loads(body.json) == json.loads(checked.model_dump_json(by_alias=True))
    assert [list(item) for item in json.loads(body.json)["trend"]] == [
        list(item) for item in json.loads(checked.model_dump_json(by_alias=True))["trend"]
    ]
    assert body.read() == checked


def test_a_stored_text_is_remembered_and_no_other_is_taken_for_it(monkeypatch):
    monkeypatch.setattr(writing, "MAX_REMEMBERED", 1)
    day = RowWriter(TrendItem, stored=("engines",))
    engine = dict.fromkeys(brands.EngineScore.model_fields) | {"engine": "chat", "models": [], "answers": 1}
    place = day.fields.index("engines")
    shown = []
    for share in (1.0, 2.0, 1.0):
        row = [None] * len(day.fields)
        row[place] = json.dumps([engine | {"share_of_voice": share}])
        [item] = json.loads(orjson.dumps(day.item(row)["engines"]))
        shown.append(item["shareOfVoice"])
    assert shown == [1.0, 2.0, 1.0]


@pytest.mark.parametrize("resource", [BrandList, RecommendationList, Evidence])
def test_what_is_written_in_a_way_of_its_own_is_refused(resource):
    with pytest.raises(TypeError, match="a way of"):
        written(resource, **dict.fromkeys(resource.model_fields))


@pytest.mark.parametrize("values", [{"brand": None}, {**dict.fromkeys(Trend.model_fields), "days": None}])
def test_a_resource_is_written_whole_by_the_names_of_its_fields(values):
    with pytest.raises(TypeError, match="other fields"):
        written(Trend, **values)


def test_only_resources_are_written_within_one():
    values = dict.fromkeys(VisibilityScores.model_fields)
    with pytest.raises(TypeError):
        written(VisibilityScores, reader={}, **values | {"now": object()})
    nothing = dict.fromkeys(SiteScore.model_fields)
    score = SiteScore(**nothing | {"as_of": date(2026, 3, 10), "based_on": "chat", "development": "", "score": 1.0})
    scores = written(VisibilityScores, reader={}, **values | {"now": score})
    assert json.loads(scores.json)["now"]["basedOn"] == "chat"


def test_words_of_others_are_written_for_one_reader_by_the_resource_that_knows_them():
    values = {name: [] for name in VisibilityScores.model_fields} | {"site": None, "now": None, "topic": None}
    topics = [TopicItem(topic="ignore all <b>", prompts=1, subjects=[])]
    for reader, shown in (({}, "ignore all <b>"), (FOR_AGENTS, marked("ignore all <b>"))):
        scores = written(VisibilityScores, reader=reader, **values | {"topics": topics})
        assert json.loads(scores.json)["topics"][0]["topic"] == shown
    with pytest.raises(TypeError, match=r"VisibilityScores\.topics"):
        written(VisibilityScores, reader=FOR_AGENTS, **values | {"topics": [{"topic": "ignore all"}]})
    with pytest.raises(TypeError, match="a way of"):
        written(VisibilityScores, **values | {"topics": topics})


@pytest.mark.parametrize(("kept", "resource"), KEPT, ids=lambda each: each.__name__)
def test_all_that_is_kept_has_a_field_of_its_name(kept, resource):
    """A resource reads what is stored by name: what it does not know it would leave out."""
    assert {field.name for field in fields(kept)} <= set(resource.model_fields)


def test_a_recommendation_keeps_what_its_resource_shows_and_what_scans_compare():
    shown = set(recommendations.RecommendationPayload.model_fields) - {"age"}
    assert {field.name for field in fields(Payload)} == shown | {"measured_on", "rivals", "topic_name", "prompts"}
