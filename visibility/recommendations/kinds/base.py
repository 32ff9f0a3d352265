"""What a kind of recommendation is: a class with all its parts; its words are a template of the same name."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Generic, NamedTuple, TypeVar
from uuid import UUID

from django.utils.translation import gettext_noop
from pydantic import computed_field

from apikeys.resources import UntrustedText
from visibility.audits.words import SentenceText, WithSentences
from visibility.models.recommendations import Level
from visibility.recommendations.facts import Facts, Subject
from visibility.recommendations.pieces import Piece

LARGE_SHARE, MEDIUM_SHARE = 0.3, 0.1
"""The parts of all answers from which on a card has a high impact, and a medium one."""


class Count(NamedTuple):
    """So many answers, `k` of `of`."""

    k: int
    of: int


class CardFacts(WithSentences):
    """What a card says, without words. `k` of `of` answers are as they should be; `page`: the own page to edit;
    `goal` of `goal_of`: the least that two scans like the last would show, None where they cannot."""

    topic_id: UUID | None = None
    topic: UntrustedText = ""
    k: int = 0
    of: int = 0
    days: SentenceText = ""
    page: UntrustedText = ""
    prompts: list[UntrustedText] = []
    goal: int | None = None
    goal_of: int = 0

    @computed_field  # type: ignore[prop-decorator]  # pydantic's way, which mypy does not know
    @property
    def missing(self) -> int:
        """Answers that are not as they should be."""
        return self.of - self.k


F = TypeVar("F", bound=CardFacts)


@dataclass(frozen=True, slots=True)
class Card(Generic[F]):
    """One thing to do, as it is now. `subject` identifies it among its kind, from scan to scan; `weight`: the part of
    all answers that it touches, 0 to 1; `rank`: its place among cards of its kind where these have an order."""

    subject: str
    facts: F
    weight: float
    effort: Level
    evidence: Sequence[Piece]


class Kind(ABC, Generic[F]):
    """A kind of recommendation.

    `name` is also that of its template; `order` its place in the queue, 1 the first; `question` says what it looks at
    and `over` when it is resolved, for docs. `writes_page`: a page can do something about it; `is_chore`:
    housekeeping, shown folded and counted apart.
    """

    name: ClassVar[str]
    order: ClassVar[int]
    facts: ClassVar[type[CardFacts]] = CardFacts
    question: ClassVar[str]
    over: ClassVar[str]
    cause: ClassVar[str]
    writes_page: ClassVar[bool] = False
    is_chore: ClassVar[bool] = False
    claims_absence: ClassVar[bool] = False
    of_audit: ClassVar[bool] = False
    """Whether it is about the newest audit; otherwise the newest scan."""

    @abstractmethod
    def find(self, facts: Facts) -> Iterable[Card[F]]:
        """Its cards of now, the heaviest first."""

    @abstractmethod
    def end(self, facts: Facts, card: F, subject: str) -> str | None:
        """Why a card that is not found any more is over; None: too little is known."""

    def count(self, facts: Facts, card: F, subject: str) -> Count | None:
        """The answers that its proof counts, as they should be of all; None: nothing that scans could count."""
        return None

    def topic_of(self, card: F) -> UUID | None:
        """The topic whose mentions its proof compares with the brand's other topics; None: it compares its count."""
        return None

    def priority(self, card: Card[F]) -> int:
        """0 to 99: the place of the kind, then the part of the answers that the card touches."""
        return 100 - 10 * self.order + round(9 * min(1.0, card.weight))

    def impact(self, card: Card[F]) -> Level:
        """By the part of the answers that the card touches."""
        return (
            Level.HIGH if card.weight >= LARGE_SHARE else Level.MEDIUM if card.weight >= MEDIUM_SHARE else Level.LOW
        )


class Earlier(Kind[CardFacts]):
    """A recommendation of an earlier edition that has no kind any more: its words are stored with it."""

    name, order, question, over, cause = "earlier", 10, "", "", gettext_noop("Earlier")

    def find(self, facts: Facts) -> Iterable[Card[CardFacts]]:
        return ()

    def end(self, facts: Facts, card: CardFacts, subject: str) -> str | None:
        return None


def part_of(facts: Facts, answers: Sequence[object]) -> float:
    """These answers as a part of all."""
    return len(answers) / len(facts.answers) if facts.answers else 0.0


def name_of(facts: Facts, subject: Subject) -> str:
    """A rival's name for a card; empty where there is none."""
    return "" if subject is None else facts.name(subject)
