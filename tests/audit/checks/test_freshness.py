"""Dates: read by machines, in agreement, and recent where the content dates. The audits here are of 2026-03-01."""

from datetime import date

import pytest

from tests.audit.builders import earlier, page
from tests.audit.checks.pages import article, dated, judged, price
from visibility.audit.checks.freshness import CHECKS

GUIDE = {"title": "How to choose a kettle: the guide"}


class TestMachineDates:
    check = staticmethod(CHECKS["FRE-01"])

    @pytest.mark.parametrize("source", ["published", "modified", "meta", "time"])
    def test_any_that_machines_read_passes(self, source):
        assert judged(self.check, article(dates=(dated("2026-01-05", source),))).verdict == "passed"

    def test_a_date_in_the_text_only_is_a_finding(self):
        found = judged(
            self.check,
            article("/a", dates=(dated("2026-01-05"),)),
            article("/b", dates=(dated("2026-01-05", "time"),)),
        )
        assert (found.share, found.words["finding"]) == (0.5, "1 article has no machine-readable date.")
        assert found.evidence[0].quote == "visible 2026-01-05"

    @pytest.mark.parametrize("of", [page(), article(), article(dates=(dated("2026-01-05", "guess"),))])
    def test_does_not_apply_without_dated_content(self, of):
        assert judged(self.check, of).verdict == "not_applicable"


class TestAgreement:
    check = staticmethod(CHECKS["FRE-02"])

    @pytest.mark.parametrize(
        "dates",
        [
            (dated("2026-01-05", "published"), dated("2026-01-06")),
            (dated("2026-01-05", "meta"), dated("2026-01-04", "time")),
            (dated("2026-01-05", "published"), dated("2026-02-20", meaning="modified")),
            (dated("2026-01-05", "published"), dated("2025-05-05", meaning="")),
            (dated("2020-01-05", "published"), dated("2026-01-05", "published"), dated("2026-01-05")),
            (dated("2026-03-02", "published"),),
            (dated("2026-01-05", "published"), dated("2027-06-01", "time", meaning="")),
            (dated("2017-03-02", "published"), *(dated(f"2020-0{month}-02") for month in (3, 4, 5))),
        ],
        ids=[
            "zones",
            "meta and time",
            "published and updated",
            "unnamed",
            "one of two",
            "tomorrow",
            "an event",
            "a list",
        ],
    )
    def test_what_can_both_be_right_passes(self, dates):
        assert judged(self.check, article(dates=dates)).verdict == "passed"

    @pytest.mark.parametrize(
        ("dates", "said"),
        [
            (
                (dated("2026-01-05", "published"), dated("2025-11-01")),
                "datePublished is 2026-01-05, the page says 2025-11-01.",
            ),
            (
                (dated("2026-02-05", "modified", "modified"), dated("2025-11-01", meaning="modified")),
                "dateModified is 2026-02-05, the page says 2025-11-01.",
            ),
            ((dated("2026-03-03", "published"),), "a declared date is 2026-03-03, which is in the future."),
        ],
    )
    def test_contradictions_are_named(self, dates, said):
        found = judged(self.check, article(dates=dates), page(dates=(dated("2026-01-01", "published"),)))
        assert (found.share, found.words["finding"]) == (0.5, f"On “https://norrvik.example/story” {said}")

    def test_the_sitemap_is_compared_unless_it_names_the_day_of_a_build(self):
        modified = (dated("2025-06-01", "modified", "modified"),)
        found = judged(self.check, article(dates=modified, lastmod=date(2026, 2, 1)))
        assert found.words["finding"].endswith("dateModified is 2025-06-01, the sitemap says 2026-02-01.")
        assert judged(self.check, article(dates=modified, lastmod=date(2025, 6, 2))).verdict == "passed"
        built = [article(f"/{at}", dates=modified, lastmod=date(2026, 2, 1)) for at in range(4)]
        assert judged(self.check, *built).verdict == "passed"

    @pytest.mark.parametrize("dates", [(), (dated("2026-01-05"),), (dated("2026-01-05", "guess"),)])
    def test_does_not_apply_to_pages_that_declare_none(self, dates):
        assert judged(self.check, article(dates=dates)).verdict == "not_applicable"


class TestNewest:
    check = staticmethod(CHECKS["FRE-03"])

    @pytest.mark.parametrize("day", ["2026-02-20", "2024-03-02", "2024-03-01"])
    def test_content_of_two_years_passes_and_its_day_is_told(self, day):
        found = judged(self.check, article(dates=(dated("2019-01-01"), dated(day))))
        assert (found.verdict, found.because) == ("passed", f"Newest content is {day}: https://norrvik.example/story")

    def test_older_content_is_a_finding(self):
        found = judged(self.check, article(dates=(dated("2023-01-01"),)), page("/old", dates=(dated("2019-01-01"),)))
        assert found.words["finding"] == "The newest content is of 2023-01-01."
        assert [each.url for each in found.evidence] == [
            "https://norrvik.example/story",
            "https://norrvik.example/old",
        ]

    @pytest.mark.parametrize(
        "words", ["Released in June 2025.", "Stand: Mai 2025", "publié en août 2025", "Dec. 2025"]
    )
    def test_a_later_month_in_the_text_leaves_it_open(self, words):
        old = article("/old", dates=(dated("2020-11-24"),))
        said = judged(self.check, old, page("/notes", main_text=f"Norrvik 24.09. {words} Fixes only."))
        assert said.verdict == "inconclusive"
        assert said.because.startswith(
            "The newest day shown is 2020-11-24, but the text of https://norrvik.example/notes"
        )

    @pytest.mark.parametrize("words", ["released in May 2023", "planned for June 2026", "12 of 2025", "Model 2025"])
    def test_older_months_those_to_come_and_bare_years_do_not(self, words):
        assert judged(self.check, article(dates=(dated("2020-11-24"),), main_text=words)).verdict == "failed"

    @pytest.mark.parametrize("dates", [(), (dated("2020-01-01", "guess"),), (dated("2031-01-01"),)])
    def test_does_not_apply_to_sites_without_dates(self, dates):
        assert judged(self.check, page(dates=dates)).verdict == "not_applicable"


class TestRecent:
    check = staticmethod(CHECKS["FRE-04"])

    @pytest.mark.parametrize("source", ["visible", "time"])
    def test_a_guide_with_a_date_of_this_year_passes(self, source):
        assert judged(self.check, article(dates=(dated("2025-04-01", source),), **GUIDE)).verdict == "passed"

    @pytest.mark.parametrize(
        "dates", [(), (dated("2024-12-01"),), (dated("2026-02-01", "modified"),), (dated("2026-09-01"),)],
        ids=["none", "old", "not shown", "in the future"],
    )  # fmt: skip
    def test_one_without_is_counted(self, dates):
        found = judged(
            self.check, article("/a", dates=dates, **GUIDE), article("/b", dates=(dated("2026-01-01"),), **GUIDE)
        )
        assert (found.share, found.affected) == (0.5, 1)
        assert found.words["finding"] == "1 of 2 pages that go out of date shows no date of the last 12 months."

    @pytest.mark.parametrize(
        ("title", "language"),
        [
            ("The 10 best kettles", "en"), ("Kettle vs pot", "en"), ("Die besten Wasserkocher im Vergleich", "de"),
            ("Comment choisir une bouilloire", "fr"), ("Cómo elegir un hervidor", "es"),
        ],
    )  # fmt: skip
    def test_titles_tell_what_goes_out_of_date(self, title, language):
        assert judged(self.check, article(title=title, lang_detected=language)).verdict == "failed"

    @pytest.mark.parametrize(
        "of",
        [
            article(title="Norrvik opens a shop", dates=(dated("2019-01-01"),)),
            article(title="Best practices of brewing"),
            article(title="Wir sind gegen Abmahnungen", lang_detected="de"),
            page("/pricing"),
            page(title="How to: kettles"),
            article(title="最高のやかん", lang_detected="ja"),
        ],
    )
    def test_does_not_apply_to_news_and_other_pages(self, of):
        assert judged(self.check, of).verdict == "not_applicable"

    def test_prices_go_out_of_date(self):
        assert judged(self.check, page("/pricing", prices=(price("9.00"),))).verdict == "failed"

    def test_a_date_that_moves_over_the_same_text_is_a_finding_of_its_own(self):
        moved = article(dates=(dated("2026-02-01"),), content_hash="same", **GUIDE)
        found = judged(self.check, moved, earlier=earlier("/story", "same", date(2025, 9, 1)))
        assert found.words["finding"] == "1 page shows a new date over the text of the last audit."
        assert found.evidence[0].quote == "shows 2026-02-01, before 2025-09-01, over the same text"

    @pytest.mark.parametrize(
        ("content_hash", "day"),
        [("other", date(2025, 9, 1)), ("same", date(2026, 2, 1)), ("same", None), ("same", date(2026, 1, 31))],
    )
    def test_a_date_that_stands_or_moves_with_its_text_is_none(self, content_hash, day):
        stands = article(dates=(dated("2026-02-01"),), content_hash="same", **GUIDE)
        assert judged(self.check, stands, earlier=earlier("/story", content_hash, day)).verdict == "passed"
