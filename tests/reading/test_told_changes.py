"""One record of a change, told by every door with the same numbers: while it is told, and as history after."""

import csv
import html
import io
import json
import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from tests.factories import (
    ApiKeyFactory,
    ChangeRecordFactory,
    CompetitorFactory,
    DailyScoreFactory,
    PromptFactory,
)
from tests.mcp.conftest import agent, data_of
from tests.rest.conftest import api
from tests.scans.test_change import at
from tests.scans.test_change_records import answered, score
from visibility.insights.recommendations.kind import Standing
from visibility.insights.recommendations.kinds.confirmed_fall import ConfirmedFalls
from visibility.insights.recommendations.material import Material
from visibility.measured.change_words import words
from visibility.models import ChangeRecord

__all__ = ["agent", "api"]

pytestmark = pytest.mark.django_db
PART = {"before": 80.0, "after": 20.0, "answers": []}
CONTENT = {
    "topics": [
        {"key": "price", "name": "price", "points": -11.1, **PART},
        {"key": "charging", "name": "charging", "points": -30.0, **PART},
        {"key": "theft", "name": "theft", "points": 4.0, **PART},
    ],
    "engines": [{"key": "local-search", "name": "local-search", "points": -37.1, **PART}],
    "competitors": [{"key": "r", "name": "Rival", "before": 40.0, "after": 62.0, "points": 22.0}],
}
FIGURES = ("delta", "low", "high", "before", "after")
STATES = {
    "confirmed": {},
    "found by monitoring": {"known_by": "monitor"},
    "went on": {"state": "went_on", "delta": -44.4, "low": -52.2, "high": -36.6, "after": 16.9},
}


@pytest.fixture
def measured(cast, monkeypatch):
    """Days up to today, of which a change became known `age` days ago."""
    noon = timezone.now().replace(hour=12)
    monkeypatch.setattr(timezone, "now", lambda: noon)

    def make(age, **record):
        today = timezone.now().date()
        row = ChangeRecordFactory(
            brand=cast.brand, known_on=today - timedelta(days=age), after_day=today, content=CONTENT, **record
        )
        for back in range(age + 9):
            change = {"since": str(today - timedelta(days=back + 1)), "delta": 1.0, "low": -5.0, "high": 7.0}
            change |= {"verdict": "within_noise", "minimum_detectable": 12.0}
            DailyScoreFactory(brand=cast.brand, date=today - timedelta(days=back), score=row.after, change=change)
        return row

    return make


class Doors:
    """What every door says of changes: its text, or the records in its JSON."""

    def __init__(self, cast, client, agent, api):
        self.brand, self.client, self.agent, self.api = cast.brand, client, agent, api
        client.force_login(cast.owner)
        self.key = ApiKeyFactory(owner=cast.owner)

    def page(self, name, *arguments):
        text = self.client.get(reverse(name, args=arguments)).content.decode()
        main = re.sub(r"<(figure|table).*?</\1>", "", text, flags=re.DOTALL)  # charts and their days are history
        return " ".join(html.unescape(re.sub(r"<[^>]*>", "", main)).split())

    def tool(self, name, **arguments):
        return data_of(self.agent.call(self.key, name, arguments))

    def of_site(self, name, **arguments):
        return self.tool(name, siteId=str(self.brand.pk), **arguments)

    def texts(self, day):
        """Where the sentence stands word for word."""
        brand = self.brand.pk
        return {
            "brand page": self.page("brand-page", brand),
            "report": self.page("report-page", brand),
            "day page": self.page("day-page", brand, day.isoformat()),
            "list of brands": self.page("brand-list"),
            "brief": json.dumps(self.of_site("get_site_brief"), ensure_ascii=False),
            "scores": json.dumps(self.of_site("get_visibility_scores"), ensure_ascii=False),
            "portfolio": json.dumps(self.tool("get_portfolio_summary"), ensure_ascii=False),
        }

    def records(self):
        """Where it stands in fields."""
        [site] = self.tool("get_portfolio_summary", detail="full")["sites"]
        return {
            "brief": self.of_site("get_site_brief", detail="full")["now"]["changeRecords"],
            "scores": self.of_site("get_visibility_scores", detail="full")["now"]["changeRecords"],
            "portfolio": site["visibility"]["changeRecords"],
        }

    def history(self):
        """Where it stays: the trend by day, over REST too, and the table as a file."""
        trend = self.api.get(f"{self.api.brand}/visibility", self.key).json()["trend"]
        body = self.client.get(reverse("table-csv", args=[self.brand.pk, "changes"])).getvalue().decode("utf-8-sig")
        return {
            "REST": [record for item in trend for record in item["changeRecords"]],
            "file": list(csv.DictReader(io.StringIO(body))),
        }

    def ask(self, question="What changed?"):
        return self.of_site("ask", question=question)


@pytest.fixture
def doors(cast, client, agent, api):
    CompetitorFactory(brand=cast.brand, name="Rival")
    return Doors(cast, client, agent, api)


@pytest.mark.parametrize("age", [0, 10, 28])
@pytest.mark.parametrize("state", STATES)
def test_every_door_tells_the_same_record(measured, doors, cast, state, age):
    row = measured(age, **STATES[state])
    sentence = words(row)
    for door, text in doors.texts(row.known_on).items():
        assert sentence in text, door
        assert "no clear change over" not in text and "no confirmed" not in text, door
    figures = {name: getattr(row, name) for name in FIGURES}
    for door, [record] in doors.records().items():
        assert {name: record[name] for name in FIGURES} == figures, door
        assert record["began"] == row.began.isoformat() and sentence in record["words"], door
        parts = record["topics"]
        assert [part["points"] for part in parts] == [-30.0, -11.1, 4.0], "the largest first"
    for door, [record] in doors.history().items() if age < 20 else ():
        assert {name: float(record[name]) for name in FIGURES} == figures, door
        assert sentence in record["words"], door
    told = doors.ask()["answer"]
    sizes = (abs(row.delta), abs(row.low), abs(row.high), row.before, row.after)
    assert all(f"{size:.1f}" in told for size in sizes), told
    [observed] = [each for each in ConfirmedFalls().observe(Material(cast.brand)) if each.subject == "score"]
    [said] = ConfirmedFalls().words(Material(cast.brand), [observed])
    assert observed.standing is Standing.OPEN and f"{abs(row.delta):.1f} points" in said.title
    assert sentence in said.summary and sentence in said.evidence[0].text and sentence in said.fix.goal


def test_a_fall_that_was_measured_is_one_record_at_every_door(doors, cast, monkeypatch):
    """From answers to doors: nothing is planted but what they say."""
    prompts = [PromptFactory(brand=cast.brand, text=f"which is good, number {n}?", topic=f"t{n}") for n in range(14)]
    answered(cast.brand, prompts, dict.fromkeys(range(6), 20) | dict.fromkeys(range(6, 12), 4))
    score(cast.brand, *range(12))
    monkeypatch.setattr(timezone, "now", lambda: at(11))
    row = ChangeRecord.objects.get(of="score")
    assert (row.direction, row.known_by, row.state) == ("down", "confirmed", "holds") and row.delta < -40
    for door, text in doors.texts(row.known_on).items():
        assert words(row) in text, door
    found = doors.records() | doors.history()
    for door, (record, *_) in found.items():
        assert {name: float(record[name]) for name in FIGURES} == {name: getattr(row, name) for name in FIGURES}, door
    assert all(f"{abs(getattr(row, name)):.1f}" in doors.ask()["answer"] for name in FIGURES)


def test_why_is_answered_with_the_parts_and_what_changed_at_the_same_time(measured, doors):
    measured(3)
    page = doors.page("brand-page", doors.brand.pk)
    assert "Parts of the -37.1 points, by topic" in page and "charging 80 % → 20 % -30.0" in page
    assert "At the same time Rival went from 40 % to 62 %" in page and "because" not in page.lower()
    answered = json.dumps(doors.ask("Why did we fall?"), ensure_ascii=False)
    for said in ("charging -30.0", "price -11.1", "theft +4.0", "At the same time", "Rival"):
        assert said in answered, said


def test_what_is_known_for_longer_than_28_days_is_history(measured, doors, cast):
    row = measured(29)
    texts = doors.texts(timezone.now().date())
    for door, text in texts.items():
        assert words(row) not in text and "37.1" not in text, door
    for door in ("brand page", "report", "list of brands", "brief"):
        assert "no clear change" in texts[door].lower(), door
    assert all(records == [] for records in doors.records().values())
    assert "37.1" not in json.dumps(doors.ask())
    assert words(row) in doors.page("day-page", cast.brand.pk, row.known_on.isoformat()), "its own day still tells it"
    assert float(doors.history()["file"][0]["delta"]) == row.delta
    [observed] = [each for each in ConfirmedFalls().observe(Material(cast.brand)) if each.subject == "score"]
    assert observed.standing is Standing.BETWEEN


def test_what_has_recovered_is_told_on_that_day_and_closes_its_recommendation(measured, doors, cast):
    today = timezone.now().date()
    row = measured(5, state="recovered", delta=-2.0, low=-9.0, high=5.0, after=59.3, told_until=today)
    for door, text in doors.texts(today).items():
        assert "has recovered: 59.3 %" in text and words(row) in text, door
    assert "59.3" in doors.ask()["answer"]
    [observed] = [each for each in ConfirmedFalls().observe(Material(cast.brand)) if each.subject == "score"]
    assert observed.standing is Standing.CLOSED
    ChangeRecord.objects.update(told_until=today - timedelta(days=1))
    assert all("has recovered" not in text for text in doors.texts(today).values())


def test_a_change_of_an_engine_or_a_topic_alone_is_told_as_such(measured, doors, cast):
    row = measured(3, of="engine", engine="local-search")
    other = ChangeRecordFactory(
        brand=cast.brand,
        of="topic",
        topic="price",
        known_on=row.known_on,
        direction="up",
        delta=20.0,
        low=5.0,
        high=35.0,
    )
    for door, text in doors.texts(row.known_on).items():
        assert words(row) in text, door
    assert words(row).startswith("The score on Local search fell by 37.1 points (28.0 to 46.2)")
    assert words(other) in doors.page("brand-page", cast.brand.pk)
    row.delete()
    assert "no clear change over all topics, but on 1 topic" in doors.texts(other.known_on)["brief"]
