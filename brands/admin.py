"""The operators' desk for brands: their names, the people who work on them and the competitors they track."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from apikeys.accounts.caller import Caller
from apikeys.accounts.operators import staff_reader
from apikeys.staff import (
    Act,
    LinesField,
    PersonField,
    ReadOnlyAdmin,
    ServiceAdmin,
    ServiceForm,
    link,
    never,
    operator,
    operator_caller,
    table,
)
from brands.brands import create_brand, delete_brand, transfer_brand, update_brand
from brands.invitations import link_to_hand_on
from brands.models import Brand, BrandChange, Collaborator, Invitation, ShareLink
from brands.people import add_collaborator, invite, remove_collaborator, set_role, withdraw
from brands.sharing import end_link

FIELDS = ("name", "domain", "description", "region", "cadence", "samples")


class BrandForm(ServiceForm):
    """A brand with its further names and domains."""

    owner = PersonField(help_text="Email address.")
    aliases = LinesField(help_text="Other names by which answers mention the brand, one on each line.")
    domains = LinesField(
        label="Further domains", help_text="Citations of these count as the brand's own; one on each line."
    )

    class Meta:
        model = Brand
        fields = ["owner", *FIELDS]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if not self.instance._state.adding:
            self.fields.pop("owner", None)  # another owner is chosen by Transfer
            self.initial["aliases"] = _aliases(self.instance)
            self.initial["domains"] = _domains(self.instance)


class CollaboratorForm(ServiceForm):
    """An account and its role."""

    user = PersonField(label="Account", help_text="Email address.")

    class Meta:
        model = Collaborator
        fields = ["brand", "user", "role"]


class TransferForm(forms.Form):
    """Who is to own the brand."""

    to = PersonField(label="New owner", help_text="Email address. The plan needs room for one more site.")


def _transfer(request: HttpRequest, brand: Brand, values: dict[str, Any]) -> str:
    moved = transfer_brand(operator_caller(request), brand_id=brand.pk, to=values["to"])
    return f"{moved.name} now belongs to {moved.owner}."


def _aliases(brand: Brand) -> list[str]:
    return [name.text for name in brand.names.filter(is_main=False, competitor=None)]


def _domains(brand: Brand) -> list[str]:
    return [row.domain for row in brand.domains.filter(is_main=False, competitor=None)]


class RestrictedAdmin(ServiceAdmin):
    """Rows of brands, for staff who may view the brands of others."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows: Any = super().get_queryset(request)
        reader = staff_reader(operator(request))
        return rows.restrict(reader, "view") if reader else rows.none()  # type: ignore[no-any-return]


@admin.register(Brand)
class BrandAdmin(RestrictedAdmin):
    """Brands with all that names them."""

    form = BrandForm
    list_display = ("name", "domain", "owner", "cadence", "next_run_at", "created_at")
    list_filter = ("cadence",)
    list_select_related = ("owner",)
    search_fields = ("name", "domain", "owner__email")
    add_fieldsets = (
        (None, {"fields": ("owner", "name", "domain", "description", "region")}),
        ("Names", {"fields": ("aliases", "domains")}),
        ("Scans", {"fields": ("cadence", "samples")}),
    )
    readonly_fields = (
        "owned_by",
        "next_run_at",
        "created_at",
        "competitors",
        "people",
        "invited",
        "shared",
    )
    fieldsets = (
        (None, {"fields": ("owned_by", "name", "domain", "description", "region", "created_at")}),
        ("Names", {"fields": ("aliases", "domains")}),
        ("Scans", {"fields": ("cadence", "samples", "next_run_at")}),
        ("Competitors", {"fields": ("competitors",)}),
        ("People", {"fields": ("people", "invited", "shared")}),
    )
    acts = (
        Act(
            slug="transfer",
            label="Transfer",
            permission="brands.change_brand",
            explanation="Gives the brand with all its history to another account, whose plan pays from then on. The "
            "present owner keeps no access; collaborators stay, invitations end.",
            perform=_transfer,
            form=TransferForm,
        ),
    )

    @admin.display(description="owner")
    def owned_by(self, brand: Brand) -> str:
        return brand.owner.email

    def aliases(self, brand: Brand) -> str:
        """In place of the form's field, for staff who may only view; `domains` likewise."""
        return ", ".join(_aliases(brand))

    @admin.display(description="further domains")
    def domains(self, brand: Brand) -> str:
        return ", ".join(_domains(brand))

    def competitors(self, brand: Brand) -> SafeString:
        """To look at: people change them on the page of the brand, where they also say when a name counts."""
        return table(("Name", "Domain"), list(brand.competitors.values_list("name", "domain")))

    @admin.display(description="collaborators")
    def people(self, brand: Brand) -> SafeString:
        rows = [(link(row), date_format(row.created_at)) for row in brand.collaborators.select_related("user")]
        return _with_link(table(("Account", "Since"), rows), brand, "collaborator", "Add a collaborator")

    @admin.display(description="invitations")
    def invited(self, brand: Brand) -> SafeString:
        """Including those that have expired."""
        rows = [(link(row), date_format(row.expires_at)) for row in brand.invitations.all()]
        return _with_link(table(("Address", "Until"), rows), brand, "invitation", "Invite somebody")

    @admin.display(description="links to the overview")
    def shared(self, brand: Brand) -> SafeString:
        """Including those that open nothing any more."""
        rows = [(link(row), date_format(row.expires_at)) for row in brand.share_links.select_related("made_by")]
        return table(("Link", "Until"), rows)

    def store(self, caller: Caller, obj: Brand, form: Any, change: bool) -> Brand:
        fields, values = (*FIELDS, "aliases", "domains"), form.cleaned_data
        if change:
            return update_brand(caller, brand_id=obj.pk, **form.changed_values(fields))
        return create_brand(caller, owner=values["owner"], **{name: values[name] for name in fields})

    def remove(self, caller: Caller, obj: Brand) -> None:
        delete_brand(caller, brand_id=obj.pk)

    def get_deleted_objects(self, objs: Any, request: HttpRequest) -> Any:
        """With how much goes with the brand."""
        names, _, lacking, protected = super().get_deleted_objects(objs, request)
        counts = {
            str(relation.related_model._meta.verbose_name_plural): relation.related_model._base_manager.filter(
                **{f"{relation.field.name}__in": objs}
            ).count()
            for relation in Brand._meta.related_objects
        }
        return names, counts, lacking, protected


class BelowBrandAdmin(RestrictedAdmin):
    """Rows that are reached from the page of their brand, and that lead back to it."""

    raw_id_fields = ("brand",)
    search_fields = ("brand__name", "brand__domain")

    def has_module_permission(self, request: HttpRequest) -> bool:
        return False  # not in the menu

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("brand", *self.readonly_fields) if obj else ()

    def response_post_save_add(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return HttpResponseRedirect(reverse("admin:brands_brand_change", args=(obj.brand_id,)))

    def response_post_save_change(self, request: HttpRequest, obj: Any) -> HttpResponseRedirect:
        return self.response_post_save_add(request, obj)


@admin.register(Collaborator)
class CollaboratorAdmin(BelowBrandAdmin):
    """The people who work on a brand that another owns."""

    form = CollaboratorForm
    fields = ("brand", "user", "role")
    list_display = ("user", "role", "brand")
    list_select_related = ("brand", "user")
    readonly_fields = ("user",)

    def store(self, caller: Caller, obj: Collaborator, form: Any, change: bool) -> Collaborator:
        if change:
            return set_role(caller, brand_id=obj.brand_id, user=obj.user, role=form.cleaned_data["role"])
        values = form.cleaned_data
        return add_collaborator(caller, brand_id=values["brand"].pk, user=values["user"], role=values["role"])

    def remove(self, caller: Caller, obj: Collaborator) -> None:
        remove_collaborator(caller, brand_id=obj.brand_id, user=obj.user)


@admin.register(Invitation)
class InvitationAdmin(BelowBrandAdmin):
    """Roles that are offered to email addresses. One is withdrawn and made again, not changed."""

    fields = ("brand", "email", "role")
    has_change_permission = never
    list_display = ("email", "role", "brand", "expires_at", "link")
    list_select_related = ("brand",)

    @admin.display(description="link to hand on")
    def link(self, offer: Invitation) -> str:
        """What opens it, where no mail is sent."""
        return link_to_hand_on(offer) or "-"

    def store(self, caller: Caller, obj: Invitation, form: Any, change: bool) -> Invitation:
        values = form.cleaned_data
        return invite(caller, brand_id=values["brand"].pk, email=values["email"], role=values["role"])

    def remove(self, caller: Caller, obj: Invitation) -> None:
        withdraw(caller, brand_id=obj.brand_id, invitation_id=obj.pk)


@admin.register(ShareLink)
class ShareLinkAdmin(BelowBrandAdmin):
    """Links by which anybody sees the overview of a brand. People make them on its page; here they are ended."""

    fields = ("brand", "made_by", "filters", "created_at", "expires_at", "last_used_at")
    readonly_fields = ("created_at", "expires_at", "last_used_at")
    has_add_permission = has_change_permission = never
    list_display = ("made_by", "brand", "created_at", "expires_at", "last_used_at")
    list_select_related = ("brand", "made_by")

    def remove(self, caller: Caller, obj: ShareLink) -> None:
        end_link(caller, brand_id=obj.brand_id, link_id=obj.pk)


@admin.register(BrandChange)
class BrandChangeAdmin(ReadOnlyAdmin):
    """The trail: what was changed of brands, the newest first."""

    list_display = ("at", "brand", "what", "subject", "before", "after", "person", "actor")
    list_filter = ("what",)
    list_select_related = ("brand", "person")
    search_fields = ("brand__name", "subject", "person__email")
    date_hierarchy = "at"


def _with_link(rows: SafeString, brand: Brand, model: str, label: str) -> SafeString:
    """A table with a link to the form that adds a row to it."""
    address = reverse(f"admin:brands_{model}_add")
    return format_html('{}<p><a href="{}?brand={}">{}</a></p>', rows, address, brand.pk, label)
