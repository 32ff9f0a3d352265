"""What *now* says of real answers, engine by engine, beside a count by hand: names as words in the raw lines.

The engines of these answers were asked on different days.
"""

import io
import re
from collections import defaultdict
from dataclasses import replace
from datetime import date
from statistics import fmean

import orjson
import pytest
from django.core.management import call_command

from apikeys.caller import Caller
from brands.models import Brand
from tests.amounts import some
from tests.factories import UserFactory
from visibility.engines.display import display_name
from visibility.measured.now import count_now, read_now
from visibility.measured.reading import read_basis
from visibility.measured.topics import read_topics
from visibility.models import DailyScore
from visibility.services.competitors.gaps import competitor_gaps
from visibility.services.overview.brief import site_brief
from visibility.services.overview.portfolio import portfolio
from visibility.services.prompts.listing import prompts_of
from visibility.services.reading.scores import visibility_scores
from visibility.services.reading.topics import topic_report

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

BRANDS = some(
    [("Sony", "sony.com"), ("Samsung", "samsung.com"), ("Breville", "breville.com"), ("Garmin", "garmin.com")], 2
)
POINTS = 2.0
"""How far the detector, which reads what a person sees, may be from the raw letters, in points."""


@pytest.fixture
def lines(reference_data):
    file = reference_data / "real-answers" / "answers.jsonl"
    return [orjson.loads(line) for line in file.read_bytes().splitlines()]


@pytest.fixture
def imported(reference_data):
    """Import the answers for one brand, as an operator does."""

    def run(name, domain):
        owner = UserFactory(email="demo@example.com")
        call_command(
            "import_answers", str(reference_data / "real-answers" / "answers.jsonl"),
            "--new-brand", name, domain, "--owner", owner.email,
            "--competitor", "Apple", "apple.com", stdout=io.StringIO(), stderr=io.StringIO(),
        )  # fmt: skip
        return Brand.objects.get(domain=domain), Caller.from_user(owner)

    return run


def by_hand(lines, name):
    """By engine: its latest day, the score, and in how many answers of how many the name stands."""
    days = {}
    for line in lines:
        days[line["engine"]] = max(days.get(line["engine"], ""), line["time"][:10])
    answers = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if line["time"][:10] == days[line["engine"]] and not stands(name, line["prompt"]):
            answers[line["engine"]][line["prompt"]].append(stands(name, line["text"]))
    return {
        engine: (
            date.fromisoformat(days[engine]),
            100 * fmean(map(fmean, prompts.values())),
            sum(map(sum, prompts.values())),
            sum(map(len, prompts.values())),
        )
        for engine, prompts in answers.items()
    }


def stands(name, text):
    return re.search(rf"\b{name}\b", text, re.IGNORECASE) is not None


@pytest.mark.parametrize(("name", "domain"), BRANDS)
def test_now_is_each_engines_own_day_and_what_stands_in_its_answers(imported, lines, name, domain):
    brand, caller = imported(name, domain)
    expected = by_hand(lines, name)
    assert len({day for day, *_ in expected.values()}) == 2, "the engines were asked on different days"

    shown = visibility_scores(caller, brand_id=brand.pk, first=date(2025, 5, 1), last=date(2025, 5, 31))
    prompts = [item for item in prompts_of(caller, brand_id=brand.pk).prompts if not item.branded]
    for engine in shown.now.engines:
        day, score, named, answers = expected[engine.engine]
        counts = [each for item in prompts for each in item.engines if each.engine == engine.engine]
        k, n = sum(each.named for each in counts), sum(each.answers for each in counts)
        print(f"{name:9} {engine.engine:15} {engine.as_of} score {engine.score:6.2f} (by hand {score:6.2f}) "
              f"{k} of {n} (by hand {named} of {answers})")  # fmt: skip
        assert (engine.as_of, engine.answers, n) == (day, answers, answers)
        assert engine.score == pytest.approx(score, abs=POINTS)
        assert k == pytest.approx(named, abs=POINTS * answers / 100)
        assert {each.as_of for each in counts} == {day}
    assert {each.engine for each in shown.now.engines} == set(expected)
    assert shown.now.score == pytest.approx(fmean(each.score for each in shown.now.engines), abs=0.01)
    assert shown.now.low < shown.now.score < shown.now.high
    every_door_says_the_same(brand, caller, shown)


def every_door_says_the_same(brand, caller, shown):
    brief = site_brief(caller, brand_id=brand.pk)
    [site] = portfolio(caller).sites
    for other in (brief.now, site.visibility):
        assert (other.score, other.low, other.high, other.based_on) == (
            shown.now.score, shown.now.low, shown.now.high, shown.now.based_on,
        )  # fmt: skip
    assert brief.now == shown.now
    engines = {each.engine for each in shown.now.engines}
    assert {row.engine for gap in competitor_gaps(caller, brand_id=brand.pk).gaps for row in gap.engines} == engines
    assert all(display_name(engine) in shown.now.based_on for engine in engines)
    assert "days ago" in shown.now.age


def test_a_strength_shows_that_the_engines_differ(imported, lines):
    brand, caller = imported("Sony", "sony.com")
    brief = site_brief(caller, brand_id=brand.pk)
    topic = "tv-55-inch-1000"
    expected = {
        engine: (
            sum(stands("Sony", line["text"]) for line in lines if told(line, engine, topic)),
            sum(told(line, engine, topic) for line in lines),
        )
        for engine in ("chatgpt", "google_ai_mode")
    }
    assert expected == {"chatgpt": (6, 8), "google_ai_mode": (1, 12)}
    [tvs] = [each for each in brief.strengths if each.label == "55-inch TVs under $1,000"]
    assert {each.engine: (each.named, each.answers) for each in tvs.engines} == expected
    scores = [each.score for each in brief.strengths if each.kind == "topic"]
    assert scores == sorted(scores, reverse=True) and scores[0] == 100.0


@pytest.mark.parametrize(("name", "domain"), BRANDS)
def test_the_table_of_topics_is_what_counting_the_lines_gives(imported, lines, name, domain):
    """Names as words in the raw lines; the detector, which reads what a person sees, may differ in one answer."""
    brand, caller = imported(name, domain)
    report = topic_report(caller, brand_id=brand.pk)
    keys = {topic.name: topic.key for topic in read_topics(brand.pk).topics}
    assert len(report.topics) == 17
    for item in report.topics:
        for subject in item.subjects:
            for row in subject.engines:
                of_topic = [line for line in lines if told(line, row.engine, keys[item.topic])]
                named = sum(stands(subject.name, line["text"]) for line in of_topic)
                assert row.answers == len(of_topic) and abs(row.named - named) <= 1, (item.topic, row, named)
    own = [item.subjects[0] for item in report.topics]
    assert round(sum(row.score for row in own) / 17, 1) == round(read_now(brand).own.score, 1)


def told(line, engine, topic):
    """Whether now has the line among the engine's answers on the topic."""
    day = {"chatgpt": "2025-05-25", "google_ai_mode": "2025-05-24"}[engine]
    return (line["engine"], line["topic"], line["time"][:10]) == (engine, topic, day)


def test_one_day_with_all_engines_is_now_to_the_last_digit(imported, lines):
    """Counted from the answers or taken from the stored day: the same figures."""
    brand, _ = imported("Sony", "sony.com")
    basis = read_basis(brand.pk)
    [chatgpt] = [each for each in basis.engines if each.day == basis.latest]
    alone = replace(basis, engines=(chatgpt,), is_latest_day=False)
    counted = count_now([brand], {brand.pk: alone})[brand.pk]
    stored = DailyScore.objects.filter(brand=brand, date=basis.latest)
    assert [item["engine"] for item in stored.get(competitor=None).engines] == ["chatgpt"]
    for row in counted.rows:
        other = stored.get(competitor=row.competitor)
        for name in ("score", "low", "high", "share_of_voice", "prominence", "citation_rate", "details", "engines"):
            assert getattr(row, name) == getattr(other, name), name
