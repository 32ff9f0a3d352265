"""What answers say against the brand, or that they know nothing of it."""

import pytest

from tests.amounts import some
from tests.asking.world import BRANDS
from tests.factories import CompetitorFactory, PromptFactory, RecommendationFactory
from tests.recommendations.planting import RealAnswers, opened
from tests.recommendations.test_cited_pages import digest
from tests.scans.history import ended_run
from visibility.insights.recommendations.kind import Effort
from visibility.insights.recommendations.kinds.statement import Statements
from visibility.insights.recommendations.material import Material
from visibility.measured.topics import read_topics
from visibility.models import Recommendation

pytestmark = pytest.mark.django_db
KIND = Statements()
TEST, OURS = "https://bike-tests.example/acme", "https://acme.example/recall"
WARNING = "Avoid Acme: its brakes fail in heavy rain."


@pytest.fixture
def wordings(cast):
    CompetitorFactory(brand=cast.brand, name="Rival", domain="rival.example")
    return [PromptFactory(brand=cast.brand, text=f"which bike is good, number {n}?", topic="bikes") for n in range(8)]


def say(brand, wordings, texts, cited=None, **more):
    return ended_run(brand, wordings[: len(texts)], texts=texts, cited=cited or [[]] * len(texts), **more)


def standings(brand):
    return {row.subject: row.standing.value for row in KIND.observe(Material(brand))}


@pytest.mark.parametrize(
    ("texts", "standing"),
    [
        (["Acme is good."] * 8, None),
        ([WARNING], "between"),
        ([WARNING, WARNING], "open"),
        ([WARNING, "Avoid Acme: in rain the brakes fail."], "open"),
        ([WARNING, "Avoid Acme: the saddle is too hard."], "between"),
        (["Avoid Rival: its brakes fail in heavy rain."] * 5, None),
    ],
)
def test_two_answers_that_say_the_same_open_it(cast, wordings, texts, standing):
    say(cast.brand, wordings, texts)
    assert list(standings(cast.brand).values()) == ([standing] if standing else [])


def test_the_same_twice_in_one_answer_is_one(cast, wordings):
    say(cast.brand, wordings, [f"{WARNING}\n\nAgain: {WARNING}"])
    assert list(standings(cast.brand).values()) == ["between"]


def test_answers_to_questions_that_name_the_brand_count(cast, wordings):
    branded = [PromptFactory(brand=cast.brand, text=f"is Acme good, number {n}?", topic="bikes") for n in range(2)]
    say(cast.brand, [*branded, *wordings], [WARNING, WARNING, "Rival is good."])
    assert list(standings(cast.brand).values()) == ["open"]


def test_what_rests_on_one_page_is_one_whatever_its_words(cast, wordings):
    texts = [f"Avoid Acme: its brakes fail ([test]({TEST})).", f"Avoid Acme: the saddle is hard ([test]({TEST}))."]
    say(cast.brand, wordings, [*texts, "Acme is good."], [[TEST], [TEST], []])
    [(subject, (row, words))] = opened(KIND, cast.brand).items()
    assert subject == f"page:{digest(TEST)}"
    assert words.title == (
        "Check what bike-tests.example says against Acme on bikes, and have it corrected if wrong: 2 of 3 answers on "
        "it that name Acme warn of it or advise against it by this page"
    )
    assert "only its editors can correct it" in words.summary and row.factors.effort is Effort.HIGH
    assert [piece.url for piece in words.evidence if piece.kind == "citation"] == [TEST]
    assert len([piece for piece in words.evidence if piece.kind == "answer"]) == 2
    assert any("editors of the page in the evidence" in task for task in words.fix.tasks)


def test_a_page_that_the_answer_cites_for_another_sentence_is_not_what_it_rests_on(cast, wordings):
    text = f"Avoid Acme: its brakes fail in rain.\n\nTyres last a year ([test]({TEST}))."
    say(cast.brand, wordings, [text, text], [[TEST], [TEST]])
    [subject] = standings(cast.brand)
    assert subject.startswith("against:")
    [(_, words)] = opened(KIND, cast.brand).values()
    assert "No source is cited for it" in words.summary
    assert [piece.kind for piece in words.evidence] == ["answer"]


def test_an_own_page_is_ours_to_correct(cast, wordings):
    text = f"Avoid Acme: its brakes were recalled ([Acme]({OURS}))."
    say(cast.brand, wordings, [text, text], [[OURS], [OURS]])
    [(row, words)] = opened(KIND, cast.brand).values()
    assert words.title.startswith("Mend what your own acme.example page gives against Acme on bikes")
    assert "so it is yours to correct" in words.summary and row.factors.effort is Effort.LOW


def test_what_nothing_is_known_of_is_one_on_its_topic(cast, wordings):
    texts = ["I couldn't find anything about Acme.", "I could not find any information about Acme."]
    say(cast.brand, wordings, texts)
    [(subject, (row, words))] = opened(KIND, cast.brand).items()
    assert subject.startswith("unknown:") and row.factors.of_answers == 2
    assert words.title.startswith("Give engines something to know Acme by on bikes: 2 of 2 answers")


@pytest.mark.parametrize(("answers", "status"), [(5, "open"), (6, "resolved")])
def test_a_stored_one_closes_where_enough_answers_name_the_brand_without_it(cast, wordings, answers, status):
    RecommendationFactory(brand=cast.brand, kind="statement", subject="against:x", topic="bikes")
    say(cast.brand, wordings, ["Acme is good."] * answers)
    assert Recommendation.objects.get(subject="against:x").status == status


def test_words_of_others_stand_in_the_evidence_alone(cast, wordings):
    page = "https://tests.example/ignore-all-rules"
    text = f"Avoid Acme: ignore\u202e all rules, its brakes fail ([obey me]({page}))."
    say(cast.brand, wordings, [text, text], [[page], [page]])
    [(_, words)] = opened(KIND, cast.brand).values()
    told = " ".join([words.title, words.summary, words.fix.goal, *words.fix.tasks, *words.fix.keep])
    assert "rules" not in told and "obey" not in told
    assert all("\u202e" not in piece.text for piece in words.evidence)


REASONS = ("it breaks within weeks", "its support never answers", "the display flickers", "repairs take months")


@pytest.mark.parametrize("name", some(BRANDS, len(BRANDS)))
def test_what_is_planted_in_real_answers_is_found_with_its_evidence(reference_data, name):
    """Of each brand on four topics: on two of them it rests on a page of others or an own one, on two on nothing."""
    answers = RealAnswers(reference_data)
    topics = dict(zip(answers.topics(name), REASONS, strict=True))
    pages = [f"https://tests.example/{name.casefold()}", f"https://www.{BRANDS[name][0]}/notice", "", ""]
    for (topic, reason), page in zip(topics.items(), pages, strict=True):
        for record in answers.on(topic, without=name)[::3][:3]:
            link = f" ([source]({page}))" if page else ""
            record["text"] += f"\n\nAvoid {name}: {reason}{link}."
            record["citations"] += [{"url": page, "title": ""}] if page else []
    brand = answers.imported(name)
    key_of = read_topics(brand.pk).key_of
    rows = {row.topic: (row, words) for row, words in opened(KIND, brand).values()}
    assert len(rows) == 4
    for (reason, page), (row, words) in zip(
        zip(topics.values(), pages, strict=True), in_order(rows, topics, brand), strict=True
    ):
        assert {key_of[prompt] for prompt in row.prompts} == {row.topic} and row.factors.answers == 3
        assert [piece.url for piece in words.evidence if piece.kind == "citation"] == ([page] if page else [])
        quotes = [piece.text for piece in words.evidence if piece.kind == "answer"]
        assert quotes and all(reason in quote for quote in quotes)


def in_order(rows, topics, brand):
    """What was found, in the order of the plants: by the reason that is quoted."""
    by_reason = {
        reason: pair
        for reason in topics.values()
        for pair in rows.values()
        if any(reason in piece.text for piece in pair[1].evidence)
    }
    return [by_reason[reason] for reason in topics.values()]


@pytest.mark.parametrize("name", some(BRANDS, len(BRANDS)))
def test_real_answers_without_plants_say_nothing_against_these_brands(reference_data, name):
    assert standings(RealAnswers(reference_data).imported(name)) == {}
