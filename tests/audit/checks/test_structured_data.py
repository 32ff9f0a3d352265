"""Structured data: readable, of the page's kind, in words that exist."""

import pytest

from tests.audit.builders import page
from tests.audit.checks.pages import article, dated, judged, price, product
from visibility.audit.checks.structured_data import CHECKS
from visibility.audit.checks.vocabulary.vocabulary import PROPERTIES, TYPES, VERSION, is_a
from visibility.audit.page import Markup, Meta

CONTEXT = {"@context": "https://schema.org"}


def node(kind, **said):
    return {**CONTEXT, "@type": kind, **said}


class TestReadable:
    check = staticmethod(CHECKS["SCH-01"])
    GOOD = Markup("json-ld", 9, (node("Product", name="Kettle"),))
    BROKEN = Markup("json-ld", 40, (), "Expecting value, column 9", 44)

    def test_a_broken_block_is_named_with_its_line(self):
        found = judged(self.check, page(markup=(self.GOOD, self.BROKEN)), page("/about"))
        assert (found.verdict, found.share, found.evidence[0].where) == ("failed", 0.5, "line 44")
        assert found.words["finding"] == (
            "On “https://norrvik.example/” block 2 of JSON-LD cannot be read: “Expecting value, column 9” (line 44)."
        )

    def test_types_without_a_context_mean_nothing(self):
        found = judged(self.check, page(markup=({"@type": "Product"},)))
        assert "no @context" in found.words["finding"]

    @pytest.mark.parametrize(
        "block",
        [
            GOOD,
            Markup("json-ld", 9, ({"@context": "https://www.w3.org/ns/activitystreams", "type": "Note"},)),
            Markup("json-ld", 9, ({"@context": "https://schema.org", "@graph": []},)),
            Markup("json-ld", 9, ({"a": 1},)),
        ],
    )
    def test_sound_blocks_pass(self, block):
        assert judged(self.check, page(markup=(block,))).verdict == "passed"

    @pytest.mark.parametrize(
        "block", [Markup("json-ld", 9, (), "the block is empty", 9), Markup("microdata", 9, ({"@type": "Offer"},))]
    )
    def test_does_not_apply_to_empty_blocks_and_microdata(self, block):
        assert judged(self.check, page(markup=(block,))).verdict == "not_applicable"


class TestPublisher:
    check = staticmethod(CHECKS["SCH-02"])
    SITE = node("WebSite", name="Norrvik")
    MAKER = node("Organization", name="Norrvik", url="/", logo="/logo.svg", sameAs=["https://social.test/norrvik"])

    def test_both_in_any_form_pass(self):
        graph = {**CONTEXT, "@graph": [self.SITE, {**self.MAKER, "@type": ["OnlineStore", "Brand"]}]}
        assert judged(self.check, page(markup=(self.SITE, self.MAKER))).verdict == "passed"
        assert judged(self.check, page(markup=(graph,))).verdict == "passed"

    @pytest.mark.parametrize(
        ("markup", "said", "share"),
        [
            (
                (),
                "The structured data of the home page has no Organization node and no WebSite node with a name.",
                0.0,
            ),
            ((SITE,), "The structured data of the home page has no Organization node.", 0.167),
            (
                (SITE, node("Organization", name="Norrvik")),
                "The Organization of the home page has no url, logo and sameAs.",
                0.5,
            ),
            ((MAKER,), "The structured data of the home page has no WebSite node with a name.", 0.833),
        ],
    )
    def test_what_lacks_is_named(self, markup, said, share):
        found = judged(self.check, page(markup=markup))
        assert (found.words["finding"], round(found.share, 3)) == (said, share)

    def test_a_home_page_that_was_not_read_tells_nothing(self):
        assert judged(self.check, page(status=500), page("/about")).verdict == "inconclusive"


class TestKinds:
    check = staticmethod(CHECKS["SCH-03"])

    @pytest.mark.parametrize(
        "of",
        [
            product(markup=(node("Product", offers=node("Offer", price="49")),), prices=(price("49.00"),)),
            product(
                markup=(node("ProductGroup", hasVariant=[node("Product", offers=node("AggregateOffer"))]),),
                prices=(price("49"),),
            ),
            product(markup=(node("Service"),)),
            product(markup=(node("MobileApplication"),)),
            article(markup=(node("NewsArticle"),)),
            article(markup=(node("Recipe"),)),
            page("/pricing", markup=(node("WebApplication", offers=node("Offer")),), prices=(price("9.00"),)),
        ],
    )
    def test_types_and_those_below_them_pass(self, of):
        assert judged(self.check, of).verdict == "passed"

    @pytest.mark.parametrize(
        ("of", "said"),
        [
            (product(prices=(price("49.00"),)), "/kettle” shows a price, and its structured data names no Offer."),
            (
                product(prices=(price("49.00"),), markup=(node("Product", name="One"),)),
                "/kettle” shows a price, and its structured data names no Offer.",
            ),
            (
                product(markup=(node("WebPage"), node("Organization"))),
                "/kettle” offers something, and its structured data names no Product, Service or Offer.",
            ),
            (
                article(dates=(dated("2026-01-01"),)),
                "/story” is an article, and its structured data names no Article.",
            ),
            (
                page("/pricing", prices=(price("9.00"),)),
                "/pricing” shows a price, and its structured data names no Offer.",
            ),
        ],
    )
    def test_other_types_fail(self, of, said):
        found = judged(self.check, of)
        assert found.words["finding"] == f"“https://norrvik.example{said}"

    @pytest.mark.parametrize("of", [page(), page("/about"), page("/pricing"), article(), page("/c", "listing")])
    def test_does_not_apply_to_pages_that_show_no_such_thing(self, of):
        assert judged(self.check, of).verdict == "not_applicable"


class TestTerms:
    check = staticmethod(CHECKS["SCH-05"])

    def test_the_vocabulary_is_there_with_its_version(self):
        assert VERSION == "30.1"
        assert (len(TYPES), len(PROPERTIES)) == (940, 1540)
        assert is_a({"NewsArticle"}, "CreativeWork")
        assert is_a({"Bakery"}, "Organization", "Product")
        assert not is_a({"Kettle", "Person"}, "Organization")

    @pytest.mark.parametrize(
        "said",
        [
            node("Product", name="One", offers={"@type": "Offer", "price": 49, "@id": "#offer"}),
            node("SearchAction", **{"query-input": "required name=q"}),
            node("Product", **{"gs1:netContent": "1 l"}),
            {"@context": {"@vocab": "https://own.example/"}, "@type": "Kettle", "steam": 1},
            {
                "@context": ["https://schema.org", {"steam": "https://own.example/steam"}],
                "@type": "Product",
                "steam": 1,
            },
        ],
    )
    def test_known_words_and_those_of_others_pass(self, said):
        assert judged(self.check, page(markup=(said,))).verdict in ("passed", "not_applicable")

    @pytest.mark.parametrize(
        ("said", "finding"),
        [
            (
                node("Product", pricecurrency="EUR"),
                "Unknown property pricecurrency on Product (is it priceCurrency?)",
            ),
            (node("Prodct", name="One"), "Unknown type Prodct (is it Product?)"),
            (node("Product", offers={"@type": "Offer", "steam": 1}), "Unknown property steam on Offer"),
        ],
    )
    def test_unknown_words_are_named_with_the_one_that_is_meant(self, said, finding):
        assert judged(self.check, page(markup=(said,))).words["finding"] == f"“{finding}”."

    def test_the_share_is_of_the_words_used(self):
        found = judged(self.check, page(markup=(node("Product", name="One", steam=1, whistle=2),)))
        assert (found.share, len(found.evidence)) == (0.5, 2)
        assert found.words["finding"].startswith("2 terms are not in schema.org 30.1: ")

    def test_microdata_is_read_too(self):
        item = Markup("microdata", 7, ({"@type": "http://schema.org/Product", "nmae": "One"},))
        assert (
            judged(self.check, page(markup=(item,))).words["finding"]
            == "“Unknown property nmae on Product (is it name?)”."
        )


def test_previews_name_what_pages_lack():
    check = CHECKS["SCH-06"]
    every = tuple(Meta(name, "text", 5) for name in ("og:title", "og:site_name", "og:description", "og:image"))
    assert judged(check, page(metas=every)).verdict == "passed"
    found = judged(check, page(metas=every), page("/about", metas=every[:3]))
    assert (found.share, found.evidence[0].quote) == (0.5, "no og:image")
    assert found.words["finding"] == "1 page has no og:image, in whole or in part."
    assert judged(check, page("/contact")).verdict == "not_applicable"
