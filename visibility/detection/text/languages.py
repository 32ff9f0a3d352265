"""Whether a line is written in English or in another language, by its small words."""

import re
from functools import lru_cache

from visibility.detection.text.words import parts_of_speech, word_set

_LONGEST = 600
_WORD = re.compile(r"[^\W\d_]+")

_GERMAN = word_set(
    """
    aber als am an auch bereits dabei damit drei zwei vier gibt haben immer kostet man nichts schon werden wurde
    auf aus bei beim bevor bis da das dem den denn der des die doch dort ein eine einem einen
    einer eines es f\u00fcr gegen hat ich ihr im ist kann kein keine mehr mein meine mit nach nicht noch nur ob oder
    ohne sehr sich sie sind sowie statt trotzdem und unser unter viel vom von vor was weil welche welcher wenn wer
    wie wir wird wo zu zum zur zwischen \u00fcber
    """
)
_ROMANCE_AND_DUTCH = word_set(
    """
    al deze geen kan kunnen maar nog wordt zijn anche au aux avec bij ce cette che chez chi col com comme como con
    cuando da dal dans de del della des desde di do donde dos du e el elle em en ens entre es est et gli het ik il
    je la las le les leur lo los ma mais mas mes mi mon na naar ne nel nella niet no non nos notre o om ook os ou
    op par para pas pelo per pero plus por pour qu que qui quale quel quelle sans se selon sem senza si sin sobre
    son sono sous su sul sur tamb\u00e9n te toch tra tu um uma un una une uno van vous voor wij y zonder
    """
)
FOREIGN = _GERMAN | _ROMANCE_AND_DUTCH
"""Small words of German, French, Spanish, Italian, Portuguese and Dutch, in lower case."""

GERMAN_ARTICLES = word_set(
    """
    der die das den dem des ein eine einen einem einer eines kein keine keinen keiner diese dieser dieses jede jeder
    jedes n\u00e4chste n\u00e4chsten erste ersten viele mehrere
    """
)
ARTICLES = GERMAN_ARTICLES | word_set(
    "l un une le la les des du cette ces el los las una unos unas il lo gli i uno o os as um uma het een"
)
"""What stands before a common noun of these languages."""


@lru_cache(maxsize=2_048)
def is_foreign(text: str) -> bool:
    """Whether more small words of other languages than of English stand in a text."""
    words = [word.lower() for word in _WORD.findall(text[:_LONGEST])]
    return sum(word in FOREIGN for word in words) > sum("f" in parts_of_speech(word) for word in words)


@lru_cache(maxsize=2_048)
def is_german(text: str) -> bool:
    """Whether a text is in German, where every noun has a capital."""
    words = [word.lower() for word in _WORD.findall(text[:_LONGEST])]
    german = sum(word in _GERMAN for word in words)
    return german > sum("f" in parts_of_speech(word) for word in words) and german >= sum(
        word in _ROMANCE_AND_DUTCH for word in words
    )
