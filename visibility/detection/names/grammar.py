"""Whether an English word behind a name is its verb."""

from visibility.detection.names.lists import ENGLISH
from visibility.detection.text.words import parts_of_speech

UNCOUNTED = ENGLISH.uncounted
"""Nouns that can be the subject of a sentence without an article."""


def may_be_predicate(word: str, later: str) -> bool:
    """Whether `word` can be the verb of which a single thing before it is the subject ("charges no fee").

    A word that is a plural noun as well only is where it is one of the verbs that tell, or an article follows.
    """
    word, later = word.lower(), later.lower()
    if word in ENGLISH.subject_verbs or _is_past(word):
        return True
    if word in ENGLISH.telling_verbs and later not in ENGLISH.plural_verbs | ENGLISH.told_of_many:
        return True
    kinds = parts_of_speech(word)
    if not word.endswith("s") or word.endswith("ss") or (kinds and "v" not in kinds):
        return False
    return "n" not in kinds or _has_object(later)


def _is_past(word: str) -> bool:
    stems = (word[:-1], word[:-2], word[:-3] if word[-4:-3] == word[-3:-2] else "")
    return word.endswith("ed") and any("v" in parts_of_speech(stem) for stem in stems)


def _has_object(later: str) -> bool:
    """Whether what follows a verb in the third person is an object, or tells how."""
    following = parts_of_speech(later)
    if (later in ENGLISH.determiners and later != "that") or later in ENGLISH.how:
        return True
    # Of two plurals in a row the first is a verb ("structures interviews").
    is_plural = later.endswith("s") and "n" in following and later not in ENGLISH.telling_verbs
    return "f" not in following and ("r" in following or is_plural)
