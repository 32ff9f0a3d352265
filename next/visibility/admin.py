"""The operators' desk for what is measured: prompts and topics to edit; runs, answers and scores to look at."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Model, Q, QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apikeys.caller import Caller
from apikeys.staff import Act, BoundedPaginator, LinesField, ReadOnlyAdmin, ServiceForm, operator_caller, table
from brands.admin import RestrictedAdmin
from brands.models import Brand
from visibility.models import Answer, ChangeRecord, Citation, DailyScore, Mention, Prompt, Run, Topic
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
from visibility.topics.proposals import Proposal, proposals_of
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


class BoundedAdmin(RestrictedAdmin):
    """Lists without end: no further than a bound is counted, and the brand is the way to the rest."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()
    search_fields = ("brand__name",)  # only shows the box: see get_search_results
    search_help_text = "The name or domain of a brand."
    list_select_related = ["brand"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """The brands first, of which there are few: their rows are found by an index."""
        term = search_term.strip()
        if not term:
            return queryset, False
        brands = Brand.objects.filter(Q(name__icontains=term) | Q(domain__icontains=term))
        return queryset.filter(brand__in=list(brands.values_list("pk", flat=True))), False


@admin.register(Prompt)
class PromptAdmin(BoundedAdmin):
    """The prompts that people track. None is deleted: an archived one keeps its history."""

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

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="topic")
    def topic_name(self, prompt: Prompt) -> str:
        """For who may only look."""
        return prompt.topic_name

    @admin.display(description="wordings")
    def wordings(self, prompt: Prompt) -> SafeString:
        """The newest first."""
        rows = prompt.versions.order_by("-number")
        return table(
            ("Version", "Wording", "Locale", "Since", "By"),
            [(row.number, row.text, row.locale, date_format(row.created_at), row.created_by) for row in rows],
        )

    @admin.display(description="answers")
    def answers(self, prompt: Prompt) -> SafeString:
        """The way to them."""
        return _list_link(Answer, "prompt", prompt)

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


def _propose(topics: Iterable[Topic]) -> None:
    """Put what is proposed for each topic beside it."""
    proposals: dict[Any, Proposal] = {}
    for brand in {topic.brand for topic in topics if topic.own is None}:
        proposals |= proposals_of(brand)
    for topic in topics:
        vars(topic)["proposal"] = proposals.get(topic.pk)


class ProposedTopics(ChangeList):
    """The list of topics, with what is proposed for those that it shows: one read for each brand."""

    def get_results(self, request: HttpRequest) -> None:
        super().get_results(request)
        _propose(list(self.result_list))


@admin.register(Topic)
class TopicAdmin(BoundedAdmin):
    """Which topics are the brand's own. Topics come with prompts and are decided in the list."""

    list_display = ("name", "brand", "own", "proposed", "pooled", "decided_by", "decided_at")
    list_editable = ("own",)
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

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.display(description="proposed")
    def proposed(self, topic: Topic) -> str:
        """Whether it is own, by what the brand says of itself."""
        if not hasattr(topic, "proposal"):
            _propose([topic])
        proposal = vars(topic)["proposal"]
        return f"{'own' if proposal.own else 'not own'}: {proposal.because}" if proposal else ""

    @admin.display(description="prompts")
    def prompts(self, topic: Topic) -> SafeString:
        """Each with a link to its page."""
        rows = topic.prompts.all()
        return table(("Prompt", "Archived"), [(_link(row), _day(row.archived_at)) for row in rows])

    def store(self, caller: Caller, obj: Topic, form: Any, change: bool) -> Topic:
        return decide_topic(caller, brand_id=obj.brand_id, topic_id=obj.pk, own=form.cleaned_data["own"])


class MeasuredAdmin(ReadOnlyAdmin, BoundedAdmin):
    """Rows that only measuring writes, the newest first."""

    ordering = ["-id"]


@admin.register(Run)
class RunAdmin(MeasuredAdmin):
    """Runs with how far each engine is."""

    list_display = ("created_at", "brand", "kind", "status", "trigger", "progress", "score")
    list_filter = ("kind", "status", "trigger")
    ordering = ["-created_at", "-id"]
    fieldsets = (
        (None, {"fields": ("brand", "kind", "status", "trigger", "actor", "day", "error_code", "error_message")}),
        ("Progress", {"fields": ("created_at", "started_at", "finished_at", "progress", "engines", "answers")}),
        ("Result", {"fields": ("score", "low", "high")}),
        ("Credits", {"fields": ("payer", "credits_reserved", "credits_spent", "credits_month", "settled_at")}),
    )

    @admin.display(description="progress")
    def progress(self, run: Run) -> str:
        """Of answers, in an audit of pages."""
        return _progress(run)

    @admin.display(description="engines")
    def engines(self, run: Run) -> SafeString:
        """Each surface by itself."""
        rows = run.engines.select_related("engine")
        return table(("Engine", "Surface", "Progress"), [(row.engine, row.surface, _progress(row)) for row in rows])

    @admin.display(description="answers")
    def answers(self, run: Run) -> SafeString:
        """The way to them."""
        return _list_link(Answer, "run", run)


@admin.register(Answer)
class AnswerAdmin(MeasuredAdmin):
    """Answers word for word, with what was found in them. There may be millions."""

    list_display = ("day", "brand", "engine", "surface", "prompt", "sample", "state")
    list_select_related = ["brand", "engine", "prompt"]
    fieldsets = (
        (None, {"fields": ("brand", "run", "day", "engine", "surface", "stated_model", "sample", "answered_at")}),
        ("Answer", {"fields": ("asked", "state", "error_code", "error_message", "refused", "truncated", "text")}),
        ("Found in it", {"fields": ("mentions", "citations")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).defer("text", "sources", "words")  # a list of long texts is slow

    def get_list_filter(self, request: HttpRequest) -> tuple[str, ...]:
        """Where few rows are left to look through."""
        return ("state", "engine", "surface") if {"brand", "run", "prompt"} & request.GET.keys() else ()

    @admin.display(description="served model")
    def stated_model(self, answer: Answer) -> str:
        """As the provider calls it."""
        return answer.served_model or "not stated"

    @admin.display(description="prompt, as it was asked")
    def asked(self, answer: Answer) -> str:
        """The wording of then."""
        return answer.version.text

    @admin.display(description="mentions")
    def mentions(self, answer: Answer) -> SafeString:
        """With the words that each rests on."""
        rows = answer.mentions.select_related("competitor")
        return table(("Name", "As", "Rank", "Stance", "Quote"), [_mention(answer, row) for row in rows])

    @admin.display(description="citations")
    def citations(self, answer: Answer) -> SafeString:
        """In their order in the answer."""
        rows = answer.citations.select_related("competitor")
        return table(
            ("Domain", "Page", "Title", "Class", "Whose"),
            [(row.domain, row.url, row.title, row.source_class, _owner(answer, row)) for row in rows],
        )


@admin.register(DailyScore)
class DailyScoreAdmin(MeasuredAdmin):
    """The score of each day, and of now, of brands and their competitors."""

    list_display = ("when", "brand", "competitor", "score", "low", "high", "comparable")
    list_select_related = ["brand", "competitor"]
    fields = ("brand", "competitor", "when", "score", "low", "high", "figures", "comparable", "change", "runs")

    @admin.display(description="day")
    def when(self, score: DailyScore) -> str:
        """The day, or that it is the score of now."""
        return _day(score.date) or "now"


@admin.register(ChangeRecord)
class ChangeRecordAdmin(MeasuredAdmin):
    """Changes of scores that may be called so."""

    list_display = ("began", "brand", "engine", "delta", "low", "high", "known_by", "known_on", "state")
    list_filter = ("state", "known_by")
    ordering = ["-known_on", "-id"]


def _mention(answer: Answer, mention: Mention) -> tuple[Any, ...]:
    quote = answer.text[mention.quote_start : mention.quote_end]
    name = (mention.competitor or answer.brand).name
    return name, answer.text[mention.start : mention.end], mention.rank or "", mention.stance, quote


def _owner(answer: Answer, citation: Citation) -> str:
    owner = answer.brand if citation.is_own else citation.competitor
    return owner.name if owner else ""


def _progress(row: Any) -> str:
    """Of a run or of an engine in it."""
    failed = f", {row.failed:,} failed" if row.failed else ""
    return f"{row.done:,} of {row.total:,}{failed}"


def _day(moment: Any) -> str:
    return date_format(moment) if moment else ""


def _link(row: Model) -> SafeString:
    """The row by its name, as a link to its page."""
    address = reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=(row.pk,))
    return format_html('<a href="{}">{}</a>', address, row)


def _list_link(model: type[Model], field: str, row: Model) -> SafeString:
    """A link to the list of another model, filtered by this row."""
    address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return format_html('<a href="{}?{}={}">List</a>', address, field, row.pk)
