"""Words of praise beside a criterion: "excellent battery life", "battery life is superb", "known for its comfort"."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from visibility.detection.text.spans import Spans
from visibility.evidence.vocabulary import (
    BETWEEN,
    FITTING,
    GOES_ON,
    GOOD,
    IDIOMS,
    LINKS,
    SAYS,
    SELF,
    SHINES,
    SPOILS,
    Key,
    stem,
    stems,
)

Span = tuple[int, int]
Terms = Mapping[str, Sequence[tuple[tuple[str, ...], Key]]]
"""The spellings of criteria, as stems, by the first of them; the longest first."""

_TOKEN = re.compile(r"[^\W_]+(?:['\u2019-][^\W_]+)*|[:]")
_GOES_ON = re.compile(r"[\s*_]*[^\W_]")
_REACH = 6
_BEHIND = 4
_NEAR = 2
_MAX_PART = 400


def terms_of(spellings: Iterable[tuple[Key, str]]) -> Terms:
    """The terms of these criteria with their spellings."""
    terms: dict[str, set[tuple[tuple[str, ...], Key]]] = {}
    for key, spelling in spellings:
        for parts in (stems(spelling), [stem(word) for word in _TOKEN.findall(spelling)]):
            if parts:
                terms.setdefault(parts[0], set()).add((tuple(parts), key))
    return {first: sorted(rows, key=lambda row: (-len(row[0]), row)) for first, rows in terms.items()}


def praised(prose: str, start: int, end: int, terms: Terms) -> Iterator[tuple[Key, Span]]:
    """The criteria that this part of a sentence praises, each with the place of its words."""
    end = min(end, start + _MAX_PART)
    tokens = list(_TOKEN.finditer(prose, start, end))
    words = [token[0].lower() for token in tokens]
    hits = list(_hits([stem(word) for word in words], terms))
    if not hits or SPOILS.search(prose, start, end):
        return
    idioms = Spans(idiom.span() for idiom in IDIOMS.finditer(prose, start, end))
    shining = SHINES.search(prose, start, end)
    for first, last, key in hits:
        place = tokens[first].start(), tokens[last - 1].end()
        if not idioms.touches(*place) and (
            _is_praise(words[first:last])
            or _shines(prose, shining, place[0])
            or _is_before(prose, tokens, first)
            or _is_behind(prose, tokens[last : last + _BEHIND])
        ):
            yield key, place


def _is_praise(words: Sequence[str]) -> bool:
    """Whether the words of a criterion praise by themselves: "lightweight", "long battery life"."""
    return not SELF.isdisjoint(words) or not (GOOD | FITTING).isdisjoint(words[:-1])


def speaks_of(prose: str, terms: Terms) -> set[Key]:
    """The criteria that a text has a spelling of."""
    parts = [stem(token[0]) for token in _TOKEN.finditer(prose)]
    return {key for _, _, key in _hits(parts, terms)}


def _shines(prose: str, shining: re.Match[str] | None, start: int) -> bool:
    """Whether what stands here is among what the subject is known for."""
    return shining is not None and shining.end() <= start and not GOES_ON.search(prose, shining.end(), start)


def _hits(parts: Sequence[str], terms: Terms) -> Iterator[tuple[int, int, Key]]:
    """Where spellings of criteria stand, the longest at each place."""
    index = 0
    while index < len(parts):
        for spelling, key in terms.get(parts[index], ()):
            if tuple(parts[index : index + len(spelling)]) == spelling:
                yield index, index + len(spelling), key
                index += len(spelling) - 1
                break
        index += 1


def _is_before(prose: str, tokens: Sequence[re.Match[str]], first: int) -> bool:
    """Whether praise stands before: a word that always praises, with no verb or other clause between, or at once one
    that does of things such as this."""
    words = [token[0].lower() for token in tokens[max(0, first - _REACH) : first]]
    if len(words) > 1 and words[-1] in LINKS and words[-2] in GOOD:
        return True
    for distance, word in enumerate(reversed(words), 1):
        gap = prose[tokens[first - distance].end() : tokens[first].start()]
        if word in GOOD or (word in FITTING and distance <= _NEAR and "," not in gap):
            return True
        if word in BETWEEN:
            return False
    return False


def _is_behind(prose: str, tokens: Sequence[re.Match[str]]) -> bool:
    """Whether what follows says so, and no more: "is excellent", ": superb"."""
    if not tokens or tokens[0][0].lower() not in SAYS:
        return False
    said = next((token for token in tokens if token[0].lower() not in SAYS), None)
    return said is not None and said[0].lower() in GOOD and _GOES_ON.match(prose, said.end()) is None
