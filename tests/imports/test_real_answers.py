"""Real answers through the command and out through REST, beside a count that knows nothing of the detector."""

import io
import re
from collections import defaultdict
from datetime import UTC, datetime
from statistics import fmean

import orjson
import pytest
from django.core.management import call_command
from django.db.models import Value
from django.db.models.functions import Coalesce

from apikeys.text.untrusted import clean
from brands.models import Brand
from tests.factories import ApiKeyFactory, UserFactory
from tests.measurement.real_answer_differences import DIFFERENCES
from visibility.insights.recommendations import refresh_recommendations
from visibility.models import Answer, DailyScore, Mention, Recommendation, Run, TopicChoice

pytestmark = pytest.mark.django_db(transaction=True, serialized_rollback=True)

NAMES = ("Sony", "Apple", "Samsung")
WINDOW = {
    "from": int(datetime(2025, 5, 1, tzinfo=UTC).timestamp() * 1000),
    "to": int(datetime(2025, 5, 31, tzinfo=UTC).timestamp() * 1000),
}


@pytest.fixture
def file(reference_data):
    return reference_data / "real-answers" / "answers.jsonl"


@pytest.fixture
def lines(file):
    return [orjson.loads(line) for line in file.read_bytes().splitlines()]


@pytest.fixture
def import_file(file):
    """Run the command as an operator does; gives what it prints."""
    owner = UserFactory(email="demo@example.com")

    def run():
        out, err = io.StringIO(), io.StringIO()
        call_command(
            "import_answers", str(file), "--new-brand", "Sony", "sony.com", "--owner", owner.email,
            "--competitor", "Apple", "apple.com", "--competitor", "Samsung", "samsung.com",
            stdout=out, stderr=err,
        )  # fmt: skip
        return out.getvalue(), err.getvalue()

    return run


@pytest.fixture
def get(client):
    def read(path, **parameters):
        brand = Brand.objects.get(domain="sony.com")
        key = ApiKeyFactory(owner=brand.owner)
        url = f"/api/v1/brands/{brand.pk}/{path}"
        response = client.get(url, parameters, headers={"Authorization": f"Bearer {key.raw}"})
        assert response.status_code == 200, response.content
        return response.json()

    return read


def named(name, text):
    """Whether a name stands in the raw text as a word of its own, in any case: all that this count knows."""
    return re.search(rf"\b{name}\b", text, re.IGNORECASE) is not None


def plain_scores(lines, name, *, corrected=False):
    """By day and engine: 100 · mean over prompts of the share of answers with the name; branded prompts left out.

    `corrected` turns the answers around in which the name stands, but not in the words that a reader sees.
    """
    outcomes = defaultdict(lambda: defaultdict(list))
    for line in lines:
        if not named(name, line["prompt"]):
            differs = corrected and (line["engine"], line["prompt"], line["sample"], name) in DIFFERENCES
            outcomes[line["time"][:10], line["engine"]][line["prompt"]].append(named(name, line["text"]) != differs)
    return {key: 100 * fmean(map(fmean, prompts.values())) for key, prompts in outcomes.items()}


def differing_answers_are_those_that_were_read(lines, get):
    found = set(
        Mention.objects.values_list(
            "answer__engine", "answer__prompt__text", "answer__sample", Coalesce("competitor__name", Value("Sony"))
        )
    )
    places = {(line["engine"], line["prompt"], line["sample"]): line["text"] for line in lines}
    plain = {(*place, name) for place, text in places.items() for name in NAMES if named(name, text)}
    assert len(found) > 100
    assert found ^ plain == set(DIFFERENCES)


def scores_are_within_a_point_of_a_plain_count(lines, get):
    trend = get("visibility", **WINDOW)["trend"]
    items = {(day["date"], item["engine"]): item for day in trend for item in day["engines"]}
    expected = plain_scores(lines, "Sony")
    assert set(items) == set(expected) and len(expected) == 3
    for key, item in items.items():
        assert item["score"] == pytest.approx(expected[key], abs=1), key
        assert 0 <= item["low"] <= item["score"] <= item["high"] <= 100
    assert sum(item["answers"] for item in items.values()) == len(lines) == 408
    for day in trend:
        assert day["score"] == pytest.approx(
            fmean(score for (date, _), score in expected.items() if date == day["date"]), abs=1
        )
        assert day["low"] < day["score"] < day["high"]
        assert (day["topics"], day["prompts"], day["failed"]) == (17, 68, 0)


def scores_are_the_plain_count_but_for_the_listed_answers(lines, get):
    for name in NAMES:
        expected = plain_scores(lines, name, corrected=True)
        rows = DailyScore.objects.filter(competitor__name=None if name == "Sony" else name)
        scores = {(str(row.date), item["engine"]): item["score"] for row in rows for item in row.engines}
        assert scores == pytest.approx(expected, abs=0.01), name


def runs_are_dated_by_their_answers(lines, get):
    runs = get("runs")["runs"]
    assert [run["startedAt"][:10] for run in runs] == ["2025-05-25", "2025-05-24"]
    assert {(run["kind"], run["trigger"], run["status"]) for run in runs} == {("visibility", "import", "succeeded")}
    assert sum(run["progress"]["done"] for run in runs) == 408
    assert all(run["startedAt"] <= run["finishedAt"] < run["createdAt"] for run in runs)


def recommendations_quote_these_answers(lines, get):
    texts = {(line["engine"], line["prompt"], line["text"]) for line in lines}
    brand = Brand.objects.get()
    for topic in brand.prompts.order_by("topic").values_list("topic", flat=True).distinct():
        TopicChoice.objects.create(brand=brand, topic=topic, is_own=True)
    refresh_recommendations(brand)
    queue = get("recommendations")["recommendations"]
    assert {item["kind"] for item in queue} == {"topic_gap", "cited_page"}
    for item in queue:
        assert 0 < len(item["evidence"]) <= 5 and item["payload"]["fixPrompt"]
        for evidence in item["evidence"]:
            answer = Answer.objects.select_related("prompt").get(pk=evidence["answerId"])
            assert str(answer.prompt_id) == evidence["promptId"]
            if evidence["kind"] == "answer":
                assert re.search("Apple|Samsung", evidence["text"], re.IGNORECASE)
                assert any(
                    evidence["text"] in clean(text)
                    for engine, prompt, text in texts
                    if (engine, prompt) == (evidence["engine"], answer.prompt.text)
                )
            else:
                assert answer.citations.filter(url=evidence["url"]).exists()


def the_interface_below_the_answers_is_cut(lines, get):
    assert sum("Your feedback helps" in line["text"] for line in lines) == 204
    assert not Answer.objects.filter(text__contains="Your feedback helps").exists()
    assert not Answer.objects.filter(text__contains="Map data").exists()


def a_repeat_adds_nothing_and_says_so(import_file):
    out, _ = import_file()
    assert "408 answers added, 0 were there already, 68 prompts added" in out
    assert re.search(r"2025-05-24 +google_ai_mode +\d+\.\d +\d+\.\d–\d+\.\d +204\n", out)
    counts = [model.objects.count() for model in (Answer, Mention, Run, Recommendation, DailyScore)]
    out, err = import_file()
    assert "0 answers added, 408 were there already, 0 prompts added" in out
    assert "demo@example.com already has the brand Sony (sony.com)" in err
    assert [model.objects.count() for model in (Answer, Mention, Run, Recommendation, DailyScore)] == counts


def test_real_answers_come_out_as_they_went_in(import_file, lines, get, subtests):
    """One import for all: it looks 408 answers through."""
    a_repeat_adds_nothing_and_says_so(import_file)
    for holds in (
        differing_answers_are_those_that_were_read,
        scores_are_within_a_point_of_a_plain_count,
        scores_are_the_plain_count_but_for_the_listed_answers,
        runs_are_dated_by_their_answers,
        recommendations_quote_these_answers,
        the_interface_below_the_answers_is_cut,
    ):
        with subtests.test(holds.__name__):
            holds(lines, get)
