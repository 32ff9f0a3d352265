"""In what language a text is."""

from py3langid import classify

MIN_WORDS = 100
SAMPLE = 20_000
"""Characters that the language is told from."""


def detected_language(text: str, words: int) -> str:
    """The ISO 639-1 code of a text's language; empty under 100 words."""
    if words < MIN_WORDS:
        return ""
    return str(classify(text[:SAMPLE])[0])
