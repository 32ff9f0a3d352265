"""Brands, their names, collaborators and competitors in the staff pages."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apikeys.caller import Caller
from apikeys.errors import ServiceError
from apikeys.operators import staff_reader
from apikeys.staff.base import Act, BaseModelAdmin, ServiceAdmin, ServiceForm, operator, operator_caller
from apikeys.staff.fields import LinesField, PersonField
from apikeys.staff.inlines import NamedTabularInline
from brands.models import Brand, Collaborator, Competitor
from brands.services.brands import create_brand, transfer_brand, update_brand
from brands.services.collaborators import add_collaborator, remove_collaborator, set_role
from brands.services.competitors import add_competitor, remove_competitor, update_competitor
from brands.services.names import replace_aliases, replace_domains
from brands.services.policies import set_name_policy

FIELDS = ("name", "domain", "description", "cadence", "samples", "judges_names")


def _restricted(rows: Any, request: HttpRequest) -> QuerySet[Any]:
    """All for staff who may view brands, none for others."""
    reader = staff_reader(operator(request))
    visible: QuerySet[Any] = rows.restrict(reader, "view") if reader else rows.none()
    return visible


class StaffScopedAdmin(BaseModelAdmin):
    """Rows of the brands that the operator may see (`staff_reader`), in lists, pages and choices alike."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return _restricted(super().get_queryset(request), request)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.related_model is Brand:
            kwargs.setdefault("queryset", _restricted(Brand.objects.all(), request))
        return super().formfield_for_foreignkey(db_field, request, **kwargs)


class BrandForm(ServiceForm):
    """A brand with its other names and domains, one on each line."""

    owner = PersonField(help_text="Email address. Another owner is chosen through “Transfer”.")
    alias_lines = LinesField(
        label="Aliases", help_text="Other names by which answers mention the brand, one on each line."
    )
    domain_lines = LinesField(
        label="Further domains", help_text="Domains whose citations count as the brand's own, one on each line."
    )

    class Meta:
        model = Brand
        fields = ["owner", *FIELDS]
        help_texts = {
            "description": "What the brand sells; one line will do. It helps to write for it, and to tell its name "
            "from other meanings: stored answers are analysed again when it changes."
        }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.fields["owner"].disabled = True
            self.initial["alias_lines"] = [alias.text for alias in self.instance.aliases.all()]
            self.initial["domain_lines"] = [row.domain for row in self.instance.owned_domains.all()]


class CollaboratorForm(ServiceForm):
    """A person and a role; the person of a row that exists is fixed."""

    user = PersonField(label="Email address")

    class Meta:
        model = Collaborator
        fields = ["user", "role"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fix("user")


class CompetitorForm(ServiceForm):
    """A competitor with its other names, one on each line."""

    alias_lines = LinesField(
        label="Aliases", help_text="One on each line.", widget=forms.Textarea(attrs={"rows": 2, "cols": 25})
    )

    class Meta:
        model = Competitor
        fields = ["name", "domain"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.instance._state.adding:
            self.initial["alias_lines"] = [alias.text for alias in self.instance.aliases.all()]


class TransferForm(forms.Form):
    """Who is to own the brand."""

    to = PersonField(label="New owner", help_text="Email address. Their plan needs room for one more site.")


class NamePolicyForm(forms.Form):
    """When a name that also means something else counts. Left empty, a policy is removed."""

    text = forms.CharField(label="Name", max_length=200, help_text="A name or alias of the brand or of a competitor.")
    case_sensitive = forms.BooleanField(label="Only with these capitals", required=False)
    required_near = LinesField(
        label="Words in the line", help_text="One of these words is in the line wherever the name is meant."
    )
    forbidden_near = LinesField(
        label="Words beside it", help_text="None of these words is right beside the name where it is meant."
    )


class CollaboratorInline(NamedTabularInline):
    model = Collaborator
    form = CollaboratorForm


class CompetitorInline(NamedTabularInline):
    model = Competitor
    form = CompetitorForm

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).prefetch_related("aliases")

    @admin.display(description="aliases")
    def alias_lines(self, competitor: Competitor) -> str:
        return ", ".join(alias.text for alias in competitor.aliases.all())


def _transfer(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    moved = transfer_brand(operator_caller(request), brand=brand, to=values["to"])
    return f"{moved.name} now belongs to {moved.owner}."


def _set_policy(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    policy = set_name_policy(operator_caller(request), brand=brand, **values)
    return f"{policy}." if policy else f"{values['text']} counts by the rules for all names again."


def _store_collaborator(caller: Caller, brand: Brand, form: Any) -> None:
    user, role = form.cleaned_data["user"], form.cleaned_data["role"]
    if form.instance._state.adding:
        add_collaborator(caller, brand=brand, user=user, role=role)
    else:
        set_role(caller, brand=brand, user=user, role=role)


def _store_competitor(caller: Caller, brand: Brand, form: Any) -> None:
    values = form.cleaned_data
    if form.instance._state.adding:
        add_competitor(
            caller, brand=brand, name=values["name"], domain=values["domain"], aliases=values["alias_lines"]
        )
    else:
        aliases = values["alias_lines"] if "alias_lines" in form.changed_data else None
        update_competitor(caller, competitor=form.instance, aliases=aliases, **form.changed_values("name", "domain"))


def _remove_row(caller: Caller, row: Any) -> None:
    if isinstance(row, Collaborator):
        remove_collaborator(caller, brand=row.brand, user=row.user)
    else:
        remove_competitor(caller, competitor=row)


class BrandAdmin(ServiceAdmin, StaffScopedAdmin):
    """Brands with all that names them, the people who work on them and the rivals they watch.

    Registered by the floor that measures them: a deletion has to end scans first.
    """

    form = BrandForm
    inlines = (CollaboratorInline, CompetitorInline)
    list_display = ("name", "domain", "owner", "cadence", "next_run_at", "created_at")
    list_filter = ("cadence",)
    list_select_related = ("owner",)
    search_fields = ("name", "domain", "owner__email")
    readonly_fields = ("next_run_at", "created_at", "policies")
    fieldsets = (
        (None, {"fields": ("owner", "name", "domain", "description")}),
        ("Scans", {"fields": ("cadence", "samples", "next_run_at")}),
        ("Names", {"fields": ("alias_lines", "domain_lines", "policies", "judges_names")}),
    )
    acts: tuple[Act, ...] = (
        Act(
            slug="transfer",
            label="Transfer",
            permission="brands.change_brand",
            explanation="Gives the brand with all its history to another account, whose plan pays from then on. The "
            "present owner keeps no access; collaborators stay.",
            perform=_transfer,
            form=TransferForm,
        ),
        Act(
            slug="policy",
            label="Say when a name counts",
            permission="brands.change_brand",
            explanation="For names that are also plain words, people or places, where the detector needs help. All "
            "stored answers are analysed again.",
            perform=_set_policy,
            form=NamePolicyForm,
        ),
    )

    @admin.display(description="aliases")
    def alias_lines(self, brand: Brand) -> str:
        return ", ".join(alias.text for alias in brand.aliases.all())

    @admin.display(description="further domains")
    def domain_lines(self, brand: Brand) -> str:
        return ", ".join(row.domain for row in brand.owned_domains.all())

    @admin.display(description="policies")
    def policies(self, brand: Brand) -> str:
        return "; ".join(str(policy) for policy in brand.name_policies.all()) or "none"

    def store(self, caller: Caller, obj: Brand, form: Any, change: bool) -> Brand:
        values = form.cleaned_data
        if change:
            brand = update_brand(caller, brand=obj, **form.changed_values(*FIELDS))
        else:
            brand = create_brand(caller, owner=values["owner"], **{name: values[name] for name in FIELDS})
        if "alias_lines" in form.changed_data:
            replace_aliases(caller, brand=brand, aliases=values["alias_lines"])
        if "domain_lines" in form.changed_data:
            replace_domains(caller, brand=brand, domains=values["domain_lines"])
        return brand

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:
        """Removals first, so that they make room for what is added."""
        formset.save(commit=False)  # writes nothing; lists what changed, for the history
        caller, brand = operator_caller(request), form.instance
        write = _store_collaborator if formset.model is Collaborator else _store_competitor
        for row in formset.deleted_forms:
            if not row.instance._state.adding:
                _remove_row(caller, row.instance)
        for row in formset.forms:
            if row.has_changed() and row not in formset.deleted_forms:
                try:
                    write(caller, brand, row)
                except ServiceError as error:
                    label = formset.model._meta.verbose_name.capitalize()
                    raise ServiceError(error.code, f"{label} {row.instance}: {error.message}") from error

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """What goes with the brands as counts: a list of every answer would never end."""
        brands = list(objs)
        counts = {
            str(relation.related_model._meta.verbose_name_plural): relation.related_model._base_manager.filter(
                **{f"{relation.field.name}__in": brands}
            ).count()
            for relation in Brand._meta.related_objects
        }
        return [str(brand) for brand in brands], counts, set(), []
