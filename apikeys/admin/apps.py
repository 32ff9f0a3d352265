"""The operators' desk for apps that people let in, and for their connections."""

import secrets
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from apikeys.accounts.caller import Caller
from apikeys.connect.operators import end_connection, enter_app, set_blocked
from apikeys.models import App, Connection
from apikeys.staff import (
    Act,
    ActingAdmin,
    LinesField,
    ReadOnlyAdmin,
    ServiceAdmin,
    ServiceForm,
    never,
    operator,
    operator_caller,
    show_once,
)


class AppForm(ServiceForm):
    """An app that an operator enters: one that neither has a document nor registers itself."""

    redirect_uris = LinesField(
        label="Redirect addresses", help_text="One on each line, as the app's maker names them."
    )
    has_secret = forms.BooleanField(
        label="With a secret", required=False, help_text="For apps that ask for one. It is shown once."
    )

    class Meta:
        model = App
        fields = ["name"]


def _set_blocked(request: HttpRequest, app: App, values: dict[str, Any]) -> str:
    is_blocked = app.blocked_at is None
    set_blocked(operator_caller(request), app=app, blocked=is_blocked)
    return f"{app} is {'blocked: its next call is refused' if is_blocked else 'let in again'}."


def _end(request: HttpRequest, connection: Connection, values: dict[str, Any]) -> str:
    end_connection(operator_caller(request), connection=connection)
    return "The connection has ended: the next call of the app is refused."


@admin.register(App)
class AppAdmin(ServiceAdmin):
    """Apps: block them everywhere at once, or enter one by hand."""

    add_form = AppForm
    add_fieldsets = ((None, {"fields": ("name", "redirect_uris", "has_secret")}),)
    has_change_permission = has_delete_permission = never
    list_display = ("name", "source", "host", "state", "connection_count", "created_at")
    list_filter = ("source",)
    search_fields = ("name", "client_id")
    fieldsets = ((None, {"fields": ("name", "source", "client_id", "redirect_uris", "state", "created_at")}),)
    acts = (
        Act(
            slug="block",
            label="Block",
            permission="apikeys.block_app",
            explanation="The next call of this app is refused, whoever let it in, and nobody can let it in anew.",
            perform=_set_blocked,
            applies=lambda app: app.blocked_at is None,
        ),
        Act(
            slug="unblock",
            label="Let in again",
            permission="apikeys.block_app",
            explanation="The app works again for those who had let it in.",
            perform=_set_blocked,
            applies=lambda app: app.blocked_at is not None,
        ),
    )

    def state(self, app: App) -> str:
        return "blocked" if app.blocked_at else "let in"

    @admin.display(description="connections")
    def connection_count(self, app: App) -> int:
        """Those that have not ended."""
        return int(vars(app)["open_connections"])

    def get_queryset(self, request: HttpRequest) -> QuerySet[App]:
        rows: QuerySet[App] = super().get_queryset(request)
        return rows.annotate(open_connections=Count("connections", filter=Q(connections__ended_at=None)))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return operator(request).has_perm("apikeys.block_app")

    def has_view_permission(self, request: HttpRequest, obj: App | None = None) -> bool:
        return any(operator(request).has_perm(f"apikeys.{name}") for name in ("view_app", "block_app"))

    @sensitive_variables("secret")
    def store(self, caller: Caller, obj: App, form: Any, change: bool) -> App:
        values = form.cleaned_data
        secret = secrets.token_urlsafe(32) if values["has_secret"] else ""
        vars(obj)["secret"] = secret  # for response_add, in this request alone
        return enter_app(caller, name=values["name"], redirect_uris=values["redirect_uris"], secret=secret)

    def response_add(self, request: HttpRequest, obj: App, *args: Any, **options: Any) -> HttpResponse:
        secret = vars(obj).pop("secret")
        if not secret:
            return super().response_add(request, obj, *args, **options)
        facts = [("App", obj.name), ("Its id", obj.client_id)]
        note = "Lost it? Nobody can read it back: block this app and enter another."
        return show_once(request, obj, title="Copy this secret now", secret=secret, facts=facts, note=note)


@admin.register(Connection)
class ConnectionAdmin(ActingAdmin, ReadOnlyAdmin):
    """What people let apps do with their keys."""

    list_display = ("app", "key", "owner", "state", "last_used_at", "created_at")
    list_filter = ("created_at",)
    list_select_related = ("app", "key__owner")
    search_fields = ("app__name", "app__client_id", "key__name", "key__owner__email", "=key__last_four")
    fields = ("app", "key", "owner", "scopes", "state", "created_at", "last_used_at", "ended_at", "ended_why")
    acts = (
        Act(
            slug="end",
            label="End",
            permission="apikeys.end_connection",
            explanation="The next call of the app with this connection is refused. The key works on.",
            perform=_end,
            applies=lambda connection: connection.ended_at is None,
        ),
    )

    def owner(self, connection: Connection) -> str:
        return connection.key.owner.email

    def state(self, connection: Connection) -> str:
        return connection.state_at(timezone.now())

    def has_view_permission(self, request: HttpRequest, obj: Connection | None = None) -> bool:
        return any(operator(request).has_perm(f"apikeys.{name}") for name in ("view_connection", "end_connection"))
