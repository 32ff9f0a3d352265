"""What answers can lean on: sources, speakers, support, pages of their own, prices."""

import pytest

from tests.audit.builders import PROSE, page
from tests.audit.checks.pages import article, dated, judged, price, product, text
from visibility.audit.checks.citability import CHECKS
from visibility.audit.page import HeadLink, Link, Meta

OUT = "https://statistics.test/tea"


class TestStatistics:
    check = staticmethod(CHECKS["CIT-01"])

    @pytest.mark.parametrize(
        ("block", "language"),
        [
            (("paragraph", "About 62% of adults drink tea every day.", (OUT,)), "en"),
            ("According to the Tea Board, 62 percent of adults drink tea.", "en"),
            ("A 2025 survey of 900 people found that 62% drink tea.", "en"),
            ("In our tests the kettle boiled 2.5 times faster than the last one.", "en"),
            ("About 62% of adults drink tea every day (Tea Board, 2025).", "en"),
            ("Laut Teeverband trinken 62 Prozent der Erwachsenen Tee.", "de"),
            ("Selon une étude, 62 % des adultes boivent du thé.", "fr"),
            ("Según un estudio, el 62 % de los adultos bebe té.", "es"),
        ],
    )
    def test_with_a_source_in_the_block_pass(self, block, language):
        assert judged(self.check, article(lang_detected=language, **text(block))).verdict == "passed"

    @pytest.mark.parametrize(
        ("block", "language"),
        [
            ("It is known that 62% of adults drink tea every day.", "en"),
            ("The kettle boils water 3x faster than any other kettle.", "en"),
            ("Der Kocher ist 3-mal schneller als alle anderen Geräte.", "de"),
            ("La bouilloire est 3 fois plus rapide que les autres.", "fr"),
            ("El hervidor es 3 veces más rápido que los demás.", "es"),
        ],
    )
    def test_without_one_are_counted(self, block, language):
        sourced = ("paragraph", block, (OUT,))
        found = judged(self.check, article(lang_detected=language, **text(block, sourced)))
        assert (found.words["finding"], found.share) == ("2 statistics, 1 of them with a source.", 0.5)
        assert found.evidence[0].quote == block

    @pytest.mark.parametrize(
        "block",
        [
            "Today you save 20% on all kettles in the shop.",
            "The cover is made of 80% cotton and 20% wool.",
            "All prices include 19% VAT and the delivery.",
            "We promise 100% joy with every single cup you drink.",
            "62%",
            "Order before 12.30 and we ship it on the same day.",
        ],
    )
    def test_other_figures_ask_for_no_source(self, block):
        assert judged(self.check, article(**text(block))).verdict == "not_applicable"

    def test_tables_code_and_other_languages_are_not_read(self):
        table = text(("table", "Tea | 62% of adults drink it every day"))
        assert judged(self.check, article(**table)).verdict == "not_applicable"
        assert "does not read (ja)" in judged(self.check, article(lang_detected="ja", **table)).because


class TestQuotations:
    check = staticmethod(CHECKS["CIT-02"])
    SAID = "Tea is the only thing that I drink before noon."

    @pytest.mark.parametrize(
        "blocks",
        [
            (f"“{SAID}” said Ada Lovelace.",),
            (f"Ada Lovelace: “{SAID}”",),
            (("quote", f"{SAID} — Ada Lovelace"),),
            (("quote", SAID), "Ada Lovelace, engineer"),
            ("Ada Lovelace explains:", ("quote", SAID)),
            (("quote", SAID, (OUT,)),),
        ],
    )
    def test_with_a_speaker_pass(self, blocks):
        assert judged(self.check, article(**text(*blocks))).verdict == "passed"

    def test_without_one_are_counted(self):
        found = judged(
            self.check,
            article(**text("The kettle is praised.", ("quote", self.SAID), "More of it below in the next part.")),
        )
        assert found.words["finding"] == "1 of 1 quotation names no speaker."
        assert found.evidence[0].quote == self.SAID

    @pytest.mark.parametrize(
        "block",
        [
            "They call it “the kettle that everybody wants to have”.",
            "Ask yourself: “What should we do with all that water?”",
            ("quote", "Note: never fill the kettle above its mark."),
            "“Short.”",
            'The size is 12" or 14", and the weight is the same for both of them.',
        ],
    )
    def test_phrases_questions_and_notes_are_no_quotations(self, block):
        assert judged(self.check, article(**text(block))).verdict == "not_applicable"


class TestSources:
    check = staticmethod(CHECKS["CIT-03"])
    SHOWN = {"main_text": PROSE * 20, "dates": (dated("2026-01-05"),)}

    def test_a_link_to_another_site_passes(self):
        link = Link(OUT, "Tea Board", 50, "main")
        assert judged(self.check, article(links=(link,), **self.SHOWN)).verdict == "passed"

    @pytest.mark.parametrize(
        ("url", "place"),
        [
            (OUT, "footer"),
            ("https://shop.norrvik.example/", "main"),
            ("https://social.test/sharer?u=https://x.test", "main"),
        ],
    )
    def test_footers_own_addresses_and_share_buttons_are_none(self, url, place):
        found = judged(self.check, article(links=(Link(url, "x", 50, place),), **self.SHOWN))
        assert found.words["finding"] == "1 of 1 article links no source outside the site."

    @pytest.mark.parametrize(
        "of", [page(main_text=PROSE * 20), product(main_text=PROSE * 20), article(main_text=PROSE)]
    )
    def test_does_not_apply_to_home_products_and_short_news(self, of):
        assert judged(self.check, of).verdict == "not_applicable"


class TestPraise:
    check = staticmethod(CHECKS["CIT-04"])

    @pytest.mark.parametrize(
        ("block", "language"),
        [
            ("Our kettle is simply the best kettle there is.", "en"),
            (("heading", "The world's leading kettles"), "en"),
            ("Unser Wasserkocher ist der beste Kocher der Welt.", "de"),
            ("Nous sommes le leader mondial des bouilloires.", "fr"),
            ("Somos el líder mundial en hervidores.", "es"),
        ],
    )
    def test_bare_superlatives_are_quoted(self, block, language):
        found = judged(self.check, page(lang_detected=language, **text(block)))
        words = block if isinstance(block, str) else block[1]
        assert found.words["finding"] == f"1 superlative stands without support, such as “{words}”."

    @pytest.mark.parametrize(
        "block",
        [
            "Our kettle was voted the best kettle of 2025.",
            "Norrvik makes the fastest kettle: a litre boils in 90 seconds.",
            ("paragraph", "Our kettle is the best kettle there is.", (OUT,)),
        ],
    )
    def test_support_passes(self, block):
        assert judged(self.check, page(**text(block))).verdict == "passed"

    @pytest.mark.parametrize(
        "block",
        [
            "We follow the best practices of the trade.",
            "We use cookies to give you the best experience.",
            "The most common mistake is to fill it too far.",
            "Is our kettle the best kettle for you?",
            "The best kettle is the one that you have with you.",
            "Our best wishes go out to all of you.",
        ],
    )
    def test_set_phrases_and_talk_of_others_are_no_praise(self, block):
        assert judged(self.check, page(**text(block))).verdict == "not_applicable"


class TestDistinct:
    check = staticmethod(CHECKS["CIT-05"])
    TEXT = " ".join(f"word{at} of the kettle" for at in range(100))
    OTHER = " ".join(f"other{at} in the pot" for at in range(100))

    def pair(self, second="/b", kind="other", text=TEXT, **said):
        return judged(self.check, page("/a", kind, main_text=self.TEXT), page(second, kind, main_text=text, **said))

    def test_pages_of_their_own_pass(self):
        assert self.pair(text=self.OTHER).verdict == "passed"

    def test_near_duplicates_are_named(self):
        found = self.pair(text=self.TEXT.replace("word50", "changed"))
        assert found.words["finding"] == (
            "“https://norrvik.example/a” and “https://norrvik.example/b” are 97 % alike."
        )
        assert found.share == 0.5

    @pytest.mark.parametrize(
        ("second", "said"),
        [
            ("/de/b", {"lang_detected": "de"}),
            ("/b", {"head_links": (HeadLink("alternate", "https://norrvik.example/a", 5, hreflang="en-US"),)}),
            ("/a?page=2", {}),
            ("/a/page/2", {}),
            ("/b", {"canonical": "https://norrvik.example/a"}),
            ("/b", {"robots": "noindex"}),
            ("/a/", {}),
            ("/b", {"metas": (Meta("refresh", "0; url=/a", 3),)}),
        ],
    )
    def test_versions_parts_and_declared_copies_are_not_blamed(self, second, said):
        assert self.pair(second, **said).verdict in ("passed", "not_applicable")

    def test_pages_of_one_listing_are_not_blamed(self):
        assert self.pair(kind="listing").verdict == "passed"

    def test_thin_pages_are_counted_where_text_is_due(self):
        thin = article("/thin", main_text=PROSE)
        found = judged(self.check, page(), thin, page("/contact", main_text="Hi", visible_words=30))
        assert (found.share, found.words["finding"]) == (0.5, "1 page has fewer than 150 words.")

    def test_an_extractor_that_keeps_little_says_nothing(self):
        assert judged(self.check, product(main_text=PROSE, visible_words=2_000)).verdict == "passed"


class TestOffers:
    check = staticmethod(CHECKS["CIT-06"])

    @pytest.mark.parametrize(
        "of",
        [
            product(prices=(price("49.00"),)),
            product(prices=(price("49.00", main=False),), visible_text="Kettle One 49.00 EUR"),
            product(visible_text="Kettle One. Price on request."),
            product(visible_text="Contact us for a quote."),
            page("/pricing", visible_text="The plan is free forever."),
            page("/pricing", **text("Let’s talk about your team.")),
            page("/pricing", links=(Link("https://norrvik.example/sales", "Contact sales", 9, "main"),)),
            product(visible_text="The editor is open source."),
            product(visible_text="Preis auf Anfrage", lang_detected="de"),
            product(visible_text="Die Nutzung ist kostenlos.", lang_detected="de"),
            product(visible_text="Prix sur devis", lang_detected="fr"),
            product(visible_text="Solicite presupuesto", lang_detected="es"),
            product(prices=(price("4900", "JPY"),), lang_detected="ja"),
        ],
    )
    def test_a_price_or_how_it_is_made_passes(self, of):
        assert judged(self.check, of).verdict == "passed"

    @pytest.mark.parametrize(
        "of",
        [
            product(visible_text="Kettle One. Add to basket."),
            product(visible_text="Kettle One. Add to basket. Free delivery. Contact us."),
            product(**text("Kettle One is made of steel. Contact us.")),
            product(visible_text="Wasserkocher. Kostenloser Versand. Kontaktieren Sie uns.", lang_detected="de"),
            product(visible_text="Bouilloire. Livraison gratuite. Contactez-nous.", lang_detected="fr"),
            product(visible_text="Hervidor. Envío gratis. Contacta con nosotros.", lang_detected="es"),
            product(
                visible_text="Kettle One",
                markup=({"@context": "https://schema.org", "@type": "Offer", "price": "49"},),
            ),
            product(
                visible_text="Kettle One. Free delivery over 50 EUR",
                prices=(price("50", quote="50 EUR", main=False),),
            ),
        ],
    )
    def test_none_in_the_text_is_a_finding(self, of):
        found = judged(self.check, of, page("/pricing", prices=(price("9.00"),)))
        assert (found.words["finding"], found.share) == ("1 of 2 offer pages shows no price in the text.", 0.5)
        assert found.urls == ("https://norrvik.example/kettle",)

    @pytest.mark.parametrize(
        "of",
        [
            page(),
            article(),
            product(visible_text="やかん", lang_detected="ja"),
            product(visible_text="Kettle One is sold out."),
            product(visible_text="Wasserkocher. Derzeit nicht verfügbar.", lang_detected="de"),
            product(visible_text="Kettle", cut=True),
            product(
                visible_text="Kettle",
                markup=(
                    {
                        "@context": "https://schema.org",
                        "@type": "Offer",
                        "availability": "https://schema.org/Discontinued",
                    },
                ),
            ),
        ],
    )
    def test_does_not_apply_where_nothing_is_offered_or_read(self, of):
        assert judged(self.check, of).verdict == "not_applicable"
