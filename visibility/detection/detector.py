"""Which subjects an answer mentions, where, and in which order."""

from collections.abc import Iterator, Sequence

from visibility.detection.folding import fold
from visibility.detection.mapped import MappedText
from visibility.detection.matching import Dictionary, Match, settle
from visibility.detection.scripts import is_unspaced, is_word_character
from visibility.detection.spans import Spans
from visibility.detection.types import FoundMention
from visibility.detection.visible import VisibleText, visible
from visibility.engines.protocol import Source

DETECTOR_VERSION = "1"
"""Changes with every change of what is found; answers looked through by another version are looked through again."""

_ECHO_WORDS = 3
_ECHO_UNSPACED = 12


def detect(text: str, prompt: str, sources: Sequence[Source], dictionary: Dictionary) -> list[FoundMention]:
    """All mentions in an answer's visible prose, by their place.

    `prompt` is the question as it was asked: where the answer repeats it word for word, the names in it do not
    count. `sources` are the answer's, so that links that only name their source are told apart from prose.
    Where names overlap the longest counts; a name that two subjects share counts for both. `rank` is the order
    in which the subjects are first mentioned. Takes any string, in time linear in its length.
    """
    seen = visible(text, sources)
    shown = seen.prose.text
    folded = fold(shown)
    echoes = Spans(_echoes(folded.text, prompt))
    matches = settle(
        match
        for match in dictionary.occurrences(folded, shown)
        if not echoes.touches(match.start, match.end) and _counts(seen, *folded.source_span(match.start, match.end))
    )
    return _ranked(text, matches, seen, folded)


def named_in(prompt: str, dictionary: Dictionary) -> frozenset[str]:
    """The subjects that a prompt names, which makes it branded for them; of overlapping names each one counts."""
    return frozenset(subject for match in dictionary.occurrences(fold(prompt), prompt) for subject in match.subjects)


def _counts(seen: VisibleText, start: int, end: int) -> bool:
    """Whether a name at this place counts: not where it is hidden, in inline code only where it fills it."""
    if seen.hidden.touches(start, end):
        return False
    if not seen.code.touches(start, end):
        return True
    holding = seen.code.holding(start, end)
    return holding is not None and seen.prose.text[slice(*holding)].strip() == seen.prose.text[start:end]


def _ranked(text: str, matches: Sequence[Match], seen: VisibleText, folded: MappedText) -> list[FoundMention]:
    ranks: dict[str, int] = {}
    mentions = []
    for match in matches:
        start, end = seen.prose.source_span(*folded.source_span(match.start, match.end))
        for subject in match.subjects:
            rank = ranks.setdefault(subject, len(ranks) + 1)
            mentions.append(FoundMention(subject, start, end, text[start:end], rank, match.rule))
    return mentions


def _echoes(answer: str, prompt: str) -> Iterator[tuple[int, int]]:
    """Where the folded answer repeats the prompt word for word; a word or two is no question to repeat."""
    question = fold(prompt).text.strip(" \t?!.:;,\"'")
    if len(question.split()) < _ECHO_WORDS and sum(map(is_unspaced, question)) < _ECHO_UNSPACED:
        return
    start = answer.find(question)
    while start >= 0:
        end = start + len(question)
        before, after = answer[start - 1 : start] if start else "", answer[end : end + 1]
        if not any(char and is_word_character(char) for char in (before, after)):
            yield start, end
        start = answer.find(question, end)
