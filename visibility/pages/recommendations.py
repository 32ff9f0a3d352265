"""Web pages of recommendations: the queue of a brand, one of them, and what people decide about it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import path, reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from visibility.models import Recommendation
from visibility.models.recommendations import MAX_REASON
from visibility.pages.acts import attempt, person, problems, raise_404_if_missing
from visibility.pages.present import work
from visibility.pages.present.frame import BrandFrame, brand_frame
from visibility.services.recommendations.deciding import SET_BY_PEOPLE, set_status_by_id
from visibility.services.recommendations.listing import (
    STATUSES,
    TO_DO,
    Choice,
    Listed,
    listed_recommendations,
)
from visibility.services.recommendations.looking import RecommendationDetail, recommendation_detail
from visibility.services.recommendations.previewing import proof_preview

MAX_DIGITS = 6
_TAB = "recommendations-page"
_Status = Recommendation.Status
BUTTONS = {
    _Status.IN_PROGRESS: "Start on it",
    _Status.DONE: "It is done …",
    _Status.DISMISSED: "Dismiss",
    _Status.OPEN: "Open again",
}
"""What people can press, by the status that it sets."""


class FilterForm(forms.Form):
    """What the list shows. The choices are what there is."""

    status = forms.CharField(required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(required=False)
    topic = forms.ChoiceField(required=False)

    def __init__(self, listed: Listed) -> None:
        choice = listed.choice
        super().__init__({"status": choice.status, "kind": choice.kind, "topic": choice.topic})
        kinds = sorted(
            {kind: work.KIND_LABELS.get(kind, kind) for kind in {*listed.kinds, choice.kind} - {""}}.items()
        )
        self.fields["kind"].choices = [  # type: ignore[attr-defined]
            ("", "Any kind"),
            *((kind, f"{label} ({listed.kinds.get(kind, 0)})") for kind, label in kinds),
        ]
        there = {key for key, number in listed.topics.items() if number}
        topics = sorted((listed.topic_names.get(key, key), key) for key in {*there, choice.topic} - {""})
        self.fields["topic"].choices = [  # type: ignore[attr-defined]
            ("", "Any topic"),
            *((key, f"{name} ({listed.topics.get(key, 0)})") for name, key in topics),
        ]


class StatusForm(forms.Form):
    """What somebody decides; the service checks it."""

    status = forms.ChoiceField(choices=[(status, status) for status in SET_BY_PEOPLE])
    reason = forms.CharField(required=False)
    confirmed = forms.BooleanField(required=False)


@require_safe
@login_required
@snapshot()
def recommendations_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """The recommendations of a brand, most urgent first, by status, kind and topic."""
    choice = _choice(request.GET)
    number = request.GET.get("page", "")
    page = int(number) if number.isdecimal() and len(number) <= MAX_DIGITS else 1
    frame = brand_frame(request, brand_id)
    listed = listed_recommendations(frame.caller, brand_id=brand_id, choice=choice, page=page)
    now = timezone.now()
    context = frame.context(
        _TAB,
        listed=listed,
        form=FilterForm(listed),
        stages=list(_stages(listed)),
        items=[work.item_of(row, listed.topic_names, now, row.proof) for row in listed.rows],
        before=_address(listed, page=listed.page - 1) if listed.page > 1 else "",
        after=_address(listed, page=listed.page + 1) if listed.page < listed.pages else "",
    )
    return render(request, "visibility/recommendations_page.html", context)


@require_safe
@login_required
@snapshot()
def recommendation_page(request: HttpRequest, brand_id: UUID, recommendation_id: UUID) -> HttpResponse:
    """One recommendation: what to do, what it rests on, what was decided, and whether it has helped."""
    return _page(request, brand_id, recommendation_id)


@require_POST
@login_required
def decide(request: HttpRequest, brand_id: UUID, recommendation_id: UUID) -> HttpResponse:
    """Set the status. Done is asked for twice: in between stands what will be measured and what it costs."""
    form = StatusForm(request.POST)
    if not form.is_valid():
        messages.error(request, problems(form))
        return _page(request, brand_id, recommendation_id, request.POST.get("reason", ""), status=400)
    values = form.cleaned_data
    if values["status"] == _Status.DONE and not values["confirmed"]:
        return _ask_first(request, brand_id, recommendation_id, values["reason"])
    ids: dict[str, Any] = {"brand_id": brand_id, "recommendation_id": recommendation_id}
    fields = {"status": values["status"], "reason": values["reason"]}
    decided = attempt(request, lambda: set_status_by_id(person(request), **ids, **fields))
    if decided is None:
        return _page(request, brand_id, recommendation_id, values["reason"], status=400)
    messages.success(request, f"The recommendation is now: {work.STATUS_LABELS[decided.status].lower()}.")
    return redirect("recommendation-page", brand_id=brand_id, recommendation_id=recommendation_id)


def _page(
    request: HttpRequest, brand_id: UUID, recommendation_id: UUID, reason: str = "", status: int = 200
) -> HttpResponse:
    frame = brand_frame(request, brand_id)
    with raise_404_if_missing():
        detail = recommendation_detail(frame.caller, brand_id=brand_id, recommendation_id=recommendation_id)
    context = {**_shown(frame, detail), "reason": reason, "buttons": _buttons(frame, detail)}
    return render(request, "visibility/recommendation_page.html", context, status=status)


def _ask_first(request: HttpRequest, brand_id: UUID, recommendation_id: UUID, reason: str) -> HttpResponse:
    """What is frozen when it is done, before it is."""
    ids: dict[str, Any] = {"brand_id": brand_id, "recommendation_id": recommendation_id}
    preview = attempt(request, lambda: proof_preview(person(request), **ids))
    if preview is None:
        return redirect("recommendation-page", brand_id=brand_id, recommendation_id=recommendation_id)
    detail = recommendation_detail(person(request), **ids)
    context = {
        **_shown(brand_frame(request, brand_id), detail),
        "reason": reason,
        "preview": preview,
        "planned": work.proof_shown(preview.proof) if preview.proof else None,
    }
    return render(request, "visibility/done_page.html", context)


def _shown(frame: BrandFrame, detail: RecommendationDetail) -> dict[str, Any]:
    row = detail.recommendation
    return frame.context(
        _TAB,
        item=work.item_of(row, {row.topic: detail.topic}, timezone.now()),
        row=row,
        why=work.reason_of(row.kind),
        quotes=list(work.quotes_of(row, detail.runs)),
        changes=[(change, work.STATUS_LABELS[change.change.status]) for change in detail.changes],
        proof=work.proof_shown(detail.proof) if detail.proof else None,
        max_reason=MAX_REASON,
    )


def _buttons(frame: BrandFrame, detail: RecommendationDetail) -> list[tuple[str, str]]:
    """What the person may set it to; nothing for those who may only look."""
    if not frame.may_edit:
        return []
    return [(status, label) for status, label in BUTTONS.items() if status != detail.recommendation.status]


def _choice(query: QueryDict) -> Choice:
    status = query.get("status", "")
    return Choice(
        status=status if status in STATUSES else TO_DO, kind=query.get("kind", ""), topic=query.get("topic", "")
    )


@dataclass(frozen=True, slots=True)
class Stage:
    """A status to choose, with how many there are."""

    label: str
    count: int
    href: str
    current: bool


def _stages(listed: Listed) -> Iterator[Stage]:
    for status, parts in STATUSES.items():
        count = sum(listed.statuses.get(part, 0) for part in parts)
        yield Stage(
            work.STATUS_LABELS[status], count, _address(listed, status=status), status == listed.choice.status
        )


def _address(listed: Listed, *, page: int = 1, status: str = "") -> str:
    """That of another page of the same list, or of what has another status."""
    choice = listed.choice
    number = page if page > 1 else ""
    parts = {"status": status or choice.status, "kind": choice.kind, "topic": choice.topic, "page": number}
    query = urlencode({name: value for name, value in parts.items() if value})
    return f"{reverse('recommendations-page', args=(listed.brand.pk,))}?{query}"


_QUEUE = "brands/<uuid:brand_id>/recommendations"
_ONE = f"{_QUEUE}/<uuid:recommendation_id>"
urlpatterns = [
    path(_QUEUE, recommendations_page, name="recommendations-page"),
    path(_ONE, recommendation_page, name="recommendation-page"),
    path(f"{_ONE}/status", decide, name="decide-recommendation"),
]
