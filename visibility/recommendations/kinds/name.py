"""Does this name mean the brand? Asked first, as all counts rest on it."""

from collections.abc import Iterable

from django.utils.translation import gettext_noop

from apikeys.resources import UntrustedText
from visibility.models.recommendations import Level
from visibility.recommendations.facts import Facts, days_of, naming
from visibility.recommendations.kinds.base import Card, CardFacts, Kind
from visibility.recommendations.pieces import quotes_at
from visibility.recommendations.similar_names import KIND


class NameFacts(CardFacts):
    """The name; `k` of `of` answers have it and do not count as naming the brand, `named` do. `is_blocking`: no card
    claims that answers lack the brand until it is decided."""

    name: UntrustedText
    named: int = 0
    is_blocking: bool


class Name(Kind[NameFacts]):
    """A name that may be the brand's."""

    name, order, facts, cause = KIND, 1, NameFacts, gettext_noop("A name that may be yours")
    question = (
        "Answers that do not count as naming the brand have a name like its own: with another word before it, or its "
        "first word alone, in three answers or more and a tenth of those on these topics. While more than one answer "
        "in five with such a name does not count, no card claims that answers lack the brand."
    )
    over = "Answers with it count now, or are few."

    def find(self, facts: Facts) -> Iterable[Card[NameFacts]]:
        if facts.similar is None:
            return
        places = {each: each.similar for each in facts.answers if each.similar}
        yield Card(
            subject=facts.similar.name[:300],
            facts=NameFacts(
                name=facts.similar.name,
                is_blocking=facts.is_unsure,
                k=len(places),
                named=len(naming(facts.answers, None)),
                of=len(facts.answers),
                days=days_of([*places]),
            ),
            weight=1.0,
            effort=Level.LOW,
            evidence=quotes_at(places),
        )

    def end(self, facts: Facts, card: NameFacts, subject: str) -> str | None:
        is_other = facts.similar is None or facts.similar.name[:300] != subject
        return "Answers with it count now, or are few." if facts.answers and is_other else None
