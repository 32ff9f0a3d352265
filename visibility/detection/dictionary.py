"""Finds all names of all subjects in one pass over a text, where they are whole words and spelt as names."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import ahocorasick

from visibility.detection.addresses import host_of
from visibility.detection.folding import compose, fold, unaccented
from visibility.detection.types import Policy, Subject
from visibility.detection.variants import variants
from visibility.detection.words import is_english, parts_of_speech, word_set, words_in

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

    def matches(self, shown: str, *, any_case: bool = False) -> Iterator[Match]:
        """Every name that is a whole word and spelt as a name (`any_case`: in any letters), overlaps included; by its
        end, but those that may be a part or a form of another word last, and only for subjects that are also named by
        a word of its own."""
        if self._is_empty:
            return
        folded = fold(shown)
        is_foreign = cache(lambda: not is_english(shown))
        is_run_on = cache(lambda: _RUN_ON.search(shown) is not None)
        named: set[str] = set()
        doubtful: list[Match] = []
        for last, (length, claims) in self._automaton.iter(folded):
            start, end = last + 1 - length, last + 1
            rule = boundary(shown, start, end, is_foreign, is_run_on)
            if rule is None:
                continue
            spelt = tuple(claim for claim in claims if any_case or _is_spelt(claim, shown[start:end], rule))
            is_word = any(claim.is_ambiguous and claim.written.isalpha() for claim in spelt)
            if rule == "within" or (rule == "inflected" and is_word):
                doubtful.append(Match(start, end, spelt, rule))
            elif spelt:
                named.update(claim.subject for claim in spelt)
                yield Match(start, end, spelt, rule)
        for match in doubtful:
            if known := tuple(claim for claim in match.claims if claim.subject in named):
                yield replace(match, claims=known)


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


_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uac00-\ud7af]"
)
# A short name in one of these may be inside of another word: its letters, and how many are short.
_RUNS = ((re.compile(r"[\u30a1-\u30fa\u30fc-\u30ff]"), 4), (re.compile(r"[\uac00-\ud7a3]"), 2))
_PARTICLES = re.compile(
    r"(?:은|는|이|가|을|를|의|에|에서|에게|께서|한테|와|과|랑|이랑|하고|도|만|뿐|로|으로|까지|부터|처럼|보다|마다|조차|마저"
    r"|밖에|이나|나|든|든지|라는|이라는|란|이란|라고|이라고|라면|이라면|요|예요|이에요|입니다|이다|이고|이며|인){1,3}(?![가-힣])"
)
# Letters of grammar that Arabic and Hebrew write at the next word: and, by, to, as, so, the.
_PREFIXES = re.compile(r"(?<![^\W_])(?:[وف]?(?:[بلك]?(?:ال)?|لل)|[שהובלכמ]{1,3})\Z")
_ENDING = re.compile(r"[^\W\d_]{1,3}(?![^\W_])")
_HOST = re.compile(
    r"\.(?:com?|org|net|io|ai|de|uk|fr|app|dev|js|py|html?|php|pdf|gov|edu|shop|store)\b|@\w|://|_\w|/[a-z\d_]+/"
)
_RUN_ON = re.compile(r"[a-z]{3}\.[A-Z][a-z]{2}")
_PATH = re.compile(r"/\w+/")
_ROOT = re.compile(r"[a-z\d]\.[a-z]{2,6}/[\w./-]{0,60}\Z")
_PLURAL = re.compile(r"e?s(?![^\W_])")
_COUNT = re.compile(r"\d[ \u00a0\u2009\u202f]?\Z")
_MODEL = re.compile(r"[-‐‑–][A-Z]{0,5}\d")
_FORMULA = re.compile(r"[A-Za-z][²³⁰-⁹]|[A-Z][A-Za-z]{0,2}[₀-₉]")
_CARD = re.compile(r"[$€£]\s?\d|\d[.,]\d\s?\(\d|\d\s?€")
_PHRASE_END = re.compile(r"[\n\0\u00a0:;!?]|\.\s")
_PROSE = re.compile(r"\b(?:an?|and|are|at|for|from|in|is|of|on|or|that|the|this|to|with|you)\b")
_JOINT = re.compile(r"[a-z0-9][A-Z]")
_REACH = 200
_LINE_START = re.compile(r"(?:\A|[\n\0\xa0])[^\w\n\0\xa0]{0,8}(?:\d{1,2}[.)]\s)?[^\w\n\0\xa0]{0,8}\Z")
_MIN_STEM, _MIN_STEM_OTHERS = 5, 4
"""Letters of a name that may have an ending or a prefix, in Latin and in other scripts."""


def boundary(
    shown: str, start: int, end: int, is_foreign: Callable[[], bool], is_run_on: Callable[[], bool]
) -> str | None:
    """How a name is set off: "word", "joined" (in a script without spaces, to another script or a prefix), "plural",
    "inflected" (with a short ending), "within" (a short name in what may be another word) or "glued" to its
    neighbours (in product cards, and where a space was lost). None inside of another word. `is_run_on`: the text has
    sentences without a space between them."""
    before, after = shown[start - 1 : start], shown[end : end + 1]
    starts, ends = _parts(before, shown[start]), _parts(shown[end - 1], after)
    is_long = end - start >= (_MIN_STEM if _is_latin(shown[end - 1]) else _MIN_STEM_OTHERS)
    if not starts and is_long and before > "\u0590":
        starts = _PREFIXES.search(shown, max(0, start - 6), start) is not None
    if starts and ends:
        if (
            before in ("@", "#", "\\", "_")
            or _is_host(shown, start, end, is_run_on)
            or _is_measure(shown, start, end)
        ):
            return None
        if _is_inside(shown, start, end):
            return "within"
        return "joined" if before.isalnum() or after.isalnum() else "word"
    if starts and end - start > 2 and _PLURAL.match(shown, end):
        return "plural"
    if starts and is_long and (ending := _ENDING.match(shown, end)) and ending[0].islower() and is_foreign():
        return "inflected" if end - start > _MIN_STEM or not _is_latin(shown[end - 1]) else "within"
    return "glued" if _is_glued(shown, start, end, starts, ends) else None


def _parts(one: str, other: str) -> bool:
    """Whether two neighbouring characters belong to different words: raised digits do, and letters of two scripts."""
    if not one.isalnum() or not other.isalnum():
        return True
    if one.isascii() and other.isascii():
        return False
    if _UNSPACED.match(one) or _UNSPACED.match(other):
        return True
    if one.isalpha() and other.isalpha():
        return _is_latin(one) != _is_latin(other)
    return not all(each.isalpha() or each.isdecimal() for each in (one, other))


def _is_latin(letter: str) -> bool:
    return letter < "\u0370" or "\u1e00" <= letter < "\u1f00"


def _is_inside(shown: str, start: int, end: int) -> bool:
    """Whether a short name has letters of its own script at either side, other than particles behind it."""
    for letter, short in _RUNS:
        if end - start <= short and letter.match(shown, end - 1):
            goes_on = letter.match(shown, end) and not _PARTICLES.match(shown, end)
            return bool(goes_on or (start and letter.match(shown, start) and letter.match(shown, start - 1)))
    return False


def _is_measure(shown: str, start: int, end: int) -> bool:
    """Whether a name of up to three letters is a unit behind its number, the start of a model's or in a formula."""
    if end - start > _SHORT:
        return False
    written = shown[start:end]
    if written.islower() and _COUNT.search(shown, max(0, start - 2), start):
        return True
    is_model = written.isupper() and written.isalpha() and _MODEL.match(shown, end) is not None
    return is_model or _FORMULA.fullmatch(shown, start, end + 1) is not None


def _is_host(shown: str, start: int, end: int, is_run_on: Callable[[], bool]) -> bool:
    """Whether the name is a part of an address, a path or a file's name; "Booking.com" with its capital is a name,
    and so is each of "Dropbox/Drive/Box"."""
    found = _HOST.match(shown, end)
    if found and not (found[0].startswith(".") and shown[start].isupper()):
        return True
    before = shown[start - 1 : start]
    if before == "/":
        is_below = _PATH.match(shown, end) and _ROOT.search(shown, max(0, start - 70), start)
        return shown[start:end].islower() or is_below is not None
    is_dotted = before == "." and shown[start - 2 : start - 1].islower() and shown[start].islower()
    return is_dotted and (shown[end : end + 1] == "." or not is_run_on())


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
    name, written = unaccented(claim.written), unaccented(written)
    flat, own = _SPACES.sub(" ", written), _SPACES.sub(" ", name)
    if claim.policy and claim.policy.case_sensitive and flat != own:
        return False
    if rule in ("plural", "inflected", "within", "glued") and written != name and not written[:1].isupper():
        return False
    if not claim.is_ambiguous:
        return True
    if rule == "glued":
        return written == name
    if len(name) <= _SHORT and not parts_of_speech(name.lower()):
        return written == name or (name[1:] == name[1:].lower() and written.isupper()) or written == name.title()
    return flat in (own, own.title(), own[:1].upper() + own[1:]) or (flat.isupper() and len(flat) > _SHORT)
