"""Opportunities, briefs with and without a reading, and drafts through an engine."""

import importlib
import uuid

import pytest

from apikeys.accounts.caller import Caller
from apikeys.errors import ServiceError
from apikeys.language import written_in
from apikeys.models import Usage
from apikeys.text import marked
from tests.content.conftest import opportunities
from tests.engines.writer import scripted_writer
from tests.recommendations.conftest import DAY
from visibility.content.reads import list_opportunities, readable_draft
from visibility.content.resources import draft_resource
from visibility.content.services import prepare_draft
from visibility.models import Answer, Draft, ProviderCall, Recommendation, Topic


def sentence(text, *rows):
    return {"text": text, "rows": list(rows)}


def page(*sentences, title="Which bikes would you buy?"):
    return {"title": title, "sections": [{"heading": "Bikes for long rides", "sentences": list(sentences)}]}


GOOD = page(
    sentence("This guide compares Kryton and Zentra."),
    sentence("Our battery runs for 120 km in winter.", "F1"),
    sentence("Those who want a soft saddle are better served by Zentra.", "R2"),
)
INVENTED = page(sentence("Kryton's battery runs for 999 km.", "F1"))
SLANDER = page(sentence("Zentra burns houses down.", "R1"))


def draft_on(world, caller, **more):
    topic = Topic.objects.get(brand=world.brand)
    return prepare_draft(caller, brand_id=world.brand.pk, topic=topic, **more)()


def brief_on(world, caller):
    return draft_on(world, caller).markdown


def test_recommendations_that_a_page_can_serve_come_first_with_their_words_and_counts(owner, advised):
    first = opportunities(advised)[0]
    row = Recommendation.objects.get(pk=first.recommendation_id)
    assert first.kind == "recommendation" and first.id == f"recommendation:{row.pk}"
    assert first.can_draft and first.of >= first.answers > 0


def test_what_answers_choose_by_and_no_own_page_states_is_worth_writing(owner, read):
    found = {each.title: each for each in opportunities(read) if each.kind == "criterion"}
    assert set(found) == {"Say something on soft saddle"}
    row = found["Say something on soft saddle"]
    assert (row.answers, row.of) == (24, 24) and row.why.startswith("24 of 24 answers on bikes choose by it")
    assert row.title.marked == f"Say something on {marked('soft saddle')}"
    assert row.id == next(each.id for each in opportunities(read) if each.kind == "criterion")


def test_searches_that_no_own_page_answers_are_opportunities(owner, advised):
    Answer.objects.filter(brand=advised.brand).update(searches=["best  e-bike Malmo winter"])
    [search] = [each for each in opportunities(advised) if each.kind == "search"]
    assert "best e-bike Malmo winter" in search.title and search.answers == 24


def test_comparisons_are_those_that_answers_make(owner, advised):
    [found] = [each for each in opportunities(advised) if each.kind == "comparison"]
    assert (found.title, found.why) == ("Compare Kryton with Zentra", "12 of 24 answers name both of you.")


@pytest.mark.parametrize(
    "line",
    [
        "- P1 Which bikes would you buy for wish 0? (you in 3 of 6 answers)",
        "- W1 answers say “long rides” (12 of 12 answers): “Kryton is the choice for long rides”",
        "- L1 “few dealers” (12 of 12 answers): “Kryton has few dealers”",
        "- F1 The battery of our bikes runs for 120 km in winter. (https://kryton.example/bikes)",
        "- C1 “The workshop mended it within a day.” (repair, 1 of 1 reviews)",
        "- R1 Zentra, “battery” (24 of 24 answers: ChatGPT 12 of 12, Gemini 12 of 12): “Zentra has an excellent",
        "- G1 soft saddle (24 of 24 answers)",
        "Edit the page E1, https://kryton.example/bikes",
        "## Prompt to paste\n1. Edit the page E1 from the brief above.",
    ],
)
def test_a_brief_has_a_row_for_each_thing_that_is_known(owner, read, line):
    assert line in brief_on(read, owner)


def test_a_brief_without_a_reading_has_counts_and_own_facts_and_says_what_is_missing(owner, advised):
    text = brief_on(advised, owner)
    assert "(you in 3 of 6 answers)" in text and "- F1 " in text and "Nobody has read these answers yet" in text
    assert "\n- L1" not in text and "\n- R1" not in text and "\n- W1" not in text


def test_a_brief_is_in_the_language_of_who_asks_for_it(owner, advised):
    with written_in("de"):
        text = brief_on(advised, owner)
    assert text.startswith("# Briefing: ") and "(Sie in 3 von 6 Antworten)" in text and "## Nicht bekannt" in text


def test_a_brief_is_stored_plain_with_its_rows_and_listed_with_what_it_is_for(owner, read):
    chosen = opportunities(read)[0]
    draft = prepare_draft(owner, brand_id=read.brand.pk, opportunity_id=chosen.id)()
    assert "untrusted-quote" not in f"{draft.title}{draft.markdown}{draft.sources}{draft.checks}"
    assert draft.recommendation_id == chosen.recommendation_id
    assert draft.title == "Which bikes would you buy for wish 0?"
    assert {source["id"] for source in draft.sources} >= {"P1", "F1", "C1", "R1"}
    line = next(each for each in opportunities(read) if each.id == chosen.id)
    assert [each.id for each in line.drafts] == [draft.pk]


def test_agents_read_a_brief_with_the_words_of_others_marked_and_its_prompt_not(owner, read):
    shown = draft_resource(draft_on(read, owner)).markdown.marked
    assert shown.startswith("<untrusted-quote># Brief") and shown.rindex("</untrusted-quote>") < shown.index(
        "1. Edit"
    )


def test_an_engine_writes_what_rows_say_and_is_asked_again_where_it_invents(owner, read, monkeypatch):
    with scripted_writer(monkeypatch, [INVENTED, GOOD]) as asked:
        draft = draft_on(read, owner)
    assert len(asked) == 2 and "999" in asked[1].split("could not be used")[1]
    assert f"- F1 {marked('The battery of our bikes runs for 120 km in winter.')}" in asked[0]
    assert draft.writer == {"kind": "engine", "engine": "scribe", "model": "scribe-1"}
    assert draft.markdown.endswith("Those who want a soft saddle are better served by Zentra.")
    assert {source["id"] for source in draft.sources} == {"F1", "R2"}
    assert [(check["name"], check["passed"]) for check in draft.checks] == [
        ("sources", True),
        ("answer first", True),
        ("limits", False),
    ]
    calls = ProviderCall.objects.filter(purpose="writer")
    assert calls.count() == 2 and {call.payer for call in calls} == {read.owner.pk}
    assert Usage.objects.get(user=read.owner, kind="writer_calls").used == 2


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        (INVENTED, "numbers that are in no row of it: 999"),
        (SLANDER, "burn, hous"),
        (page(sentence("<script>alert()</script>")), "HTML"),
        ("no JSON at all", "scribe wrote nothing that can be used"),
    ],
)
def test_a_draft_that_is_refused_twice_becomes_the_brief_and_says_why(owner, read, monkeypatch, reply, reason):
    with scripted_writer(monkeypatch, [reply, reply]):
        draft = draft_on(read, owner)
    [check] = draft.checks
    assert draft.writer["kind"] == "brief" and draft.markdown.startswith("# Brief")
    assert not check["passed"] and "this is the brief" in check["detail"] and reason in check["quote"]


def test_the_quota_of_drafts_is_held_and_nothing_is_stored_beyond_it(owner, advised):
    advised.owner.own_drafts_per_month = 1
    advised.owner.save()
    topic = Topic.objects.get(brand=advised.brand)
    stores = [prepare_draft(owner, brand_id=advised.brand.pk, topic=topic) for _ in range(2)]
    stores[0]()
    for refused in (stores[1], lambda: prepare_draft(owner, brand_id=advised.brand.pk, topic=topic)):
        with pytest.raises(ServiceError) as error:
            refused()
        assert error.value.code == "quota_exceeded"
    assert Draft.objects.count() == 1


def test_with_nothing_to_write_from_nothing_is_drafted(world):
    world.measure(DAY, lambda engine, prompt, sample: "Zentra.")
    assert not any(each.can_draft for each in opportunities(world))
    with pytest.raises(ServiceError) as error:
        draft_on(world, Caller.from_user(world.owner))
    assert error.value.code == "conflict" and "Audit the site" in error.value.message


def test_a_draft_can_be_read_again_also_when_nothing_is_to_write_any_more(owner, advised):
    draft = draft_on(advised, owner)
    Draft.objects.filter(pk=draft.pk).update(opportunity="topic:gone")
    found = list_opportunities(owner, advised.brand.pk)
    assert [each.id for each in found.other_drafts] == [draft.pk] and found.draft is None
    again = list_opportunities(owner, advised.brand.pk, draft_id=draft.pk)
    assert again.draft.markdown == draft.markdown and again.opportunities == []


def test_a_draft_of_another_brand_is_not_found(owner, advised):
    with pytest.raises(ServiceError) as error:
        readable_draft(advised.brand, uuid.uuid4())
    assert error.value.code == "not_found"


def test_marks_that_were_stored_are_taken_out():
    migration = importlib.import_module("visibility.migrations.0009_plain_drafts")
    check = {"name": "questions", "passed": False, "detail": f"not answered: {marked('which <bike>?')}"}
    assert migration.plain(f"# Brief: {marked('a & b')}") == "# Brief: a & b"
    assert migration.plain_check(check) == {
        "name": "questions",
        "passed": False,
        "detail": "not answered",
        "quote": "which <bike>?",
    }
