"""Which domains and pages the answers of now cite, who is named beside them, and since when."""

import io
from collections import defaultdict
from datetime import date, timedelta

import orjson
import pytest
from django.core.management import call_command

from apikeys.caller import Caller
from apikeys.resources import FOR_AGENTS
from brands.models import Brand
from brands.services.access import count_new_names
from tests.factories import CompetitorFactory, PromptFactory, UserFactory
from tests.scans.history import DAY, ended_run, rescored
from visibility.detection.citations.citations import find_citations
from visibility.detection.types import Domains
from visibility.engines.protocol import Source
from visibility.models import Run, SourceSighting
from visibility.services.reading.sources import MAX_PAGES, MAX_SOURCES, source_report

pytestmark = pytest.mark.django_db

LIST, TEST, THREAD = "https://pcmag.com/lists/best", "https://pcmag.com/tests/1", "https://reddit.com/r/bikes/1"
OURS, THEIRS, SHOP = "https://acme.example/guide", "https://rival.example/guide", "https://amazon.com/dp/1"
TEXTS = ["Acme is good.", "Rival is good.", "Rival and Acme.", "Rival is fine.", "Nothing is good."]
CITED = [[LIST, OURS], [LIST, THREAD], [TEST], [THREAD, THEIRS, SHOP], []]


@pytest.fixture
def cited(cast, rival, wordings):
    return ended_run(cast.brand, wordings, texts=TEXTS, cited=CITED)


def report(caller, cast, **more):
    return source_report(caller, brand_id=cast.brand.pk, **more)


def test_a_source_tells_how_often_it_is_cited_and_who_is_named_beside_it(cast, owner, rival, cited):
    sources = report(owner, cast)
    assert (sources.as_of, sources.answers, sources.citing, sources.more) == (DAY.date(), 5, 4, 0)
    told = [(each.domain, each.cls.value, each.answers, each.named, each.gaps) for each in sources.sources]
    assert told == [
        ("pcmag.com", "review_site", 3, 2, 1),
        ("reddit.com", "community", 2, 0, 2),
        ("acme.example", "own", 1, 1, 0),
        ("amazon.com", "shop", 1, 0, 1),
        ("rival.example", "competitor", 1, 0, 1),
    ]
    first = sources.sources[0]
    assert [(each.competitor, each.name, each.answers) for each in first.competitors] == [(rival.pk, "Rival", 2)]
    assert [(each.engine, each.answers, each.of_answers) for each in first.engines] == [("chat", 3, 5)]
    assert [(each.topic, each.answers, each.of_answers) for each in first.topics] == [("bikes", 2, 2), ("t2", 1, 1)]
    assert [(page.url, page.answers, page.named) for page in first.pages] == [(LIST, 2, 1), (TEST, 1, 1)]
    assert all(each.of_answers == 5 for each in sources.sources)


def test_absent_are_sites_of_others_whose_answers_name_competitors_and_never_the_brand(cast, owner, rival, cited):
    assert [each.domain for each in report(owner, cast, absent=True).sources] == ["reddit.com", "amazon.com"]


def test_those_we_are_missing_from_most_often_come_first(cast, owner, rival, wordings):
    texts = ["Nothing.", "Nothing.", "Rival is good.", "Rival is good.", "Rival is good."]
    ended_run(cast.brand, wordings, texts=texts, cited=[[LIST], [LIST], [LIST], [THREAD], [THREAD]])
    assert [each.domain for each in report(owner, cast).sources] == ["pcmag.com", "reddit.com"]
    assert [each.domain for each in report(owner, cast, absent=True).sources] == ["reddit.com", "pcmag.com"]


def test_a_topic_is_looked_at_by_itself(cast, owner, rival, cited):
    bikes = report(owner, cast, topic="bikes")
    assert (bikes.topic, bikes.answers, bikes.citing) == ("bikes", 2, 2)
    assert [(each.domain, each.answers) for each in bikes.sources] == [
        ("pcmag.com", 2), ("acme.example", 1), ("reddit.com", 1),
    ]  # fmt: skip


def test_an_engine_is_looked_at_by_itself(cast, owner, rival, wordings):
    cited_by = {"chat": CITED, "search": [[THREAD]] * 5}
    for engine, addresses in cited_by.items():
        ended_run(cast.brand, wordings, texts=TEXTS, cited=addresses, engine=engine, engines=[engine])
    alone = report(owner, cast, engine="search")
    assert (alone.engine, alone.answers) == ("search", 5)
    assert [(each.domain, each.answers) for each in alone.sources] == [("reddit.com", 5)]
    [thread] = [each for each in report(owner, cast).sources if each.domain == "reddit.com"]
    counts = [(each.engine, each.answers, each.of_answers) for each in thread.engines]
    assert counts == [("chat", 2, 5), ("search", 5, 5)]


@pytest.mark.parametrize("argument", ["topic", "engine"])
def test_what_there_is_not_is_refused_with_what_there_is(cast, owner, cited, refused, argument):
    error = refused("invalid_arguments", report, owner, cast, **{argument: "cars"})
    assert error.details["argument"] == argument
    assert {"topic": "bikes", "engine": "chat"}[argument] in error.message


def test_first_seen_is_the_first_day_of_all_answers_on_record(cast, owner, rival, wordings):
    ended_run(cast.brand, wordings, day=0, texts=TEXTS, cited=[[THREAD]] * 5)
    ended_run(cast.brand, wordings, day=3, texts=TEXTS, cited=[[THREAD, LIST]] * 5)
    ended_run(cast.brand, wordings, day=4, texts=TEXTS, cited=[[f"{THREAD}/2", LIST]] * 5)
    pcmag, reddit = report(owner, cast).sources
    days = [DAY.date() + timedelta(days=days) for days in (0, 3, 4)]
    assert (reddit.first_seen, pcmag.first_seen) == (days[0], days[1])
    assert [(page.url, page.first_seen) for page in reddit.pages] == [(f"{THREAD}/2", days[2])]


def test_older_answers_that_come_later_are_seen_first(cast, owner, rival, wordings):
    ended_run(cast.brand, wordings, day=3, texts=TEXTS, cited=[[THREAD]] * 5)
    ended_run(cast.brand, wordings, day=1, texts=TEXTS, cited=[[THREAD]] * 5)
    assert {each.first_seen for each in report(owner, cast).sources} == {DAY.date() + timedelta(days=1)}


def test_a_history_that_is_analysed_again_tells_the_same(cast, owner, rival, wordings):
    for day, addresses in enumerate(([[THREAD]] * 5, CITED)):
        ended_run(cast.brand, wordings, day=day, texts=TEXTS, cited=addresses)
    before = report(owner, cast)
    CompetitorFactory(brand=cast.brand, name="Other", domain="other.example")
    count_new_names(cast.brand)
    kept = SourceSighting.of_all_generations.count()
    rescored(cast.brand)
    assert report(owner, cast) == before
    assert SourceSighting.of_all_generations.count() == kept


def test_an_imported_answer_is_seen_on_its_own_day(cast, owner, rival, wordings):
    ended_run(cast.brand, wordings, texts=TEXTS, cited=[[THREAD]] * 5, trigger=Run.Trigger.IMPORT,
              created_at=DAY + timedelta(days=200), started_at=DAY, finished_at=DAY)  # fmt: skip
    ended_run(cast.brand, wordings, day=5, texts=TEXTS, cited=[[THREAD]] * 5)
    assert {each.first_seen for each in report(owner, cast).sources} == {DAY.date()}


def test_answers_of_comparisons_are_never_counted(cast, owner, rival, wordings, cited):
    before = report(owner, cast)
    versus = PromptFactory(brand=cast.brand, text="which is better?", purpose="comparison", rival=rival)
    ended_run(cast.brand, [versus], day=-5, texts=["Rival."], cited=[[LIST, "https://other.example/x"]],
              kind=Run.Kind.COMPARISON)  # fmt: skip
    ended_run(cast.brand, [versus], day=0, texts=["Rival."], cited=[[LIST]], kind=Run.Kind.COMPARISON)
    assert report(owner, cast) == before


def test_questions_that_name_the_brand_or_a_competitor_show_no_absence(cast, owner, rival):
    prompts = [PromptFactory(brand=cast.brand, text=text) for text in ("is Acme good?", "is Rival good?")]
    ended_run(cast.brand, prompts, texts=["Rival is better.", "Rival is good."], cited=[[LIST], [THREAD]])
    sources = report(owner, cast)
    assert [(each.domain, each.answers, each.gaps, each.competitors) for each in sources.sources] == [
        ("reddit.com", 1, 0, [])
    ]


def test_a_domain_that_is_shared_is_told_apart_by_whose_page_it_is(cast, owner, wordings):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.blogs.com")
    addresses = ["https://rival.blogs.com/1", "https://fan.blogs.com/2"]
    ended_run(cast.brand, wordings, texts=TEXTS, cited=[addresses] * 5)
    told = [(each.domain, each.cls.value, [page.url for page in each.pages]) for each in report(owner, cast).sources]
    assert told == [("blogs.com", "competitor", addresses[:1]), ("blogs.com", "other", addresses[1:])]


def test_words_of_others_are_marked_for_agents(cast, owner, cited):
    [first, *_] = report(owner, cast).model_dump(mode="json", by_alias=True, context=FOR_AGENTS)["sources"]
    foreign = [first["domain"], first["topics"][0]["topic"], first["pages"][0]["url"]]
    assert all(text.startswith("<untrusted-quote>") for text in foreign)


def test_what_is_left_out_is_counted_and_costs_no_more_statements(cast, owner, rival, wordings, statements):
    ended_run(cast.brand, wordings, texts=TEXTS, cited=CITED)
    report(owner, cast)
    few = statements(report, owner, cast)
    addresses = [f"https://site{number}.example/" for number in range(MAX_SOURCES + 2)]
    addresses += [f"https://pcmag.com/lists/{number}" for number in range(MAX_PAGES + 3)]
    ended_run(cast.brand, wordings, day=1, texts=TEXTS, cited=[addresses] * 5)
    sources = report(owner, cast)
    assert (len(sources.sources), sources.more) == (MAX_SOURCES, 3)
    assert (len(sources.sources[0].pages), sources.sources[0].more_pages) == (MAX_PAGES, 3)
    assert statements(report, owner, cast) == few <= 20


def test_where_there_is_nothing_a_step_leads_on(cast, owner, rival, wordings):
    assert report(owner, cast).next_step.tool.endswith("run_visibility_scan")
    ended_run(cast.brand, wordings, texts=TEXTS, cited=[[]] * 5)
    assert report(owner, cast).next_step.tool is None
    ended_run(cast.brand, wordings, day=1, texts=["Acme."] * 5, cited=[[LIST]] * 5)
    assert report(owner, cast).next_step is None
    assert report(owner, cast, absent=True).next_step.tool.endswith("get_competitor_gaps")


def test_strangers_and_keys_without_the_scope_learn_nothing(cast, cited, lacking, refused):
    refused("not_found", report, Caller.from_user(cast.stranger), cast)
    refused("insufficient_scope", report, lacking("read:prompts"), cast)


def counted_by_hand(lines, name, domain):
    """By domain: how many of the newest lines of each engine cite it, and how many of these have the name."""
    days = {}
    for line in lines:
        days[line["engine"]] = max(days.get(line["engine"], ""), line["time"][:10])
    counts = defaultdict(lambda: [0, 0])
    for line in lines:
        if line["time"][:10] == days[line["engine"]]:
            sources = [Source(cited["url"], cited.get("title") or "") for cited in line.get("citations") or []]
            for cited in {citation.domain for citation in find_citations(sources, Domains({"": (domain,)}))}:
                counts[cited][0] += 1
                counts[cited][1] += name in line["text"]
    return {key: tuple(count) for key, count in counts.items()}


@pytest.mark.parametrize(("name", "domain"), [("Sony", "sony.com"), ("Garmin", "garmin.com")])
def test_real_answers_are_counted_as_by_hand(reference_data, name, domain):
    file = reference_data / "real-answers" / "answers.jsonl"
    lines = [orjson.loads(line) for line in file.read_bytes().splitlines()]
    owner = UserFactory()
    call_command("import_answers", str(file), "--new-brand", name, domain, "--owner", owner.email,
                 stdout=io.StringIO(), stderr=io.StringIO())  # fmt: skip
    expected = counted_by_hand(lines, name, domain)
    sources = source_report(Caller.from_user(owner), brand_id=Brand.objects.get(domain=domain).pk)
    told = {each.domain: (each.answers, each.named) for each in sources.sources}
    assert len(told) + sources.more == len(expected)
    assert told == {key: expected[key] for key in told}
    assert min(answers for answers, _ in told.values()) >= max(expected[key][0] for key in expected.keys() - told)
    assert {each.first_seen for each in sources.sources} <= {date(2025, 5, 24), date(2025, 5, 25)}
