"""What to do: the queue by its states and causes; one thing of it, what people decide, and whether it worked."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Count
from django.http import Http404, HttpResponse
from django.urls import reverse

from apikeys.errors import ErrorCode, ServiceError, conflict
from apikeys.text import unmarked
from visibility.audit import CATALOGUE
from visibility.content.reads import writer_for
from visibility.models import Draft, Prompt, Recommendation
from visibility.pages import charts
from visibility.pages.frame import Visit, act, brand_page
from visibility.pages.tables import Table, wanted
from visibility.recommendations.services import decide

Status = Recommendation.Status
TABS = {
    Status.OPEN: "To do",
    Status.IN_PROGRESS: "Doing",
    Status.DONE: "Done",
    Status.DISMISSED: "Dismissed",
    Status.RESOLVED: "Solved by itself",
}
VERBS = {"start": Status.IN_PROGRESS, "done": Status.DONE, "dismiss": Status.DISMISSED, "reopen": Status.OPEN}
MESSAGES = {
    Status.IN_PROGRESS: "It is under way.",
    Status.DONE: "Marked as done. The next scans show whether it worked.",
    Status.DISMISSED: "Dismissed. It stays so until you open it again.",
    Status.OPEN: "It is to do again.",
}
CAUSES = {
    **dict.fromkeys(("fall", "own_pages_lost"), "You lost something"),
    "site_audit": "AI cannot read your site well",
    **dict.fromkeys(
        ("topic_gap", "first_pick", "criterion", "engine_gap", "engine_first_pick", "objection"),
        "Competitors win answers",
    ),
    "own_page_unnamed": "Your pages are cited without your name",
    "cited_pages": "Sites that AI cites name others",
    "name": "A name that may be yours",
    "track": "Names you do not track",
}
OTHER = "More"
GAPS = ("topic_gap", "first_pick", "engine_gap", "engine_first_pick")
"""Kinds whose title says what was measured; what to do is the goal of their fix prompt."""
SHOWN = 10
"""Rows that are open; the rest is folded."""
WRITERS = {"brief": "Write a brief", "engine": "Write a draft"}


@dataclass(frozen=True, slots=True)
class Reach:
    """Of so many answers on its topic (`of`), so many show it."""

    answers: int
    of: int
    drawn: Any


@dataclass(frozen=True, slots=True)
class Task:
    """One row of the queue as people read it: what to do, what shows it, and what it comes from."""

    place: int
    row: Recommendation
    action: str
    shows: str
    cause: str
    reach: Reach | None


@brand_page
def todo(visit: Visit) -> HttpResponse:
    """The queue in one state, the most urgent first."""
    status = Status(visit.query["status"]) if visit.query.get("status") in Status.values else Status.OPEN
    rows = Recommendation.objects.filter(brand=visit.brand)
    listed = list(rows.filter(status=status).order_by("-priority", "-created_at", "id"))
    if file := wanted(visit, Table(f"to-do-{status}", COLUMNS, lambda: map(_cells, listed))):
        return file
    tasks = [task_of(row, place) for place, row in enumerate(listed, start=1)]
    numbers = dict(rows.order_by().values_list("status").annotate(Count("pk")))
    return visit.show(
        "todo.html",
        "todo",
        tabs=[(state, name, numbers.get(state, 0), state == status) for state, name in TABS.items()],
        status=status,
        total=len(listed),
        tasks=tasks[:SHOWN],
        more=tasks[SHOWN:],
        has_reach=any(each.reach for each in tasks),
        proofs=[row for row in rows.filter(status=Status.DONE) if row.proof and row.proof.get("result")],
    )


@brand_page
def item(visit: Visit, recommendation_id: UUID) -> HttpResponse:
    """One thing to do: why, the evidence, the prompt, what can be written, deciding, proof."""
    row = Recommendation.objects.filter(brand=visit.brand, pk=recommendation_id).first()
    if row is None:
        raise Http404
    pieces = [[each.get(key) for key in EVIDENCE.values()] for each in row.evidence]
    if file := wanted(visit, Table("evidence", list(EVIDENCE), lambda: pieces)):
        return file
    writer = writer_for(visit.brand, row) if visit.may_edit else None
    return visit.show(
        "todo_item.html",
        "todo",
        row=row,
        task=task_of(row),
        state=TABS[Status(row.status)],
        answers=[each for each in row.evidence if each["kind"] == "answer"],
        others=[each for each in row.evidence if each["kind"] != "answer"],
        prompts=_prompts(row),
        drafts=Draft.objects.filter(brand=visit.brand, recommendation=row).order_by("-created_at"),
        writer_words=WRITERS.get(writer.kind) if writer else None,
        proof=row.proof.get("result") if row.proof else None,
        verbs=_verbs(row),
    )


def task_of(row: Recommendation, place: int = 1) -> Task:
    """What to do comes first, whatever the title of the row says first."""
    title, summary = unmarked(row.title), unmarked(row.summary)
    action, shows = title, summary
    if check := CATALOGUE.get(str(row.payload.get("check"))):
        action, shows = f"Fix: {title}", f"{check.fix.partition('. ')[0]}. {summary}"
    elif row.kind in GAPS and (prompt := str(row.payload.get("fixPrompt", ""))).startswith("# "):
        action, shows = unmarked(prompt.partition("\n")[0][2:]).rstrip("."), f"{title}. {summary}"
    return Task(place, row, action, shows, CAUSES.get(row.kind, OTHER), reach_of(row))


def reach_of(row: Recommendation) -> Reach | None:
    """How many answers show it, where its payload says so: `k` of `of` are as they should be."""
    known, of = row.payload.get("k"), row.payload.get("of")
    if not isinstance(known, int) or not isinstance(of, int) or not 0 <= known < of:
        return None
    return Reach(of - known, of, charts.bar(100 * (of - known) / of))


def _prompts(row: Recommendation) -> list[Prompt]:
    """The prompts whose answers are its evidence."""
    keys = {each["promptId"] for each in row.evidence if each.get("promptId")}
    return list(Prompt.objects.filter(brand=row.brand_id, pk__in=keys))


COLUMNS = ("to do", "why", "cause", "state", "priority", "effort", "answers", "of", "first seen", "address")
EVIDENCE = {"kind": "kind", "text": "text", "address": "url", "AI engine": "engine"}


def _cells(row: Recommendation) -> list[Any]:
    reach = reach_of(row)
    counts = [reach.answers, reach.of] if reach else [None, None]
    address = reverse("brand-todo-item", args=[row.brand_id, row.pk])
    title, summary, cause = unmarked(row.title), unmarked(row.summary), CAUSES.get(row.kind, OTHER)
    state, day = TABS[Status(row.status)], row.created_at.date()
    return [title, summary, cause, state, row.priority, row.effort, *counts, day, address]


def _verbs(row: Recommendation) -> list[tuple[str, str, str]]:
    """What can be decided about it: verb, words, tone of the button."""
    if row.status in (Status.OPEN, Status.IN_PROGRESS):
        start = [("start", "Start", "")] if row.status == Status.OPEN else []
        return [("done", "Mark done", "main"), *start, ("dismiss", "Dismiss", "plain")]
    return [("reopen", "Open again", "")]


def _decide(visit: Visit) -> str:
    status = VERBS.get(str(visit.request.POST.get("verb")))
    if status is None:
        raise Http404
    try:
        decide(
            visit.caller,
            brand_id=visit.brand.pk,
            recommendation_id=visit.posted_id,
            status=status,
            seen=str(visit.request.POST.get("seen", "")),
            reason=str(visit.request.POST.get("reason", "")),
        )
    except ServiceError as refusal:
        if refusal.code != ErrorCode.CONFLICT:
            raise
        state = TABS[Status(str(refusal.details["status"]))]
        raise conflict(f"It was moved to “{state}” meanwhile. Your click changed nothing: look again.") from None
    return MESSAGES[status]


decide_act = act(_decide, lambda visit: visit.address("brand-todo-item", visit.posted_id))
