"""What a reader is given: of the answers of now on one topic the passages on the brand and its two strongest rivals,
or the newest reviews."""

import hashlib
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, zip_longest
from uuid import UUID

from django.db.models import Count, QuerySet

from brands.models import Brand
from visibility.counts.reader import Selection, select_now
from visibility.detection.splitting import BREAK, Line
from visibility.detection.visible import Span, Visible, read
from visibility.models import Answer, Mention, Review, Topic, UntrackedName
from visibility.reading.lines import NamePlace, continues, depth_of, header_of, is_label, labels_of, leads, row_of

RIVALS = 2
MOST_CHARACTERS = 60_000
"""Of all texts that one reading gives."""
MOST_TEXTS = 60
LONGEST_PASSAGE, LONGEST_BEFORE = 1_000, 300
"""Characters of one passage, and of those before the name in an unbroken text."""
MOST_PASSAGES = 12
"""Of one subject in one answer."""
_BATCH = 20


@dataclass(frozen=True, slots=True)
class Given:
    """One answer or review as a reader gets it: stretches (`spans`) of its visible text, under a short key."""

    key: str
    pk: int
    question: str
    seen: Visible
    spans: Sequence[Span]
    names: Sequence[NamePlace] = ()

    @property
    def text(self) -> str:
        """The stretches as they are printed; the first row of a table has the names of its columns above."""
        parts: list[str] = []
        headed: set[Span | None] = set()
        for span in self.spans:
            header = header_of(self.seen, span[0])
            if header and header not in headed and self.seen.line_at(span[0]).row:
                shown = _printed(self.seen, _cut(self.seen.text, *header, header[0]))
                parts.append(f"[columns: {shown}]\n{_printed(self.seen, span)}")
            else:
                parts.append(_printed(self.seen, span))
            headed.add(header)
        return "\n[…]\n".join(parts)

    def is_header(self, span: Span) -> bool:
        """Whether a stretch is no more than names of the columns of a table."""
        header = None if self.seen.line_at(span[0]).row else header_of(self.seen, span[0])
        return header is not None and span[1] <= header[1]


@dataclass(frozen=True, slots=True)
class Material:
    """All that one reading is given. `subjects` are by the names that the reader uses: a competitor's id, None for
    the brand. Without a topic the texts are reviews."""

    brand: Brand
    topic: Topic | None
    subjects: Mapping[str, UUID | None]
    texts: Sequence[Given]

    @property
    def read(self) -> list[int]:
        """The ids of its answers or reviews."""
        return sorted(each.pk for each in self.texts)

    @property
    def batch(self) -> str:
        """Changes with the texts, so that a reply to others is noticed."""
        return hashlib.blake2b(repr([(each.key, each.pk) for each in self.texts]).encode(), digest_size=3).hexdigest()


class Source:
    """The answers of now and the reviews of a brand, read topic by topic."""

    def __init__(self, brand: Brand) -> None:
        self.brand = brand
        self._now: Selection = select_now(brand).scored

    def topics(self) -> list[Topic | None]:
        """The topics with answers that name somebody who is tracked, by name; None behind them where there are
        reviews."""
        cells = self._now.cells.filter(mentioned__gt=0).order_by()
        keys = cells.values_list("version__prompt__topic", flat=True).distinct()
        topics: list[Topic | None] = list(Topic.objects.filter(brand=self.brand, pk__in=list(keys)))
        return [*topics, None] if Review.objects.filter(brand=self.brand).exists() else topics

    def material(self, topic: Topic | None) -> Material:
        """What there is to read on a topic, or of the reviews."""
        if topic is None:
            texts = list(_within_bounds(self._reviews()))
            return Material(self.brand, None, {self.brand.name: None}, texts)
        answers = self._now.narrow(topics=[topic]).answers
        subjects = self._subjects(answers)
        order = self._spread(answers, subjects.values())
        texts = list(_within_bounds(self._answers(order, subjects)))
        return Material(self.brand, topic, subjects, texts)

    def _reviews(self) -> Iterator[Given]:
        rows = Review.objects.filter(brand=self.brand).order_by("-day", "-pk")
        for number, review in enumerate(rows[:MOST_TEXTS], 1):
            seen = read(review.text)
            end = _cut(seen.text, 0, len(seen.text), 0)[1]
            stars = "not at all" if review.stars is None else f"{review.stars:g} of 5 stars"
            if seen.text[:end].strip():
                yield Given(f"r{number}", review.pk, stars, seen, [(0, end)])

    def _subjects(self, answers: QuerySet[Answer]) -> dict[str, UUID | None]:
        """The brand, and the rivals that most of these answers mention."""
        rivals = Mention.objects.filter(answer__in=answers.values("pk"), competitor__isnull=False).order_by()
        counted = rivals.values_list("competitor", "competitor__name").annotate(number=Count("answer", distinct=True))
        strongest = sorted(counted, key=lambda row: (-row[2], row[1]))[:RIVALS]
        return {self.brand.name: None, **{name: key for key, name, _ in strongest}}

    def _spread(self, answers: QuerySet[Answer], subjects: Collection[UUID | None]) -> list[int]:
        """The answers that name a subject: of each prompt and engine in turn, the newest first."""
        rows = list(answers.order_by("-day", "-answered_at", "-pk").values_list("pk", "prompt", "engine"))
        mentions = Mention.objects.filter(answer__in=[pk for pk, *_ in rows]).order_by()
        naming = {
            pk for pk, subject in mentions.values_list("answer", "competitor").distinct() if subject in subjects
        }
        queues: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for pk, *place in rows:
            if pk in naming:
                queues[tuple(place)].append(pk)
        in_turn = zip_longest(*(queues[place] for place in sorted(queues, key=str)))
        return [pk for turn in in_turn for pk in turn if pk is not None]

    def _answers(self, order: Sequence[int], subjects: Mapping[str, UUID | None]) -> Iterator[Given]:
        for first in range(0, len(order), _BATCH):
            keys = order[first : first + _BATCH]
            answers = Answer.objects.filter(brand=self.brand).select_related("version").in_bulk(keys)
            names = self._names(keys)
            for number, pk in enumerate(keys, first + 1):
                seen = read(answers[pk].text)
                places = _shown_places(seen, names[pk])
                labels = labels_of(seen, places)
                places = [each for each in places if not is_label(seen, each, labels)]
                if spans := _spans(seen, places, subjects, labels):
                    yield Given(f"a{number}", pk, answers[pk].version.text, seen, spans, places)

    def _names(self, answers: Sequence[int]) -> Mapping[int, list[NamePlace]]:
        """All names that are known in these answers, by their places in the raw text."""
        names: dict[int, list[NamePlace]] = defaultdict(list)
        mentions = Mention.objects.filter(answer__in=answers).order_by()
        for pk, start, end, name in mentions.values_list("answer", "start", "end", "competitor__name"):
            names[pk].append(NamePlace(start, end, name or self.brand.name))
        rows = UntrackedName.objects.filter(answer__in=answers).order_by()
        others = list(rows.values_list("answer", "start", "end", "name"))
        tracked = {pk: list(places) for pk, places in names.items()}
        # "Taycan" right behind "Porsche" is a product of its, there and elsewhere.
        products = {
            name for pk, start, _, name in others if any(0 <= start - each.end <= 1 for each in tracked.get(pk, ()))
        }
        for pk, start, end, name in others:
            is_part = any(each.start < end and start < each.end for each in tracked.get(pk, ()))
            if not is_part and name not in products:
                names[pk].append(NamePlace(start, end, name, is_tracked=False))
        return names


def _within_bounds(texts: Iterator[Given]) -> Iterator[Given]:
    """The first texts that together are short enough."""
    left = MOST_CHARACTERS
    for each in islice(texts, MOST_TEXTS):
        left -= len(each.text)
        if left < 0:
            return
        yield each


def _shown_places(seen: Visible, names: Sequence[NamePlace]) -> list[NamePlace]:
    """The same names by their places in the visible text, in their order."""
    raw = [seen.places[place] for place in seen.at]
    places = (
        NamePlace(bisect_left(raw, each.start), bisect_left(raw, each.end), each.name, each.is_tracked)
        for each in names
    )
    return sorted((each for each in places if each.start < each.end), key=lambda each: (each.start, each.end))


def _spans(
    seen: Visible, places: Sequence[NamePlace], subjects: Collection[str], labels: Collection[int]
) -> list[Span]:
    """The passages on the subjects, those that touch made one."""
    passages: list[Span] = []
    number = dict.fromkeys(subjects, 0)
    for place in places:
        is_subject = place.is_tracked and number.get(place.name, MOST_PASSAGES) < MOST_PASSAGES
        if is_subject and not any(start <= place.start and place.end <= end for start, end in passages):
            others = [
                each.start
                for each in places
                if (each.name, each.is_tracked) != (place.name, True) and not _is_in_passing(seen, each)
            ]
            passages.append(_passage(seen, place, others, labels))
            number[place.name] += 1
    merged: list[Span] = []
    for start, end in sorted(passages):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return merged


def _passage(seen: Visible, place: NamePlace, others: Sequence[int], labels: Collection[int]) -> Span:
    """The paragraph or entry of a name: its line, a heading right above, and the lines below that belong to it, up
    to one that names somebody else (`others`: where such names start; `labels`: lines that begin with a label)."""
    number = seen.index_at(place.start)
    line, lines = seen.lines[number], seen.lines
    if line.kind == "cell":
        return _cut(seen.text, *row_of(lines, number), place.start)
    start, end = line.start, line.end
    above = lines[number - 1] if number else line
    if above.kind in ("heading", "title", "bold") and depth_of(above) < depth_of(line) and not _has(others, above):
        start = above.start
    for before, below in pairwise(lines[number:]):
        is_part = (
            (below.start in labels and line.start not in labels)
            or continues(seen, before, below)
            or depth_of(below) > depth_of(line)
        )
        if end - start > LONGEST_PASSAGE or not is_part or _has(others, below):
            break
        end = below.end
    return _cut(seen.text, start, end, place.start)


def _is_in_passing(seen: Visible, place: NamePlace) -> bool:
    """Whether a point mentions a name without being on it, such as "heavier than Zentra"."""
    return seen.line_at(place.start).kind in ("item", "point") and not leads(seen, place)


def _has(starts: Sequence[int], line: Line) -> bool:
    """Whether a name starts in a line."""
    found = bisect_left(starts, line.start)
    return found < len(starts) and starts[found] < line.end


def _cut(text: str, start: int, end: int, place: int) -> Span:
    """A span of at most LONGEST_PASSAGE characters with a place in it, between words."""
    if end - start > LONGEST_PASSAGE:
        first = max(start, min(place - LONGEST_BEFORE, end - LONGEST_PASSAGE))
        start = start if first == start else max(text.find(" ", first, place) + 1, first)
        last = start + LONGEST_PASSAGE
        end = end if last >= end else max(text.rfind(" ", place, last), place + 1)
    return start, end


def _printed(seen: Visible, span: Span) -> str:
    """A stretch of the visible text on lines of its own, without empty ones; each row of a table on one."""
    start, end = span
    rows = [line.start for line in seen.lines if line.kind == "cell" and not line.column and start < line.start < end]
    parts = (seen.text[first:last] for first, last in pairwise([start, *rows, end]))
    lines = (line for part in parts for line in part.replace(BREAK, " | ").splitlines())
    return "\n".join(shown for line in lines if (shown := " ".join(line.split()).strip("| ")))
