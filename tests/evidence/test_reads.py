"""Where a reader has read, evidence is what it found; where nobody has, it is what is counted, and says so."""

import io
import json

import pytest

from apikeys.accounts.operators import system_caller
from tests.evidence.making import page, read_answers, read_reviews, store_audit
from tests.factories import UserFactory
from tests.mcp.worlds import real_site
from tests.once import made_once
from visibility import jobs
from visibility.evidence.making import make_evidence
from visibility.evidence.reads import (
    claims_of,
    criteria_of,
    own_sentences,
    read_claims,
    read_criteria,
    read_themes,
    read_voice,
    winner_of,
)
from visibility.evidence.resources import CriterionWinner, Quote, ShortQuote
from visibility.evidence.services import import_reviews
from visibility.imports.services import NewBrand, import_answers
from visibility.models import Answer, EvidenceItem
from visibility.topics.services import decide_topic

SYSTEM = system_caller("command:tests")
TEXT = """1. **Zentra Cabin**: known for its smooth wheels, a cabin case that weighs 2.4 kg and has a zipper.
2. **Borealis Air**: a case with excellent handles that are good for all of your trips.

## What to look for

**Wheels:** they wear out.
**Handles:** they break.
"""
CLAIM = "Our Zentra Cabin weighs 2.4 kg with all of its wheels."
pytestmark = pytest.mark.django_db


def measured(question="Which suitcase is best for trip {}?", text=TEXT):
    lines = [
        {
            "prompt": question.format(number),
            "topic": "suitcases",
            "engine": ("chatgpt", "gemini")[number % 2],
            "time": "2026-01-01T10:00:00Z",
            "text": text,
        }
        for number in range(6)
    ]
    new = NewBrand(UserFactory(), "Zentra", "zentra.example", competitors=[("Borealis", "borealis.example")])
    brand = import_answers(SYSTEM, brand=new, file=io.StringIO("\n".join(map(json.dumps, lines)))).brand
    make_evidence(brand)
    return brand


def wrote(brand, *rows):
    text = "text,stars\n" + "".join(f"{text},{stars}\n" for text, stars in rows)
    import_reviews(SYSTEM, brand_id=brand.pk, file=io.StringIO(text))


@pytest.fixture(scope="module")
def brand_key(django_db_setup, django_db_blocker):
    with made_once(django_db_blocker):
        brand = measured()
        plain = [f"This is sentence number {number} of a long page on cases." for number in range(120)]
        store_audit(brand, page(CLAIM, *plain))
        make_evidence(brand)
        yield brand.pk


def by_label(brand):
    return {each.label: each for each in criteria_of(brand)}


class TestCriteria:
    def test_without_a_reader_labels_are_counted_as_a_lower_bound(self, brand):
        found = read_criteria(SYSTEM, brand.pk, None, full=True)
        wheels = by_label(brand)["Wheels"]
        assert (wheels.basis, wheels.answers, wheels.of, wheels.weight) == ("labelled", 6, 6, 100.0)
        assert (wheels.by_engine, wheels.winners, wheels.winner) == ({"chatgpt": 3, "gemini": 3}, [], None)
        assert "lower bound" in found.note and found.read_on is None and found.made_at

    def test_with_a_reader_they_are_reasons_and_wishes_with_those_linked(self, brand):
        rival = brand.competitors.get()
        read_answers(
            brand,
            brand.topics.get(),
            (None, "reason", "smooth wheels", "wheels", "smooth wheels", 4),
            (rival, "reason", "strong handles", "handles", "excellent handles", 3),
            (None, "buyer", "smooth wheels", "wheels", "they wear out", 5),
            (None, "limit", "zipper", "zipper", "has a zipper", 6),
        )
        found = read_criteria(SYSTEM, brand.pk, None, full=True)
        wheels, handles = found.criteria
        assert (wheels.label, wheels.basis, wheels.answers, wheels.of) == ("smooth wheels", "read", 5, 6)
        [own] = wheels.winners
        assert (own.subject, own.answers, own.naming, wheels.winner) == ("Zentra", 4, 6, "Zentra")
        assert (handles.winners[0].competitor_id, handles.winners[0].quote.text) == (rival.pk, "excellent handles")
        assert found.note is None and found.read_on

    def test_each_criterion_says_whether_its_topic_was_read(self, brand):
        other = brand.topics.create(name="bags")
        brand.prompts.filter(text__contains="trip 5").update(topic=other)
        read_answers(brand, other, (None, "reason", "wheels", "wheels", "smooth wheels", 1))
        found = read_criteria(SYSTEM, brand.pk, None, full=True)
        assert {(each.topic, each.basis) for each in found.criteria} == {("suitcases", "labelled")}
        assert found.note and found.read_on

    def test_two_answers_of_one_engine_make_no_criterion(self, brand):
        reading = read_answers(brand, brand.topics.get(), (None, "reason", "wheels", "wheels", "smooth wheels", 6))
        reading.statements.exclude(answer__engine__name="gemini").delete()
        reading.statements.last().delete()
        found = read_criteria(SYSTEM, brand.pk, None, full=False)
        assert found.criteria == [] and found.how_to_get_some.startswith("A reader has read the answers")

    def test_an_own_sentence_with_all_words_of_the_label_proves_it(self, brand):
        assert by_label(brand)["Wheels"].own_sentence.text == CLAIM
        assert by_label(brand)["Handles"].own_sentence is None

    def test_a_topic_that_is_not_the_brands_own_is_left_out_at_once(self, brand):
        read_answers(brand, brand.topics.get(), (None, "reason", "wheels", "wheels", "smooth wheels", 4))
        decide_topic(SYSTEM, brand_id=brand.pk, topic_id=brand.topics.get().pk, own=False)
        assert criteria_of(brand) == [] and read_criteria(SYSTEM, brand.pk, None, full=True).total == 0

    def test_answers_to_questions_that_name_somebody_make_none(self):
        assert criteria_of(measured("Is Zentra good, {}?")) == []

    def test_other_languages_have_criteria_by_reading_only(self):
        text = (
            "1. **Zentra**: ein Koffer, dessen Rollen lange halten.\n2. **Borealis**: auch gut.\n\n**Rollen:** leise"
        )
        brand = measured("Welcher Koffer ist gut für Reise {}?", text)
        assert "other languages" in read_criteria(SYSTEM, brand.pk, None, full=False).how_to_get_some
        read_answers(brand, brand.topics.get(), (None, "reason", "Rollen", "halten lange", "Rollen lange", 4))
        assert [each.label for each in criteria_of(brand)] == ["Rollen"]


@pytest.mark.parametrize(
    ("first", "second", "naming", "winner"),
    [
        (3, 1, (5, 5), "a"),
        (3, 2, (5, 5), None),
        (3, 3, (5, 5), None),
        (3, 1, (9, 3), None),
        (2, 0, (5, 0), "a"),
        (1, 0, (5, 0), None),
        (0, 0, (5, 0), None),
    ],
)
def test_who_wins_leads_by_two_answers_and_by_share(first, second, naming, winner):
    quote = Quote(text="x")
    rows = [
        CriterionWinner(subject=name, answers=number, naming=of, competitor_id=None, quote=quote)
        for name, number, of in zip("ab", (first, second), naming, strict=True)
    ]
    assert winner_of([each for each in rows if each.answers]) == winner


class TestClaims:
    def test_without_a_reader_the_same_number_supports_and_nothing_contradicts(self, brand):
        found = read_claims(SYSTEM, brand.pk, full=True)
        [claim] = found.claims
        assert (claim.claim, claim.says, claim.supported, claim.of) == (CLAIM, "supported", 6, 6)
        assert "nothing as a contradiction" in found.note
        assert all("2.4 kg" in quote.text for quote in claim.quotes)

    def test_what_a_reader_found_contradicts_a_claim(self):
        brand = measured(text=TEXT.replace("2.4 kg", "3.9 kg"))
        store_audit(brand, page(CLAIM))
        make_evidence(brand)
        read_answers(brand, brand.topics.get(), (None, "fact", "weight", "3.9 kg", "weighs 3.9 kg", 4))
        [claim] = claims_of(brand)
        assert (claim.says, claim.contradicted, claim.of) == ("contradicted", 4, 6)
        assert read_claims(SYSTEM, brand.pk, full=True).note is None

    def test_own_sentences_come_with_their_address(self, brand):
        assert [(each.text, each.url) for each in own_sentences(brand)] == [(CLAIM, "https://zentra.example/")]


class TestThemes:
    def test_without_a_reader_there_are_stars_and_no_themes(self, brand):
        wrote(brand, ("The zipper jams", 1), ("The zipper is fine", 4.5), ("Good case", 4))
        found = read_themes(SYSTEM, brand.pk, full=False)
        assert (found.themes, found.reviews, found.average_stars) == ([], 3, 3.17)
        assert found.by_stars == {"5": 1, "4": 1, "3": 0, "2": 0, "1": 1}
        assert found.how_to_get_some.startswith("Nobody has read the reviews")

    @pytest.mark.parametrize(("stars", "polarity"), [(5, "positive"), (3, "mixed"), (1, "negative"), ("", None)])
    def test_what_a_reader_found_has_the_polarity_of_its_stars(self, brand, stars, polarity):
        wrote(brand, *((f"The zipper jams {number}", stars) for number in range(3)), ("Good case", 4))
        read_reviews(brand, ("limit", "zipper", "zipper jams"))
        [theme] = read_themes(SYSTEM, brand.pk, full=True).themes
        assert (theme.label, theme.facet, theme.polarity, theme.count, theme.of) == (
            "zipper",
            "limit",
            polarity,
            3,
            4,
        )
        assert theme.quotes[0].text == "zipper jams" and theme.quotes[0].review_id

    def test_two_reviews_make_no_theme(self, brand):
        wrote(brand, ("The zipper jams", 1), ("The zipper jams again", 1))
        read_reviews(brand, ("limit", "zipper", "zipper jams"))
        found = read_themes(SYSTEM, brand.pk, full=True)
        assert found.themes == [] and found.how_to_get_some.startswith("A reader has read the reviews")


def test_the_voice_of_a_site_is_made_of_its_pages(brand):
    voice = read_voice(SYSTEM, brand.pk)
    assert voice.has_profile and len(voice.traits) == 7 and voice.made_at


def test_made_twice_nothing_moves(brand):
    before = set(EvidenceItem.objects.filter(brand=brand).values_list("kind", "pk", "made_at"))
    make_evidence(brand)
    assert set(EvidenceItem.objects.filter(brand=brand).values_list("kind", "pk", "made_at")) == before


def test_a_brand_without_anything_says_how_to_get_it():
    file = io.StringIO('{"prompt": "x?", "engine": "chatgpt", "time": "2026-01-01T10:00:00Z", "text": "y"}')
    brand = import_answers(SYSTEM, brand=NewBrand(UserFactory(), "Zentra", "zentra.example"), file=file).brand
    make_evidence(brand)
    assert read_voice(SYSTEM, brand.pk).how_to_get_one.startswith("Audit the site")
    store_audit(brand, page("Few words."))
    assert read_voice(SYSTEM, brand.pk).how_to_get_one.startswith("The pages that the last audit read have fewer")
    assert read_criteria(SYSTEM, brand.pk, None, full=False).how_to_get_some
    assert read_claims(SYSTEM, brand.pk, full=False).how_to_get_some
    assert read_themes(SYSTEM, brand.pk, full=False).how_to_get_some.startswith("There are no reviews")


@pytest.mark.proof
def test_quotes_of_real_answers_are_verbatim_at_their_places():
    brand = real_site(UserFactory(), "Sony")
    store_audit(brand, page("Our Sony headphones play for 30 hours with noise cancellation.", "We like it."))
    make_evidence(brand)
    texts = dict(Answer.objects.filter(brand=brand).values_list("pk", "text"))
    quotes = [quote for each in (*criteria_of(brand), *claims_of(brand)) for quote in each.quotes]
    assert len(quotes) > 50
    assert all(texts[each.answer_id][each.start : each.end] == each.text == each.text.strip() for each in quotes)


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
