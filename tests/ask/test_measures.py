"""A measure is counted, or refused by its name with what is nearest."""

from datetime import date

import pytest
from django.utils import timezone

from apikeys.accounts.caller import Caller
from tests.ask.conftest import ask
from visibility.ask.measures import ELSEWHERE, MEASURES, READ
from visibility.ask.question import Question
from visibility.competitors.reads import list_competitors
from visibility.models import Prompt, Reading, Statement

DAYS = {"first": date(2026, 1, 1), "last": date(2026, 1, 9)}


@pytest.mark.parametrize(
    ("measure", "words"),
    [
        ("mentioned", "Mentioned in answers (2026-01-09, now): Zentra 20 of 32; Kryton 12 of 32."),
        (
            "first",
            "Named before all other tracked names in answers (2026-01-09, now): Zentra 20 of 32; Kryton 12 of 32.",
        ),
        ("recommended", "Recommended (at least) in answers (2026-01-09, now): Zentra 20 of 32"),
        ("cautioned", "Warned against (at least) in answers (2026-01-09, now): Kryton 0 of 32"),
        (
            "cited",
            "Own site cited in answers (2026-01-09, now) of Kryton: 24 of 32. Cited most: kryton.example",
        ),
        ("shareOfVoice", "Share of voice in answers (2026-01-09, now): Zentra 62.5 %; Kryton 37.5 %."),
        ("score", "Score over answers (2026-01-09, now): Zentra 62.5 %; Kryton 37.5 %."),
        ("margin", "95 % interval on these 16 prompts on 4 topics: none; on prompts like these: 8 to 80"),
        ("promptsNeeded", "± 10 takes"),
        ("surface", "Answers (2026-01-09, now) were taken through: ChatGPT: imported; Gemini: imported."),
        ("change", "Measured: 2026-01-01 to 2026-01-09."),
        ("cost", "A scan of Kryton cannot be started: No answer engine can be asked"),
    ],
)
def test_a_measure_alone_brings_its_facts_and_a_sentence_on_it(brand, measure, words):
    reply = ask(brand, measure=measure)
    assert words in reply.answer and reply.facts and reply.cannot_tell is None


def test_names_that_nobody_tracks_are_a_measure(brand):
    reply = ask(brand, measure="untracked")
    assert reply.answer.startswith("Not tracked, mentioned in answers (2026-01-09, now)") and "Varmio" in reply.answer
    assert {fact.tracked for fact in reply.facts} == {None, False}


def test_alone_is_told_by_topic(brand):
    reply = ask(brand, measure="alone")
    assert reply.about == "topics" and "Kryton helmets 6 of 8; Kryton range 4 of 8" in reply.answer


@pytest.mark.parametrize("spelled", ["share of voice", "Share-of-Voice", "share_of_voice", "SHAREOFVOICE"])
def test_a_measure_is_known_however_it_is_spelled(brand, spelled):
    assert ask(brand, measure=spelled).answer.startswith("Share of voice")


def test_rows_hold_the_measure_that_was_asked_for_and_mentions(brand):
    reply = ask(brand, about="competitors", measure="recommended")
    assert reply.measures == ["mentioned", "recommended"]
    assert {(fact.first, fact.cited, fact.relation) for fact in reply.facts} == {(None, None, None)}


def test_without_a_measure_the_reply_names_all_that_its_rows_hold(brand):
    held = ask(brand, about="standing").measures
    assert held == [
        "mentioned",
        "first",
        "recommended",
        "cautioned",
        "cited",
        "alone",
        "shareOfVoice",
        "score",
        "relation",
    ]


@pytest.mark.parametrize(
    ("about", "measure", "chosen"),
    [
        ("standing", "change", "change"),
        ("sources, topics", "first", "topics"),
        ("standing", "products", "criteria"),
        ("recommendations", "mentioned", "recommendations, standing"),
        ("costs", "cost", "costs"),
        ("costs", "other", "costs"),
        ("definitions", "score", "definitions"),
        ("definitions", "prominence", "definitions"),
    ],
)
def test_of_subjects_that_count_those_that_hold_the_measure_are_shown(brand, about, measure, chosen):
    reply = ask(brand, about=about, measure=measure)
    notes = [] if chosen == about else [f"The facts about {chosen.split(', ')[-1]} hold {measure}."]
    assert (reply.about, [note for note in reply.notes if "hold" in note][:1]) == (chosen, notes)


def test_of_the_account_nothing_stands_for_a_measure_that_is_not_counted(brand):
    reply = ask(brand, about="costs", measure="revenue")
    assert (reply.facts, reply.answer, reply.cannot_tell.what) == ([], None, "revenue")


@pytest.mark.parametrize("measure", ["sentiment", "market share", "who wrote it", "other"])
def test_an_unknown_measure_is_refused_by_its_name_and_no_fact_stands_for_it(brand, measure):
    reply = ask(brand, about="standing", measure=measure)
    assert (reply.facts, reply.answer) == ([], None)
    assert reply.cannot_tell.what == ("what is asked" if measure == "other" else measure)
    assert "Counted are mentioned, first" in reply.cannot_tell.why and reply.cannot_tell.next_step is None


def test_a_name_that_is_nearly_a_measure_gets_the_step_with_it(brand):
    step = ask(brand, about="standing", measure="mentions").cannot_tell.next_step
    assert (step.tool, step.arguments["measure"]) == ("ask", "mentioned")


@pytest.mark.parametrize("measure", ELSEWHERE)
def test_what_another_tool_answers_gets_its_call(brand, measure):
    reply = ask(brand, about="standing", measure=measure)
    assert reply.facts == [] and reply.cannot_tell.what == measure
    assert reply.cannot_tell.next_step.tool == ELSEWHERE[measure].tool


@pytest.mark.parametrize("measure", READ)
def test_what_nobody_has_read_is_refused(brand, measure):
    reply = ask(brand, measure=measure)
    assert reply.facts == [] and reply.cannot_tell.what == measure
    assert "Nobody has read the answers yet." in reply.cannot_tell.why


def test_products_that_nobody_has_read_are_refused_with_the_names_that_are_offered(brand):
    assert "Names offered: Oblinx, Varmio." in ask(brand, measure="products").cannot_tell.why


def test_a_reading_answers_for_the_subject_that_was_asked_for(brand):
    topic = brand.topics.get(name="range")
    answer = brand.answers.filter(text__startswith="Kryton", prompt__topic=topic).first()
    reading = Reading.objects.create(brand=brand, topic=topic, version=1, read=[answer.pk])
    row = {"reading": reading, "answer": answer, "start": 0, "end": 6, "value": "One"}
    Statement.objects.create(**row, facet="product", heading="Kryton One")
    reply = ask(brand, measure="products")
    assert [(fact.says, fact.topic, fact.answers, fact.of) for fact in reply.facts] == [("Kryton One", "range", 1, 1)]
    assert "Readers found none." in ask(brand, measure="products", competitor="Zentra").cannot_tell.why


@pytest.mark.parametrize(
    "measure", sorted(name for name in MEASURES if MEASURES[name].lead and name not in ("mentioned", "untracked"))
)
def test_of_an_untracked_name_only_mentions_are_counted(brand, measure):
    reply = ask(brand, measure=measure, competitor="Varmio")
    assert reply.cannot_tell.what == f"{measure} of Varmio" and "Nobody tracks the name" in reply.cannot_tell.why
    assert reply.cannot_tell.next_step.arguments["measure"] == "mentioned"


@pytest.mark.parametrize("measure", ["margin", "promptsNeeded"])
def test_nor_is_a_margin(brand, measure):
    assert ask(brand, measure=measure, competitor="Varmio").cannot_tell.what == f"{measure} of Varmio"


def test_a_margin_says_how_many_prompts_a_narrower_one_takes(brand):
    reply = ask(brand, measure="promptsNeeded")
    plans = [(fact.margin, fact.topics_needed, fact.prompts_needed) for fact in reply.facts[1:]]
    assert [margin for margin, *_ in plans] == [10.0, 5.0]
    assert all(prompts == 4 * topics for _, topics, prompts in plans)


def test_words_are_looked_for_where_what_is_asked_takes_a_reader(brand):
    reply = ask(brand, measure="warnings", words="the locks")
    assert reply.words_found is not None and "the locks" not in reply.cannot_tell.why
    assert reply.cannot_tell.what == "warnings" and "hold these words" in reply.answer


def test_days_that_hold_prompts_archived_since_say_so(brand):
    note = "Prompts that are archived now count in these days; without days they do not."
    assert note not in ask(brand, measure="mentioned", **DAYS).notes
    Prompt.objects.filter(pk=Prompt.objects.filter(brand=brand).first().pk).update(archived_at=timezone.now())
    assert note in ask(brand, measure="mentioned", **DAYS).notes
    assert note not in ask(brand, measure="mentioned").notes


def test_words_are_looked_for_where_what_is_asked_is_not_counted(brand):
    reply = ask(brand, measure="other", words="the locks")
    assert reply.cannot_tell.what == "what is asked" and "hold these words" in reply.answer


def test_a_further_call_names_its_measure_as_the_tool_lists_it(brand):
    again = Question("?", measure="share of voice").again(brand.pk)
    assert again.arguments["measure"] == "shareOfVoice"


def test_a_margin_reckoned_from_few_topics_says_what_it_rests_on(brand):
    def rests(reply):
        return any(note.startswith("Reckoned with the usual spread between topics") for note in reply.notes)

    assert not rests(ask(brand, measure="promptsNeeded"))
    brand.topics.exclude(name__in=["range", "helmets"]).update(own=False)
    assert rests(ask(brand, measure="promptsNeeded"))


def test_first_picks_have_the_relation_that_the_list_of_competitors_has(brand):
    listed = list_competitors(Caller.from_user(brand.owner), brand.pk).competitors
    zentra = next(each for each in listed if each.name == "Zentra")
    row = next(each for each in ask(brand, about="competitors", measure="first").facts if each.subject == "Zentra")
    assert row.first_relation and (row.first, row.first_relation) == (zentra.first, zentra.first_relation)
