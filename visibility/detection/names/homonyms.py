"""Names in scripts without capitals, or in languages where nouns have them, that are also plain words."""

from visibility.detection.names.lists import PLAIN_WORDS

WORDS_WITHOUT_CAPITALS = PLAIN_WORDS.chinese | PLAIN_WORDS.japanese | PLAIN_WORDS.korean | set(PLAIN_WORDS.beside)
"""Names in Chinese characters, kana and hangul that are also plain words, or parts of them."""

NOUNS = PLAIN_WORDS.german | PLAIN_WORDS.french | PLAIN_WORDS.spanish_italian_portuguese
"""Words of German and of Romance languages that companies are called after."""


def plain_meaning_beside(name: str) -> frozenset[str]:
    """What stands in the line where the plain word is meant."""
    return PLAIN_WORDS.beside.get(name, frozenset())
