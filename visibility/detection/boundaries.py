"""Whether a name stands for itself where its letters stand, or is a part of another word, address or file name."""

import re

from visibility.detection.folding import SOFT_BREAK
from visibility.detection.scripts import ends_word, is_word_character, may_be_followed, starts_word

_WINDOW = 200
_PLURAL = re.compile(r"(?:s|es)(?![^\W_])")
_TAKES_ES = ("s", "x", "z", "ch", "sh")
_CYRILLIC_CASE = re.compile(
    r"(?:\u0430|\u0443|\u043e\u043c|\u0435|\u044b|\u0438|\u043e\u0439|\u043e\u0432|\u0430\u043c|\u0430\u043c\u0438"
    r"|\u0430\u0445|\u044e|\u044f|\u0435\u043c|\u0435\u0439)(?![^\W_])"
)
_TOP_LEVEL = (
    "com|org|net|io|co|ai|app|dev|me|so|us|uk|de|fr|es|it|nl|ch|at|jp|cn|kr|in|au|ca|br|ru|eu|shop|store|tech|xyz|info"
    "|biz|tv|gg|ly|be|se|no|dk|fi|pl|cz|pt|mx|edu|gov|example|test"
)
_ADDRESS = re.compile(rf"[\w-]+(?:\.[\w-]+)*\.(?:{_TOP_LEVEL})", re.ASCII)
_ADDRESS_PART = re.compile(r"[A-Za-z0-9._-]*")
_LOWER_FILE = re.compile(r"\.[a-z]")
# A product card, as shops print it without spaces: a price or a rating with its number of votes.
_CARD = re.compile(r"[$\u20ac\u00a3\u00a5\u20b9]\s?\d|\d\.\d\s?\(\d")
_JOINT = re.compile(r"[a-z0-9][A-Z]")
_PROSE_WORD = re.compile(r"\b(?:a|an|and|are|at|for|from|in|is|of|on|or|that|the|this|to|with|you)\b")
_CARD_JOINTS = 3
_LINE_END = re.compile(r"[\n\0]|\Z")
_NEXT_LINE = 40
_PHRASE_END = re.compile(r"[\n\0\u00a0:;!?]|\.\s")


def boundary(folded: str, place: tuple[int, int], shown: str, span: tuple[int, int]) -> str | None:
    """The rule by which the name at `place` of the folded text, `span` of the shown text, stands for itself.

    "word", "joined" (next to another script), "plural", or "glued" (to its neighbours in a product card); None where
    it is a part of something else.
    """
    start, end = place
    before, after = folded[start - 1 : start] if start else "", folded[end : end + 1]
    starts = not before or starts_word(before, folded[start]) or shown[span[0] - 1] == SOFT_BREAK
    ends = not after or ends_word(folded[end - 1], after) or shown[span[1] : span[1] + 1] == SOFT_BREAK
    if starts and ends:
        if _is_in_address(shown, *span):
            return None
        if not after.isascii() and not may_be_followed(folded[start:end], folded[end : end + _WINDOW]):
            return None
        joined = any(char and is_word_character(char) for char in (before, after))
        return "joined" if joined else "word"
    if starts and _inflected(folded, start, end):
        return "plural"
    return "glued" if _is_glued(shown, *span, starts, ends) else None


def _inflected(folded: str, start: int, end: int) -> bool:
    """Whether the name is followed by the ending of a plural, or of a case in Cyrillic, and nothing else."""
    last = folded[end - 1]
    if last.isascii():
        return (plural := _PLURAL.match(folded, end)) is not None and (
            len(plural.group()) == 1 or folded[start:end].endswith(_TAKES_ES)
        )
    return "\u0400" <= last <= "\u04ff" and _CYRILLIC_CASE.match(folded, end) is not None


def _is_in_address(shown: str, start: int, end: int) -> bool:
    """Whether the name is a part of a bare domain or of a file name ("trello.com", "next.js"), and not all of it."""
    touching = {shown[end : end + 1], shown[start - 1 : start] if start else ""} & {".", "-", "_"}
    if not touching or "." not in shown[max(0, start - _WINDOW) : end + _WINDOW]:
        return False
    if _LOWER_FILE.match(shown, end):
        return True
    first = max(0, start - _WINDOW)
    before = shown[first:start]
    cut = len(before) - len(_ADDRESS_PART.match(before[::-1])[0])  # type: ignore[index]
    after = _ADDRESS_PART.match(shown, end, end + _WINDOW)[0]  # type: ignore[index]
    token = (before[cut:] + shown[start:end] + after).strip(".-_")
    return token != shown[start:end] and token.casefold() == token and _ADDRESS.fullmatch(token) is not None


def _is_glued(shown: str, start: int, end: int, starts: bool, ends: bool) -> bool:
    """Whether a new name starts inside what looks like one word: a capital after a small letter, in a product card.

    Outside of cards it may only follow a small letter ("OrbiTP-Link"); that its name is no plain word is for the
    claim to know.
    """
    before, after = shown[start - 1 : start], shown[end : end + 1]
    if not starts and not (shown[start].isupper() and (before.islower() or before.isdecimal())):
        return False
    if not ends and not (after.isupper() or after.isdecimal()):
        return False
    return _is_card(shown, start, end)


def _is_card(shown: str, start: int, end: int) -> bool:
    """Whether a price or a rating stands in the line or right below, or names follow each other without prose."""
    first = max(0, start - _WINDOW)
    line_start = max(shown.rfind("\n", first, start), shown.rfind("\0", first, start), first - 1) + 1
    line_end = _LINE_END.search(shown, end, end + _WINDOW)
    if _CARD.search(shown, line_start, line_end.end() + _NEXT_LINE if line_end else end + _WINDOW):
        return True
    phrase = _PHRASE_END.split(shown[first:start])[-1] + _PHRASE_END.split(shown[start : end + _WINDOW])[0]
    return not _PROSE_WORD.search(phrase) and len(_JOINT.findall(phrase)) >= _CARD_JOINTS
