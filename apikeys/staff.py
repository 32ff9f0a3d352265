"""What all pages of the admin share: every write goes through a service, and a refusal becomes words on the page."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.core.validators import ProhibitNullCharactersValidator
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.decorators import method_decorator
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_post_parameters

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import system_caller
from apikeys.errors import ServiceError
from apikeys.models import User

if TYPE_CHECKING:
    BaseModelAdmin = admin.ModelAdmin[Any]
    BaseModelForm = forms.ModelForm[Any]
    BasePaginator = Paginator[Any]
    UserChoiceField = forms.ModelChoiceField[User]
else:
    BaseModelAdmin = admin.ModelAdmin
    BaseModelForm = forms.ModelForm
    BasePaginator = Paginator
    UserChoiceField = forms.ModelChoiceField

MOST_COUNTED = 10_000
"""Rows of a list that its pages lead to: counting millions takes longer than showing a page."""


def operator(request: HttpRequest) -> User:
    """The person who is signed in to the admin."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def operator_caller(request: HttpRequest) -> Caller:
    """The operator as the caller of a service: reaches every account and brand, and is named in the records."""
    person = operator(request)
    return system_caller(f"user:{person.pk}", user=person)


class ServiceForm(BaseModelForm):
    """Reads fields and leaves the rules to the services; what one refused (`refusal`) is shown with the fields."""

    refusal: ServiceError | None = None
    operator: User

    def clean(self) -> dict[str, Any] | None:
        cleaned = super().clean()
        if self.refusal is not None:
            argument = self.refusal.details.get("argument")
            self.add_error(argument if argument in self.fields else None, self.refusal.message)
        return cleaned

    def _get_validation_exclusions(self) -> set[str]:
        # Django offers no other way to leave out the model's own checks, whose messages do not say what to do.
        return {field.name for field in self._meta.model._meta.get_fields()}

    def changed_values(self, names: Iterable[str]) -> dict[str, Any]:
        """Those among `names` that differ from what is stored."""
        return {name: self.cleaned_data[name] for name in names if name in self.changed_data}


class PersonField(UserChoiceField):
    """An account, named by its email address in whatever case."""

    widget = forms.EmailInput

    def __init__(self, **options: Any) -> None:
        super().__init__(queryset=User.objects.all(), **options)

    def prepare_value(self, value: Any) -> Any:
        """The address of an account given by its id; what was typed stays as typed."""
        user = User.objects.filter(pk=value).first() if isinstance(value, int) else None
        return user.email if user else value

    def to_python(self, value: Any) -> User | None:
        if value in self.empty_values:
            return None
        ProhibitNullCharactersValidator()(value)
        user = User.objects.with_email(str(value))
        if user is None:
            raise ValidationError("No account has this email address. Create it first, or check the spelling.")
        return user


class LinesField(forms.CharField):
    """A list of short texts, one on each line; empty lines are left out."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 4, "cols": 40}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in str(value or "").splitlines() if line.strip()]

    def has_changed(self, initial: Any, data: Any) -> bool:
        return bool(list(initial or []) != self.to_python(data))


def never(admin: Any, request: HttpRequest, obj: Any = None) -> bool:
    """For admin classes, in place of a permission that nobody has."""
    return False


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that can be done to a row: a page that explains, asks, and then calls a service.

    `perform` takes the request, the row and the form's values; it returns a sentence that says what happened, or a
    whole answer. `applies` says for which rows a link is shown; what asks others over the network is not `is_atomic`.
    """

    slug: str
    label: str
    permission: str
    explanation: str
    perform: Callable[[HttpRequest, Any, dict[str, Any]], str | HttpResponse]
    form: type[forms.Form] = forms.Form
    applies: Callable[[Any], bool] = lambda row: True
    is_atomic: bool = True


class BoundedPaginator(BasePaginator):
    """Counts no further than MOST_COUNTED; filters and search lead to the rest."""

    @cached_property
    def count(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list)
        return rows.order_by()[:MOST_COUNTED].count()


class LongList(BaseModelAdmin):
    """A list of possibly millions of rows, with nothing on it that would count or sort them all."""

    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    sortable_by = ()


class ReadOnlyAdmin(LongList):
    """Rows to look at, of which there may be millions."""

    actions = None
    has_add_permission = has_change_permission = has_delete_permission = never


class ActingAdmin(BaseModelAdmin):
    """Rows to which something can be done: a page for each act, and a link to it on the page of the row."""

    change_form_template = "admin/service_form.html"
    acts: tuple[Act, ...] = ()

    def may(self, request: HttpRequest, act: Act, obj: Any) -> bool:
        """Whether the operator may do `act` to this row; the service may still refuse."""
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

    def render_change_form(self, request: HttpRequest, context: Any, *args: Any, **options: Any) -> Any:
        obj = context.get("original")
        context["acts"] = [
            {"label": act.label, "url": _address(self.opts, act.slug, obj.pk)}
            for act in self.acts
            if obj is not None and act.applies(obj) and self.may(request, act, obj)
        ]
        context.update(show_save_and_add_another=False, show_save_and_continue=False)
        return super().render_change_form(request, context, *args, **options)

    def _page(self, act: Act) -> Callable[..., HttpResponse]:
        def page(request: HttpRequest, object_id: str) -> HttpResponse:
            if not operator(request).has_perm(act.permission):
                raise PermissionDenied
            obj = self.get_object(request, object_id)
            if obj is None:
                raise Http404
            if not self.may(request, act, obj):
                raise PermissionDenied
            form = act.form(request.POST) if request.method == "POST" else act.form()
            if form.is_bound and form.is_valid():
                try:
                    return self._perform(request, act, obj, form.cleaned_data)
                except ServiceError as error:
                    form.add_error(None, error.message)
            context = {"title": act.label, "subtitle": str(obj), "act": act, "form": form}
            return TemplateResponse(request, "admin/act.html", _page_context(request, obj) | context)

        return page

    def _perform(self, request: HttpRequest, act: Act, obj: Any, values: dict[str, Any]) -> HttpResponse:
        with transaction.atomic() if act.is_atomic else nullcontext():
            outcome = act.perform(request, obj, values)
            self.log_change(request, obj, f"{act.label}.")
        if isinstance(outcome, HttpResponse):
            return outcome
        messages.success(request, outcome)
        return HttpResponseRedirect(_address(self.opts, "change", obj.pk))


class ServiceAdmin(ActingAdmin):
    """Rows that services write. A subclass says how: `store`, `remove` and its acts."""

    form = ServiceForm
    add_form: type[ServiceForm] | None = None
    add_fieldsets: Any = None
    actions = None

    def store(self, caller: Caller, obj: Any, form: Any, change: bool) -> Model:
        """Write the form's values through a service and return the stored row."""
        raise NotImplementedError

    def remove(self, caller: Caller, obj: Any) -> None:
        """Delete the row through a service."""
        raise NotImplementedError

    # Writing: Django's hooks lead to the services. A refusal rolls back and is shown in the form.

    @method_decorator(sensitive_post_parameters())
    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **options)
        except ServiceError as error:
            vars(request)["refusal"] = error
            return super().changeform_view(request, *args, **options)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        return self.add_fieldsets if obj is None and self.add_fieldsets else super().get_fieldsets(request, obj)

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any) -> Any:
        if obj is None and self.add_form:
            options["form"] = self.add_form
        form = cast(Any, super().get_form(request, obj, change=change, **options))
        form.refusal, form.operator = vars(request).get("refusal"), operator(request)
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        obj.pk = self.store(operator_caller(request), obj, form, change).pk
        obj.refresh_from_db()

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Nothing: the service has written all."""

    def delete_view(self, request: HttpRequest, object_id: str, extra_context: Any = None) -> HttpResponse:
        try:
            return super().delete_view(request, object_id, extra_context)
        except ServiceError as error:
            messages.error(request, error.message)
            return HttpResponseRedirect(_address(self.opts, "change", object_id))

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.remove(operator_caller(request), obj)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """The rows alone: the service knows what may go with them, and a list of all of that would never end."""
        return [str(obj) for obj in objs], {}, set(), []


def show_once(
    request: HttpRequest, row: Model, *, title: str, secret: str, facts: Sequence[tuple[str, Any]], note: str
) -> HttpResponse:
    """The page with a secret that is shown in this answer and never again, with what is to be known about it."""
    context = _page_context(request, row) | {"title": title, "secret": secret, "facts": facts, "note": note}
    headers = {"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
    return TemplateResponse(request, "admin/once.html", context, headers=headers)


def _page_context(request: HttpRequest, row: Model) -> dict[str, Any]:
    """What every page about a row shows around its own content."""
    back = _address(row._meta, "change", row.pk)
    return {**admin.site.each_context(request), "opts": row._meta, "original": row, "back": back}


def _address(opts: Any, page: str, key: Any) -> str:
    """The address of a page of the admin about the row with this key."""
    return reverse(f"admin:{opts.app_label}_{opts.model_name}_{page}", args=(key,))


def link(row: Model) -> SafeString:
    """The row by its name, as a link to its page."""
    return format_html('<a href="{}">{}</a>', _address(row._meta, "change", row.pk), row)


def table(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> SafeString:
    """A table for the page of a row; without rows a dash, as Django's admin shows what is empty."""
    if not rows:
        return SafeString("-")
    heading = format_html_join("", '<th scope="col">{}</th>', ((name,) for name in headings))
    body = format_html_join(
        "", "<tr>{}</tr>", ((format_html_join("", "<td>{}</td>", ((cell,) for cell in row)),) for row in rows)
    )
    return format_html("<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>", heading, body)
