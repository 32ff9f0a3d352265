"""The main text against what people marked as the article, and its blocks."""

import re
from collections import Counter, defaultdict

from lxml import html

from tests.audit.parse.saved import articles, said
from visibility.audit.parse import maintext
from visibility.audit.parse.parsing import parse_page

_WORD = re.compile(r"\w+")


def f1(marked, kept, size=4):
    """F1 of the shingles of four words, as the article extraction benchmark counts it."""

    def shingles(text):
        words = _WORD.findall(text.lower())
        return Counter(tuple(words[at : at + size]) for at in range(max(1, len(words) - size + 1)))

    expected, found = shingles(marked), shingles(kept)
    both = sum((expected & found).values())
    return 2 * both / (sum(expected.values()) + sum(found.values()))


def marked_text(gold):
    if isinstance(gold, str):
        return gold
    tree = html.fromstring(gold.decode())
    for element in tree.xpath("//script|//style"):
        element.drop_tree()
    return " ".join(tree.itertext())


def test_the_main_text_is_what_people_marked(reference_data):
    scores = defaultdict(dict)
    for page in articles(reference_data):
        scores[page.group][page.name] = f1(marked_text(page.gold), said(page).main_text)
    everything = [score for group in scores.values() for score in group.values()]
    assert len(everything) == 16
    assert sum(everything) / len(everything) >= 0.955, scores
    for group, found in scores.items():
        assert sum(found.values()) / len(found) >= 0.94, (group, found)


def test_blocks_stand_where_they_say():
    found = parse_page(PAGE.encode(), url="https://norrvik.example/kettles", content_type="text/html")
    assert len(found.blocks) > 5
    for block in found.blocks:
        assert found.main_text[block.offset :].startswith(block.text)


def test_blocks_of_saved_pages_stand_where_they_say(reference_data):
    for page in articles(reference_data):
        found = said(page)
        for block in found.blocks:
            assert found.main_text[block.offset :].startswith(block.text), (page.name, block)


PAGE = """<html><body><nav><a href=/a>Home</a></nav><article><h1>Kettles</h1>
<p>A kettle boils water, and a good one does so in two minutes without noise, for many years.</p>
<h2>Care</h2><p>Descale it each month with <a href="/acid">citric acid</a>, then rinse it twice with clear water.</p>
<h3>Hard water</h3><ul><li>Fill it with filtered water.</li><li>Empty it at night.</li></ul>
<h2>Sizes</h2><table><tr><th>Model</th><th>Litres</th></tr><tr><td>A1</td><td>1.7</td></tr></table>
<blockquote>The best thing in my kitchen by far, and I have had many of them over the years.</blockquote>
</article><footer>Norrvik 2026</footer></body></html>"""


def test_a_block_has_the_headings_above_it_and_its_links():
    found = parse_page(PAGE.encode(), url="https://norrvik.example/kettles", content_type="text/html")
    blocks = {block.text: block for block in found.blocks}
    care = next(block for text, block in blocks.items() if text.startswith("Descale"))
    assert care.path[-1] == "Care"
    assert care.links == ("https://norrvik.example/acid",)
    item = blocks["Fill it with filtered water."]
    assert (item.kind, item.path[-2:]) == ("item", ("Care", "Hard water"))
    assert [block.text for block in found.blocks if block.kind == "table"] == ["Model | Litres A1 | 1.7"]
    assert next(block for block in found.blocks if block.kind == "quote").path[-1] == "Sizes"
    assert "Norrvik 2026" not in found.main_text
    assert "Norrvik 2026" in found.visible_text


def test_where_the_extractor_finds_nothing_the_prose_of_the_page_is_its_text(reference_data):
    file = reference_data / "site-audit/sites/ofbiz/release-notes/13.07.03.html"
    found = parse_page(
        file.read_bytes(), url="https://ofbiz.apache.org/release-notes/13.07.03.html", content_type="text/html"
    )
    assert found.words > 500


def test_the_hash_is_of_the_main_text_alone():
    def hashed(page):
        return parse_page(page.encode(), url="https://norrvik.example/kettles", content_type="text/html").content_hash

    assert hashed(PAGE) == hashed(PAGE.replace("<nav>", "<nav class=new>").replace("<h1>", "<h1 id=top>"))
    assert hashed(PAGE) != hashed(PAGE.replace("two minutes", "three minutes"))


def test_the_hash_leaves_out_the_date_that_the_text_shows():
    """Else a date that is moved over the same text would look like new content."""
    prose = "".join(f"<p>Paragraph {number} says how a kettle is cleaned, and how often.</p>" for number in range(12))

    def hashed(shown):
        page = f"<h1>Kettles</h1><p>{shown}</p>{prose}"
        return parse_page(page.encode(), url="https://norrvik.example/guides/kettles", content_type="text/html")

    before, moved = hashed("Last updated: 3 March 2026"), hashed("Last updated: 4 May 2026")
    assert before.dates != moved.dates and "4 May 2026" in moved.main_text
    assert before.content_hash == moved.content_hash != hashed("Kettles 3 March 2026 and more").content_hash


def test_a_page_that_the_extractor_gives_up_keeps_its_prose(monkeypatch):
    monkeypatch.setattr(maintext, "bare_extraction", lambda *_, **__: None)
    sentence = "<p>A kettle boils water, and a good one does so in two minutes without noise, for many years.</p>"
    page = f"<nav><p>{sentence * 20}</p></nav><h1>Kettles</h1><p>Short.</p><h2>Care</h2>{sentence * 10}"
    found = parse_page(page.encode(), url="https://norrvik.example/kettles", content_type="text/html")
    assert [block.kind for block in found.blocks] == ["heading", "heading", *["paragraph"] * 10]
    assert found.blocks[-1].path == ("Kettles", "Care")
