"""In what language a text is, and how hard it is to read."""

import re

from py3langid import classify

MIN_WORDS = 100
MIN_WORDS_FOR_GRADE = 900
SAMPLE = 20_000
"""Characters that the language is told from."""

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_SENTENCE = re.compile(r"[.!?…。！？]+(?=[\s\"'”’)\]]|$)")  # noqa: RUF001


def detected_language(text: str, words: int) -> str:
    """The ISO 639-1 code of a text's language; empty under 100 words."""
    if words < MIN_WORDS:
        return ""
    return str(classify(text[:SAMPLE])[0])


def reading_grade(blocks: list[str]) -> float | None:
    """The automated readability index of a text: 4.71 × characters a word + 0.5 × words a sentence - 21.43.

    `blocks`: paragraphs; one without the end of a sentence is no prose and does not count. Null under 900 words.
    Source: Senter and Smith, Automated Readability Index, AMRL-TR-66-220 (1967).
    """
    characters = words = sentences = 0
    for block in blocks:
        tokens = _WORD.findall(block)
        ends = len(_SENTENCE.findall(block))
        if not tokens or not ends:
            continue
        words += len(tokens)
        characters += sum(map(len, tokens))
        sentences += ends
    if words < MIN_WORDS_FOR_GRADE:
        return None
    return round(4.71 * characters / words + 0.5 * words / sentences - 21.43, 1)
