"""What a question is about: arguments and names in it are linked to what the site has. Nothing else narrows facts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import get_close_matches
from uuid import UUID

from brands.models import Brand, Competitor
from brands.names import spelling_key
from visibility.answers.detect import BRAND, Reader
from visibility.ask.resources import About, Resolved
from visibility.detection import is_function_word
from visibility.models import RunEngine, Topic
from visibility.topics.pooling import stems
from visibility.topics.reads import nearest_topics

MOST_OTHERS = 5
LEAST_PART = 3
"""So many letters of an engine's name have to be given to mean it."""
_BETWEEN = r"[\W_]{1,3}"
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, as the caller has understood it; None: not said. Days are both included."""

    text: str
    about: About | None = None
    topic: str | None = None
    engine: str | None = None
    competitor: str | None = None
    first: date | None = None
    last: date | None = None
    words: str | None = None
    limit: int | None = None


@dataclass(slots=True)
class Meant:
    """What the facts are narrowed to; empty: to nothing. `competitor_text` is given and is nobody who is tracked."""

    topics: list[Topic] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    competitors: list[Competitor] = field(default_factory=list)
    competitor_text: str | None = None
    resolved: list[Resolved] = field(default_factory=list)
    unknown: dict[str, str] = field(default_factory=dict)

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found that facts can be narrowed to."""
        return not (self.topics or self.engines or self.competitors or self.competitor_text)


def resolve(brand: Brand, question: Question) -> Meant:
    """Link the arguments, and where one is not given what the question names in full. What could mean two things
    narrows to neither."""
    meant = Meant()
    _resolve_competitors(brand, question, meant)
    _resolve_engines(brand, question, meant)
    _resolve_topics(brand, question, meant)
    return meant


def _resolve_competitors(brand: Brand, question: Question, meant: Meant) -> None:
    tracked = {competitor.pk: competitor for competitor in brand.competitors.all()}
    if (given := question.competitor) is not None:
        key = _competitor_of(brand, given, tracked)
        if key == BRAND:
            meant.resolved.append(Resolved(kind="site", id=brand.pk, name=brand.name, from_=given))
        elif isinstance(key, UUID):
            meant.competitors.append(tracked[key])
            meant.resolved.append(Resolved(kind="competitor", id=key, name=tracked[key].name, from_=given))
        else:
            meant.competitor_text = given
        return
    found: dict[str, str] = {}
    for mention in Reader(brand).detector.detect(question.text).mentions:
        found.setdefault(mention.subject, question.text[mention.start : mention.end])
    for subject, words in found.items():
        if subject == BRAND:
            meant.resolved.append(Resolved(kind="site", id=brand.pk, name=brand.name, from_=words))
        elif competitor := tracked.get(UUID(subject)):
            meant.competitors.append(competitor)
            meant.resolved.append(Resolved(kind="competitor", id=competitor.pk, name=competitor.name, from_=words))


def _competitor_of(brand: Brand, given: str, tracked: Mapping[UUID, Competitor]) -> UUID | str | None:
    """The competitor of an id or of a name in whatever case; the key of the brand; None: nobody who is tracked."""
    try:
        if (key := UUID(given)) in tracked:
            return key
        return BRAND if key == brand.pk else None
    except ValueError:
        name = brand.names.filter(key=spelling_key(" ".join(given.split()))).first()
    if name is None:
        return None
    return BRAND if name.competitor_id is None else name.competitor_id


def unknown_competitor(brand: Brand, given: str) -> Resolved:
    """For a name that is neither tracked nor offered by answers: the tracked ones that are written like it."""
    names = {name.casefold(): name for name in brand.competitors.values_list("name", flat=True)}
    near = get_close_matches(given.casefold(), names, n=MOST_OTHERS)
    return Resolved(kind="competitor", from_=given, others=[names[name] for name in near])


def _resolve_engines(brand: Brand, question: Question, meant: Meant) -> None:
    asked = RunEngine.objects.filter(run__brand=brand).order_by("engine__name").distinct()
    names = list(asked.values_list("engine__name", flat=True))
    if question.engine is None:
        meant.engines = [name for name in names if _words_of(name, question.text)]
        meant.resolved += [
            Resolved(kind="engine", name=name, from_=_words_of(name, question.text)) for name in meant.engines
        ]
        return
    wanted = _letters(question.engine)
    same = [name for name in names if _letters(name) == wanted]
    near = same or [name for name in names if len(wanted) >= LEAST_PART and wanted in _letters(name)]
    if len(near) == 1:
        meant.engines = near
        meant.resolved.append(Resolved(kind="engine", name=near[0], from_=question.engine))
        return
    meant.resolved.append(Resolved(kind="engine", from_=question.engine, others=(near or names)[:MOST_OTHERS]))
    meant.unknown["engine"] = "no engine that was asked" if not near else "several engines"


def _resolve_topics(brand: Brand, question: Question, meant: Meant) -> None:
    topics = list(Topic.objects.filter(brand=brand))
    if question.topic is None:
        _link_topics(topics, question.text, meant)
        return
    given = " ".join(question.topic.split())
    found = [topic for topic in topics if given.casefold() in (topic.name.casefold(), str(topic.pk))]
    if not found and (wanted := stems(given)):
        found = [topic for topic in topics if topic.own is not False and wanted <= stems(topic.name)]
    if len(found) == 1:
        meant.topics = found
        meant.resolved.append(Resolved(kind="topic", id=found[0].pk, name=found[0].name, from_=given))
        return
    others = [topic.name for topic in found] or nearest_topics(brand, given)
    meant.resolved.append(Resolved(kind="topic", from_=given, others=others[:MOST_OTHERS]))
    meant.unknown["topic"] = "no topic of the site" if not found else "several topics"


def _link_topics(topics: Sequence[Topic], text: str, meant: Meant) -> None:
    """Topics whose full name of several words stands in the question; by single words a topic is only offered."""
    linked = {topic: words for topic in topics if (words := _words_of(topic.name, text)) and _SIGNS.search(words)}
    meant.topics = list(linked)
    meant.resolved += [
        Resolved(kind="topic", id=topic.pk, name=topic.name, from_=words) for topic, words in linked.items()
    ]
    telling = {word for word in stems(text) if not is_function_word(word) and not word.isdecimal()}
    shared = {topic.name: len(telling & stems(topic.name)) for topic in topics if topic.own is not False}
    near = sorted((name for name, number in shared.items() if number), key=lambda name: (-shared[name], name))
    if near and not linked:
        meant.resolved.append(Resolved(kind="topic", others=near[:MOST_OTHERS]))


def _words_of(name: str, text: str) -> str | None:
    """The words of the text that are this whole name, however its parts are joined; None: it does not stand there."""
    parts = [re.escape(part) for part in _SIGNS.split(name) if part]
    found = re.search(rf"(?<!\w){_BETWEEN.join(parts)}(?!\w)", text, re.IGNORECASE) if parts else None
    return found[0] if found else None


def _letters(name: str) -> str:
    return _SIGNS.sub("", name.casefold())
