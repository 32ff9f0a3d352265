"""SCH-04: structured data says what the page says. Only a contradiction is a finding."""

from decimal import Decimal

import pytest

from tests.audit.builders import page
from tests.audit.checks.pages import judged, price, product
from visibility.audit.checks.matching import declared_number, folded, numbers_in
from visibility.audit.checks.structured_data import CHECKS
from visibility.audit.page import Heading

CHECK = CHECKS["SCH-04"]
H1 = (Heading(1, "Kettle One", 10, 50),)


def selling(
    name="Kettle One",
    amount="1299.00",
    currency="EUR",
    text="Kettle One, now for 1.299,00 €.",
    shown="1299.00",
    **said,
):
    """A product page: what its structured data says, and what its text shows."""
    offer = {"@type": "Offer", "price": amount, "priceCurrency": currency}
    node = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": name,
        "offers": offer,
        **said.pop("node", {}),
    }
    prices = (price(shown, said.pop("shown_in", "EUR"), text),) if shown else ()
    return product(
        markup=(node,), headings=H1, visible_text=text, main_text=text, prices=prices, visible_words=50, **said
    )


@pytest.mark.parametrize(
    "text", ["1.299,00 €", "€1,299.00", "1299 EUR", "1 299,00 €", "1'299.00", "1\u202f299 €", "EUR 1299,-"]
)
def test_prices_agree_however_they_are_written(text):
    assert judged(CHECK, selling(text=f"Kettle One {text}")).verdict == "passed"


@pytest.mark.parametrize(
    ("page_of", "why"),
    [
        (selling(text="Kettle One 1091.60 EUR", shown="1091.60"), "19 % tax apart"),
        (selling(currency="USD", text="Kettle One 1.150,00 €", shown="1150"), "another currency"),
        (selling(text="Kettle One", shown=None), "no price in the text"),
        (selling(text="Kettle One 1.399,00 € 1.299,00 €", shown="1399.00"), "the price before, too"),
        (selling(amount="0", text="Kettle One 12 €", shown="12"), "no amount"),
        (selling(amount="ask us", text="Kettle One 12 €", shown="12"), "no number"),
        (selling(text="Kettle One 99 €", shown="99.00", cut=True), "the beginning of a page"),
        (
            selling(text="Kettle One 99 €", shown="99.00", client_rendered='<div id="root"> is empty'),
            "scripts write the page",
        ),
    ],
)
def test_what_a_fair_person_would_refute_is_no_finding(page_of, why):
    assert judged(CHECK, page_of).verdict in ("passed", "not_applicable"), why


def test_another_price_is_a_finding():
    found = judged(CHECK, selling(text="Kettle One for 999,00 € only", shown="999.00"))
    assert found.verdict == "failed"
    assert found.words["finding"] == (
        "Structured data and page say different things in 1 of 2 facts: on “https://norrvik.example/kettle” the "
        "price is “1299.00 EUR” in the structured data, and “999.00 EUR” on the page."
    )
    assert found.evidence[0].to == "price 999.00 EUR"
    assert found.share == 0.5  # the name agrees


def test_of_several_offers_any_that_is_shown_will_do():
    offers = [{"@type": "Offer", "price": each, "priceCurrency": "EUR"} for each in ("899", "999", "1299")]
    assert judged(CHECK, selling(node={"offers": offers}, text="Kettle One 999 €", shown="999")).verdict == "passed"
    found = judged(CHECK, selling(node={"offers": offers}, text="Kettle One 700 €", shown="700"))
    assert found.verdict == "failed"


@pytest.mark.parametrize(
    "name",
    ["Kettle One", "KETTLE&nbsp;ONE", "Kettle “One”", "Norrvik Kettle One 1 l", "<b>Kettle</b> One", "Kettle\n One"],
)
def test_names_agree_where_most_of_their_words_do(name):
    assert judged(CHECK, selling(name=name, text="Kettle One 1299,00 €")).verdict == "passed"


def test_json_is_read_in_one_way_and_the_text_as_its_language_writes_it():
    wrong = judged(CHECK, selling(amount="4.588", text="Kettle One, now for 4.588 €.", shown="4588"))
    assert (wrong.verdict, wrong.evidence[0].to) == ("failed", "price 4588 EUR")
    for amount in ("4588", 4588, "4588.00", 4588.0, "4,588", "4.588,00"):
        right = selling(amount=amount, text="Kettle One, now for 4.588 €.", shown="4588")
        assert judged(CHECK, right).verdict == "passed", amount
    dinar = selling(amount="4.588", currency="KWD", text="Kettle One, KWD 4.588", shown="4588", shown_in="KWD")
    assert judged(CHECK, dinar).verdict != "failed"


def test_another_name_is_a_finding():
    found = judged(CHECK, selling(name="Lawn mower XL 500", text="Kettle One 1299,00 €"))
    assert (
        "the name is “Lawn mower XL 500” in the structured data, and “Kettle One” on the page"
        in found.words["finding"]
    )


@pytest.mark.parametrize(
    ("value", "text", "verdict"),
    [
        ("4.6", "Rated 4,6 von 5", "passed"),
        ("4.58", "4.6 out of 5 stars", "passed"),
        ("4.6", "5 / 5 by Ada. 4 / 5 by Bo. Average 4.6", "passed"),
        ("4.9", "3.1 out of 5 stars", "failed"),
        ("92", "3.1 out of 5 stars", "passed"),
        ("4.9", "no stars in the text", "passed"),
    ],
)
def test_a_rating_is_compared_with_the_one_that_is_shown(value, text, verdict):
    rating = {"@type": "AggregateRating", "ratingValue": value, "bestRating": "100" if value == "92" else "5"}
    found = judged(CHECK, selling(node={"aggregateRating": rating}, text=f"Kettle One 1299 €. {text}"))
    assert found.verdict == verdict


class TestAnswers:
    ANSWER = "Fill it to the mark, boil it twice and pour the water away before the first cup."

    def faq(self, answer, text):
        question = {
            "@type": "Question",
            "name": "How do I start?",
            "acceptedAnswer": {"@type": "Answer", "text": answer},
        }
        node = {"@context": "https://schema.org", "@type": "FAQPage", "mainEntity": [question]}
        return judged(CHECK, page("/faq", "docs", markup=(node,), visible_text=text, main_text=text))

    @pytest.mark.parametrize(
        "answer", [ANSWER, f"<p>{ANSWER}</p>", ANSWER.upper(), ANSWER.replace(" and ", " &amp; and ")]
    )
    def test_agree(self, answer):
        assert self.faq(answer, f"How do I start? {self.ANSWER}").verdict == "passed"

    def test_another_answer_is_a_finding(self):
        found = self.faq(self.ANSWER, "How do I start? Call our sales team and buy the long guarantee with it today.")
        assert "the answer is “How do I start?" in found.words["finding"]

    def test_a_question_that_the_page_does_not_show_is_not_judged(self):
        assert self.faq(self.ANSWER, "Kettles and more").verdict == "not_applicable"


@pytest.mark.parametrize(
    "markup", [(), ({"@context": "https://schema.org", "@type": "Organization", "name": "Norrvik AB"},)]
)
def test_does_not_apply_without_things_that_the_page_speaks_of(markup):
    assert judged(CHECK, product(markup=markup)).verdict == "not_applicable"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1.299,00", "1299.00"), ("1,299.00", "1299.00"), ("1299", "1299"), ("19,90 €", "19.90"), ("4.588", "4.588"),
        ("1 234 567,8", "1234567.8"), ("1.234.567", "1234567"), ("0.5", "0.5"), ("4,588", "4588"),
        ("4588.5", "4588.5"),
    ],
)  # fmt: skip
def test_numbers_of_structured_data_are_read_in_one_way(written, value):
    assert declared_number(written) == Decimal(value)


def test_a_number_that_can_be_read_in_two_ways_is_both():
    assert numbers_in("1.299") == {Decimal("1299"), Decimal("1.299")}
    assert declared_number("none") is None
    assert declared_number("9" * 40) is None


def test_texts_are_folded_to_one_form():
    assert folded("  <b>Kettle</b>&nbsp;„One“ &amp; TWO’s ") == 'kettle "one" & two\'s'
