"""Competitors: their figures of now, and where they are named and the brand is not."""

import io
import json

import pytest
from django.core.management import call_command

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from brands.competitors import add_competitor
from brands.models import Brand
from tests.factories import UserFactory
from tests.once import made_once
from tests.reference import reference_file
from visibility.competitors.gaps import list_gaps
from visibility.competitors.reads import list_competitors
from visibility.counts.reader import select_now
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Topic
from visibility.scores.recount import recount
from visibility.sources.cited import cited_domains

pytestmark = pytest.mark.django_db
SYSTEM = system_caller("command:test")


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    def line(prompt, text, sample, *urls, topic="bikes", day=9):
        row = {"prompt": prompt, "topic": topic, "text": text, "sample": sample, "citations": list(urls)}
        return json.dumps({**row, "engine": "chatgpt", "time": f"2026-01-{day:02}T10:00:00Z"})

    lines = [
        line("Best bike?", "Zentra is good.", 1, "https://old.example/a", day=1),
        line("Best bike?", "Zentra is good.", 1, "https://a.example/1", "https://zentra.example"),
        line("Best bike?", "Zentra is fine.", 2, "https://a.example/2"),
        line("Fast bike?", "Zentra or Kryton.", 1, "https://a.example/1"),
        line("Fast bike?", "Zentra.", 2, "https://b.example"),
        line("Best car?", "Zentra.", 1, "https://cars.example", topic="cars"),
    ]
    competitors = [("Zentra", "zentra.example"), ("Avola", "avola.example")]
    with made_once(django_db_blocker):
        new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=competitors)
        yield import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines))).brand.pk


def test_competitors_stand_by_their_score_and_unnamed_ones_have_zero(brand):
    listed = list_competitors(SYSTEM, brand.pk).competitors
    assert [(each.name, each.score) for each in listed if each.competitor_id] == [("Zentra", 100.0), ("Avola", 0.0)]
    assert listed[0].share_of_voice == pytest.approx(83.33, abs=0.01)


def sources_of_now(brand):
    return cited_domains(brand, select_now(brand).answers)


def test_gaps_are_of_now_the_most_consistent_first(brand):
    gaps = list_gaps(SYSTEM, brand.pk).gaps
    assert [(gap.prompt, gap.competitors[0].without_site, gap.answers) for gap in gaps] == [
        ("Best bike?", 2, 2),
        ("Best car?", 1, 1),
        ("Fast bike?", 1, 2),
    ]


def test_topics_that_are_not_own_leave_gaps_and_sources(brand):
    Topic.objects.filter(name="cars").update(own=False)
    assert "Best car?" not in [gap.prompt for gap in list_gaps(SYSTEM, brand.pk).gaps]
    assert "cars.example" not in [source.domain for source in sources_of_now(brand)]


def test_gaps_can_be_asked_of_one_competitor_and_one_topic(brand):
    bikes = Topic.objects.get(name="bikes")
    avola = brand.competitors.get(name="Avola")
    assert not list_gaps(SYSTEM, brand.pk, competitor_id=avola.pk).gaps
    assert {gap.topic for gap in list_gaps(SYSTEM, brand.pk, topic=bikes).gaps} == {"bikes"}
    with pytest.raises(ServiceError, match="was not asked"):
        list_gaps(SYSTEM, brand.pk, engine="gemini")
    assert list_gaps(SYSTEM, brand.pk, engine="chatgpt") == list_gaps(SYSTEM, brand.pk)


def test_sources_are_those_of_now_with_the_day_they_were_first_seen(brand):
    sources = sources_of_now(brand)
    first = sources[0]
    assert (first.domain, first.answers, first.of_answers, first.pages) == ("a.example", 3, 5, 2)
    assert {source.domain: source.source_class for source in sources}["zentra.example"] == "competitor"
    assert "old.example" not in [source.domain for source in sources]


def test_companies_that_real_answers_recommend_are_suggested_until_they_are_tracked(capsys):
    path = reference_file("real-answers/answers.jsonl")
    owner = UserFactory().email
    arguments = ("--new-brand", "Garmin", "garmin.com", "--owner", owner, "--competitor", "Coros", "coros.com")
    call_command("import_answers", path, *arguments, "--topic", "running-watch-400")
    brand = Brand.objects.get(domain="garmin.com")
    suggested = [each.name for each in list_competitors(SYSTEM, brand.pk).suggestions]
    assert {"Polar", "Suunto"} <= set(suggested[:4])
    assert not {"Garmin", "Coros"} & set(suggested)
    add_competitor(SYSTEM, brand_id=brand.pk, name="Polar", domain="polar.com")
    recount(brand.pk)
    competitors = list_competitors(SYSTEM, brand.pk)
    assert "Polar" not in [each.name for each in competitors.suggestions]
    assert {each.name: each.score for each in competitors.competitors}["Polar"] == 95.83


def test_models_and_words_of_the_prompts_are_no_companies():
    text = "1. **Varmio**: fine.\n2. **QM751G**: bright.\n3. **E-bike**: fast.\n4. **Oblinx**: light."
    row = {"topic": "x", "text": text, "engine": "chatgpt", "time": "2026-01-02T10:00:00Z"}
    lines = [json.dumps({**row, "prompt": f"Best e-bikes for {each}?"}) for each in ("snow", "rain")]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example")
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines))).brand
    assert [each.name for each in list_competitors(SYSTEM, brand.pk).suggestions] == ["Oblinx", "Varmio"]


@pytest.mark.parametrize(
    ("prompt", "share"), [("Which bikes are best for snow?", 50.0), ("Quel vélo choisir pour la neige ?", None)]
)
def test_the_share_of_untracked_names_is_left_out_in_a_language_in_which_they_are_found_in_part(prompt, share):
    text = "1. **Kryton**: fine.\n2. **Varmio**: light."
    line = {"prompt": prompt, "topic": "x", "text": text, "engine": "chatgpt", "time": "2026-01-02T10:00:00Z"}
    new = NewBrand(UserFactory(), "Kryton", "kryton.example")
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO(json.dumps(line))).brand
    assert list_competitors(SYSTEM, brand.pk).untracked_share == share


def test_strangers_see_none_of_it(brand):
    stranger = Caller.from_user(UserFactory())
    for read in (list_competitors, list_gaps):
        with pytest.raises(ServiceError) as refusal:
            read(stranger, brand.pk)
        assert refusal.value.code == "not_found"


def test_where_engines_were_asked_on_different_days_only_the_last_answers_of_each_are_of_now(brand):
    lines = [
        {"prompt": "Best bike?", "topic": "bikes", "engine": engine, "text": text, "citations": [url], "time": time}
        for engine, text, url, time in (
            ("gemini", "1. Trekkel\n2. Zentra", "https://gemini.example", "2026-01-01T11:00:00Z"),
            ("chatgpt", "1. Trekkel\n2. Zentra", "https://older.example", "2026-01-01T11:00:00Z"),
        )
    ]
    import_answers(SYSTEM, brand=brand.pk, file=io.StringIO("\n".join(map(json.dumps, lines))))
    domains = {each.domain: each.answers for each in sources_of_now(brand)}
    assert domains["gemini.example"] == 1 and "older.example" not in domains
    assert not list_competitors(SYSTEM, brand.pk).suggestions


def test_pages_of_gaps_say_how_often_they_name_the_site_and_for_which_gaps(brand):
    page = next(each for each in list_gaps(SYSTEM, brand.pk).pages if each.url == "https://a.example/1")
    assert (page.cited_by, page.names_site, page.prompts) == (2, 1, ["Best bike?"])


def asked_of_chatgpt(rival, *texts):
    """Kryton, this rival, and one prompt for each text."""
    lines = [
        json.dumps(
            {
                "prompt": f"Best bike {place}?",
                "topic": "bikes",
                "text": text,
                "engine": "chatgpt",
                "time": "2026-01-09T10:00:00Z",
                "citations": ["https://a.example/1"],
            }
        )
        for place, text in enumerate(texts)
    ]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[(rival, f"{rival.lower()}.example")])
    return import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(lines))).brand


def ranked(*names):
    return "\n".join(f"{place}. **{name}**: fine." for place, name in enumerate(names, 1))


def test_gaps_can_be_of_a_name_that_nobody_tracks():
    brand = asked_of_chatgpt("Avola", *[ranked("Rookwood", "Avola")] * 3, ranked("Kryton", "Avola"))
    gaps = list_gaps(SYSTEM, brand.pk, untracked="Rookwood")
    assert [gap.competitors[0].name for gap in gaps.gaps] == ["Rookwood"] * 3
    assert (gaps.answers, gaps.pages[0].cited_by, gaps.pages[0].names_site) == (3, 4, 1)


def test_first_picks_are_compared_as_mentions_are():
    brand = asked_of_chatgpt("Zentra", *[ranked("Zentra", "Kryton")] * 20)
    zentra = next(each for each in list_competitors(SYSTEM, brand.pk).competitors if each.competitor_id)
    assert (zentra.first, zentra.relation, zentra.first_relation) == (20, "too_close", "ahead")
