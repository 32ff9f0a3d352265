"""What a question is about: its arguments and names are linked to what the site has. Nothing else narrows facts."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from uuid import UUID

from django.db.models.functions import Length

from apikeys.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand, Competitor
from visibility.answers.detect import BRAND, Reader
from visibility.ask.bare import words_in
from visibility.ask.resources import About, Kind, Resolved
from visibility.detection import is_function_word
from visibility.detection.folding import fold
from visibility.detection.untracked import name_key
from visibility.models import Prompt, Topic
from visibility.scores.engines import asked_engines, engines_like
from visibility.topics.pooling import stems
from visibility.topics.reads import find_topic, nearest_topics

MOST_OTHERS = 5
SURE_WORDS = 2
LEAST_OF_PROMPT = 3
"""Words that a prompt has to have to be seen in a question."""
SIGNS = 10
"""A prompt may be longer by so many signs than the question that contains its words."""
SEE_TOPICS = {Scope.READ_VISIBILITY, Scope.READ_PROMPTS, Scope.READ_COMPETITORS}
"""Each of them shows the topics and engines of a site."""
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True)
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

    @cached_property
    def plain(self) -> str:
        """The words of the text in small letters between single spaces."""
        return f" {_SIGNS.sub(' ', self.text.casefold()).strip()} "

    def left(self, terms: Collection[str]) -> list[str]:
        """The words that are of none of these names and of no argument."""
        given = (self.topic, self.engine, self.competitor, self.words)
        known = {*terms, *words_in(" ".join(filter(None, given)))}
        return [word for word in words_in(self.text) if word not in known]

    def words_of(self, name: str) -> str | None:
        """The words of the text that are this whole name, however its parts are joined; None where it has none."""
        parts = [part for part in _SIGNS.split(name) if part]
        if not parts or f" {' '.join(parts).casefold()} " not in self.plain:
            return None
        found = re.search(rf"(?<!\w){_SIGNS.pattern.join(map(re.escape, parts))}(?!\w)", self.text, re.IGNORECASE)
        return found and found[0]

    @property
    def has_days(self) -> bool:
        """Whether days are given."""
        return self.first is not None or self.last is not None

    @property
    def is_alone(self) -> bool:
        """Whether nothing but the text is given, so that names in it narrow the facts."""
        given = (self.about, self.topic, self.engine, self.competitor, self.words)
        return not self.has_days and all(each is None for each in given)


@dataclass(slots=True)
class Meant:
    """What the facts are narrowed to; empty: to nothing. `name`: the untracked name that was given as competitor.
    `unknown`: by the argument that narrows nothing, why, and what may have been meant. `maybe_topic`: what a question
    without arguments may be about. `terms`: the words of all names that the site has."""

    topics: list[Topic] = field(default_factory=list)
    engines: list[str] = field(default_factory=list)
    prompt: UUID | None = None
    competitors: list[Competitor] = field(default_factory=list)
    name: str | None = None
    resolved: list[Resolved] = field(default_factory=list)
    unknown: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    maybe_topic: str | None = None
    terms: set[str] = field(default_factory=set)

    @property
    def is_narrow(self) -> bool:
        """Whether they are narrowed by more than topics."""
        return bool(self.engines or self.competitors or self.name or self.prompt)

    @property
    def is_lost(self) -> bool:
        """Whether an argument narrows nothing that would have to narrow the answers."""
        return bool(self.unknown.keys() - {"competitor"})

    def know(self, names: Iterable[str]) -> None:
        """Remember words of names."""
        self.terms.update(words_in(" ".join(names)))

    def __bool__(self) -> bool:
        return bool(self.topics) or self.is_narrow


def resolve(caller: Caller, brand: Brand, question: Question) -> Meant:
    """Link the arguments; without arguments, what the question names in full; otherwise its names are only offered.
    What could mean two things narrows to neither; what the key may not see is not linked."""
    meant = Meant()
    meant.know([brand.name])
    if Scope.READ_COMPETITORS in caller.scopes:
        _resolve_competitors(brand, question, meant)
    if caller.scopes & SEE_TOPICS:
        _resolve_engines(brand, question, meant)
        _resolve_topics(brand, question, meant)
    if Scope.READ_PROMPTS in caller.scopes:
        _link_prompt(brand, question, meant)
    return meant


def _resolve_competitors(brand: Brand, question: Question, meant: Meant) -> None:
    tracked = {str(competitor.pk): competitor for competitor in brand.competitors.all()}
    names = list(brand.names.all())
    meant.know(name.text for name in names)
    written = {str(name.competitor_id): words for name in names if (words := question.words_of(name.text))}
    if (given := question.competitor) is None:
        if not question.is_alone:
            _offer(meant, "competitor", [tracked[key].name for key in tracked if key in written])
            return
        found: dict[str, str] = {}
        for mention in Reader(brand).detector.detect(question.text).mentions:
            found.setdefault(mention.subject, question.text[mention.start : mention.end])
    elif (key := _competitor_key(brand, given)) in {BRAND, *tracked}:
        found = {key: given} | {other: written[other] for other in tracked if other in written and other != key}
    else:
        meant.name, found = given, {other: written[other] for other in tracked if other in written}
    for subject, words in found.items():
        if competitor := tracked.get(subject):
            meant.competitors.append(competitor)
            meant.resolved.append(Resolved(kind="competitor", id=competitor.pk, name=competitor.name, from_=words))
        else:
            meant.resolved.append(Resolved(kind="site", id=brand.pk, name=brand.name, from_=words))


def _competitor_key(brand: Brand, given: str) -> str:
    """The id of a competitor that was given by its id or a name however it is spelled; BRAND for the brand itself."""
    try:
        key = str(UUID(given))
    except ValueError:
        alike = {str(name.competitor_id or BRAND) for name in brand.names.all() if key_of(name.text) == key_of(given)}
        return alike.pop() if len(alike) == 1 else ""
    return BRAND if key == str(brand.pk) else key


def key_of(name: str) -> str:
    """The same for all spellings of a name: whatever case, accents, apostrophes, hyphens and spaces."""
    return name_key(fold(name))


def _resolve_engines(brand: Brand, question: Question, meant: Meant) -> None:
    names = asked_engines(brand)
    meant.know(names)
    if (given := question.engine) is None:
        written = {name: question.words_of(name) or question.words_of(name.partition("_")[0]) for name in names}
        linked = {name: words for name, words in written.items() if words}  # "Google" for google_ai_mode
        if not question.is_alone:
            _offer(meant, "engine", list(linked))
            return
        meant.engines = list(linked)
        meant.resolved += [Resolved(kind="engine", name=name, from_=words) for name, words in linked.items()]
        return
    near = engines_like(names, given)
    if len(near) == 1:
        meant.engines = near
        meant.resolved.append(Resolved(kind="engine", name=meant.engines[0], from_=given))
    else:
        meant.resolved.append(Resolved(kind="engine", from_=given, others=(near or names)[:MOST_OTHERS]))
        meant.unknown["engine"] = "several engines" if near else "no engine that was asked", next(iter(near), None)


def _resolve_topics(brand: Brand, question: Question, meant: Meant) -> None:
    topics = list(Topic.objects.filter(brand=brand))
    meant.know(topic.name for topic in topics)
    if question.topic is None:
        _link_topics(topics, question, meant)
        return
    if topic := find_topic(topics, question.topic):
        meant.topics = [topic]
        meant.resolved.append(Resolved(kind="topic", id=topic.pk, name=topic.name, from_=question.topic))
    else:
        near = nearest_topics(topics, question.topic)
        meant.resolved.append(Resolved(kind="topic", from_=question.topic, others=near))
        alike = [name for name in near if stems(name) & stems(question.topic)]
        meant.unknown["topic"] = "neither the full name nor the id of a topic", next(iter(alike), None)


def _link_prompt(brand: Brand, question: Question, meant: Meant) -> None:
    """The prompt whose whole text is in the question, the longest: the facts are of its answers alone."""
    prompts = Prompt.objects.filter(brand=brand).tracked().annotate(length=Length("text"))
    texts = prompts.filter(length__lte=len(question.text) + SIGNS).values_list("pk", "text")
    plain = {key: (Question(text).plain, text) for key, text in texts}
    held = {key: each for key, each in plain.items() if each[0] in question.plain}
    key = max(held, key=lambda key: len(held[key][0]), default=None)
    if key is not None and len(held[key][0].split()) >= LEAST_OF_PROMPT:
        meant.prompt = key
        meant.resolved.append(Resolved(kind="prompt", id=key, name=held[key][1]))
        meant.know([held[key][1]])


def _link_topics(topics: Sequence[Topic], question: Question, meant: Meant) -> None:
    """Topics whose full name of several words is in the text, or the only one that shares two words; by single words
    a topic is only offered."""
    words_of = {topic: question.words_of(topic.name) or "" for topic in topics}
    linked = [topic for topic, words in words_of.items() if _SIGNS.search(words)]
    if linked and question.is_alone:
        meant.topics = linked
        meant.resolved += [
            Resolved(kind="topic", id=each.pk, name=each.name, from_=words_of[each]) for each in linked
        ]
        return
    telling = {word for word in stems(question.text) if not is_function_word(word) and not word.isdecimal()}
    shared = {topic: telling & stems(_SIGNS.sub(" ", topic.name)) for topic in topics if topic.own is not False}
    near = sorted(filter(shared.get, shared), key=lambda topic: (-len(shared[topic]), topic.name))
    if question.is_alone and len(near) == 1 and len(shared[near[0]]) >= SURE_WORDS:
        meant.topics, words = near, " ".join(sorted(shared[near[0]]))
        meant.resolved.append(Resolved(kind="topic", id=near[0].pk, name=near[0].name, from_=words))
        return
    if question.is_alone and near:
        meant.maybe_topic = near[0].name
    _offer(meant, "topic", [topic.name for topic in near])


def _offer(meant: Meant, kind: Kind, names: Sequence[str]) -> None:
    if names:
        meant.resolved.append(Resolved(kind=kind, others=list(names[:MOST_OTHERS])))
