"""Folds a text so that names compare equal however they are typed, and keeps where each character came from.

Case, width, composed and decomposed letters, kinds of dashes, quotes and spaces do not matter; letters with
different accents stay different. A dash inside a word counts as a space, so "Coca-Cola" equals "Coca Cola".
"""

import re
import unicodedata

from visibility.detection.text.mapped import MappedText

# More accents on one letter than any language has; sorting an endless pile of them would take quadratic time.
_MAX_CLUSTER_LENGTH = 32
_DROPPED = "\u200d"
SOFT_BREAKS = frozenset("\u200b\ufffd")
"""Without width, or in place of NUL: these part words, and do not part the letters of a name."""
_DASHES = "\u2010\u2011\u2012\u2013\u2212\ufe63"
STROKES = frozenset("\u0305\u0332\u0333\u0335\u0336\u0337\u0338\u033f")
"""Lines through, above or below a letter: style."""
# Strokes and lines through or under letters are style, as are the signs of trade marks.
_INVISIBLE = (
    "\u0305\u0332\u0333\u0335\u0336\u0337\u0338\u033f\u034f\u00ae\u2120\u2122"
    "\u00ad\u061c\u115f\u1160\u180e\u3164\uffa0\ufffd\u200b\u200c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_INVISIBLE_RANGES = (
    range(0x01, 0x09),
    range(0x0E, 0x1C),
    range(0x7F, 0x85),
    range(0x86, 0xA0),
    range(0x20DD, 0x20E1),
    range(0x2061, 0x2065),
    range(0xFE00, 0xFE10),
    range(0xFFF9, 0xFFFC),
    range(0xE0000, 0xE0080),
)


def _styled() -> dict[int, str]:
    """Forms that have one plain character: full and half width, letters and digits in circles, squares and of
    mathematics."""
    ranges = (
        range(0xFF01, 0xFFEF),
        range(0x2100, 0x2140),
        range(0x24B6, 0x24EA),
        range(0x1D400, 0x1D800),
        range(0x1F130, 0x1F14A),
    )
    plain = {code: unicodedata.normalize("NFKC", chr(code)) for codes in ranges for code in codes}
    # White letters on black circles and squares have no plain form in Unicode's own tables.
    plain |= {first + place: chr(65 + place) for first in (0x1F150, 0x1F170) for place in range(26)}
    return {code: text for code, text in plain.items() if len(text) == 1 and text != chr(code)}


# Each replaces one character by one, so that offsets stay as they are.
_ONE_TO_ONE = {
    **_styled(),
    **dict.fromkeys(map(ord, _DASHES), "-"),
    **dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u2032\u00b4`"), "'"),
    **dict.fromkeys(map(ord, "\u201c\u201d\u201f\u2033"), '"'),
    **dict.fromkeys(map(ord, _INVISIBLE), _DROPPED),
    **{code: _DROPPED for codes in _INVISIBLE_RANGES for code in codes},
    **dict.fromkeys(map(ord, "\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000"), " "),
    **dict.fromkeys(range(0x2000, 0x200B), " "),
}
_ONE_TO_ONE[0xFF0D] = "-"

_MANY_SPACES = re.compile(r"\s\s")
_SPACES = dict.fromkeys(map(ord, "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85"), " ")
_DOT_ABOVE = "\u0307"
_DOTTED_I = "i\u0307"
"""What the dotted capital of Turkish becomes in lower case; as a name it is an i."""
_DASH = re.compile(r"(?<=\w)-(?=\w)")
_KEPT = re.compile(f"[^{_DROPPED}]+")
_SPECIAL = re.compile(
    r"""(?P<space> \s{2,} | [^\S ] )            # every run of white space is one space
      | (?P<dash> (?<=\w) - (?=\w) )
      | (?P<letters> [\x21-\x7e]? [^\x00-\x7f]+ )  # with the letter that a first accent may belong to
    """,
    re.VERBOSE,
)


def _without_accent(letter: str) -> str:
    plain = unicodedata.normalize("NFD", letter)[0]
    return plain if plain.isascii() and letter not in "\u00e4\u00f6\u00fc\u00e5" else letter


_UNACCENTED = {code: _without_accent(chr(code)) for code in range(0xE0, 0x250) if chr(code).islower()}
"""Letters by those that people type who lack the accent. Umlauts and the Nordic ring are letters of their own:
"b\u00f6se" is not Bose."""


def unaccented(folded: str) -> str:
    """A folded text without accents, as long as it was."""
    return folded if folded.isascii() else folded.translate(_UNACCENTED)


def fold(text: str) -> MappedText:
    """The folded text; its source spans are offsets into `text`. Takes any string, in time linear in its length."""
    levelled = text.translate(_ONE_TO_ONE)
    if _DROPPED not in levelled:
        return _fold(levelled, MappedText())
    kept = MappedText()
    for part in _KEPT.finditer(levelled):
        kept.copy(part.group(), part.start())
    return _fold(kept.text, MappedText(kept))


def _fold(levelled: str, folded: MappedText) -> MappedText:
    if not _MANY_SPACES.search(levelled) and _is_composed(levelled):
        flat = _DASH.sub(" ", levelled).translate(_SPACES).casefold()
        if len(flat) == len(levelled) and _DOT_ABOVE not in flat and _is_composed(flat):
            folded.copy(flat, 0)
            return folded
    done = 0
    for special in _SPECIAL.finditer(levelled):
        start, end = special.span()
        folded.copy(levelled[done:start].lower(), done)
        if special.lastgroup == "letters":
            _fold_letters(folded, special.group(), start)
        else:
            folded.substitute(" ", start, end - start)
        done = end
    folded.copy(levelled[done:].lower(), done)
    return folded


def _fold_letters(folded: MappedText, run: str, origin: int) -> None:
    plain = run.casefold()
    if len(plain) == len(run) and _DOT_ABOVE not in plain and _is_composed(run) and _is_composed(plain):
        folded.copy(plain, origin)
        return
    start = 0
    while start < len(run):
        end = start + 1
        while end < min(len(run), start + _MAX_CLUSTER_LENGTH) and _continues(run[end]):
            end += 1
        cluster = unicodedata.normalize("NFC", run[start:end])
        plain = cluster.casefold().replace(_DOTTED_I, "i")
        folded.substitute(unicodedata.normalize("NFC", plain), origin + start, end - start)
        start = end


def _is_composed(text: str) -> bool:
    return unicodedata.is_normalized("NFC", text)


def _continues(char: str) -> bool:
    """Whether the character belongs to the letter before it: an accent, or the rest of a Korean syllable."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
