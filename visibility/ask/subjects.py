"""The subjects of questions: what each tells, the scope it needs, and its read."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from apikeys.accounts.caller import Caller
from apikeys.scopes import Scope
from brands.models import Brand
from visibility.ask import counted, of_site
from visibility.ask.context import Context
from visibility.ask.counted import Found, count
from visibility.ask.question import Question


class Subject(NamedTuple):
    """What `about` can name: what it tells, the scope it needs, and whether it counts answers, which can be narrowed;
    all else is of the whole site, or of the topics that are meant."""

    tells: str
    scope: Scope
    read: Callable[[Context, str], Found]
    counts_answers: bool = False
    by_topic: bool = False


_SCORES, _CARDS, _VOICE = Scope.READ_VISIBILITY, Scope.READ_RECOMMENDATIONS, Scope.READ_VOICE
SUBJECTS: Mapping[str, Subject] = {
    "standing": Subject("how often answers name, recommend, warn against whom", _SCORES, count, counts_answers=True),
    "change": Subject("whether the score changed", _SCORES, counted.change, counts_answers=True),
    "topics": Subject("standing by topic", _SCORES, count, counts_answers=True),
    "competitors": Subject("who is ahead, untracked names too", Scope.READ_COMPETITORS, count, counts_answers=True),
    "engines": Subject("standing by engine", _SCORES, count, counts_answers=True),
    "sources": Subject("whose sites answers cite", _SCORES, counted.sources, counts_answers=True),
    "criteria": Subject("what answers judge by", _VOICE, of_site.criteria, by_topic=True),
    "claims": Subject("what the site claims, and if answers repeat it", _VOICE, of_site.claims),
    "recommendations": Subject("what to do, and why", _CARDS, of_site.recommendations, by_topic=True),
    "proofs": Subject("whether what was done shows", _CARDS, of_site.proofs),
    "audit": Subject("what is wrong with the site for AI crawlers", Scope.READ_AUDITS, of_site.audit),
    "runs": Subject("the latest scans, the next one", _SCORES, of_site.runs),
}
OF_THE_ACCOUNT: Mapping[str, Callable[[Caller, Question, Brand | None], Found]] = {
    "costs": of_site.costs,
    "definitions": of_site.definitions,
    "sites": of_site.sites,
}
"""Subjects that belong to no site and need no further scope."""
TELLS: Mapping[str, str] = {
    **{about: subject.tells for about, subject in SUBJECTS.items()},
    "costs": "credits and quotas, what a scan takes",
    "definitions": "what the words here mean",
    "sites": "the sites of this key",
}
