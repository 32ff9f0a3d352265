"""Words of answers: sentences that hold what was searched for, and those that warn against somebody."""

import datetime
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from uuid import UUID

from django.contrib.postgres.search import SearchQuery
from django.db.models import QuerySet

from apikeys.resources import Resource, UntrustedText
from apikeys.text import marked
from visibility.detection import Stance
from visibility.detection.quotes import quote
from visibility.detection.visible import Visible, read
from visibility.models import Answer, Mention
from visibility.models.answers import WORD_SIGNS

MOST = 5
SHORT = 60
"""Fewer characters are a heading, or a cell of a table."""
LOOKED_AT = 20
"""Places of the words in one answer."""
SEARCHED = 60
"""Answers that are read for passages: the newest."""
CUT = ((8, 3), (5, 1), (0, 0))
"""By the least letters of a word: how many of its last ones other forms may lack, as "warrant" of warranties."""
_SPACES = str.maketrans(dict.fromkeys(f"{WORD_SIGNS}'\0", " "))


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
    """So many of the answers (`of`) hold the words that were asked for: one after the other, or all somewhere; and so
    many one after the other in whatever form, as words with these `beginnings`."""

    answers: int
    of: int
    as_phrase: bool
    in_any_form: int
    beginnings: str


@dataclass(frozen=True, slots=True)
class Words:
    """Words to find; in other forms they begin alike: longer ones without their last letters."""

    single: Sequence[str]

    @classmethod
    def of(cls, text: str) -> "Words":
        """The words of a text, parted as the index parts them."""
        return cls(text.translate(_SPACES).split())

    @property
    def beginnings(self) -> list[str]:
        """What other forms of the words begin with."""
        return [word[: len(word) - next(cut for least, cut in CUT if len(word) >= least)] for word in self.single]

    @property
    def patterns(self) -> list[str]:
        """What to look for in a text: the words as they are, in other forms, and each, the longest first."""
        forms = [rf"{re.escape(beginning)}\w*" for beginning in self.beginnings]
        single = sorted(zip(self.single, forms, strict=True), key=lambda each: -len(each[0]))
        return [r"\W{1,3}".join(map(re.escape, self.single)), r"\W{1,3}".join(forms), *(form for _, form in single)]

    def holding(self, answers: QuerySet[Answer], between: str, *, forms: bool) -> QuerySet[Answer]:
        """The answers with these words, as they are or in any form, `between` which the operator of a search is."""
        written = [f"'{word}':*" for word in self.beginnings] if forms else [f"'{word}'" for word in self.single]
        return answers.filter(words=SearchQuery(f" {between} ".join(written), config="simple", search_type="raw"))


def find_words(answers: QuerySet[Answer], text: str) -> tuple[WordsFound, list[Passage]]:
    """In how many of the answers the words stand one after the other, where in none all of them in any order; and the
    first sentence of some."""
    words = Words.of(text)
    exact, alike = (words.holding(answers, "<->", forms=forms) for forms in (False, True))
    number, in_any_form = exact.count(), alike.count()
    holding = exact if number else alike if in_any_form else words.holding(answers, "&", forms=False)
    newest = holding.order_by("-day", "pk").select_related("engine")[:SEARCHED]
    passages = (passage for answer in newest if (passage := _passage(answer, words)))
    found = WordsFound(
        answers=number if in_any_form else holding.count(),
        of=answers.count(),
        as_phrase=bool(in_any_form),
        in_any_form=in_any_form,
        beginnings=" ".join(f"{beginning}…" for beginning in words.beginnings),
    )
    return found, _spread(passages)


def words_sentence(found: WordsFound, where: str) -> str:
    """In how many answers the words stand."""
    of = f"of {found.of} answers{where}"
    others = f"; {found.in_any_form} words that begin so: {marked(found.beginnings)}"
    if not found.answers:
        return f"None {of} holds these words{others if found.in_any_form else ''}."
    how = "one after the other" if found.as_phrase else "not one after the other"
    return f"{found.answers} {of} hold these words, {how}{others if found.in_any_form > found.answers else ''}."


def find_warnings(answers: QuerySet[Answer], subject: UUID | None) -> list[Passage]:
    """What answers say against the brand (None) or a competitor, by the quotes that their stances rest on."""
    warning = (Stance.CAUTIONED, Stance.REJECTED)
    against = Mention.objects.filter(answer__in=answers, competitor=subject, stance__in=warning)
    newest = against.order_by("-answer__day", "answer", "start").select_related("answer__engine")[:SEARCHED]
    return _spread(_made(each.answer, each.quote_start, each.quote_end, each.stance) for each in newest)


def _passage(answer: Answer, words: Words) -> Passage | None:
    """The first sentence of the visible text that holds the words one after the other, else the longest of them;
    rather one that says something of them than a heading."""
    seen = read(answer.text)
    for pattern in filter(None, words.patterns):
        places = re.finditer(rf"(?<!\w)(?:{pattern})(?!\w)", seen.text, re.IGNORECASE)
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
