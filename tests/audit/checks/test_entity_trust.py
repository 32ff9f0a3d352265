"""Who is behind the site: name, profiles, people to reach, authors, what the brand is, prices."""

import pytest

from tests.audit.builders import PROSE, fetched, links, page, site
from tests.audit.checks.pages import article, dated, judged, price, product
from visibility.audit.checks import citability
from visibility.audit.checks.entity_trust import CHECKS
from visibility.audit.page import Heading, HeadLink, Link, Meta, Text

CONTEXT = {"@context": "https://schema.org"}
MAKER = {**CONTEXT, "@type": "Organization", "name": "Norrvik"}


class TestOneName:
    check = staticmethod(CHECKS["ENT-01"])

    def named(self, *names, brand="Norrvik"):
        metas = tuple(Meta("og:site_name", name, 5) for name in names[1:])
        return judged(self.check, page(markup=({**MAKER, "name": names[0]},), metas=metas), brand=brand)

    @pytest.mark.parametrize(
        "other", ["Norrvik", "NORRVIK", "Norrvik™", "Norrvik GmbH", "Norrvik Inc.", "Norrvik Kettles", "Norr Vik"]
    )
    def test_forms_of_a_name_are_one(self, other):
        assert self.named("Norrvik", other).verdict == "passed"

    def test_aliases_are_one_with_the_name(self):
        assert self.named("Norrvik", "Norrvik AB").verdict == "passed"

    def test_two_names_are_a_finding(self):
        found = self.named("Norrvik", "Kettle World", "Teapot House")
        assert found.words["finding"] == (
            "The site calls itself by 3 names: “Norrvik”, “Kettle World” and “Teapot House”."
        )
        assert len(found.evidence) == 3

    def test_what_most_titles_share_is_a_name(self):
        pages = [page(url, title=f"{url[1:]} stuff | Teapots") for url in ("/a", "/b", "/c")]
        assert (
            "“Norrvik” and “Teapots”"
            in judged(self.check, page(markup=(MAKER,), title="Home"), *pages).words["finding"]
        )

    def test_does_not_apply_where_no_name_is_given(self):
        assert judged(self.check, page(title="Home")).verdict == "not_applicable"


class TestProfiles:
    check = staticmethod(CHECKS["ENT-02"])
    URL = "https://social.test/norrvik"

    def test_profiles_on_other_domains_pass(self):
        assert judged(self.check, page(markup=({**MAKER, "sameAs": self.URL},))).verdict == "passed"
        assert (
            judged(self.check, page(), page("/about", markup=({**MAKER, "sameAs": [self.URL]},))).verdict == "passed"
        )
        assert judged(self.check, page(head_links=(HeadLink("me", self.URL, 4),))).verdict == "passed"

    @pytest.mark.parametrize("same", [[], ["https://shop.norrvik.example/"], "not an address"])
    def test_none_elsewhere_is_a_finding(self, same):
        assert judged(self.check, page(markup=({**MAKER, "sameAs": same},))).verdict == "failed"

    def test_a_profile_that_is_gone_is_named(self):
        known = {"sampled": (fetched(self.URL, 404), fetched("https://other.test/n", 403))}
        found = judged(self.check, page(markup=({**MAKER, "sameAs": [self.URL, "https://other.test/n"]},)), **known)
        assert (found.share, found.words["finding"]) == (0.5, f"1 named profile is gone: “{self.URL}” answers 404.")


class TestPeopleToReach:
    check = staticmethod(CHECKS["ENT-03"])

    @pytest.mark.parametrize(
        ("said", "language"),
        [
            ({"links": links("/about-us", "/contact"), "visible_text": "Norrvik Ltd."}, "en"),
            (
                {
                    "links": (Link("https://norrvik.example/i", "Impressum", 5, "footer"),),
                    "visible_text": "post (at) norrvik.example",
                },
                "de",
            ),
            (
                {"links": links("/a-propos", "/nous-ecrire", "/contactez"), "visible_text": "Tél. +33 1 23 45 67 89"},
                "fr",
            ),
            ({"links": links("/quienes-somos", "/contacto"), "visible_text": "Norrvik S.L."}, "es"),
            ({"links": (*links("/about"), Link("", "Write", 5, "footer", href="mailto:us@norrvik.example"))}, "en"),
        ],
    )
    def test_pages_and_an_address_pass(self, said, language):
        assert judged(self.check, page(lang_detected=language, **said)).verdict == "passed"

    def test_what_lacks_is_named(self):
        found = judged(self.check, page(links=links("/about"), visible_text="Kettles"))
        assert (round(found.share, 2), found.words["finding"]) == (
            0.33,
            "The site lacks a contact page that is linked and a legal name, address or email in the text.",
        )

    def test_links_in_another_language_are_not_read(self):
        found = judged(self.check, page(lang_detected="ja", links=links("/gaiyou"), visible_text="やかん"))
        assert found.verdict == "not_applicable"


class TestAuthors:
    check = staticmethod(CHECKS["ENT-04"])
    DATES = (dated("2026-01-05"),)

    @pytest.mark.parametrize(
        "said",
        [
            {"bylines": (Text("Ada Lovelace", 9),)},
            {"markup": ({**CONTEXT, "@type": "Article", "author": {"@type": "Person", "name": "Ada"}},)},
            {"markup": ({**CONTEXT, "@type": "Article", "author": "Ada"},)},
            {"metas": (Meta("author", "Ada", 4),)},
        ],
    )
    def test_any_name_passes(self, said):
        assert judged(self.check, article(dates=self.DATES, **said)).verdict == "passed"

    def test_articles_without_are_counted(self):
        found = judged(
            self.check, article("/a", dates=self.DATES), article("/b", dates=self.DATES, bylines=(Text("Ada", 9),))
        )
        assert (found.share, found.words["finding"]) == (0.5, "1 article has no named author.")

    def test_does_not_apply_to_pages_that_only_their_preview_calls_articles(self):
        assert judged(self.check, article()).verdict == "not_applicable"


class TestOpening:
    check = staticmethod(CHECKS["ENT-05"])
    MORE = " Steam and water all the day." * 6

    def home(self, text, **said):
        defaults = {"title": "Welcome", "headings": (Heading(1, "Welcome", 5, 9),)}
        return judged(self.check, page(main_text=text, **{**defaults, **said}))

    def test_its_words_are_told_where_they_name_the_brand(self):
        found = self.home("Kettles by NORRVIK for people who drink tea." + self.MORE)
        assert found.verdict == "passed" and found.because.startswith("It begins: “Kettles by NORRVIK")
        assert self.home("We build kettles." + self.MORE, title="Norrvik").verdict == "passed"
        assert self.home("Steel. " * 30, headings=(Heading(1, "Norrvik® kettles", 5, 9),)).verdict == "passed"

    def test_an_alias_will_do(self):
        found = judged(
            self.check,
            page(main_text="NVK makes kettles." + self.MORE, title="Hi", headings=()),
            names=("Norrvik", "NVK"),
        )
        assert found.verdict == "passed"

    def test_an_opening_without_the_name_is_a_finding_with_its_words(self):
        for text in ("We make kettles for offices. " * 6, "Steam. " * 100 + "Norrvik makes kettles."):
            found = self.home(text)
            assert found.verdict == "failed" and "does not name “Norrvik”" in found.words["finding"]
            assert found.evidence[0].quote == " ".join(text.split()[:100])[:300]

    def test_little_text_is_not_judged(self):
        assert self.home("Welcome!").verdict == "inconclusive"
        assert judged(self.check, page(status=503)).verdict == "inconclusive"


class TestPrices:
    check = staticmethod(CHECKS["ENT-06"])

    def test_a_page_of_prices_that_something_links_passes(self):
        assert judged(self.check, page(), page("/pricing", prices=(price("9.00"),))).verdict == "passed"

    def test_a_page_of_prices_that_nothing_links_is_half_a_finding(self):
        found = judged(self.check, page(), page("/pricing", prices=(price("9.00"),), depth=99, found_by="sitemap"))
        assert (found.share, found.words["finding"]) == (0.5, "No page that was read links the page of prices.")

    def test_that_no_page_shows_a_price_is_told_once(self):
        silent = site(page(), product(), product("/pot"))
        outcomes = {name: check(silent) for name, check in (("ENT-06", self.check), ("CIT-06", citability.prices))}
        assert {name for name, outcome in outcomes.items() if outcome.verdict == "failed"} == {"CIT-06"}

    def test_does_not_apply_to_sites_that_sell_nothing(self):
        assert judged(self.check, page(main_text=PROSE * 9), article()).verdict == "not_applicable"
