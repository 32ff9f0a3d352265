"""Reviews are imported whole or not at all, each once; their themes say how many speak of something, and how."""

import io
from datetime import date, timedelta

import pytest
from django.core.management import CommandError, call_command

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.operators import system_caller
from tests.evidence.making import page, store_audit
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from visibility.audit.facts import Markup
from visibility.evidence.reads import read_themes
from visibility.evidence.services import import_reviews
from visibility.evidence.themes import find_themes
from visibility.models import Review

SYSTEM = system_caller("command:tests")


def imported(brand, text, caller=SYSTEM):
    done = import_reviews(caller, brand_id=brand.pk, file=io.StringIO(text))
    return done.added, done.known


def reviews(number, text, stars=None, days=None):
    return [
        Review(text=f"{text} ({each})", stars=stars, day=date(2026, 1, 1) + timedelta(days=each) if days else None)
        for each in range(number)
    ]


@pytest.mark.django_db
class TestImport:
    def test_csv_and_json_lines_are_read_and_the_same_file_again_adds_nothing(self):
        brand = BrandFactory()
        rows = 'text;stars;date;source;url\n"Good;\nzipper";4,5;2026-01-02;Shop;https://shop.example/1\nBad;2/10;;;\n'
        assert imported(brand, rows) == (2, 0)
        assert imported(brand, rows) == (0, 2)
        good, bad = Review.objects.filter(brand=brand).order_by("-stars")
        assert (good.text, good.stars, good.day, good.source) == ("Good;\nzipper", 4.5, date(2026, 1, 2), "Shop")
        assert (bad.stars, bad.day, bad.url) == (1.0, None, "")
        lines = '{"text": "Bad", "stars": 5}\n{"text": "Fine", "stars": 3, "date": "2026-01-03T10:00:00Z"}\n'
        assert imported(brand, lines) == (1, 1)

    @pytest.mark.parametrize(
        ("row", "words"),
        [
            ("Fine,6,,,", "line 3: stars"),
            ("Fine,many,,,", "line 3: stars: is no number of stars"),
            ("Fine,4,2026-02-30,,", "line 3: date"),
            ("Fine,4,3026-01-01,,", "line 3: date: is before 1995 or in the future"),
            ("Fine,4,,,ftp://x", "line 3: url: is no http or https address"),
            (",4,,,", "line 3: text"),
            ("Fine,4,,,,too many", "line 3: the record has 6 cells"),
            ("a\0b,4,,,", "line 3: text: contains the character U+0000"),
        ],
    )
    def test_a_bad_row_is_named_by_its_line_and_nothing_is_imported(self, row, words):
        brand = BrandFactory()
        with pytest.raises(ServiceError) as refusal:
            imported(brand, f"text,stars,date,source,url\nGood,5,,,\n{row}\n")
        assert refusal.value.code == ErrorCode.INVALID_ARGUMENTS
        assert "Nothing was imported" in refusal.value.message and words in refusal.value.message
        assert not Review.objects.exists()

    def test_a_file_without_text_or_reviews_is_refused(self):
        for text in ("review,stars\nGood,5\n", "", "text,stars\n", "[]"):
            with pytest.raises(ServiceError):
                imported(BrandFactory(), text)

    def test_only_those_who_may_change_the_brand_import(self):
        brand = BrandFactory()
        viewer = CollaboratorFactory(brand=brand, role="viewer").user
        for user, code in ((viewer, ErrorCode.READ_ONLY_COLLABORATOR), (UserFactory(), ErrorCode.NOT_FOUND)):
            with pytest.raises(ServiceError) as refusal:
                imported(brand, "text\nGood\n", Caller.from_user(user))
            assert refusal.value.code == code
        assert imported(brand, "text\nGood\n", Caller.from_user(brand.owner)) == (1, 0)

    def test_the_command_tells_what_came_of_it(self, tmp_path, capsys):
        brand = BrandFactory(name="Zentra", domain="zentra.example")
        file = tmp_path / "reviews.csv"
        file.write_text("text,stars\n" + "".join(f"The zipper broke on day {day}.,1\n" for day in range(4)))
        call_command("import_reviews", file, "--brand", "zentra.example")
        assert "4 reviews added to Zentra" in capsys.readouterr().out
        [theme] = [each for each in read_themes(SYSTEM, brand.pk, full=True).themes if each.label == "Zipper"]
        assert (theme.count, theme.of, theme.polarity) == (4, 4, "negative")
        file.write_bytes(b"text\n\xff\n")
        with pytest.raises(CommandError, match="UTF-8"):
            call_command("import_reviews", file, "--brand", "zentra.example")

    def test_reviews_in_structured_data_count_like_imported_ones(self):
        brand = BrandFactory()
        rating = {"ratingValue": "3", "bestRating": 10}
        node = {"@type": "Review", "reviewBody": "Its zipper jams.", "reviewRating": rating}
        store_audit(
            brand, page("A case.", markup=(Markup("json-ld", 1, ({"@type": "Product", "review": [node] * 2},)),))
        )
        imported(brand, "text,stars\nA zipper that jams.,2\nThe zipper jams.,1\n")
        [theme] = [each for each in read_themes(SYSTEM, brand.pk, full=True).themes if each.label == "Zipper"]
        assert (theme.count, theme.of, theme.polarity) == (3, 3, "negative")
        [of_page] = [each for each in theme.quotes if each.url]
        assert of_page.text == "Its zipper jams." and of_page.review_id is None


class TestThemes:
    def test_a_theme_stands_in_three_reviews_and_two_of_a_hundred(self):
        few = reviews(2, "The zipper broke.") + reviews(98, "It is fine.")
        assert find_themes(few, [], []) == []
        [theme] = find_themes([*few, Review(text="A zipper that broke.", stars=1)], [], [])
        assert (theme.label.lower().rstrip("s"), theme.count) == ("zipper", 3)
        assert find_themes(reviews(3, "The zipper broke.") + reviews(147, "It is fine."), [], []) != []
        assert find_themes(reviews(3, "The zipper broke.") + reviews(148, "It is fine."), [], []) == []

    @pytest.mark.parametrize(("stars", "polarity"), [(5, "positive"), (3, "mixed"), (1, "negative"), (None, None)])
    def test_its_polarity_is_that_of_its_stars_and_unknown_without_them(self, stars, polarity):
        [theme] = find_themes(reviews(3, "The zipper was there.", stars), [], [])
        assert theme.polarity == polarity

    def test_its_trend_compares_the_newer_half_of_dated_reviews_with_the_older(self):
        older = [Review(text=f"Fine {day}.", day=date(2026, 1, 1) + timedelta(days=day)) for day in range(20)]
        newer = [Review(text=f"A zipper {day}.", day=date(2026, 6, 1) + timedelta(days=day)) for day in range(20)]
        [theme] = find_themes([*newer, *older], [], [])
        assert theme.trend == 100.0
        assert find_themes(newer[:5], [], [])[0].trend is None

    def test_the_brand_and_the_thing_that_was_bought_are_none(self):
        words = "I like this suitcase. This suitcase is fine. My suitcase has a zipper. Zentra made it."
        assert {each.label.lower() for each in find_themes(reviews(4, words), [], ["Zentra"])} == {"zipper"}
