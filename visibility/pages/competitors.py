"""Who is ahead of the brand, and why: standing, arguments, head to head by topic, untracked names."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import HttpResponse

from brands.competitors import add_competitor, remove_competitor, update_competitor
from visibility.competitors.duels import Duels, TopicDuel, duels_of
from visibility.competitors.reads import competitors_of
from visibility.competitors.resources import SiteCompetitors, StandingInFull
from visibility.content.opportunities import is_audited
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion, CriterionWinner
from visibility.models import Topic
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.subjects import Subjects, subjects_of
from visibility.pages.tables import Table, wanted
from visibility.scores.now_reads import Filter, now_of
from visibility.scores.words import place_words

MOST_ARGUMENTS = 4


@dataclass(frozen=True, slots=True)
class Argument:
    """A criterion, the side that is quoted (`winner`), and both `sides`, the quoted one first: name, colour, and how
    many answers associate it with the criterion."""

    criterion: Criterion
    winner: CriterionWinner
    sides: Sequence[tuple[str, str, int]]

    @property
    def is_lost(self) -> bool:
        """Whether a competitor is quoted."""
        return self.winner.competitor_id is not None

    @property
    def lead(self) -> int:
        """By how many answers the quoted side is ahead."""
        answers = [number for *_, number in self.sides]
        return answers[0] - sum(answers[1:])


@dataclass(frozen=True, slots=True)
class DuelRow:
    """A topic: by how many answers the brand is ahead of each competitor."""

    duel: TopicDuel
    differences: Sequence[int]


@brand_page
def competitors(visit: Visit) -> HttpResponse:
    """The brand among its competitors."""
    now, subjects = now_of(visit.brand, Filter()), subjects_of(visit.brand)
    found = competitors_of(now, full=True)
    duels = duels_of(now, list(Topic.objects.filter(brand=visit.brand)))
    columns = [pk for pk in subjects.names if pk in duels.names]
    own, lost = _arguments(criteria_of(visit.brand), subjects)
    rows = [DuelRow(each, [each.own - each.theirs[pk] for pk in columns]) for each in duels.topics]
    if file := wanted(visit, *_tables(found, rows, [duels.names[pk] for pk in columns], [*own, *lost])):
        return file
    return visit.show(
        "competitors.html",
        "competitors",
        lead=_lead(place_words(found.competitors), duels),
        standings=[subjects.drawn(each) for each in found.competitors],
        answers=now.own.figures["answers"] if now.own else 0,
        duel=rows,
        columns=[(duels.names[pk], duels.ahead(pk), duels.behind(pk)) for pk in columns],
        arguments=(
            ("What answers link you with", "You", own[:MOST_ARGUMENTS], own[MOST_ARGUMENTS:]),
            ("What they link competitors with", "No competitor", lost[:MOST_ARGUMENTS], lost[MOST_ARGUMENTS:]),
        )
        if own or lost
        else (),
        is_audited=is_audited(visit.brand),
        suggestions=found.suggestions,
        tracked=[(each, ", ".join(each.aliases)) for each in found.competitors if isinstance(each, StandingInFull)],
        quota=found.quota,
    )


def _lead(place: str | None, duels: Duels) -> str:
    """The place, and on which topics the strongest competitor is mentioned and the brand never."""
    if place is None:
        return "Add a competitor to see how you compare."
    first = f"Your place: {place}."
    worst = max(duels.names, key=lambda pk: (sum(each.theirs[pk] for each in duels.lost(pk)), str(pk)), default=None)
    lost = sorted(duels.lost(worst), key=lambda each: -each.theirs[worst])[:3] if worst else []
    if not worst or not lost:
        return f"{first} There is no topic where answers mention a competitor and never you."
    names = [each.topic for each in lost]
    topics = " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
    theirs, of = sum(each.theirs[worst] for each in lost), sum(each.of for each in lost)
    return f"{first} On {topics} {theirs} of {of} answers mention {duels.names[worst]}, none mentions you."


def _arguments(criteria: Sequence[Criterion], subjects: Subjects) -> tuple[list[Argument], list[Argument]]:
    """The criteria that most answers associate with the brand, and those with a competitor; each with the other side,
    the widest lead first."""
    own, lost = list[Argument](), list[Argument]()
    for each in criteria:
        mine = next((winner for winner in each.winners if winner.competitor_id is None), None)
        rival = next((winner for winner in each.winners if winner.competitor_id is not None), None)
        you = ("You", "me", mine.answers if mine else 0)
        them = [(rival.subject, subjects.hue(rival.competitor_id), rival.answers)] if rival else []
        if mine and (rival is None or mine.answers >= rival.answers):
            own.append(Argument(each, mine, [you, *them]))
        if rival and rival.answers > you[2]:
            lost.append(Argument(each, rival, [*them, you]))
    for arguments in (own, lost):
        arguments.sort(key=lambda each: (-each.lead, -each.criterion.mentioned))
    return own, lost


def _tables(
    found: SiteCompetitors, duel: Sequence[DuelRow], names: Sequence[str], arguments: Sequence[Argument]
) -> tuple[Table, ...]:
    return (
        Table(
            "standing",
            ("brand", "score", "low", "high", "share of voice", "the brand against it"),
            lambda: (
                [each.name, each.score, each.low, each.high, each.share_of_voice, each.site_is]
                for each in found.competitors
            ),
        ),
        Table(
            "head-to-head",
            ("topic", "answers", "you", *(f"minus {name}" for name in names)),
            lambda: ([row.duel.topic, row.duel.of, row.duel.own, *row.differences] for row in duel),
        ),
        Table(
            "arguments",
            ("argument", "topic", "mentioned", "of", "linked with", "answers", "quote"),
            lambda: (
                [each.label, each.topic, each.mentioned, each.of, won.subject, won.answers, won.quote.shown]
                for each, won in ((row.criterion, row.winner) for row in arguments)
            ),
        ),
        Table(
            "not-tracked",
            ("name", "site", "answers", "of"),
            lambda: ([each.name, each.domain, each.mentioned, each.answers] for each in found.suggestions),
        ),
    )


def _add(visit: Visit) -> str:
    name, domain = visit.posted("name"), visit.posted("domain")
    added = add_competitor(visit.caller, brand_id=visit.brand.pk, name=name, domain=domain)
    return f"{added.name} is tracked. Its history is being counted from stored answers."


def _change(visit: Visit) -> str:
    """Rename or remove a competitor."""
    pk = visit.posted_id
    if visit.posted("verb") == "remove":
        if not visit.posted("sure"):
            return "Nothing was removed: tick the box first."
        remove_competitor(visit.caller, brand_id=visit.brand.pk, competitor_id=pk)
        return "It is tracked no more. Figures follow within minutes."
    changed = update_competitor(
        visit.caller,
        brand_id=visit.brand.pk,
        competitor_id=pk,
        name=visit.posted("name"),
        domain=visit.posted("domain"),
        aliases=[each.strip() for each in visit.posted("aliases").split(",") if each.strip()],
    )
    return f"{changed.name} is changed. Its history is being counted again."


add_act, change_act = act(_add, "brand-competitors"), act(_change, "brand-competitors")
