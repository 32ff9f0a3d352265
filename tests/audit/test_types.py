"""What is stored of a page and a site comes back as it was."""

from datetime import date

import orjson
from pydantic import TypeAdapter

from visibility.audit.catalogue import CATALOGUE
from visibility.audit.page import Block, Heading, Markup, PageDate, ParsedPage, types_of
from visibility.audit.site import Fetched, Hop


def test_a_page_comes_back_from_json_as_it_was():
    page = ParsedPage(
        url="https://norrvik.example/kettle",
        kind="product",
        kind_because="Product in its structured data",
        content_hash="0" * 64,
        html_bytes=1_000,
        words=120,
        visible_words=180,
        headings=(Heading(1, "Kettle", 4),),
        blocks=(Block("paragraph", "It boils.", 0, ("Kettle",), ("https://norrvik.example/",)),),
        markup=(Markup("json-ld", 9, ({"@type": ["Product"], "offers": {"@type": "Offer", "price": 49.0}},)),),
        dates=(PageDate(date(2026, 3, 1), "published", "2026-03-01"),),
    )
    assert TypeAdapter(ParsedPage).validate_json(orjson.dumps(page)) == page
    assert [node["price"] for node in page.nodes("Offer")] == [49.0]


def test_what_an_address_answered_comes_back_from_json_as_it_was():
    fetched = Fetched("https://norrvik.example/a", 200, headers=(("x-a", "1"), ("x-a", "2")), hops=(Hop("u", 301),))
    assert TypeAdapter(Fetched).validate_json(orjson.dumps(fetched)) == fetched
    assert (fetched.header("x-a"), fetched.answered) == ("1, 2", True)


def test_types_are_named_without_their_vocabulary():
    assert types_of({"@type": ["https://schema.org/Product", "schema:Thing"]}) == {"Product", "Thing"}
    assert types_of({}) == set()


def test_the_catalogue_has_sixty_four_checks_whose_weights_sum_to_eighty_two():
    assert len(CATALOGUE) == 64
    assert sum(entry.weight for entry in CATALOGUE.values()) == 82
    for entry in CATALOGUE.values():
        assert entry.evidence_grade not in ("C", "C+") or not entry.weight, entry.id
    assert {entry.id: entry.cap for entry in CATALOGUE.values() if entry.cap} == {
        "ACC-01": 25, "ACC-04": 40, "ACC-06": 25, "REN-01": 25,
    }  # fmt: skip
