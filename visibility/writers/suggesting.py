"""New questions for a brand: the cells of stage and intent that it covers least come first. No chance."""

from collections import Counter

from visibility.writers.languages.language import LANGUAGES, language_of
from visibility.writers.options import Option, options
from visibility.writers.protocol import CannotWrite, WrittenPrompt, WrittenPrompts
from visibility.writers.tasks import PromptsTask
from visibility.writers.words import names_any, salient_terms, wording_key

MAX_TERMS = 12
MAX_TOPICS = 40
PAGE_BEGINNING = 4_000
"""Characters of a page that say what it is about."""
MAX_ALIKE = 0.8
"""From this part of their words on that two questions share, of all that either has, they are the same."""


def suggest(task: PromptsTask) -> WrittenPrompts:
    """At most `count` questions that the brand does not have, spread over cells, topics, origins and ways to ask.

    Raises CannotWrite for a language without templates, and where neither a topic nor the brand's own texts say
    what to ask about.
    """
    name = language_of(task.locale)
    language = LANGUAGES.get(name)
    if language is None:
        raise CannotWrite(
            "locale",
            f"The embedded writer asks in {', '.join(sorted(LANGUAGES))}, not in {name}. Choose one of these, or ask "
            "the operator for an engine that writes.",
        )
    chosen = _Chosen(task)
    candidates = options(task, name, language, _topics(task))
    while candidates and len(chosen.options) < task.count:
        best = min(candidates, key=chosen.order)
        candidates.remove(best)
        chosen.take(best)
    return WrittenPrompts(prompts=[_written(option) for option in chosen.options])


class _Chosen:
    """What is chosen so far, and how often each part of it was used."""

    def __init__(self, task: PromptsTask) -> None:
        self.options: list[Option] = []
        existing = task.existing
        self._keys = [wording_key(known.text) for known in existing if known.locale == task.locale]
        self._cells = Counter((known.stage, known.intent) for known in existing if known.stage and known.intent)
        self._topics: Counter[str] = Counter(known.topic for known in existing)
        self._used: Counter[str] = Counter()

    def order(self, option: Option) -> tuple[int, ...]:
        """The least covered first; of options alike in all of this the first stays the first."""
        used = self._used
        return (
            self._cells[option.cell],
            self._topics[option.topic],
            used[option.origin],
            used[option.way],
            used[option.detail] if option.detail else 0,
        )

    def take(self, option: Option) -> None:
        """Choose the option, unless it is asked already in these or nearly these words."""
        key = wording_key(option.text)
        if any(_alike(key, known) for known in self._keys):
            return
        self._keys.append(key)
        self._cells[option.cell] += 1
        self._topics[option.topic] += 1
        self._used.update([option.origin, option.way, option.detail])
        self.options.append(option)


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two questions are the same but for a word or so (Jaccard index of their words)."""
    return one == other or len(one & other) >= MAX_ALIKE * len(one | other)


def _written(option: Option) -> WrittenPrompt:
    rests_on = f"{option.origin}: {option.detail}" if option.detail else ""
    return WrittenPrompt(
        text=option.text, topic=option.topic, stage=option.stage, intent=option.intent, rests_on=rests_on
    )


def _topics(task: PromptsTask) -> list[str]:
    """What to ask about: the topic given, else what the brand's own words, or its questions, are about."""
    if task.topic:
        return [task.topic]
    subject = task.subject
    titles = [page.title for page in task.pages]
    known = [prompt.topic for prompt in task.existing if prompt.topic and prompt.topic != prompt.text]
    support = [
        *titles,
        *(page.text[:PAGE_BEGINNING] for page in task.pages),
        *(prompt.text for prompt in task.existing),
    ]
    names = [*subject.names, *subject.rivals, subject.domain.split(".")[0]]
    terms = salient_terms([subject.description], support, without=names, most=MAX_TERMS)
    if not terms.things:
        terms = salient_terms(titles, support, without=names, most=MAX_TERMS)
    topics = [*terms.things, *(f"{thing} {audience}" for audience in terms.audiences for thing in terms.things[:2])]
    topics = topics[:MAX_TERMS]
    evidenced = [topic for topic in dict.fromkeys(known) if topic in task.criteria or not topics]
    topics += [topic for topic in evidenced if topic not in topics and not names_any(topic, names)]
    if not topics:
        raise CannotWrite(
            "topic",
            "It is not known yet what to ask about. Give a topic, or describe the brand in its settings first.",
        )
    return topics[:MAX_TOPICS]
