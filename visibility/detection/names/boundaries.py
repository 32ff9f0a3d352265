"""Whether a name stands for itself where its letters stand, or is a part of another word, address or file name."""

import re

from visibility.detection.names.inflection import has_case_ending
from visibility.detection.names.tokens import in_address
from visibility.detection.text.folding import SOFT_BREAKS
from visibility.detection.text.scripts import ends_word, is_prefix, is_word_character, may_be_followed, starts_word

_WINDOW = 200
_PLURAL = re.compile(r"(?:s|es)(?![^\W_])")
_TAKES_ES = ("s", "x", "z", "ch", "sh")
_CYRILLIC_CASE = re.compile(
    r"(?:\u0430|\u0443|\u043e\u043c|\u0435|\u044b|\u0438|\u043e\u0439|\u043e\u0432|\u0430\u043c|\u0430\u043c\u0438"
    r"|\u0430\u0445|\u044e|\u044f|\u0435\u043c|\u0435\u0439)(?![^\W_])"
)
# A product card, as shops print it without spaces: a price or a rating with its number of votes.
_CARD = re.compile(
    r"[$\u20ac\u00a3\u00a5\u20b9\u20a9\u20ba]\s?\d|\d\s?(?:[\u20ac\u00a3\u00a5\u20ba]|(?:z\u0142|K\u010d|kr|Ft|lei"
    r"|\u20bd|TL|CHF|EUR|USD|GBP)"
    r"(?![a-z]))|\d[.,]\d\s?\(\d|[\u2605\u2b50]\ufe0f?\s?\d|\d[.,]\d\s?[\u2605\u2b50]"
)
_SHORT_FORM = re.compile(r"(?<![^\W\d_])[A-Z]{2,4}\Z")
_DEVICE = re.compile(
    r"(?<![^\W_])(?:TV|[SH]DD?|SSD|(?:[OQ])?LED|LCD|PC|USB|NAS|U?HD|4K|8K|CD|DVD|BD|GPS|GPU|CPU"
    r"|AVR?|SUV|MTB)\Z"
)
_SENTENCE_WORD = re.compile(r"\b(?:is|are|will|would|do|does|that|which|who|it|they|ist|sind|est|sont|son)\b")
_JOINT = re.compile(r"[a-z0-9][A-Z]")
_PROSE_WORD = re.compile(r"\b(?:a|an|and|are|at|for|from|in|is|of|on|or|that|the|this|to|with|you)\b")
_ESCAPE = re.compile(r"\x1b\[[\d;]*[A-Za-z]\Z")
_NEAR = 16
_OWN_WORD = 4
_LINE_START = re.compile(r"(?:\A|[\n\0])[^\w\n\0]*(?:\d{1,3}[.)]\s)?[^\w\n\0]*\Z")
_CARD_JOINTS = 3
_LINE_END = re.compile(r"[\n\0]|\Z")
_NEXT_LINE = 40
_PHRASE_END = re.compile(r"[\n\0\u00a0:;!?]|\.\s")


def boundary(folded: str, place: tuple[int, int], shown: str, span: tuple[int, int]) -> str | None:
    """The rule by which the name at `place` of the folded text, `span` of the shown text, stands for itself.

    "word", "joined" (next to another script), "plural", "inflected" (a case ending behind it), or "glued" (to its
    neighbours in a product card); None where it is a part of something else.
    """
    start, end = place
    before, after = folded[start - 1 : start] if start else "", folded[end : end + 1]
    starts = not before or starts_word(before, folded[start]) or _is_parted(folded, start, shown, span[0])
    ends = not after or ends_word(folded[end - 1], after) or shown[span[1] : span[1] + 1] in SOFT_BREAKS
    if starts and ends:
        if in_address(shown, *span):
            return None
        if not after.isascii() and not may_be_followed(folded[start:end], folded[end : end + _WINDOW]):
            return None
        if _ends_in_syllable(folded, start, end, shown, span[1]):
            return None
        joined = any(char and is_word_character(char) for char in (before, after))
        return "joined" if joined else "word"
    if starts and _inflected(folded, start, end):
        return "plural"
    if starts and has_case_ending(folded, place, shown, span[0]):
        return "inflected"
    is_glued = _is_glued(shown, *span, starts, ends) or (starts and _heads_line(shown, *span))
    return "glued" if is_glued else None


def _ends_in_syllable(folded: str, start: int, end: int, shown: str, at: int) -> bool:
    """Whether the last word of the name is a letter that begins a hyphenated word ("go e-lectric")."""
    return (
        end - start > 2 and folded[end - 2] == " " and shown[at : at + 1] == "-" and shown[at + 1 : at + 2].islower()
    )


def _is_parted(folded: str, start: int, shown: str, at: int) -> bool:
    """Whether what touches the name in front belongs to no word: a break without width, a terminal's sequence for
    colours, or a particle that Arabic and Hebrew join to the next word."""
    if shown[at - 1] in SOFT_BREAKS or _ESCAPE.search(shown, max(0, at - _NEAR), at):
        return True
    return is_prefix(folded[start - 1]) and (start < 2 or not is_word_character(folded[start - 2]))


def _inflected(folded: str, start: int, end: int) -> bool:
    """Whether the name is followed by the ending of a plural, or of a case in Cyrillic, and nothing else."""
    last = folded[end - 1]
    if last.isascii():
        return (plural := _PLURAL.match(folded, end)) is not None and (
            len(plural.group()) == 1 or folded[start:end].endswith(_TAKES_ES)
        )
    return "\u0400" <= last <= "\u04ff" and _CYRILLIC_CASE.match(folded, end) is not None


def _is_glued(shown: str, start: int, end: int, starts: bool, ends: bool) -> bool:
    """Whether a new name starts or ends inside what looks like one word: at a capital, in a product card."""
    before, after = shown[start - 1 : start], shown[end : end + 1]
    if not starts and not _begins(shown, start, before):
        return False
    if not ends and not (after.isupper() or after.isdecimal()):
        return False
    return _is_card(shown, start, end)


def _heads_line(shown: str, start: int, end: int) -> bool:
    """Whether a name opens a line and goes on with a capital: the first word of a product ("EufyCam 3")."""
    if end - start < _OWN_WORD or not (shown[end - 1].islower() and shown[end : end + 1].isupper()):
        return False
    return _LINE_START.search(shown, max(0, start - _NEAR), start) is not None


def _begins(shown: str, start: int, before: str) -> bool:
    """Whether a new name begins here: at a capital behind a small letter or a digit, or behind the short form of a
    kind of product ("SSDLaCie"); in small letters before a capital ("iRobot") behind a digit."""
    first, second = shown[start], shown[start + 1 : start + 2]
    if first.isupper():
        if before.islower() or before.isdecimal():
            return True
        kind = _SHORT_FORM if second.islower() else _DEVICE
        return kind.search(shown, max(0, start - _NEAR), start) is not None
    return before.isdecimal() and second.isupper()


def _is_card(shown: str, start: int, end: int) -> bool:
    """Whether a price or a rating stands in the line or right below, or names follow each other without prose."""
    first = max(0, start - _WINDOW)
    phrase = _PHRASE_END.split(shown[first:start])[-1] + _PHRASE_END.split(shown[start : end + _WINDOW])[0]
    if _SENTENCE_WORD.search(phrase):
        return False
    line_start = max(shown.rfind("\n", first, start), shown.rfind("\0", first, start), first - 1) + 1
    line_end = _LINE_END.search(shown, end, end + _WINDOW)
    stop = line_end.end() + _NEXT_LINE if line_end else end + _WINDOW
    if _CARD.search(shown, line_start, stop):
        return True
    return ", " not in phrase and not _PROSE_WORD.search(phrase) and len(_JOINT.findall(phrase)) >= _CARD_JOINTS
