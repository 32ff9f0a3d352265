"""What a reader is given: of the answers of now on one topic the passages on the brand and its two strongest rivals,
or the newest reviews."""

import hashlib
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, zip_longest
from uuid import UUID

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
        self._made: dict[UUID | None, Material] = {}

    def topics(self) -> list[Topic | None]:
        """The topics with answers that name somebody who is tracked, by name; None behind them where there are
        reviews."""
        return self._topics

    @cached_property
    def _topics(self) -> list[Topic | None]:
        keys = {each.topic for each in self._now.sums if each.mentioned}
        named = sorted((each for each in self.brand.topics.all() if each.pk in keys), key=lambda each: each.name)
        topics: list[Topic | None] = [*named]
        return [*topics, None] if Review.objects.filter(brand=self.brand).exists() else topics

    def material(self, topic: Topic | None) -> Material:
        """What there is to read on a topic, or of the reviews."""
        return self.materials([topic])[0]

    def materials(self, topics: Sequence[Topic | None]) -> list[Material]:
        """The same of several, those that were not asked for before read at once."""
        new = [each for each in topics if each and each.pk not in self._made]
        answers = _Answers(self.brand, self._now.narrow(topics=new)) if new else None
        if answers:
            self._made |= {each.pk: answers.material(each) for each in new}
        if None in topics and None not in self._made:
            self._made[None] = self._reviews()
        return [self._made[each.pk if each else None] for each in topics]

    def _reviews(self) -> Material:
        texts = list(_within_bounds(self._given_reviews()))
        return Material(self.brand, None, {self.brand.name: None}, texts)

    def _given_reviews(self) -> Iterator[Given]:
        rows = Review.objects.filter(brand=self.brand).order_by("-day", "-pk")
        for number, review in enumerate(rows[:MOST_TEXTS], 1):
            seen = read(review.text)
            end = _cut(seen.text, 0, len(seen.text), 0)[1]
            stars = "not at all" if review.stars is None else f"{review.stars:g} of 5 stars"
            if seen.text[:end].strip():
                yield Given(f"r{number}", review.pk, stars, seen, [(0, end)])


@dataclass(frozen=True, slots=True)
class _Row:
    """An answer without its text."""

    pk: int
    topic: UUID
    place: tuple[object, ...]
    """Prompt and engine."""


class _Answers:
    """The answers on some topics: rows, mentions, and the first texts of each topic, each read in one statement."""

    def __init__(self, brand: Brand, now: Selection) -> None:
        self.brand = brand
        rows = now.answers.order_by("-day", "-answered_at", "-pk")
        columns = ("pk", "version__prompt__topic", "prompt", "engine")
        self._rows = [_Row(pk, topic, tuple(place)) for pk, topic, *place in rows.values_list(*columns)]
        self._mentions: dict[int, list[tuple[int, int, UUID | None, str | None]]] = defaultdict(list)
        mentions = Mention.objects.filter(answer__in=[each.pk for each in self._rows]).order_by()
        for pk, *mention in mentions.values_list("answer", "start", "end", "competitor", "competitor__name"):
            self._mentions[pk].append(tuple(mention))
        topics = {each.topic for each in self._rows}
        self._subjects = {topic: self._subjects_of(topic) for topic in topics}
        self._order = {topic: self._spread(topic) for topic in topics}
        self._read = dict(self._texts([pk for order in self._order.values() for pk in order[:MOST_TEXTS]]))

    def material(self, topic: Topic) -> Material:
        """What there is to read on one of the topics."""
        subjects = self._subjects.get(topic.pk, {self.brand.name: None})
        texts = list(_within_bounds(self._given(self._order.get(topic.pk, []), subjects)))
        return Material(self.brand, topic, subjects, texts)

    def _subjects_of(self, topic: UUID) -> dict[str, UUID | None]:
        """The brand, and the rivals that most answers on a topic mention."""
        counted = Counter(
            rival
            for row in self._rows
            if row.topic == topic
            for rival in {(key, name) for _, _, key, name in self._mentions.get(row.pk, ()) if key and name}
        )
        strongest = sorted(counted.items(), key=lambda each: (-each[1], each[0][1]))[:RIVALS]
        return {self.brand.name: None, **{name: key for (key, name), _ in strongest}}

    def _spread(self, topic: UUID) -> list[int]:
        """The answers that name a subject: of each prompt and engine in turn, the newest first."""
        subjects = set(self._subjects[topic].values())
        queues: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for row in self._rows:
            if row.topic == topic and any(key in subjects for *_, key, _ in self._mentions.get(row.pk, ())):
                queues[row.place].append(row.pk)
        in_turn = zip_longest(*(queues[place] for place in sorted(queues, key=str)))
        return [pk for turn in in_turn for pk in turn if pk is not None]

    def _given(self, order: Sequence[int], subjects: Mapping[str, UUID | None]) -> Iterator[Given]:
        for first in range(0, len(order), MOST_TEXTS):
            keys = order[first : first + MOST_TEXTS]
            read_now = self._read if first == 0 else dict(self._texts(keys))
            names = self._names({pk: read_now[pk] for pk in keys})
            for number, pk in enumerate(keys, first + 1):
                seen = read(read_now[pk].text)
                places = _shown_places(seen, names[pk])
                labels = labels_of(seen, places)
                places = [each for each in places if not is_label(seen, each, labels)]
                if spans := _spans(seen, places, subjects, labels):
                    yield Given(f"a{number}", pk, read_now[pk].question, seen, spans, places)

    def _texts(self, keys: Sequence[int]) -> Iterator[tuple[int, "_Text"]]:
        """Answers with their texts, and the names in them that nobody tracks."""
        others: dict[int, list[tuple[int, int, str]]] = defaultdict(list)
        rows = UntrackedName.objects.filter(answer__in=keys).order_by()
        for pk, *place in rows.values_list("answer", "start", "end", "name"):
            others[pk].append(tuple(place))
        texts = Answer.objects.filter(brand=self.brand, pk__in=keys).order_by()
        for pk, text, question in texts.values_list("pk", "text", "version__text"):
            yield pk, _Text(text, question, others[pk])

    def _names(self, texts: Mapping[int, "_Text"]) -> Mapping[int, list[NamePlace]]:
        """All names that are known in these answers, by their places in the raw text."""
        tracked = {
            pk: [NamePlace(start, end, name or self.brand.name) for start, end, _, name in self._mentions.get(pk, ())]
            for pk in texts
        }
        # "Taycan" right behind "Porsche" is a product of its, there and elsewhere.
        products = {
            name
            for pk, text in texts.items()
            for start, _, name in text.others
            if any(0 <= start - each.end <= 1 for each in tracked[pk])
        }
        return {
            pk: tracked[pk]
            + [
                NamePlace(start, end, name, is_tracked=False)
                for start, end, name in text.others
                if name not in products and not any(each.start < end and start < each.end for each in tracked[pk])
            ]
            for pk, text in texts.items()
        }


@dataclass(frozen=True, slots=True)
class _Text:
    """An answer with its question, and the places of names in it that nobody tracks."""

    text: str
    question: str
    others: Sequence[tuple[int, int, str]]


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
