"""Case endings that some languages join to a name: Finnish "Fazerin", Polish "Decathlonu", Hungarian "Boschnak".

An ending counts only in its own language, which the words around the name tell: the same letters end other words
elsewhere ("Rusta" is no Rust in Swedish). Languages that put an apostrophe before the ending (Turkish), and names
that change before it (Polish "Toyoty"), are not dealt with here.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from visibility.detection.text.languages import FOREIGN
from visibility.detection.text.words import parts_of_speech, word_set

_REACH = 240
_ENOUGH = 2
_MIN_NAME_LENGTH = 3
_MAX_ENDING_LENGTH = 9
_REST = re.compile(r"[^\W\d_]{1,9}(?![^\W_])")
_WORD = re.compile(r"[^\W\d_]+")


class _Language(NamedTuple):
    """`small`: its small words; `shape`: what a word of it often looks like; `endings`: of nouns, behind a name."""

    small: frozenset[str]
    shape: re.Pattern[str]
    endings: re.Pattern[str]


_FINNISH = _Language(
    word_set(
        """
        on ja ei se että mutta kun jos myös tai niin ovat joka mikä kuin vain voi sekä oli tämä hyvä ne ole
        """
    ),
    re.compile(r"\w+(?:ss[aä]|st[aä]|ll[aä]|lt[aä]|lle|v[aä]t|nen|mme|kin|aan|ään|een|iin|inta|tä|ksi)\Z"),
    re.compile(
        r"[ieu]?(?:n|[aä]|t[aä]|ss[aä]|st[aä]|ll[aä]|lt[aä]|lle|n[aä]|ksi|in|hin|seen|t|en|iden)(?:kin|kaan|kään"
        r"|k[oö])?"
    ),
)
_ESTONIAN = _Language(
    word_set("on ja ei et see kui aga ka mis kes oma või parem siis väga ning ta veel nii üks"),
    re.compile(r"\w*õ\w*|\w+(?:dus|mine|sse|takse|vad|line)\Z"),
    re.compile(r"[aeiu]?(?:[lt]|lt|le|ga|s|st|sse|ni|na|d|de|dega)?|i|u"),
)
_HUNGARIAN = _Language(
    word_set("a az és is nem egy van hogy vagy de csak ha mint jó meg el ezt erre már külön volt"),
    re.compile(r"\w*[őű]\w*|\w+(?:nak|nek|ban|ben|ból|tól|hoz|hez|val|vel|ára|ert|ért)\Z"),
    re.compile(
        r"n[ae]k|[oeöa]?t|b[ae]n?|b[óő]l|t[óő]l|n[áé]l|h[oeö]z|\w?[ae]l|[oeö]?n|r[ae]|r[óő]l|ig|ért|é|[oeö]?k"
        r"|j?[ae]i?"
    ),
)
_POLISH = _Language(
    word_set(
        """
        jest nie na się do to że w z dla ale są jak czy od po lub i a bardzo tylko przez przy bez za już ma
        można oraz jego
        """
    ),
    re.compile(r"\w*[ąęłńśźż]\w*|\w+(?:anie|owy|owa|owe|ego|ych)\Z"),
    re.compile(r"a|u|owi|i?em|i?e|y|i|ą|ę|om|ami|ach|ów"),
)
_CZECH = _Language(
    word_set(
        """
        je se na v že pro ale jsou nebo od do s z si má tak jako i po za to u ve ze byť bude aj sú pri iba
        """
    ),
    re.compile(r"\w*[ěřůďť]\w*|\w+(?:ých|ého|ích|ní|ost)\Z"),
    re.compile(r"a|u|em|om|ovi|y|ě|e|i|ou|ů|ům|ech|ách|ami|ov[aouy]?"),
)
_SOUTH_SLAVIC = _Language(
    word_set(
        """
        je i u na za se su s od do ali ili kao ne da što koji koja ima bez po in pa so ki pri tudi
        """
    ),
    re.compile(r"\w*[ćđ]\w*|\w+(?:nje|čki|ški|ovi|ima)\Z"),
    re.compile(r"a|u|om|em|i|e|ov[aeiou]?|ima|ama|ih"),
)
_BALTIC = _Language(
    word_set("ir yra su iš ar bet kad ne kaip tai un no par ka vai uz pie labi labai geras kur"),
    re.compile(r"\w*[ėįųāēīūģķļņ]\w*"),
    re.compile(r"o|ui|u|ą|e|as|is|us|ų|ams|ais|a|am|s|iem|os|ā|i|ī"),
)
_LANGUAGES = (_FINNISH, _ESTONIAN, _HUNGARIAN, _POLISH, _CZECH, _SOUTH_SLAVIC, _BALTIC)


def has_case_ending(folded: str, place: tuple[int, int], shown: str, start: int) -> bool:
    """Whether the name at `place` of the folded text, which stands at `start` of the shown one, has a capital and is
    followed by nothing but a case ending of the language around it."""
    name_start, end = place
    if not shown[start].isupper() or (end - name_start < _MIN_NAME_LENGTH and not shown[start : start + 2].isupper()):
        return False
    rest = _REST.match(folded, end, end + _MAX_ENDING_LENGTH + 1)
    if rest is None or not any(language.endings.fullmatch(rest[0]) for language in _LANGUAGES):
        return False
    around = _spoken(folded[max(0, name_start - _REACH) : end + _REACH])
    return any(language.endings.fullmatch(rest[0]) for language in around)


def is_inflecting(text: str) -> bool:
    """Whether a text is in one of these languages."""
    return bool(_spoken(text[:_REACH].casefold()))


@lru_cache(maxsize=256)
def _spoken(folded: str) -> tuple[_Language, ...]:
    """Which of the languages a text may be in, by how many of its words are theirs; none where more are of others."""
    words = _WORD.findall(folded)
    others = max(sum("f" in parts_of_speech(word) for word in words), sum(word in FOREIGN for word in words))
    signs = [
        sum(word in language.small or language.shape.fullmatch(word) is not None for word in words)
        if not language.small.isdisjoint(words)
        else 0
        for language in _LANGUAGES
    ]
    most = max(signs)
    if most < _ENOUGH or most <= others:
        return ()
    return tuple(language for language, count in zip(_LANGUAGES, signs, strict=True) if 3 * count > 2 * most)
