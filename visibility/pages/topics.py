"""The web page that asks which topics a brand sells, once, and where that can be changed later."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.utils.datastructures import MultiValueDict
from django.views.decorators.http import require_POST, require_safe

from apikeys.db.snapshot import snapshot
from apikeys.text.sentences import counted
from brands.models import Brand
from brands.services.access import may_edit
from visibility.pages.acts import attempt, person, reader
from visibility.pages.present.frame import brand_frame
from visibility.services.topics.deciding import TopicState, choose_topics, topic_decisions, undecided_topics

KNOWN_BY: Mapping[TopicState, str] = {
    TopicState.OWN: "you said so",
    TopicState.NOT_OWN: "you said that you do not sell it: asked, not counted",
    TopicState.UNDECIDED: "not decided: it counts",
}
_CHOSEN: Mapping[TopicState, str] = {TopicState.OWN: "yes", TopicState.NOT_OWN: "no", TopicState.UNDECIDED: ""}
"""What is ticked."""
MAX_ASKED = 20
"""Topics that other pages ask about in place; of more they lead to the page of topics."""
_ANSWERS = {"yes": True, "no": False}


@require_safe
@login_required
@snapshot()
def topics_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Every topic of the brand, and whether it sells it."""
    frame = brand_frame(request, brand_id)
    decisions = topic_decisions(frame.caller, brand_id=brand_id)
    rows = [(topic, KNOWN_BY[topic.state], _CHOSEN[topic.state]) for topic in decisions.topics]
    context = frame.context("prompts-page", rows=rows, undecided=len(decisions.undecided))
    return render(request, "visibility/topics_page.html", context)


@require_POST
@login_required
def choose(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Keep what was said of the topics in the form; what was left open stays open."""
    choices = _choices(request.POST)
    changed = attempt(request, lambda: choose_topics(person(request), brand_id=brand_id, choices=choices))
    if changed is None:
        return redirect("topics-page", brand_id=brand_id)
    if not choices:
        messages.info(request, "Nothing was chosen: say yes or no to at least one topic.")
        return redirect("topics-page", brand_id=brand_id)
    messages.success(request, f"{counted(changed, 'topic')} changed. The recommendations follow it already.")
    return redirect("recommendations-page" if changed else "topics-page", brand_id=brand_id)


def topics_question(request: HttpRequest, brand: Brand, *, may_answer: bool | None = None) -> dict[str, Any]:
    """What a page needs to ask the person about undecided topics; nothing where they may not answer, which is looked
    up where the page does not know it."""
    if may_answer is None:
        may_answer = may_edit(person(request), brand.pk)
    names = undecided_topics(reader(request), brand=brand) if may_answer else {}
    return {"undecided": names, "asked_here": len(names) <= MAX_ASKED}


def _choices(fields: MultiValueDict[str, str]) -> dict[str, bool]:
    """`topic-N` is the key of a topic, `sells-N` what was said of it."""
    numbers = [name.removeprefix("topic-") for name in fields if name.startswith("topic-")]
    said = {str(fields[f"topic-{number}"]): _ANSWERS.get(fields.get(f"sells-{number}") or "") for number in numbers}
    return {topic: is_own for topic, is_own in said.items() if is_own is not None}


urlpatterns = [
    path("brands/<uuid:brand_id>/topics", topics_page, name="topics-page"),
    path("brands/<uuid:brand_id>/topics/choose", choose, name="choose-topics"),
]
