"""What a place of a name shows of its sense: features, each from 0 to 1, that have no order and decide nothing alone.

The name itself, the head of its list or table, its sentence, the words before and after it, the rest of the answer,
what its subject sells, and the language.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from visibility.detection.addresses import host_of, is_below
from visibility.detection.description import Substance, sold
from visibility.detection.dictionary import BEARERS, Claim, Dictionary, Match
from visibility.detection.splitting import Line
from visibility.detection.visible import Visible
from visibility.detection.words import is_order, is_plain, parts_of_speech, word_set

Features = dict[str, float]

REASONS: Mapping[str, str] = {
    "phrase": "the name has several words",
    "word": "the name is a common word",
    "bearer": "the name has other bearers",
    "letter": "the name is one letter",
    "letters": "the name is an abbreviation",
    "glued": "set off by capitals or script only",
    "measure": "behind a number, as a unit",
    "entry": "heads an entry",
    "list_names": "the entries around it are names",
    "list_advice": "the entries around it are advice",
    "advice_behind": "advice follows it",
    "middle": "a capital in mid-sentence",
    "label": "within a title",
    "value": "behind a label",
    "values_names": "behind a label, as names around it",
    "series": "among names in a row",
    "behind_opening": "behind the first word of a sentence",
    "behind_name": "behind another name",
    "behind_capital": "behind a word with a capital",
    "behind_grammar": "behind a word of grammar",
    "next_noun": "a noun follows",
    "next_name": "a name or model follows",
    "possessive": "it owns what follows",
    "subject": "a sentence is about it",
    "hyphen": "joined by a hyphen or sign",
    "small_elsewhere": "the same word in small letters elsewhere",
    "sure_elsewhere": "named without doubt elsewhere",
    "middle_elsewhere": "a capital in mid-sentence elsewhere",
    "own_cited": "its site is cited or linked",
    "described_near": "the description fits the words near it",
    "described": "the description fits the answer",
    "asked_for": "the question asks for what it sells",
    "not_described": "the description fits nothing here",
    "other_trade": "the question asks for something else",
    "foreign": "an English word in another language",
    "foreign_opening": "behind the first word of a sentence in another language",
}
"""What each feature says to a reader."""

_LISTED = frozenset({"item", "heading", "bold", "point", "cell", "card", "title"})
_ARTICLES = word_set("the a an my your our this these")
_SAYING = word_set(
    "is was has had will can does did offers makes made says said launched provides sells delivers uses comes gives"
)
_LAST_WORD = re.compile(r"([^\W_][\w'’&+.®-]{0,40})[ \xa0]\Z")
_NEXT_WORD = re.compile(r"[ \xa0]([^\W_][\w'’&+.®-]{0,40})")
_STARTS = re.compile(r"(?:\A|[\n\0\xa0]|[.!?:…。！？؟।]|[•|]|\s[–—-])[\s*_\"“„«»'(¿¡]*\Z")
_AND = r"(?:and|or|und|oder|et|ou|y|o|e|i|en|och|ve|lub|albo|of)"
_SERIES_BEFORE = re.compile(rf"([^\W\d_][\w'’&+-]{{0,40}})(?:, ?|,? {_AND} |/|、)\Z")
_SERIES_BEHIND = re.compile(rf"(?:, ?(?:{_AND} )?| {_AND} |/|、)([^\W\d_][\w'’&+-]{{0,40}})")
_OWNS = re.compile(r"['’]s\b")
_SIGN = re.compile(r"-\w|[ \xa0]?[=+*^<>]")
_LABEL_END = re.compile(r"[:：(–—]|\s-\s")
_BEHIND_LABEL = re.compile(r"[:：]\W*|\s[–—-]\s\W*")
_AFTER_LABEL = re.compile(r"[^\W_](?:[^\w\n]{0,4}[:：]|\s[–—-]\s)[^\w\n]*\Z")
_FIRST_WORD = re.compile(r"\W*([^\W\d_]{1,40})")
_VALUE_END = re.compile(r"[,;.(:/\n\0\xa0]")
_NO_WORD = re.compile(r"\W*(?:the|an?)?\W*", re.IGNORECASE)

_NO_CAPITAL = frozenset({"behind_name", "behind_capital", "letter", "letters"})
"""Where a capital in mid-sentence shows nothing: the word before has one, or the name is always in capitals."""
_REACH = 60
"""Characters before and after a name that belong to its sentence."""
_NEAR = 200
_SHORT = 3
_MAX_SIGNS = 16
"""Signs between the beginning of a line, or its label, and the first word."""
_MAX_LABEL = 120
_MAX_LABEL_WORDS = 8
_MAX_AROUND, _MAX_LINES = 5, 40
"""Entries of one list that are looked at on each side, and lines among which they are."""
_NEAR_WORDS, _ANSWER_WORDS = 2, 3
"""So many shared words with the description show all that such words can."""
_MANY_WORDS, _MIN_ASKED, _MANY_SOLD = 30, 2, 5
"""So many words of substance an answer, a question and a description have before it shows all that none is shared."""


class _Head(NamedTuple):
    """The head of a line: whether it is a name by shape alone, and whether advice or such a name follows it."""

    is_name: bool
    is_advised: bool
    is_value_name: bool


class Evidence:
    """Features of the places of names in one answer; what all places share is read once."""

    def __init__(
        self, seen: Visible, question: str, dictionary: Dictionary, sources: Sequence[tuple[str, str]]
    ) -> None:
        self._seen = seen
        self._question = question
        self._dictionary = dictionary
        self._sources = sources
        self._heads: dict[int, _Head | None] = {}
        self._cited: dict[str, bool] = {}

    @cached_property
    def _substance(self) -> Substance:
        return Substance(self._seen.text)

    @cached_property
    def _asked(self) -> Substance:
        return Substance(self._question)

    @cached_property
    def _hosts(self) -> list[str]:
        hosts = [host_of(address) for address, _ in self._sources] + [link.host for link in self._seen.links]
        return list(dict.fromkeys(filter(None, hosts)))

    @cached_property
    def _link_starts(self) -> list[int]:
        return [link.start for link in self._seen.links]

    def is_own_link(self, match: Match, claim: Claim) -> bool:
        """Whether the name stands in a link to a site of its subject."""
        index = bisect_right(self._link_starts, match.start) - 1
        if index < 0 or match.end > self._seen.links[index].end:
            return False
        return is_below(self._seen.links[index].host, self._dictionary.hosts.get(claim.subject, ()))

    def of(self, match: Match, claim: Claim) -> Features:
        """The features of a place, without those that are 0 and those that other places of the subject show."""
        shown = self._seen.text
        head, tail = shown[max(0, match.start - _REACH) : match.start], shown[match.end : match.end + _REACH]
        index = self._seen.index_at(match.start)
        line = self._seen.lines[index]
        features: Features = {"bias": 1.0}
        _form(features, claim, match.rule)
        _series(features, head, tail)
        _behind(features, claim, "" if match.start <= line.body else head, is_english=self._substance.is_english)
        _before(features, tail)
        self._place(features, match, line, index, head)
        self._elsewhere(features, claim, shown[match.start])
        self._sold(features, match, claim)
        if "word" in features and not self._substance.is_english:
            features["foreign"] = 1.0
            if "behind_opening" in features:
                features["foreign_opening"] = 1.0
        if features.keys() & {"entry", "label"} and self._is_advised(line, index, tail):
            features["advice_behind"] = 1.0
        return features

    def _place(self, features: Features, match: Match, line: Line, index: int, head: str) -> None:
        """Where in its line the name stands: at the head of an entry or sentence a capital shows nothing."""
        shown = self._seen.text
        is_listed = line.kind in _LISTED and not (line.kind == "cell" and line.row == 0)
        first = shown[line.body : min(match.start, line.body + _MAX_SIGNS)]
        is_first = match.start <= line.body + _MAX_SIGNS and _NO_WORD.fullmatch(first) is not None
        if is_first and is_listed:
            features["entry"] = 1.0
            if around := self._around(line, index):
                features["list_names"] = sum(head.is_name for head in around) / len(around)
                features["list_advice"] = sum(head.is_advised for head in around) / len(around)
        elif not is_first and not _STARTS.search(head):
            is_label = is_listed and match.end <= line.head and line.kind != "item"
            is_within = head.rfind("(") > head.rfind(")") or "glued" in features
            if is_label and not is_within:
                features["label"] = 1.0
            elif shown[match.start].isupper() and not features.keys() & _NO_CAPITAL:
                features["middle"] = 1.0
        elif is_listed and _AFTER_LABEL.search(head):
            features["value"] = 1.0
            if _is_behind(shown, line, match.start) and (around := self._around(line, index)):
                features["values_names"] = sum(head.is_value_name for head in around) / len(around)

    def _around(self, line: Line, index: int) -> list[_Head]:
        """The heads of the nearest entries of the same list or column, on both sides and below the same title."""
        lines, found = self._seen.lines, []
        for side in (range(index - 1, max(-1, index - _MAX_LINES), -1), range(index + 1, index + _MAX_LINES)):
            taken = 0
            for place in side:
                if place >= len(lines) or taken == _MAX_AROUND:
                    break
                other = lines[place]
                if (other.kind, other.level, other.column) == (line.kind, line.level, line.column):
                    if (head := self._head(place)) is not None:
                        found.append(head)
                        taken += 1
                elif other.kind in ("heading", "title"):
                    break
        return found

    def _head(self, index: int) -> _Head | None:
        """The head of a line, None without any words."""
        if index not in self._heads:
            self._heads[index] = self._read_head(self._seen.lines[index])
        return self._heads[index]

    def _read_head(self, line: Line) -> _Head | None:
        words = self._seen.text[line.body : min(line.end, line.body + _MAX_LABEL)]
        label = _LABEL_END.split(words[: max(1, line.head - line.body)], maxsplit=1)[0].split()[:_MAX_LABEL_WORDS]
        if not label:
            return None
        _, *rest = _BEHIND_LABEL.split(words, maxsplit=1)
        behind = rest[0] if rest else ""
        value = _VALUE_END.split(behind, maxsplit=1)[0]
        is_name = not label[0][0].islower() and not is_plain(" ".join(label))
        return _Head(is_name, _advises(behind), value[:1].isupper() and not is_plain(value))

    def _is_advised(self, line: Line, index: int, tail: str) -> bool:
        """Whether advice follows the name or the label that it is in."""
        if line.kind in _LISTED and (head := self._head(index)) and head.is_advised:
            return True
        return _advises(tail.lstrip("\0\n \xa0*_:：–—-"))

    def _elsewhere(self, features: Features, claim: Claim, first: str) -> None:
        if first.isupper() and claim.written.lower() in self._substance.small:
            features["small_elsewhere"] = 1.0
        if claim.subject not in self._cited:
            hosts = self._dictionary.hosts.get(claim.subject, ())
            self._cited[claim.subject] = bool(hosts) and any(is_below(host, hosts) for host in self._hosts)
        if self._cited[claim.subject]:
            features["own_cited"] = 1.0

    def _sold(self, features: Features, match: Match, claim: Claim) -> None:
        """What the description says: for the sense in any language, against it only in its own."""
        description = self._dictionary.descriptions.get(claim.subject)
        if not description:
            return
        words, is_english = sold(description, claim.name)
        answer, asked = self._substance, self._asked.all
        denies = min(1.0, len(words) / _MANY_SOLD) if is_english and answer.is_english else 0.0
        if near := len(words & answer.between(match.start - _NEAR, match.end + _NEAR)):
            features["described_near"] = min(1.0, near / _NEAR_WORDS)
        if shared := len(words & answer.all):
            features["described"] = min(1.0, shared / _ANSWER_WORDS)
        elif denies:
            features["not_described"] = denies * min(1.0, len(answer.all) / _MANY_WORDS)
        if words & asked:
            features["asked_for"] = 1.0
        elif denies and len(asked) >= _MIN_ASKED:
            features["other_trade"] = denies


def _is_behind(shown: str, line: Line, start: int) -> bool:
    """Whether nothing but signs is between the label of a line and this place."""
    return line.head < start <= line.head + _MAX_SIGNS and not any(map(str.isalnum, shown[line.head : start]))


def _advises(words: str) -> bool:
    """Whether the words behind a label begin with an order."""
    first = _FIRST_WORD.match(words)
    return first is not None and is_order(first[1])


def _form(features: Features, claim: Claim, rule: str) -> None:
    """What kind of a name it is."""
    name = claim.written
    if " " in name:
        features["phrase"] = 1.0
    elif len(name) == 1:
        features["letter"] = 1.0
    elif len(name) <= _SHORT and not parts_of_speech(name.lower()):
        features["letters"] = 1.0
    else:
        features["bearer" if name.lower() in BEARERS else "word"] = 1.0
    if rule in ("glued", "joined"):
        features["glued"] = 1.0


def _series(features: Features, head: str, tail: str) -> None:
    """Whether words with a capital come before or after it in a row: half for plain ones, full for names."""
    beside = [found[1] for found in (_SERIES_BEFORE.search(head), _SERIES_BEHIND.match(tail)) if found]
    if beside := [word for word in beside if word[0].isupper()]:
        features["series"] = 0.5 if all(parts_of_speech(word.lower()) for word in beside) else 1.0


def _behind(features: Features, claim: Claim, head: str, *, is_english: bool) -> None:
    """What kind of word comes before the name."""
    found = _LAST_WORD.search(head)
    if not found:
        return
    previous = found[1].strip(".'’")
    low = previous.lower()
    if low in _ARTICLES:
        return
    if previous[:1].isupper():
        is_plain_word = bool(parts_of_speech(low))
        is_opening = (is_plain_word or not is_english) and _STARTS.search(head[: found.start()])
        features[
            "behind_opening" if is_opening else "behind_capital" if is_plain_word or not is_english else "behind_name"
        ] = 1.0
    elif previous[:1].isdigit() and len(claim.written) <= _SHORT:
        features["measure"] = 1.0
    elif "f" in parts_of_speech(low):
        features["behind_grammar"] = 1.0


def _before(features: Features, tail: str) -> None:
    """What the name goes on with."""
    if _OWNS.match(tail):
        features["possessive"] = 1.0
        return
    if _SIGN.match(tail):
        features["hyphen"] = 1.0
        return
    found = _NEXT_WORD.match(tail)
    following = found[1].rstrip(".,'’") if found else ""
    if following in _SAYING:
        features["subject"] = 1.0
    if not following or following[0].isdigit() or following in _SAYING:
        return
    kinds = parts_of_speech(following.lower())
    if following[0].isupper() and not kinds:
        features["next_name"] = 1.0
    elif following[0].islower() and "n" in kinds and "f" not in kinds:
        features["next_noun"] = 1.0
