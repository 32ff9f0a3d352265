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
    assert len({each.id for each in check(draft, TASK)}) == 16
    foreign_markup(text)
    blocks(text)


def test_what_is_asked_does_not_end_the_gap_in_which_it_stands():
    hostile = replace(TASK, questions=("Why zeppelins]? Acme has 9 [", "A rigid] rack?"), format=DraftFormat.FAQ)
    draft = compose(hostile)
    assert GAP.sub("", draft.markdown).split() == ["##", "A", "rigid\\]", "rack?"]
    failed = {each.id for each in check(draft, hostile) if not each.passed}
    assert failed == {"answers_first", "questions", "headings", "brand_named", "length", "structured_data", "gaps"}


SAID = "With studded tyres an Acme bike helps in snow [S1]."


@pytest.mark.parametrize(
    ("markdown", "failed"),
    [
        (f"{SAID}\n\n## A\n\n## B", set()),
        ("## A\n\nAcme\n\n## B", {"answers_first", "questions", "sourced"}),
        ("Studded tyres help a bike in snow [S1].\n\n## A\n\n## B", {"brand_named"}),
        (SAID, {"headings"}),
        (f"{SAID} Acme is best.\n\n## A\n\n## B", {"sourced", "superlatives"}),
        ("With studded tyres Acme bikes are best in snow [S1].\n\n## A\n\n## B", {"supported"}),
        (f"{SAID} It has 9 dealers.\n\n## A\n\n## B", {"sourced"}),
        (f"{SAID} Acme welcomes everybody.\n\n## A\n\n## B", {"sourced"}),
        (f"{SAID} Studded tyres help in 9 kinds of snow [S1].\n\n## A\n\n## B", {"supported"}),
        (f"{SAID} Dealers welcome families [S1].\n\n## A\n\n## B", {"supported"}),
        (f"{SAID}\n\n## A\n\n> Buy now\n\n## B", {"sourced"}),
        (f"{SAID}\n\n## A\n\n```\nBuy now\n```\n\n## B", {"sourced"}),
        (f"{SAID}\n\n## A\n\n## B\n\n## Sources\n\n- [S1] Winter\n- Buy now at Acme.", {"sourced"}),
        (f"{SAID} Buy at [a dealer](https://dealer.example).\n\n## A\n\n## B", set()),
        ("With studded tyres an Acme bike helps in snow [S2].\n\n## A\n\n## B", {"sourced"}),
        (f"{SAID}\n\n## A\n\n[fact needed: your test]\n\n## B", {"gaps"}),
        (f"{SAID}\n\n## A\n\n[add your test]\n\n## B", {"gaps"}),
        (f"{SAID}\n\n## Is it the best?\n\nIs it the best?\n\n## B", set()),
        (f"{SAID}\n\n## We are the best\n\n## B", {"superlatives"}),
        (
            "[fact needed: what Acme says of snow]\n\n## A\n\n## B",
            {"answers_first", "questions", "brand_named", "gaps"},
        ),
        (f"{SAID}\n\n## [fact needed: a question]\n\n## B", {"headings", "gaps"}),
        (f"{SAID}\n\nIt has 9 dealers in [fact needed: where].\n\n## A\n\n## B", {"sourced", "gaps"}),
        (f"{SAID}\n\n[fact needed: a price. Under 9 euros?]\n\n## A\n\n## B", {"gaps"}),
        (f"{SAID}\n\n[fact needed: the best tyres]\n\n## A\n\n## B", {"gaps"}),
        (f"{SAID} Studded tyres are heavy [S3].\n\n## A\n\n## B", {"attributed", "answers_confirmed"}),
        (f"{SAID} chat says: “Studded tyres are heavy and loud.” [S3]\n\n## A\n\n## B", {"answers_confirmed"}),
        (
            f"{SAID} Somebody says: “Studded tyres are light.” [S3]\n\n## A\n\n## B",
            {"supported", "answers_confirmed"},
        ),
    ],
)
def test_each_check_sees_its_own_fault(markdown, failed):
    answer = Material("S3", "Studded tyres are heavy and loud.", "chat", answer="1", said_by="chat")
    task = replace(TASK, materials=(*TASK.materials, answer))
    checks = check(WrittenDraft(title="Which bike is best in snow?", markdown=markdown), task)
    assert {each.id for each in checks if not each.passed} - {"length"} == failed
