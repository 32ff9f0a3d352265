"""What is asked and where the brand is missing, by topic; adding, rewording, archiving prompts, deciding topics."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import Http404, HttpResponse
from django.utils.translation import gettext, gettext_lazy, ngettext

from apikeys.errors import ServiceError
from visibility.content.prompts import MOST_COUNT, prepare_prompts, wished_topic
from visibility.content.questions import LONGEST_REPLY, Wishes
from visibility.drawing import charts
from visibility.models import Prompt, Topic
from visibility.models.prompts import LONGEST_TOPIC
from visibility.pages.forms import IdForm, LinesField, PageForm, TextField, VerbField, form_or
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.subjects import subjects_of
from visibility.pages.tables import Table, wanted
from visibility.prompts.effects import COMPARABLE, effect_of_adding, effect_words
from visibility.prompts.page_reads import last_mentions
from visibility.prompts.reads import PromptFilter, counts_of_prompts, prompts_of
from visibility.prompts.resources import PromptFull
from visibility.prompts.services import PromptDraft, add_prompts, archive_prompt, restore_prompt
from visibility.topics.proposals import proposals_of
from visibility.topics.services import decide_as_proposed, decide_topic, undo_pooling

OWN = {"own": True, "other": False, "undecided": None}
TABS = {
    "missing": gettext_lazy("Missing"),
    "lost": gettext_lazy("Lost"),
    "all": gettext_lazy("All asked"),
    "new": gettext_lazy("Not asked yet"),
    "archived": gettext_lazy("Archived"),
}
SHOWN_COMPETITORS = 3
NO_PROMPT = gettext_lazy("No prompt yet. Add what buyers ask.")
MOST_SUGGESTED = 5
FORM_EXAMPLES = gettext_lazy("Which … is best for …?\nWhat is a good … for less than …?\nIs … or … better for …?")
"""Shown in an empty field: the form of a question, never one to ask."""
MOST_ROWS = 100
"""Prompts of one page."""


class PromptsForm(PageForm):
    """Prompts to add, a line each."""

    prompts = LinesField(label=gettext_lazy("One a line"), rows=3, placeholder=FORM_EXAMPLES)
    topic = forms.CharField(
        max_length=LONGEST_TOPIC,
        required=False,
        widget=forms.TextInput({"list": "topics", "placeholder": gettext_lazy("in two or three words")}),
    )


class ReplyForm(PageForm):
    """What an assistant wrote."""

    reply = TextField(
        label=gettext_lazy("What it wrote, a question a line or JSON"),
        rows=4,
        max_length=LONGEST_REPLY,
        help_text=gettext_lazy("Questions that name a brand, repeat a prompt, or ask two things are left out."),
        error_messages={"required": gettext_lazy("Paste what your assistant wrote.")},
    )
    topic = forms.CharField(max_length=LONGEST_TOPIC, required=False, widget=forms.HiddenInput)


class PromptForm(IdForm):
    """Whether a prompt is asked."""

    verb = VerbField("archive", "restore")


class TopicForm(IdForm):
    """Whether a topic is the brand's own."""

    own = VerbField(*OWN)


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt and in how many answers of now each is mentioned: the brand, then competitors, with their ids and
    colours; `last` is the last day within four weeks that mentions the brand."""

    row: PromptFull
    numbers: Sequence[int]
    rivals: Sequence[UUID]
    hues: Sequence[str]
    last: date | None
    counts: bool
    """Whether figures count it: it does not name the brand, and its topic is not of others."""

    @property
    def is_missing(self) -> bool:
        """Whether figures count it and no answer mentions the brand."""
        return self.counts and self.row.answers > 0 and self.row.mentioned == 0

    @property
    def is_lost(self) -> bool:
        """Whether it is missing, and an answer mentioned the brand within four weeks."""
        return self.is_missing and self.last is not None

    @property
    def cells(self) -> list[tuple[int, str, UUID | None]]:
        """The cells of the heat map, each with its subject's id. A prompt on which nobody is mentioned is no miss."""
        shown = self.numbers[: 1 + SHOWN_COMPETITORS]
        cells = charts.heat(shown, self.row.answers, self.hues, misses=self.is_missing and any(self.numbers))
        return [(*cell, pk) for cell, pk in zip(cells, [None, *self.rivals], strict=False)]


@dataclass(frozen=True, slots=True)
class TopicGroup:
    """The listed prompts of one topic, with its answers of now over all its prompts."""

    name: str
    topic: Topic | None
    rows: Sequence[Asked]
    prompts: int
    mentioned: int
    answers: int


@brand_page
def prompts(visit: Visit) -> HttpResponse:
    """The prompts where the brand is missing, or others, by topic; the topics that nobody has decided."""
    return _page(visit)


@brand_page
def suggest(visit: Visit) -> HttpResponse:
    """The same page with prompts that buyers ask and nobody asks yet; none of them is added by that."""
    if visit.request.method != "POST":
        raise Http404
    wishes = Wishes(count=MOST_SUGGESTED)
    try:
        found = prepare_prompts(visit.caller, brand_id=visit.brand.pk, wishes=wishes, dry_run=True)()
    except ServiceError as refusal:
        messages.error(visit.request, refusal.message)
        return visit.back(visit.address("brand-prompts"))
    return _page(visit, suggested=found.prompts, why_none=found.why_none, to_copy=found.prompt_to_copy)


def _page(visit: Visit, form: PageForm | None = None, **more: Any) -> HttpResponse:
    filters = visit.filters(foreign=True)
    topics = {topic.name: topic for topic in filters.offer.topics.values()}
    foreign = {name for name, each in topics.items() if each.own is False}
    topic, show = filters.chosen_topic, visit.choice("show", TABS)
    active = None if show == "archived" else True
    narrowed = {"engines": filters.part.engines, "markets": filters.part.markets}
    counts = counts_of_prompts(filters.whole, active=active, on=filters.day, **narrowed)
    found = prompts_of(visit.brand, PromptFilter(topic=topic, active=active), counts, full=True)
    subjects, last = subjects_of(visit.brand, filters.whole), last_mentions(visit.brand, counts)
    rivals, hues = subjects.names, [subjects.hue(pk) for pk in subjects.names]
    rows = _by_tab(
        [
            Asked(
                row,
                [row.mentioned, *(counts[row.id].mentioned(pk) for pk in rivals)],
                list(rivals),
                hues,
                last.get(row.id),
                counts=row.branded is not True and row.topic not in foreign,
            )
            for row in found.prompts
            if isinstance(row, PromptFull)
        ]
    )
    numbers = {**{key: len(of_tab) for key, of_tab in rows.items()}, "archived": _archived(visit, topic)}
    show = show or _first_tab(rows, topic)
    if file := wanted(visit, _table(show, rows[show], rivals.values())):
        return file
    page = Paginator(rows[show], MOST_ROWS).get_page(visit.query.get("page"))
    return visit.show(
        "prompts.html",
        "prompts",
        lead=_lead(rows),
        tabs=[(key, name, numbers[key], key == show) for key, name in TABS.items()],
        show=show,
        filters=filters,
        chosen=topic,
        topics=topics.values(),
        groups=list(_groups(page.object_list, rows, topics)),
        page=page,
        competitors=list(rivals.values())[:SHOWN_COMPETITORS],
        columns=3 + min(len(rivals), SHOWN_COMPETITORS),
        quota=found.quota,
        stages=[each for each in found.coverage if each.stage],
        new=rows["new"],
        form=form_or(form, PromptsForm, initial={"topic": topic.name if topic and topic.own is not False else ""}),
        reply_form=form_or(form, ReplyForm),
        **_editing(visit, list(topics.values())),
        **more,
    )


def _editing(visit: Visit, topics: Sequence[Topic]) -> dict[str, Any]:
    """What the page shows in addition to those who may change prompts."""
    if not visit.may_edit:
        return {}
    undecided = [topic for topic in topics if topic.own is None]
    proposals = proposals_of(visit.brand) if undecided else {}
    return {
        "is_pooled": any(topic.pooled for topic in topics),
        "has_proposals": bool(proposals),
        "undecided": [(topic, proposals.get(topic.pk)) for topic in undecided],
        "effect": effect_words(effect_of_adding(visit.brand, 1)),
        "comparable": gettext(COMPARABLE),
    }


def _by_tab(rows: Sequence[Asked]) -> dict[str, list[Asked]]:
    active = [each for each in rows if each.row.archived_at is None]
    missing = _where_others_are([each for each in active if each.is_missing])
    return {
        "missing": missing,
        "lost": [each for each in missing if each.is_lost],
        "all": [each for each in active if each.row.answers or each.row.absent],
        "new": [each for each in active if not (each.row.answers or each.row.absent)],
        "archived": [each for each in rows if each.row.archived_at is not None],
    }


def _archived(visit: Visit, topic: Topic | None) -> int:
    """How many prompts are archived; their rows are read only where they are shown."""
    rows = Prompt.objects.filter(brand=visit.brand, archived_at__isnull=False).tracked()
    return (rows.filter(topic=topic) if topic else rows).count()


def _where_others_are(rows: Sequence[Asked]) -> list[Asked]:
    """Sorted by how often answers mention a competitor: first the topics, then the prompts of each."""
    best = {each.row.id: max(each.numbers[1:], default=0) for each in rows}
    of_topic = Counter[str]()
    for each in rows:
        of_topic[each.row.topic] += best[each.row.id]
    return sorted(rows, key=lambda each: (-of_topic[each.row.topic], each.row.topic, -best[each.row.id]))


def _first_tab(rows: Mapping[str, Sequence[Asked]], topic: Topic | None) -> str:
    """What is opened without a choice: a topic as a whole, else where the brand is missing."""
    if topic is None and rows["missing"]:
        return "missing"
    return "all" if rows["all"] or not rows["new"] else "new"


def _lead(rows: Mapping[str, Sequence[Asked]]) -> str:
    """Where the brand is missing, in a sentence or two."""
    counted, missing, lost = sum(each.counts for each in rows["all"]), len(rows["missing"]), len(rows["lost"])
    if not rows["all"]:
        return (
            gettext("Nothing was asked yet. The first scan shows where you are missing.")
            if rows["new"]
            else str(NO_PROMPT)
        )
    if not counted:
        return gettext("No prompt counts: each names you, or is on a topic that is not yours.")
    if not missing:
        every = ngettext(
            "Your prompt has an answer that mentions you.",
            "Each of your {counted} prompts has an answer that mentions you.",
            counted,
        )
        return every.format(counted=counted)
    first = gettext("No answer mentions you on {missing} of {counted} prompts.").format(
        missing=missing, counted=counted
    )
    second = gettext("{lost} of them you lost in the last four measured weeks.").format(lost=lost)
    return f"{first} {second}" if lost else first


def _groups(
    shown: Iterable[Asked], rows: Mapping[str, Sequence[Asked]], topics: Mapping[str, Topic]
) -> Iterator[TopicGroup]:
    """What is shown by topic, those with the first rows first; with the answers to all active prompts of each."""
    listed = list(shown)
    order = {name: place for place, name in enumerate(dict.fromkeys(each.row.topic for each in listed))}
    listed.sort(key=lambda each: order[each.row.topic])
    for name, of_topic in groupby(listed, key=lambda each: each.row.topic):
        every = [each.row for tab in ("all", "new") for each in rows[tab] if each.row.topic == name]
        sums = sum(row.mentioned for row in every), sum(row.answers for row in every)
        yield TopicGroup(name, topics.get(name), list(of_topic), len(every), *sums)


def _table(show: str, rows: Sequence[Asked], competitors: Iterable[str]) -> Table:
    return Table(
        f"prompts-{show}",
        ("prompt", "topic", "answers", "you", *competitors, "last mention within four weeks", "names you"),
        lambda: (
            [each.row.text, each.row.topic, each.row.answers, *each.numbers, each.last, each.row.branded]
            for each in rows
        ),
    )


def _add(visit: Visit, values: dict[str, Any]) -> str:
    drafts = [PromptDraft(line, values["topic"]) for line in values["prompts"]]
    added = add_prompts(visit.caller, brand_id=visit.brand.pk, drafts=drafts)
    number = len(added.created) + len(added.restored)
    return _added_words(number)


def _added_words(number: int) -> str:
    words = ngettext(
        "{number} prompt added. They count from the next scan on.",
        "{number} prompts added. They count from the next scan on.",
        number,
    )
    return words.format(number=number)


def add_reply(visit: Visit, values: dict[str, Any]) -> str:
    """Add what an assistant wrote, as far as it passes the checks; in words what was added, and what was not."""
    topic = wished_topic(visit.caller, visit.brand.pk, values["topic"] or None)
    wishes = Wishes(count=MOST_COUNT, topic=topic, reply=values["reply"])
    found = prepare_prompts(visit.caller, brand_id=visit.brand.pk, wishes=wishes, dry_run=False)()
    number, refused = len(found.prompts), found.refused
    words = _added_words(number)
    listed = "; ".join(f"“{each.text[:80]}”: {each.reason}" for each in refused[:MOST_SUGGESTED])
    if not refused:
        return words
    return f"{words} {gettext('Not added: {number}.').format(number=len(refused))} {listed}."


def _change(visit: Visit, values: dict[str, Any]) -> str:
    """Archive or restore a prompt."""
    pk, verb = values["id"], values["verb"]
    if verb == "archive":
        archive_prompt(visit.caller, brand_id=visit.brand.pk, prompt_id=pk)
        return gettext("Archived. It is asked no more; its history stays.")
    restore_prompt(visit.caller, brand_id=visit.brand.pk, prompt_id=pk)
    return gettext("Restored. It is asked again from the next scan on.")


def _decide(visit: Visit, values: dict[str, Any]) -> str:
    own = OWN[values["own"]]
    topic = decide_topic(visit.caller, brand_id=visit.brand.pk, topic_id=values["id"], own=own)
    words = {
        True: gettext("{topic} counts for you."),
        False: gettext("{topic} counts no more."),
        None: gettext("{topic} is undecided again."),
    }
    return f"{words[own].format(topic=topic.name)} {gettext('Figures follow within seconds.')}"


def _decide_as_proposed(visit: Visit, values: dict[str, Any]) -> str:
    with transaction.atomic():
        for topic_id in proposals_of(visit.brand):
            decide_as_proposed(visit.caller, brand_id=visit.brand.pk, topic_id=topic_id)
    return gettext("Decided as proposed. Figures follow within seconds.")


def _undo_pooling(visit: Visit, values: dict[str, Any]) -> str:
    number = undo_pooling(visit.caller, brand_id=visit.brand.pk)
    words = ngettext(
        "{number} prompt has a topic of its own again.", "{number} prompts have a topic of their own again.", number
    )
    return words.format(number=number)


HERE = "brand-prompts"
add_act = act(_add, HERE, PromptsForm, lambda visit, form: _page(visit, form))
reply_act = act(add_reply, HERE, ReplyForm)
change_act = act(_change, HERE, PromptForm)
decide_act = act(_decide, HERE, TopicForm)
propose_act, undo_pooling_act = act(_decide_as_proposed, HERE), act(_undo_pooling, HERE)
