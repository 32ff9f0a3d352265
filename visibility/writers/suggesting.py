"""New questions from templates: the cells of stage and intent that a brand covers least come first. No chance."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from visibility.writers.protocol import CannotWrite, WrittenPrompt, WrittenPrompts
from visibility.writers.tasks import PromptsTask
from visibility.writers.templates import LANGUAGES, Template, language_of
from visibility.writers.words import names_any, salient_terms, wording_key

MOST_TERMS = 12
MOST_RIVALS = 5
PAGE_BEGINNING = 4_000
"""Characters of a page that say what it is about."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A question that could be asked, and what it is made of."""

    template: Template
    term: str
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
    terms = _terms(task)
    options = _options(task, terms)
    taken = {wording_key(known.text) for known in task.existing if known.locale == task.locale}
    cells = Counter((known.stage, known.intent) for known in task.existing if known.stage and known.intent)
    used_terms: Counter[str] = Counter(known.topic for known in task.existing)
    used: Counter[Template | str] = Counter()
    chosen: list[_Option] = []
    while options and len(chosen) < task.count:
        best = min(
            options,
            key=lambda option: (
                cells[option.cell], used_terms[option.term], used[option.template], used[option.rival],
            ),
        )  # fmt: skip
        options.remove(best)
        key = wording_key(best.text)
        if key in taken:
            continue
        taken.add(key)
        cells[best.cell] += 1
        used_terms[best.term] += 1
        used.update([best.template, best.rival])
        chosen.append(best)
    return WrittenPrompts(prompts=[_written(option) for option in chosen])


def _written(option: _Option) -> WrittenPrompt:
    template = option.template
    return WrittenPrompt(text=option.text, topic=option.term, stage=template.stage, intent=template.intent)


def _terms(task: PromptsTask) -> list[str]:
    """What to ask about: the topic given, else what the brand's own words, or its questions, are about."""
    if task.topic:
        return [task.topic]
    subject = task.subject
    titles = [page.title for page in task.pages]
    topics = [known.topic for known in task.existing if known.topic and known.topic != known.text]
    support = [
        *titles,
        *(page.text[:PAGE_BEGINNING] for page in task.pages),
        *(known.text for known in task.existing),
    ]
    names = [*subject.names, *subject.rivals, subject.domain.split(".")[0]]
    found = salient_terms([subject.description], support, without=names, most=MOST_TERMS)
    if not found.things:
        found = salient_terms(titles, support, without=names, most=MOST_TERMS)
    terms = [*found.things, *(f"{thing} {whom}" for whom in found.audiences for thing in found.things[:2])]
    terms = terms or [topic for topic in dict.fromkeys(topics) if not names_any(topic, names)]
    if not terms:
        raise CannotWrite(
            "topic",
            "Nothing tells yet what to ask about: give a topic, or describe the brand in its settings first.",
        )
    in_english = language_of(task.locale) == "en"
    return [_mid_sentence(term) if in_english else term for term in terms[:MOST_TERMS]]


def _mid_sentence(term: str) -> str:
    """The term as it stands within an English sentence: "Running shoes" is "running shoes", "CRM" stays."""
    first = term.split()[0]
    return term[0].lower() + term[1:] if first.istitle() and len(first) > 1 else term


def _options(task: PromptsTask, terms: Iterable[str]) -> list[_Option]:
    name = language_of(task.locale)
    language = LANGUAGES.get(name)
    if language is None:
        raise CannotWrite(
            "locale",
            f"The embedded writer asks in {', '.join(sorted(LANGUAGES))}, not in {name}. Choose one of these, or ask "
            "the operator for an engine that writes.",
        )
    options = []
    for template in language.templates:
        if task.stage and template.stage != task.stage:
            continue
        rivals = task.subject.rivals[:MOST_RIVALS] if template.names_rival else [""]
        for term in terms:
            for rival in rivals:
                text = template.text.format(term=term, rival=rival)
                if task.persona:
                    text = language.persona.format(persona=task.persona, question=text)
                options.append(_Option(template, term, rival, text))
    return options
