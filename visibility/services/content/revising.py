"""Where a page exists that answers already: which it is, and how a draft differs from it."""

from dataclasses import dataclass
from difflib import unified_diff

from brands.models import Brand
from visibility.detection.text.sentences import sentence_spans
from visibility.measured.own_pages import read_own_pages
from visibility.writers.markup import GAP, MARK, blocks
from visibility.writers.tasks import DraftTask

MAX_LINES = 400
MAX_DIFF_LENGTH = 60_000


@dataclass(frozen=True, slots=True)
class OwnText:
    """A page of the brand: its address, and its title, headings and sentences, one a line."""

    url: str
    text: str


def page_that_answers(brand: Brand, task: DraftTask) -> OwnText | None:
    """The own page that answers the first question already; None where none does."""
    match = read_own_pages(brand).answers(task.question)
    if match is None:
        return None
    lines = [line for block in match.page.text.splitlines() for line in _lines(block)]
    return OwnText(match.page.url, "\n".join([match.page.title, *lines[:MAX_LINES]]))


def difference(page_text: str, title: str, body: str) -> str:
    """A unified diff from a page to a text, sentence by sentence; marks and gaps are no text of it."""
    if not page_text:
        return ""
    texts = [(f"{'#' * block.depth} " if block.depth else "") + _plain(block.text) for block in blocks(body)]
    new = [title, *(line for text in texts for line in _lines(text))]
    old = page_text.splitlines()[:MAX_LINES]
    lines = unified_diff(old, new[:MAX_LINES], "page", "draft", lineterm="", n=2)
    return "\n".join(lines)[:MAX_DIFF_LENGTH]


def _plain(text: str) -> str:
    return " ".join(MARK.sub("", GAP.sub("[…]", text)).split())


def _lines(text: str) -> list[str]:
    return [" ".join(text[start:end].split()) for start, end in sentence_spans(text) if text[start:end].strip()]
