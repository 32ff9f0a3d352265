"""Evidence is made of what is stored, again and again with the same result, and says where its words stand."""

import io
import json

import pytest

from apikeys.operators import system_caller
from apikeys.text import QUOTE_CLOSE, QUOTE_OPEN
from tests.engines.writer import scripted_writer
from tests.evidence.making import page, store_audit
from tests.factories import UserFactory
from tests.mcp.worlds import real_site
from visibility import jobs
from visibility.evidence.making import make_evidence
from visibility.evidence.reads import claims_of, criteria_of, read_criteria, read_themes, read_voice
from visibility.evidence.refining import refine
from visibility.evidence.resources import Quote, ShortQuote
from visibility.evidence.services import import_reviews
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, EvidenceItem, ProviderCall, Review
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
    [theme] = [each for each in read_themes(SYSTEM, brand.pk, full=True).themes if each.label == "Zipper"]
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
    assert read_voice(SYSTEM, brand.pk).how_to_get_one.startswith("Audit the site")
    store_audit(brand, page("Few words."))
    assert read_voice(SYSTEM, brand.pk).how_to_get_one.startswith("The pages that the last audit read have fewer")
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
    for each in (*criteria_of(brand), *claims_of(brand), *read_themes(SYSTEM, brand.pk, full=True).themes):
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


def test_a_quote_for_people_has_no_markdown_and_ends_with_a_word():
    text = f"**Weight:** it weighs _very_ little, says [one](https://a.example), and {'so on ' * 100}"
    item = {"text": text, "start": 0, "end": len(text)}
    assert Quote(**item).text == text and Quote(**item).shown.startswith(
        "Weight: it weighs very little, says one, and"
    )
    short = ShortQuote(**item).text
    assert len(short) <= 160 and short.endswith((" so…", " on…")) and "*" not in short


class TestRefining:
    def labels(self, brand):
        return set(by_label(brand)) & {"Wheels", "Rollers", "Handles"}

    def test_without_an_engine_that_writes_nothing_is_asked(self, brand):
        refine(brand)
        assert not ProviderCall.objects.exists()
        assert not EvidenceItem.objects.filter(kind="refinement").exists()

    def test_what_it_decides_in_ids_lasts_and_it_is_asked_once_a_week(self, brand, monkeypatch):
        known = {each.label: f"l{number}" for number, each in enumerate(criteria_of(brand), 1)}
        groups = [
            {"id": known["Wheels"], "others": [known["Rollers"], "l99"]},
            {"id": "", "others": [known["Handles"]]},
            {"id": "l77", "others": [known["Wheels"]]},
        ]
        verdicts = [{"id": "c1", "says": "contradicted"}, {"id": "c99", "says": "supported"}]
        replies = [{"groups": groups, "verdicts": verdicts}, {"groups": [], "verdicts": []}]
        assert self.labels(brand) == {"Wheels", "Rollers", "Handles"}
        with scripted_writer(monkeypatch, replies) as asked:
            refine(brand)
            assert self.labels(brand) == {"Wheels"} and by_label(brand)["Wheels"].labelled == 6
            assert read_criteria(SYSTEM, brand.pk, None, full=True).refined_by == "scribe"
            [claim] = claims_of(brand)
            assert (claim.says, claim.contradicted) == ("contradicted", 6)
            assert all("2.4 kg" in quote.text for quote in claim.quotes)
            make_evidence(brand)
            refine(brand)
            assert len(asked) == ProviderCall.objects.filter(purpose="writer").count() == 1
            EvidenceItem.objects.filter(kind="refinement").update(made_at="2026-01-01T00:00Z")
            refine(brand)
            assert len(asked) == 2 and self.labels(brand) == {"Wheels"}
        for text in asked:
            for words in ("Wheels", "2.4 kg"):
                for before in (line.partition(words)[0] for line in text.splitlines() if words in line):
                    assert before.count(QUOTE_OPEN) > before.count(QUOTE_CLOSE)

    def test_labels_that_are_made_one_both_ways_are_not_lost(self, brand, monkeypatch):
        wheels, rollers = (
            next(f"l{number}" for number, each in enumerate(criteria_of(brand), 1) if each.label == label)
            for label in ("Wheels", "Rollers")
        )
        groups = [{"id": wheels, "others": [rollers]}, {"id": rollers, "others": [wheels, rollers]}]
        with scripted_writer(monkeypatch, [{"groups": groups, "verdicts": []}]):
            refine(brand)
        assert self.labels(brand) == {"Wheels", "Handles"}

    def test_an_engine_that_fails_changes_nothing_and_is_not_asked_again_at_once(self, brand, monkeypatch):
        before = set(EvidenceItem.objects.values_list("pk", flat=True))
        with scripted_writer(monkeypatch, ["no JSON", "none again"]) as asked:
            refine(brand)
            refine(brand)
        assert before < set(EvidenceItem.objects.values_list("pk", flat=True))
        assert self.labels(brand) == {"Wheels", "Rollers", "Handles"}
        assert len(asked) == 2
