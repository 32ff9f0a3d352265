"""Imports: all of a file or nothing, one run a day, the same file twice adds nothing."""

import hashlib
import io
import json

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from brands.models import Brand
from tests.factories import BrandFactory, UserFactory, make_key
from tests.reference import reference_file
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, Cell, DailyScore, Mention, Prompt, Run, Topic
from visibility.scores.recount import rescore
from visibility.topics.services import undo_pooling

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


@pytest.fixture(autouse=True)
def public_url(settings):
    settings.PUBLIC_URL = "https://visibility.example"


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


def test_a_line_may_say_that_no_answer_was_shown():
    imported = import_lines(line(), json.dumps({**json.loads(line(sample=2, absent=True)), "text": None}))
    run = Run.objects.get()
    assert (run.status, run.done, run.failed, run.score) == ("succeeded", 2, 0, 100.0)
    assert sorted(imported.brand.answers.values_list("state", "error_code")) == [("absent", ""), ("answered", "")]


def test_what_was_imported_as_failed_is_another_answer_than_one_that_was_not_shown():
    imported = import_lines(line(), line(text="", sample=2))
    assert import_lines(line(text="", sample=2, absent=True), brand=imported.brand.pk).added == 1


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
            {"Garmin": 100.0, "Apple": 25.0, "Coros": 100.0, "Polar": 95.83},
        ),
        pytest.param(
            "Sony",
            "sony.com",
            ["Samsung", "LG", "Bose"],
            ["earbuds-workout-150", "headphones-wireless-200", "tv-55-inch-1000", "smartphone-budget-600"],
            11.03,
            {"Sony": 46.88, "Samsung": 45.83, "LG": 23.96, "Bose": 15.62},
            marks=pytest.mark.proof,
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
    assert f"{name} is named in {over_all:.0f} % of answers (95 % interval" in capsys.readouterr().out
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


def command(tmp_path, capsys, text, *options, brand=None):
    """What the command prints for a file."""
    path = tmp_path / "answers"
    path.write_text(text)
    new = ("--new-brand", "Kryton", "kryton.example", "--owner", UserFactory().email)
    call_command("import_answers", path, *(("--brand", brand) if brand else new), *options)
    return capsys.readouterr().out


def test_another_country_or_language_is_another_prompt_and_its_answers_say_so():
    lines = [line(country="US"), line(text="Zentra.", location="Berlin, Germany"), line(language="German")]
    import_lines(*lines)
    answers = Answer.objects.order_by("position")
    assert [(each.version.locale, each.country) for each in answers] == [
        ("und-US", "US"),
        ("und-DE", "DE"),
        ("de", ""),
    ]
    assert Prompt.objects.count() == 3
    assert Topic.objects.get().name == "Best bikes?", "one need, and not pooled by its words"
    assert not Topic.objects.get().pooled


def test_a_file_without_countries_adds_nothing_to_what_an_earlier_version_imported():
    brand = import_lines(line()).brand
    key = Answer.objects.get().import_key
    parts = (brand.pk, "chatgpt", "imported", "Best bikes?", 1, "2026-01-01T10:00:00+00:00")
    text = "\0".join([*map(str, parts), "1. **Kryton** is a fine bike."])
    assert key == hashlib.sha256(text.encode()).hexdigest()


def test_an_imported_run_ends_when_it_was_measured_and_began_with_its_first_answer():
    import_lines(line(), line(sample=2))
    run = Run.objects.get()
    assert run.started_at.date() == run.day
    assert run.finished_at >= run.created_at


def test_the_command_says_what_was_read_otherwise_and_shows_the_imported_days(tmp_path, capsys):
    linked = line(text="See [Kryton](https://kryton.example/a).", cost=3, clicks=1, note="")
    printed = command(tmp_path, capsys, f"{linked}\n{line(day=2)}")
    assert "Answers without citations, whose links in the text count as such: 1." in printed
    assert "Columns passed over (2): clicks, cost." in printed
    assert (
        f"https://visibility.example/api/v1/brands/{Brand.objects.get().pk}/visibility?from=1767225600000" in printed
    )


def test_links_of_the_text_count_only_where_a_line_gives_no_citations_and_change_no_mention():
    text = "1. [Kryton](https://kryton.example/a) and [Zentra](https://zentra.example)"
    import_lines(line(text=text), line(text=text, sample=2, citations=["https://blog.io/a"]))
    first, second = Answer.objects.order_by("position")
    assert [each.domain for each in first.citations.all()] == ["kryton.example", "zentra.example"]
    assert [each.domain for each in second.citations.all()] == ["blog.io"]
    assert first.mentions.count() == second.mentions.count() == 2


def test_columns_zone_and_brand_are_named_by_options(tmp_path, capsys):
    brand = import_lines(line()).brand
    text = "Question;Response;Model;Date\nBest bikes?;Kryton.;ChatGPT (GPT-5);24.01.2026 00:30\n"
    options = [
        part
        for pair in ("prompt=Question", "text=response", "engine=Model", "time=Date")
        for part in ("--column", pair)
    ]
    printed = command(tmp_path, capsys, text, *options, "--timezone", "Europe/Berlin", brand=str(brand.pk))
    assert "1 answers added" in printed
    answer = Answer.objects.latest("pk")
    assert (answer.engine.name, answer.answered_at.isoformat()) == ("chatgpt-gpt-5", "2026-01-23T23:30:00+00:00")


@pytest.mark.parametrize(
    ("options", "words"),
    [(["--timezone", "Berlin"], "no time zone Berlin"), (["--column", "text"], "text=Response")],
)
def test_an_option_in_another_form_is_refused_with_an_example(tmp_path, capsys, options, words):
    with pytest.raises(CommandError, match=words):
        command(tmp_path, capsys, line(), *options)
