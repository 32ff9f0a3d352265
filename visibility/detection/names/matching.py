"""Finds all names of a dictionary in a folded text in one pass, and settles which of them are meant."""

import heapq
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter

import ahocorasick

from visibility.detection.names.ambiguity import Kind, flag_ambiguous
from visibility.detection.names.boundaries import boundary
from visibility.detection.names.variants import Variant, variants
from visibility.detection.text.addresses import ascii_host
from visibility.detection.text.folding import STROKES, fold, unaccented
from visibility.detection.text.mapped import MappedText
from visibility.detection.text.spans import Spans
from visibility.detection.types import Domains, Name, Policy

_ENDS = frozenset({"", "\n", "\0"})
_PARTS = re.compile(r"[\s\u2010-\u2015\u2212-]+")


@dataclass(frozen=True, slots=True)
class Claim:
    """One subject's claim to a folded text: the name behind it, how it is varied, and what else it means."""

    subject: str
    text: str
    variant: Variant
    kind: Kind | None
    policy: Policy | None


@dataclass(frozen=True, slots=True)
class Match:
    """A name at `start:end` of the visible text, by the claims that its spelling allows, and the rule of its edges.

    `written` is the text as it stands there.
    """

    start: int
    end: int
    written: str
    claims: tuple[Claim, ...]
    rule: str

    @property
    def subjects(self) -> tuple[str, ...]:
        """Whose name it is; more than one where subjects share it."""
        return tuple(claim.subject for claim in self.claims)


@dataclass(frozen=True, slots=True)
class _Entry:
    """All claims to one folded text."""

    length: int
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Owners:
    """What is known of the subjects besides their names: their hosts, and of whose line each one is."""

    hosts: Mapping[str, frozenset[str]] = field(default_factory=dict)
    parents: Mapping[str, str] = field(default_factory=dict)


class Dictionary:
    """The names of all subjects, prepared once. Safe to share between threads.

    `domains` tell names from common words where an answer links to them, and `parents` whose line a subject is;
    a subject with a domain below another's is its line without being told. `descriptions` say what a subject sells.
    """

    def __init__(
        self,
        names: Iterable[Name],
        domains: Domains | None = None,
        parents: Mapping[str, str] | None = None,
        descriptions: Mapping[str, str] | None = None,
    ) -> None:
        self.descriptions = dict(descriptions or {})
        self._automaton = ahocorasick.Automaton()
        claims: dict[str, dict[tuple[str, str], Claim]] = {}
        self._texts: dict[str, list[str]] = {}
        for name in names:
            self._texts.setdefault(name.subject, []).append(fold(name.text).text.strip())
            owned = domains.by_subject.get(name.subject, ()) if domains else ()
            for variant in (*variants(name.text), *_hosts_called(name.text, owned)):
                flag = flag_ambiguous(variant.written) if len(variant.parts) < 2 else None
                claim = Claim(name.subject, name.text, variant, flag.kind if flag else None, name.policy)
                claims.setdefault(variant.folded, {}).setdefault((name.subject, name.text), claim)
        for folded, claimed in claims.items():
            ordered = tuple(claimed[key] for key in sorted(claimed))
            self._automaton.add_word(folded, _Entry(len(folded), ordered))
        self._automaton.make_automaton()
        self._is_empty = not claims
        hosts = {
            subject: frozenset(ascii_host(each).removeprefix("www.") for each in owned) - {""}
            for subject, owned in (domains.by_subject if domains else {}).items()
        }
        self.owners = Owners(hosts, {**_lines(hosts), **(parents or {})})

    def is_named(self, subject: str, written: str) -> bool:
        """Whether words contain a name of the subject as a word."""
        words = f" {fold(written).text} "
        return any(text and f" {text} " in words for text in self._texts.get(subject, ()))

    def occurrences(self, folded: MappedText, shown: str, code: Spans | None = None) -> Iterator[Match]:
        """Every name that stands as a word and is spelt as one, overlaps included, by its end.

        `shown` is the text that was folded. Where it is an answer, `code` is what stands in inline code: there, and
        in lines and cells of its own, a name may be in small letters though it is a word, too (rule "small").
        """
        text = folded.text
        if self._is_empty or not text:
            return
        for last, entry in self._found(text):
            place = last + 1 - entry.length, last + 1
            start, end = folded.source_span(*place)
            if rule := boundary(text, place, shown, (start, end)):
                while shown[end : end + 1] in STROKES and end < len(shown):
                    end += 1  # a line through or below the last letter is part of it
                written = shown[start:end]
                spelt = tuple(claim for claim in entry.claims if _is_spelt(claim, written, rule))
                if not spelt and code and rule == "word" and written.islower() and _is_alone(shown, start, end, code):
                    spelt, rule = tuple(claim for claim in entry.claims if _may_be_small(claim)), "small"
                if spelt:
                    yield Match(start, end, written, spelt, rule)

    def _found(self, text: str) -> Iterator[tuple[int, _Entry]]:
        """The entries by the last letters of their places; those of names that mean nothing else also where the text
        has accents that the name lacks ("Nescaf\u00e9")."""
        plain = unaccented(text)
        accented = self._accented(text, plain) if plain != text else ()
        return heapq.merge(self._automaton.iter(text), accented, key=itemgetter(0))

    def _accented(self, text: str, plain: str) -> Iterator[tuple[int, _Entry]]:
        for last, entry in self._automaton.iter(plain):
            place = slice(last + 1 - entry.length, last + 1)
            if text[place] != plain[place] and (claims := tuple(each for each in entry.claims if each.kind is None)):
                yield last, _Entry(entry.length, claims)


def _hosts_called(name: str, hosts: Iterable[str]) -> Iterator[Variant]:
    """The hosts that are the name itself, as it is written with a capital: "BestBuy.com" is Best Buy, "bestbuy.com"
    an address."""
    closed = fold(name).text.replace(" ", "")
    for host in map(ascii_host, hosts):
        if host.removeprefix("www.").partition(".")[0] == closed and closed.isalnum():
            shown = host.removeprefix("www.").capitalize()
            yield Variant(shown, shown.lower(), "host", (shown,))


def settle(matches: Iterable[Match]) -> list[Match]:
    """The matches that are meant where some overlap: the longest, of equals the first. Sorted by place."""
    taken: list[Match] = []
    group: list[Match] = []
    end = 0
    for match in sorted(matches, key=lambda match: match.start):
        if match.start >= end:
            taken += _longest(group)
            group = []
        group.append(match)
        end = max(end, match.end)
    return taken + _longest(group)


def _longest(group: list[Match]) -> list[Match]:
    """The same of matches each of which overlaps another."""
    if len(group) < 2:
        return group
    starts: list[int] = []
    taken: list[Match] = []
    for match in sorted(group, key=lambda match: (match.start - match.end, match.start)):
        index = bisect_left(starts, match.start)
        if index and taken[index - 1].end > match.start:
            continue
        if index < len(taken) and starts[index] < match.end:
            continue
        starts.insert(index, match.start)
        taken.insert(index, match)
    return taken


def _lines(hosts: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """The parent of each subject whose host lies below another's."""
    owner_of = {host: subject for subject, owned in hosts.items() for host in owned}
    found = {}
    for subject, owned in hosts.items():
        for host in owned:
            labels = host.split(".")
            above = (owner_of.get(".".join(labels[cut:])) for cut in range(1, len(labels) - 1))
            parent = next((each for each in above if each is not None), subject)
            if parent != subject:
                found[subject] = parent
    return found


def _is_spelt(claim: Claim, written: str, rule: str) -> bool:
    """Whether capitals are where they must be for this claim."""
    parts = claim.variant.parts
    if parts and not _has_capitals(_PARTS.split(written), parts):
        return False
    if len(parts) > 1:
        return True
    name = claim.variant.written
    if rule in ("glued", "plural", "inflected") and written != name:
        # In a run of letters only capitals tell a name from a part of a word.
        if rule == "glued" and written.istitle() and name.isupper() and not claim.kind:
            return True
        return rule != "glued" and (written[:1].isupper() or name[:1].islower())
    if claim.policy and claim.policy.case_sensitive:
        return written == name
    if claim.kind in ("letters", "quantity"):
        return written == name
    if claim.kind in ("word", "proper", "phrase", "noun"):
        flat, own = (" ".join(_PARTS.split(each)) for each in (written, name))
        return flat in (own, own.title(), own[:1].upper() + own[1:]) or _is_styled(written, name)
    if name.isascii() and not written.isascii() and not fold(written).text.isascii():
        return written[:1].isupper() == name[:1].isupper()  # a word of another language differs by its accent
    return True


def _is_alone(shown: str, start: int, end: int, code: Spans) -> bool:
    """Whether nothing else stands in the line, cell or piece of inline code."""
    if shown[start - 1 : start] in _ENDS and shown[end : end + 1] in _ENDS:
        return True
    holding = code.holding(start, end)
    return holding is not None and shown[slice(*holding)].strip() == shown[start:end]


def _may_be_small(claim: Claim) -> bool:
    """Whether nothing but the capitals tells the name from a word."""
    return len(claim.variant.parts) < 2 and not (claim.policy and claim.policy.case_sensitive)


def _has_capitals(words: Sequence[str], parts: Sequence[str]) -> bool:
    """Whether each word that has a capital in the name has one in the text."""
    return len(words) == len(parts) and all(
        part[:1].islower() or not word[:1].islower() for word, part in zip(words, parts, strict=True)
    )


def _is_styled(written: str, name: str) -> bool:
    """Whether the difference is in the style of the letters alone (full width, in circles, accents apart)."""
    return not written.isascii() and written[:1].isupper() == name[:1].isupper()
