"""How hard a text is to read. Apart from what tells its language: that costs a second to import."""

import re

MIN_WORDS_FOR_GRADE = 900

_WORD = re.compile(r"[^\W_]+(?:['’\-][^\W_]+)*")
_SENTENCE = re.compile(r"(?<![.!?…。！？])[.!?…。！？]++(?=[\s\"'”’)\]]|$)")  # noqa: RUF001


def words_of(text: str) -> list[str]:
    """The words of a text, each with its apostrophes and hyphens."""
    return _WORD.findall(text)


def reading_grade(blocks: list[str], *, min_words: int = MIN_WORDS_FOR_GRADE) -> float | None:
    """The automated readability index of a text: 4.71 × characters a word + 0.5 × words a sentence - 21.43.

    `blocks`: paragraphs; one without the end of a sentence is no prose and does not count. Null under `min_words`.
    Source: Senter and Smith, Automated Readability Index, AMRL-TR-66-220 (1967).
    """
    characters = words = sentences = 0
    for block in blocks:
        tokens = words_of(block)
        ends = len(_SENTENCE.findall(block))
        if not tokens or not ends:
            continue
        words += len(tokens)
        characters += sum(map(len, tokens))
        sentences += ends
    if words < min_words:
        return None
    return round(4.71 * characters / words + 0.5 * words / sentences - 21.43, 1)
