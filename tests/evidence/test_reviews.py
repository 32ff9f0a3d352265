"""Reviews are imported whole or not at all, each once, from our own form and from the exports of shops."""

import io
from datetime import date

import pytest
from django.core.management import CommandError, call_command

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ErrorCode, ServiceError
from tests.evidence.exports import EXPORTS, GOOGLE, TRUSTPILOT
from tests.evidence.making import page, store_audit
from tests.factories import BrandFactory, CollaboratorFactory, UserFactory
from visibility.audit.facts import Markup
from visibility.evidence.making import make_evidence
from visibility.evidence.reviews import ImportedReview, read_reviews
from visibility.evidence.services import import_reviews
from visibility.imports.tables import BadLine
from visibility.models import Review

SYSTEM = system_caller("command:tests")

MORE_HEADINGS = {
    "Google as a table": ("Google", "creation_time,title,comment,rating"),
    "Amazon's data set": ("Amazon", "marketplace\treview_id\tstar_rating\treview_headline\treview_body\treview_date"),
    "Amazon in a tool": ("Amazon", "Rating,Review Title,Review Body,Date,URL"),
    "Yotpo with an address": ("Yotpo", "Review Title;Review Content;Review Score;Date;Product URL"),
    "German of any shop": ("Idealo", "Titel;Rezension;Sterne;Datum;Quelle"),
}
CELLS = {
    **dict.fromkeys(("comment", "review_body", "Review Body", "Review Content", "Rezension"), "Fine case"),
    **dict.fromkeys(("rating", "star_rating", "Rating", "Review Score", "Sterne"), "4"),
    **dict.fromkeys(("creation_time", "review_date", "Date", "Datum"), "2026-03-02"),
    "Quelle": "Idealo",
}


def imported(brand, text, caller=SYSTEM, columns=()):
    done = import_reviews(caller, brand_id=brand.pk, file=io.StringIO(text), columns=dict(columns))
    return done.added, done.known


def read(text, columns=()):
    return list(read_reviews(io.StringIO(text), dict(columns)))


def day_of(written):
    return read(f'text,date\nFine,"{written}"\n')[0]


@pytest.mark.parametrize("source", EXPORTS)
def test_the_export_of_a_shop_is_known_by_its_columns(source):
    text, addresses = EXPORTS[source]
    first, second = [each for each in read(text) if isinstance(each, ImportedReview)]
    assert (first.stars, first.date, first.source) == (5, date(2026, 3, 2), source)
    assert (second.stars, second.date, second.source) == (2, date(2026, 3, 5), source)
    assert [first.url, second.url] == addresses
    assert first.text.endswith(("wheels run well.", "Rollen laufen gut.")) and "\n" not in second.text


@pytest.mark.parametrize("name", MORE_HEADINGS)
def test_its_other_headings_are_known_too(name):
    source, header = MORE_HEADINGS[name]
    sign = next(sign for sign in "\t;," if sign in header)
    row = sign.join(CELLS.get(cell, "") for cell in header.split(sign))
    [review] = read(f"{header}\n{row}\n")
    assert (review.text, review.stars, review.date) == ("Fine case", 4, date(2026, 3, 2))
    assert review.source == source


def test_a_title_is_the_first_line_unless_the_text_begins_with_it():
    assert [each.text for each in read(TRUSTPILOT)] == [
        "Great case\nLight, and the wheels run well.",
        "The zipper jams.",
    ]


@pytest.mark.django_db
def test_ratings_without_words_are_passed_over_and_counted():
    done = import_reviews(SYSTEM, brand_id=BrandFactory().pk, file=io.StringIO(GOOGLE))
    assert (done.added, done.wordless) == (2, 1)


@pytest.mark.parametrize(
    ("written", "stars"),
    [
        *[("5", 5), ("5.0", 5), ("4,5", 4.5), ("FIVE", 5), ("one", 1), ("★★★★☆", 4), ("8/10", 4), ("3 Sterne", 3)],
        *[("4.0 out of 5 stars", 4), ("5 von 5 Sternen", 5), ("⭐⭐⭐", 3)],
    ],
)
def test_stars_are_read_in_the_forms_of_shops(written, stars):
    assert read(f'text,stars\nFine,"{written}"\n')[0].stars == stars


@pytest.mark.parametrize(
    "written",
    [
        *["2026-03-15", "2026-03-15T23:30:00-05:00", "2026-03-15 23:30:00", "15.03.2026", "03/15/2026"],
        *["March 15, 2026", "15 Mar 2026", "15. März 2026", "Reviewed in the United States on March 15, 2026"],
    ],
)
def test_days_are_read_in_the_forms_of_shops(written):
    assert day_of(written).date == date(2026, 3, 15)


def test_a_day_that_may_be_two_is_not_guessed():
    assert day_of("03/04/2026") == BadLine(
        2, "date: may be 2026-04-03 or 2026-03-04; write the year first: 2026-05-24"
    )


def test_unknown_columns_are_listed_with_what_to_do():
    [bad] = read("Opinion,Points\nFine,4\n")
    assert "it has opinion, points" in bad.reason and "text=NAME" in bad.reason
    assert "Trustpilot" in bad.reason


def test_columns_with_other_names_are_named():
    [review] = read("Opinion,Points\nFine,4\n", [("text", "Opinion"), ("stars", "Points")])
    assert (review.text, review.stars) == ("Fine", 4)


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

    @pytest.mark.parametrize("text", ["opinion,stars\nGood,5\n", "", "text,stars\n", "[]", '{"reviews": []}'])
    def test_a_file_without_text_or_reviews_is_refused(self, text):
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
        BrandFactory(name="Zentra", domain="zentra.example")
        file = tmp_path / "reviews.json"
        file.write_text(GOOGLE)
        call_command("import_reviews", file, "--brand", "zentra.example")
        told = capsys.readouterr().out
        assert "2 reviews added to Zentra, 0 were there. Passed over: 1 without words." in told
        file.write_bytes(b"text\n\xff\n")
        with pytest.raises(CommandError, match="UTF-8"):
            call_command("import_reviews", file, "--brand", "zentra.example")

    def test_a_review_in_structured_data_and_in_an_import_is_stored_once(self):
        brand = BrandFactory()
        rating = {"ratingValue": "3", "bestRating": 10}
        nodes = [
            {"@type": "Review", "reviewBody": text, "reviewRating": rating} for text in ("It jams.", "It rolls.")
        ]
        markup = (Markup("json-ld", 1, ({"@type": "Product", "review": nodes * 2},)),)
        store_audit(brand, page("A case.", markup=markup))
        imported(brand, "text,stars\nIt rolls.,2\n")
        make_evidence(brand)
        make_evidence(brand)
        jams, rolls = Review.objects.filter(brand=brand).order_by("text")
        assert (jams.text, jams.stars, jams.source, jams.url) == (
            "It jams.",
            1.5,
            "own pages",
            "https://zentra.example/",
        )
        assert (rolls.text, rolls.source) == ("It rolls.", "")
