"""How pages are built: headings, landmarks, tables, extraction, images, language, questions."""

import pytest

from tests.audit.builders import PROSE, page
from tests.audit.checks.pages import article, judged, product, text
from visibility.audit.checks.structure import CHECKS
from visibility.audit.page import Heading, Image, Lost, Meta, Table, Text

LONG = PROSE * 20


def headings(*levels, words=80, name="Steel"):
    return tuple(Heading(level, f"{name} {at}", 20 + at, words) for at, level in enumerate(levels))


class TestHeadings:
    check = staticmethod(CHECKS["STR-01"])

    @pytest.mark.parametrize("levels", [(1, 2, 2), (1, 2, 3), (2, 1, 3), (1, 1, 1)])
    def test_pass_where_they_divide_the_text(self, levels):
        assert judged(self.check, page(main_text=LONG, headings=headings(*levels))).verdict == "passed"

    @pytest.mark.parametrize(
        ("levels", "said"),
        [
            ((), "no headings"),
            ((1,), "no heading to divide it by"),
            ((1, 4, 4), "no heading to divide it by"),
            ((2, 2, 2), "no main heading (h1)"),
        ],
    )
    def test_fail_where_they_do_not(self, levels, said):
        found = judged(self.check, page(main_text=LONG, headings=headings(*levels)), page("/about", main_text=LONG))
        assert (found.verdict, found.share, found.affected) == ("failed", 0.5, 1)
        assert said in found.words["finding"]
        assert found.words["finding"].startswith("“https://norrvik.example/” has ")

    def test_further_pages_are_counted(self):
        found = judged(self.check, *(page(url, main_text=LONG, headings=()) for url in ("/", "/a", "/b")))
        assert found.words["finding"].endswith(" words. 2 more pages have a fault of this kind.")

    def test_do_not_apply_to_short_text_or_the_beginning_of_a_page(self):
        short, cut = page(main_text=PROSE, headings=()), page("/about", main_text=LONG, headings=(), cut=True)
        assert judged(self.check, short, cut).verdict == "not_applicable"


class TestLandmarks:
    check = staticmethod(CHECKS["STR-02"])

    @pytest.mark.parametrize("found", [("main",), ("nav", "article")])
    def test_main_or_article_will_do(self, found):
        assert judged(self.check, page(landmarks=found)).verdict == "passed"

    def test_pages_without_are_counted(self):
        found = judged(self.check, page(landmarks=("nav",)), page("/about"), page("/help", landmarks=()))
        assert (found.verdict, found.affected, round(found.share, 2)) == ("failed", 2, 0.33)
        assert found.words["finding"] == "2 of 3 pages do not mark their main content (<main>)."

    def test_a_page_that_only_sends_on_is_none(self):
        sends_on = page(landmarks=(), metas=(Meta("refresh", "0; url=/categories/", 5),))
        assert judged(self.check, sends_on).verdict == "not_applicable"


class TestOpenings:
    check = staticmethod(CHECKS["STR-03"])
    GOOD = "Norrvik kettles are made of steel and hold the heat of a litre of water for a full hour."

    def opened(self, *openings, **said):
        titles = tuple(Heading(2, f"Part {at}", 20 + at, 90) for at in range(len(openings)))
        blocks = [each for at, opening in enumerate(openings) for each in (("heading", f"Part {at}"), opening)]
        return judged(self.check, article(headings=titles, **text(*blocks), **said))

    def test_pass_with_a_statement_of_its_own(self):
        assert self.opened(self.GOOD, self.GOOD, "They last.").verdict == "passed"

    @pytest.mark.parametrize(
        ("opening", "language"),
        [
            ("It " + GOOD, "en"),
            ("Short.", "en"),
            ("word " * 90, "en"),
            ("Sie " + GOOD, "de"),
            ("Elle " + GOOD, "fr"),
            ("Ello " + GOOD, "es"),
        ],
    )
    def test_fail_where_most_do_not(self, opening, language):
        found = self.opened(opening, opening, self.GOOD, lang_detected=language)
        assert found.verdict == "failed"
        assert found.words["finding"] == "2 of 3 sections do not open with a self-contained statement."
        assert found.evidence[0].quote.startswith("Part 0: ")

    def test_do_not_apply_to_other_languages_and_pages_without_headings(self):
        assert "a language that this check does not read (ja)" in self.opened("It is.", lang_detected="ja").because
        assert self.opened().verdict == "not_applicable"


class TestTables:
    check = staticmethod(CHECKS["STR-04"])
    GOOD = Table(30, 4, 3, 3, True, "Size | Weight | Price")

    def test_pass_with_header_cells(self):
        assert judged(self.check, page(tables=(self.GOOD,))).verdict == "passed"
        assert judged(self.check, page(lists=2)).verdict == "passed"

    @pytest.mark.parametrize(
        ("table", "said"),
        [
            (Table(40, 4, 3, 0, True, "Size | Weight"), "a table without header cells"),
            (
                Table(40, 3, 2, 0, False, "Size: 1 l; Weight: 2 kg"),
                "rows of labels and values that are not marked up as a table",
            ),
        ],
    )
    def test_fail_without(self, table, said):
        found = judged(self.check, page(tables=(self.GOOD, table)))
        assert (found.verdict, found.evidence[0].where) == ("failed", "line 40")
        assert found.words["finding"] == f"“https://norrvik.example/” has {said}."

    def test_paragraphs_with_bullets_are_no_list(self):
        assert judged(self.check, page(**text("• one", "• two", "• three"))).verdict == "failed"
        assert judged(self.check, page(**text("• one", "• two", "then", "- three"))).verdict == "not_applicable"


class TestExtraction:
    check = staticmethod(CHECKS["STR-05"])
    PRICE = Lost("price", "49.00 EUR", "aside.buy", 40)

    def test_a_price_that_is_lost_is_named_with_its_place(self):
        found = judged(self.check, product(key_spans=4, lost=(self.PRICE,)), page(key_spans=5))
        assert (found.verdict, found.share) == ("failed", 0.5)
        assert found.words["finding"] == (
            "The price “49.00 EUR” is on the page but lost by content extraction (inside “aside.buy”)."
        )

    def test_what_the_title_says_is_not_lost(self):
        lost = (Lost("h1", "Kettle One", "header h1", 9), Lost("json-ld", "Ada Lovelace", "JSON-LD name", 9))
        kept = {"title": "Kettle One by Norrvik", "bylines": (Text("Ada Lovelace", 3),)}
        assert judged(self.check, product(key_spans=3, lost=lost, **kept)).verdict == "passed"

    def test_one_of_very_many_or_of_very_few_says_nothing(self):
        assert judged(self.check, product(key_spans=20, lost=(self.PRICE,))).verdict == "passed"
        assert judged(self.check, product(key_spans=1, lost=(self.PRICE,))).verdict == "not_applicable"


class TestImages:
    check = staticmethod(CHECKS["STR-06"])

    def test_an_empty_alt_decorates_and_none_is_a_finding(self):
        images = (
            Image("/a.jpg", "A kettle", 1),
            Image("/b.jpg", "", 2),
            Image("/c.jpg", None, 3),
            Image("/d.jpg", None, 4),
        )
        found = judged(self.check, page(images=images))
        assert (found.verdict, found.share, found.words["finding"]) == (
            "failed",
            0.5,
            "2 of 4 images lack an alt text.",
        )
        assert judged(self.check, page(images=images[:2])).verdict == "passed"
        assert judged(self.check, page()).verdict == "not_applicable"


class TestLanguage:
    check = staticmethod(CHECKS["STR-07"])

    @pytest.mark.parametrize(
        ("declared", "detected"),
        [
            ("en", "en"),
            ("en-GB", "en"),
            ("DE_at", "de"),
            ("nb", "no"),
            ("zh-Hant-TW", "zh"),
            ("iw", "he"),
            ("hr", "sr"),
            ("mul", "fr"),
        ],
    )
    def test_codes_of_one_language_agree(self, declared, detected):
        assert judged(self.check, page(lang_declared=declared, lang_detected=detected)).verdict == "passed"

    @pytest.mark.parametrize(
        ("declared", "said"),
        [("en", "is declared as “en”, but written in de"), ("", "declares no language, and is written in de")],
    )
    def test_another_language_or_none_is_a_finding(self, declared, said):
        found = judged(self.check, page(lang_declared=declared, lang_detected="de"))
        assert found.words["finding"] == f"“https://norrvik.example/” {said}."

    def test_lists_of_names_that_a_detector_takes_for_latin_tell_none(self):
        assert judged(self.check, page(lang_declared="en", lang_detected="la")).verdict == "not_applicable"

    def test_little_text_tells_no_language(self):
        assert judged(self.check, page(lang_declared="en", lang_detected="")).verdict == "not_applicable"


class TestFacts:
    def test_questions_are_answered_below_their_heading(self):
        check = CHECKS["STR-08"]
        question = (Heading(2, "How hot is it?", 9, 40), Heading(2, "熱いですか？", 10, 3))  # noqa: RUF001
        assert judged(check, page(headings=question[:1])).verdict == "passed"
        found = judged(check, page(headings=question))
        assert found.words["finding"] == "2 headings ask a question; of these, 1 with fewer than 20 words below."
        assert judged(check, page()).verdict == "not_applicable"

    def test_the_reading_grade_is_told_and_never_a_fault(self):
        check = CHECKS["STR-09"]
        found = judged(
            check, page(reading_grade=9.4), page("/about", reading_grade=14.0), page("/help", reading_grade=11.0)
        )
        assert found.verdict == "passed"
        assert "readability index 11" in found.because
        assert judged(check, page()).verdict == "not_applicable"
