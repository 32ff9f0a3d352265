"""Quotes in a line: emphasis stays, no Markdown is left, not even where the quote was cut."""

import pytest
from django.template import Context, Template

from visibility.pages.present.quotes import quote_html


@pytest.mark.parametrize(
    ("text", "html"),
    [
        (r"**Sony WH-1000XM4** (\~\$199)", "<strong>Sony WH-1000XM4</strong> (~$199)"),
        ("Dell UltraSharp U2723QE**", "Dell UltraSharp U2723QE"),
        ("Best for Picture**: **LG OLED** (OLED)", "Best for Picture: <strong>LG OLED</strong> (OLED)"),
        ("### [Galaxy A54](https://x.example/a?b=", "Galaxy A54"),
        ("### [Galaxy A54](https://x.example/a) is", "Galaxy A54 is"),
        ("Foodi**\n\n* **Why:** Large\n* Small", "Foodi <strong>Why:</strong> Large Small"),
        ("| a | b |\n|---|---|\n| c | **d** |", "a b c <strong>d</strong>"),
        ("| **a** | 8 Qt | c |", "<strong>a</strong> · 8 Qt · c"),
        ("a<br>b <script>alert(1)</script>", "a b &lt;script&gt;alert(1)&lt;/script&gt;"),
        ("<div onclick=x>\na &lt;b\n</div>", "&lt;div onclick=x&gt; a &amp;lt;b &lt;/div&gt;"),
        ("![cat](https://x.example/y.png) a", "cat a"),
        ("`x < y` and a  \nb", "x &lt; y and a b"),
        ("a *b", "a *b"),
        ("word\n", "word"),
        ("", ""),
    ],
)
def test_a_quote_is_a_line_without_markdown(text, html):
    assert quote_html(text) == html


def test_a_long_quote_is_cut_and_closed():
    assert quote_html("**" + "word " * 10 + "end**", 9) == "<strong>word wor…</strong>"
    assert quote_html("a **" + "b" * 700 + "**", 2) == "a <strong>…</strong>"
    assert quote_html("a" * 9, 9) == "a" * 9
    assert len(quote_html("b" * 1_000_000)) <= 600


def test_templates_quote_without_loading_anything():
    template = Template("{{ text|quote }}|{{ text|quote:3 }}|{{ nothing|quote }}")
    assert template.render(Context({"text": "**a** & bcd"})) == "<strong>a</strong> &amp; bcd|<strong>a</strong> …|"
