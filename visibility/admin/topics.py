"""Which topics are a brand's own, in the staff pages: decided from the brand's page, listed as they were decided."""

import hashlib
from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest

from apikeys.operators import system_caller
from apikeys.staff.base import Act, ReadOnlyAdmin, operator_caller
from apikeys.text.sentences import counted
from brands.admin import StaffScopedAdmin
from brands.models import Brand
from visibility.models import TopicChoice
from visibility.services.topics.deciding import TopicState, choose_topics, topic_decisions
from visibility.services.topics.proposing import Proposal, propose_topics

_CHOICES = [(TopicState.OWN, "own"), (TopicState.NOT_OWN, "not own"), (TopicState.UNDECIDED, "not decided")]
_IS_OWN = {TopicState.OWN: True, TopicState.NOT_OWN: False, TopicState.UNDECIDED: None}


@admin.register(TopicChoice)
class TopicChoiceAdmin(StaffScopedAdmin, ReadOnlyAdmin):
    """What was decided, by whom; it is changed by “Decide topics” on the brand's page."""

    list_display = ("topic", "brand", "is_own", "decided_by", "decided_at")
    list_filter = ("is_own",)
    list_select_related = ("brand",)
    search_fields = ("topic", "brand__name", "brand__domain")


def _form_of(brand: Brand) -> type[forms.Form]:
    """A field for each topic of the brand, with its state, and what is proposed for it."""
    caller = system_caller("admin")
    proposals = propose_topics(caller, brand=brand)
    fields = {
        _field_of(topic.key): forms.ChoiceField(
            label=topic.name,
            choices=_CHOICES,
            initial=topic.state,
            widget=forms.RadioSelect,
            help_text=_proposed(proposals[topic.key]) if topic.key in proposals else "",
        )
        for topic in topic_decisions(caller, brand_id=brand.pk).topics
    }
    return type("TopicsForm", (forms.Form,), fields)


def _field_of(topic: str) -> str:
    """A name for the field of a topic, whose own may be any text."""
    return f"topic-{hashlib.blake2b(topic.encode(), digest_size=8).hexdigest()}"


def _proposed(proposal: Proposal) -> str:
    return f"Proposed: {'own' if proposal.is_own else 'not own'}. {proposal.because}"


def _decide(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    caller = operator_caller(request)
    known = {_field_of(topic.key): topic.key for topic in topic_decisions(caller, brand_id=brand.pk).topics}
    choices = {known[field]: _IS_OWN[TopicState(state)] for field, state in values.items() if field in known}
    changed = choose_topics(caller, brand_id=brand.pk, choices=choices)
    after = "Where figures change, the whole history is counted again, in the background."
    return f"{counted(changed, 'topic')} changed. {after}"


TOPICS_ACT = Act(
    slug="topics",
    label="Decide topics",
    permission="visibility.change_topicchoice",
    explanation="Which topics the brand sells. One that is not its own leaves every figure and list, for the whole "
    "history, until it is changed back; one that nobody has decided counts. Its prompts are asked until they are "
    "archived.",
    perform=_decide,
    form_of=_form_of,
)
