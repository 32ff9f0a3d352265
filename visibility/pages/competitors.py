"""Who is ahead of the brand, and why: standing, arguments, head to head by topic, untracked names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext, gettext_lazy

from apikeys.language import number_words
from brands.competitors import add_competitor, remove_competitor, update_competitor
from brands.models import LONGEST_DESCRIPTION, LONGEST_NAME
from visibility.answers.names import uses_of_names
from visibility.competitors.reads import competitors_of
from visibility.competitors.resources import SiteCompetitors, StandingInFull
from visibility.content.opportunities import is_audited
from visibility.counts.figures import TopicDuel, duels_of, engines_of, figures_of, secondary_figures
from visibility.counts.reader import Selection
from visibility.counts.words import base_words, place_words
from visibility.evidence.reads import criteria_of
from visibility.evidence.resources import Criterion, CriterionWinner, Quote
from visibility.models.prompts import topic_title
from visibility.pages.forms import LONGEST_ADDRESS, IdForm, LinesField, PageForm, form_or
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.subjects import Subjects, speak_in_general, subjects_of
from visibility.pages.tables import Table, wanted

MOST_ARGUMENTS = 4


class CompetitorForm(PageForm):
    """A competitor to track."""

    name = forms.CharField(label=gettext_lazy("Name, as answers write it"), max_length=LONGEST_NAME)
    domain = forms.CharField(
        label=gettext_lazy("Site"), max_length=LONGEST_ADDRESS, widget=forms.TextInput({"placeholder": "example.com"})
    )
    description = forms.CharField(
        label=gettext_lazy("What it sells, if its name is also a word"),
        max_length=LONGEST_DESCRIPTION,
        required=False,
    )


class ChangeCompetitorForm(IdForm):
    """What is known of a competitor."""

    name = forms.CharField(max_length=LONGEST_NAME)
    domain = forms.CharField(label=gettext_lazy("Site"), max_length=LONGEST_ADDRESS)
    aliases = LinesField(sign=",", label=gettext_lazy("Other names, with commas between"), required=False)
    description = forms.CharField(label=gettext_lazy("What it sells"), max_length=LONGEST_DESCRIPTION, required=False)


class RemoveCompetitorForm(IdForm):
    """A competitor that counts no more."""

    sure = forms.BooleanField(
        error_messages={"required": gettext_lazy("Nothing was removed: tick the box first.")}, label=""
    )


@dataclass(frozen=True, slots=True)
class Argument:
    """A criterion, and the side that is quoted (`winner`; None: nobody has read whom answers link with it), with both
    `sides`, the quoted one first: name, colour, in how many of the answers naming it it is a reason."""

    criterion: Criterion
    winner: CriterionWinner | None = None
    sides: Sequence[tuple[str, str, int, int]] = ()

    @property
    def is_lost(self) -> bool:
        """Whether a competitor is quoted."""
        return self.winner is not None and self.winner.competitor_id is not None

    @property
    def quote(self) -> Quote | None:
        """What is quoted."""
        return self.winner.quote if self.winner else next(iter(self.criterion.quotes), None)

    @property
    def lead(self) -> int:
        """By how many answers the quoted side is ahead."""
        answers = [number for _, _, number, _ in self.sides]
        return answers[0] - sum(answers[1:])


@dataclass(frozen=True, slots=True)
class DuelRow:
    """A topic: by how many answers the brand is ahead of each competitor."""

    duel: TopicDuel
    differences: Sequence[int]


@brand_page
def competitors(visit: Visit) -> HttpResponse:
    """The brand among its competitors."""
    return _page(visit)


def _page(visit: Visit, form: PageForm | None = None) -> HttpResponse:
    filters = visit.filters()
    now = filters.now
    subjects = subjects_of(visit.brand, now)
    found, duels = competitors_of(now, full=True), duels_of(now)
    columns = [pk for pk in subjects.names if pk in now.names]
    own, lost, unread = _arguments(criteria_of(visit.brand), subjects)
    rows = [DuelRow(each, [each.own.mentioned - each.theirs[pk].mentioned for pk in columns]) for each in duels]
    if file := wanted(visit, *_tables(found, rows, [now.names[pk] for pk in columns], [*own, *lost, *unread])):
        return file
    return visit.show(
        "competitors.html",
        "competitors",
        filters=filters,
        lead=_lead(place_words(found.competitors), duels, now.names),
        duel=rows,
        columns=[(now.names[pk], subjects.hue(pk), *_won_and_lost(duels, pk)) for pk in columns],
        arguments=_groups(own, lost, unread),
        is_audited=is_audited(visit.brand),
        **_standing(now, found, subjects),
        **_names(visit, found, form),
    )


def _standing(now: Selection, found: SiteCompetitors, subjects: Subjects) -> dict[str, Any]:
    """The brand among its competitors, and what is counted beside the score."""
    figures = figures_of(now)
    is_any_named = bool(found.suggestions) or any(sums.mentioned for sums in now.sums)
    return {
        "standings": subjects.drawn(found.competitors),
        "in_general": speak_in_general(found.competitors),
        "base": base_words(figures, engines_of(now)) if figures else "",
        "secondary": secondary_figures(now),
        "untracked_share": found.untracked_share,
        "finds_some_names": found.untracked_share is None and is_any_named,
    }


def _names(visit: Visit, found: SiteCompetitors, form: PageForm | None) -> dict[str, Any]:
    """Who is tracked, and who is not."""
    described: dict[UUID | None, str] = {each.pk: each.description for each in visit.brand.competitors.all()}
    tracked = []
    for each in found.competitors:
        if isinstance(each, StandingInFull):
            stored = {
                "id": each.competitor_id,
                "name": each.name,
                "domain": each.domain,
                "aliases": each.aliases,
                "description": described[each.competitor_id],
            }
            change = form_or(form, ChangeCompetitorForm, key=each.competitor_id, initial=stored)
            remove = RemoveCompetitorForm(key=each.competitor_id, initial={"id": each.competitor_id})
            remove.fields["sure"].label = gettext("Count {name} no more").format(name=each.name)
            tracked.append((each, change, remove))
    return {
        "form": form_or(form, CompetitorForm),
        "suggestions": found.suggestions,
        "tracked": tracked,
        "quota": found.quota,
    }


def _won_and_lost(duels: Sequence[TopicDuel], competitor: UUID) -> tuple[int, int]:
    """On how many topics more answers mention the brand, and on how many the competitor."""
    leads = [each.own.mentioned - each.theirs[competitor].mentioned for each in duels]
    return sum(each > 0 for each in leads), sum(each < 0 for each in leads)


def _lead(place: str | None, duels: Sequence[TopicDuel], names: Mapping[UUID, str]) -> str:
    """The place, and on which topics the strongest competitor is mentioned and the brand never."""
    if place is None:
        return gettext("Add a competitor to see how you compare.")
    first = gettext("Your place: {place}.").format(place=place)
    lost_to = {pk: [each for each in duels if not each.own.mentioned and each.theirs[pk].mentioned] for pk in names}
    worst = max(names, key=lambda pk: (sum(each.theirs[pk].mentioned for each in lost_to[pk]), str(pk)), default=None)
    lost = sorted(lost_to[worst], key=lambda each: -each.theirs[worst].mentioned)[:3] if worst else []
    if not worst or not lost:
        return f"{first} {gettext('There is no topic where answers mention a competitor and never you.')}"
    on = [topic_title(each.topic) for each in lost]
    topics = f" {gettext('and')} ".join([", ".join(on[:-1]), on[-1]] if len(on) > 1 else on)
    theirs, of = sum(each.theirs[worst].mentioned for each in lost), sum(each.own.of for each in lost)
    second = gettext("On {topics} {theirs} of {of} answers mention {name}, none mentions you.")
    counts = {"theirs": number_words(theirs), "of": number_words(of)}
    return f"{first} {second.format(topics=topics, name=names[worst], **counts)}"


def _arguments(
    criteria: Sequence[Criterion], subjects: Subjects
) -> tuple[list[Argument], list[Argument], list[Argument]]:
    """The reasons that answers give for the brand most, and those for a competitor, each with the other side, the
    widest lead first; and the labels of answers that nobody has read."""
    own, lost = list[Argument](), list[Argument]()
    for each in criteria:
        mine = next((winner for winner in each.winners if winner.competitor_id is None), None)
        rival = next((winner for winner in each.winners if winner.competitor_id is not None), None)
        you = (gettext("You"), "me", mine.answers if mine else 0, each.own_naming)
        them = [(rival.subject, subjects.hue(rival.competitor_id), rival.answers, rival.naming)] if rival else []
        if mine and (rival is None or mine.answers >= rival.answers):
            own.append(Argument(each, mine, [you, *them]))
        if rival and rival.answers > you[2]:
            lost.append(Argument(each, rival, [*them, you]))
    for arguments in (own, lost):
        arguments.sort(key=lambda each: (-each.lead, -each.criterion.answers))
    return own, lost, [Argument(each) for each in criteria if each.basis == "labelled"]


def _groups(
    own: Sequence[Argument], lost: Sequence[Argument], unread: Sequence[Argument]
) -> list[tuple[str, str, Sequence[Argument], Sequence[Argument]]]:
    """The arguments under their headings: with what is told where there are none, the first, and the others."""
    read = [
        (gettext("Why answers choose you"), gettext("Answers repeat no reason for you yet."), own),
        (gettext("Why they choose competitors"), gettext("Answers repeat no reason for a competitor yet."), lost),
    ]
    shown = (read if own or lost else []) + (
        [(gettext("Labels that answers judge by"), "", unread)] if unread else []
    )
    return [(head, nobody, rows[:MOST_ARGUMENTS], rows[MOST_ARGUMENTS:]) for head, nobody, rows in shown]


def _tables(
    found: SiteCompetitors, duel: Sequence[DuelRow], names: Sequence[str], arguments: Sequence[Argument]
) -> tuple[Table, ...]:
    return (
        Table(
            "standing",
            ("brand", "score", "low", "high", "share of voice", "against the brand"),
            lambda: (
                [each.name, each.score, each.low, each.high, each.share_of_voice, each.relation]
                for each in found.competitors
            ),
        ),
        Table(
            "head-to-head",
            ("topic", "answers", "you", *(f"minus {name}" for name in names)),
            lambda: ([row.duel.topic, row.duel.own.of, row.duel.own.mentioned, *row.differences] for row in duel),
        ),
        Table(
            "arguments",
            ("argument", "topic", "answers", "of", "basis", "linked with", "in answers", "quote"),
            lambda: (
                [each.label, each.topic, each.answers, each.of, each.basis]
                + ([won.subject, won.answers] if won else ["", ""])
                + [row.quote.shown if row.quote else ""]
                for row, each, won in ((row, row.criterion, row.winner) for row in arguments)
            ),
        ),
        Table(
            "not-tracked",
            ("name", "site", "answers", "offered", "of"),
            lambda: (
                [each.name, each.domain, each.mentioned, each.offered, each.answers] for each in found.suggestions
            ),
        ),
    )


def _add(visit: Visit, values: dict[str, Any]) -> str:
    given = {name: values[name] for name in ("name", "domain", "description")}
    added = add_competitor(visit.caller, brand_id=visit.brand.pk, **given)
    said = " ".join(use.sentence for use in uses_of_names(visit.brand, [added.name]))
    words = gettext("{name} is tracked. Its history is being counted from stored answers.").format(name=added.name)
    return f"{words} {said}".rstrip()


def _change(visit: Visit, values: dict[str, Any]) -> str:
    given = {name: values[name] for name in ("name", "domain", "description", "aliases")}
    changed = update_competitor(visit.caller, brand_id=visit.brand.pk, competitor_id=values["id"], **given)
    return gettext("{name} is changed. Its history is being counted again.").format(name=changed.name)


def _remove(visit: Visit, values: dict[str, Any]) -> str:
    remove_competitor(visit.caller, brand_id=visit.brand.pk, competitor_id=values["id"])
    return gettext("Removed. Figures follow within minutes.")


def _to_change(data: Any, files: Any) -> PageForm:
    """The form of one of several competitors."""
    return ChangeCompetitorForm(data, key=data.get("id", ""))


HERE = "brand-competitors"
add_act = act(_add, HERE, CompetitorForm, _page)
change_act = act(_change, HERE, _to_change, _page)
remove_act = act(_remove, HERE, RemoveCompetitorForm)
