"""The topics of a brand: which there are, and how people write them."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from apikeys.db.snapshot import remembered
from apikeys.text.sentences import one_line, shortened
from visibility.models import PromptVersion
from visibility.models.prompts import MAX_TOPIC, Purpose
from visibility.writers.languages.language import language_of
from visibility.writers.topics import shown_name, words_of


@dataclass(frozen=True, slots=True)
class Topic:
    """What prompts ask about. `key` is the topic as it is stored, the id of a prompt that states none; `name` what
    people read, which no other topic of the brand has. `active`: scans ask some of its prompts."""

    key: str
    name: str
    prompts: frozenset[UUID]
    active: bool
    is_stated: bool = True


@dataclass(frozen=True, slots=True)
class Topics:
    """The topics of a brand by name. `prompt_of` maps the keys of all wordings, as counts have them, to their prompt,
    `key_of` each prompt to the key of its topic, `wordings` those that scans ask to their text."""

    topics: Sequence[Topic]
    prompt_of: Mapping[str, UUID]
    key_of: Mapping[UUID, str]
    wordings: Mapping[UUID, str]

    @property
    def names(self) -> dict[str, str]:
        """What people read for each topic, by its key."""
        return {topic.key: topic.name for topic in self.topics}

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
    """A wording with its prompt; the names are those of the fields."""

    wording: int
    prompt: UUID
    topic: str
    text: str
    locale: str
    archived_at: datetime | None

    @property
    def key(self) -> str:
        return self.topic or str(self.prompt)


@remembered
def read_topics(brand_id: UUID) -> Topics:
    """The topics of all prompts that people keep, archived ones too, in one statement."""
    versions = PromptVersion.objects.filter(prompt__brand=brand_id, prompt__purpose=Purpose.VISIBILITY).order_by()
    fields = ("pk", "prompt_id", "prompt__topic", "prompt__text", "prompt__locale", "prompt__archived_at")
    rows = [_Row(*row) for row in versions.values_list(*fields)]
    by_key: dict[str, dict[UUID, _Row]] = defaultdict(dict)
    for row in rows:
        by_key[row.key][row.prompt] = row
    topics = _distinct([_topic(key, list(members.values())) for key, members in by_key.items()])
    return Topics(
        sorted(topics, key=lambda topic: (topic.name.casefold(), topic.key)),
        {str(row.wording): row.prompt for row in rows},
        {row.prompt: row.key for row in rows},
        {row.prompt: row.text for row in rows if row.archived_at is None},
    )


def _topic(key: str, members: Sequence[_Row]) -> Topic:
    """Called by the wordings that are asked, or else by all."""
    active = [row for row in members if row.archived_at is None]
    named_by = active or members
    topic = named_by[0].topic
    if topic:
        [(language, _)] = Counter(sorted(language_of(row.locale) for row in named_by)).most_common(1)
        name = shown_name(topic, language, sorted(row.text for row in named_by))
    else:
        name = shortened(one_line(named_by[0].text), MAX_TOPIC)
    return Topic(key, name, frozenset(row.prompt for row in members), active=bool(active), is_stated=bool(topic))


def _distinct(topics: Sequence[Topic]) -> list[Topic]:
    """What more than one topic would be called gives way to the topics as they are stored; a prompt without a topic
    adds the beginning of its id."""
    counts = Counter(topic.name.casefold() for topic in topics)
    return [topic if counts[topic.name.casefold()] == 1 else replace(topic, name=_apart(topic)) for topic in topics]


def _apart(topic: Topic) -> str:
    return topic.key if topic.is_stated else f"{shortened(topic.name, MAX_TOPIC - 11)} ({topic.key[:8]})"
