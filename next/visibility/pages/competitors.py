"""Who beats the brand, and with what: standing, arguments, head to head by topic, names that nobody tracks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse

from brands.competitors import add_competitor, remove_competitor, update_competitor
from visibility.competitors.duels import Duels, TopicDuel, duels_of
from visibility.competitors.reads import list_competitors
from visibility.content.opportunities import is_audited
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion, CriterionWinner
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.overview import HUES, bar_of, hue_of, hues_of
from visibility.pages.tables import Table, wanted
from visibility.scores.now_reads import Filter, now_of, standings_of
from visibility.scores.words import place_words

MOST_ARGUMENTS = 6


@dataclass(frozen=True, slots=True)
class Argument:
    """What answers judge by, and who is praised for it most, with the class of its colour."""

    criterion: Criterion
    winner: CriterionWinner
    hue: str

    @property
    def is_lost(self) -> bool:
        """Whether somebody else wins it."""
        return self.winner.competitor_id is not None


@dataclass(frozen=True, slots=True)
class DuelRow:
    """A topic: by how many answers the brand is ahead of each competitor."""

    duel: TopicDuel
    differences: Sequence[int]


@brand_page
def competitors(visit: Visit) -> HttpResponse:
    """The brand among its competitors."""
    now = now_of(visit.brand, Filter())
    standings, hues = standings_of(now), hues_of(visit.brand)
    found = list_competitors(visit.caller, visit.brand.pk)
    duels = duels_of(visit.brand)
    columns = sorted(duels.names, key=lambda pk: hues.get(pk, len(hues)))
    arguments = _arguments(visit, hues)
    rows = [DuelRow(each, [each.own - each.theirs[pk] for pk in columns]) for each in duels.topics]
    if file := wanted(visit, *_tables(standings, rows, [duels.names[pk] for pk in columns], arguments, found)):
        return file
    return visit.show(
        "competitors.html",
        "competitors",
        lead=_lead(place_words(standings), duels),
        standings=[(each, hue_of(each, hues), bar_of(each, hues)) for each in standings],
        answers=now.own.figures["answers"] if now.own else 0,
        duel=rows,
        columns=[(duels.names[pk], duels.ahead(pk), duels.behind(pk)) for pk in columns],
        arguments=arguments[:MOST_ARGUMENTS],
        more_arguments=arguments[MOST_ARGUMENTS:],
        is_audited=is_audited(visit.brand),
        suggestions=found.suggestions,
        tracked=[(each, ", ".join(each.aliases)) for each in found.competitors],
        limit=visit.brand.owner.limit("max_competitors_per_site"),
    )


def _lead(place: str | None, duels: Duels) -> str:
    """The place, and on which topics the strongest competitor is mentioned and the brand never."""
    if place is None:
        return "Add a competitor to see how you compare."
    first = f"You are {place}."
    worst = max(duels.names, key=lambda pk: (sum(each.theirs[pk] for each in duels.lost(pk)), str(pk)), default=None)
    lost = sorted(duels.lost(worst), key=lambda each: -each.theirs[worst])[:3] if worst else []
    if not worst or not lost:
        return f"{first} There is no topic where answers mention a competitor and never you."
    names = [each.topic for each in lost]
    topics = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    theirs, of = sum(each.theirs[worst] for each in lost), sum(each.of for each in lost)
    return f"{first} On {topics} {theirs} of {of} answers mention {duels.names[worst]}, none mentions you."


def _arguments(visit: Visit, hues: Mapping[UUID, int]) -> list[Argument]:
    """What answers judge by where somebody is praised for it: those that others win first."""
    won = [(each, each.winners[0]) for each in criteria_of(visit.brand) if each.winners]
    rows = [
        Argument(each, winner, HUES[hues.get(winner.competitor_id, 0) % len(HUES)] if winner.competitor_id else "me")
        for each, winner in won
    ]
    return sorted(rows, key=lambda row: (not row.is_lost, -row.winner.answers, -row.criterion.mentioned))


def _tables(
    standings: Sequence[Any], duel: Sequence[DuelRow], names: Sequence[str], arguments: Sequence[Argument], found: Any
) -> tuple[Table, ...]:
    return (
        Table(
            "standing",
            ("brand", "score", "low", "high", "share of voice", "the brand against it"),
            lambda: (
                [each.name, each.score, each.low, each.high, each.share_of_voice, each.site_is] for each in standings
            ),
        ),
        Table(
            "head-to-head",
            ("topic", "answers", "you", *(f"minus {name}" for name in names)),
            lambda: ([row.duel.topic, row.duel.of, row.duel.own, *row.differences] for row in duel),
        ),
        Table(
            "arguments",
            ("argument", "topic", "mentioned", "of", "praised most", "answers", "quote"),
            lambda: map(_argument_cells, arguments),
        ),
        Table(
            "not-tracked",
            ("name", "site", "answers", "of"),
            lambda: ([each.name, each.domain, each.answers, each.of_answers] for each in found.suggestions),
        ),
    )


def _argument_cells(row: Argument) -> list[Any]:
    each, winner = row.criterion, row.winner
    return [each.label, each.topic, each.mentioned, each.of, winner.subject, winner.answers, winner.quote.shown]


def _add(visit: Visit) -> str:
    post = visit.request.POST
    name, domain = str(post.get("name", "")), str(post.get("domain", ""))
    added = add_competitor(visit.caller, brand_id=visit.brand.pk, name=name, domain=domain)
    return f"{added.name} is tracked. Its history is being counted from stored answers."


def _change(visit: Visit) -> str:
    """Rename or remove a competitor."""
    post, pk = visit.request.POST, _uuid(visit.request.POST.get("id"))
    if post.get("verb") == "remove":
        if not post.get("sure"):
            return "Nothing was removed: tick the box first."
        remove_competitor(visit.caller, brand_id=visit.brand.pk, competitor_id=pk)
        return "It is tracked no more. Figures follow within minutes."
    changed = update_competitor(
        visit.caller,
        brand_id=visit.brand.pk,
        competitor_id=pk,
        name=str(post.get("name", "")),
        domain=str(post.get("domain", "")),
        aliases=[each.strip() for each in str(post.get("aliases", "")).split(",") if each.strip()],
    )
    return f"{changed.name} is changed. Its history is being counted again."


def _uuid(text: object) -> UUID:
    try:
        return UUID(str(text))
    except ValueError:
        raise Http404 from None


def _address(visit: Visit) -> str:
    return reverse("brand-competitors", args=[visit.brand.pk])


add_act, change_act = act(_add, _address), act(_change, _address)
