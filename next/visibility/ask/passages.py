"""Words of answers: sentences that hold what was searched for, and those that warn against somebody."""

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet

from visibility.ask.resources import Passage, WordsFound
from visibility.detection import Stance
from visibility.detection.quotes import quote
from visibility.detection.visible import Visible, read
from visibility.models import Answer, Mention

MOST = 5
SEARCHED = 60
"""Answers that are read for passages: the newest."""
WARNING = (Stance.CAUTIONED, Stance.REJECTED)
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


def find_words(answers: QuerySet[Answer], words: str) -> tuple[WordsFound, list[Passage]]:
    """In how many of the answers all the words stand, in "quotes" as a phrase; and the first sentence of some."""
    holding = answers.filter(words=SearchQuery(words, config="simple", search_type="websearch"))
    newest = holding.order_by("-day", "pk").select_related("engine")[:SEARCHED]
    found = (passage for answer in newest if (passage := _passage(answer, words)))
    return WordsFound(answers=holding.count(), of=answers.count()), _one_each(found)


def find_warnings(answers: QuerySet[Answer], subject: UUID | None) -> list[Passage]:
    """What answers say against the brand (None) or a competitor, by the quotes that their stances rest on."""
    against = Mention.objects.filter(answer__in=answers, competitor=subject, stance__in=WARNING)
    newest = against.order_by("-answer__day", "answer", "start").select_related("answer__engine")[:SEARCHED]
    return _one_each(
        _made(each.answer, each.quote_start, each.quote_end, each.answer.text, each.stance) for each in newest
    )


def _passage(answer: Answer, words: str) -> Passage | None:
    """The first sentence of the visible text with the words, else with the rarest looking of them."""
    seen = read(answer.text)
    place = next((found for pattern in _patterns(words) if (found := pattern.search(seen.text))), None)
    return _sentence(answer, seen, place.span()) if place else None


def _patterns(words: str) -> Iterable[re.Pattern[str]]:
    """All the words one after the other, then each of them, the longest first."""
    single = [re.escape(word) for word in _WORD.findall(words)]
    together = [r"\W{1,3}".join(single)] if single else []
    for written in chain(together, sorted(single, key=len, reverse=True)):
        yield re.compile(rf"(?<!\w){written}(?!\w)", re.IGNORECASE)


def _sentence(answer: Answer, seen: Visible, place: tuple[int, int]) -> Passage:
    line = seen.line_at(place[0])
    start, end = quote(seen.text, place, (min(line.start, place[0]), max(line.end, place[1])))
    return _made(answer, *seen.raw_span(start, end), answer.text, None)


def _made(answer: Answer, start: int, end: int, text: str, stance: str | None) -> Passage:
    return Passage(
        engine=answer.engine.name,
        day=answer.day,
        prompt_id=answer.prompt_id,
        answer_id=answer.pk,
        start=start,
        end=end,
        stance=stance,
        text=" ".join(text[start:end].split()),
    )


def _one_each(passages: Iterable[Passage]) -> list[Passage]:
    """At most MOST, each in other words: first those of an engine and prompt that are not there yet."""
    different = list({passage.text.casefold(): passage for passage in reversed(list(passages))}.values())[::-1]
    seen: set[tuple[str, UUID]] = set()
    first: list[Passage] = []
    further: list[Passage] = []
    for passage in different:
        (further if (passage.engine, passage.prompt_id) in seen else first).append(passage)
        seen.add((passage.engine, passage.prompt_id))
    return _mixed(first)[:MOST] + further[: max(MOST - len(first), 0)]


def _mixed(passages: Sequence[Passage]) -> list[Passage]:
    """One of each engine in turn."""
    turn: dict[str, int] = {}
    numbered = []
    for passage in passages:
        turn[passage.engine] = turn.get(passage.engine, 0) + 1
        numbered.append((turn[passage.engine], passage))
    return [passage for _, passage in sorted(numbered, key=lambda each: each[0])]
