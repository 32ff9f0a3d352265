"""New questions from templates: the cells of stage and intent that a brand covers least come first. No chance."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from visibility.writers.languages.language import LANGUAGES, Template, language_of
from visibility.writers.protocol import CannotWrite, WrittenPrompt, WrittenPrompts
from visibility.writers.tasks import PromptsTask
from visibility.writers.topics import phrase, topic_name
from visibility.writers.words import names_any, salient_terms, wording_key

MAX_TERMS = 12
MAX_RIVALS = 5
PAGE_BEGINNING = 4_000
"""Characters of a page that say what it is about."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A question that could be asked, and what it is made of."""

    template: Template
    topic: str
    rival: str
    text: str

    @property
    def cell(self) -> tuple[str, str]:
        return self.template.stage, self.template.intent


def suggest(task: PromptsTask) -> WrittenPrompts:
    """At most `count` questions that the brand does not have, spread over cells, terms and ways to ask.

    Raises CannotWrite for a language without templates, and where neither a topic nor the brand's own texts say
    what to ask about.
    """
    options = _options(task, _topics(task))
    known_keys = {wording_key(known.text) for known in task.existing if known.locale == task.locale}
    cells = Counter((known.stage, known.intent) for known in task.existing if known.stage and known.intent)
    used_topics: Counter[str] = Counter(known.topic for known in task.existing)
    used: Counter[Template | str] = Counter()
    chosen_options: list[_Option] = []
    while options and len(chosen_options) < task.count:
        best = min(
            options,
            key=lambda option: (
                cells[option.cell], used_topics[option.topic], used[option.template], used[option.rival],
            ),
        )  # fmt: skip
        options.remove(best)
        key = wording_key(best.text)
        if key in known_keys:
            continue
        known_keys.add(key)
        cells[best.cell] += 1
        used_topics[best.topic] += 1
        used.update([best.template, best.rival])
        chosen_options.append(best)
    return WrittenPrompts(prompts=[_written(option) for option in chosen_options])


def _written(option: _Option) -> WrittenPrompt:
    template = option.template
    return WrittenPrompt(text=option.text, topic=option.topic, stage=template.stage, intent=template.intent)


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
    topics = topics or [topic for topic in dict.fromkeys(known) if not names_any(topic, names)]
    if not topics:
        raise CannotWrite(
            "topic",
            "It is not known yet what to ask about. Give a topic, or describe the brand in its settings first.",
        )
    return topics[:MAX_TERMS]


def _options(task: PromptsTask, topics: Iterable[str]) -> list[_Option]:
    name = language_of(task.locale)
    language = LANGUAGES.get(name)
    if language is None:
        raise CannotWrite(
            "locale",
            f"The embedded writer asks in {', '.join(sorted(LANGUAGES))}, not in {name}. Choose one of these, or ask "
            "the operator for an engine that writes.",
        )
    wordings = defaultdict(list)
    for known in task.existing:
        wordings[known.topic].append(known.text)
    # A topic that prompts have already keeps its name, whatever it looks like: they stay together.
    terms = {
        topic if topic in wordings else topic_name(topic, name): phrase(topic, name, wordings.get(topic, ()))
        for topic in topics
    }
    options = []
    for template in language.templates:
        if task.stage and template.stage != task.stage:
            continue
        rivals = task.subject.rivals[:MAX_RIVALS] if template.names_rival else [""]
        for topic, term in terms.items():
            for rival in rivals:
                text = template.text.format(term=term, of_term=language.of_term(term), rival=rival)
                if task.persona:
                    text = language.prompts.persona.format(persona=task.persona, question=text)
                options.append(_Option(template, topic, rival, text))
    return options
