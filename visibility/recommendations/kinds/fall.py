"""A fall of the score, with the own pages that answers stopped citing at the same time; or such pages alone."""

from collections.abc import Iterable, Sequence
from datetime import date
from uuid import UUID

from django.utils.translation import gettext_noop
from pydantic import computed_field

from apikeys.resources import Resource, UntrustedText
from visibility.models import ChangeRecord
from visibility.models.recommendations import Level
from visibility.recommendations.facts import Facts
from visibility.recommendations.kinds.base import Card, CardFacts, Kind
from visibility.recommendations.lost_pages import LostPages, are_back, lost_pages
from visibility.recommendations.pieces import Piece, lost_page

SAME_EVENT_DAYS = 1
MOST_PARTS, MOST_RIVALS, MOST_PAGES = 3, 2, 10
TOPIC_POINTS = 30
"""Points that a topic loses in a fall, from which on its gap is part of the fall."""
PAGES = "pages"
"""Before the day in the subject of a card on pages alone."""


class LostPageFacts(Resource):
    """An own page that `k` of `n` answers cited before and `k_since` of `n_since` since."""

    url: UntrustedText
    digest: str
    k: int
    n: int
    k_since: int
    n_since: int


class Moved(Resource):
    """A topic or competitor that moved from one score to another."""

    name: UntrustedText
    before: float
    after: float


class FallFacts(CardFacts):
    """Of the score (`engine` "": of all) from `before` to `after`, both 0 where only pages were lost."""

    day: date
    engine: str = ""
    before: float = 0.0
    after: float = 0.0
    pages: list[LostPageFacts] = []
    topics: list[Moved] = []
    rivals: list[Moved] = []

    @computed_field  # type: ignore[prop-decorator]  # pydantic's way, which mypy does not know
    @property
    def points(self) -> float:
        """Lost by the fall."""
        return self.before - self.after


class Fall(Kind[FallFacts]):
    """What cost points, or citations, on a day."""

    name, order, facts, cause = "fall", 2, FallFacts, gettext_noop("You lost something")
    question = (
        "The score, or that of one engine, fell by a change record that is still reported; or answers stopped to "
        "cite own pages (from three answers and more to a quarter or less, on two measured days, chance below one "
        "in a thousand). Both on the same day are one card. None where most of the fall is of an engine that changed "
        "itself."
    )
    over = (
        "The score has recovered, or each page is cited three quarters as often as before, or it turns out that the "
        "engine itself changed."
    )

    def find(self, facts: Facts) -> Iterable[Card[FallFacts]]:
        last = max((answer.day for answer in facts.answers), default=None)
        if last is None:
            return
        records = ChangeRecord.objects.filter(brand=facts.brand, delta__lt=0).open()
        reported = records.filter(reported_until__gte=last).order_by("engine", "-began")
        rows = [row for row in reported if not row.is_of_engine]
        whole = [row.began for row in rows if not row.engine]
        alone = [row for row in rows if not row.engine or not any(_is_near(row.began, day) for day in whole)]
        lost = lost_pages(facts)
        for row in alone:
            yield _fall(facts, row, next((each for each in lost if _is_near(each.day, row.began)), None))
        for each in lost:
            if not any(_is_near(each.day, row.began) for row in alone):
                yield _pages(each)

    def end(self, facts: Facts, card: FallFacts, subject: str) -> str | None:
        if subject.startswith(PAGES):
            shares = {each.digest: each.k / each.n for each in card.pages}
            return "Answers cite the pages again." if shares and are_back(facts, shares) else None
        began, _, engine = subject.partition(" ")
        record = ChangeRecord.objects.filter(brand=facts.brand, began=began, engine=engine).first()
        if record is not None and record.is_of_engine:
            return "The AI engine itself changed on that day, and most of the fall is of it."
        if record is None or record.is_open:
            return None
        return f"The score has recovered since {record.state_since}."


def fallen_topics(facts: Facts) -> set[UUID]:
    """The topics that lost so much in a fall that has not recovered that it would make a gap."""
    records = ChangeRecord.objects.filter(brand=facts.brand, delta__lt=0).open()
    own = [record for record in records if not record.is_of_engine]
    parts = (part for record in own for part in record.parts.get("topics", []) if part["key"])
    return {UUID(part["key"]) for part in parts if part["before"] - part["after"] >= TOPIC_POINTS}


def _is_near(one: date, other: date) -> bool:
    return abs((one - other).days) <= SAME_EVENT_DAYS


def _fall(facts: Facts, record: ChangeRecord, lost: LostPages | None) -> Card[FallFacts]:
    names = {str(pk): topic.title for pk, topic in facts.topics.items()}
    parts = [each for each in record.parts.get("topics", []) if each["key"] in names and each["points"] < 0]
    rivals = {str(pk): name for pk, name in facts.competitors.items()}
    moved = [each for each in record.context.get("competitors", []) if each["key"] in rivals]
    before, after = float(record.before or 0), float(record.after or 0)
    card = FallFacts(
        day=record.began,
        engine=record.engine.rpartition(" ")[0],
        before=before,
        after=after,
        pages=_page_facts(lost),
        topics=[
            Moved(name=names[each["key"]], before=each["before"], after=each["after"]) for each in parts[:MOST_PARTS]
        ],
        rivals=[
            Moved(name=rivals[each["key"]], before=each["before"], after=each["after"])
            for each in moved[:MOST_RIVALS]
        ],
    )
    return Card(
        subject=f"{record.began} {record.engine}".strip(),
        facts=card,
        weight=card.points / before if before else 1.0,
        effort=Level.LOW if lost else Level.MEDIUM,
        evidence=_pieces(card.pages),
    )


def _pages(lost: LostPages) -> Card[FallFacts]:
    pages = _page_facts(lost)
    return Card(
        subject=f"{PAGES} {lost.day}",
        facts=FallFacts(day=lost.day, pages=pages),
        weight=pages[0].k / pages[0].n,
        effort=Level.LOW,
        evidence=_pieces(pages),
    )


def _page_facts(lost: LostPages | None) -> list[LostPageFacts]:
    return [
        LostPageFacts(
            url=each.url, digest=each.digest.hex(), k=each.k, n=each.n, k_since=each.k_since, n_since=each.n_since
        )
        for each in (lost.pages[:MOST_PAGES] if lost else ())
    ]


def _pieces(pages: Sequence[LostPageFacts]) -> list[Piece]:
    return [lost_page(each.url, (each.k, each.n), (each.k_since, each.n_since)) for each in pages]
