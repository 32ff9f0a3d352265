"""English labels under which several answers judge what they offer: what counting knows where nobody has read."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from visibility.answers.text import AnswerText
from visibility.detection.splitting import Line
from visibility.detection.titles import introduces, is_offer
from visibility.detection.visible import Span
from visibility.detection.words import FUNCTION, parts_of_speech, word_set
from visibility.evidence.resources import LONGEST_QUOTE
from visibility.evidence.words import stems

LEAST_ANSWERS = 3
LEAST_ENGINES = 2
LEAST_PROMPTS = 3
"""A label counts from three answers: of two engines, or to three prompts."""
MOST_WORDS = 4
MOST_QUOTES = 5
LEAST_BEHIND = 12
"""Characters behind a label that say something."""
_ENGLISH_SHARE = 0.1
_LONGEST = 60
_CUT = re.compile(r"[:：]|\s[–—-]\s|\s?[(（\[]|\s→|[.!?](?:\s|$)|\s=\s|\0|\xa0")
_BEHIND = re.compile(r"[\s*_]{0,4}(?:[:：–—\n\0\xa0-]|$)")
_JOINT = re.compile(r"\s?[/&+,]\s?|\s(?:and|or)\s", re.IGNORECASE)
_SIGNS = " \t\n\0\xa0*_#:|\"'“”•–—.,;!"
_NO_LABEL = FUNCTION - {"of"} | {"vs", "versus"}
# Nouns that label a part of an answer, a thing or a person: nobody chooses by them.
_PARTS = word_set(
    """
    pro con strength weakness drawback downside limitation advantage disadvantage benefit feature spec specification
    highlight difference takeaway consideration factor tip note caveat warning recommendation suggestion advice
    verdict thought summary conclusion overview comparison table list guide review rating score rank ranking item name
    model make brand company category criterion option alternative example type kind tool website link url source
    store retailer date year reason pick choice winner step question answer tier
    """
)


@dataclass(frozen=True)
class TopicAnswer:
    """An answer on a topic; `untracked`: names that it offers and that nobody tracks."""

    id: int
    engine: str
    prompt: str
    question: str
    text: AnswerText
    untracked: Sequence[str] = ()

    @cached_property
    def is_english(self) -> bool:
        """Whether enough of its words are small words of English."""
        words = stems(self.text.seen.text)
        return sum(word in FUNCTION for word in words) >= _ENGLISH_SHARE * len(words)


class Use(NamedTuple):
    """A label in an answer: its words, where it starts and ends in the visible text, and where its line ends."""

    answer: TopicAnswer
    words: str
    start: int
    end: int
    stop: int


class Label(NamedTuple):
    """A label as it is spelt most often, with its places."""

    name: str
    uses: Sequence[Use]

    @property
    def answers(self) -> int:
        """How many answers use it."""
        return len({use.answer.id for use in self.uses})

    @property
    def by_engine(self) -> Mapping[str, int]:
        """How many answers of each engine use it."""
        return Counter(engine for _, engine in {(use.answer.id, use.answer.engine) for use in self.uses})

    @property
    def quoted(self) -> Sequence[Use]:
        """One use an answer, first those with words behind the label."""
        chosen: dict[int, Use] = {}
        for use in sorted(self.uses, key=lambda use: (use.stop - use.end <= LEAST_BEHIND, use.answer.id, use.start)):
            chosen.setdefault(use.answer.id, use)
        return list(chosen.values())[:MOST_QUOTES]


def find_labels(answers: Sequence[TopicAnswer]) -> list[Label]:
    """The labels of the English answers on a topic, those of most answers first. Answers that judge without a label
    are not counted, so each number is a lower bound. In time linear in the texts."""
    english = [answer for answer in answers if answer.is_english]
    asked = frozenset(stem for question in {answer.question for answer in english} for stem in stems(question))
    untracked = {stems(name)[:1] for answer in english for name in answer.untracked}
    uses: dict[tuple[str, ...], list[Use]] = defaultdict(list)
    for answer in english:
        for use in _uses(answer):
            key = stems(use.words)
            if key[-1] not in asked | _PARTS and key[:1] not in untracked:
                uses[key].append(use)
    usual = {key: rows for key, rows in uses.items() if _is_usual(rows) and not _is_offered(rows)}
    labels = [Label(_spelt(key, rows), rows) for key, rows in _merged(usual).items()]
    return sorted(labels, key=lambda each: (-each.answers, each.name))


def quoted_span(use: Use) -> Span:
    """The visible text of a use that is quoted: the label and what is behind it, cut at a word."""
    shown = use.answer.text.seen.text
    end = min(use.stop, use.start + LONGEST_QUOTE)
    words = shown[use.start : end]
    if end < use.stop and " " in words and shown[end].isalnum():
        words = words[: words.rindex(" ")]
    return use.start, use.start + len(words.rstrip(" \0\xa0\n|"))


def _uses(answer: TopicAnswer) -> Iterator[Use]:
    """The labels of an answer that may say what is judged by."""
    seen = answer.text.seen
    for line in seen.lines:
        place = _label_at(seen.text, line)
        if place is None or answer.text.named_in(*place):
            continue
        for part in _JOINT.split(seen.text[slice(*place)]):
            if _is_noun(part):
                yield Use(answer, part, *place, line.end)


def _label_at(shown: str, line: Line) -> Span | None:
    """Where a line has its label: a heading, words before a colon, bold ones, the first cell of a row or column."""
    if line.kind in ("text", "card") or (line.kind == "cell" and line.row and line.column):
        return None
    stop = min(line.end, line.body + _LONGEST + 2)
    cut = _CUT.search(shown, line.body, stop)
    end = min(cut.start() if cut else stop, line.head)
    is_cut = cut is not None and cut.start() <= line.head and cut[0][-1:] in ":：–—-"
    is_set_apart = line.kind in ("heading", "title", "cell", "point") or (
        line.head < line.end - 1 and _BEHIND.match(shown, line.head)
    )
    if not (is_cut or is_set_apart):
        return None
    text = shown[line.body : end]
    start = line.body + len(text) - len(text.lstrip(_SIGNS))
    end = line.body + len(text.rstrip(_SIGNS))
    return (start, end) if 2 < end - start <= _LONGEST else None


def _is_noun(label: str) -> bool:
    """Whether a label is a noun with plain words of English before it, and does not announce what is on offer."""
    words = label.casefold().replace("-", " ").split()
    if not 0 < len(words) <= MOST_WORDS or not _NO_LABEL.isdisjoint(words) or is_offer(label) or introduces(label):
        return False
    return all(word.isalpha() and parts_of_speech(word) for word in words) and "n" in parts_of_speech(words[-1])


def _is_usual(uses: Sequence[Use]) -> bool:
    answers = [use.answer for use in uses]
    engines, prompts = {answer.engine for answer in answers}, {answer.prompt for answer in answers}
    is_asked_often = len(engines) >= LEAST_ENGINES or len(prompts) >= LEAST_PROMPTS
    return is_asked_often and len({answer.id for answer in answers}) >= LEAST_ANSWERS


def _is_offered(uses: Sequence[Use]) -> bool:
    """Whether half of its places are things on offer: then it is a name."""
    return 2 * sum(use.answer.text.is_offered_at(use.start, use.end) for use in uses) >= len(uses)


def _merged(uses: Mapping[tuple[str, ...], Sequence[Use]]) -> dict[tuple[str, ...], list[Use]]:
    """With what only narrows a more usual label counted there: "Lifetime warranty" as "Warranty"."""
    merged: dict[tuple[str, ...], list[Use]] = {}
    for key in sorted(uses, key=lambda key: (-len(uses[key]), len(key), key)):
        wider = (key[start:] for start in range(1, len(key)))
        merged.setdefault(next((each for each in wider if each in merged), key), []).extend(uses[key])
    return merged


def _spelt(key: tuple[str, ...], uses: Sequence[Use]) -> str:
    """The most usual spelling, with capitals at the beginning and in short forms only."""
    [(words, _)] = Counter(use.words.strip() for use in uses if stems(use.words) == key).most_common(1)
    small = " ".join(word if sum(map(str.isupper, word)) > 1 else word.lower() for word in words.split())
    return small[:1].upper() + small[1:]
