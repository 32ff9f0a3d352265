"""The table topic × brand × engine: what it counts, that it is the score, and how topics are named."""

from collections import defaultdict

import pytest

from apikeys.errors import ServiceError
from brands.services.competitors import add_competitor
from tests.factories import PromptFactory
from tests.scans.history import DAY, ended_run, rescored
from visibility.detection.types import BRAND
from visibility.measured.now import read_now
from visibility.measured.reading import answers_of, read_basis
from visibility.measured.topic_table import read_topic_table, subject_names
from visibility.measured.topics import read_topics
from visibility.models import Answer, DayCount, Mention, Prompt
from visibility.services.reading.topics import topic_named, topic_report

pytestmark = pytest.mark.django_db
FIRST = ["Acme.", "Rival.", "Acme and Rival.", "Globex.", "Acme."]
SECOND = ["Acme.", "Acme.", "No.", "Globex.", "No."]


def by_hand(brand):
    """k of n by topic, subject and engine, counted from the answers of now one by one."""
    counted = defaultdict(lambda: [0, 0])
    subjects = [None, *brand.competitors.values_list("pk", flat=True)]
    answers = answers_of(read_basis(brand.pk).engines).filter(state=Answer.State.ANSWERED)
    for answer in answers.select_related("prompt"):
        named = set(Mention.objects.filter(answer=answer).visible().values_list("competitor_id", flat=True))
        for subject in subjects:
            cell = counted[answer.prompt.topic, str(subject) if subject else BRAND, answer.engine]
            cell[0] += subject in named
            cell[1] += 1
    return {key: tuple(cell) for key, cell in counted.items()}


def of_table(table):
    return {
        (row.topic.key, subject, engine): (naming.named, naming.answers)
        for row in table.rows
        for subject, figures in row.figures.items()
        for engine, naming in figures.engines.items()
        if naming.answers
    }


def score_of(table):
    """The score that the table adds up to: its topics weigh as many prompts as they have."""
    rows = [row.own for row in table.rows]
    return round(sum(row.score.value * row.prompts for row in rows) / sum(row.prompts for row in rows), 2)


def table_of(brand, **more):
    return read_topic_table(read_basis(brand.pk), subject_names(brand), **more)


@pytest.fixture
def engines(cast, rival, wordings):
    """Two engines, the second a day later, each asked twice."""
    for day, engine in enumerate(["chat", "gemini"]):
        for texts in (FIRST, SECOND):
            ended_run(cast.brand, wordings, day=day, engine=engine, texts=texts)


def test_the_table_is_what_counting_the_answers_gives_and_adds_up_to_the_score(cast, engines):
    table = table_of(cast.brand)
    assert of_table(table) == by_hand(cast.brand) and len(table.rows) == 4
    assert table.averaged == {row.engine for row in read_now(cast.brand).averaged} == {"chat", "gemini"}


def test_days_whose_counts_are_not_kept_are_counted_from_their_answers(cast, engines):
    before = table_of(cast.brand)
    DayCount.objects.filter(date=DAY.date()).delete()
    assert of_table(table_of(cast.brand)) == of_table(before)


def test_prompts_that_are_archived_or_moved_count_as_today(cast, engines, wordings):
    Prompt.objects.filter(pk=wordings[1].pk).update(archived_at=DAY)
    Prompt.objects.filter(pk=wordings[2].pk).update(topic="bikes")
    table = table_of(cast.brand)
    assert of_table(table) == by_hand(cast.brand) and {row.topic.key for row in table.rows} == {"bikes", "t3", "t4"}
    assert score_of(table) == read_now(cast.brand).own.score


def test_an_engine_that_was_asked_less_counts_on_what_it_was_asked(cast, rival, wordings):
    ended_run(cast.brand, wordings, texts=FIRST)
    ended_run(cast.brand, wordings[:3], engine="gemini", texts=["Acme."] * 3)
    table = table_of(cast.brand)
    assert table.averaged == {row.engine for row in read_now(cast.brand).averaged} == {"chat", "gemini"}
    assert table.row("bikes").own.engines["gemini"].named == 2


def test_prompts_that_name_a_subject_count_for_the_others_alone(cast, rival):
    prompts = [
        PromptFactory(brand=cast.brand, text=text, topic="t") for text in ("is Rival good?", "is Acme ok?", "x")
    ]
    ended_run(cast.brand, prompts, texts=["Rival. Acme."] * 3)
    [row] = table_of(cast.brand).rows
    assert (row.own.named, row.own.answers, row.own.prompts) == (2, 2, 2)
    assert row.figures[str(rival.pk)].prompts == 2


def test_competitors_that_come_and_go_change_the_table_as_they_change_the_scores(cast, owner, engines):
    added = add_competitor(owner, brand=cast.brand, name="Globex", domain="globex.example")
    assert str(added.pk) not in table_of(cast.brand).rows[0].figures, "it is not measured yet"
    rescored(cast.brand)
    table = table_of(cast.brand)
    assert of_table(table) == by_hand(cast.brand) and table.row("t3").figures[str(added.pk)].named == 4
    added.delete()
    assert of_table(table_of(cast.brand)) == by_hand(cast.brand)


def test_the_report_has_the_strongest_topic_first_with_the_interval_of_its_prompts(cast, owner, engines):
    report = topic_report(owner, brand_id=cast.brand.pk)
    assert [(item.topic, item.prompts) for item in report.topics] == [("bikes", 2), ("t2", 1), ("t4", 1), ("t3", 1)]
    brand, rival = report.topics[0].subjects
    assert (brand.competitor, brand.name, brand.named, brand.answers, brand.score) == (None, "Acme", 6, 8, 75.0)
    assert 0 < brand.panel_low < 75 < brand.panel_high < 100 and brand.no_interval is None
    assert [(row.engine, row.named, row.answers) for row in rival.engines] == [("chat", 1, 4), ("gemini", 1, 4)]
    assert report.next_step is None and report.as_of is not None


def test_prompts_that_were_asked_once_have_no_interval_and_a_reason(cast, owner, wordings):
    ended_run(cast.brand, wordings, texts=FIRST)
    brand = topic_report(owner, brand_id=cast.brand.pk).topics[0].subjects[0]
    assert (brand.panel_low, brand.panel_high, brand.no_interval) == (None, None, "asked_once")


def test_one_engine_alone_and_one_that_was_never_asked(cast, owner, engines):
    report = topic_report(owner, brand_id=cast.brand.pk, engine="gemini")
    assert {row.engine for item in report.topics for subject in item.subjects for row in subject.engines} == {
        "gemini"
    }
    assert report.topics[0].subjects[0].answers == 4
    with pytest.raises(ServiceError, match="chat, gemini"):
        topic_report(owner, brand_id=cast.brand.pk, engine="bard")


def test_nothing_measured_says_what_to_do(cast, owner, lacking):
    assert topic_report(owner, brand_id=cast.brand.pk).next_step.tool == "svc_generate_prompts"
    PromptFactory(brand=cast.brand)
    report = topic_report(owner, brand_id=cast.brand.pk)
    assert (report.topics, report.next_step.tool) == ([], "svc_run_visibility_scan")
    with pytest.raises(ServiceError, match="read:visibility"):
        topic_report(lacking("read:visibility"), brand_id=cast.brand.pk)


def test_statements_do_not_grow_with_answers_and_topics(cast, owner, engines, wordings, statements):
    few = statements(topic_report, owner, brand_id=cast.brand.pk)
    more = [PromptFactory(brand=cast.brand) for _ in range(20)]
    ended_run(cast.brand, [*wordings, *more], day=1, engine="gemini", texts=FIRST * 5)
    assert statements(topic_report, owner, brand_id=cast.brand.pk) == few <= 10


@pytest.fixture
def tvs(cast):
    """Two slugs that would be called alike, one topic in words, one prompt without any, and one that is archived."""
    PromptFactory(brand=cast.brand, text="what's the best 55 inch TV under $1000?", topic="tv-55-inch-1000")
    PromptFactory(brand=cast.brand, text="best running watch", topic="running-watch")
    PromptFactory(brand=cast.brand, text="which running watch is best", topic="running_watch")
    PromptFactory(brand=cast.brand, text="a", topic="Trail running shoes")
    PromptFactory(brand=cast.brand, text="who repairs e-bikes?", topic="")
    PromptFactory(brand=cast.brand, text="old one", topic="laptops", archived_at=DAY)
    return cast.brand


def test_topics_are_called_as_people_write_them_each_by_its_own_name(tvs):
    names = {topic.key: topic.name for topic in read_topics(tvs.pk).topics if topic.is_stated}
    assert names == {
        "tv-55-inch-1000": "55-inch TVs under $1,000",
        "running-watch": "running-watch",
        "running_watch": "running_watch",
        "Trail running shoes": "Trail running shoes",
        "laptops": "laptops",
    }
    [unstated] = [topic for topic in read_topics(tvs.pk).topics if not topic.is_stated]
    assert unstated.name == "who repairs e-bikes?"


@pytest.mark.parametrize(
    "name",
    ["55-inch TVs under $1,000", "tv-55-inch-1000", "55 INCH TV UNDER $1000", "TV 55 inch 1000", "tvs", "55-inch TV"],
)
def test_a_topic_is_meant_by_its_names_in_any_case_with_any_dashes_and_plurals(tvs, name):
    assert topic_named(tvs, name) == "tv-55-inch-1000"


def test_topics_that_are_spelled_alike_are_meant_by_their_exact_names(tvs):
    assert topic_named(tvs, "running_watch") == "running_watch"
    with pytest.raises(ServiceError):
        topic_named(tvs, "running watches")


def test_prompts_without_a_topic_are_meant_by_their_text(tvs):
    assert topic_named(tvs, "who repairs e-bikes?") == str(Prompt.objects.get(topic="").pk)


def test_what_is_no_topic_or_could_be_several_is_refused_with_those_that_there_are(tvs):
    for name in ("toasters", "running", "!!", ""):
        with pytest.raises(ServiceError) as caught:
            topic_named(tvs, name)
        assert caught.value.code == "invalid_arguments" and caught.value.details == {"argument": "topic"}
        assert "<untrusted-quote>55-inch TVs under $1,000</untrusted-quote>" in caught.value.message
        assert "laptops" not in caught.value.message, "scans do not ask it"


def test_a_refusal_lists_twenty_topics_and_says_where_the_others_are(cast):
    for number in range(25):
        PromptFactory(brand=cast.brand, topic=f"topic {number:02}")
    with pytest.raises(ServiceError) as caught:
        topic_named(cast.brand, "toasters")
    assert "topic 19" in caught.value.message and "topic 20" not in caught.value.message
    assert "5 more, which svc_list_prompts shows" in caught.value.message


def test_two_prompts_of_one_text_without_a_topic_are_told_apart(cast):
    for locale in ("en-GB", "en-US"):
        PromptFactory(brand=cast.brand, text="which one?", topic="", locale=locale)
    topics = read_topics(cast.brand.pk).topics
    assert len({topic.name for topic in topics}) == 2
    assert [topic_named(cast.brand, topic.name) for topic in topics] == [topic.key for topic in topics]
