"""The pages that answers on a topic rest on without the brand, and own pages that are cited without its name: one
table a topic, with tasks by owner."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from django.conf import settings
from django.utils.translation import gettext_noop
from pydantic import computed_field

from apikeys.resources import Resource, UntrustedText
from visibility.models.recommendations import Level
from visibility.recommendations.cited import OWNERS, Behind, lists_behind, pages_cited
from visibility.recommendations.facts import Cited, Facts, Seen, naming, next_answers, questions_of
from visibility.recommendations.gaps import least_gain
from visibility.recommendations.kinds.base import Card, CardFacts, Count, Kind, part_of
from visibility.recommendations.kinds.gap import events_of
from visibility.recommendations.pieces import Piece, list_page, silent_page

LEAST_ANSWERS = 3
LARGE_PART = 2 / 3
"""The part of the answers that cite a list which has to lack the brand."""
WORTH_IT = 1 / 6
"""The part of a topic's answers that pages without the brand are behind, for them to have a card."""
UNNAMED, CREDITED = 0.5, 0.2
"""The parts of the answers that cite an own page without naming the brand: from one half on a task, up to a fifth
over."""
MOST_PAGES, MOST_OWN, MOST_PROMPTS = 10, 3, 4


class SourcePage(Resource):
    """A page that `cited` answers cite, `missing` of them without the brand. `owner`: who works with it; `is_on_it`
    None: not read; `changed`: the newest day that it states."""

    url: UntrustedText
    domain: UntrustedText
    owner: str
    cited: int
    missing: int
    is_on_it: bool | None = None
    changed: str = ""


class SourcesFacts(CardFacts):
    """The table of a topic: pages of others, and own ones. `k` of `of` answers that cite these name the brand."""

    others: list[SourcePage] = []
    own: list[SourcePage] = []
    is_absent: bool = False
    """Whether no answer that cites the pages of others names the brand."""

    @computed_field  # type: ignore[prop-decorator]  # pydantic's way, which mypy does not know
    @property
    def owners(self) -> list[str]:
        """Who has a task, those with the most answers first."""
        return list(dict.fromkeys(each.owner for each in self.others))


class Sources(Kind[SourcesFacts]):
    """Sources that carry others."""

    name, order, facts, writes_page, claims_absence = "sources", 7, SourcesFacts, True, True
    cause = gettext_noop("Sites that AI cites name others")
    question = (
        "On a topic without a card of its own, lists and threads that were read do not name the brand, two thirds of "
        "the answers that cite each (three or more, of two engines or prompts) lack it, and a sixth of the topic's "
        "answers cite one; or half of the answers that cite an own page (three or more) do not name the brand."
    )
    over = "No such page is left, on at least as many answers."

    def find(self, facts: Facts) -> Iterable[Card[SourcesFacts]]:
        if facts.is_unsure:
            return
        covered = {each.place.topic for each in events_of(facts)}
        cards = []
        for topic, answers in facts.field.items():
            others = _pages_without_brand(facts, answers) if topic not in covered else []
            own = _own_unnamed(answers)
            if others or own:
                cards.append(_card(facts, topic, answers, others, own))
        yield from sorted(cards, key=lambda each: -each.weight)

    def end(self, facts: Facts, card: SourcesFacts, subject: str) -> str | None:
        answers = facts.by_topic.get(UUID(subject), [])
        if len(answers) < max(card.of, 1):
            return None
        if any(each.place.topic == UUID(subject) for each in events_of(facts)):
            return "It is part of another card now."
        lacking = [each for each in answers if not each.names(None)]
        left = [each for each in lists_behind(facts, answers, lacking) if _lacks(each) and not each.is_on_it]
        return None if left or _own_unnamed(answers) else "No page is left that answers rest on without you."

    def count(self, facts: Facts, card: SourcesFacts, subject: str) -> Count | None:
        urls = {each.url for each in (*card.others, *card.own)}
        citing = [
            each for each in facts.by_topic.get(UUID(subject), []) if any(one.url in urls for one in each.cited)
        ]
        return Count(len(naming(citing, None)), len(citing)) if citing else None

    def topic_of(self, card: SourcesFacts) -> UUID | None:
        return card.topic_id


def _lacks(each: Behind) -> bool:
    """Whether enough of the answers that cite a page, of two engines or prompts, name others and not the brand."""
    others = [row for row in each.citing if row.stances and not row.may_name_brand]
    sorts = {(row.engine, row.prompt) for row in others}
    return len(others) >= max(LEAST_ANSWERS, LARGE_PART * len(each.citing)) and len(sorts) > 1


def _pages_without_brand(facts: Facts, answers: Sequence[Seen]) -> list[Behind]:
    """The lists that were read and do not name the brand; all of them where reading pages is switched off. None where
    they are behind few of the answers."""
    lacking = [each for each in answers if not each.names(None)]
    found = [
        each
        for each in lists_behind(facts, answers, lacking)
        if _lacks(each) and (each.read is not None or not settings.CITED_PAGES_PER_WEEK) and not each.is_on_it
    ]
    behind = {row.pk for each in found for row in each.citing}
    return found[:MOST_PAGES] if len(behind) >= WORTH_IT * len(answers) else []


def _own_unnamed(answers: Sequence[Seen]) -> list[tuple[Cited, list[Seen]]]:
    """Own pages that answers cite without naming the brand, those with most such answers first."""
    found = [
        (cited, rows)
        for cited, rows in pages_cited(answers)
        if cited.owner is None and len(rows) >= LEAST_ANSWERS and _silent(rows) >= UNNAMED * len(rows)
    ]
    return sorted(found, key=lambda each: (-_silent(each[1]), each[0].url))[:MOST_OWN]


def _silent(rows: Sequence[Seen]) -> int:
    return sum(not each.names(None) for each in rows)


def _card(
    facts: Facts,
    topic: UUID,
    answers: Sequence[Seen],
    others: Sequence[Behind],
    own: Sequence[tuple[Cited, list[Seen]]],
) -> Card[SourcesFacts]:
    touched = {row.pk for each in others for row in each.citing} | {row.pk for _, rows in own for row in rows}
    showing = [each for each in answers if each.pk in touched]
    missing = [each for each in showing if not each.names(None)]
    planned = next_answers(showing)
    is_of_shops = bool(others) and others[0].page.source_class == "shop"
    return Card(
        subject=str(topic),
        facts=SourcesFacts(
            topic_id=topic,
            topic=facts.topics[topic].title,
            k=len(showing) - len(missing),
            of=len(showing),
            page=own[0][0].url if own else "",
            others=[_page_facts(each) for each in others],
            own=[
                SourcePage(
                    url=cited.url, domain=cited.domain, owner="content", cited=len(rows), missing=_silent(rows)
                )
                for cited, rows in own
            ],
            is_absent=not any(each.naming for each in others),
            prompts=list(questions_of(missing).values())[:MOST_PROMPTS],
            goal=least_gain(len(showing) - len(missing), len(showing), planned),
            goal_of=planned,
        ),
        weight=part_of(facts, missing),
        effort=Level.MEDIUM if is_of_shops or not others else Level.HIGH,
        evidence=[*(list_page(each) for each in others), *(_own_piece(cited, rows) for cited, rows in own)],
    )


def _page_facts(each: Behind) -> SourcePage:
    return SourcePage(
        url=each.page.url,
        domain=each.page.domain,
        owner=OWNERS[each.page.source_class],
        cited=len(each.citing),
        missing=len(each.citing) - each.naming,
        is_on_it=each.is_on_it,
        changed=str(each.read.changed_on) if each.read and each.read.changed_on else "",
    )


def _own_piece(cited: Cited, rows: Sequence[Seen]) -> Piece:
    return silent_page(cited.url, len(rows), _silent(rows))
