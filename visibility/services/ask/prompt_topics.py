"""Which of a brand's prompts a question is about, by words that it shares with their topics and wordings. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from visibility.detection.text.words import parts_of_speech
from visibility.services.ask.reading.kinds import means_a_kind
from visibility.services.ask.reading.products import english_words
from visibility.services.ask.vocabulary import all_of
from visibility.writers.words import content_words

MAX_NAMED = 3
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# Beside a topic these say nothing of it: "the TV market", "headphones prompts".
_GENERIC = frozenset(all_of(lambda words: words.names.of_any_topic))


@dataclass(frozen=True, slots=True)
class Wording:
    """A prompt with its topic, which is empty or its own text where nobody gave it one."""

    prompt: UUID
    text: str
    topic: str


@dataclass(frozen=True, slots=True)
class Narrowing:
    """The prompts that a question is about: by their topics, or by the `words` that they share with it."""

    words: str
    topics: Sequence[str]
    prompts: frozenset[UUID]

    def __str__(self) -> str:
        count = len(self.prompts)
        return f"{self.label} ({count} prompt{'' if count == 1 else 's'})"

    @property
    def label(self) -> str:
        """The topics by name, or where they have none or are many, the words."""
        named = self.topics if 0 < len(self.topics) <= MAX_NAMED else [self.words]
        return ", ".join(f"“{name}”" for name in named)


def narrowed_to(question: str, wordings: Collection[Wording]) -> Narrowing | None:
    """The prompts of the topics that the question speaks of; None where it speaks of none.

    A topic is meant by its whole name, or by a word that its name or half of its prompts or no other topic has; of
    topics that share a word those are meant that share most ("running shoes" is not about running watches).
    """
    question_stems = [stem for word in _WORD.findall(question) for stem in stems(word)]
    topics: dict[str, list[Wording]] = defaultdict(list)
    for wording in wordings:
        topics[wording.topic or wording.text].append(wording)
    texts = {name: [_content(wording.text) for wording in members] for name, members in topics.items()}
    spread = Counter(word for contents in texts.values() for word in set().union(*contents))
    words_by_topic = {name: _shared(question_stems, name, contents, spread) for name, contents in texts.items()}
    best = [
        name
        for name, words in words_by_topic.items()
        if words and not any(words < other for other in words_by_topic.values())
    ]
    if not best:
        return None
    shared = {word for name in best for word in words_by_topic[name]}
    words = shared - _GENERIC or shared
    topic_names = [name for name in best if any(wording.topic not in ("", wording.text) for wording in topics[name])]
    return Narrowing(
        words=" ".join(word for word in _WORD.findall(question) if words.intersection(stems(word))),
        topics=topic_names if len(topic_names) == len(best) else [],
        prompts=frozenset(wording.prompt for name in best for wording in topics[name]),
    )


def stems(word: str) -> list[str]:
    """A word without what plurals add, in lower case; a compound also by its parts, a product by its English name."""
    folded = re.sub(r"['’]s?$", "", word.casefold())
    parts = [folded, *folded.split("-")] if "-" in folded else [folded]
    return [stem for part in parts for stem in english_words(part) or (_singular(part),)]


def _singular(word: str) -> str:
    for ending, base in (("ies", "y"), ("ches", "ch"), ("shes", "sh"), ("sses", "ss"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + base
    return word[:-1] if len(word) > 2 and word[-1] == "s" and word[-2] not in "su" else word


def _shared(
    question_stems: Sequence[str], topic: str, texts: Sequence[set[str]], spread: Mapping[str, int]
) -> frozenset[str]:
    """The words of the question that are the topic's; empty where they say too little."""
    name = [stem for word in _WORD.findall(topic) for stem in stems(word)]
    counts = Counter(word for words in texts for word in words)
    topic_words = {
        word for word, count in counts.items() if 2 * count >= len(texts) or word in name or spread[word] == 1
    }
    shared_words = frozenset(word for word in question_stems if word in topic_words)
    if name and f" {' '.join(name)} " in f" {' '.join(question_stems)} " and _is_content(name):
        return shared_words | frozenset(name)
    return shared_words if any(_tells(word) for word in shared_words - _GENERIC) else frozenset()


def _is_content(name: Sequence[str]) -> bool:
    """Whether the words of a topic's name speak of something: "Why us" does not."""
    return any(word not in _GENERIC and _has_content(word) for word in name)


def _tells(word: str) -> bool:
    """Whether a word alone can mean a topic: no number, and none that asks for something else ("running")."""
    return not word.isdigit() and _has_content(word) and not means_a_kind(word)


def _content(text: str) -> set[str]:
    """What a text is about, in the spelling that words are compared in."""
    every = (stem for word in _WORD.findall(text) for stem in stems(word))
    return {stem for stem in every if _has_content(stem)}


def _has_content(stem: str) -> bool:
    return bool(content_words(stem)) and "f" not in parts_of_speech(stem)
