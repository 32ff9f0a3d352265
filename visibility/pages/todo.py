"""What to do: the queue by its states; one thing of it, what people decide, and what was seen since."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django import forms
from django.db.models import Count
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from apikeys.errors import ErrorCode, ServiceError, conflict
from visibility.content.reads import writer_for
from visibility.drawing import charts
from visibility.models import Draft, Prompt, Recommendation, Run
from visibility.pages.forms import IdForm, VerbField
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.tables import Table, wanted
from visibility.recommendations.cards import ShownCard, proof_of, show
from visibility.recommendations.kinds import CHORES
from visibility.recommendations.reads import MOST_SHOWN, cards_of
from visibility.recommendations.resources import Evidence
from visibility.recommendations.services import decide

Status = Recommendation.Status
TABS = {
    Status.OPEN: gettext_lazy("To do"),
    Status.IN_PROGRESS: gettext_lazy("Doing"),
    Status.DONE: gettext_lazy("Done"),
    Status.DISMISSED: gettext_lazy("Dismissed"),
    Status.RESOLVED: gettext_lazy("Solved by itself"),
}
VERBS = {"start": Status.IN_PROGRESS, "done": Status.DONE, "dismiss": Status.DISMISSED, "reopen": Status.OPEN}
LONGEST_REASON = 300
MESSAGES = {
    Status.IN_PROGRESS: gettext_lazy("It is under way."),
    Status.DONE: gettext_lazy("Marked as done. What is seen since is judged once, in four weeks."),
    Status.DISMISSED: gettext_lazy("Dismissed. It stays so until you open it again."),
    Status.OPEN: gettext_lazy("It is to do again."),
}
WRITERS = {"brief": gettext_lazy("Write a brief"), "engine": gettext_lazy("Write a draft")}


@dataclass(frozen=True, slots=True)
class Reach:
    """Of so many answers that it is about (`of`), so many show it."""

    answers: int
    of: int
    drawn: Any


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the queue as people read it."""

    place: int
    card: ShownCard
    reach: Reach | None


@brand_page
def todo(visit: Visit) -> HttpResponse:
    """The queue in one state: the first five, the rest folded, housekeeping apart."""
    status = Status(visit.query["status"]) if visit.query.get("status") in Status.values else Status.OPEN
    rows = Recommendation.objects.filter(brand=visit.brand)
    cards = cards_of(visit.brand, rows.filter(status=status))
    if file := wanted(visit, Table(f"to-do-{status}", COLUMNS, lambda: map(cells_of, cards))):
        return file
    tasks = [task_of(card, place) for place, card in enumerate(filter(_is_advice, cards), start=1)]
    advice = rows.exclude(kind__in=CHORES).order_by()
    numbers = dict(advice.values_list("status").annotate(Count("pk")))
    return visit.show(
        "todo.html",
        "todo",
        tabs=[(state, name, numbers.get(state, 0), state == status) for state, name in TABS.items()],
        status=status,
        total=len(tasks),
        tasks=tasks[:MOST_SHOWN],
        more=tasks[MOST_SHOWN:],
        chores=[task_of(card) for card in cards if not _is_advice(card)],
        has_reach=any(each.reach for each in tasks),
        why_none="" if cards else why_none(visit),
        proofs=_proofs(visit, rows),
    )


def _is_advice(card: ShownCard) -> bool:
    return not card.kind.is_chore


def why_none(visit: Visit) -> str:
    """Why nothing is to do: nobody is told to be done where nothing was measured."""
    if not Run.objects.measured().filter(brand=visit.brand, kind=Run.Kind.VISIBILITY).exists():
        return gettext("Nothing is measured yet: a first scan shows what to do.")
    return gettext(
        "Nothing differs beyond chance on these answers. More prompts, or more answers a prompt, show smaller gaps."
    )


def _proofs(visit: Visit, rows: Any) -> list[tuple[ShownCard, Any]]:
    """What was seen of what is done."""
    done = cards_of(visit.brand, rows.filter(status__in=(Status.DONE, Status.RESOLVED), proof__isnull=False))
    return [(card, proof) for card in done if (proof := proof_of(card.row, card))]


@brand_page
def item(visit: Visit, recommendation_id: UUID) -> HttpResponse:
    """One thing to do: fact, why, tasks by owner, evidence, what can be written, deciding, proof."""
    row = Recommendation.objects.filter(brand=visit.brand, pk=recommendation_id).first()
    if row is None:
        raise Http404
    evidence = [Evidence.model_validate(each) for each in row.evidence]
    pieces = [[each.kind, each.text, each.url, each.engine] for each in evidence]
    if file := wanted(visit, Table("evidence", EVIDENCE, lambda: pieces)):
        return file
    card = show(row, visit.brand)
    writer = writer_for(visit.brand, row) if visit.may_edit else None
    return visit.show(
        "todo_item.html",
        "todo",
        row=row,
        card=card,
        task=task_of(card),
        state=str(TABS[Status(row.status)]),
        evidence=evidence,
        answers=[each for each in evidence if each.kind in ("answer", "review")],
        others=[each for each in evidence if each.kind not in ("answer", "review")],
        prompts=_prompts(row, evidence),
        drafts=Draft.objects.filter(brand=visit.brand, recommendation=row).order_by("-created_at"),
        writer_words=WRITERS.get(writer.kind) if writer else None,
        proof=proof_of(row, card),
        verbs=_verbs(row),
    )


def task_of(card: ShownCard, place: int = 1) -> Task:
    """A card as a row of the queue."""
    facts = card.facts
    has_reach = facts is not None and not card.kind.is_chore and 0 < facts.missing <= facts.of
    reach = (
        Reach(facts.missing, facts.of, charts.bar(100 * facts.missing / facts.of)) if facts and has_reach else None
    )
    return Task(place, card, reach)


def _prompts(row: Recommendation, evidence: Sequence[Evidence]) -> list[Prompt]:
    """The prompts whose answers are its evidence."""
    keys = {each.prompt_id for each in evidence if each.prompt_id}
    return list(Prompt.objects.filter(brand=row.brand_id, pk__in=keys))


COLUMNS = (
    "to do",
    "fact",
    "why",
    "owners",
    "cause",
    "housekeeping",
    "state",
    "priority",
    "effort",
    "answers",
    "of",
    "first seen",
    "address",
)
EVIDENCE = ("kind", "text", "address", "AI engine")


def cells_of(card: ShownCard) -> list[Any]:
    """The values of COLUMNS."""
    row, reach = card.row, task_of(card).reach
    counts = [reach.answers, reach.of] if reach else [None, None]
    address = reverse("brand-todo-item", args=[row.brand_id, row.pk])
    words = [card.title, card.fact, card.why, ", ".join(card.owners), card.kind.cause]
    state = ["yes" if card.kind.is_chore else "no", TABS[Status(row.status)], row.priority, row.effort]
    return [*words, *state, *counts, row.created_at.date(), address]


def _verbs(row: Recommendation) -> list[tuple[str, str, str]]:
    """What can be decided about it: verb, words, tone of the button."""
    if row.status in (Status.OPEN, Status.IN_PROGRESS):
        start = [("start", gettext("Start"), "")] if row.status == Status.OPEN else []
        return [("done", gettext("Mark done"), "main"), *start, ("dismiss", gettext("Dismiss"), "plain")]
    return [("reopen", gettext("Open again"), "")]


class DecideForm(IdForm):
    """A decision on a to-do; `seen` is its state as the page showed it."""

    verb = VerbField(*VERBS)
    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    reason = forms.CharField(max_length=LONGEST_REASON, required=False)


def _decide(visit: Visit, values: dict[str, Any]) -> str:
    status = VERBS[values["verb"]]
    try:
        decide(
            visit.caller,
            brand_id=visit.brand.pk,
            recommendation_id=values["id"],
            status=status,
            seen=values["seen"],
            reason=values["reason"],
        )
    except ServiceError as refusal:
        if refusal.code != ErrorCode.CONFLICT:
            raise
        state = TABS[Status(str(refusal.details["status"]))]
        raise conflict(
            gettext("It was moved to “{state}” meanwhile. Your click changed nothing: look again.").format(
                state=state
            )
        ) from None
    return str(MESSAGES[status])


decide_act = act(_decide, lambda visit, values: visit.address("brand-todo-item", values["id"]), DecideForm)
