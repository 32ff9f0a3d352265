"""Answers as pages show them: strangers' words come through as text alone, and marks are where names are."""

import random
import re
from html import unescape
from html.parser import HTMLParser
from time import process_time

import pytest

from visibility.pages.answer_text import Mark, answer_html, definitions

OURS = {"p", "br", "b", "ul", "ol", "li", "table", "tbody", "tr", "td", "mark"}
HOSTILE = """# Best <script>alert(1)</script> [Kryton](javascript:alert(1))
1. **Kryton** <img src=x onerror=alert(1)> ![Kryton](https://evil.example/pixel.png)
2. [Kryton](https://evil.example/" onclick="alert(1)) </p></div></main><h1>ours?</h1>
- __Kryton__ &lt;b&gt; <a href="https://evil.example">Kryton</a> \\<i>

| lock | price |
|---|---|
| Kryton | <iframe src=//evil.example></iframe> |
```
<style>*{display:none}</style> Kryton
```
"""


class Reader(HTMLParser):
    """Tags with their attributes, text, and the text inside of marks; fails where tags do not match."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.open, self.text, self.marked = [], [], "", []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag != "br":
            self.open.append(tag)
        if tag == "mark":
            self.marked.append("")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if "mark" in self.open:
            self.marked[-1] += data


def marks_of(text, name="Kryton"):
    return [Mark(found.start(), found.end(), "me") for found in re.finditer(name, text)]


def require_ours(page):
    reader = Reader(page)
    for tag, attributes in reader.tags:
        assert tag in OURS
        assert attributes.keys() <= {"mark": {"class"}, "ol": {"start"}}.get(tag, set())
        assert attributes.get("class", "me") == "me"
        assert attributes.get("start", "1").isdigit()
    return reader


def test_nothing_that_strangers_wrote_becomes_markup_an_address_or_an_image():
    reader = require_ours(answer_html(HOSTILE, marks_of(HOSTILE)))
    assert "<script>alert(1)</script>" in reader.text
    assert "<img src=x onerror=alert(1)>" in reader.text
    assert "pixel.png" not in reader.text
    assert reader.marked == ["Kryton"] * 8
    assert [tag for tag, _ in reader.tags].count("li") == 3


def test_any_mixture_of_signs_is_balanced_and_marks_show_their_own_words():
    source = random.Random(7)
    pieces = [
        "Kryton",
        "**",
        "__",
        "[",
        "](",
        ")",
        "!",
        "|",
        "\n",
        "- ",
        "1. ",
        "#",
        "<b>",
        "&amp;",
        "`",
        "\\",
        '"',
        " x ",
        "'",
    ]
    for _ in range(400):
        text = "".join(source.choices(pieces, k=source.randrange(1, 40)))
        spans = sorted({tuple(sorted(source.sample(range(len(text) + 1), 2))) for _ in range(3)})
        marks = [Mark(start, end, "me") for start, end in spans]
        reader = require_ours(answer_html(text, marks))
        for words in reader.marked:
            assert words in text
        if "[" not in text:  # else a name may be in the address of a link, which is not shown
            plain = answer_html(text, marks_of(text))
            assert "".join(Reader(plain).marked) == "Kryton" * text.count("Kryton"), text


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "**",
        "![[",
        "`",
        "|",
        "\n",
        "- \n",
        "<",
        "[a](",
        "[a][1",
        "[a[b]",
        "\n[1]: https://",
        '[1]: https://x "',
        '[a](b "c',
        "\\",
        "*a",
    ],
)
def test_long_hostile_texts_take_linear_time(piece):
    text = piece * 15_000
    marks = [Mark(place, place + 1, "me") for place in range(0, len(text), 5)]
    start = process_time()
    answer_html(text, marks)
    assert process_time() - start < 20  # of the processor; what is worse than linear takes minutes


def test_lists_tables_bold_and_line_breaks_are_readable():
    lists = "Two picks:\nthe first\n\n3. **Kryton**\n4. Velmora\n\n* light\n\n"
    text = f"{lists}| a | **b** |\n|---|---|\n| 1 | 2 |\n\n[1] \\$5"
    page = answer_html(text, marks_of(text))
    assert page == (
        "<p>Two picks:<br>the first</p>"
        '<ol start="3"><li><b><mark class="me">Kryton</mark></b></li><li>Velmora</li></ol><ul><li>light</li></ul>'
        "<table><tbody><tr><td> a </td><td> <b>b</b> </td></tr><tr><td> 1 </td><td> 2 </td></tr></tbody></table>"
        "<p>[1] $5</p>"
    )
    assert unescape(page) == page


def test_numbers_in_brackets_link_to_the_listed_sources_only():
    text = "Kryton [1][2], **[3]** [9] [a][1] [1](https://evil.example) [1]: x"
    page = answer_html(text, (), {"1": 1, "2": 1, "3": 2})
    refs = re.findall(r'<a class="ref" href="#s(\d)" aria-label="Source \d">\d</a>', page)
    assert refs == ["1", "1", "2", "1"] and page.count("<a") == 4
    assert page.endswith(" 1 [1]: x</p>") and " [9] a <a" in page


CITED = """It wins ([The Verge][1], [**Kryton** [EU] shop][Shop]). Again [2][1]; see [none][7] and [gone][3].[^4]

---

[1]: https://theverge.com/a?utm_source=chatgpt.com "Best locks in 2026"
  [shop]: <https://kryton.example/>
[2]: https://tests.example/b 'It is "best"'
[3]: https://gone.example/
[^4]: https://foot.example/note
[5]: no address
"""


def test_definitions_are_no_text_and_their_numbers_lead_to_the_sources():
    page = answer_html(CITED, marks_of(CITED), {"1": 3, "shop": 1, "2": 2, "^4": 4})
    assert re.findall(r'href="#s(\d)"', page) == ["3", "1", "2", "3", "4"]
    words = Reader(page).text
    assert words == "It wins (The Verge 3, Kryton [EU] shop 1). Again 23; see [none][7] and gone .4[5]: no address"
    assert Reader(page).marked == ["Kryton"]


def test_definitions_name_the_address_of_each_label():
    assert definitions(CITED) == {
        "1": "https://theverge.com/a?utm_source=chatgpt.com",
        "shop": "https://kryton.example/",
        "2": "https://tests.example/b",
        "3": "https://gone.example/",
        "^4": "https://foot.example/note",
    }
