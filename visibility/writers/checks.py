"""What a draft is checked for, whoever wrote it. A check that fails says what to do."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from pydantic import BaseModel, Field

from visibility.writers.languages.language import LANGUAGES
from visibility.writers.markup import GAP, MARK, Block, blocks
from visibility.writers.protocol import WrittenDraft
from visibility.writers.tasks import DraftTask
from visibility.writers.words import names_any, wording_key

TITLE_LENGTH = range(15, 66)
MIN_HEADINGS = 2
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n")
_FIGURE = re.compile(r"\d")
_INLINE_QUOTE = re.compile(r"“[^”]*”")
_SUPERLATIVE = re.compile(
    rf"\b(?:{LANGUAGES.any_of(lambda language: language.words.superlatives)})\b|#1", re.IGNORECASE
)


class DraftCheck(BaseModel):
    """One thing that a draft was checked for."""

    id: str
    passed: bool
    message: str = Field(description="what was found, and what to do where it did not pass")


def check(draft: WrittenDraft, task: DraftTask) -> list[DraftCheck]:
    """All checks of a draft, always the same ones in the same order. What stands in a gap is no text of it."""
    text_blocks = blocks(draft.markdown)
    body = list(_without_gaps(text_blocks))
    return [
        _title_length(draft.title),
        _answers_first(text_blocks, task),
        _headings(body),
        _brand_named(body, task),
        _sourced(body, task),
        _superlatives(body),
        _gaps(draft.markdown),
    ]


def _without_gaps(body: Sequence[Block]) -> Iterator[Block]:
    """The blocks that say anything, without the gaps in them."""
    for block in body:
        text = GAP.sub("", block.text)
        if text.strip():
            yield replace(block, text=text)


def _title_length(title: str) -> DraftCheck:
    length, low, high = len(title), TITLE_LENGTH[0], TITLE_LENGTH[-1]
    advice = "" if length in TITLE_LENGTH else f" Bring it to {low} to {high}, which search results show whole."
    return DraftCheck(id="title_length", passed=not advice, message=f"The title has {length} characters.{advice}")


def _answers_first(body: Sequence[Block], task: DraftTask) -> DraftCheck:
    first = body[0].text if body and not body[0].depth else ""
    question_words = wording_key(task.question)
    # Its words without those of the question itself, which a quoted heading would bring along.
    statement = first.replace(task.question, "")
    passed = (
        bool(statement)
        and not GAP.search(first)
        and 2 * len(question_words & wording_key(statement)) >= len(question_words) > 0
    )
    message = (
        "The first paragraph speaks to the main question."
        if passed
        else f"Answer “{task.question}” in the first paragraph, in its own words: answers quote what stands first."
    )
    return DraftCheck(id="answers_first", passed=passed, message=message)


def _headings(body: Sequence[Block]) -> DraftCheck:
    count = sum(block.depth in (2, 3) for block in body)
    passed = count >= MIN_HEADINGS
    advice = "" if passed else f" Give the page at least {MIN_HEADINGS}, worded as people ask."
    return DraftCheck(id="headings", passed=passed, message=f"The page has {count} headings.{advice}")


def _brand_named(body: Sequence[Block], task: DraftTask) -> DraftCheck:
    subject = task.subject
    passed = any(names_any(block.text, [subject.name, *subject.names]) for block in body if not block.quote)
    message = f"{subject.name} is named." if passed else f"Name {subject.name} in the text, outside of quotes."
    return DraftCheck(id="brand_named", passed=passed, message=message)


def _sourced(body: Sequence[Block], task: DraftTask) -> DraftCheck:
    """Every quote and every sentence with a figure carries the mark of a source that there is."""
    known = {material.mark for material in task.materials}
    unknown = sorted({mark for block in body for mark in MARK.findall(block.text)} - known)
    bare = [text for text, quote in _claims(body) if (quote or _FIGURE.search(text)) and not MARK.search(text)]
    if unknown:
        message = f"{', '.join(unknown)} is not a source of this draft. Remove it, or give the source."
    elif bare:
        message = f"Give a source for {len(bare)} passage(s), the first of them: “{bare[0][:120]}”"
    else:
        message = "Every quote and every figure names its source."
    return DraftCheck(id="sourced", passed=not unknown and not bare, message=message)


def _superlatives(body: Sequence[Block]) -> DraftCheck:
    superlatives = [
        match[0]
        for text, quote in _claims(body)
        if not quote and not MARK.search(text) and not text.rstrip().endswith("?")
        for match in _SUPERLATIVE.finditer(text)
    ]
    advice = f"Show a source for “{superlatives[0]}”, or leave it out." if superlatives else ""
    message = advice or "No superlative stands without a source."
    return DraftCheck(id="superlatives", passed=not superlatives, message=message)


def _gaps(markdown: str) -> DraftCheck:
    count = len(GAP.findall(markdown))
    message = f"Fill in {count} marked gap(s): [add …]." if count else "No gap is left."
    return DraftCheck(id="gaps", passed=not count, message=message)


def _claims(body: Sequence[Block]) -> Iterator[tuple[str, bool]]:
    """The sentences that could claim something, and whether they are quotes. A quote is one claim as a whole; what
    stands between quotation marks inside a sentence is others' words."""
    for block in body:
        if block.depth or block.text.lstrip().startswith("[S"):
            continue
        if block.quote:
            yield block.text, True
            continue
        for sentence in _SENTENCE.split(_INLINE_QUOTE.sub("“…”", block.text)):
            if sentence.strip():
                yield sentence, False
