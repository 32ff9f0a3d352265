"""The pivot over a few answers that are counted by hand."""

import io
import json
from datetime import date

import pytest

from apikeys.caller import Caller
from apikeys.operators import system_caller
from tests.ask.conftest import without_marks
from tests.factories import RecommendationFactory, UserFactory
from visibility.ask.answer import answer_question
from visibility.ask.passages import find_warnings, find_words
from visibility.ask.question import Question
from visibility.counts.reader import select_between, select_now
from visibility.counts.untracked import sums_naming, untracked_sums
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Topic

pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    def line(prompt, text, engine="chatgpt", day=9, sample=1, topic="bikes"):
        row = {"prompt": prompt, "topic": topic, "text": text, "sample": sample, "engine": engine}
        return json.dumps({**row, "time": f"2026-01-{day:02}T10:00:00Z", "citations": ["https://kryton.example/a"]})

    listed = "1. **Zentra**: good.\n2. **Varmio**: fine.\n3. **Oblinx**: light."
    lines = [line("Best bike?", listed, sample=number) for number in range(1, 9)]
    lines += [line("Best bike?", "Kryton and Zentra.", "gemini", sample=number) for number in range(1, 5)]
    lines += [
        line("Best bike?", "Avoid Kryton: its frame breaks.", day=1),
        line("Is Zentra good?", "Zentra is."),
    ]
    lines += [line("Best car?", "Kryton.", topic="cars")]
    new = NewBrand(UserFactory(), "Kryton", "kryton.example", competitors=[("Zentra", "zentra.example")])
    brand = import_answers(system_caller("command:test"), brand=new, file=io.StringIO("\n".join(lines))).brand
    Topic.objects.filter(brand=brand, name="cars").update(own=False)
    return brand


def ask(brand, text="?", **arguments):
    return without_marks(answer_question(Caller.from_user(brand.owner), brand.pk, Question(text, **arguments)))


def add(brand, *texts, topic="bikes", day=10):
    """Import these answers of one day to one prompt on a topic."""
    row = {"prompt": f"Best of {topic}?", "topic": topic, "engine": "chatgpt", "time": f"2026-01-{day:02}T10:00:00Z"}
    row["citations"] = ["https://pedalia.example/best"]
    lines = [json.dumps({**row, "text": text, "sample": number}) for number, text in enumerate(texts, 1)]
    import_answers(system_caller("command:test"), brand=brand.pk, file=io.StringIO("\n".join(lines)))
    brand.refresh_from_db()
    return {"first": date(2026, 1, day), "last": date(2026, 1, day)}


def counts(rows, *names):
    return {tuple(getattr(row, name) for name in names): (row.mentioned, row.of) for row in rows}


def test_rows_are_by_any_axis_and_a_prompt_that_names_a_subject_counts_for_the_other_alone(brand):
    now = select_now(brand)
    assert counts(now.rows("subject"), "subject") == {("Zentra",): (12, 12), ("Kryton",): (4, 13)}
    assert counts(now.rows("engine"), "engine") == {("chatgpt",): (0, 9), ("gemini",): (4, 4)}
    assert counts(now.rows("topic"), "topic") == {("bikes",): (4, 13)}


def test_days_bound_the_answers_and_topics_that_are_not_own_are_left_out(brand):
    from_first = select_between(brand, min(answer.day for answer in brand.answers.all()))
    assert counts(from_first.rows("day"), "period") == {("2026-01-01",): (1, 1), ("2026-01-09",): (4, 13)}
    assert select_now(brand).narrow(topics=brand.topics.filter(name="cars")).rows("subject") == []
    assert from_first.answers.count() == 14


def test_who_is_ahead_is_tested_and_says_what_that_rests_on(brand):
    now = select_now(brand)
    assert {*untracked_sums(now)} == {"Varmio", "Oblinx"}
    rows = {row.subject: row for row in now.rows("subject", untracked=sums_naming(now, ["Varmio", "No"]).sums)}
    assert (rows["Zentra"].relation, rows["Kryton"].relation, "No" in rows) == ("ahead", None, False)
    assert (rows["Zentra"].without_brand, rows["Zentra"].only_brand, rows["Zentra"].chance) == (8, 0, 0.008)
    varmio = rows["Varmio"]
    assert (varmio.mentioned, varmio.of, varmio.without_brand, varmio.only_brand) == (8, 13, 8, 4)
    assert (varmio.tracked, varmio.relation, varmio.first) == (False, "too_close", None)
    rows = {row.subject: row for row in select_now(brand).narrow(engines=["gemini"]).rows("subject")}
    assert rows["Zentra"].relation == "too_close"


def test_a_name_with_a_capital_is_no_other_word(brand):
    answer = brand.answers.get(text__startswith="Avoid")
    type(answer).objects.filter(pk=answer.pk).update(text="Kryton beats all. See https://varmio.example/varmio")
    counted = select_between(brand, last=answer.day)
    assert sums_naming(counted, ["Beats", "Varmio", "KRYTON"]).sums.keys() == {"KRYTON"}


def test_warnings_and_words_are_quoted_from_the_answers(brand):
    counted = select_between(brand, last=min(answer.day for answer in brand.answers.all()))
    names, offered = {None: "Kryton"}, dict[str, str]()
    [warning] = find_warnings(counted.answers, None, "Kryton")
    assert (warning.stance, warning.text) == ("rejected", "Avoid Kryton: its frame breaks.")
    number, [passage] = find_words(counted.answers, "frame BREAKS", names, offered)
    assert (number.answers, number.of, number.as_phrase) == (1, 1, True)
    assert passage.about == ["Kryton"] and [(each.subject, each.answers) for each in number.about] == [("Kryton", 1)]
    assert brand.answers.get(pk=passage.answer_id).text[passage.start : passage.end] == passage.text
    number, _ = find_words(counted.answers, "frames break", names, offered)
    assert (number.answers, number.in_any_form, number.beginnings) == (0, 1, "frame… brea…")
    number, passages = find_words(counted.answers, "breaks frame", names, offered)
    assert (number.answers, number.as_phrase, len(passages)) == (1, False, 1)
    day = warning.day
    asked = Question("Who warns against us?", about="standing", first=day, last=day)
    assert answer_question(Caller.from_user(brand.owner), brand.pk, asked).passages == [warning]


def test_a_passage_says_whom_it_is_about_and_counts_are_of_whom_was_asked_for(brand):
    counted = select_now(brand)
    for words, about in (("light", ["Oblinx"]), ("good", ["Zentra"])):
        tracked, offered = {None: "Kryton", **counted.names}, {"Oblinx": "Oblinx"}
        _, [passage, *_] = find_words(counted.answers, words, tracked, offered)
        assert passage.about == about, words
    reply = ask(brand, "Is Kryton good?", words="good")
    assert reply.answer.startswith("8 of 13 answers") and "about Kryton in 0" in reply.answer
    reply = ask(brand, "?", words="light", competitor="Oblinx")
    assert "about Oblinx in 8" in reply.answer
    reply = ask(brand, "?", words="good", competitor="Zentra")
    assert "about Zentra in 8" in reply.answer and {name for each in reply.passages for name in each.about} == {
        "Zentra"
    }


def test_the_text_of_a_prompt_gets_the_facts_of_its_answers(brand):
    prompt = brand.prompts.get(text="Best bike?")
    brand.prompts.filter(pk=prompt.pk).update(text="Which bike is best?")
    for text in ("WHICH bike -- is best", "What comes of “Which bike is best?”?"):
        reply = ask(brand, text, about="standing")
        assert [(row.kind, row.id) for row in reply.resolved if row.name] == [("prompt", prompt.pk)]
        assert "4 of 12 answers to this prompt" in reply.answer, reply.answer


def test_answers_say_which_days_they_count_and_are_about_whom_was_asked_for(brand):
    for about in ("standing", "competitors", "engines"):
        reply = ask(brand, about=about, competitor="Zentra")
        assert reply.answer.startswith("Zentra is mentioned in 12 of 12 answers (2026-01-09"), reply.answer
    reply = ask(brand, about="competitors")
    assert (
        reply.answer.startswith("Ahead of Kryton beyond chance: Zentra. ") and "8 of 13 (not tracked)" in reply.answer
    )


def test_words_without_a_fact_are_named(brand):
    for text, words in (
        ("How much revenue did Kryton make in answers?", "revenue"),
        ("Will Kryton be named in December?", "will, december"),
        ("How visible is Kryton in Germany?", "germany"),
        ("What is the price of a Zentra?", None),
        ("How often is Kryton named?", None),
        ("How far ahead is Kryton, and is it the first pick?", None),
        ("Which ads does Zentra run?", "ad"),
        ("Welche Marken, die wir nicht verfolgen, werden in Antworten genannt?", None),
        ("Quelles Marques sont nommées avant Kryton, et sur quels Moteurs ?", None),
    ):
        reply = ask(brand, text, about="standing")
        assert (reply.cannot_tell and reply.cannot_tell.what) == words, (text, reply.cannot_tell)
        assert reply.facts and not any("arrowed" in note for note in reply.notes)
        if words:
            assert "2026-01-01 to 2026-01-09" in reply.cannot_tell.why and reply.cannot_tell.next_step is None
    reply = ask(brand, "How much revenue did Kryton make on range?")
    assert reply.facts == [] and "about is not given" in reply.cannot_tell.why


def test_all_terms_that_are_asked_for_are_explained(brand):
    reply = ask(brand, "What are mentions, a citation, and share-of-voice?", about="definitions")
    assert {fact.term for fact in reply.facts} == {"mention", "citation", "share of voice"}


def test_words_of_a_question_about_sources_are_parts_of_domains(brand):
    reply = ask(brand, about="sources", words="kryton.ex")
    assert [fact.domain for fact in reply.facts] == ["kryton.example"]
    assert "in 13 (most cited page: https://kryton.example/a in 13)." in reply.answer
    reply = ask(brand, "Which page of kryton.example is cited?", about="sources")
    assert "They cite kryton.example in 13 (most cited page" in reply.answer
    reply = ask(brand, about="sources", words="nobody.example")
    assert (reply.facts, reply.cannot_tell) == ([], None) and reply.answer.startswith("None of 13 answers")
    reply = ask(brand, about="sources", words="kryton.ex", first=date(2025, 1, 1), last=date(2025, 1, 2))
    assert reply.answer is None and "last measured day is 2026-01-09" in reply.cannot_tell.why
    reply = ask(brand, "Which page of Pedalia is cited?", about="sources", **add(brand, "None."))
    assert reply.facts[0].domain == "pedalia.example" and reply.cannot_tell is None
    assert "pedalia.example/best in 1)" in reply.answer


def test_spellings_and_near_names_are_found(brand):
    for given in ("zentra", "Zen-tra", "Zen tra", "Zéntra"):
        reply = ask(brand, about="standing", competitor=given)
        assert reply.answer.startswith("Zentra is mentioned in 12 of 12") and not reply.cannot_tell, given
    reply = ask(brand, about="standing", competitor="Zenntra")
    assert reply.answer.startswith("Zentra is mentioned") and "read as Zentra" in reply.notes[0]
    assert ask(brand, about="standing", competitor="Krypton").answer.startswith("Kryton is mentioned in 4 of 13")
    reply = ask(brand, "Is Varmio ahead of Zentra?", about="competitors", competitor="Varmio")
    assert {fact.subject for fact in reply.facts} == {"Kryton", "Zentra", "Varmio"}


def test_a_name_has_the_same_chance_whether_it_is_asked_for_or_listed(brand):
    listed = {fact.subject: fact.chance for fact in ask(brand, about="competitors").facts if fact.tracked is False}
    assert listed.keys() == {"Varmio", "Oblinx"}
    for name, chance in listed.items():
        reply = ask(brand, about="competitors", competitor=name)
        assert [fact.chance for fact in reply.facts if fact.subject == name and not fact.engine] == [chance]


def test_a_change_of_one_engine_needs_no_other_engine(brand):
    days = {"about": "change", "first": date(2026, 1, 1), "last": date(2026, 1, 9)}
    reply = ask(brand, **days)
    assert reply.answer is None and reply.cannot_tell.next_step.arguments["engine"] == "chatgpt"
    reply = ask(brand, engine="chatgpt", **days)
    assert reply.cannot_tell is None and "not comparable" not in reply.answer


VARMIO = {"name": "Varmio", "topic": "bikes", "mentioned": 9, "offered": 8, "of": 9, "first": 0}


def test_advice_comes_before_chores_and_a_chore_claims_no_gain(brand):
    RecommendationFactory(brand=brand, kind="track", facts={"names": [VARMIO]}, priority=90)
    reply = ask(brand, about="recommendations")
    assert reply.answer == (
        "No open recommendation claims a gain. 1 chore only to make figures complete: Track Varmio."
    )
    bikes = brand.topics.get(name="bikes")
    card = RecommendationFactory(brand=brand, subject="sheds", priority=10)
    reply = ask(brand, about="recommendations")
    assert [fact.is_chore for fact in reply.facts] == [
        False,
        True,
    ] and "Most urgent: Rival is ahead of you on sheds." in reply.answer
    reply = ask(brand, about="recommendations", topic="bikes")
    assert len(reply.facts) == 2 and reply.answer.startswith("No open recommendation is on this topic. Of the whole")
    type(card).objects.filter(pk=card.pk).update(facts={**card.facts, "topic_id": str(bikes.pk)})
    reply = ask(brand, about="recommendations", topic="bikes")
    assert [fact.title for fact in reply.facts] == ["Rival is ahead of you on sheds"] and reply.answer.startswith(
        "1 open"
    )


def test_where_no_claim_was_read_the_reply_says_how_answers_speak_of_the_site(brand):
    day = date(2026, 1, 1)
    reply = ask(brand, "What are we criticised for?", about="claims", first=day, last=day)
    assert "warned against in at least 1" in reply.answer and len(reply.passages) == 1
    assert reply.cannot_tell.next_step.tool == "run_audit_scan" and not any("arrowed" in each for each in reply.notes)


def test_a_sentence_is_about_the_list_item_around_it(brand):
    text = """### 1. Zentra
* A fine saddle.

---

Would you like a fine basket?

### 2. Oblinx
* A fine light.

**In short:**
* Best value: the Zentra bike. It has a fine bell."""
    day = add(brand, text)
    for words, about in (("saddle", ["Zentra"]), ("light", ["Oblinx"]), ("bell", []), ("basket", [])):
        [passage] = ask(brand, words=words, **day).passages
        assert passage.about == about, words


def test_all_that_an_answer_says_in_the_points_of_a_flat_list_is_about_their_items(brand):
    flat = (
        "Top picks:\xa0Zentra City:Pros: Light, fast.Cons: Heavy, frame can bend.Price Range: $700-$900."
        "Oblinx Road:Pros: Very light, fast.Cons: Costly, frame can bend.Price Range: $300-$400."
        "Kryton One:Pros: Good brakes, fast.Cons: Loud, frame can bend.Price Range: $100.\xa0Things to know:\xa0"
        "Frames: Check whether a frame can bend."
    )
    found = ask(brand, words="frame can bend", **add(brand, flat)).words_found
    about = {each.subject or "": each.answers for each in found.about}
    assert about == {"Zentra": 1, "Oblinx": 1, "Kryton": 1}


def test_first_picks_are_named_tracked_or_not(brand):
    listed = [
        "1. **{}**: good.\n2. **{}**: fine.\n3. **{}**: light.".format(*names)
        for names in (
            ("Varmio", "Zentra", "Oblinx"),
            ("Varmio", "Kryton", "Oblinx"),
            ("Zentra", "Varmio", "Oblinx"),
            ("Oblinx", "Varmio", "Zentra"),
        )
    ]
    day = add(brand, *listed, "Nobody is best.")
    expected = "First picks: Varmio (not tracked) 2, Zentra 1, Kryton 0 of 5."
    for about in ("standing", "topics", "competitors", "engines"):
        for narrowed in ({}, {"topic": "bikes", "engine": "chatgpt"}):
            assert ask(brand, about=about, **day, **narrowed).answer.endswith(expected), (about, narrowed)
    reply = ask(brand, about="standing", competitor="Oblinx", **day)
    assert reply.answer.endswith("Varmio (not tracked) 2, Oblinx (not tracked) 1, Zentra 1, Kryton 0 of 5.")


def test_somebody_whom_answers_name_on_some_topics_is_compared_there(brand):
    add(brand, *["Kryton is best."] * 8, topic="helmets", day=9)
    for about in ("standing", "competitors"):
        for name, counts in (("Zentra", "12 and 4 of 12"), ("Varmio", "8 and 4 of 13")):
            reply = ask(brand, about=about, competitor=name)
            assert f"{name} is named on 1 of 2 topics only" in reply.answer, reply.answer
            assert f"there with Kryton: bikes {counts} (" in reply.answer, reply.answer
            assert {"bikes", None} <= {fact.topic for fact in reply.facts}
    assert "topics only" not in ask(brand, about="standing", competitor="Zentra", topic="bikes").answer
