"""What a page is made of: each question once, however it was worded, and what buyers judge by."""

import re
from collections.abc import Iterable, Sequence

from visibility.writers.languages.language import LANGUAGES, language_for
from visibility.writers.quotable import is_asked
from visibility.writers.tasks import DraftTask
from visibility.writers.words import content_words, wording_key

MAX_QUESTIONS = 8
MAX_CRITERIA = 6
MIN_SLUG_SIGNS = 2
"""Of one dash alone a word may be made, such as e-bike."""
_SLUG = re.compile(r"(?<=\w)[-_](?=\w)")
_WANTING = frozenset(LANGUAGES.all_of(lambda language: language.words.wanting))


def distinct_questions(questions: Iterable[str]) -> list[str]:
    """Of questions that ask for the same thing the one that is worded as a question; these come first.

    A mere search stays where no question has half of its words. Markup, and what tells a writer what to do, is none
    of both.
    """
    chosen: dict[frozenset[str], str] = {}
    for question in questions:
        if not is_asked(question):
            continue
        key = _asked(question)
        if key not in chosen or (_is_question(question) and not _is_question(chosen[key])):
            chosen[key] = question
    pairs = [(key, question) for key, question in chosen.items() if _is_question(question)]
    searched = [
        question
        for key, question in chosen.items()
        if not _is_question(question) and not any(2 * len(key & other) >= len(key) for other, _ in pairs)
    ]
    return [*(question for _, question in pairs), *searched][:MAX_QUESTIONS]


def _is_question(text: str) -> bool:
    return text.rstrip().endswith("?")


def _asked(question: str) -> frozenset[str]:
    """The words that tell what is asked for."""
    words = content_words(question)
    return words - _WANTING or words or wording_key(question)


def heading_of(question: str) -> str:
    """A question as a heading begins."""
    line = " ".join(question.split())
    return line[:1].upper() + line[1:]


def topic_words(topic: str) -> str:
    """A topic as people read it: one that is written like an address ("running-watch-400") in words."""
    is_slug = " " not in topic and len(_SLUG.findall(topic)) >= MIN_SLUG_SIGNS
    return _SLUG.sub(" ", topic) if is_slug else topic


def asked_about(criterion: str, locale: str) -> str:
    """The question for a criterion."""
    return language_for(locale).draft.about.format(criterion=lower(criterion), Criterion=criterion)


def lower(criterion: str) -> str:
    """A criterion inside a sentence; names and short forms keep their capitals."""
    return criterion[:1].lower() + criterion[1:] if criterion[1:2].islower() else criterion


def headings_of(task: DraftTask) -> Sequence[str]:
    """Every heading that a page of this task may have: what is asked, what is judged by, and fixed ones."""
    phrases = language_for(task.locale).draft
    fixed = (phrases.offers.format(name=task.subject.name), phrases.customers, phrases.next_step)
    criteria = [asked_about(criterion, task.locale) for criterion in task.criteria]
    return [*task.questions, task.topic, *task.criteria, *criteria, *fixed]
