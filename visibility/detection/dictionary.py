"""Finds all names of all subjects in one pass over a text, where they are whole words and spelt as names."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import ahocorasick

from visibility.detection.addresses import host_of
from visibility.detection.folding import compose, fold
from visibility.detection.types import Policy, Subject
from visibility.detection.variants import variants
from visibility.detection.words import parts_of_speech, word_set, words_in

BEARERS = word_set(
    """
    mercury venus mars jupiter saturn neptune apollo athena hermes zeus atlas delta columbia victoria georgia austin
    dallas phoenix oxford cambridge berkeley princeton lincoln wilson ford jordan taylor charlotte chase morgan
    stanley wells brooks dawn ruby jasmine java may june august sunday monday friday alexa siri dot echo
    """
)
"""Names of gods, stars, places, people and days, which mean more than the subject."""

_QUANTITY = re.compile(r"\d+[A-Za-z]{1,3}")
_SHORT = 3


def is_ambiguous(name: str) -> bool:
    """Whether a name also means something else: plain words, people and places, one to three letters, a quantity."""
    text = name.strip("!?* ") or name
    if _QUANTITY.fullmatch(text) or (len(text) <= _SHORT and text.isalpha() and text.isascii()):
        return True
    words = [word.lower().replace("’", "'") for word in words_in(text)]
    if len(words) == 1 and words[0] in BEARERS:
        return True
    return bool(words) and all(map(parts_of_speech, words)) and not any(char.isdigit() for char in text)


@dataclass(frozen=True, slots=True)
class Claim:
    """A subject's claim to a way of writing one of its names."""

    subject: str
    name: str
    written: str
    is_ambiguous: bool
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class Match:
    """A name at `start:end` of the visible text, with the subjects that claim it; `rule` as by `boundary`."""

    start: int
    end: int
    claims: Sequence[Claim]
    rule: str


class Dictionary:
    """The names of all subjects, prepared once. Safe to share between threads."""

    def __init__(self, subjects: Iterable[Subject]) -> None:
        self.hosts: dict[str, frozenset[str]] = {}
        self.descriptions: dict[str, str] = {}
        claimed: dict[str, dict[tuple[str, str], Claim]] = {}
        for subject in subjects:
            self.hosts[subject.key] = frozenset(filter(None, map(host_of, subject.domains)))
            if subject.description.strip():
                self.descriptions[subject.key] = subject.description
            for claim in _claims(subject):
                claimed.setdefault(fold(claim.written).strip(), {}).setdefault((claim.subject, claim.name), claim)
        self._automaton = ahocorasick.Automaton()
        for folded, claims in claimed.items():
            self._automaton.add_word(folded, (len(folded), tuple(claims[key] for key in sorted(claims))))
        self._automaton.make_automaton()
        self._is_empty = not claimed

    def matches(self, shown: str) -> Iterator[Match]:
        """Every name that is a whole word and spelt as a name, overlaps included, by its end."""
        if self._is_empty:
            return
        folded = fold(shown)
        for last, (length, claims) in self._automaton.iter(folded):
            start, end = last + 1 - length, last + 1
            rule = boundary(shown, start, end)
            if rule is None:
                continue
            spelt = tuple(claim for claim in claims if _is_spelt(claim, shown[start:end], rule))
            if spelt:
                yield Match(start, end, spelt, rule)


def _claims(subject: Subject) -> Iterator[Claim]:
    for typed in subject.names:
        name, _ = compose(typed.strip())
        policy = subject.policies.get(typed)
        for form in variants(name):
            is_doubtful = is_ambiguous(name) or (form != name and is_ambiguous(form))
            yield Claim(subject.key, name, form, is_doubtful, policy)


def settle(matches: Iterable[Match]) -> list[Match]:
    """Of the names of one subject that overlap only the longest, of equally long ones the first; by place. Names of
    different subjects stand each for itself, so that tracking one never takes another away."""
    by_length = sorted(matches, key=lambda match: (match.start - match.end, match.start))
    occupied: set[tuple[str, int]] = set()
    taken = []
    for match in by_length:
        first, last = match.start, match.end - 1
        free = [each for each in match.claims if occupied.isdisjoint(((each.subject, first), (each.subject, last)))]
        if free:
            taken.append(replace(match, claims=free))
            for subject in {each.subject for each in free}:
                occupied.update((subject, place) for place in range(match.start, match.end))
    return sorted(taken, key=lambda match: match.start)


_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]")
_HOST = re.compile(
    r"\.(?:com?|org|net|io|ai|de|uk|fr|app|dev|js|py|html?|php|pdf|gov|edu|shop|store)\b|@\w|/\w+/|://|_\w"
)
_PLURAL = re.compile(r"e?s(?![^\W_])")
_CARD = re.compile(r"[$€£]\s?\d|\d[.,]\d\s?\(\d|\d\s?€")
_PHRASE_END = re.compile(r"[\n\0\u00a0:;!?]|\.\s")
_PROSE = re.compile(r"\b(?:an?|and|are|at|for|from|in|is|of|on|or|that|the|this|to|with|you)\b")
_JOINT = re.compile(r"[a-z0-9][A-Z]")
_REACH = 200
_LINE_START = re.compile(r"(?:\A|[\n\0\xa0])[^\w\n\0\xa0]{0,8}(?:\d{1,2}[.)]\s)?[^\w\n\0\xa0]{0,8}\Z")


def boundary(shown: str, start: int, end: int) -> str | None:
    """How a name is set off: "word", "joined" (in a script without spaces), "plural" or "glued" to its neighbours (in
    product cards, and where a space was lost). None inside of another word."""
    before, after = shown[start - 1 : start], shown[end : end + 1]
    starts, ends = _parts(before, shown[start]), _parts(shown[end - 1], after)
    if starts and ends:
        is_path = before == "/" and shown[start:end].islower()
        if before in ("@", "#", "\\", "_") or is_path or _is_host(shown, start, end):
            return None
        return "joined" if before.isalnum() or after.isalnum() else "word"
    if starts and end - start > 2 and _PLURAL.match(shown, end):
        return "plural"
    return "glued" if _is_glued(shown, start, end, starts, ends) else None


def _parts(one: str, other: str) -> bool:
    """Whether two neighbouring characters belong to different words."""
    if not one or not other or not one.isalnum() or not other.isalnum():
        return True
    return bool(_UNSPACED.match(one) or _UNSPACED.match(other))


def _is_host(shown: str, start: int, end: int) -> bool:
    """Whether the name is a part of an address or a file's name; "Booking.com" with its capital is a name."""
    found = _HOST.match(shown, end)
    if found and not (found[0].startswith(".") and shown[start].isupper()):
        return True
    return shown[start - 1 : start] == "." and shown[start - 2 : start - 1].islower() and shown[start].islower()


def _is_glued(shown: str, start: int, end: int, starts: bool, ends: bool) -> bool:
    """Whether a name begins or ends at a capital inside of what looks like one word, in a product card."""
    before, after, first = shown[start - 1 : start], shown[end : end + 1], shown[start]
    begins = starts or (first.isupper() and (before.islower() or before.isdigit()))
    begins = begins or (before.isdigit() and shown[start + 1 : start + 2].isupper())
    stops = ends or after.isupper() or (after.isdigit() and not starts)
    if not (begins and stops) or end - start < 2:
        return False
    is_maker = starts and end - start > _SHORT and shown[end - 1].islower()
    if is_maker and _LINE_START.search(shown, max(0, start - 16), start):
        return True  # the maker at the head of a line, in one word with its product: "EufyCam 3"
    if _CARD.search(shown, max(0, start - 120), end + _REACH):
        return True
    behind = _PHRASE_END.split(shown[end : end + _REACH], maxsplit=1)[0]
    phrase = _PHRASE_END.split(shown[max(0, start - _REACH) : start])[-1] + shown[start:end] + behind
    return len(_JOINT.findall(phrase)) > 1 and not _PROSE.search(phrase)


_SPACES = re.compile(r"[\s‐-―-]+")


def _is_spelt(claim: Claim, written: str, rule: str) -> bool:
    """Whether the capitals are those of the name, where only they distinguish it from a plain word."""
    name = claim.written
    if claim.policy and claim.policy.case_sensitive and _squeezed(written) != _squeezed(name):
        return False
    if rule in ("plural", "glued") and written != name and not written[:1].isupper():
        return False
    if not claim.is_ambiguous:
        return True
    if rule == "glued":
        return written == name
    if len(name) <= _SHORT and not parts_of_speech(name.lower()):
        return written == name or (name[1:] == name[1:].lower() and written.isupper()) or written == name.title()
    flat, own = _squeezed(written), _squeezed(name)
    return flat in (own, own.title(), own[:1].upper() + own[1:]) or (flat.isupper() and len(flat) > _SHORT)


def _squeezed(text: str) -> str:
    return _SPACES.sub(" ", text.replace("’", "'"))
