"""Imports: all of a file or nothing, one run a day, the same file twice adds nothing."""

import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import system_caller
from brands.models import Brand
from tests.factories import BrandFactory, UserFactory, make_key
from tests.reference import reference_file
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, Cell, DailyScore, Mention, Prompt, Run, Topic
from visibility.scores.recount import rescore
from visibility.topics.services import undo_pooling

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


def line(prompt="Best bikes?", text="1. **Kryton** is a fine bike.", day=1, **more):
    return json.dumps(
        {"prompt": prompt, "engine": "chatgpt", "time": f"2026-01-{day:02}T10:00:00Z", "text": text, **more}
    )


def import_lines(*lines, brand=None, **options):
    brand = brand or NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    return import_answers(SYSTEM, brand=brand, file=io.StringIO("\n".join(lines)), **options)


def test_each_utc_day_becomes_a_run_with_its_figures():
    imported = import_lines(line(), line(text="Zentra is better."), line(day=2, text="Kryton and Zentra."))
    runs = list(Run.objects.order_by("day"))
    assert [(run.status, run.trigger, run.total, run.score) for run in runs] == [
        ("succeeded", "import", 2, 50.0),
        ("succeeded", "import", 1, 100.0),
    ]
    assert [
        score.score for score in DailyScore.objects.of_brand(imported.brand).exclude(date=None).order_by("date")
    ] == [50, 100]
    assert (imported.added, imported.known, imported.prompts) == (3, 0, 1)


def test_the_same_file_again_adds_nothing():
    lines = [line(), line(), line(sample=2)]
    imported = import_lines(*lines)
    again = import_lines(*lines, brand=imported.brand.pk)
    assert imported.added == 2, "a line that the file holds twice is one answer"
    assert (again.added, again.prompts) == (0, 0)
    assert Run.objects.count() == 1


def test_one_bad_line_imports_nothing_and_is_named():
    with pytest.raises(ServiceError) as refusal:
        import_lines(line(), "{", line(engine="?"))
    assert [bad["line"] for bad in refusal.value.details["lines"]] == [2, 3]
    assert not Brand.objects.exists() and not Prompt.objects.exists()


def test_too_small_a_quota_imports_nothing():
    owner = UserFactory(own_max_prompts_per_site=1)
    with pytest.raises(ServiceError) as refusal:
        import_lines(line("one"), line("two"), brand=NewBrand(owner, "Kryton", "kryton.example"))
    assert refusal.value.code == "quota_exceeded"
    assert not Brand.objects.exists() and not Answer.objects.exists()


def test_a_topic_that_there_is_not_imports_nothing_and_names_those_that_there_are():
    with pytest.raises(ServiceError) as refusal:
        import_lines(line(topic="bikes"), own_topics=["cars"])
    assert "bikes" in refusal.value.message
    assert not Brand.objects.exists()


def test_topics_that_the_brand_does_not_sell_leave_its_figures_and_come_back_when_undone():
    lines = [line("Best bikes?", topic="bikes"), line("Best cars?", "Zentra.", topic="cars")]
    imported = import_lines(*lines, own_topics=["bikes"])
    now = DailyScore.objects.of_brand(imported.brand).filter(date=None)
    assert now.get().score == 100
    Topic.objects.update(own=None)
    rescore(imported.brand.pk)
    assert now.get().score == 50


def test_wordings_without_a_topic_are_pooled_by_their_words_until_that_is_undone():
    texts = (
        "What's the best city bike?",
        "best city bike",
        "best espresso machine",
        "Which espresso machine is best?",
    )
    brand = import_lines(*(line(text) for text in texts), line("Best tea?", topic="tea")).brand
    assert dict(Topic.objects.values_list("name", "pooled")) == {
        "best city bike": True,
        "best espresso machine": True,
        "tea": False,
    }
    Topic.objects.filter(name="best city bike").update(own=False)
    assert undo_pooling(SYSTEM, brand_id=brand.pk) == 4
    assert {prompt.topic.name for prompt in Prompt.objects.all()} == {*texts, "tea"}
    assert Topic.objects.get(name=texts[0]).own is False
    assert not Topic.objects.filter(pooled=True).exists()


def test_an_empty_answer_is_failed_and_counts_in_no_figure():
    imported = import_lines(line(), line(text="  ", sample=2))
    run = Run.objects.get()
    assert (run.status, run.done, run.failed, run.score) == ("partial", 1, 1, 100.0)
    assert DailyScore.objects.of_brand(imported.brand).filter(date=None).get().figures["failed"] == 1


def test_surfaces_of_one_engine_are_never_pooled():
    lines = [line(surface="app"), line("Best bikes?", "Zentra.", surface="imported")]
    now = DailyScore.objects.of_brand(import_lines(*lines).brand).filter(date=None).get()
    assert now.score == 100, "of the surfaces the app goes first"
    assert {(each["surface"], each["score"]) for each in now.figures["engines"]} == {
        ("app", 100.0),
        ("imported", 0.0),
    }


def test_an_earlier_wording_keeps_its_history_and_adds_no_prompt():
    imported = import_lines(line("Best bikes?"))
    prompt = Prompt.objects.get()
    import_lines(line("best  BIKES?", day=3), brand=imported.brand.pk)
    assert Prompt.objects.get() == prompt
    assert Cell.objects.filter(competitor=None).values("version").distinct().count() == 1


def test_a_brand_of_somebody_else_is_not_imported_into():
    with pytest.raises(ServiceError) as refusal:
        import_answers(Caller.from_user(UserFactory()), brand=BrandFactory().pk, file=io.StringIO(line()))
    assert refusal.value.code == "not_found"


@pytest.mark.parametrize(
    ("name", "domain", "rivals", "topics", "over_all", "own"),
    [
        (
            "Garmin",
            "garmin.com",
            ["Apple", "Coros", "Polar"],
            ["running-watch-400"],
            5.88,
            {"Garmin": 100.0, "Apple": 35.42, "Coros": 100.0, "Polar": 93.75},
        ),
        (
            "Sony",
            "sony.com",
            ["Samsung", "LG", "Bose"],
            ["earbuds-workout-150", "headphones-wireless-200", "tv-55-inch-1000", "smartphone-budget-600"],
            10.91,
            {"Sony": 46.35, "Samsung": 44.79, "LG": 23.44, "Bose": 17.71},
        ),
    ],
)
def test_real_answers_give_the_figures_that_were_counted_by_hand(
    rest, capsys, name, domain, rivals, topics, over_all, own
):
    path = reference_file("real-answers/answers.jsonl")
    owner = UserFactory()
    competitors = [part for rival in rivals for part in ("--competitor", rival, f"{rival.lower()}.com")]
    call_command("import_answers", path, "--new-brand", name, domain, "--owner", owner.email, *competitors)
    assert f"Score now: {over_all} (" in capsys.readouterr().out
    chosen = [part for topic in topics for part in ("--topic", topic)]
    call_command("import_answers", path, "--brand", domain, "--owner", owner.email, *chosen)
    brand = Brand.objects.get(domain=domain)
    now = DailyScore.objects.filter(brand=brand, date=None).select_related("competitor")
    assert {score.competitor.name if score.competitor else name: score.score for score in now} == own
    trend = rest.get(f"/brands/{brand.pk}/visibility?from=0", make_key(owner=owner)[1]).json()["trend"]
    assert [item["date"] for item in trend] == sorted(item["date"] for item in trend)
    assert sum(item["answers"] for item in trend) == 24 * len(topics)


def test_the_command_says_what_is_wrong(tmp_path):
    missing = tmp_path / "none.jsonl"
    with pytest.raises(CommandError, match="no file"):
        call_command("import_answers", missing, "--brand", "kryton.example")
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes(line().encode() + b"\xe9")
    with pytest.raises(CommandError, match="UTF-8"):
        call_command("import_answers", latin, "--new-brand", "K", "k.example", "--owner", UserFactory().email)


def test_mentions_have_places_in_the_raw_text():
    import_lines(line(text="Try **Kryton** or Zentra."))
    answer = Answer.objects.get()
    assert {answer.text[mention.start : mention.end] for mention in Mention.objects.all()} == {"Kryton", "Zentra"}
