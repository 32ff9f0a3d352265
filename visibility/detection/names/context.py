"""What stands around a name in its line: the words on either side and what parts them from it."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from functools import lru_cache

from visibility.detection.names.lists import ENGLISH
from visibility.detection.names.proper_names import GIVEN_NAMES
from visibility.detection.text.languages import FOREIGN
from visibility.detection.text.lines import Line
from visibility.detection.text.words import parts_of_speech

_WINDOW = 120
_BEFORE = re.compile(r"(?P<word>[^\W_][\w'\u2019&.+-]*?)(?P<gap>[^\w]*)\Z")
_IN_WORD = re.compile(r"[\w'\u2019&.+-]")
_NEAR_END = 24
_AFTER = re.compile(r"(?P<gap>[^\w]*)(?P<word>\w[\w'\u2019+-]*)?")
_STOP = re.compile(r"[.!?:;\u2026\u2014|/\u00b7\u2022=>\0]|\s[\u2013-]\s")
_POSSESSIVE = re.compile(r"['\u2019]s?\b|['\u2019](?=\s)")
_ENDING = re.compile(r"e?s(?![^\W_])")
_WORDS = re.compile(r"[^\W\d_][\w'\u2019-]*")
_CLAUSE = re.compile(r"[.!?;]\s|[\n\0\u3002\uff01\uff1f]")
_GLUED = re.compile(r"(?<=[a-z\d)%\"])[.!?:](?=[A-Z])")
_RUN = re.compile(r"(?:[^\W_][\w'\u2019&+-]*[ ]){1,6}\Z")
_INNER = re.compile(r"(?:\d|[a-z]{1,2})[A-Z][a-z]")
_RUN_REACH = 60
_TITLE_SHARE = 0.6
_MAX_TITLE_LENGTH = 400


@dataclass(frozen=True, slots=True)
class Context:
    """A name in its line.

    `gap_before` and `gap_after` are the characters between it and the next words; a word is empty where the line
    ends. `clause` is what stands around it between two stops. `begins`: the word before is the first of a sentence.
    `earlier` is the word before that one, `later` the word after next.
    """

    name: str
    clause: str
    before: str
    gap_before: str
    after: str
    gap_after: str
    begins: bool
    earlier: str
    later: str
    possessive: bool
    plural: bool
    line: Line
    run: tuple[str, ...] = ()

    @property
    def opens(self) -> bool:
        """Whether a capital is due here anyway: at the start of the line or behind a stop."""
        return not self.before or _STOP.search(self.gap_before) is not None

    @property
    def closes(self) -> bool:
        """Whether nothing is joined to the name behind it: the line ends, or a mark parts it from what follows."""
        return not self.after or not self.gap_after.isspace()

    @property
    def follows_capital(self) -> bool:
        """Whether the word right before is written with a capital, and nothing but a space is between."""
        return bool(self.before) and self.gap_before == " " and _is_capital(self.before) and not self.is_owned

    @property
    def is_owned(self) -> bool:
        """Whether the word before names an owner: "Apple's Safari" is two names, "the Queen's Gambit" is one."""
        return _owns(self.before) and self.earlier.lower() not in ("the", *GIVEN_NAMES)

    def maker(self, makers: Collection[str] = ()) -> str:
        """The word of another name right before, in the same run of words with capitals and of numbers: no plain word
        ("Soundcore" before "Liberty", "Suunto" in "Suunto 5 Peak"), or one of `makers`; empty where there is none."""
        for word in reversed(self.run):
            if not (_is_capital(word) or word.isdigit()) or _owns(word) or word.lower() in FOREIGN:
                return ""
            plain = word.isdigit() or len(word) == 1 or parts_of_speech(word.lower()) or word.lower() in GIVEN_NAMES
            if word in makers or not plain:
                return word
        return ""

    @property
    def precedes_capital(self) -> bool:
        """Whether the word right behind is written with a capital (also "iPhone") or begins with a digit."""
        follows = bool(self.after) and self.gap_after in (" ", "\u00a0") and not self.possessive
        if self.after.lower() in ENGLISH.small:
            return False
        return follows and (self.after != self.after.lower() or self.after[0].isdigit())

    @property
    def in_title(self) -> bool:
        """Whether most longer words of the line have a capital, or a small word behind has one, so that it tells
        nothing."""
        if (
            self.gap_after == " "
            and self.after.istitle()
            and len(self.after) > 1
            and self.after.lower() in ENGLISH.small
        ):
            return True
        if self._tells:
            return False
        return all(
            words >= 2 and capitals >= _TITLE_SHARE * words
            for words, capitals in (_title_words(text, self.name) for text in (self.line.text, self.clause))
        )

    @property
    def _tells(self) -> bool:
        """Whether the nearest word before that could have a capital has none: then that of the name tells."""
        for word, gap in ((self.before, self.gap_before), (self.earlier, " ")):
            if not gap.isspace() or not word.islower():
                return False
            if word not in ENGLISH.small:
                return True
        return False


def _is_capital(word: str) -> bool:
    """Whether a word is written as a name: with a capital first, or inside ("1Password", "eBay")."""
    return word[0].isupper() or _INNER.match(word) is not None


def _owns(word: str) -> bool:
    """Whether a word before a name has the ending of an owner: "Apple's Safari" is two names."""
    return word.endswith(("'s", "\u2019s"))


@lru_cache(maxsize=2_048)
def _title_words(text: str, name: str) -> tuple[int, int]:
    """How many longer words other than the name a line has, and how many of them a capital; of a long line its
    beginning tells."""
    words = [word for word in _WORDS.findall(text[:_MAX_TITLE_LENGTH]) if "f" not in parts_of_speech(word.lower())]
    others = [word for word in words if word != name]
    return len(others), sum(word[0].isupper() for word in others)


def _parted(stop: re.Match[str]) -> str:
    """A stop with the space that is missing behind it."""
    return f"{stop[0]} "


def _last_word(text: str) -> re.Match[str] | None:
    """The last word of a text with the gap behind it. Looked for near the end first: most texts end with a word."""
    near = _BEFORE.search(text, max(0, len(text) - _NEAR_END))
    is_whole = near is not None and not (near.start() and _IN_WORD.match(text, near.start() - 1))
    return near if is_whole else _BEFORE.search(text)


def context(shown: str, line: Line, start: int, end: int) -> Context:
    """The context of the name at `start:end` of the visible text, in its line."""
    head = _GLUED.sub(_parted, shown[max(line.body, start - _WINDOW) : start])
    inflected = _ENDING.match(shown, end)
    tail = _GLUED.sub(_parted, shown[inflected.end() if inflected else end : min(line.end, end + _WINDOW)])
    possessive = _POSSESSIVE.match(tail)
    behind = tail[possessive.end() :] if possessive else tail
    before = _last_word(head)
    earlier = _last_word(head[: before.start()]) if before else None
    begins = before is not None and (earlier is None or _STOP.search(earlier["gap"]) is not None)
    after = _AFTER.match(behind)
    later = _AFTER.match(behind[after.end() :]) if after else None
    return Context(
        name=shown[start:end],
        clause=_CLAUSE.split(head)[-1] + shown[start:end] + _CLAUSE.split(tail)[0],
        before=before["word"] if before else "",
        gap_before=before["gap"] if before else head,
        after=(after["word"] or "") if after else "",
        gap_after=after["gap"] if after else "",
        begins=begins,
        earlier=earlier["word"] if earlier else "",
        later=(later["word"] or "") if later and not _STOP.search(later["gap"]) else "",
        possessive=possessive is not None,
        plural=inflected is not None,
        line=line,
        run=tuple(run[0].split()) if (run := _RUN.search(head[-_RUN_REACH:])) else (),
    )
