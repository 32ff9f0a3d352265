"""Answers one by one: those that a filter leaves, each with what it says of one subject."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal
from uuid import UUID

from django.contrib.postgres.search import SearchVector
from django.core.paginator import Paginator
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from brands.models import Brand
from visibility.answers.words import Words
from visibility.detection import Stance
from visibility.detection.visible import Span, read
from visibility.models import Answer, Citation, Mention, PromptVersion
from visibility.models.answers import SPACED_TEXT, MentionQuerySet

PAGE = 20
"""Answers of one page."""
BATCH = 500
"""Answers that are read at once for a table."""
OWN_SITES = "own"
"""Instead of a domain: all sites of the brand."""
UNREAD = ("words", "sources", "searches", "unknown_parts")
"""Columns that no list shows."""
Says = Literal["mentioned", "first", "recommended", "cautioned", "rejected", "against", "absent", "not_shown"]
CONDITIONS: Mapping[Says, Q] = {
    "mentioned": Q(),
    "recommended": Q(stance=Stance.RECOMMENDED),
    "cautioned": Q(stance=Stance.CAUTIONED),
    "rejected": Q(stance=Stance.REJECTED),
    "against": Q(stance__in=(Stance.CAUTIONED, Stance.REJECTED)),
}
"""What an answer says of a subject, by one of its mentions there; "first": it mentions nobody else who is tracked
before; "absent": it has none; "not_shown": of askings for which no AI answer was shown, which have no text."""


@dataclass(frozen=True, slots=True)
class AnswerFilter:
    """Which answers are listed. `subject`: whom `says` is about, the brand (None) or a competitor; `site`: a domain
    that they cite, or OWN_SITES; `text`: words of the answer, of its prompt, or of one of its sources."""

    subject: UUID | None = None
    says: Says | None = None
    site: str = ""
    text: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it leaves all."""
        return not (self.says or self.site or self.text)


@dataclass(frozen=True, slots=True)
class ListedAnswer:
    """An answer, and what it says of the subject: `says` by the words of CONDITIONS, empty where it does not mention
    it; the sentence with the name, as a span of the raw text; whom else it mentions. `marks` are all names
    in it, by place, with the competitor (None: the brand). Of what was searched for `found` is the sentence with the
    words, and `source` what it cites of it."""

    answer: Answer
    says: Sequence[Says] = ()
    sentence: Span = (0, 0)
    found: Span | None = None
    marks: Sequence[tuple[int, int, UUID | None]] = ()
    others: Sequence[UUID | None] = ()
    source: Citation | None = None


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """One page of the answers: `total` are left by the filter, of which so many mention the subject."""

    rows: Sequence[ListedAnswer]
    total: int
    mentioning: int
    number: int
    pages: int


def filter_answers(brand: Brand, answers: QuerySet[Answer], chosen: AnswerFilter) -> QuerySet[Answer]:
    """Those of these answers of a brand that the filter leaves."""
    if chosen.says == "absent":
        answers = answers.filter(~Exists(_mentions_of(chosen.subject)))
    elif chosen.says and chosen.says != "not_shown":
        mentions = _mentions_of(chosen.subject)
        found = mentions.first_named() if chosen.says == "first" else mentions.filter(CONDITIONS[chosen.says])
        answers = answers.filter(Exists(found))
    if chosen.site:
        answers = answers.filter(Exists(_of_site(brand, chosen.site).filter(answer=OuterRef("pk"))))
    if chosen.text:
        answers = answers.filter(pk__in=list(_holding(brand, Words.of(chosen.text))))
    return answers


def list_answers(brand: Brand, answers: QuerySet[Answer], chosen: AnswerFilter, number: str = "1") -> AnswerPage:
    """A page of those of these answers that the filter leaves, the newest first; the last one for a number beyond it.
    At most six statements."""
    those = filter_answers(brand, answers, chosen)
    mentioning = Count("pk", filter=Exists(_mentions_of(chosen.subject)))
    counts = those.aggregate(total=Count("pk"), mentioning=mentioning)
    paginator = Paginator(_newest(those), PAGE)
    paginator.count = counts["total"]
    page = paginator.get_page(number)
    rows = _listed(brand, list(page.object_list), chosen)
    return AnswerPage(rows, counts["total"], counts["mentioning"], page.number, paginator.num_pages)


def every_answer(brand: Brand, answers: QuerySet[Answer], chosen: AnswerFilter) -> Iterator[ListedAnswer]:
    """All of them, read in batches."""
    rows = _newest(filter_answers(brand, answers, chosen)).iterator(chunk_size=BATCH)
    while batch := list(islice(rows, BATCH)):
        yield from _listed(brand, batch, chosen)


def _newest(answers: QuerySet[Answer]) -> QuerySet[Answer]:
    ordered = answers.order_by("-day", "-pk").select_related("engine", "version__prompt__topic")
    return ordered.defer(*UNREAD)


def _mentions_of(subject: UUID | None) -> MentionQuerySet:
    mentions: MentionQuerySet = Mention.objects.filter(answer=OuterRef("pk"), competitor=subject).visible()
    return mentions


def _of_site(brand: Brand, site: str) -> QuerySet[Citation]:
    cited = Citation.objects.filter(brand=brand)
    return cited.filter(is_own=True) if site == OWN_SITES else cited.filter(domain=site)


def _of_words(brand: Brand, words: Words) -> QuerySet[Citation]:
    """The sources that have all these words in title or address."""
    cited = Citation.objects.filter(brand=brand)
    for word in words.beginnings:
        cited = cited.filter(Q(title__icontains=word) | Q(url__icontains=word))
    return cited


def _holding(brand: Brand, words: Words) -> QuerySet[Any]:
    """The ids of the answers with all these words in their text, in their prompt, or in one of their sources."""
    every = Answer.objects.answered().filter(brand=brand).order_by()
    if not words.single:
        return every.none()
    query = words.query("&", forms=True)
    wordings = PromptVersion.objects.filter(prompt__brand=brand)
    asked = wordings.annotate(found=SearchVector(SPACED_TEXT, config="simple")).filter(found=query)
    in_text = every.filter(words=query).values_list("pk", flat=True)
    in_prompt = every.filter(version__in=list(asked.values_list("pk", flat=True))).values_list("pk", flat=True)
    return in_text.union(in_prompt, _of_words(brand, words).order_by().values_list("answer", flat=True))


def _listed(brand: Brand, answers: Sequence[Answer], chosen: AnswerFilter) -> list[ListedAnswer]:
    keys = [answer.pk for answer in answers]
    mentions: dict[int, list[Mention]] = defaultdict(list)
    for each in Mention.objects.filter(answer__in=keys).visible().order_by("start"):
        mentions[each.answer_id].append(each)
    words = Words.of(chosen.text)
    sources: dict[int, Citation] = {}
    if chosen.site or words.single:
        cited = _of_site(brand, chosen.site) if chosen.site else _of_words(brand, words)
        for source in cited.filter(answer__in=keys).order_by("-position"):
            sources[source.answer_id] = source
    return [_row(each, mentions[each.pk], chosen, words, sources.get(each.pk)) for each in answers]


def _row(
    answer: Answer, mentions: Sequence[Mention], chosen: AnswerFilter, words: Words, source: Citation | None
) -> ListedAnswer:
    own = [each for each in mentions if each.competitor_id == chosen.subject]
    first = mentions[0].start if mentions else 0
    shown = next((each for each in own if chosen.says in _says([each], first)), own[0]) if own else None
    return ListedAnswer(
        answer,
        _says(own, first) if own else (),
        (min(shown.quote_start, shown.start), max(shown.quote_end, shown.end)) if shown else (0, 0),
        _sentence_with(answer.text, words),
        [(each.start, each.end, each.competitor_id) for each in mentions],
        list(dict.fromkeys(each.competitor_id for each in mentions if each.competitor_id != chosen.subject)),
        source,
    )


def _sentence_with(text: str, words: Words) -> Span | None:
    """The first sentence that has the words, as a span of the raw text."""
    if not words.single:
        return None
    seen = read(text)
    return next((seen.raw_span(*place) for place in words.sentences_of(seen)), None)


def _says(mentions: Iterable[Mention], first: int) -> list[Says]:
    """What mentions of one subject in an answer say of it; `first`: where the first of all names is."""
    stances = {each.stance for each in mentions}
    found: list[Says] = ["first"] if any(each.start == first for each in mentions) else []
    warned: list[Says] = ["against"] if stances & {Stance.CAUTIONED, Stance.REJECTED} else []
    known: tuple[Says, ...] = ("recommended", "cautioned", "rejected")
    return ["mentioned", *found, *(each for each in known if each in stances), *warned]
