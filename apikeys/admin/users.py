"""Accounts and groups in the staff pages."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.forms import PasswordResetForm, UserChangeForm
from django.contrib.auth.models import Group
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template.loader import render_to_string

from apikeys.caller import Caller
from apikeys.errors import ErrorCode, ServiceError
from apikeys.models import LIMITS, Plan, User
from apikeys.services.guards import conflict, require_active
from apikeys.services.mail import mail_leaves
from apikeys.services.users import (
    change_limits,
    change_plan,
    create_user,
    deactivate_user,
    reactivate_user,
    set_roles,
    update_user,
)
from apikeys.staff.base import Act, ServiceAdmin, ServiceForm, operator, operator_caller

if TYPE_CHECKING:
    BaseUserAdmin = DjangoUserAdmin[User]
    BaseUserForm = UserChangeForm[User]
else:
    BaseUserAdmin = DjangoUserAdmin
    BaseUserForm = UserChangeForm

NAMES = ("email", "first_name", "last_name")
OWN_LIMITS = {f"own_{name}": name for name in LIMITS}
ROLES = ("is_staff", "is_superuser", "groups", "user_permissions")


def smallest_plan_with_keys() -> Plan | None:
    """What most new accounts need; None where no plan allows keys."""
    return Plan.objects.filter(api_access=True).order_by("credits_per_month", "tier").first()


class NewAccountForm(ServiceForm):
    """A new account gets a password that nobody knows; the person chooses one through the mail."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.setdefault("plan", smallest_plan_with_keys())

    class Meta:
        model = User
        fields = [*NAMES, "plan"]
        help_texts = {
            "email": "The login. Send the password mail from the account's page, or set a password there.",
        }


class AccountForm(ServiceForm, BaseUserForm):
    """An existing account, its password shown only as a hash with a link to Django's form."""

    class Meta:
        model = User
        fields = "__all__"  # the fieldsets of the page choose
        field_classes: dict[str, type[forms.Field]] = {}


class PasswordMailForm(PasswordResetForm):
    """Django's, for an operator: that one hides from strangers that the mail could not be sent."""

    def send_mail(
        self,
        subject_template_name: str,
        email_template_name: str,
        context: dict[str, Any],
        from_email: str | None,
        to_email: str,
        html_email_template_name: str | None = None,
    ) -> None:
        subject = " ".join(render_to_string(subject_template_name, context).split())
        send_mail(subject, render_to_string(email_template_name, context), from_email, [to_email])


def send_password_mail(request: HttpRequest, user: User) -> None:
    """Send the mail that lets the person choose a password.

    Raises conflict for an account that is deactivated or has no password sign-in, unavailable when the mail server
    does not take the mail.
    """
    require_active(user)
    if not mail_leaves():
        raise conflict("No mail server is set (EMAIL_URL), so no mail was sent. Set a password on this page instead.")
    form = PasswordMailForm({"email": user.email})
    if not (form.is_valid() and any(form.get_users(user.email))):
        raise conflict("This account may not sign in by password. Set a password on its page first.")
    try:
        form.save(request=request, use_https=request.is_secure())
    except OSError as error:
        raise ServiceError(
            ErrorCode.UNAVAILABLE, f"The mail was not sent: {error}. Check EMAIL_URL and the mail server."
        ) from error


def _deactivate(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    ended = deactivate_user(operator_caller(request), user=user)
    counts = ", ".join(f"{number:,} {what}" for what, number in ended.items())
    return f"{user.email} is deactivated: {counts}. Sessions and links to choose a password have ended."


def _reactivate(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    reactivate_user(operator_caller(request), user=user)
    return (
        f"{user.email} is active again, with its brands, roles and scans by schedule. Send the password mail: the "
        "password of before has ended. So have keys, invitations and offers: issue them anew where they are needed."
    )


def _send_mail(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    send_password_mail(request, user)
    return f"A mail with a link to choose a password was sent to {user.email}."


@admin.register(User)
class UserAdmin(ServiceAdmin, BaseUserAdmin):
    """Accounts: create, plan, roles, password, deactivate, reactivate. They are never deleted."""

    form = AccountForm
    add_form = NewAccountForm
    add_form_template = None
    list_display = ("email", "plan", "is_active", "is_staff", "last_login", "date_joined")
    list_filter = ("plan", "is_active", "is_staff")
    list_select_related = ("plan",)
    search_fields = ("email", "first_name", "last_name")
    ordering = ("email",)
    filter_horizontal = ("groups", "user_permissions")
    readonly_fields = ("may_sign_in", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", "password", "first_name", "last_name", "plan")}),
        (
            "Limits of this account",
            {
                "fields": tuple(OWN_LIMITS),
                "description": "What stands here holds instead of the plan's limit, more or less; empty: the plan's.",
            },
        ),
        ("Staff pages", {"fields": ROLES}),
        ("On record", {"fields": ("may_sign_in", "last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": (*NAMES, "plan")}),)
    acts = (
        Act(
            slug="password-mail",
            label="Send password mail",
            permission="apikeys.change_user",
            explanation="Sends a mail with a link by which the person chooses a new password.",
            perform=_send_mail,
            applies=lambda user: user.is_active,
            calls_out=True,
        ),
        Act(
            slug="deactivate",
            label="Deactivate",
            permission="apikeys.change_user",
            explanation="Ends at once, and for good, what can act for this account: sessions, the password and links "
            "to choose one, keys, invitations and offers that it sent, scans and audits under way of its brands. "
            "Its brands are no longer scanned by schedule, and nobody changes them: people who work on them go on "
            "reading. Give a brand to another account on the brand's page. Brands, their history and roles are kept.",
            perform=_deactivate,
            applies=lambda user: user.is_active,
        ),
        Act(
            slug="reactivate",
            label="Reactivate",
            permission="apikeys.change_user",
            explanation="Lets the person sign in again, by a password mail that you send next, with the brands and "
            "roles of before. Scans by schedule go on with their next slot, at the account's cost. Keys, "
            "invitations, offers and cancelled scans do not come back.",
            perform=_reactivate,
            applies=lambda user: not user.is_active,
        ),
    )

    @admin.display(description="active", boolean=True)
    def may_sign_in(self, user: User) -> bool:
        """Without Django's help text, which speaks of a box to untick; the acts deactivate and reactivate."""
        return user.is_active

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        """Staff accounts are changed by superusers only: whoever sets a password could sign in with it."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or not (obj.is_staff or obj.is_superuser) or operator(request).is_superuser)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        return self.readonly_fields if operator(request).is_superuser else (*self.readonly_fields, *ROLES)

    def may(self, request: HttpRequest, act: Act, obj: User) -> bool:
        return super().may(request, act, obj) and self.has_change_permission(request, obj)

    def store(self, caller: Caller, obj: User, form: Any, change: bool) -> User:
        if not change:
            return create_user(caller, plan=form.cleaned_data["plan"], **{n: form.cleaned_data[n] for n in NAMES})
        if set(NAMES) & set(form.changed_data):
            update_user(caller, user=obj, **form.changed_values(*NAMES))
        if "plan" in form.changed_data:
            change_plan(caller, user=obj, plan=form.cleaned_data["plan"])
        if limits := form.changed_values(*OWN_LIMITS):
            change_limits(caller, user=obj, limits={OWN_LIMITS[field]: limit for field, limit in limits.items()})
        if set(ROLES) & set(form.changed_data):
            set_roles(
                caller,
                user=obj,
                is_staff=form.cleaned_data["is_staff"],
                is_superuser=form.cleaned_data["is_superuser"],
                groups=form.cleaned_data["groups"],
                permissions=form.cleaned_data["user_permissions"],
            )
        return obj


admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Groups of permissions. Superusers only: whoever changes a group could grant themselves anything.

    The sign-in page asks as well, for somebody who is not signed in yet.
    """

    def has_module_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_add_permission(self, request: HttpRequest) -> bool:
        return request.user.is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_superuser
