"""The voice of a brand's pages: what is counted, what is left out, and sentences that show it."""

import pytest

from tests.evidence import reliability
from tests.evidence.pages import FILLING, page
from visibility.evidence.types import Trait
from visibility.evidence.voice import MIN_WORDS, read_voice

NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
LONG_TEXT = [
    f"You can set kettle {number} to {at + 60} degrees, and we don't charge you extra for that marvellous job here."
    for at, number in enumerate(NUMBERS * 6)
]
"""72 sentences of 19 words, each with two words for you, one for we, a contraction and a number."""


def figures(*pages):
    return {figure.trait: figure for figure in read_voice(pages).figures}


def test_each_trait_is_counted_and_shown():
    voice = read_voice([page(*LONG_TEXT)])
    shown = {figure.trait: figure for figure in voice.figures}
    assert (voice.language, voice.pages) == ("en", 1)
    assert voice.words > MIN_WORDS
    assert set(shown) == set(Trait)
    of_text, others = 72 * 19, 8 * 20
    assert voice.words == of_text + others
    for trait, count in ((Trait.YOU_SHARE, 144), (Trait.WE_SHARE, 72), (Trait.CONTRACTIONS, 72), (Trait.NUMBERS, 72)):
        assert shown[trait].value == pytest.approx(100 * count / voice.words, abs=0.01), trait
    assert shown[Trait.SENTENCE_LENGTH].value == round(voice.words / 80, 1)
    assert all(figure.unit and figure.examples for figure in voice.figures)


def test_examples_stand_where_they_say_and_show_the_trait():
    one = page(*LONG_TEXT, "Nobody reads this sentence aloud to anyone.")
    for figure in read_voice([one]).figures:
        for quote in figure.examples:
            assert one.main_text[quote.offset : quote.offset + len(quote.text)] == quote.text
            assert quote.rule == f"voice.{figure.trait}"
            assert quote.url == one.url
    assert all("you" in quote.text.lower() for quote in figures(one)[Trait.YOU_SHARE].examples)


def test_under_a_thousand_words_there_are_no_figures():
    voice = read_voice([page(*LONG_TEXT[:30])])
    assert 0 < voice.words < MIN_WORDS
    assert voice.figures == ()


def test_what_pages_repeat_counts_once():
    one, other = page(*LONG_TEXT[:40]), page(*LONG_TEXT[:40], path="about")
    assert read_voice([one, other]).words == read_voice([one]).words
    assert read_voice([one, other]).figures == ()


@pytest.mark.parametrize(
    "html",
    [
        "<ul>" + "<li>Kettles and teapots and cups and saucers</li>" * 40 + "</ul>",
        "<table>" + "<tr><td>Boils water in two minutes flat.</td><td>Yes it does.</td></tr>" * 40 + "</table>",
        "<pre>" + "kettle.boil(water) waits for two minutes.\n" * 40 + "</pre>",
        "<h2>What our customers say</h2>"
        + "".join(f"<p>I bought kettle {n} and I love it a lot.</p>" for n in NUMBERS),
        "".join(f"<p>We use cookies to remember that you were here {n} times.</p>" for n in NUMBERS),
    ],
    ids=["menu", "table", "code", "reviews", "consent"],
)
def test_only_the_brands_own_prose_counts(html):
    assert (
        read_voice([page(*LONG_TEXT, html=html + "<h2>Kettles</h2>")]).words == read_voice([page(*LONG_TEXT)]).words
    )


def test_legal_pages_speak_for_lawyers():
    voice = read_voice([page(*LONG_TEXT), page(*(f"{text} Always." for text in LONG_TEXT), path="privacy")])
    assert voice.pages == 1


@pytest.mark.parametrize(
    ("language", "sentence", "you", "we"),
    [
        (
            "de",
            "Damit {n} Kannen bei Ihnen lange halten, prüfen wir jede davon in unserer eigenen Werkstatt am See.",
            1,
            2,
        ),
        (
            "fr",
            "Pour que vos {n} bouilloires durent, nous vérifions chacune dans notre propre atelier au bord du lac.",
            1,
            2,
        ),
        (
            "es",
            "Para que tus {n} teteras duren mucho, nosotros revisamos cada una en nuestro propio taller del lago.",
            1,
            2,
        ),
    ],
)
def test_other_languages_are_read_by_their_own_words(language, sentence, you, we):
    texts = [sentence.format(n=number) for number in range(100, 175)]
    voice = read_voice([page(*texts, language=language)])
    shown = {figure.trait: figure.value for figure in voice.figures}
    assert voice.language == language
    assert Trait.CONTRACTIONS not in shown, "grammar demands them, a writer does not choose"
    assert shown[Trait.YOU_SHARE] == pytest.approx(100 * you * 75 / voice.words, abs=0.01)
    assert shown[Trait.WE_SHARE] == pytest.approx(100 * we * 75 / voice.words, abs=0.01)


def test_sie_at_the_beginning_of_a_sentence_may_be_they():
    texts = [
        f"Sie kochen {number} Liter Wasser am Tag und halten viele Jahre lang ohne jede Pflege aus."
        for number in range(75)
    ]
    assert read_voice([page(*texts, language="de")]).figures
    assert figures(page(*texts, language="de"))[Trait.YOU_SHARE].value == 0


def test_the_main_language_is_that_of_most_words():
    german = page(FILLING["de"] * 3, path="de", language="de")
    assert read_voice([page(*LONG_TEXT), german]).language == "en"
    assert read_voice([page(*LONG_TEXT), german]).pages == 1


def test_a_trait_that_does_not_show_has_typical_sentences():
    texts = [
        f"The kettle of room {number} boils water and holds it hot until the evening comes around again."
        for number in NUMBERS * 6
    ]
    texts = [f"{text[:-1]} in house {chr(97 + at % 26)}{chr(97 + at // 26)}." for at, text in enumerate(texts)]
    none = figures(page(*texts))[Trait.CONTRACTIONS]
    assert none.value == 0
    assert none.examples


def test_nothing_at_all():
    assert read_voice([]).words == 0


class TestCalls:
    def test_links_and_buttons_that_ask_for_an_action_those_of_most_pages_first(self):
        trial = "<p><a href=/try>Start free trial</a></p>"
        html = f"{trial}<button>Add to cart</button><p><a href=/tea>Tea for everyone</a></p>"
        one, other = page(html=html), page(html=trial, path="tea")
        calls = read_voice([one, other]).calls
        assert [call.text for call in calls] == ["Start free trial", "Add to cart"]
        assert all(one.visible_text[call.offset :].startswith(call.text) for call in calls)

    @pytest.mark.parametrize(
        "text", ["download mirrors", "See https://norrvik.example/tea", "Accept all cookies", "Order status"]
    )
    def test_other_links_are_none(self, text):
        assert read_voice([page(html=f"<p><a href=/x>{text}</a></p>")]).calls == ()

    @pytest.mark.parametrize(
        ("language", "text"), [("de", "Jetzt kaufen"), ("fr", "Ajouter au panier"), ("es", "Añadir al carrito")]
    )
    def test_in_other_languages(self, language, text):
        calls = read_voice([page(html=f"<p><a href=/x>{text}</a></p>", language=language)]).calls
        assert [call.text for call in calls] == [text]


def test_every_trait_tells_texts_apart_by_either_half_of_them(reference_data):
    for trait, (r, count) in reliability.split_half(reference_data).items():
        assert r >= 0.8, trait
        assert count >= 10
