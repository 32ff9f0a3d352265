"""In which language a question is asked. Pure."""

import re
from functools import cache

from py3langid import rank

from apikeys.text.language_files import DEFAULT_LANGUAGE
from visibility.services.ask.reading.folding import folded
from visibility.services.ask.reading.vocabulary import QUESTION_WORDS

MIN_LETTERS = 12
"""Of a text that is told by its letters alone."""


def language_of(question: str) -> str:
    """The language that most of its telltale words are of; a tie, and a longer text without any, is told by its
    letters; English where nothing tells. Names should be signs in it."""
    text = question.lower()
    counts = {language: len(pattern.findall(text)) for language, pattern in _telltales().items()}
    most = max(counts.values())
    best = [language for language, count in counts.items() if count == most]
    if len(best) == 1:
        return best[0]
    letters = sum(letter.isalpha() for letter in text)
    if (most == 0 and letters < MIN_LETTERS) or not letters:
        return DEFAULT_LANGUAGE
    return next((language for language, _ in rank(folded(text)) if language in best), DEFAULT_LANGUAGE)


@cache
def _telltales() -> dict[str, re.Pattern[str]]:
    return {
        language: re.compile(rf"(?<!\w)(?:{'|'.join(words.telltale)})(?!\w)")
        for language, words in QUESTION_WORDS.items()
    }
