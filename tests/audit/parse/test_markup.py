"""Structured data: equal to the gold, and a broken block costs no other."""

import json

import pytest

from visibility.audit.parse.parsing import parse_page


def markup(text):
    page = f"<html><head>\n{text}\n</head><body><p>x</p></body></html>"
    return parse_page(page.encode(), url="https://norrvik.example/", content_type="text/html").markup


def ld(text):
    return f'<script type="application/ld+json">{text}</script>'


def test_json_ld_with_comments_is_the_gold_and_says_what_is_wrong(reference_data):
    folder = reference_data / "site-audit/pages/extruct"
    body = (folder / "JSONLD_with_JS_comment.html").read_bytes()
    (block,) = parse_page(body, url="https://money.udn.com/", content_type="text/html").markup
    assert list(block.nodes) == json.loads((folder / "JSONLD_with_JS_comment.jsonld").read_text())
    assert (block.line, block.error_line) == (5, 15)
    assert "column" in block.error


@pytest.mark.parametrize("name", ["product", "LocalBusiness.002"])
def test_microdata_is_the_gold(reference_data, name):
    folder = reference_data / "site-audit/pages/extruct"
    said = parse_page(
        (folder / f"{name}.html").read_bytes(), url="https://norrvik.example/", content_type="text/html"
    )
    gold = json.loads((folder / f"{name}.json").read_text())
    assert [as_gold(node) for block in said.markup if block.syntax == "microdata" for node in block.nodes] == [
        absolute(item) for item in gold
    ]


def as_gold(value):
    if isinstance(value, list):
        return [as_gold(part) for part in value]
    if not isinstance(value, dict):
        return value
    kept = {name: as_gold(part) for name, part in value.items() if not name.startswith("@")}
    return {"type": value["@type"], "properties": kept}


def absolute(value, name=""):
    """The gold has addresses as they are written; here they are absolute."""
    if isinstance(value, dict):
        return {key: absolute(part, key) for key, part in value.items()}
    if isinstance(value, list):
        return [absolute(part, name) for part in value]
    if name == "image":
        return f"https://norrvik.example/{value}"
    return value


GOOD = '{"@context": "https://schema.org", "@type": "Product", "name": "Kettle"}'


@pytest.mark.parametrize(
    ("broken", "why"),
    [
        ('{"@type": "Product", "name": }', "Expecting value"),
        ('{"@type": "Product", "price": NaN}', "NaN is no value of JSON"),
        ("", "the block is empty"),
        ('"words"', "no object"),
        ('{"a":' * 100 + "1" + "}" * 100, "stand inside each other"),
    ],
)
def test_a_broken_block_says_why_and_costs_no_other(broken, why):
    first, second, third = markup(f"{ld(GOOD)}\n{ld(broken)}\n{ld(GOOD)}")
    assert first.nodes == third.nodes == (json.loads(GOOD),)
    assert (second.nodes, first.error, third.error) == ((), "", "")
    assert why in second.error
    assert (first.line, second.line, second.error_line, third.line) == (2, 3, 3, 4)


@pytest.mark.parametrize(
    "wrapped",
    [f"//<![CDATA[\n{GOOD}\n//]]>", f"<!--\n{GOOD}\n-->", f"/*<![CDATA[*/{GOOD}/*]]>*/", f"<![CDATA[{GOOD}]]>"],
)
def test_the_wrappers_of_old_pages_are_taken_off(wrapped):
    (block,) = markup(ld(wrapped))
    assert (block.nodes, block.error) == ((json.loads(GOOD),), "")


@pytest.mark.parametrize(
    "lenient",
    ['{"@type": "Product", "name": "Kettle",}', '{"@type": "Product", // a kettle\n"name": "Kettle"}',
     '{"@type": "Product", /* a */ "name": "Kettle"}'],
)  # fmt: skip
def test_what_only_strict_readers_refuse_is_read_and_named(lenient):
    (block,) = markup(ld(lenient))
    assert block.nodes == ({"@type": "Product", "name": "Kettle"},)
    assert block.error


def test_texts_that_look_like_comments_stay():
    (block,) = markup(ld('{"@type": "Product", "url": "https://a.example/x", "name": "a, }",}'))
    assert block.nodes == ({"@type": "Product", "url": "https://a.example/x", "name": "a, }"},)


def test_numbers_that_no_store_takes_are_texts():
    (block,) = markup(ld('{"@type": "Product", "sku": 12345678901234567890123, "price": 1e999}'))
    assert block.nodes == ({"@type": "Product", "sku": "12345678901234567890123", "price": "1e999"},)


def test_of_a_key_that_stands_twice_the_last_counts():
    (block,) = markup(ld('{"@type": "Product", "name": "A", "name": "B"}'))
    assert block.nodes[0]["name"] == "B"


def test_microdata_takes_in_what_its_itemref_names():
    page = (
        '<body><div itemscope itemtype="https://schema.org/Product" itemref="more"><b itemprop=name>Kettle</b></div>'
        "<div id=more><meta itemprop=sku content=K1><span itemprop=color>red</span><span "
        "itemprop=color>blue</span></div></body>"
    )
    said = parse_page(page.encode(), url="https://norrvik.example/", content_type="text/html")
    assert said.nodes("Product") == (
        {"@type": "https://schema.org/Product", "name": "Kettle", "sku": "K1", "color": ["red", "blue"]},
    )
