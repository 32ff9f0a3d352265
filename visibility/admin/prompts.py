"""Prompts and topics to edit."""

from collections.abc import Collection, Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from apikeys.caller import Caller
from apikeys.staff import Act, LinesField, ServiceForm, link, never, operator_caller, table
from visibility.admin.base import BoundedAdmin, list_link, shown_day
from visibility.models import Answer, Prompt, Topic
from visibility.models.prompts import LONGEST_TOPIC
from visibility.prompts.services import (
    PromptDraft,
    add_prompts,
    archive_prompt,
    describe_prompt,
    move_prompt,
    restore_prompt,
    reword_prompt,
)
from visibility.topics.proposals import proposals_of
from visibility.topics.services import decide_as_proposed, decide_topic, undo_pooling


class AddPromptsForm(ServiceForm):
    """Prompts of one brand that share all but the wording."""

    texts = LinesField(label="Prompts", help_text="As they are asked, one on each line.")
    topic_name = forms.CharField(
        label="Topic", required=False, max_length=LONGEST_TOPIC, help_text="Empty: each prompt is a topic of its own."
    )

    class Meta:
        model = Prompt
        fields = ["brand", "stage", "intent", "persona", "locale"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["texts"].required = True


class PromptForm(ServiceForm):
    """The wording of a prompt and its topic."""

    topic_name = forms.CharField(
        label="Topic", max_length=LONGEST_TOPIC, help_text="A topic that the brand lacks is added."
    )

    class Meta:
        model = Prompt
        fields = ["text", "locale", "stage", "intent", "persona"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.initial["topic_name"] = self.instance.topic_name


def _archive(request: HttpRequest, prompt: Prompt, values: dict[str, Any]) -> str:
    archive_prompt(operator_caller(request), brand_id=prompt.brand_id, prompt_id=prompt.pk)
    return "The prompt is archived."


def _restore(request: HttpRequest, prompt: Prompt, values: dict[str, Any]) -> str:
    restore_prompt(operator_caller(request), brand_id=prompt.brand_id, prompt_id=prompt.pk)
    return "The prompt is asked again."


@admin.register(Prompt)
class PromptAdmin(BoundedAdmin):
    """The prompts that people track. None is deleted: an archived one keeps its history."""

    has_delete_permission = never
    form = PromptForm
    add_form = AddPromptsForm
    raw_id_fields = ("brand",)
    list_display = ("text", "brand", "topic", "version", "locale", "archived_at")
    list_filter = (("archived_at", admin.EmptyFieldListFilter),)
    list_select_related = ["brand", "topic"]
    ordering = ("brand", "topic", "created_at")
    add_fieldsets = ((None, {"fields": ("brand", "texts", "topic_name", "stage", "intent", "persona", "locale")}),)
    fieldsets = (
        (None, {"fields": ("brand", "text", "locale", "topic_name")}),
        ("Described as", {"fields": ("stage", "intent", "persona")}),
        ("History", {"fields": ("created_at", "archived_at", "wordings", "answers")}),
    )
    acts = (
        Act(
            slug="archive",
            label="Archive",
            permission="visibility.change_prompt",
            explanation="The prompt is asked no more and leaves the figures of now; its history stays.",
            perform=_archive,
            applies=lambda prompt: prompt.archived_at is None,
        ),
        Act(
            slug="restore",
            label="Restore",
            permission="visibility.change_prompt",
            explanation="The prompt is asked again, with the history that it has.",
            perform=_restore,
            applies=lambda prompt: prompt.archived_at is not None,
        ),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request)
        return rows.tracked()  # type: ignore[no-any-return]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        if obj is None:
            return ()
        return ("brand", "created_at", "archived_at", "wordings", "answers")

    @admin.display(description="topic")
    def topic_name(self, prompt: Prompt) -> str:
        """In place of the form's field, for staff who may only view."""
        return prompt.topic_name

    def wordings(self, prompt: Prompt) -> SafeString:
        """The newest first."""
        rows = prompt.versions.order_by("-number")
        return table(
            ("Version", "Wording", "Locale", "Since", "By"),
            [(row.number, row.text, row.locale, date_format(row.created_at), row.created_by) for row in rows],
        )

    def answers(self, prompt: Prompt) -> SafeString:
        return list_link(Answer, "prompt", prompt)

    def store(self, caller: Caller, obj: Prompt, form: Any, change: bool) -> Prompt:
        values = form.cleaned_data
        if not change:
            shared = {name: values[name] for name in ("stage", "intent", "persona", "locale")}
            drafts = [PromptDraft(text, values["topic_name"], **shared) for text in values["texts"]]
            return add_prompts(caller, brand_id=values["brand"].pk, drafts=drafts).prompts[0]
        if "topic_name" in form.changed_data:
            move_prompt(caller, brand_id=obj.brand_id, prompt_id=obj.pk, topic=values["topic_name"])
        if described := form.changed_values(("stage", "intent", "persona")):
            describe_prompt(caller, brand_id=obj.brand_id, prompt_id=obj.pk, **described)
        if form.changed_values(("text", "locale")):
            text, locale = values["text"], values["locale"]
            reword_prompt(caller, brand_id=obj.brand_id, prompt_id=obj.pk, text=text, locale=locale)
        return obj

    def response_post_save_add(self, request: HttpRequest, obj: Prompt) -> HttpResponseRedirect:
        """To the brand's prompts: there may be several new ones."""
        return HttpResponseRedirect(f"{reverse('admin:visibility_prompt_changelist')}?brand={obj.brand_id}")


def _decide_as_proposed(request: HttpRequest, topic: Topic, values: dict[str, Any]) -> str:
    topic = decide_as_proposed(operator_caller(request), brand_id=topic.brand_id, topic_id=topic.pk)
    return f"The topic is {'own' if topic.own else 'not own'}."


def _undo_pooling(request: HttpRequest, topic: Topic, values: dict[str, Any]) -> str:
    number = undo_pooling(operator_caller(request), brand_id=topic.brand_id)
    return f"{number:,} prompts have a topic of their own again."


def _propose(topics: Collection[Topic], shown: Iterable[Topic]) -> None:
    """Put what is proposed for these topics of one brand with each that is shown."""
    undecided = [topic for topic in topics if topic.own is None]
    proposals = proposals_of(undecided[0].brand) if undecided else {}
    for topic in shown:
        vars(topic)["proposal"] = proposals.get(topic.pk)


class ProposedTopics(ChangeList):
    """The list of topics; where it shows one brand, with what is proposed for it, which reads all its pages."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        topics = list(self.result_list)
        _propose(topics if len({topic.brand_id for topic in topics}) == 1 else [], topics)


@admin.register(Topic)
class TopicAdmin(BoundedAdmin):
    """Which topics are the brand's own. Topics come with prompts and are decided in the list."""

    list_display = ("name", "brand", "own", "proposed", "pooled", "decided_by", "decided_at")
    list_editable = ("own",)
    has_add_permission = has_delete_permission = never
    list_filter = ("own",)
    ordering = ("brand", "name")
    fields = ("brand", "name", "own", "proposed", "pooled", "decided_by", "decided_at", "prompts")
    readonly_fields = ("brand", "name", "proposed", "pooled", "decided_by", "decided_at", "prompts")
    acts = (
        Act(
            slug="as-proposed",
            label="Decide as proposed",
            permission="visibility.change_topic",
            explanation="Proposals come from the brand's own pages and description, never from answers.",
            perform=_decide_as_proposed,
            applies=lambda topic: topic.own is None,
        ),
        Act(
            slug="undo-pooling",
            label="Undo pooling",
            permission="visibility.change_topic",
            explanation="An import put prompts together by their words. Each prompt of all such topics of the brand "
            "becomes a topic of its own again.",
            perform=_undo_pooling,
            applies=lambda topic: topic.pooled,
        ),
    )

    def get_changelist(self, request: HttpRequest, **options: Any) -> type[ChangeList]:
        return ProposedTopics

    def proposed(self, topic: Topic) -> str:
        """Whether it is own, by what the brand says of itself."""
        if not hasattr(topic, "proposal"):
            _propose([topic], [topic])
        proposal = vars(topic)["proposal"]
        return f"{'own' if proposal.own else 'not own'}: {proposal.because}" if proposal else ""

    def prompts(self, topic: Topic) -> SafeString:
        rows = topic.prompts.all()
        return table(("Prompt", "Archived"), [(link(row), shown_day(row.archived_at)) for row in rows])

    def store(self, caller: Caller, obj: Topic, form: Any, change: bool) -> Topic:
        return decide_topic(caller, brand_id=obj.brand_id, topic_id=obj.pk, own=form.cleaned_data["own"])
