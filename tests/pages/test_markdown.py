"""Answers as HTML: names are marked at their places, sources stand behind their sentences, no letter is lost."""

import pytest
from django.utils.safestring import SafeString

from visibility.pages.present.answers import marks_of
from visibility.pages.present.markdown import MAX_DEPTH, Mark, Note, markdown_html
from visibility.resources.answers import MentionSpan


def marked(text, *names):
    """The text with the first place of each name marked."""
    places = [(text.index(name), name) for name in names]
    return markdown_html(text, [Mark(place, place + len(name), "own", name) for place, name in places])


def noted(text, *sentences):
    """The text with a note behind each of these sentences."""
    notes = [Note(text.index(sentence) + len(sentence), SafeString(f"[{n}]")) for n, sentence in enumerate(sentences)]
    return markdown_html(text, (), notes)


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("# Best", '<h4 dir="auto">Best</h4>'),
        ("##### Best", '<h6 dir="auto">Best</h6>'),
        (r"under \$1,000&#x20;here &amp; there", '<p dir="auto">under $1,000 here &amp; there</p>'),
        ("7. a\n8. b", '<ol start="7"><li dir="auto">a</li><li dir="auto">b</li></ol>'),
        ("**a** *b* ~~c~~ `d`", '<p dir="auto"><strong>a</strong> <em>b</em> <s>c</s> <code>d</code></p>'),
        ("a<br>b<BR />c  \nd", '<p dir="auto">a<br>b<br>c<br>d</p>'),
        ("> a", '<blockquote><p dir="auto">a</p></blockquote>'),
        ("```js\na<b\n```", '<pre dir="auto"><code>a&lt;b\n</code></pre>'),
        ("a\n\n---", '<p dir="auto">a</p><hr>'),
        ("![a cat](https://x.example/y.png)", '<p dir="auto"><span class="image">a cat</span></p>'),
        ("<b>a</b>", '<p dir="auto">&lt;b&gt;a&lt;/b&gt;</p>'),
        ("a\u202eb\0", '<p dir="auto">ab\ufffd</p>'),
        ("", ""),
    ],
)
def test_markdown_is_shown_as_what_it_means(text, html):
    assert markdown_html(text) == html


def test_a_table_has_heads_and_aligned_cells():
    html = markdown_html("| A | B |\n|:--|--:|\n| c | **d** |\n")
    assert '<th scope="col" class="left" dir="auto">A</th><th scope="col" class="right" dir="auto">B</th>' in html
    assert '<td class="left" dir="auto">c</td><td class="right" dir="auto"><strong>d</strong></td>' in html


def test_links_to_the_web_are_followed_without_telling_whence_and_no_others_are():
    assert markdown_html("[a](https://x.example/?a=1&b=2)") == (
        '<p dir="auto"><a href="https://x.example/?a=1&amp;b=2" title="https://x.example/?a=1&amp;b=2"'
        ' rel="nofollow noreferrer">a</a></p>'
    )
    for address in ("javascript:alert(1)", "data:text/html,x", "/local", "#part", "mailto:a@b.example", ""):
        assert markdown_html(f"[a]({address})") == '<p dir="auto">a</p>'


def test_names_are_marked_where_they_stand():
    assert marked("The Acme is.", "Acme") == ('<p dir="auto">The <mark class="own" title="Acme">Acme</mark> is.</p>')
    assert marked("**Acme** is.", "Acme") == (
        '<p dir="auto"><strong><mark class="own" title="Acme">Acme</mark></strong> is.</p>'
    )


def test_a_name_across_other_markup_is_one_mark_that_goes_on():
    assert marked("**Acme** Maps &amp; Co. is", "Acme** Maps &amp; Co") == (
        '<p dir="auto"><strong><mark class="own" title="Acme** Maps &amp;amp; Co">Acme</mark></strong>'
        '<mark class="own on"> Maps &amp; Co</mark>. is</p>'
    )


def test_a_name_with_an_entity_is_marked_whole():
    assert marked("AT&amp;T is", "AT&amp;T") == (
        '<p dir="auto"><mark class="own" title="AT&amp;amp;T">AT&amp;T</mark> is</p>'
    )


def test_notes_stand_behind_their_sentences_and_outside_of_links():
    assert noted("One. Two.\n\n- Three", "One.", "Two.", "Three") == (
        '<p dir="auto">One.[0] Two.[1]</p><ul><li dir="auto">Three[2]</li></ul>'
    )
    assert noted("[One. Two](https://x.example/) three.", "One.").endswith("One. Two</a>[0] three.</p>")
    assert noted("**One.** Two.", "**One.**") == '<p dir="auto"><strong>One.</strong>[0] Two.</p>'


def test_a_note_of_no_sentence_is_not_lost():
    assert markdown_html("a", (), [Note(700, SafeString("[0]"))]).endswith("[0]")


def test_names_that_overlap_share_a_mark():
    def span(start, end, competitor=None):
        return MentionSpan(start=start, end=end, competitor=competitor, name="n", rank=1, stance="unknown")

    rival = "8d3cf0a4-5b0b-4f0e-9a9e-0d7d3c7d8c11"
    marks = list(marks_of([span(14, 18, rival), span(0, 4, rival), span(0, 9), span(9, 12, rival)]))
    assert [(mark.start, mark.end, mark.cls) for mark in marks] == [
        (0, 9, "own"),
        (9, 12, "rival"),
        (14, 18, "rival"),
    ]


def test_what_lies_too_deep_is_shown_without_its_structure():
    html = markdown_html("> " * 100 + "deep")
    assert html.count("<blockquote>") == html.count("</blockquote>") == MAX_DEPTH and "deep" in html
