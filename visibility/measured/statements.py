"""Where answers of now speak against the brand, or say that they know nothing of it: the words that say so, and the
pages that these rest on. Two statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from apikeys.text.untrusted import clean
from visibility.measured.basis import EngineDay
from visibility.measured.reading import answers_of
from visibility.models import Answer, Citation, Mention

AGAINST = (Mention.Stance.REJECTED, Mention.Stance.CAUTIONED)
_STANCES = (*AGAINST, Mention.Stance.NOT_FOUND)


@dataclass(frozen=True, slots=True)
class RestsOn:
    """A page that a sentence rests on, as the answer cites it."""

    digest: str
    url: str
    title: str
    domain: str
    owner: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What one answer says of the brand in one place: `text` verbatim, `pages` those that its sentence rests on."""

    answer: UUID
    stance: str
    text: str
    pages: tuple[RestsOn, ...]

    @property
    def is_unknown(self) -> bool:
        """Whether it says that nothing is known of the brand."""
        return self.stance == Mention.Stance.NOT_FOUND


def read_statements(engines: Iterable[EngineDay]) -> list[Statement]:
    """Each place where an answer of these engines' days warns of the brand, advises against it or knows nothing of
    it, in the order of answers and places."""
    answers = answers_of(engines).filter(state=Answer.State.ANSWERED)
    mentions = Mention.objects.filter(answer__in=answers.values("pk"), competitor=None, stance__in=_STANCES)
    rows = list(
        mentions.order_by("answer", "start").values_list(
            "answer_id", "stance", "quote_start", "quote_end", "answer__text"
        )
    )
    pages = _pages({row[0] for row in rows}) if rows else {}
    statements: dict[tuple[UUID, int, int], Statement] = {}
    for answer, stance, start, end, text in rows:
        if quote := clean(text[start:end]).strip():
            resting = [page for first, last, page in pages.get(answer, ()) if first < end and last > start]
            # Two names in one sentence are one statement.
            statements.setdefault(
                (answer, start, end), Statement(answer, stance, quote, tuple(dict.fromkeys(resting)))
            )
    return list(statements.values())


def _pages(answers: Iterable[UUID]) -> Mapping[UUID, Sequence[tuple[int, int, RestsOn]]]:
    """By answer the places of sentences, each with a page that it rests on."""
    rows = Citation.objects.filter(answer__in=list(answers)).order_by("answer", "position")
    pages: dict[UUID, list[tuple[int, int, RestsOn]]] = defaultdict(list)
    for answer, spans, *words in rows.values_list(
        "answer_id", "spans", "url_digest", "url", "title", "domain", "owner"
    ):
        page = RestsOn(*words)
        pages[answer] += [(first, last, page) for first, last in spans]
    return pages
