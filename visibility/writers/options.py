"""The questions that could be asked for a brand, each with what it is made of: templates over topics, what answers
judge by, what engines searched for, companies that the asker knows. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from visibility.writers.languages.language import Language, Template
from visibility.writers.searches import intent_of, typed
from visibility.writers.tasks import Intent, PromptsTask, Stage
from visibility.writers.topics import phrase, topic_name
from visibility.writers.words import names_any

MAX_RIVALS = 5
MAX_CRITERIA = 6
"""Of one topic."""
Origin = Literal["template", "criterion", "search", "competitor"]


@dataclass(frozen=True, slots=True)
class Option:
    """A question that could be asked. `way` is the template, or what else it is one of; `detail` the criterion, the
    search or the company that is in it."""

    text: str
    topic: str
    stage: Stage
    intent: Intent
    origin: Origin
    way: str
    detail: str = ""

    @property
    def cell(self) -> tuple[str, str]:
        """Stage and intent, by which coverage is counted."""
        return self.stage, self.intent


def options(task: PromptsTask, language_name: str, language: Language, topics: Iterable[str]) -> list[Option]:
    """Every question about these topics that fits the task, searches of people's own words first."""
    terms = _terms(task, language_name, topics)
    every = [*_searched(task, language, terms), *_from_templates(task, language, terms)]
    return [option for option in every if not task.stage or option.stage == task.stage]


def _terms(task: PromptsTask, language_name: str, topics: Iterable[str]) -> Mapping[str, tuple[str, str]]:
    """By topic as it is stored: its name, and the phrase for it within a question.

    A topic that prompts have already keeps its name, whatever it looks like: they stay together.
    """
    wordings: dict[str, list[str]] = defaultdict(list)
    for known in task.existing:
        wordings[known.topic].append(known.text)
    return {
        topic: (
            topic if topic in wordings else topic_name(topic, language_name),
            phrase(topic, language_name, wordings.get(topic, ())),
        )
        for topic in topics
    }


def _searched(task: PromptsTask, language: Language, terms: Mapping[str, tuple[str, str]]) -> Iterator[Option]:
    names = [*task.subject.names, *task.subject.rivals]
    for search in task.searches:
        text = typed(search, names)
        if text and search.topic in terms:
            question = _framed(task.persona, text, language)
            yield Option(question, terms[search.topic][0], "consideration", intent_of(text), "search", "search", text)


def _from_templates(task: PromptsTask, language: Language, terms: Mapping[str, tuple[str, str]]) -> Iterator[Option]:
    for template in language.templates:
        for topic, (name, term) in terms.items():
            for origin, detail in _details(task, template, topic):
                rival, criterion = (detail, "") if origin == "competitor" else ("", detail)
                text = template.text.format(
                    term=term, of_term=language.of_term(term), rival=rival, criterion=criterion
                )
                framed = _framed(task.persona, text, language)
                yield Option(framed, name, template.stage, template.intent, origin, template.text, detail)


def _details(task: PromptsTask, template: Template, topic: str) -> Sequence[tuple[Origin, str]]:
    if template.names_rival:
        rivals = task.rivals.get(topic, task.subject.rivals)
        return [("competitor", rival) for rival in rivals[:MAX_RIVALS]]
    if template.names_criterion:
        labels = [label for label in task.criteria.get(topic, ()) if not names_any(label, task.subject.names)]
        return [("criterion", _within(label)) for label in labels[:MAX_CRITERIA]]
    return [("template", "")]


def _within(label: str) -> str:
    """A label within a sentence: "Battery Life" is "battery life"; what has capitals inside keeps them."""
    return " ".join(word.lower() if word.istitle() else word for word in label.split())


def _framed(persona: str, question: str, language: Language) -> str:
    """The question of a certain asker, as such people begin."""
    if not persona:
        return question
    prompts = language.prompts
    article = re.match(rf"(?:{'|'.join(prompts.persona_articles)})\s", persona, re.IGNORECASE)
    frame = prompts.persona if article else prompts.persona_plain
    return frame.format(persona=persona, question=question)
