"""Evidence is made of what is stored, again and again with the same result, and says where its words stand."""

import io
import json

import pytest

from apikeys.operators import system_caller
from tests.evidence.making import page, store_audit
from tests.factories import EngineFactory, UserFactory
from tests.mcp.worlds import real_site
from visibility import jobs
from visibility.evidence import refining
from visibility.evidence.making import make_evidence
from visibility.evidence.reads import claims_of, criteria_of, read_criteria, read_themes, read_voice, themes_of
from visibility.evidence.refining import JudgeReply, SameReply, ToneReply, refine
from visibility.evidence.services import import_reviews
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, EvidenceItem, Review
from visibility.topics.services import decide_topic

SYSTEM = system_caller("command:tests")
TEXT = """1. **Zentra Cabin**: known for its wheels or rollers, a cabin case that weighs 2.4 kg and has a zipper.
2. **Borealis Air**: a case with excellent handles.

## What to look for

**Wheels:** they wear out.
**Handles:** they break.
**Rollers:** as wheels, in other words.
"""
CLAIM = "Our Zentra Cabin weighs 2.4 kg with all of its wheels."
pytestmark = pytest.mark.django_db


@pytest.fixture
def brand():
    lines = [
        {
            "prompt": f"Which suitcase is best for trip {number}?",
            "topic": "suitcases",
            "engine": ("chatgpt", "gemini")[number % 2],
            "time": "2026-01-01T10:00:00Z",
            "text": TEXT,
        }
        for number in range(6)
    ]
    file = io.StringIO("\n".join(map(json.dumps, lines)))
    new = NewBrand(UserFactory(), "Zentra", "zentra.example", competitors=[("Borealis", "borealis.example")])
    brand = import_answers(SYSTEM, brand=new, file=file).brand
    plain = [f"This is sentence number {number} of a long page on cases." for number in range(120)]
    store_audit(brand, page(CLAIM, *plain))
    rows = "".join(f"The zipper jams {number} times.,1\n" for number in range(4))
    import_reviews(SYSTEM, brand_id=brand.pk, file=io.StringIO(f"text,stars\n{rows}"))
    make_evidence(brand)
    return brand


def by_label(brand):
    return {each.label: each for each in criteria_of(brand)}


def test_every_kind_is_made_of_answers_pages_and_reviews(brand):
    wheels = by_label(brand)["Wheels"]
    assert (wheels.labelled, wheels.mentioned, wheels.of, wheels.weight) == (6, 6, 6, 100.0)
    assert (wheels.engines, wheels.winner, wheels.winners[0].competitor_id) == (["chatgpt", "gemini"], "Zentra", None)
    assert wheels.own_sentence.text == CLAIM
    handles = by_label(brand)["Handles"]
    assert handles.winner == "Borealis" and handles.winners[0].competitor_id == brand.competitors.get().pk
    [claim] = claims_of(brand)
    assert (claim.claim, claim.says, claim.supported, claim.of) == (CLAIM, "supported", 6, 6)
    [theme] = [each for each in themes_of(brand) if each.label == "Zipper"]
    assert (theme.count, theme.of, theme.in_answers) == (4, 4, 6)
    voice = read_voice(SYSTEM, brand.pk)
    assert voice.has_profile and len(voice.traits) == 7 and voice.made_at


def test_made_twice_nothing_moves_and_a_change_moves_its_kind_alone(brand):
    def rows():
        return set(EvidenceItem.objects.filter(brand=brand).values_list("kind", "pk", "made_at"))

    before = rows()
    make_evidence(brand)
    assert rows() == before
    Review.objects.filter(brand=brand).update(stars=5)
    make_evidence(brand)
    changed = before ^ rows()
    assert {kind for kind, *_ in changed} == {"theme"}


def test_a_topic_that_is_not_the_brands_own_is_left_out_at_once(brand):
    topic = brand.topics.get()
    decide_topic(SYSTEM, brand_id=brand.pk, topic_id=topic.pk, own=False)
    assert criteria_of(brand) == [] and read_criteria(SYSTEM, brand.pk, None, full=True).total == 0
    make_evidence(brand)
    decide_topic(SYSTEM, brand_id=brand.pk, topic_id=topic.pk, own=True)
    make_evidence(brand)
    assert "Wheels" in by_label(brand)


def test_answers_to_questions_that_name_somebody_make_no_criteria():
    lines = [
        {"prompt": f"Is Zentra good, {number}?", "engine": "chatgpt", "time": "2026-01-01T10:00:00Z", "text": TEXT}
        for number in range(6)
    ]
    new = NewBrand(UserFactory(), "Zentra", "zentra.example")
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(map(json.dumps, lines)))).brand
    make_evidence(brand)
    assert criteria_of(brand) == []


def test_a_brand_without_anything_says_how_to_get_it():
    brand = import_answers(
        SYSTEM,
        brand=NewBrand(UserFactory(), "Zentra", "zentra.example"),
        file=io.StringIO('{"prompt": "x?", "engine": "chatgpt", "time": "2026-01-01T10:00:00Z", "text": "y"}'),
    ).brand
    make_evidence(brand)
    assert not read_voice(SYSTEM, brand.pk).has_profile and read_voice(SYSTEM, brand.pk).how_to_get_one
    assert read_criteria(SYSTEM, brand.pk, None, full=False).how_to_get_some
    assert read_themes(SYSTEM, brand.pk, full=False).how_to_get_some


@pytest.mark.proof
def test_quotes_of_real_answers_are_verbatim_at_their_places():
    brand = real_site(UserFactory(), "Sony")
    rows = "".join(f"The battery lasts {number} hours\n" for number in range(4))
    import_reviews(SYSTEM, brand_id=brand.pk, file=io.StringIO(f"text\n{rows}"))
    store_audit(brand, page("Our Sony headphones play for 30 hours with noise cancellation.", "We like it."))
    make_evidence(brand)
    texts = dict(Answer.objects.filter(brand=brand).values_list("pk", "text"))
    reviews = dict(Review.objects.filter(brand=brand).values_list("pk", "text"))
    own = "Our Sony headphones play for 30 hours with noise cancellation.\nWe like it."
    number = 0
    for each in (*criteria_of(brand), *claims_of(brand), *themes_of(brand)):
        winners = [winner.quote for winner in getattr(each, "winners", [])]
        proof = [quote for quote in (getattr(each, "own_sentence", None), getattr(each, "ours", None)) if quote]
        for quote in (*each.quotes, *winners, *proof):
            source = texts[quote.answer_id] if quote.answer_id else reviews.get(quote.review_id, own)
            assert source[quote.start : quote.end] == quote.text and quote.text.strip() == quote.text
            number += 1
    assert number > 100


def test_the_job_makes_evidence_before_it_advises(brand):
    EvidenceItem.objects.filter(brand=brand).delete()
    jobs.advise.func(str(brand.pk))
    assert set(by_label(brand)) >= {"Wheels", "Handles"}


class TestRefining:
    @pytest.fixture
    def asked(self, monkeypatch):
        """An engine that writes; what it was asked, and with which replies it decides."""
        EngineFactory(preset="local-search", is_enabled=True)
        asked = []
        replies = {
            "criteria": SameReply(groups=[]),
            JudgeReply: JudgeReply(verdicts=[]),
            "themes": SameReply(groups=[]),
            ToneReply: ToneReply(tone="calm, plain"),
        }

        def write(reached, brand, instructions, shape, refuse):
            asked.append(instructions)
            kind = ("themes" if "reviews" in instructions else "criteria") if shape is SameReply else shape
            reply = replies[kind]
            return (reply(instructions) if callable(reply) else reply), None

        class Reached:
            class engine:
                name = "scribe"

        monkeypatch.setattr(refining, "writing_engine", Reached)
        monkeypatch.setattr(refining, "write", write)
        return asked, replies

    def id_of(self, words, instructions):
        line = next(line for line in instructions.splitlines() if line.startswith("c") and words in line)
        return line.split(":")[0]

    def test_without_an_engine_that_writes_nothing_is_asked(self, brand, monkeypatch):
        monkeypatch.setattr(refining, "write", lambda *given: pytest.fail("asked"))
        refine(brand)

    def test_what_it_decides_in_ids_holds_from_then_on_and_costs_one_question_a_week(self, brand, asked):
        questions, replies = asked

        def group(text):
            wheels, rollers, handles = (self.id_of(words, text) for words in ("Wheels", "Rollers", "Handles"))
            return SameReply(
                groups=[
                    {"id": wheels, "others": [rollers, "c999"]},
                    {"id": "", "others": [handles]},
                    {"id": "c777", "others": [wheels]},
                ]
            )

        replies["criteria"] = group
        assert {"Wheels", "Rollers", "Handles"} <= set(by_label(brand))
        refine(brand)
        assert set(by_label(brand)) & {"Wheels", "Rollers", "Handles"} == {"Wheels"}
        assert by_label(brand)["Wheels"].labelled == 6
        assert read_criteria(SYSTEM, brand.pk, None, full=True).refined_by == "scribe"
        assert read_voice(SYSTEM, brand.pk).traits[0].value == "calm, plain"
        number = len(questions)
        make_evidence(brand)
        refine(brand)
        assert set(by_label(brand)) & {"Wheels", "Rollers", "Handles"} == {"Wheels"} and len(questions) == number
        EvidenceItem.objects.filter(kind="refinement").update(made_at="2026-01-01T00:00Z")
        replies["criteria"] = SameReply(groups=[])
        refine(brand)
        assert len(questions) == 2 * number
        assert set(by_label(brand)) & {"Wheels", "Rollers", "Handles"} == {"Wheels"}

    def test_it_judges_clauses_that_are_there_and_no_others(self, brand, asked):
        _, replies = asked
        replies[JudgeReply] = lambda text: JudgeReply(
            verdicts=[{"id": self.id_of("2.4 kg", text), "says": "contradicted"}, {"id": "c99", "says": "supported"}]
        )
        refine(brand)
        [claim] = claims_of(brand)
        assert (claim.says, claim.contradicted) == ("contradicted", 6)
        assert all("2.4 kg" in quote.text for quote in claim.quotes)

    def test_strangers_words_reach_it_between_marks_only(self, brand, asked):
        questions, _ = asked
        refine(brand)
        assert questions
        for text in questions:
            for words in ("Wheels", "2.4 kg", "Zipper"):
                for line in text.splitlines():
                    before = line.partition(words)[0] if words in line else "<untrusted-quote>"
                    assert before.count("<untrusted-quote>") > before.count("</untrusted-quote>")
