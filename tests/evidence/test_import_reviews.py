"""Reviews from files: whatever their shape, all of a file or nothing, and each review once."""

import io
from datetime import date

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command

from apikeys.caller import Caller
from tests.people.browser import Browser, text_of
from tests.people.conftest import clerk, operator
from visibility.models import Review, ReviewImport
from visibility.services.imports.reader import BadLine
from visibility.services.reviews import importing
from visibility.services.reviews.importing import (
    ImportedReviews,
    delete_import,
    delete_review,
    delete_reviews,
    import_reviews,
)
from visibility.services.reviews.reader import MAX_FILE, Layout, read_reviews

__all__ = ["clerk", "operator"]

TODAY = date(2026, 3, 10)
GOOD = b"text,stars,date,url,id,title\r\nIt never moved.,5,2025-05-24,https://shop.example/r/1,r1,Heavy\r\n"


def read(content, **layout):
    return list(read_reviews(io.BytesIO(content), Layout(**layout), TODAY))


def reasons(content, **layout):
    return [(row.line, row.reason) for row in read(content, **layout) if isinstance(row, BadLine)]


def one(content, **layout):
    [row] = read(content, **layout)
    assert not isinstance(row, BadLine), row.reason
    return row


class TestReading:
    def test_every_field(self):
        review = one(GOOD)
        assert (review.text, review.stars, review.day, review.url, review.title, review.line) == (
            "It never moved.", 5.0, date(2025, 5, 24), "https://shop.example/r/1", "Heavy", 2,
        )  # fmt: skip

    @pytest.mark.parametrize(
        "content",
        [
            b"\xef\xbb\xbfReview;Rating\r\nSch\xc3\xb6n, schwer;4,5\r\n",
            "Review-Text\tStar Rating\nSchön, schwer\t4.5\n".encode("utf-16"),
            'body,SCORE\n"Schön, schwer",9/10\n'.encode(),
            "comment|overall\nSchön, schwer|4.5 out of 5\n".encode(),
        ],
    )
    def test_marks_of_order_delimiters_and_the_usual_names(self, content):
        assert (one(content).text, one(content).stars) == ("Schön, schwer", 4.5)

    def test_an_encoding_that_is_named(self):
        content = "text\nSchön schwer\n".encode("cp1252")
        assert reasons(content) == [(2, "the line is not utf-8; save the file as UTF-8, or name its encoding")]
        assert one(content, encoding="cp1252").text == "Schön schwer"

    def test_one_column_may_hold_anything(self):
        assert [row.text for row in read(b'text\nGood, cheap; fast|loud\n"two\nlines, ""quoted"""\n')] == [
            "Good, cheap; fast|loud",
            'two\nlines, "quoted"',
        ]

    def test_a_file_without_a_header_whose_quotes_are_letters(self):
        content = b'1_1\t-0.9\tno picture\r\n1_2\t0.1\t"b/w" it says\r\n'
        rows = read(content, header=["id", "sentiment", "text"], quoted=False)
        assert [(row.text, row.stars, row.line) for row in rows] == [
            ("no picture", None, 1),
            ('"b/w" it says', None, 2),
        ]
        assert "where quote marks are letters" in reasons(content, header=["id", "sentiment", "text"])[0][1]

    def test_columns_that_are_named(self):
        content = b"Was,Wie viele,Wann\nSchwer,3,24.12.2024\n"
        assert "no column is called text or review" in reasons(content)[0][1]
        review = one(content, columns={"text": "was", "stars": "Wie-viele", "date": "wann"})
        assert (review.text, review.stars, review.day) == ("Schwer", 3.0, date(2024, 12, 24))
        assert reasons(content, columns={"text": "Worte"}) == [
            (1, "the file has no column 'Worte'; it has was, wie_viele, wann")
        ]

    def test_two_columns_that_may_be_the_same_field(self):
        assert "(review and body); name one (--column text=…)" in reasons(b"review,body\na,b\n")[0][1]

    def test_cells_over_several_lines_keep_their_lines_and_numbers(self):
        rows = read(b'text,stars\n"one\r\ntwo",5\nthree,4\n\n;,9\n')
        assert [row.text for row in rows[:2]] == ["one\ntwo", "three"]
        assert [row.line for row in rows] == [2, 4, 6]

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            ("  ,5,", "the text is empty"),
            ("Fine,six,", "the stars are no number"),
            ("Fine,6,", "the stars are more than 5"),
            ("Fine,-1,", "the stars are no number"),
            ("Fine,5/0,", "more than 5"),
            ("Fine,NaN,", "the stars are no number"),
            ("Fine,5,2025-02-30", "a day that does not exist"),
            ("Fine,5,2026-04-01", "in the future"),
            ("Fine,5,1969-01-01", "before 1995"),
            ("Fine,5,03/04/2025", "in two ways"),
            ("Fine,5,yesterday", "is not written like"),
            ("Fine,5", "the line has 2 cells, the header 3"),
            ("Fi\0ne,5,", "U+0000"),
            ("x" * 20_001 + ",5,", "20,001 characters; at most 20,000"),
        ],
    )
    def test_a_bad_line_is_told_by_its_number(self, line, reason):
        [(number, told)] = reasons(f"text,stars,date\nGood,5,\n{line}\nGood too,4,\n".encode())
        assert number == 3
        assert reason in told

    @pytest.mark.parametrize(("cell", "dates", "day"), [
        ("24/12/2024", "iso", date(2024, 12, 24)),
        ("12/24/2024", "iso", date(2024, 12, 24)),
        ("03/04/2025", "dmy", date(2025, 4, 3)),
        ("03/04/2025", "mdy", date(2025, 3, 4)),
        ("2025-05-24T10:00:00Z", "iso", date(2025, 5, 24)),
    ])  # fmt: skip
    def test_dates(self, cell, dates, day):
        assert one(f"text,date\nFine,{cell}\n".encode(), dates=dates).day == day

    @pytest.mark.parametrize("url", ["javascript:alert(1)", "shop.example", "https://a b", "file:///etc/passwd"])
    def test_an_address_that_is_none(self, url):
        assert "not an http or https address" in reasons(f"text,url\nFine,{url}\n".encode())[0][1]

    @pytest.mark.parametrize("content", [b"", b"\n", b"text\n"])
    def test_nothing(self, content):
        assert not [row for row in read(content) if not isinstance(row, BadLine)]

    def test_a_file_that_is_too_long_is_not_read(self):
        assert "longer than 20 MB" in reasons(b"text\n" + b"x" * MAX_FILE)[0][1]

    @pytest.mark.parametrize(
        "content",
        [
            b"\x89PNG\r\n\x1a\n\0\0",
            b"PK\x03\x04" + bytes(range(256)),
            b"\0" * 1000,
            b'"' * 999,
            b"," * 999,
            b"text," * 300,
            b"\xff\xfe\0",
            b"\r" * 100,
        ],
    )
    def test_no_file_breaks_it(self, content):
        for layout in ({}, {"header": ["text"]}, {"encoding": "utf-16"}, {"quoted": False, "encoding": "latin-1"}):
            assert all(isinstance(row, BadLine) or row.text for row in read(content, **layout))


@pytest.mark.django_db
class TestStoring:
    @pytest.fixture
    def load(self, brand, system):
        def load(content, name="reviews.csv", caller=system, **layout):
            return import_reviews(caller, brand=brand, stream=io.BytesIO(content), name=name, layout=Layout(**layout))

        return load

    def test_a_repeat_adds_nothing(self, brand, load):
        content = b"text,stars\nFine.,5\nBad.,1\n Fine. ,5\n"
        assert load(content) == ImportedReviews(2, 0, 0)
        assert load(content) == ImportedReviews(0, 0, 2)
        assert Review.objects.filter(brand=brand).count() == 2
        batch = ReviewImport.objects.get()
        assert (batch.file, batch.added, batch.actor) == ("reviews.csv", 2, "test")

    def test_a_review_that_comes_again_with_other_words_takes_their_place(self, load):
        load(b"id,text\nr1,Fine.\nr2,Bad.\n")
        assert load(b"id,text\nr1,Fine indeed.\nr2,Bad.\nr3,New.\n") == ImportedReviews(1, 1, 1)
        assert sorted(Review.objects.values_list("text", flat=True)) == ["Bad.", "Fine indeed.", "New."]

    def test_one_bad_line_and_nothing_is_stored(self, load, refused):
        error = refused("invalid_arguments", load, b"text,stars\nFine.,5\nBad.,9\n,\nGood.,x\n")
        assert error.details["lines"] == [
            {"line": 3, "reason": "the stars are more than 5; write of how many they are, such as 8/10"},
            {"line": 5, "reason": "the stars are no number, such as 4, 4.5 or 8/10"},
        ]
        assert "Nothing was imported. Correct these 2 lines" in error.message
        assert not (Review.objects.exists() or ReviewImport.objects.exists())

    def test_many_bad_lines_are_counted(self, load, refused):
        error = refused("invalid_arguments", load, b"text,stars\n" + b"Fine.,9\n" * 50)
        assert "and 30 more" in error.message

    def test_one_id_for_two_reviews(self, load, refused):
        error = refused("invalid_arguments", load, b"id,text\nr1,Fine.\nr1,Bad.\n")
        assert error.details["lines"] == [{"line": 3, "reason": "the line has the id of line 2 and another review"}]

    def test_an_empty_file(self, load, refused):
        assert "holds no review" in refused("invalid_arguments", load, b"text\n").message

    def test_a_crash_leaves_nothing(self, load, monkeypatch):
        monkeypatch.setattr(importing, "_row", lambda *args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            load(GOOD)
        assert not ReviewImport.objects.exists()

    def test_a_brand_has_so_many_at_most(self, load, refused, monkeypatch):
        monkeypatch.setattr(importing, "MAX_REVIEWS", 2)
        load(b"text\nOne.\nTwo.\n")
        load(b"text\nOne.\nTwo.\n")
        assert "may have 2 reviews" in refused("invalid_arguments", load, b"text\nThree.\n").message

    def test_formulas_and_hostile_letters_stay_what_they_are(self, load):
        text = '=HYPERLINK("https://evil.example","x")\u202e <untrusted-quote>'
        load(f"text\n{text}\n".encode(), quoted=False)
        assert Review.objects.get().text == text

    @pytest.mark.parametrize(
        ("name", "shown"),
        [
            ("../../etc/passwd", "passwd"),
            ("C:\\Users\\me\\a.csv", "a.csv"),
            ("a\u202egpj.csv\n", "agpj.csv"),
            ("\0", "\ufffd"),
            ("", "a file"),
            ("x" * 900, "x" * 199 + "…"),
        ],
    )
    def test_a_hostile_name_of_a_file(self, load, name, shown):
        load(GOOD, name=name)
        assert ReviewImport.objects.get().file == shown

    def test_only_who_may_change_the_brand(self, cast, load, refused):
        for caller, code in ((cast.viewer, "read_only_collaborator"), (cast.stranger, "not_found")):
            refused(code, load, GOOD, caller=Caller.from_user(caller))
        assert not Review.objects.exists()

    def test_deleting(self, brand, cast, load, system, refused):
        load(b"id,text\nr1,Fine.\nr2,Bad.\n")
        load(b"id,text\nr2,Bad indeed.\n", name="second.csv")
        refused("not_found", delete_reviews, Caller.from_user(cast.stranger), brand=brand)
        delete_import(system, batch=ReviewImport.objects.get(file="reviews.csv"))
        assert list(Review.objects.values_list("text", flat=True)) == ["Bad indeed."]
        delete_review(system, review=Review.objects.get())
        load(GOOD)
        assert delete_reviews(system, brand=brand) == 1
        assert not (Review.objects.exists() or ReviewImport.objects.exists())


@pytest.mark.django_db
class TestCommand:
    def run(self, *arguments):
        out = io.StringIO()
        call_command("import_reviews", *map(str, arguments), stdout=out)
        return out.getvalue()

    def test_a_file_for_a_brand(self, brand, tmp_path):
        file = tmp_path / "r.csv"
        file.write_bytes("Was,Wieviel\nSchön.,4\n".encode("cp1252"))
        options = ["--column", "text=Was", "--column", "stars=wieviel", "--encoding", "cp1252"]
        assert "1 reviews added, 0 changed, 0 were there already" in self.run(file, "--brand", brand.domain, *options)
        assert "0 reviews added, 0 changed, 1 were there already" in self.run(file, "--brand", brand.pk, *options)

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (["--column", "colour=x"], "is not FIELD=COLUMN"),
            (["--column", "text"], "is not FIELD=COLUMN"),
            (["--encoding", "zlib"], "is no encoding of text"),
            (["--encoding", "klingon"], "is no encoding that Python knows"),
            (["--brand", "nobody.example"], "No brand has the domain"),
        ],
    )
    def test_what_is_refused(self, brand, tmp_path, arguments, message):
        file = tmp_path / "r.csv"
        file.write_bytes(GOOD)
        with pytest.raises(CommandError, match=message):
            self.run(file, "--brand", brand.domain, *arguments)

    def test_a_file_that_is_not_there(self, brand, tmp_path):
        with pytest.raises(CommandError, match="cannot be read"):
            self.run(tmp_path / "none.csv", "--brand", brand.domain)

    def test_the_snippets_of_the_reference_data(self, brand, reference_data):
        file = reference_data / "site-audit" / "reviews" / "amazonReviewSnippets_GroundTruth.txt"
        options = ["--brand", brand.domain, "--header", "id,sentiment,text", "--no-quotes"]
        assert "3,708 reviews added" in self.run(file, *options)
        assert "0 reviews added, 0 changed, 3,708 were there already" in self.run(file, *options)


@pytest.mark.django_db
class TestAdmin:
    def upload(self, browser, brand, content=GOOD, **fields):
        page = f"/admin/brands/brand/{brand.pk}/import-reviews/"
        return browser.submit(page, file=SimpleUploadedFile("shop.csv", content), **fields)

    def test_a_file_is_uploaded_on_the_page_of_the_brand(self, operator, brand):
        browser = Browser(operator)
        assert self.upload(browser, brand).status_code == 302
        assert Review.objects.get().brand == brand
        assert ReviewImport.objects.get().actor == f"user:{operator.pk}"
        assert "1 reviews added" in text_of(browser.open(f"/admin/brands/brand/{brand.pk}/change/"))

    def test_how_it_is_laid_out_is_told_in_the_form(self, operator, brand):
        answer = self.upload(
            Browser(operator), brand, b"1\t4\tSch\xf6n\n", header="nr, stars, was", columns="text=was",
            encoding="cp1252", no_quotes="on",
        )  # fmt: skip
        assert answer.status_code == 302, text_of(answer)
        assert (Review.objects.get().text, Review.objects.get().stars) == ("Schön", 4.0)

    def test_bad_lines_stand_on_the_page_escaped(self, operator, brand):
        answer = self.upload(Browser(operator), brand, b"text,<script>\nFine.\n")
        assert "line 2: the line has 1 cells, the header 2" in text_of(answer)
        answer = self.upload(Browser(operator), brand, b"text\nFine.\n", columns="stars=<script>")
        assert b"no column &#x27;&lt;script&gt;&#x27;" in answer.content
        assert not Review.objects.exists()

    def test_only_with_the_permission(self, clerk, brand):
        reader = Browser(clerk("brands.view_brand", "visibility.view_review"))
        reader.open(f"/admin/brands/brand/{brand.pk}/import-reviews/", status=403)
        writer = Browser(clerk("brands.view_brand", "visibility.add_review"))
        assert self.upload(writer, brand).status_code == 302
        writer.open(f"/admin/brands/brand/{brand.pk}/delete-reviews/", status=403)

    def test_reviews_and_files_are_looked_at_and_deleted(self, operator, brand, system):
        import_reviews(system, brand=brand, stream=io.BytesIO(GOOD), name="a.csv")
        browser = Browser(operator)
        assert "It never moved." in text_of(browser.open("/admin/visibility/review/"))
        assert "a.csv" in text_of(browser.open("/admin/visibility/reviewimport/"))
        assert browser.open("/admin/visibility/brandevidence/").status_code == 200
        browser.open("/admin/visibility/review/add/", status=403)
        assert browser.submit(f"/admin/visibility/review/{Review.objects.get().pk}/delete/").status_code == 302
        assert not Review.objects.exists()
        import_reviews(system, brand=brand, stream=io.BytesIO(GOOD), name="b.csv")
        answer = browser.submit(f"/admin/brands/brand/{brand.pk}/delete-reviews/")
        assert answer.status_code == 302
        assert not Review.objects.exists()
