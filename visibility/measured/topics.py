"""The topics of a brand: which there are, and how people write them."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

import orjson
from django.db.models import Case, F, Q, QuerySet, TextField, Value, When

from apikeys.caller import Caller
from apikeys.db.prepared import Prepared, Slot
from apikeys.db.snapshot import remembered
from apikeys.text.sentences import one_line, shortened
from visibility.models import PromptVersion
from visibility.models.prompts import MAX_TOPIC, Purpose
from visibility.writers.languages.language import language_of
from visibility.writers.topics import shown_name, words_of


@dataclass(frozen=True, slots=True)
class Topic:
    """What prompts ask about. `key` is the topic as it is stored, the id of a prompt that states none; `name` what
    people read, which no other topic of the brand has. `active`: scans ask some of its prompts; `language`: that of
    most of these, or else of all."""

    key: str
    name: str
    language: str
    prompts: frozenset[UUID]
    active: bool
    is_stated: bool = True


class Wording(NamedTuple):
    """A wording of a prompt, which has a stage and an intent where people stated them: the highest number is the
    latest."""

    prompt: UUID
    number: int
    text: str
    stage: str
    intent: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Which wordings belong to which prompt, which prompt to which topic (by key), and what scans ask: by prompt, and
    the keys of these wordings."""

    prompt_of: Mapping[str, UUID]
    key_of: Mapping[UUID, str]
    wordings: Mapping[UUID, str]
    current: frozenset[str]

    @property
    def stamp(self) -> str:
        """A digest of all: wordings never change, so that the same stamp is the same questions."""
        content = [sorted(self.prompt_of.items()), sorted(self.key_of.items()), sorted(self.wordings)]
        return hashlib.blake2b(orjson.dumps(content), digest_size=20).hexdigest()


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a brand by name. `prompt_of` maps the keys of all wordings, as counts have them, to their prompt,
    `key_of` each prompt to the key of its topic, `wordings` those that scans ask to their text, `versions` the keys
    of all wordings that there ever were to what they say; `current` are the keys of those that scans ask."""

    topics: Sequence[Topic]
    prompt_of: Mapping[str, UUID]
    key_of: Mapping[UUID, str]
    wordings: Mapping[UUID, str]
    versions: Mapping[int, Wording]
    current: frozenset[str]

    @property
    def names(self) -> dict[str, str]:
        """What people read for each topic, by its key."""
        return {topic.key: topic.name for topic in self.topics}

    @property
    def asked(self) -> Asked:
        """What is asked, without names."""
        return Asked(self.prompt_of, self.key_of, self.wordings, self.current)

    def name_of(self, topic: str) -> str:
        """What people read for the topic of a prompt; empty where it states none."""
        return self.names.get(topic, topic)

    def meant_by(self, name: str) -> Topic | None:
        """The topic that is called so, by its name or as it is stored, whatever case, dashes and plurals; or the only
        one whose name has all these words. None where there is none, or more than one."""
        if exact := [topic for topic in self.topics if name in (topic.key, topic.name)]:
            return exact[0]
        words = words_of(name)
        same = [topic for topic in self.topics if words in (words_of(topic.key), words_of(topic.name))]
        parts = [topic for topic in self.topics if topic.is_stated and words and _has_all(topic, words)]
        return next((topics[0] for topics in (same, parts) if len(topics) == 1), None)


def _has_all(topic: Topic, words: Collection[str]) -> bool:
    return {*words_of(topic.key), *words_of(topic.name)}.issuperset(words)


class _Row(NamedTuple):
    """A wording with its prompt; `earlier` is what it says where the prompt says something else by now."""

    wording: int
    number: int
    earlier: str
    prompt: UUID
    topic: str
    text: str
    locale: str
    archived_at: datetime | None
    stage: str
    intent: str

    @property
    def key(self) -> str:
        return self.topic or str(self.prompt)

    @property
    def says(self) -> str:
        return self.earlier or self.text


@remembered
def read_topics(brand_id: UUID) -> Topics:
    """The topics of all prompts that people keep, archived ones too, in one statement."""
    rows = [_Row(*row) for row in _ROWS.rows(None, brand_id=brand_id)]
    by_key: dict[str, dict[UUID, _Row]] = defaultdict(dict)
    for row in rows:
        by_key[row.key][row.prompt] = row
    topics = _distinct([_topic(key, list(members.values())) for key, members in by_key.items()])
    return Topics(
        sorted(topics, key=lambda topic: (topic.name.casefold(), topic.key)),
        {str(row.wording): row.prompt for row in rows},
        {row.prompt: row.key for row in rows},
        {row.prompt: row.text for row in rows if row.archived_at is None},
        {row.wording: Wording(row.prompt, row.number, row.says, row.stage, row.intent) for row in rows},
        frozenset(str(row.wording) for row in rows if row.archived_at is None and not row.earlier),
    )


def read_asked(brands: Collection[UUID]) -> dict[UUID, Asked]:
    """What is asked of several brands, in one statement; of one its topics are read, as its readers do."""
    if len(brands) == 1:
        return {brand: read_topics(brand).asked for brand in brands}
    versions = PromptVersion.objects.filter(prompt__brand__in=brands, prompt__purpose=Purpose.VISIBILITY).order_by()
    is_asked = Q(number=F("prompt__version"), prompt__archived_at=None)
    text = Case(When(is_asked, then=F("prompt__text")), default=Value(None), output_field=TextField(null=True))
    fields = ("prompt__brand", "pk", "prompt_id", "prompt__topic", text)
    rows: dict[UUID, list[tuple[Any, ...]]] = {brand: [] for brand in brands}
    for brand, *row in versions.values_list(*fields):
        rows[brand].append(tuple(row))
    return {brand: _asked(of_brand) for brand, of_brand in rows.items()}


def _asked(rows: Sequence[tuple[Any, ...]]) -> Asked:
    return Asked(
        {str(wording): prompt for wording, prompt, *_ in rows},
        {prompt: topic or str(prompt) for _, prompt, topic, _ in rows},
        {prompt: text for _, prompt, _, text in rows if text is not None},
        frozenset(str(wording) for wording, _, _, text in rows if text is not None),
    )


def _rows(caller: Caller | None, brand_id: Slot) -> QuerySet[PromptVersion, Any]:
    """The fields of a `_Row`."""
    versions = PromptVersion.objects.filter(prompt__brand=brand_id, prompt__purpose=Purpose.VISIBILITY).order_by()
    earlier = Case(When(number=F("prompt__version"), then=Value("")), default=F("text"), output_field=TextField())
    of_prompt = ("topic", "text", "locale", "archived_at", "stage", "intent")
    return versions.values_list("pk", "number", earlier, "prompt_id", *(f"prompt__{name}" for name in of_prompt))


_ROWS = Prepared(_rows)


def _topic(key: str, members: Sequence[_Row]) -> Topic:
    """Called by the wordings that are asked, or else by all."""
    active = [row for row in members if row.archived_at is None]
    named_by = active or members
    topic = named_by[0].topic
    [(language, _)] = Counter(sorted(language_of(row.locale) for row in named_by)).most_common(1)
    if topic:
        name = shown_name(topic, language, sorted(row.text for row in named_by))
    else:
        name = shortened(one_line(named_by[0].text), MAX_TOPIC)
    # A prompt whose topic nobody states has its own text for one.
    is_stated = bool(topic) and any(row.topic != row.text[:MAX_TOPIC] for row in members)
    prompts = frozenset(row.prompt for row in members)
    return Topic(key, name, language, prompts, active=bool(active), is_stated=is_stated)


def _distinct(topics: Sequence[Topic]) -> list[Topic]:
    """What more than one topic would be called gives way to the topics as they are stored; a prompt without a topic
    adds the beginning of its id."""
    counts = Counter(topic.name.casefold() for topic in topics)
    return [topic if counts[topic.name.casefold()] == 1 else replace(topic, name=_apart(topic)) for topic in topics]


def _apart(topic: Topic) -> str:
    is_text = topic.key.casefold() == topic.name.casefold()
    return topic.key if topic.is_stated or is_text else f"{shortened(topic.name, MAX_TOPIC - 11)} ({topic.key[:8]})"
