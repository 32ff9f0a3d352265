"""The web page of a brand's topics: which of them it sells, what is proposed, and what is asked in vain."""

from collections.abc import Mapping
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
from visibility.metrics.amounts import dollars
from visibility.pages.acts import attempt, person, reader
from visibility.pages.present.frame import brand_frame
from visibility.services.reading.rescoring import rescoring_of
from visibility.services.topics.deciding import TopicState, choose_topics, topic_decisions
from visibility.services.topics.proposing import propose_topics
from visibility.services.topics.still_asked import archive_not_own, still_asked

STATES: Mapping[TopicState, str] = {
    TopicState.OWN: "yours",
    TopicState.NOT_OWN: "not yours: it counts in no figure",
    TopicState.UNDECIDED: "not decided: it counts in the score",
}
_SAID: Mapping[TopicState, str] = {TopicState.OWN: "yes", TopicState.NOT_OWN: "no", TopicState.UNDECIDED: "open"}
"""What is ticked, as the form says it."""
_ANSWERS: Mapping[str, bool | None] = {"yes": True, "no": False, "open": None}


@require_safe
@login_required
@snapshot()
def topics_page(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Every topic of the brand, and whether it sells it."""
    frame = brand_frame(request, brand_id)
    decisions = topic_decisions(frame.caller, brand_id=brand_id)
    proposals = propose_topics(frame.caller, brand=frame.brand)
    vain = still_asked(frame.caller, brand=frame.brand)
    context = frame.context(
        "prompts-page",
        rows=[
            (topic, _SAID[topic.state], STATES[topic.state], proposals.get(topic.key)) for topic in decisions.topics
        ],
        proposals=proposals,
        still_asked=vain,
        cost=dollars(vain.cost) if vain else "",
    )
    return render(request, "visibility/topics_page.html", context)


@require_POST
@login_required
def choose(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Keep what was said of the topics in the form; `rest` is said of those that it leaves undecided."""
    choices = _choices(request.POST)
    changed = attempt(request, lambda: choose_topics(person(request), brand_id=brand_id, choices=choices))
    if changed == 0:
        messages.info(request, "Nothing was changed: say of at least one topic whether it is yours.")
    elif changed:
        messages.success(request, f"{counted(changed, 'topic')} changed. {_what_follows(request, brand_id)}")
    return redirect("topics-page", brand_id=brand_id)


@require_POST
@login_required
def archive(request: HttpRequest, brand_id: UUID) -> HttpResponse:
    """Ask nothing more on the topics that are not the brand's."""
    archived = attempt(request, lambda: archive_not_own(person(request), brand_id=brand_id))
    if archived is not None:
        kept = "What was measured is kept, and their places in the plan are free."
        messages.success(request, f"{counted(archived, 'prompt')} archived: scans no longer ask them. {kept}")
    return redirect("topics-page", brand_id=brand_id)


def _choices(fields: MultiValueDict[str, str]) -> dict[str, bool | None]:
    """`topic-N` is the key of a topic, `sells-N` what was said of it; what says nothing of a topic leaves it."""
    rest = _ANSWERS.get(fields.get("rest") or "")
    choices: dict[str, bool | None] = {}
    for name in fields:
        said = fields.get(f"sells-{name.removeprefix('topic-')}") or ""
        if name.startswith("topic-") and said in _ANSWERS:
            answer = _ANSWERS[said]
            choices[str(fields[name])] = rest if answer is None else answer
    return choices


def _what_follows(request: HttpRequest, brand_id: UUID) -> str:
    """What happens to the figures."""
    if rescoring_of(reader(request), brand_id=brand_id) is None:
        return "Your figures stay as they are."
    return "The whole history is counted again: new figures follow in about a minute, all at once."


urlpatterns = [
    path("brands/<uuid:brand_id>/topics", topics_page, name="topics-page"),
    path("brands/<uuid:brand_id>/topics/choose", choose, name="choose-topics"),
    path("brands/<uuid:brand_id>/topics/archive", archive, name="archive-topics"),
]
