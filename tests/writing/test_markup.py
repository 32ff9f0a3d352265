"""Words of others in Markdown: whatever they are, they stay words."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from apikeys.text.untrusted import clean
from visibility.writers.checks import check
from visibility.writers.drafting import compose
from visibility.writers.markup import GAP, blocks, escaped, foreign_markup, link
from visibility.writers.protocol import WrittenDraft
from visibility.writers.tasks import DraftFormat, DraftTask, Material, Subject

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARKUP = st.text(alphabet=st.sampled_from("ab1 .-+=#>*_`~|[]()<>!&\\\"'$:/\n\t") | st.characters(), max_size=60)
TASK = DraftTask(
    subject=Subject("Acme", "acme.example", names=("Acme",)),
    topic="bikes",
    format=DraftFormat.ARTICLE,
    questions=("Which bike is best in snow?",),
    materials=(Material("S1", "Studded tyres help in snow.", "Winter", own=True),),
)


def tokens(markdown):
    top = READER.parse(markdown)
    return [*top, *(child for token in top for child in token.children or [])]


@given(MARKUP)
def test_quoted_words_are_one_paragraph_of_text(text):
    kinds = {token.type for token in tokens(f"> {escaped(text)} [S1]")}
    assert kinds <= {"blockquote_open", "blockquote_close", "paragraph_open", "paragraph_close", "inline", "text",
                     "text_special"}  # fmt: skip


@given(MARKUP)
def test_quoted_words_are_shown_as_they_are(text):
    if "://" in text or "www." in text.casefold():
        return
    shown = READER.parse(f"> {escaped(text)} [S1]")[2].children
    assert "".join(token.content for token in shown) == f"{' '.join(clean(text).split())} [S1]".lstrip()


@given(MARKUP, MARKUP)
def test_a_link_leads_nowhere_else(title, rest):
    if any(sign.isspace() for sign in rest):
        return
    found = [token for token in tokens(link(title, f"https://acme.example/{rest}")) if token.type == "link_open"]
    assert len(found) <= 1
    assert all(token.attrs["href"].startswith("https://acme.example/") for token in found)


def test_only_the_web_is_linked_to():
    assert link("x", "javascript:alert(1)") == "x"
    assert link("a](b", "https://acme.example/a b") == "a\\](b"


@given(MARKUP)
def test_nothing_that_is_written_breaks_the_checks(text):
    draft = WrittenDraft(title="t", markdown=f"x{text}")
    assert len({each.id for each in check(draft, TASK)}) == 7
    foreign_markup(text)
    blocks(text)


def test_what_is_asked_does_not_end_the_gap_in_which_it_stands():
    hostile = replace(TASK, questions=("Why zeppelins]? Acme has 9 [", "A rigid] rack?"), format=DraftFormat.FAQ)
    draft = compose(hostile)
    assert GAP.sub("", draft.markdown).split("## Sources")[0].split() == ["##", "A", "rigid\\]", "rack?"]
    failed = {each.id for each in check(draft, hostile) if not each.passed}
    assert failed == {"answers_first", "brand_named", "gaps"}


@pytest.mark.parametrize(
    ("markdown", "failed"),
    [
        ("Acme bikes are best in snow with studded tyres [S1].\n\n## A\n\nx\n\n## B\n\ny", set()),
        ("## A\n\nAcme\n\n## B", {"answers_first"}),
        ("Nobody is best in snow with a bike [S1].\n\n## A\n\n## B", {"brand_named"}),
        ("Acme bikes are best in snow [S1].", {"headings"}),
        ("Acme bikes are best in snow.\n\n## A\n\n## B", {"superlatives"}),
        ("Acme bikes are best in snow [S1]. It has 9 dealers.\n\n## A\n\n## B", {"sourced"}),
        ("Acme bikes are best in snow [S1].\n\n## A\n\n> Buy now\n\n## B", {"sourced"}),
        ("Acme bikes are best in snow [S2].\n\n## A\n\n## B", {"sourced"}),
        ("Acme bikes are best in snow [S1].\n\n## A\n\n[add your test]\n\n## B", {"gaps"}),
        ("Acme bikes are best in snow [S1].\n\n## Is it the best?\n\nIs it the best?\n\n## B", set()),
        ("[add what Acme says of snow]\n\n## A\n\n## B", {"answers_first", "brand_named", "gaps"}),
        ("Acme bikes are best in snow [S1].\n\n## [add a question]\n\n## B", {"headings", "gaps"}),
        (
            "Acme bikes are best in snow [S1].\n\nIt has 9 dealers in [add where].\n\n## A\n\n## B",
            {"sourced", "gaps"},
        ),
        ("Acme bikes are best in snow [S1].\n\n[add a price. Under 9 euros?]\n\n## A\n\n## B", {"gaps"}),
        ("Acme bikes are best in snow [S1].\n\n[add the best tyres]\n\n## A\n\n## B", {"gaps"}),
    ],
)
def test_each_check_sees_its_own_fault(markdown, failed):
    checks = check(WrittenDraft(title="Which bike is best in snow?", markdown=markdown), TASK)
    assert {each.id for each in checks if not each.passed} == failed
