"""What a draft is checked for, whoever wrote it. A check that fails says what to do."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apikeys.text.sentences import counted
from visibility.evidence.types import Voice, WeighedClaim
from visibility.writers.checking import DraftCheck
from visibility.writers.manner import voice_check
from visibility.writers.markup import GAP, Block, blocks, body_of, gaps_in
from visibility.writers.outline import heading_of
from visibility.writers.protocol import WrittenDraft
from visibility.writers.structured import structured_check
from visibility.writers.tasks import DraftFormat, DraftTask
from visibility.writers.truth import truth_checks
from visibility.writers.words import names_any, wording_key

TITLE_LENGTH = range(15, 66)
MIN_HEADINGS = 2
LENGTHS = {
    DraftFormat.ARTICLE: range(250, 2_001),
    DraftFormat.FAQ: range(150, 1_501),
    DraftFormat.COMPARISON: range(200, 1_501),
    DraftFormat.LANDING: range(120, 1_001),
}
"""Words of a page of each kind: under it nothing is answered in full, above it nobody reads to the end."""


@dataclass(frozen=True, slots=True)
class Guide:
    """What is known of the brand and a draft must fit: how its pages speak, and what engines say of its claims."""

    voice: Voice | None = None
    claims: Sequence[WeighedClaim] = ()


def check(draft: WrittenDraft, task: DraftTask, guide: Guide | None = None, *, dropped: int = 0) -> list[DraftCheck]:
    """All checks of a draft, always the same ones in the same order. What stands in a gap is no text of it, nor are
    the lists at its end. `dropped` is how many sentences of the writer were left out for want of a source."""
    guide = guide or Guide()
    markdown = body_of(draft.markdown, task)
    text_blocks = blocks(markdown)
    body = list(_without_gaps(text_blocks))
    return [
        _title_length(draft.title),
        _answers_first(text_blocks, task),
        _questions(text_blocks, task),
        _headings(body),
        _brand_named(body, task),
        *truth_checks(markdown, task, guide.claims),
        voice_check(body, task, guide.voice),
        _length(body, task),
        structured_check(draft, task),
        _gaps(markdown),
        _dropped(dropped),
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


def _questions(text_blocks: Sequence[Block], task: DraftTask) -> DraftCheck:
    """Whether each question has an answer: a heading of it with text below that is no gap; the first at the top."""
    open_questions = [question for question in task.questions[1:] if not _is_answered(question, text_blocks)]
    if not task.questions[:1] or not _has_text(text_blocks, 0):
        open_questions[:0] = [task.question]
    if open_questions:
        message = (
            f"Answer {counted(len(open_questions), 'open question')}, the first of them: “{open_questions[0][:120]}”"
        )
    else:
        message = "Every question has an answer."
    return DraftCheck(id="questions", passed=not open_questions, message=message)


def _is_answered(question: str, text_blocks: Sequence[Block]) -> bool:
    key = wording_key(heading_of(question))
    return any(
        block.depth and wording_key(block.text) == key and _has_text(text_blocks, index + 1)
        for index, block in enumerate(text_blocks)
    )


def _has_text(text_blocks: Sequence[Block], first: int) -> bool:
    """Whether the blocks from there to the next heading say anything beside gaps."""
    for block in text_blocks[first:]:
        if block.depth:
            return False
        if GAP.sub("", block.text).strip():
            return True
    return False


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


def _length(body: Sequence[Block], task: DraftTask) -> DraftCheck:
    count = sum(len(block.text.split()) for block in body)
    low, high = LENGTHS[task.format][0], LENGTHS[task.format][-1]
    advice = "" if low <= count <= high else f" Pages of this kind have {low} to {high}."
    return DraftCheck(id="length", passed=not advice, message=f"The page has {count} words without its gaps.{advice}")


def _gaps(markdown: str) -> DraftCheck:
    count = len(gaps_in(markdown))
    message = f"Fill in {counted(count, 'marked gap')}: [fact needed: …]." if count else "No gap is left."
    return DraftCheck(id="gaps", passed=not count, message=message)


def _dropped(count: int) -> DraftCheck:
    message = (
        f"{counted(count, 'sentence', 'sentences')} of the writer had no source that says so and "
        f"{'was' if count == 1 else 'were'} left out."
        if count
        else "Nothing of what was written was left out."
    )
    return DraftCheck(id="left_out", passed=not count, message=message)
