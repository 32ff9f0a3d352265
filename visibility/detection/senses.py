"""Whether a name that also means something else means its subject at a place.

The first rule that applies decides. What stays open follows the description of what the subject sells, then the
certain places of the same subject, since a text seldom uses one word in two senses (Gale, Church and Yarowsky 1992,
"One sense per discourse").
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice, takewhile

from visibility.detection.addresses import is_below
from visibility.detection.description import speaks_of
from visibility.detection.dictionary import BEARERS, Claim, Dictionary, Match
from visibility.detection.entries import Ranking
from visibility.detection.naming import is_name
from visibility.detection.question import asks_for_choice
from visibility.detection.splitting import Line
from visibility.detection.types import Policy
from visibility.detection.visible import Visible
from visibility.detection.words import is_plain, parts_of_speech, word_set, words_in

_SENTENCE_START = re.compile(r"(?:\A|[\n\0\xa0]|[.!?:…]|[•–—|]|\s-|[)\]\"“](?=\Z))[\s*_\"“'(]*\Z")
_BEFORE = re.compile(r"([^\W_](?:[\w'’&+-]|\.(?![A-Z])){0,40})[ \xa0]\Z")
_AFTER = re.compile(r"[ \xa0]([^\W_][\w.'’&+-]{0,40})")
_POSSESSIVE = re.compile(r"['’]s\b")
_OWNS = re.compile(r"['’]s?\Z")
_LABEL = re.compile(r"[^:：,.(\n\0\xa0]{1,60}")
_IN_FORMULA = re.compile(r"[ \xa0]?(?:[=+*/^<>-]|[A-Z\d])")
_SITE = re.compile(r"\.[a-z]{2,6}\b(?:\.[a-z]{2}\b)?")
_SIZED = re.compile(r"\W?(?:batter|cell|size|certif)", re.IGNORECASE)
_OPENERS = word_set("the a an our your my its their his her this that these those")
_SAYING = word_set(
    "is was has had are were will can does did offers makes made says said announced sells launched bought acquired"
)
_PARTS = word_set("mode setting settings button edition version series feature technology size control panel")
_AROUND = 200
_NEXT_LINES, _NEIGHBOURS = 12, 2
"""How far neighbours of a line are sought, and how many on each side."""

Verdict = tuple[bool | None, str]
"""Whether the subject is meant, None where the place leaves it open, and the rule that decided."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A name with the words around it. `opens`: a capital is due here anyway; `in_entry`: it heads an entry."""

    match: Match
    line: Line
    tail: str
    previous: str
    following: str
    opens: bool
    in_entry: bool


class Senses:
    """Judges the places of names in one answer."""

    def __init__(self, seen: Visible, question: str, dictionary: Dictionary, ranking: Ranking) -> None:
        self._seen = seen
        self._question = question
        self._dictionary = dictionary
        self._ranking = ranking
        self._asks = asks_for_choice(question) or ranking.picks >= 3
        self._makers = ranking.makers()

    def meant(self, matches: Sequence[Match]) -> list[Match]:
        """The matches that mean their subjects, each with only those claims and the rule that decided."""
        judged = [[(claim, self._judge(match, claim)) for claim in match.claims] for match in matches]
        certain = {claim.subject for verdicts in judged for claim, (is_meant, _) in verdicts if is_meant}
        meant = []
        for match, verdicts in zip(matches, judged, strict=True):
            accepted = [
                (claim, rule) for claim, (known, rule) in verdicts if self._accepts(match, claim, known, certain)
            ]
            if accepted:
                meant.append(replace(match, claims=tuple(claim for claim, _ in accepted), rule=accepted[0][1]))
        return meant

    def _accepts(self, match: Match, claim: Claim, is_meant: bool | None, certain: set[str]) -> bool:
        if is_meant is not None:
            return is_meant
        if claim.policy and (claim.policy.required_near or claim.policy.forbidden_near):
            return True  # a policy that says where the name is not meant implies that it is elsewhere
        description = self._dictionary.descriptions.get(claim.subject)
        if description:
            around = self._seen.text[max(0, match.start - _AROUND) : match.end + _AROUND]
            is_spoken_of = speaks_of(description, claim.name, around)
            if is_spoken_of is None:
                is_spoken_of = speaks_of(description, claim.name, f"{self._seen.text} {self._question}")
            if is_spoken_of is not None:
                return is_spoken_of
        return claim.subject in certain

    def _judge(self, match: Match, claim: Claim) -> Verdict:
        place = self._place(match)
        if claim.policy and not _is_allowed(claim.policy, place, self._seen.text):
            return False, "policy"
        if claim.policy and claim.policy.required_near:
            return True, "policy"
        if not claim.is_ambiguous:
            return self._certain_name(place, claim)
        if self._is_own_link(match, claim):
            return True, "own link"
        if match.rule in ("glued", "joined"):
            return True, match.rule
        if site := _SITE.match(place.tail):
            host = self._seen.text[match.start : match.end].replace(" ", "").lower() + site[0].lower()
            hosts = self._dictionary.hosts[claim.subject]
            return not hosts or is_below(host, hosts), "site"
        return self._ambiguous(place, claim)

    def _place(self, match: Match) -> _Place:
        shown = self._seen.text
        head, tail = shown[max(0, match.start - 60) : match.start], shown[match.end : match.end + 60]
        line = self._seen.line_at(match.start)
        before, after = _BEFORE.search(head), _AFTER.match(tail)
        in_card = line.kind == "card" and match.start <= line.body
        in_entry = in_card or self._ranking.starts_entry(match.start)
        opens = in_entry or match.start <= line.body or _SENTENCE_START.search(head) is not None
        previous = "" if match.start <= line.body else before[1] if before else ""
        return _Place(match, line, tail, previous, after[1] if after else "", opens, in_entry)

    def _certain_name(self, place: _Place, claim: Claim) -> Verdict:
        """A name that means nothing else is meant, unless in small letters behind an article: a foreign word."""
        is_small = self._seen.text[place.match.start].islower() and claim.written[:1].isupper()
        is_word = is_small and place.previous.lower() in ("a", "an", "the")
        return (False, "article") if is_word else (True, place.match.rule)

    def _is_own_link(self, match: Match, claim: Claim) -> bool:
        hosts = self._dictionary.hosts.get(claim.subject, frozenset())
        return any(
            link.start <= match.start and match.end <= link.end and is_below(link.host, hosts)
            for link in self._seen.links
        )

    def _ambiguous(self, place: _Place, claim: Claim) -> Verdict:
        name, tail, previous, following = claim.written, place.tail, place.previous, place.following
        is_phrase = " " in name
        if len(name) in (2, 3) and name.isalpha() and not parts_of_speech(name.lower()):
            return _SIZED.match(tail) is None, "letters"
        is_behind_name = previous[:1].isupper() and previous.lower() not in _OPENERS and not _OWNS.search(previous)
        if not place.opens and is_behind_name:
            return self._behind_capital(place, claim)
        if not place.opens and previous[:1].isdigit() and len(name) <= 3:
            return False, "measure"
        if is_phrase:
            goes_on = place.opens and not place.in_entry and following[:1].islower()
            if goes_on and following not in _SAYING and "f" in parts_of_speech(following):
                return None, "phrase"
            return True, "phrase"
        if following.lower() in _PARTS:
            return False, "part"
        if len(name) == 1:
            is_placed = not place.opens and "f" in parts_of_speech(previous) and not _IN_FORMULA.match(tail)
            return (True if is_placed or _POSSESSIVE.match(tail) else None), "letter"
        if tail[:1] == "-" and tail[1:2].isalnum():
            return None, "joined"
        return self._opening(place, claim) if place.opens else self._within(place, claim)

    def _behind_capital(self, place: _Place, claim: Claim) -> Verdict:
        """Behind another capital it is a product of that maker, unless that is a plain word or the subject itself."""
        low = place.previous.lower().strip(".'’&+-")
        hosts = self._dictionary.hosts.get(claim.subject, frozenset())
        if any(low == host.split(".")[0] for host in hosts) or low in claim.name.lower().split():
            return True, "owner"
        if parts_of_speech(low) and place.previous not in self._makers:
            return None, "title"
        return (None if " " in claim.written else False), "maker"

    def _opening(self, place: _Place, claim: Claim) -> Verdict:
        """At the head of a sentence or entry each word has a capital: grammar decides."""
        following = place.following
        kinds = parts_of_speech(claim.written.lower())
        asked = True if self._asks else None
        if _POSSESSIVE.match(place.tail):
            return (True if self._asks or "n" not in kinds else None), "possessive"
        if following != following.lower() or following[:1].isdigit():
            next_kinds = parts_of_speech(following.lower())
            if place.in_entry and self._asks:
                return True, "product"
            is_meant = not next_kinds and (asked or self._is_among_names(place))
            return (True if is_meant else None), "product"
        if not following:
            is_entry = place.in_entry and self._asks and place.match.rule != "plural"
            return (True if is_entry or self._is_among_names(place) else None), "entry"
        if following in _SAYING or ("v" in parts_of_speech(following) and following.endswith("s")):
            return (None if "f" in kinds else True), "subject"
        if not kinds or claim.written.lower() in BEARERS:
            return asked, "support"
        return False, "opening"

    def _is_among_names(self, place: _Place) -> bool:
        """Whether the lines next to it, of its kind, have names at the same place: at their head, or behind their
        label."""
        shown, line = self._seen.text, place.line
        is_behind = place.match.start > line.head
        if line.kind == "text" or not (is_behind or place.match.start <= line.body):
            return False
        words = []
        for other in self._neighbours(line):
            start, end = (other.head + 1, other.end) if is_behind else (other.body, other.head)
            label = _LABEL.match(shown, start, end)
            words.append(label[0].split() if label else [])
        named = [each for each in words if is_name(each) and each[0][0].isalpha()]
        return 2 * len(named) >= len(words) and not all(is_plain(" ".join(each)) for each in named)

    def _neighbours(self, line: Line) -> list[Line]:
        """The nearest lines of the same kind and level before and behind this one, below the same title."""
        lines, index = self._seen.lines, self._seen.index_at(line.start)
        found: list[Line] = []
        for side in (lines[max(0, index - _NEXT_LINES) : index][::-1], lines[index + 1 : index + _NEXT_LINES]):
            below = takewhile(lambda other: other.kind not in ("heading", "title") or other.kind == line.kind, side)
            alike = (other for other in below if (other.kind, other.level) == (line.kind, line.level))
            found += islice(alike, _NEIGHBOURS)
        return found

    def _within(self, place: _Place, claim: Claim) -> Verdict:
        """Inside a sentence a capital makes a name, where other words have none."""
        line, following = place.line, place.following
        in_head = line.kind != "text" and place.match.end <= line.head
        label = self._seen.text[line.body : line.head if in_head else min(line.end, line.body + 400)]
        words = [word for word in words_in(label) if len(word) > 3][:12]
        is_titled = in_head and sum(word[0].isupper() for word in words) > 0.7 * len(words)
        if is_titled or "f" in parts_of_speech(claim.written.lower()):
            return None, "title"
        is_noun = following.islower() and "n" in parts_of_speech(following)
        if place.previous.lower() in _OPENERS and is_noun:
            return None, "described"
        if len(claim.written) <= 3 and following[:1].isupper():
            return None, "letters"
        return True, "capital"


def _is_allowed(policy: Policy, place: _Place, shown: str) -> bool:
    """Whether the user's policy lets a place count."""
    around = {place.previous.casefold(), place.following.casefold().rstrip(".,'’")}
    if around & {word.casefold() for word in policy.forbidden_near}:
        return False
    words = {word.casefold() for word in re.findall(r"[\w'’-]+", shown[place.line.start : place.line.end])}
    return not policy.required_near or any(word.casefold() in words for word in policy.required_near)
