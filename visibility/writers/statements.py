"""What a page states, sentence by sentence, and whether its sources say so, whoever wrote it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from apikeys.text.sentences import one_line
from visibility.writers.languages.language import LANGUAGES, language_for
from visibility.writers.markup import GAP, MARK, Block
from visibility.writers.quotable import MIN_WORDS
from visibility.writers.tasks import DraftTask, Material
from visibility.writers.words import content_words, names_any

MIN_SHARE = 0.7
"""Share of what a sentence is about that its sources must be about too; the rest is how it is worded."""
SUPERLATIVE = re.compile(
    rf"\b(?:{LANGUAGES.any_of(lambda language: language.words.superlatives)})\b|#1", re.IGNORECASE
)
FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
INLINE_QUOTE = re.compile(r"“[^”]*”")
_LATE_MARKS = re.compile(r"([.!?…]+)((?:\s*\[S\d+\])+)")
_END = re.compile(r"(?<=[.!?…])\s+|\n|(?<=\])\s+(?=[“\"']?[^\W_a-z\d])")
_HELD = re.compile(r"\ue000(\d+)\ue001")
_QUOTE_SIGNS = str.maketrans("“”„«»‘’", '"""""\'\'')  # noqa: RUF001 -- quotation marks are alike


class Fault(StrEnum):
    """What is wrong with a sentence."""

    BARE = "bare"
    UNKNOWN = "unknown"
    UNSUPPORTED = "unsupported"
    UNATTRIBUTED = "unattributed"


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence of the text, with its marks before its end; `quote`: it stands in a block quote."""

    text: str
    quote: bool = False

    @property
    def marks(self) -> list[str]:
        """The marks of the sources that it names."""
        return MARK.findall(self.text)

    @property
    def is_question(self) -> bool:
        """Whether it asks."""
        return MARK.sub("", self.text).rstrip(" ”\"'").endswith("?")

    @property
    def bare(self) -> str:
        """Its words without marks and gaps."""
        return one_line(MARK.sub("", GAP.sub("", self.text)))


def statements(blocks: Sequence[Block]) -> Iterator[Statement]:
    """The sentences of the blocks that say anything beside gaps; headings are none. A block quote is one."""
    for block in blocks:
        if block.depth:
            continue
        parts = [_LATE_MARKS.sub(r"\2\1", block.text)] if block.quote else sentences(block.text)
        for text in parts:
            statement = Statement(text, block.quote)
            if re.search(r"\w", statement.bare):
                yield statement


def sentences(text: str) -> list[str]:
    """The sentences of a block. Words between quotation marks and in gaps end none; a mark behind the end of a
    sentence belongs to it."""
    kept_parts: list[str] = []

    def hold(match: re.Match[str]) -> str:
        kept_parts.append(match[0])
        return f"\ue000{len(kept_parts) - 1}\ue001"

    text = text.replace("\ue000", "").replace("\ue001", "")
    whole = INLINE_QUOTE.sub(hold, GAP.sub(hold, text))
    parts = _END.split(_LATE_MARKS.sub(r"\2\1", whole))
    return [_restored(part, kept_parts) for part in parts if part.strip()]


def _restored(text: str, kept_parts: Sequence[str]) -> str:
    while _HELD.search(text):
        text = _HELD.sub(lambda match: kept_parts[int(match[1])], text)
    return text.strip()


@dataclass(frozen=True)
class Judge:
    """Judges sentences by the sources of a task."""

    task: DraftTask

    def fault(self, statement: Statement, *, linked: bool = False) -> Fault | None:
        """What is wrong with a sentence; None where nothing is. `linked`: it links to a page, which is its source."""
        if not statement.marks:
            return None if linked else Fault.BARE
        sources = [self._sources[mark] for mark in statement.marks if mark in self._sources]
        if len(sources) < len(statement.marks):
            return Fault.UNKNOWN
        if not self._is_supported(statement, sources):
            return Fault.UNSUPPORTED
        if not any(source.own for source in sources) and not self._is_attributed(statement, sources):
            return Fault.UNATTRIBUTED
        return None

    @cached_property
    def _sources(self) -> dict[str, Material]:
        return {material.mark: material for material in self.task.materials}

    @cached_property
    def _neutral(self) -> frozenset[str]:
        """Words that claim nothing: of names, the topic and the phrases around quotes."""
        phrases = language_for(self.task.locale).draft
        around = [phrases.of_brand.format(source="", name="", words=""), phrases.advice.format(source="", words="")]
        return content_words(" ".join([*self._names, self.task.topic, *around]))

    @cached_property
    def _names(self) -> tuple[str, ...]:
        return (self.task.subject.name, *self.task.subject.names)

    @cached_property
    def _asked_figures(self) -> set[str]:
        return set(FIGURE.findall(" ".join([self.task.topic, *self.task.questions, *self._names])))

    def _is_supported(self, statement: Statement, sources: Sequence[Material]) -> bool:
        """Whether the sources hold most of its words, and each of its figures, competitors and superlatives."""
        said = " ".join(material.text for material in sources)
        origins = " ".join(f"{material.source} {material.said_by} {material.of}" for material in sources)
        words = content_words(statement.bare) - self._neutral - content_words(origins)
        if len(words & content_words(said)) < MIN_SHARE * len(words):
            return False
        figures = set(FIGURE.findall(statement.bare)) - self._asked_figures - set(FIGURE.findall(origins))
        rivals = [rival for rival in self.task.subject.rivals if names_any(statement.bare, [rival])]
        return (
            figures <= set(FIGURE.findall(said))
            and all(names_any(f"{said} {origins}", [rival]) for rival in rivals)
            and all(match[0].casefold() in said.casefold() for match in SUPERLATIVE.finditer(statement.bare))
        )

    def _is_attributed(self, statement: Statement, sources: Sequence[Material]) -> bool:
        """Whether words of others stand as theirs: quoted word for word, or with who says them."""
        quotes = [quote[1:-1] for quote in INLINE_QUOTE.findall(statement.bare)]
        quotes = [statement.bare] if statement.quote else quotes
        said = [_level(material.text) for material in sources]
        verbatim = any(
            len(quote.split()) >= MIN_WORDS and any(_level(quote) in text for text in said) for quote in quotes
        )
        return verbatim or names_any(
            INLINE_QUOTE.sub("", statement.bare), [material.said_by or material.source for material in sources]
        )


def _level(text: str) -> str:
    return one_line(text).translate(_QUOTE_SIGNS).casefold().rstrip(".!?… ")
