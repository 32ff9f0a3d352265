"""Which topics a question means, once what it is about is known: the most direct first. Pure."""

import re

from visibility.services.ask.about import About
from visibility.services.ask.topics import (
    CHANGE,
    COMPETITORS,
    ENGINES,
    GAPS,
    PROMPTS,
    RECOMMENDATIONS,
    SCORE,
    Topic,
    topics_of,
)
from visibility.services.ask.vocabulary import any_of

_RIVALS = re.compile(any_of(lambda words: words.meaning.rivals), re.IGNORECASE)
_OFTEN = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.how_often)})\b", re.IGNORECASE)
_THAN = re.compile(
    rf"\b(?:{any_of(lambda words: words.meaning.comparatives)})\b.*"
    rf"\b(?:{any_of(lambda words: words.meaning.than)})\b",
    re.IGNORECASE,
)
# "isn't" and the like: an ending of English, no word.
_NOT = re.compile(rf"\b(?:{any_of(lambda words: words.meaning.not_)})\b|n['’]t\b", re.IGNORECASE)


def meant_topics(question: str, about: About) -> tuple[Topic, ...]:
    """The topics that the words mean which are not names, engines, prompts or days; figures where these are all."""
    meant = list(topics_of(about.rest))
    if about.engines and not about.rivals and len(about.engines) > 1 and not _RIVALS.search(about.rest):
        meant = [topic for topic in meant if topic != COMPETITORS]
    if CHANGE in meant and _THAN.search(about.rest):
        meant[meant.index(CHANGE)] = SCORE
    if about.rivals and PROMPTS in meant:
        meant[meant.index(PROMPTS)] = GAPS if _NOT.search(about.rest) else COMPETITORS
    if about.rivals and (SCORE in meant or ENGINES in meant or not meant):
        meant.append(COMPETITORS)
    if about.period and CHANGE in meant:
        meant.append(COMPETITORS if about.rivals else SCORE)
    if not meant and about.is_narrowed:
        meant = [SCORE]
    if RECOMMENDATIONS in meant and SCORE in meant and _OFTEN.search(about.rest):
        meant.remove(RECOMMENDATIONS)
    if COMPETITORS in meant and (about.rivals or about.is_narrowed):
        meant = [topic for topic in meant if topic not in (SCORE, ENGINES)]
    elif SCORE in meant and ENGINES in meant:
        meant.remove(ENGINES if about.is_narrowed else SCORE)
    figures_first = sorted(dict.fromkeys(meant), key=lambda topic: topic not in (COMPETITORS, SCORE))
    return tuple(figures_first if about.rivals or about.is_narrowed else dict.fromkeys(meant))
