"""Words of answers: sentences that hold what was searched for, and those that warn against somebody."""

import datetime
import re
from collections import Counter
from collections.abc import Iterable
from itertools import islice
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet

from apikeys.resources import Resource, UntrustedText
from visibility.detection import Stance
from visibility.detection.quotes import quote
from visibility.detection.visible import Visible, read
from visibility.models import Answer, Mention

MOST = 5
SHORT = 60
"""Fewer characters are a heading, or a cell of a table."""
LOOKED_AT = 20
"""Places of the words in one answer."""
SEARCHED = 60
"""Answers that are read for passages: the newest."""
_WORD = re.compile(r"\w+(?:['’.-]\w+)*")


class Passage(Resource):
    """Words of an answer, at `start` to `end` of its text; `stance`: what they say of whom was asked for."""

    engine: str
    day: datetime.date
    prompt_id: UUID
    answer_id: int
    start: int
    end: int
    stance: str | None
    text: UntrustedText


class WordsFound(Resource):
    """So many of the answers (`of`) hold the words that were asked for: one after the other, or all somewhere."""

    answers: int
    of: int
    as_phrase: bool


def find_words(answers: QuerySet[Answer], words: str) -> tuple[WordsFound, list[Passage]]:
    """In how many of the answers the words stand one after the other, where in none all of them in any order; and the
    first sentence of some."""
    phrase = answers.filter(words=SearchQuery(words, config="simple", search_type="phrase"))
    number = phrase.count()
    holding = phrase if number else answers.filter(words=SearchQuery(words, config="simple"))
    newest = holding.order_by("-day", "pk").select_related("engine")[:SEARCHED]
    found = (passage for answer in newest if (passage := _passage(answer, words)))
    total = number or holding.count()
    return WordsFound(answers=total, of=answers.count(), as_phrase=bool(number)), _spread(found)


def words_sentence(found: WordsFound, where: str) -> str:
    """In how many answers the words stand."""
    if not found.answers:
        return f"None of {found.of} answers{where} holds these words."
    how = "one after the other" if found.as_phrase else "not one after the other"
    return f"{found.answers} of {found.of} answers{where} hold these words, {how}."


def find_warnings(answers: QuerySet[Answer], subject: UUID | None) -> list[Passage]:
    """What answers say against the brand (None) or a competitor, by the quotes that their stances rest on."""
    warning = (Stance.CAUTIONED, Stance.REJECTED)
    against = Mention.objects.filter(answer__in=answers, competitor=subject, stance__in=warning)
    newest = against.order_by("-answer__day", "answer", "start").select_related("answer__engine")[:SEARCHED]
    return _spread(_made(each.answer, each.quote_start, each.quote_end, each.stance) for each in newest)


def _passage(answer: Answer, words: str) -> Passage | None:
    """The first sentence of the visible text that holds the words one after the other, else the longest of them;
    rather one that says something of them than a heading."""
    seen = read(answer.text)
    single = [re.escape(word) for word in _WORD.findall(words)]
    for written in (r"\W{1,3}".join(single), *sorted(single, key=len, reverse=True)):
        places = re.finditer(rf"(?<!\w){written}(?!\w)", seen.text, re.IGNORECASE) if written else ()
        if quotes := [_sentence(seen, place.span()) for place in islice(places, LOOKED_AT)]:
            start, end = next((each for each in quotes if each[1] - each[0] >= SHORT), quotes[0])
            return _made(answer, *seen.raw_span(start, end))
    return None


def _sentence(seen: Visible, place: tuple[int, int]) -> tuple[int, int]:
    line = seen.line_at(place[0])
    return quote(seen.text, place, (min(line.start, place[0]), max(line.end, place[1])))


def _made(answer: Answer, start: int, end: int, stance: str | None = None) -> Passage:
    return Passage(
        engine=answer.engine.name,
        day=answer.day,
        prompt_id=answer.prompt_id,
        answer_id=answer.pk,
        start=start,
        end=end,
        stance=stance,
        text=" ".join(answer.text[start:end].split()),
    )


def _spread(passages: Iterable[Passage]) -> list[Passage]:
    """At most MOST, each in other words, of other engines and prompts first."""
    seen: Counter[object] = Counter()
    ranked: dict[str, tuple[int, int, Passage]] = {}
    for passage in passages:
        place = passage.engine, passage.prompt_id
        if passage.text.casefold() not in ranked:
            ranked[passage.text.casefold()] = seen[place], seen[passage.engine], passage
            seen.update((place, passage.engine))
    return [passage for *_, passage in sorted(ranked.values(), key=lambda each: each[:2])][:MOST]
