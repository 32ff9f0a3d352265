"""What to do: the queue by its states, one thing of it, what people decide, and whether it worked."""

from uuid import UUID

from django.http import Http404, HttpResponse
from django.urls import reverse

from visibility.models import Draft, Recommendation
from visibility.pages import charts
from visibility.pages.frame import Visit, act, brand_page
from visibility.recommendations.services import decide

Status = Recommendation.Status
TABS = {
    Status.OPEN: "To do",
    Status.IN_PROGRESS: "Doing",
    Status.DONE: "Done",
    Status.DISMISSED: "Dismissed",
    Status.RESOLVED: "Solved",
}
VERBS = {"start": Status.IN_PROGRESS, "done": Status.DONE, "dismiss": Status.DISMISSED, "reopen": Status.OPEN}
MESSAGES = {
    Status.IN_PROGRESS: "It is under way.",
    Status.DONE: "Marked as done. The next scans show whether it worked.",
    Status.DISMISSED: "Dismissed. It stays so until you open it again.",
    Status.OPEN: "It is to do again.",
}


@brand_page
def todo(visit: Visit) -> HttpResponse:
    """The queue in one state, the most urgent first."""
    status = Status(visit.query["status"]) if visit.query.get("status") in Status.values else Status.OPEN
    rows = Recommendation.objects.filter(brand=visit.brand)
    numbers = {state: rows.filter(status=state).count() for state in TABS}
    listed = rows.filter(status=status).order_by("-priority", "-created_at", "id")
    return visit.show(
        "todo.html",
        "todo",
        tabs=[(state, name, numbers[state], state == status) for state, name in TABS.items()],
        status=status,
        rows=[(row, charts.bar(row.priority)) for row in listed],
        proofs=[row for row in rows.filter(status=Status.DONE) if row.proof and row.proof.get("result")],
    )


@brand_page
def item(visit: Visit, recommendation_id: UUID) -> HttpResponse:
    """One thing to do: why, the evidence, the prompt, what can be written, deciding, proof."""
    row = Recommendation.objects.filter(brand=visit.brand, pk=recommendation_id).first()
    if row is None:
        raise Http404
    drafts = Draft.objects.filter(brand=visit.brand, recommendation=row).order_by("-created_at")
    proof = row.proof.get("result") if row.proof else None
    return visit.show("todo_item.html", "todo", row=row, drafts=drafts, proof=proof, verbs=_verbs(row))


def _verbs(row: Recommendation) -> list[tuple[str, str, str]]:
    """What can be decided about it: verb, words, tone of the button."""
    if row.status in (Status.OPEN, Status.IN_PROGRESS):
        start = [("start", "Start", "")] if row.status == Status.OPEN else []
        return [("done", "Mark done", "key"), *start, ("dismiss", "Dismiss", "plain")]
    return [("reopen", "Open again", "")]


def _item_address(visit: Visit) -> str:
    return reverse("brand-todo-item", args=[visit.brand.pk, visit.request.POST.get("id", "")])


def _decide(visit: Visit) -> str:
    status = VERBS.get(str(visit.request.POST.get("verb")))
    if status is None:
        raise Http404
    decide(
        visit.caller,
        brand_id=visit.brand.pk,
        recommendation_id=_uuid(visit.request.POST.get("id")),
        status=status,
        seen=str(visit.request.POST.get("seen", "")),
        reason=str(visit.request.POST.get("reason", "")),
    )
    return MESSAGES[status]


def _uuid(text: object) -> UUID:
    try:
        return UUID(str(text))
    except ValueError:
        raise Http404 from None


decide_act = act(_decide, _item_address)
