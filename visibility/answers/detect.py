"""Detection of stored answers: mentions, citations and untracked names, each written with what it was read by.

Watched names go through the same detector as tracked ones, so that tracking a name does not change its count.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from uuid import UUID

from django.db import connection, models, transaction

from apikeys.text import storable
from brands.models import Brand
from brands.names import BrandNames, names_of
from visibility.detection import Detector, Place, Policy, Stance, Subject, find_citations
from visibility.models import Answer, Citation, Mention, UntrackedName, WatchedName
from visibility.models.answers import AnswerQuerySet

BATCH = 100
REMEMBERED = 2_000
"""Answers whose findings are remembered: of some engines many are the same, day after day."""
BRAND = "brand"
"""The key of the brand among the subjects of detectors and counts; competitors have their ids."""
_WATCHED = "name:"
"""What the keys of watched names begin with among the subjects of detectors."""
MENTION = ("competitor_id", "start", "end", "rank", "rule", "rank_rule", "stance", "quote_start", "quote_end")
CITATION = ("url", "domain", "title", "position", "source_class", "is_own", "competitor_id")
UNTRACKED = ("name", "start", "end", "domain", "is_offered")
Row = tuple[Any, ...]
"""The values of one row, in the order of these columns."""


class Findings(NamedTuple):
    """What was found in an answer, as rows of MENTION, CITATION and UNTRACKED."""

    mentions: frozenset[Row] = frozenset()
    citations: frozenset[Row] = frozenset()
    untracked: frozenset[Row] = frozenset()


_TABLES: Sequence[tuple[type[models.Model], tuple[str, ...]]] = (
    (Mention, MENTION),
    (Citation, CITATION),
    (UntrackedName, UNTRACKED),
)
"""Where each part of Findings is stored."""


class Reader:
    """Reads answers for a brand and its competitors with the names of one version. Prepared once a job."""

    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        names = names_of(brand)
        self.names_version = names.version
        self.watched = dict(WatchedName.objects.filter(brand=brand, is_name=True).values_list("name", "domain"))
        self.detector = Detector(_subjects(names), _watched_subjects(brand, self.watched))
        self.domains = {subject_key(each.competitor): each.domains for each in (names.brand, *names.competitors)}
        self._find = lru_cache(maxsize=REMEMBERED)(self._find_in)
        self.names_in = lru_cache(maxsize=REMEMBERED)(self._names_in)

    def read(self, answer: Answer) -> Findings:
        """What is found in an answer."""
        sources = tuple(
            (source.get("url", ""), source.get("title", ""), source.get("domain", "")) for source in answer.sources
        )
        return self._find(answer.text, answer.version.text, sources)

    def _find_in(self, text: str, prompt: str, sources: Sequence[tuple[str, str, str]]) -> Findings:
        found = self.detector.detect(text, prompt, [(url, title) for url, title, _ in sources])
        cited = find_citations(sources, self.domains, brand=BRAND)
        return Findings(
            frozenset(
                (
                    competitor_of(each.subject),
                    each.start,
                    each.end,
                    each.rank,
                    each.rule[:20],
                    each.rank_rule[:20],
                    str(each.stance),
                    each.quote_start,
                    each.quote_end,
                )
                for each in found.mentions
            ),
            frozenset(
                (
                    storable(each.url),
                    each.domain[:253],
                    storable(each.title),
                    each.position,
                    str(each.source_class),
                    each.owner == BRAND,
                    competitor_of(each.owner),
                )
                for each in cited
            ),
            frozenset((each.name, each.start, each.end, each.domain, True) for each in found.untracked)
            | frozenset(
                _watched_row(each.subject, each.start, each.end)
                for each in found.watched
                if each.stance != Stance.NOT_FOUND
            ),
        )

    def _names_in(self, prompt: str) -> frozenset[str]:
        """The keys of the subjects that a prompt itself names."""
        return frozenset(mention.subject for mention in self.detector.detect(prompt).mentions)


def detect(reader: Reader, answers: AnswerQuerySet, progress: Callable[[int], None] = lambda number: None) -> int:
    """Read the answers that were not read with these names yet; returns how many. May run twice, and be killed."""
    stale = answers.answered().exclude(names_version=reader.names_version)
    keys = list(stale.order_by("pk").values_list("pk", flat=True))
    for batch in batches(keys):
        found = read_batch(reader, batch)  # before the transaction: it takes as long as it takes
        with transaction.atomic():
            replace(found)
            forget_unwatched(reader)
            Answer.objects.filter(pk__in=batch).update(names_version=reader.names_version)
        progress(len(batch))
    return len(keys)


def read_batch(reader: Reader, keys: Sequence[int]) -> dict[int, Findings]:
    """What is found in these answers, by their keys."""
    answers = Answer.objects.filter(pk__in=keys).select_related("version")
    return {answer.pk: reader.read(answer) for answer in answers.only("text", "sources", "version__text")}


class PlaceFinder:
    """Finds every place of the names of the brand, or of one competitor, whether or not it counts."""

    def __init__(self, brand: Brand, competitor: UUID | None) -> None:
        key = subject_key(competitor)
        self._detector = Detector(each for each in _subjects(names_of(brand)) if each.key == key)

    def read(self, answer: Answer) -> list[Place]:
        """The places in an answer, by place."""
        return self._detector.places(answer.text, answer.version.text, _titled(answer))


class NameFinder:
    """Finds names that nobody tracks, each with its domain if it has one, as if they were competitors of a brand."""

    def __init__(self, brand: Brand, names: Mapping[str, str]) -> None:
        self._detector = Detector(_watched_subjects(brand, names))

    def read(self, keys: Iterable[int]) -> Iterator[Row]:
        """Where these answers mention the names: for each place the answer and a row of UNTRACKED."""
        for batch in batches(keys):
            answers = Answer.objects.filter(pk__in=batch).select_related("version")
            for answer in answers.only("text", "sources", "version__text"):
                named = self._detector.named(answer.text, answer.version.text, _titled(answer))
                yield from ((answer.pk, *_watched_row(*place)) for place in named)

    def names_in(self, prompt: str) -> set[str]:
        """The names that a prompt itself mentions."""
        return {subject.removeprefix(_WATCHED) for subject, _, _ in self._detector.named(prompt)}


def write_names(rows: Iterable[Row]) -> None:
    """Store rows of a NameFinder, none of which is stored yet."""
    _copy(UntrackedName, ("answer_id", *UNTRACKED), rows)


def forget_unwatched(reader: Reader) -> None:
    """Forget the names that are watched only since this reader was made, in the transaction that writes what it read:
    its answers lack them, so that `watch_names` has to read them again."""
    watched = WatchedName.objects.filter(brand=reader.brand, is_name=True)
    watched.exclude(name__in=reader.watched).delete()


def stored_findings(keys: Sequence[int]) -> dict[int, Findings]:
    """What was found in these answers when they were read last."""
    parts: list[dict[int, set[Row]]] = [{key: set() for key in keys} for _ in _TABLES]
    for (model, columns), rows in zip(_TABLES, parts, strict=True):
        for key, *values in model._base_manager.filter(answer__in=keys).values_list("answer", *columns):
            rows[key].add(tuple(values))
    return {key: Findings(*(frozenset(rows[key]) for rows in parts)) for key in keys}


def replace(found: Mapping[int, Findings]) -> None:
    """Write what was found in answers in place of what was stored, in the caller's transaction."""
    # One at a time: an import and the worker may be reading the same answers.
    locked = Answer.objects.filter(pk__in=found).select_for_update(no_key=True).order_by("pk")
    days = {key: (brand, day) for key, brand, day in locked.values_list("pk", "brand", "day")}
    for place, (model, columns) in enumerate(_TABLES):
        model._base_manager.filter(answer__in=days).delete()
        rows: Iterator[Row] = ((key, *row) for key in days for row in found[key][place])
        if model is Citation:
            columns += ("brand_id", "day", "digest")
            rows = ((*row, *days[row[0]], _digest(row[1])) for row in rows)
        _copy(model, ("answer_id", *columns), rows)


def _copy(model: type[models.Model], columns: Sequence[str], rows: Iterable[Row]) -> None:
    """Insert rows, of which there are millions, at a fraction of what `bulk_create` costs."""
    names = ", ".join(map(connection.ops.quote_name, columns))
    with connection.cursor() as cursor, cursor.copy(f"COPY {model._meta.db_table} ({names}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _digest(url: str) -> bytes:
    return hashlib.blake2b(url.encode(errors="replace"), digest_size=16).digest()


def subject_key(competitor: UUID | None) -> str:
    """The key of a competitor; None: of the brand."""
    return BRAND if competitor is None else str(competitor)


def competitor_of(key: str | None) -> UUID | None:
    """The competitor that a key stands for; None for the brand, and for nobody."""
    return None if key is None or key == BRAND else UUID(key)


def batches(keys: Iterable[int]) -> Iterator[list[int]]:
    """The keys, BATCH at a time."""
    rest = iter(keys)
    return iter(lambda: list(islice(rest, BATCH)), [])


def _subjects(names: BrandNames) -> Iterator[Subject]:
    for tracked in (names.brand, *names.competitors):
        policies = {
            name.text: Policy(name.case_sensitive, name.required_near, name.forbidden_near)
            for name in tracked.names
            if name.case_sensitive or name.required_near or name.forbidden_near
        }
        yield Subject(
            key=subject_key(tracked.competitor),
            names=[name.text for name in tracked.names],
            domains=tracked.domains,
            policies=policies,
            description=tracked.description,
        )


def _watched_subjects(brand: Brand, names: Mapping[str, str]) -> Iterator[Subject]:
    for name, domain in names.items():
        yield Subject(f"{_WATCHED}{name}", [name], [domain] if domain else [], description=brand.description)


def _titled(answer: Answer) -> list[tuple[str, str]]:
    """The addresses and titles of an answer's sources."""
    return [(source.get("url", ""), source.get("title", "")) for source in answer.sources]


def _watched_row(subject: str, start: int, end: int) -> Row:
    """A row of UNTRACKED for a place where a watched name is mentioned."""
    return subject.removeprefix(_WATCHED), start, end, "", False
