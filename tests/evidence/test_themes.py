"""What reviews speak about: which terms are themes, how they are spoken of, since when, and in how many answers."""

from datetime import date, timedelta

import pytest

from tests.evidence.answer_texts import answers_of, untrue
from visibility.evidence.themes import find_themes
from visibility.evidence.types import Polarity, ReviewText

GOOD = "The battery life is excellent."
BAD = "The battery life is terrible, I hate it."


def reviews_of(*texts, stars=None, days=None):
    """One review for each text."""
    return [
        ReviewText(f"r{number}", text, (stars or {}).get(number), (days or {}).get(number))
        for number, text in enumerate(texts)
    ]


def themes(*texts, **fields):
    """The themes of these reviews by their label."""
    return {theme.label: theme for theme in find_themes(reviews_of(*texts, **fields), [])}


def counts(*texts):
    return {label: theme.count for label, theme in themes(*texts).items()}


def test_a_theme_counts_reviews_not_places():
    found = themes(f"{GOOD} {GOOD} {GOOD}", GOOD, GOOD, "Nice.")
    assert (found["Battery life"].count, found["Battery life"].reviews) == (3, 4)


def test_a_review_that_comes_twice_counts_once():
    rows = reviews_of(GOOD, GOOD)
    assert find_themes([*rows, *rows, *rows], []) == []


def test_two_reviews_make_no_theme():
    assert themes(GOOD, GOOD) == {}


def test_of_many_reviews_two_in_a_hundred_speak_of_it():
    filler = ["It came on time."] * 247
    assert "Battery life" not in themes(GOOD, GOOD, GOOD, *filler)
    assert "Battery life" in themes(GOOD, GOOD, GOOD, *filler[:140])


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("The customer service is awful.", "Customer support"),
        ("The batteries are great.", "Battery life"),
        ("It is easy to use.", "Ease of use"),
        ("Great shutter lag, I love it.", "Shutter lag"),
        ("The strap is horrible.", "Strap"),
    ],
)
def test_themes_are_nouns_that_people_say(text, label):
    assert list(themes(*[text] * 5)) == [label]


@pytest.mark.parametrize(
    "text",
    [
        "It is a great product.",
        "Excellent, amazing, the best.",
        "I love this camcorder, great camcorder.",
        "I bought the camcorder and love the camcorder.",
        "A good thing for a good day, the best of the year.",
        "It works great, looks great and fits great.",
        "The Frobnitz is great.",
        "It is blue and great.",
        "I love this camera, this camera is great.",
        "It brings great joy.",
    ],
)
def test_praise_names_and_the_thing_itself_are_no_themes(text):
    assert themes(*[text] * 6) == {}


def test_names_that_are_told_are_no_themes():
    rows = reviews_of(*["The strap is great on the Canon Clay, the clay is great."] * 6)
    assert [theme.label for theme in find_themes(rows, [], ["Clay"])] == ["Strap"]


def test_a_noun_that_nobody_praises_or_blames_is_none():
    assert themes(*["The strap is black."] * 6) == {}


def test_a_verb_is_no_noun():
    assert "Grip" not in themes(*["I grip with great joy."] * 6)
    assert "Grip" in themes(*["The grip is great."] * 6)


def test_a_word_joins_the_two_that_it_mostly_stands_in():
    together = ["The shutter lag is great."] * 5
    alone = ["The shutter is great."] * 3
    assert counts(*together, *alone) == {"Shutter lag": 8}
    assert counts(*together, *["The shutter is great."] * 12) == {"Shutter": 17, "Shutter lag": 5}


def test_words_of_the_same_reviews_are_one_theme():
    assert counts(*["The strap is great. The buckle is great."] * 6) == {"Strap": 6}


def test_of_two_words_the_name_is_shown():
    texts = ["I hate how it transfers files, awful file transfer."] * 5
    assert "File transfer" in themes(*texts)


class TestPolarity:
    def test_stars_are_preferred(self):
        found = themes(*[BAD] * 9, stars=dict.fromkeys(range(9), 5.0))["Battery life"]
        assert (found.polarity, found.estimated, found.mean_stars) == (Polarity.POSITIVE, False, 5.0)

    @pytest.mark.parametrize(
        ("stars", "polarity"), [(2.0, Polarity.NEGATIVE), (3.0, Polarity.MIXED), (4.0, Polarity.POSITIVE)]
    )
    def test_by_stars(self, stars, polarity):
        found = themes(*[GOOD] * 3, stars=dict.fromkeys(range(3), stars))["Battery life"]
        assert found.polarity == polarity

    def test_only_the_reviews_that_speak_of_it_count(self):
        stars = {0: 1.0, 1: 1.0, 2: 1.0, 3: 5.0, 4: 5.0, 5: 5.0}
        found = themes(*[BAD] * 3, *["Came on time."] * 3, stars=stars)["Battery life"]
        assert (found.polarity, found.mean_stars) == (Polarity.NEGATIVE, 1.0)

    def test_two_starred_reviews_are_too_few(self):
        found = themes(*[GOOD] * 3, stars={0: 5.0, 1: 5.0})["Battery life"]
        assert (found.polarity, found.estimated, found.mean_stars) == (None, False, 5.0)

    @pytest.mark.parametrize(
        ("text", "polarity"),
        [
            (GOOD, Polarity.POSITIVE),
            (BAD, Polarity.NEGATIVE),
            ("The battery life is not good.", Polarity.NEGATIVE),
            ("The battery life is what it is.", Polarity.MIXED),
        ],
    )
    def test_without_stars_eight_reviews_give_an_estimate(self, text, polarity):
        rest = [GOOD] if text == BAD else [BAD] if text == GOOD else ["The battery life is great, but dies."]
        found = themes(*[text] * 9, *rest)["Battery life"]
        assert (found.polarity, found.estimated) == (polarity, True)

    def test_seven_reviews_give_none(self):
        found = themes(*[GOOD] * 7)["Battery life"]
        assert (found.polarity, found.estimated) == (None, False)

    def test_the_cut_is_at_15_hundredths(self):
        texts = [GOOD] * 2 + ["The battery life was told of."] * 8
        assert themes(*texts)["Battery life"].polarity == Polarity.MIXED

    def test_another_language_has_no_estimate(self):
        texts = ["Die Akkulaufzeit ist nicht gut und das ist sehr schade."] * 9
        found = themes(*texts)["Akkulaufzeit"]
        assert (found.polarity, found.estimated) == (None, False)


class TestTrend:
    START = date(2026, 1, 1)

    def trend(self, early, late, of=30):
        """That of a theme which so many of the earlier and of the later reviews speak of."""
        texts = [GOOD] * early + ["Fine."] * (of - early) + [GOOD] * late + ["Fine."] * (of - late)
        days = {number: self.START + timedelta(days=number) for number in range(2 * of)}
        return themes(*texts, days=days)["Battery life"].trend

    @pytest.mark.parametrize(("early", "late", "trend"), [(2, 20, "rising"), (20, 2, "falling"), (10, 12, "steady")])
    def test_by_dates(self, early, late, trend):
        assert self.trend(early, late) == trend

    def test_few_dated_reviews_tell_none(self):
        assert self.trend(0, 7, of=7) is None

    def test_reviews_of_one_day_tell_none(self):
        found = themes(*[GOOD] * 20, days=dict.fromkeys(range(20), self.START))
        assert found["Battery life"].trend is None

    def test_reviews_without_dates_tell_none(self):
        assert themes(*[GOOD] * 20)["Battery life"].trend is None


def test_answers_that_speak_of_it_are_counted():
    answers = answers_of("It has long **battery** life.", "Its runtime is short.", "It is light.")
    [theme] = find_themes(reviews_of(GOOD, GOOD, GOOD), answers)
    assert theme.answers == 2


def test_quotes_are_verbatim_of_different_reviews_and_say_how_it_is():
    texts = ["I know the battery life.", "Fine.\nThe battery life is bad. Pity.", GOOD, GOOD, GOOD]
    rows = reviews_of(*texts)
    [theme] = find_themes(rows, [])
    assert [quote.text for quote in theme.quotes] == ["The battery life is bad.", GOOD, GOOD]
    assert [quote.review for quote in theme.quotes] == ["r1", "r2", "r3"]
    assert not untrue(iter(theme.quotes), {row.key: row.text for row in rows})
    assert {(quote.source, quote.rule) for quote in theme.quotes} == {("review", "theme")}


def test_the_most_spoken_of_is_first_and_nothing_comes_of_nothing():
    rows = reviews_of(*["The screen is great and the price is great."] * 3, "The price is bad.")
    assert [theme.label for theme in find_themes(rows, [])] == ["Price", "Screen"]
    assert find_themes([], []) == []
    assert find_themes(reviews_of("", " ", "\0"), answers_of(GOOD)) == []
