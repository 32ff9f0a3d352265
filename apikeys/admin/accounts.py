"""The operators' desk for accounts, plans and groups."""

from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialToken
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.accounts.people import (
    CHANGEABLE,
    NAMES,
    OWN_LIMITS,
    create_user,
    deactivate_user,
    delete_plan,
    may_change,
    reactivate_user,
    remove_second_factor,
    save_plan,
    set_password,
    set_roles,
    update_user,
)
from apikeys.accounts.usage import quotas
from apikeys.accounts.waysin import has_second_factor
from apikeys.models import Plan, User
from apikeys.signin.links import welcome
from apikeys.staff import (
    Act,
    ServiceAdmin,
    ServiceForm,
    never,
    operator,
    operator_caller,
    show_once,
    table,
)

ROLES = ("is_staff", "is_superuser", "groups", "user_permissions")

# What allauth registers shows secrets, and changes what services do.
for model in (EmailAddress, Authenticator, SocialApp, SocialAccount, SocialToken, UserSession):
    if admin.site.is_registered(model):
        admin.site.unregister(model)
admin.site.unregister(Group)


class AccountForm(ServiceForm):
    """An account with its plan and roles."""

    class Meta:
        model = User
        fields = ["email", *NAMES, "plan", *OWN_LIMITS, *ROLES]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "user_permissions" in self.fields:  # each permission is named with its content type
            choices = self.fields["user_permissions"]
            choices.queryset = choices.queryset.select_related("content_type")  # type: ignore[attr-defined]


class NewAccountForm(ServiceForm):
    """A new account, whose person is invited to choose a password."""

    class Meta:
        model = User
        fields = ["email", *NAMES, "plan"]


def _deactivate(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    deactivate_user(operator_caller(request), user=user)
    return f"{user.email} is deactivated. Its keys, its password and its sessions have ended."


def _reactivate(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    reactivate_user(operator_caller(request), user=user)
    return f"{user.email} is active again. Set a password next, and issue keys where they are needed."


def _invite(request: HttpRequest, user: User, values: dict[str, Any]) -> str | HttpResponse:
    return _invited(request, user) or f"A mail with a link is on its way to {user.email}."


def _invited(request: HttpRequest, user: User) -> HttpResponse | None:
    """Invite the person by mail; without mail, the page with the link to hand on."""
    link = welcome(user)
    if not link:
        return None
    facts = [("Account", user.email), ("Works", "once, within 14 days")]
    note = "Hand it over on a safe way: who opens it chooses the password of the account."
    return show_once(request, user, title="Copy this link now", secret=link, facts=facts, note=note)


def _remove_second_factor(request: HttpRequest, user: User, values: dict[str, Any]) -> str:
    remove_second_factor(operator_caller(request), user=user)
    return f"{user.email} signs in with the password alone, until a second factor is set up again."


@sensitive_variables("password")
def _set_password(request: HttpRequest, user: User, values: dict[str, Any]) -> HttpResponse:
    password = set_password(operator_caller(request), user=user)
    facts = [("Account", user.email), ("Signs in at", settings.PUBLIC_URL + reverse("sign-in"))]
    note = "Hand it over on a safe way. The person can choose another one after signing in."
    return show_once(request, user, title="Copy this password now", secret=password, facts=facts, note=note)


@admin.register(User)
class UserAdmin(ServiceAdmin):
    """Accounts: create, plan, roles, password, deactivate, reactivate. They are never deleted."""

    form = AccountForm
    add_form = NewAccountForm
    list_display = ("email", "first_name", "last_name", "plan", "is_active", "is_staff", "last_login", "date_joined")
    list_filter = ("plan", "is_active", "is_staff")
    list_select_related = ("plan",)
    search_fields = ("email", "first_name", "last_name")
    filter_horizontal = ("groups", "user_permissions")
    has_delete_permission = never
    readonly_fields = ("active", "used", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("email", *NAMES, "active", "plan", "used")}),
        (
            "Limits of this account",
            {"fields": OWN_LIMITS, "description": "More or less than the plan says; empty: as the plan says."},
        ),
        ("Admin", {"fields": ROLES, "description": "Only superusers change these."}),
        ("On record", {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = ((None, {"fields": ("email", *NAMES, "plan")}),)
    acts = (
        Act(
            slug="invite",
            label="Invite",
            permission="apikeys.set_password_user",
            explanation="Gives the person a link to choose a password: by mail, or shown here once to hand on.",
            perform=_invite,
            applies=lambda user: user.is_active and user.last_login is None,
        ),
        Act(
            slug="remove-second-factor",
            label="Remove second factor",
            permission="apikeys.set_password_user",
            explanation="For a person who has lost the device and the recovery codes. Be sure who asks: the password "
            "alone opens the account then.",
            perform=_remove_second_factor,
            applies=has_second_factor,
        ),
        Act(
            slug="set-password",
            label="Set password",
            permission="apikeys.set_password_user",
            explanation="Gives the account a new random password and shows it once. Open sessions end.",
            perform=_set_password,
            applies=lambda user: user.is_active,
        ),
        Act(
            slug="deactivate",
            label="Deactivate",
            permission="apikeys.deactivate_user",
            explanation="Ends at once and for good what can act for this account: its keys, its password, its "
            "sessions, the invitations that it sent and its scans under way. Its brands become read-only for all but "
            "operators; they, their history and roles are not deleted.",
            perform=_deactivate,
            applies=lambda user: user.is_active,
        ),
        Act(
            slug="reactivate",
            label="Reactivate",
            permission="apikeys.reactivate_user",
            explanation="Lets the person sign in again, with the brands and roles of before, once you set a "
            "password. Keys, invitations and cancelled scans do not come back.",
            perform=_reactivate,
            applies=lambda user: not user.is_active,
        ),
    )

    @admin.display(description="active", boolean=True)
    def active(self, user: User) -> bool:
        """Without the box that Django offers here: the acts deactivate and reactivate."""
        return user.is_active

    def used(self, user: User) -> SafeString:
        """What the account has used in the current month or day."""
        rows = [
            (kind.label, f"{quota.used:,} of {quota.limit:,}", f"{quota.resets_at:%-d %B %Y}")
            for kind, quota in quotas(user).items()
        ]
        keys = f"{reverse('admin:apikeys_apikey_changelist')}?owner={user.pk}"
        return format_html('{}<p><a href="{}">Its keys</a></p>', table(("What", "Used", "Until"), rows), keys)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and (obj is None or may_change(operator(request), obj))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> tuple[str, ...]:
        return self.readonly_fields if operator(request).is_superuser else (*self.readonly_fields, *ROLES)

    def may(self, request: HttpRequest, act: Act, obj: User) -> bool:
        return super().may(request, act, obj) and may_change(operator(request), obj)

    def response_add(self, request: HttpRequest, obj: User, post_url_continue: str | None = None) -> HttpResponse:
        return _invited(request, obj) or super().response_add(request, obj, post_url_continue)

    def store(self, caller: Caller, obj: User, form: Any, change: bool) -> User:
        values = form.cleaned_data
        if not change:
            names = {name: values[name] for name in NAMES}
            return create_user(caller, email=values["email"], plan=values["plan"], **names)
        if changes := form.changed_values(CHANGEABLE):
            update_user(caller, user=obj, **changes)
        if form.changed_values(ROLES):
            set_roles(
                caller,
                user=obj,
                is_staff=values["is_staff"],
                is_superuser=values["is_superuser"],
                groups=values["groups"],
                permissions=values["user_permissions"],
            )
        return obj


@admin.register(Plan)
class PlanAdmin(ServiceAdmin):
    """The limits of each tier; a change applies from the next call on."""

    list_display = (
        "name",
        "tier",
        "api_access",
        "max_sites",
        "max_prompts_per_site",
        "max_competitors_per_site",
        "drafts_per_month",
        "credits_per_month",
    )

    def store(self, caller: Caller, obj: Plan, form: Any, change: bool) -> Plan:
        return save_plan(caller, plan=obj)

    def remove(self, caller: Caller, obj: Plan) -> None:
        delete_plan(caller, plan=obj)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin):
    """Groups of permissions. Superusers only: who changes a group could grant themselves anything."""

    actions = None

    def has_module_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.is_superuser)

    has_view_permission = has_add_permission = has_module_permission
    has_change_permission = has_delete_permission = has_module_permission
