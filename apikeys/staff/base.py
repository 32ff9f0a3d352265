"""What all staff pages share: every write goes through a service, and a refusal becomes a sentence on the page."""

from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import JSONField, Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.models import User
from apikeys.operators import system_caller
from apikeys.services.guards import conflict
from apikeys.staff.tables import stored_as_table

if TYPE_CHECKING:
    BaseModelAdmin = admin.ModelAdmin[Any]
    BaseModelForm = forms.ModelForm[Any]
else:
    BaseModelAdmin = admin.ModelAdmin
    BaseModelForm = forms.ModelForm


MAX_AT_ONCE = 1_000
"""Rows that an action of a list takes: it is one transaction, for which the person waits."""


def operator(request: HttpRequest) -> User:
    """The person who is signed in to the staff pages."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def operator_caller(request: HttpRequest) -> Caller:
    """The operator as the caller of a service: reaches every account and brand, and is named in the records."""
    person = operator(request)
    return system_caller(f"user:{person.pk}", user=person)


class ServiceForm(BaseModelForm):
    """A form that reads fields and leaves the checks to the service; `refusal` is what the service answered."""

    refusal: ServiceError | None = None

    def fix(self, *names: str) -> None:
        """What names a row stays as it is once the row exists. A page for looking alone has no fields to fix."""
        for name in names:
            if name in self.fields:
                self.fields[name].disabled = not self.instance._state.adding

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.refusal is not None:
            argument = self.refusal.details.get("argument")
            self.add_error(argument if argument in self.fields else None, self.refusal.message)
        return cleaned

    def validate_unique(self) -> None:
        """Left to the service, whose message says what to do."""

    def _get_validation_exclusions(self) -> set[str]:
        # The model's own checks of fields and constraints are left to the service as well.
        return {field.name for field in self._meta.model._meta.get_fields()}

    def changed_values(self, *names: str) -> dict[str, Any]:
        """What the person changed among `names`, so that a stale page does not undo the work of others."""
        return {name: self.cleaned_data[name] for name in names if name in self.changed_data}


class BeforeTheAct(TemplateResponse):
    """What an act answers where it shows something first: nothing was done, and nothing goes on record."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be done to a row: a page of its own that explains, asks and then calls a service.

    `perform` returns a sentence that says what happened, or a whole answer. `bulk` acts (without a form) are also
    offered in the list. One that `calls_out` gets no transaction, which others would wait for as long as it takes.
    `form_of` makes the form where it depends on the row.
    """

    slug: str
    label: str
    permission: str
    explanation: str
    perform: Callable[[HttpRequest, Any, dict[str, Any]], str | HttpResponse]
    form: type[forms.Form] = forms.Form
    form_of: Callable[[Any], type[forms.Form]] | None = None
    applies: Callable[[Any], bool] = lambda row: True
    bulk: bool = False
    calls_out: bool = False


class ReadOnlyAdmin(BaseModelAdmin):
    """Rows to look at. What they keep as JSON is shown as tables."""

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        stored: dict[Any, Any] = {
            field.name: stored_as_table(field) for field in self.opts.fields if isinstance(field, JSONField)
        }
        return [
            (name, {**options, "fields": [stored.get(field, field) for field in options["fields"]]})
            for name, options in super().get_fieldsets(request, obj)
        ]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class ServiceAdmin(BaseModelAdmin):
    """Rows that services write. A subclass says how: `store`, `remove` and its acts."""

    form = ServiceForm
    change_form_template = "admin/service_change_form.html"
    acts: tuple[Act, ...] = ()

    def store(self, caller: Caller, obj: Any, form: Any, change: bool) -> Model:
        """Write what the form holds through a service and return the row as it is stored."""
        raise NotImplementedError

    def remove(self, caller: Caller, obj: Any) -> None:
        """Delete the row through a service."""
        raise NotImplementedError

    # Writing: Django's hooks lead to the services; what they refuse rolls back and is shown in the form.

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> Any:
        try:
            return super().changeform_view(request, object_id, form_url, extra_context)
        except ServiceError as error:
            vars(request)["refusal"] = error
            return super().changeform_view(request, object_id, form_url, extra_context)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        form = super().get_form(request, obj, change=change, **kwargs)
        return type(form.__name__, (form,), {"refusal": vars(request).get("refusal")})

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        stored = self.store(operator_caller(request), obj, form, change)
        obj.pk, obj._state.adding, obj._state.db = stored.pk, False, stored._state.db
        obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        for formset in formsets:
            self.save_formset(request, form, formset, change)

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ServiceError as error:
            messages.error(request, error.message)
            return HttpResponseRedirect(self._address("change", object_id))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.remove(operator_caller(request), obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for obj in queryset:
            self.remove(operator_caller(request), obj)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """The list; an action that a service refuses for one row leaves all rows as they were."""
        if request.method != "POST":
            return super().changelist_view(request, extra_context)
        try:
            with transaction.atomic():
                return super().changelist_view(request, extra_context)
        except ServiceError as error:
            messages.error(request, error.message)
            return HttpResponseRedirect(request.get_full_path())

    # Acts: a page for each, a link to it on the row's page, an action in the list for bulk ones.

    def may(self, request: HttpRequest, act: Act, obj: Any) -> bool:
        """Whether the operator may do `act` to this row; says nothing about whether the service agrees."""
        return operator(request).has_perm(act.permission)

    def get_urls(self) -> list[URLPattern]:
        pages = [
            path(
                f"<path:object_id>/{act.slug}/",
                self.admin_site.admin_view(self._page(act)),
                name=f"{self.opts.app_label}_{self.opts.model_name}_{act.slug}",
            )
            for act in self.acts
        ]
        return [*pages, *super().get_urls()]

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        obj = context.get("original")
        context["acts"] = [
            {"label": act.label, "url": self._address(act.slug, obj.pk)}
            for act in self.acts
            if obj is not None and act.applies(obj) and self.may(request, act, obj)
        ]
        return super().render_change_form(request, context, *args, **kwargs)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        offered = {
            act.slug: (self._action(act), act.slug, act.label)
            for act in self.acts
            if act.bulk and operator(request).has_perm(act.permission)
        }
        return {**super().get_actions(request), **offered}

    def _page(self, act: Act) -> Callable[..., HttpResponse]:
        def page(request: HttpRequest, object_id: str) -> HttpResponse:
            obj = self.get_object(request, object_id)
            if obj is None:
                raise Http404
            if not self.may(request, act, obj):
                raise PermissionDenied
            form_type = act.form_of(obj) if act.form_of else act.form
            form = form_type(request.POST, request.FILES) if request.method == "POST" else form_type()
            if form.is_bound and form.is_valid():
                try:
                    return self._perform(request, act, obj, form.cleaned_data)
                except ServiceError as error:
                    form.add_error(None, error.message)
            return self._ask(request, act, obj, form)

        return page

    def _perform(self, request: HttpRequest, act: Act, obj: Any, values: dict[str, Any]) -> HttpResponse:
        with nullcontext() if act.calls_out else transaction.atomic():
            outcome = act.perform(request, obj, values)
            if not isinstance(outcome, BeforeTheAct):
                self.log_change(request, obj, f"{act.label}.")
        if isinstance(outcome, HttpResponse):
            return outcome
        messages.success(request, outcome)
        return HttpResponseRedirect(self._address("change", obj.pk))

    def _ask(self, request: HttpRequest, act: Act, obj: Any, form: forms.Form) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "title": act.label,
            "subtitle": str(obj),
            "explanation": act.explanation,
            "form": form,
            "submit_label": act.label,
            "opts": self.opts,
            "original": obj,
            "back": self._address("change", obj.pk),
        }
        return TemplateResponse(request, "admin/act.html", context)

    def _action(self, act: Act) -> Callable[[Any, HttpRequest, QuerySet[Any]], None]:
        def action(_: Any, request: HttpRequest, queryset: QuerySet[Any]) -> None:
            chosen = list(queryset[: MAX_AT_ONCE + 1])
            if len(chosen) > MAX_AT_ONCE:
                raise conflict(f"These are more than {MAX_AT_ONCE:,} rows: choose fewer of them, or filter the list.")
            rows = [row for row in chosen if act.applies(row) and self.may(request, act, row)]
            for row in rows:
                act.perform(request, row, {})
                self.log_change(request, row, f"{act.label}.")
            messages.success(request, f"{act.label}: done for {len(rows)} of {len(chosen)} chosen.")

        return action

    def _address(self, page: str, object_id: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{page}", args=(object_id,))
