"""Names that answers offer often and nobody tracks: housekeeping, so that comparisons are whole."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop

from apikeys.resources import Resource, UntrustedText
from visibility.counts.rows import CountRow
from visibility.models.recommendations import Level
from visibility.recommendations.facts import Facts, naming
from visibility.recommendations.kinds.base import Card, CardFacts, Kind
from visibility.recommendations.pieces import offered_name

TRACKED_SHARE, LEAST_OFFERED, MOST_NAMES = 0.5, 5, 5
UNTRACKED = "untracked names"


class UntrackedFacts(Resource):
    """A company that `mentioned` of `of` answers on a topic name, and `offered` offer."""

    name: UntrustedText
    topic: UntrustedText
    mentioned: int
    offered: int
    of: int


class TrackFacts(CardFacts):
    """The companies, those with the largest share of answers first."""

    names: list[UntrackedFacts]


class Track(Kind[TrackFacts]):
    """Companies to add as competitors."""

    name, order, facts, is_chore, cause = "track", 10, TrackFacts, True, gettext_noop("Names you do not track")
    question = (
        "Half of a topic's answers (five or more) offer a company that nobody tracks, more than one of the "
        "competitors."
    )
    over = "No such name is left."

    def find(self, facts: Facts) -> Iterable[Card[TrackFacts]]:
        rows = [row for row in untracked_rivals(facts) if _is_rival(facts, row)][:MOST_NAMES]
        if rows:
            names = [_facts(row) for row in rows]
            yield Card(
                subject=UNTRACKED,
                facts=TrackFacts(
                    names=names,
                    topic_id=rows[0].group.topic.pk if rows[0].group.topic else None,
                    k=rows[0].of - rows[0].ranked,
                    of=rows[0].of,
                ),
                weight=rows[0].ranked / rows[0].of,
                effort=Level.LOW,
                evidence=[offered_name(each.name, each.offered, each.of) for each in names],
            )

    def end(self, facts: Facts, card: TrackFacts, subject: str) -> str | None:
        return "They are tracked now." if facts.answers else None


def untracked_rivals(facts: Facts) -> list[CountRow]:
    """The companies that half of a topic's answers offer and nobody tracks, but for words of the brand's own names.
    Of several topics the one where most do; the largest share first."""
    best: dict[str, CountRow] = {}
    similar = facts.similar.name if facts.similar else ""
    own = {word.casefold() for name in (similar, facts.brand.name) for word in name.split()}
    for row in facts.untracked:
        is_often = row.ranked >= max(LEAST_OFFERED, TRACKED_SHARE * row.of)
        is_of_field = row.group.topic is not None and row.group.topic.pk in facts.field
        if is_often and is_of_field and row.subject.casefold() not in own:
            best[row.subject] = max(best.get(row.subject, row), row, key=lambda each: each.ranked)
    return sorted(best.values(), key=lambda row: (-row.ranked / row.of, -row.ranked, row.subject))


def _is_rival(facts: Facts, row: CountRow) -> bool:
    answers = facts.by_topic[row.group.topic.pk] if row.group.topic else []
    tracked = [len(naming(answers, rival)) for rival in facts.competitors]
    return row.ranked > min(tracked, default=0)


def _facts(row: CountRow) -> UntrackedFacts:
    return UntrackedFacts(
        name=row.subject,
        topic=row.topic or "",
        mentioned=row.mentioned,
        offered=row.ranked,
        of=row.of,
    )
